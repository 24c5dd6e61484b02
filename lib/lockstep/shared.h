/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Locks in memory that processes share have another address in each. What a thread waits for there
 * is named by file and offset, as the kernel names its futexes: lockstep_is_shared().
 */
#ifndef UMADRIG_LIB_LOCKSTEP_SHARED_H
#define UMADRIG_LIB_LOCKSTEP_SHARED_H

#include "lib/lockstep/lockstep-session.h"

/* What a thread that waits for 'at' calls it. Its address, where the memory is not shared. */
uint64_t shared_name(const void *at, bool is_shared);
/* The same of another process, whose memory map is the file 'maps' of /proc. */
uint64_t shared_name_in(const char *maps, uint64_t at);

/*
 * The same for a thread that wakes: without a look at the memory, if no thread waits for a lock of
 * this kind in shared memory.
 */
uint64_t shared_name_to_wake(enum lockstep_kind kind, const void *at, bool is_shared);

#endif
