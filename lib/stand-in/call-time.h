/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Calls that tell the time, or wait for it; timers. */
#ifndef UMADRIG_LIB_STAND_IN_CALL_TIME_H
#define UMADRIG_LIB_STAND_IN_CALL_TIME_H

long call_time_clock_gettime(void);
long call_time_gettimeofday(void);
long call_time_time(void);
long call_time_times(void);
long call_time_ticks(void);	/* CALL_TICKS: the processor's clock, at 1 GHz */
long call_time_clock_settime(void);
long call_time_settimeofday(void);
long call_time_clock_adjtime(void);
long call_time_adjtimex(void);
long call_time_nanosleep(void);
long call_time_clock_nanosleep(void);
long call_time_sched_yield(void);

long call_time_alarm(void);
long call_time_setitimer(void);
long call_time_getitimer(void);
long call_time_timerfd_create(void);
long call_time_timerfd_settime(void);
long call_time_timerfd_gettime(void);
long call_time_timer_create(void);
long call_time_timer_settime(void);
long call_time_timer_gettime(void);
long call_time_timer_delete(void);
long call_time_timer_getoverrun(void);
/* Another program has begun, which has none of timer_create(2). */
void call_time_end_timers(void);

#endif
