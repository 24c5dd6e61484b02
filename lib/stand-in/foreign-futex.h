/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Futexes of the foreign program. Those of one process are known by their addresses, those in
 * memory that processes share by where that is from.
 */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_FUTEX_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_FUTEX_H

#include <stdint.h>

/* futex(2). */
long foreign_futex_call(void);

/* Wakes threads that wait for the word, of any process that shares it. */
void foreign_futex_wake(uint64_t at, uint32_t most);

/* Before the first process is made: memory that all of them share. 0, or -errno. */
int foreign_futex_setup(void);
/* In a new process: none of its threads waits. */
void foreign_futex_begin_process(void);

#endif
