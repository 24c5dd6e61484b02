/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The memory of the program that made a call. 'at' is an address of thread 'tid'.
 *
 * All return 0, or -EFAULT: not all of it is mapped; -EPERM: the program may not be looked into
 * (PR_SET_DUMPABLE, Yama); -ESRCH: it has gone. What is there may decide how long that takes:
 * meanwhile another thread may have the turn (harness/filter/supervisor-turn.h).
 */
#ifndef UMADRIG_HARNESS_FILTER_MEMORY_H
#define UMADRIG_HARNESS_FILTER_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

int memory_read(pid_t tid, uint64_t at, void *to, size_t size);
/* Mind that a part may have been written when it returns -EFAULT. */
int memory_write(pid_t tid, uint64_t at, const void *from, size_t size);
/*
 * A terminated text, as the kernel reads paths; -ENAMETOOLONG: it has no end within 'room' bytes.
 */
int memory_read_text(pid_t tid, uint64_t at, char *to, size_t room);

#endif
