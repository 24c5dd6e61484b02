/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Timers that start threads: see lib/lockstep/thread-timers.h. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "lib/lockstep/delivery.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/thread-timers.h"
#include "lib/lockstep/threads.h"
#include "lib/lockstep/turn.h"

/* The numbers of these timers come after those that are slots. */
enum { TIMERS_MAX = 256, FIRST_NUMBER = LOCKSTEP_SLOTS + 1 };

static struct thread_timer timers[TIMERS_MAX];

/* ---- what expires ---- */

struct call {
	void (*function)(union sigval value);
	union sigval value;
};

/* In a thread of its own, which blocks no signals. */
static void *run_call(void *data)
{
	struct call call = *(struct call *)data;

	free(data);
	delivery_set(0);
	call.function(call.value);
	return NULL;
}

/* As in libc, one for which there is no room is lost. */
static void expire(struct thread_timer *timer)
{
	struct call *call = malloc(sizeof(*call));

	timer->deadline = timer->interval > 0 ? timer->deadline + timer->interval :
						LOCKSTEP_NEVER;
	if (!call)
		return;
	*call = (struct call){ timer->event.sigev_notify_function, timer->event.sigev_value };
	if (threads_start(run_call, call, timer->stack_size, timer->guard_size) != 0)
		free(call);
}

/* The thread that waits for a timer, with all signals blocked. */
static void *watch(void *data)
{
	struct thread_timer *timer = data;

	while (timer->event.sigev_notify_function) {
		if (timer->deadline <= lockstep->now)
			expire(timer);
		else
			turn_wait(LOCKSTEP_FUTEX, (uint64_t)(uintptr_t)timer, timer->deadline);
	}
	timer->pid = 0;
	return NULL;
}

/* ---- timers ---- */

static struct thread_timer *unused(void)
{
	for (size_t i = 0; i < TIMERS_MAX; i++) {
		if (timers[i].pid != lockstep_self->pid)	/* a fork has none */
			return &timers[i];
	}
	return NULL;
}

int thread_timers_create(const struct sigevent *event, timer_t *ret)
{
	struct thread_timer *timer = unused();
	uint64_t before;
	int err;

	if (!timer) {
		errno = EAGAIN;
		return -1;
	}
	*timer = (struct thread_timer){
		.pid = lockstep_self->pid, .deadline = LOCKSTEP_NEVER, .event = *event,
	};
	if (event->sigev_notify_attributes) {
		pthread_attr_getstacksize(event->sigev_notify_attributes, &timer->stack_size);
		pthread_attr_getguardsize(event->sigev_notify_attributes, &timer->guard_size);
	}
	before = delivery_block();
	err = threads_start(watch, timer, 0, 0);
	delivery_set(before);
	if (err) {
		timer->pid = 0;
		errno = EAGAIN;
		return -1;
	}
	*ret = (timer_t)(uintptr_t)(timer - timers + FIRST_NUMBER);
	return 0;
}

struct thread_timer *thread_timers_of(timer_t id)
{
	uintptr_t number = (uintptr_t)id;

	return number >= FIRST_NUMBER && number < FIRST_NUMBER + TIMERS_MAX ?
	       &timers[number - FIRST_NUMBER] : NULL;
}

void thread_timers_changed(struct thread_timer *timer)
{
	turn_wake(LOCKSTEP_FUTEX, (uint64_t)(uintptr_t)timer, true);
}

void thread_timers_delete(struct thread_timer *timer)
{
	timer->event.sigev_notify_function = NULL;
	thread_timers_changed(timer);
}
