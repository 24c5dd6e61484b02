/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The signal of a timer, and its overruns.
 *
 * As POSIX has it, a timer has one signal on its way at most. An expiry before that has been
 * accepted is counted, and sends none: timer_getoverrun(3) and si_overrun say how many there were.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_TIMER_SIGNALS_H
#define UMADRIG_LIB_LOCKSTEP_TIMER_SIGNALS_H

#include "lib/lockstep/table.h"

/*
 * The timer has expired: its process, or the thread 'tid' of it, gets the signal 'addr', or one
 * more overrun. Any thread of the session that has the turn may call it.
 */
void timer_signals_expire(struct lockstep_slot *timer);

/*
 * Of a timer of this process: the expiries that were counted between the sending of the signal
 * that came last and its acceptance, at most DELAYTIMER_MAX.
 */
int timer_signals_overrun(const struct lockstep_slot *timer);

/* The timer has been set: what it had counted is of another time. */
void timer_signals_reset(struct lockstep_slot *timer);

#endif
