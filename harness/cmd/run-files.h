/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which scripts a command line names.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_FILES_H
#define UMADRIG_HARNESS_CMD_RUN_FILES_H

#include <glib.h>

/*
 * The files of 'args' (NULL-terminated): files as they are, directories with every *.mad in them
 * and below, sorted. GPtrArray of char *, to be unref'd; NULL with a message (g_malloc'd) where a
 * name is wrong or a directory has no script.
 */
GPtrArray *run_files_find(char **args, char **reterr);

#endif
