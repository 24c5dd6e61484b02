/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The files of umadrig's own that a kernel is built with (kmod-stub/linux/), and the identity of
 * what is built.
 */
#ifndef UMADRIG_HARNESS_KERNEL_KERNEL_FILES_H
#define UMADRIG_HARNESS_KERNEL_KERNEL_FILES_H

#include <glib.h>

/*
 * The directory in which "kmod-stub/linux/" is: what UMADRIG_KERNEL_FILES names, or that of the
 * build tree that this program is in, or the installed one. To be freed. NULL with an error of
 * COMMAND_ERROR: it is not there.
 */
char *kernel_files_directory(GError **error);

/*
 * A hash of these files and of those of 'tree' that a kernel is made of; KERNEL_IDENTITY_SIZE
 * hexadecimal digits, to be freed. The order in which directories are read does not matter.
 */
char *kernel_files_identity(const char *directory, const char *tree);

/*
 * Where objects of these files are kept, which are the same for all trees: a directory of the
 * cache, for what the files are now. To be freed.
 */
char *kernel_objects_path(const char *directory);
/* Removes all that are kept. */
void kernel_objects_remove(void);

#endif
