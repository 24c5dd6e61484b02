/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What guests need of the machine: see sim/guests/guest-image.h.
 */
#include "config.h"

#include "sim/guests/guest-image.h"

#include <dlfcn.h>
#include <errno.h>
#include <glib.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "sim/kernels/kernel-cache.h"

#define INIT "umadrig-guest-init"

static char *refuse(char *reterr, size_t reterr_size, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static char *refuse(char *reterr, size_t reterr_size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_vsnprintf(reterr, reterr_size, format, args);
	va_end(args);
	return NULL;
}

bool guest_image_is_meant(const char *name)
{
	return g_str_has_prefix(name, KERNEL_UML_PREFIX);
}

const char *guest_memory_directory(void)
{
	const char *places[] = { g_getenv("TMPDIR"), "/dev/shm", "/tmp" };

	for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
		struct statvfs status;

		if (places[i] && *places[i] && statvfs(places[i], &status) == 0 &&
		    !(status.f_flag & ST_NOEXEC) && access(places[i], W_OK | X_OK) == 0)
			return places[i];
	}
	return NULL;
}

/* What guests need beside their kernel; false with a message. */
static bool machine_can(char *reterr, size_t reterr_size)
{
	g_autofree char *init = guest_init_path();

#if !defined(__x86_64__)
	refuse(reterr, reterr_size, "User-mode Linux, which a guest is, runs on x86_64 only");
	return false;
#endif
	if (!guest_memory_directory()) {
		refuse(reterr, reterr_size, "a guest maps its memory to be executed, and neither "
		       "TMPDIR nor /dev/shm nor /tmp may be: mounted noexec (set TMPDIR to a "
		       "directory that is not)");
		return false;
	}
	if (access(init, X_OK) == 0)
		return true;
	refuse(reterr, reterr_size, "%s, which runs in a guest, is not there: %s", init,
	       g_strerror(errno));
	return false;
}

static bool is_program(const char *path)
{
	return g_file_test(path, G_FILE_TEST_IS_REGULAR) && access(path, X_OK) == 0;
}

/* A kernel's file that cannot run where it is: NULL with a message; else 'path', which is taken. */
static char *where_it_runs(char *path, char *reterr, size_t reterr_size)
{
	struct statvfs status;

	if (!path || statvfs(path, &status) < 0 || !(status.f_flag & ST_NOEXEC))
		return path;
	refuse(reterr, reterr_size, "%s is a program that cannot run there: its file system is "
	       "mounted noexec (copy it to another one, and name it with its directory)", path);
	g_free(path);
	return NULL;
}

char *guest_image_find(const char *name, char *reterr, size_t reterr_size)
{
	const char *kernel = name + strlen(KERNEL_UML_PREFIX);
	char *file;

	if (!machine_can(reterr, reterr_size))
		return NULL;
	if (!strchr(kernel, '/'))
		return where_it_runs(kernel_cache_find(name, reterr, reterr_size), reterr,
				     reterr_size);
	file = where_it_runs(g_canonicalize_filename(kernel, NULL), reterr, reterr_size);
	if (!file || is_program(kernel))
		return file;
	g_free(file);
	return refuse(reterr, reterr_size, "%s is no kernel that runs as a program (of 'umadrig "
		      "kernel build --uml')", kernel);
}

/*
 * Beside our other programs' parts: below or beside the library, or above it, as in a build tree.
 */
char *guest_init_path(void)
{
	const char *said = secure_getenv("UMADRIG_GUEST_INIT");
	g_autofree char *directory = NULL;
	static const char *const places[] = { "umadrig", ".", ".." };
	Dl_info info;

	if (said && *said)
		return g_canonicalize_filename(said, NULL);
	if (!dladdr((void *)guest_init_path, &info) || !strchr(info.dli_fname, '/'))
		return g_strdup(INIT);
	directory = g_path_get_dirname(info.dli_fname);
	for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
		g_autofree char *path = g_build_filename(directory, places[i], INIT, NULL);

		if (access(path, X_OK) == 0)
			return g_canonicalize_filename(path, NULL);
	}
	return g_build_filename(directory, INIT, NULL);
}
