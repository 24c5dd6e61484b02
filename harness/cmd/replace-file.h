/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Puts another text in place of a file.
 */
#ifndef UMADRIG_HARNESS_CMD_REPLACE_FILE_H
#define UMADRIG_HARNESS_CMD_REPLACE_FILE_H

#include <glib.h>

/*
 * Writes 'size' bytes of 'text' in place of the file 'path', which is there in whole, old or new,
 * whatever happens. It keeps its mode; where 'path' is a link, what it leads to is replaced. An
 * exit status, COMMAND_FAILED after an error in the words of the command 'name'.
 */
int replace_file(const char *name, const char *path, const char *text, gsize size);

#endif
