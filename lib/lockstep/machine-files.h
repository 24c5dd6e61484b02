/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files that show the machine: random devices, and what of /proc tells time, load and chance. What
 * is read of them is the session's. The files are the kernel's: they are known by what they are
 * when they are read, so it does not matter how a program has opened them, or who has.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_MACHINE_FILES_H
#define UMADRIG_LIB_LOCKSTEP_MACHINE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "lib/lockstep/hooks.h"

/* Could it be one? By fstat(2), at the price of some comparisons. */
bool machine_files_may_be(const struct stat *st);

/*
 * read(2) of one that may be. True: *ret is what it returns, a number of bytes or -errno; false: it
 * is none, and to be read as it is.
 */
bool machine_files_read(int fd, const struct stat *st, void *bytes, size_t size, long *ret);

extern const struct hook machine_files_hooks[];

#endif
