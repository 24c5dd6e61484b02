/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The end of foreign threads and processes: what stands for them ends after them, as they did. */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_END_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_END_H

#include <stdbool.h>

/* exit(2) of a thread, exit_group(2) and so of all. */
long foreign_end_exit(void);
long foreign_end_exit_group(void);

/* The foreign process has ended, or is about to: this one ends in the same way. */
void foreign_end_process(void) __attribute__((noreturn));

/* Has the foreign process ended? */
bool foreign_end_has_come(void);

#endif
