/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Waits until something changes that a run depends on.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_WATCH_H
#define UMADRIG_HARNESS_CMD_RUN_WATCH_H

#include <glib.h>
#include <stdbool.h>

struct run_watch;

/* NULL: an error in '*reterr' (g_malloc'd). To be freed with run_watch_free(). */
struct run_watch *run_watch_new(char **reterr);

/* From now on looks at a file, which may be made, replaced or removed. NULL is allowed. */
void run_watch_file(struct run_watch *watch, const char *path);
/* And at all scripts in or below a directory. */
void run_watch_directory(struct run_watch *watch, const char *path);

/*
 * Waits until one of them has changed since the last call, or the beginning, and for a moment no
 * other has. False: the files cannot be looked at any more.
 */
bool run_watch_wait(struct run_watch *watch);

/* NULL is allowed. */
void run_watch_free(struct run_watch *watch);

#endif
