/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Finds the scripts that a command line names.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_FILES_H
#define UMADRIG_HARNESS_CMD_RUN_FILES_H

#include <glib.h>

/*
 * The files that 'args' (NULL-terminated) name: files as they are; for a directory, every *.mad in
 * or below it, sorted, also below symbolic links but those that lead back. Returns a GPtrArray of
 * char *, to be unref'd, or NULL with a message (g_malloc'd) if a name is wrong, a directory has no
 * script, or one cannot be read.
 */
GPtrArray *run_files_find(char **args, char **reterr);

/*
 * The deepest directory that has everything that 'args' (NULL-terminated, at least one) name: a
 * directory that is named is its own. Free with g_free().
 */
char *run_files_root(char **args);

/* The path of a file from the root: what points' names call it. Free with g_free(). */
char *run_files_label(const char *root, const char *path);

#endif
