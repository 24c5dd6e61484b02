/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Timers that send signals: see lib/lockstep/timers.h.
 *
 * alarm(3) and setitimer(2) share one for each process; timer_create(2) makes others. A forked
 * child has none of its parent's; a program that is executed keeps the first.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/thread-signals.h"
#include "lib/lockstep/thread-timers.h"
#include "lib/lockstep/timer-signals.h"
#include "lib/lockstep/timers.h"
#include "lib/lockstep/turn.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static struct lockstep_slot *new_timer(int sig)
{
	struct lockstep_slot *slot = session_slot_new();

	if (!slot) {
		errno = EAGAIN;
		return NULL;
	}
	slot->kind = LOCKSTEP_TIMER;
	slot->addr = (uint64_t)sig;
	slot->state = LOCKSTEP_WAITING;
	return slot;
}

static void set_timer(struct lockstep_slot *timer, int64_t deadline, int64_t interval)
{
	timer->deadline = deadline;
	timer->interval = interval;
	timer->seq = ++lockstep->seq;
}

static int64_t time_left(const struct lockstep_slot *timer)
{
	return timer->deadline == LOCKSTEP_NEVER ? 0 : timer->deadline - lockstep->now;
}

/* ---- alarm and setitimer ---- */

static struct lockstep_slot *alarm_of_self(void)
{
	struct lockstep_slot *timer;

	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->state == LOCKSTEP_WAITING && slot->kind == LOCKSTEP_TIMER &&
		    slot->pid == lockstep_self->pid && slot->is_alarm)
			return slot;
	}
	timer = new_timer(SIGALRM);
	if (timer)
		timer->is_alarm = 1;
	return timer;
}

static int64_t timeval_ns(const struct timeval *tv)
{
	struct timespec ts = { tv->tv_sec, tv->tv_usec * 1000 };

	return clocks_ns(&ts);
}

static struct timeval timeval_of(int64_t ns)
{
	return (struct timeval){ ns / NS_PER_SECOND, ns % NS_PER_SECOND / 1000 };
}

static void get_timer(const struct lockstep_slot *timer, struct itimerval *ret)
{
	ret->it_interval = timeval_of(timer->interval);
	ret->it_value = timeval_of(time_left(timer));
}

static int hooked_setitimer(int which, const struct itimerval *new, struct itimerval *old)
{
	struct lockstep_slot *timer;
	int64_t value;

	if (!session_is_on() || which != ITIMER_REAL)
		return (int)call_result(CALL_3(SYS_setitimer, which, new, old));
	timer = alarm_of_self();
	if (!timer)
		return -1;
	if (old)
		get_timer(timer, old);
	if (!new)
		return 0;
	value = timeval_ns(&new->it_value);
	set_timer(timer, value > 0 ? turn_after(value) : LOCKSTEP_NEVER,
		  timeval_ns(&new->it_interval));
	return 0;
}

static int hooked_getitimer(int which, struct itimerval *ret)
{
	const struct lockstep_slot *timer;

	if (!session_is_on() || which != ITIMER_REAL)
		return (int)call_result(CALL_2(SYS_getitimer, which, ret));
	timer = alarm_of_self();
	if (!timer)
		return -1;
	get_timer(timer, ret);
	return 0;
}

static unsigned int hooked_alarm(unsigned int seconds)
{
	struct itimerval new = { .it_value.tv_sec = seconds }, old = { .it_value.tv_sec = 0 };

	if (hooked_setitimer(ITIMER_REAL, &new, &old) < 0)
		return 0;
	return (unsigned int)old.it_value.tv_sec + (old.it_value.tv_usec > 0);
}

/* ---- timer_create ---- */

/* 0: it sends none. */
static int signal_of(const struct sigevent *event)
{
	if (!event)
		return SIGALRM;
	return event->sigev_notify == SIGEV_NONE ? 0 : event->sigev_signo;
}

static bool is_valid(const struct sigevent *event)
{
	if (!event || event->sigev_notify == SIGEV_NONE)
		return true;
	if (event->sigev_signo <= 0 || event->sigev_signo > 64)
		return false;
	return event->sigev_notify == SIGEV_SIGNAL ||
	       (event->sigev_notify == SIGEV_THREAD_ID &&
		thread_signals_find(event->sigev_notify_thread_id));
}

NEXT_DECLARE(timer_create);
PUBLIC int timer_create(clockid_t id, struct sigevent *restrict event, timer_t *restrict ret)
{
	const struct lockstep_slot *thread = NULL;
	struct lockstep_slot *timer;

	if (!session_is_on())
		return NEXT(timer_create)(id, event, ret);
	if (event && event->sigev_notify == SIGEV_THREAD)
		return thread_timers_create(event, ret);
	if (!is_valid(event)) {
		errno = EINVAL;
		return -1;
	}
	if (event && event->sigev_notify == SIGEV_THREAD_ID)
		thread = thread_signals_find(event->sigev_notify_thread_id);
	timer = new_timer(signal_of(event));
	if (!timer)
		return -1;
	timer->tid = thread ? thread->tid : 0;
	*ret = (timer_t)(uintptr_t)(timer - lockstep->slot + 1);
	timer->silent = LOCKSTEP_NEVER;
	timer->value = event ? (uintptr_t)event->sigev_value.sival_ptr : (uintptr_t)*ret;
	return 0;
}

static struct lockstep_slot *timer_of(timer_t timer)
{
	return &lockstep->slot[(uintptr_t)timer - 1];
}

/* One that sends nothing is not waited for, so its next time is reckoned when it is asked for. */
static int64_t deadline_of(struct lockstep_slot *timer)
{
	if (timer->addr)
		return timer->deadline;
	if (timer->silent <= lockstep->now) {
		int64_t periods = timer->interval > 0 ?
			(lockstep->now - timer->silent) / timer->interval + 1 : 0;

		timer->silent = periods > 0 ? timer->silent + periods * timer->interval :
					      LOCKSTEP_NEVER;
	}
	return timer->silent;
}

static struct itimerspec spec_of(timer_t id)
{
	const struct thread_timer *thread = thread_timers_of(id);
	int64_t deadline = thread ? thread->deadline : deadline_of(timer_of(id));

	return (struct itimerspec){
		clocks_timespec(thread ? thread->interval : timer_of(id)->interval),
		clocks_timespec(deadline == LOCKSTEP_NEVER ? 0 : deadline - lockstep->now),
	};
}

NEXT_DECLARE(timer_settime);
PUBLIC int timer_settime(timer_t id, int flags, const struct itimerspec *restrict new,
			 struct itimerspec *restrict old)
{
	struct thread_timer *thread;
	int64_t value, deadline;

	if (!session_is_on())
		return NEXT(timer_settime)(id, flags, new, old);
	if (old)
		*old = spec_of(id);
	value = clocks_ns(&new->it_value);
	deadline = value == 0 ? LOCKSTEP_NEVER : flags & TIMER_ABSTIME ?
		   clocks_any_deadline(&new->it_value) : turn_after(value);
	thread = thread_timers_of(id);
	if (!thread && timer_of(id)->addr == 0) {
		timer_of(id)->silent = deadline;
		timer_of(id)->interval = clocks_ns(&new->it_interval);
		return 0;
	}
	if (!thread) {
		timer_signals_reset(timer_of(id));
		set_timer(timer_of(id), deadline, clocks_ns(&new->it_interval));
		return 0;
	}
	thread->deadline = deadline;
	thread->interval = clocks_ns(&new->it_interval);
	thread_timers_changed(thread);
	return 0;
}

NEXT_DECLARE(timer_gettime);
PUBLIC int timer_gettime(timer_t id, struct itimerspec *ret)
{
	if (!session_is_on())
		return NEXT(timer_gettime)(id, ret);
	*ret = spec_of(id);
	return 0;
}

/* With a thread or nothing in place of a signal none is counted: each expiry is told, or none. */
NEXT_DECLARE(timer_getoverrun);
PUBLIC int timer_getoverrun(timer_t id)
{
	if (!session_is_on())
		return NEXT(timer_getoverrun)(id);
	if (thread_timers_of(id) || timer_of(id)->addr == 0)
		return 0;
	return timer_signals_overrun(timer_of(id));
}

int timers_overrun(int id)
{
	const struct lockstep_slot *timer;

	if (id <= 0 || (uint32_t)id > lockstep->count)
		return 0;
	timer = timer_of((timer_t)(uintptr_t)id);
	return timer->kind == LOCKSTEP_TIMER && timer->pid == lockstep_self->pid ?
		       timer_signals_overrun(timer) : 0;
}

NEXT_DECLARE(timer_delete);
PUBLIC int timer_delete(timer_t id)
{
	struct thread_timer *thread;

	if (!session_is_on())
		return NEXT(timer_delete)(id);
	thread = thread_timers_of(id);
	if (thread)
		thread_timers_delete(thread);
	else
		timer_of(id)->state = LOCKSTEP_FREE;
	return 0;
}

const struct hook timers_hooks[] = {
	{ "setitimer", hooked_setitimer },
	{ "getitimer", hooked_getitimer },
	{ "alarm", hooked_alarm },
	{ NULL, NULL },
};
