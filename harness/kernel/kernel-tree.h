/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The sources of a kernel, as their user has them: a tree, an archive, or a package of Debian's.
 * Nothing in them is changed.
 */
#ifndef UMADRIG_HARNESS_KERNEL_KERNEL_TREE_H
#define UMADRIG_HARNESS_KERNEL_KERNEL_TREE_H

#include <glib.h>
#include <stdbool.h>

#define KERNEL_TREE_CORE "drivers/infiniband/core"
/* What compiles them, in kernel_files_directory(). */
#define KERNEL_BUILD_SCRIPT "kmod-stub/linux/build"

struct kernel_tree {
	char *directory;	/* the top of the tree, or of what was unpacked of it */
	char *release;		/* "6.1.192", "7.3.0-rc2": of its Makefile */
	bool is_unpacked;	/* the directory is ours, and goes with the struct */
	char *archive;		/* what it was unpacked from, a tar file or a .deb; NULL */
};

/*
 * 'source' is a directory; a tar file (compressed as tar(1) knows it); a .deb file that has one; or
 * the name of a package that is installed, such as "linux-source-6.1". Of an archive only what a
 * build reads is unpacked, below TMPDIR. NULL with an error of COMMAND_ERROR that names what is
 * missing, and the cure.
 */
struct kernel_tree *kernel_tree_open(const char *source, GError **error);
/* NULL is allowed. */
void kernel_tree_free(struct kernel_tree *tree);

/* The files of it that are compiled, from the first on; NULL behind the last. */
const char *kernel_tree_file(unsigned int at);

/* The folders of it that these files include headers of, and which; likewise. */
const char *kernel_tree_folder(unsigned int at, const char **ret_pattern);

#endif
