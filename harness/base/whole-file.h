/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files that are there whole, or as they were before.
 */
#ifndef UMADRIG_HARNESS_BASE_WHOLE_FILE_H
#define UMADRIG_HARNESS_BASE_WHOLE_FILE_H

#include <glib.h>
#include <stdbool.h>

/*
 * Puts 'size' bytes in place of the file 'path', or makes it: they are written to a temporary file
 * beside it, which takes its name when it is complete and on the disk. A symbolic link stays one; a
 * file that is there keeps its mode, a new one has 'mode' less the umask. What is no regular file
 * (a pipe, a terminal) is written to as it is, and so is what standard output or standard error
 * goes to (/dev/stdout), behind what it has got already. False: an error in '*error', which names
 * the file.
 */
bool whole_file_write(const char *path, const char *bytes, gsize size, int mode, GError **error);

/*
 * Could whole_file_write() write a report to 'path', as things are now? NULL: yes. Otherwise why
 * not, to be freed: a program that takes long asks before it begins. A file that is there and has
 * the name of a script, a fabric or a capture is never replaced by a report.
 */
char *whole_file_refuse(const char *path);

#endif
