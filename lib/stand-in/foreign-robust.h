/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Robust locks (get_robust_list(2)). Their words have the numbers of threads that the program
 * knows, which are not the kernel's. So the lock of a thread that ends is marked here, and the next
 * one has it with EOWNERDEAD. (Of a process that is killed the memory is gone by then.)
 */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_ROBUST_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_ROBUST_H

#include "lib/stand-in/foreign-process.h"

long foreign_robust_set_list(void);	/* set_robust_list(2) */
/* The thread ends, before its memory does. */
void foreign_robust_end(struct foreign_task *task);
/* All threads of the process do. */
void foreign_robust_end_all(void);

#endif
