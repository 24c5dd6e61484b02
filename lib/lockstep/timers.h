/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Timers that send signals: slots that no thread has (LOCKSTEP_TIMER).
 */
#ifndef UMADRIG_LIB_LOCKSTEP_TIMERS_H
#define UMADRIG_LIB_LOCKSTEP_TIMERS_H

#include "lib/lockstep/hooks.h"

/* Of the timer of this process that siginfo_t or signalfd_siginfo names; 0 if there is none. */
int timers_overrun(int id);

extern const struct hook timers_hooks[];

#endif
