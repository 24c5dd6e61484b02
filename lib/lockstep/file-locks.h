/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Locks on files: flock(2), fcntl(2) with F_SETLKW and F_OFD_SETLKW, and lockf(3), which is that in
 * libc.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_FILE_LOCKS_H
#define UMADRIG_LIB_LOCKSTEP_FILE_LOCKS_H

#include "lib/lockstep/hooks.h"

extern const struct hook file_locks_hooks[];

#endif
