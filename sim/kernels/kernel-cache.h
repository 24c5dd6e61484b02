/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where built kernels are kept: umadrig/kernels below XDG_CACHE_HOME (~/.cache), as files
 * "linux-RELEASE-IDENTITY.so", with "+OPTION" behind the identity for each option of their build.
 * Those that end in ".uml" are whole kernels, programs of User-mode Linux.
 */
#ifndef UMADRIG_SIM_KERNELS_KERNEL_CACHE_H
#define UMADRIG_SIM_KERNELS_KERNEL_CACHE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many hexadecimal digits an identity has. */
enum { KERNEL_IDENTITY_SIZE = 16 };

/* What names of whole kernels begin with: "uml:6.12". */
#define KERNEL_UML_PREFIX "uml:"

/* A file of the cache, as its name tells it. */
struct kernel_cached {
	char *path;
	char *release;		/* "6.1.192", "7.3.0-rc2" */
	char *identity;		/* KERNEL_IDENTITY_SIZE digits */
	char *options;		/* "sanitize", "sanitize+debug"; "": none */
	bool is_uml;		/* a whole kernel */
	int64_t built_ns;	/* when: the file's time */
};

/* The directory, which may not be there; to be freed. */
char *kernel_cache_directory(void);

/* The path of such a file, there or not; to be freed. 'options' as above. */
char *kernel_cache_path(const char *release, const char *identity, const char *options);
/* That of a whole kernel; likewise. */
char *kernel_cache_uml_path(const char *release, const char *identity, const char *options);

/*
 * What is there, of struct kernel_cached *: oldest release first, of one release the one that was
 * built last behind the others. Files with other names are left out. To be unreferenced.
 */
GPtrArray *kernel_cache_list(void);

/*
 * Does 'name' stand for it? "linux-6.12" and "6.12" do for 6.12.117, not for 6.120;
 * "6.12.117-3f2a" names a part of the identity, too. Options must be the same: "6.12+sanitize".
 * Whole kernels have names with KERNEL_UML_PREFIX, and the others have none.
 */
bool kernel_cached_is(const struct kernel_cached *cached, const char *name);

/*
 * The file of the newest release that 'name' stands for, of which the one that was built last; to
 * be freed. NULL with a message that says what there is, and the cure.
 */
char *kernel_cache_find(const char *name, char *reterr, size_t reterr_size);

#endif
