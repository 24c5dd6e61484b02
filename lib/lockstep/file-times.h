/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Times of files. The kernel keeps the real ones, for programs that come after the session; what
 * its own programs see is virtual:
 *
 * - of a file that they have made or written, when they did, or what they have set. The table
 *   knows it by device and inode;
 * - of what else has changed since the session's start, by means that nobody notes, that start;
 * - of older files the real time; what of it is later than a day before the virtual start lies in
 *   that day, in its order, so that nothing is of the future.
 *
 * Time stands still while programs run, but a change that comes after a look has to be seen by
 * make(1), which asks what is newer: so a change is 1 ns later than the one before if a program has
 * looked, by name, at a file of that one, as with Linux' multigrain timestamps. The real-time clock
 * goes with it, so that no file is of the future.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_FILE_TIMES_H
#define UMADRIG_LIB_LOCKSTEP_FILE_TIMES_H

#include <stdbool.h>
#include <time.h>

#include "lib/lockstep/hooks.h"

/* To be called by each program; the first one has what changes from now on be the session's. */
void file_times_begin(void);

/* The caller has changed what 'fd' is of; if that is no regular file, it does not matter. */
void file_times_changed(int fd);

/* The same of a path, in the way of fstatat(2). */
void file_times_path_changed(const char *path, int flags);

/* Is it a FIFO that a program of the session has made? */
bool file_times_is_own_fifo(int at, const char *path);

extern const struct hook file_times_hooks[];

#endif
