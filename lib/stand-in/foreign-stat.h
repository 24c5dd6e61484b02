/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the kernel says of a foreign thread in its stat (proc(5)). */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_STAT_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_STAT_H

#include <stdbool.h>
#include <sys/types.h>

/* Has the thread of that number in the kernel ended, whether or not it was waited for? */
bool foreign_stat_has_ended(pid_t tid);

/* How the foreign process has ended, as wait(2) has it. */
int foreign_stat_status(void);

#endif
