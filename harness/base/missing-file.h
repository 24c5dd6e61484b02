/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files that are not there.
 */
#ifndef UMADRIG_HARNESS_BASE_MISSING_FILE_H
#define UMADRIG_HARNESS_BASE_MISSING_FILE_H

/*
 * Says in one line why the file 'path' cannot be read, which failed with the errno 'err'; if it is
 * not there, what file beside it comes close, or which others of its kind (by the end of its name)
 * there are. 'path' is shown as it is. To be freed with g_free().
 */
char *file_missing(const char *path, int err);

#endif
