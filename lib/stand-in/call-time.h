/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Calls that tell the time, or wait for it; timers. */
#ifndef UMADRIG_LIB_STAND_IN_CALL_TIME_H
#define UMADRIG_LIB_STAND_IN_CALL_TIME_H

void call_time_clock_gettime(void);
void call_time_gettimeofday(void);
void call_time_time(void);
void call_time_times(void);
void call_time_ticks(void);	/* CALL_TICKS: the processor's clock, at 1 GHz */
void call_time_clock_settime(void);
void call_time_settimeofday(void);
void call_time_clock_adjtime(void);
void call_time_adjtimex(void);
void call_time_nanosleep(void);
void call_time_clock_nanosleep(void);
void call_time_sched_yield(void);

void call_time_alarm(void);
void call_time_setitimer(void);
void call_time_getitimer(void);
void call_time_timerfd_create(void);
void call_time_timerfd_settime(void);
void call_time_timerfd_gettime(void);
void call_time_timer_create(void);
void call_time_timer_settime(void);
void call_time_timer_gettime(void);
void call_time_timer_delete(void);
void call_time_timer_getoverrun(void);

#endif
