/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Threads: see lib/lockstep/threads.h. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "lib/lockstep/baton.h"
#include "lib/lockstep/clocks.h"
#include "lib/lockstep/death.h"
#include "lib/lockstep/delivery.h"
#include "lib/lockstep/dispatch.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/threads.h"
#include "lib/lockstep/turn.h"

/* The threads of this process by their slots: an index into the table is one into these. */
static struct thread {
	bool is_known;
	pthread_t thread;
	struct threads_work work;
	uint64_t mask;		/* signals that it blocks at its start */
} threads[LOCKSTEP_SLOTS];

static pthread_key_t end_key;
static bool has_end_key;
static uint32_t last_ordinal;

/* ---- their end ---- */

static bool is_last(void)
{
	for (uint32_t i = 0; i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot != lockstep_self && slot->pid == lockstep_self->pid &&
		    lockstep_is_thread(slot))
			return false;
	}
	return true;
}

/*
 * Destructors of keys: other libraries' may wait, so this one has itself called again until the
 * last round. The last thread of a process goes on to exit().
 */
static void end_thread(void *data)
{
	intptr_t round = (intptr_t)data;

	if (!session_is_on())
		return;
	if (round < PTHREAD_DESTRUCTOR_ITERATIONS) {
		pthread_setspecific(end_key, (void *)(round + 1));
		return;
	}
	if (is_last())
		return;
	turn_wake(LOCKSTEP_THREAD, (uint64_t)(lockstep_self - lockstep->slot), true);
	/* It waits with signals blocked until the kernel has ended it. */
	delivery_block();
	death_of_thread();
}

void threads_know_first(void)
{
	threads[lockstep_self - lockstep->slot] = (struct thread){
		.is_known = true, .thread = pthread_self(),
	};
}

void threads_begin(void)
{
	threads_know_first();
	has_end_key = pthread_key_create(&end_key, end_thread) == 0;
	if (has_end_key)
		pthread_setspecific(end_key, (void *)1);
}

/* ---- their start ---- */

static void *start_thread(void *data)
{
	const struct thread *thread = data;
	struct thread own = *thread;

	lockstep_self = &lockstep->slot[thread - threads];
	turn_begin(own.mask);
	dispatch_begin();
	if (has_end_key)
		pthread_setspecific(end_key, (void *)1);
	if (own.work.run_c11)
		return (void *)(intptr_t)own.work.run_c11(own.work.argument);
	return own.work.run(own.work.argument);
}

NEXT_DECLARE(pthread_create);
int threads_create(pthread_t *ret, const pthread_attr_t *attr, const struct threads_work *work)
{
	struct lockstep_slot *slot = session_slot_new();
	struct thread *thread;
	uint64_t mask;
	bool was_on;
	int r;

	if (!slot)
		return EAGAIN;
	slot->ordinal = ++last_ordinal;
	slot->virtual_tid = LOCKSTEP_FIRST_TID + lockstep->threads++;
	mask = delivery_block();
	thread = &threads[slot - lockstep->slot];
	*thread = (struct thread){ .work = *work, .mask = mask };
	was_on = dispatch_pause();
	r = NEXT(pthread_create)(ret, attr, start_thread, thread);
	dispatch_resume(was_on);
	if (r == 0) {
		thread->thread = *ret;
		thread->is_known = true;
		baton_make_runnable(slot, LOCKSTEP_WOKEN);
	} else {
		slot->state = LOCKSTEP_FREE;
	}
	delivery_set(mask);
	return r;
}

PUBLIC int pthread_create(pthread_t *restrict ret, const pthread_attr_t *restrict attr,
			  void *(*run)(void *), void *restrict argument)
{
	const struct threads_work work = { .run = run, .argument = argument };

	return session_is_on() ? threads_create(ret, attr, &work) :
				 NEXT(pthread_create)(ret, attr, run, argument);
}

int threads_start(void *(*run)(void *), void *argument, size_t stack_size, size_t guard_size)
{
	const struct threads_work work = { .run = run, .argument = argument };
	pthread_attr_t attr;
	pthread_t thread;
	int err;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	if (stack_size)
		pthread_attr_setstacksize(&attr, stack_size);
	if (guard_size)
		pthread_attr_setguardsize(&attr, guard_size);
	err = threads_create(&thread, &attr, &work);
	pthread_attr_destroy(&attr);
	return err;
}

/* ---- waiting for their end ---- */

struct lockstep_slot *threads_slot_of(pthread_t thread)
{
	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->pid == lockstep_self->pid && lockstep_is_thread(slot) &&
		    threads[i].is_known && pthread_equal(threads[i].thread, thread))
			return slot;
	}
	return NULL;
}

bool threads_wait(pthread_t thread, int64_t deadline)
{
	struct lockstep_slot *slot;

	pthread_testcancel();
	while ((slot = threads_slot_of(thread))) {
		if (turn_wait(LOCKSTEP_THREAD, (uint64_t)(slot - lockstep->slot), deadline) ==
		    TURN_TIMED_OUT)
			return false;
		pthread_testcancel();
	}
	return true;
}

/* The kernel is about to end it, if it has not: the audit need not know of that wait. */
NEXT_DECLARE(pthread_join);
static int join(pthread_t thread, void **ret)
{
	bool was_on = dispatch_pause();
	int r = NEXT(pthread_join)(thread, ret);

	dispatch_resume(was_on);
	return r;
}

PUBLIC int pthread_join(pthread_t thread, void **ret)
{
	if (session_is_on() && !pthread_equal(thread, pthread_self()))
		threads_wait(thread, LOCKSTEP_NEVER);
	return join(thread, ret);
}

static int join_until(pthread_t thread, void **ret, int64_t deadline)
{
	if (!pthread_equal(thread, pthread_self()) && !threads_wait(thread, deadline))
		return ETIMEDOUT;
	return join(thread, ret);
}

NEXT_DECLARE(pthread_timedjoin_np);
PUBLIC int pthread_timedjoin_np(pthread_t thread, void **ret, const struct timespec *until)
{
	return session_is_on() && until ?
		       join_until(thread, ret, clocks_deadline(CLOCK_REALTIME, until)) :
		       NEXT(pthread_timedjoin_np)(thread, ret, until);
}

NEXT_DECLARE(pthread_clockjoin_np);
PUBLIC int pthread_clockjoin_np(pthread_t thread, void **ret, clockid_t id,
				const struct timespec *until)
{
	return session_is_on() && until ? join_until(thread, ret, clocks_deadline(id, until)) :
					  NEXT(pthread_clockjoin_np)(thread, ret, id, until);
}

/* ---- cancelling ---- */

NEXT_DECLARE(pthread_cancel);
PUBLIC int pthread_cancel(pthread_t thread)
{
	struct lockstep_slot *slot = session_is_on() ? threads_slot_of(thread) : NULL;
	int r = NEXT(pthread_cancel)(thread);

	if (r == 0 && slot && lockstep_waits(slot))
		baton_make_runnable(slot, LOCKSTEP_DELIVERY);
	return r;
}

/* Unwinding from anywhere would not wait for the turn. */
NEXT_DECLARE(pthread_setcanceltype);
PUBLIC int pthread_setcanceltype(int type, int *old)
{
	if (session_is_on())
		type = PTHREAD_CANCEL_DEFERRED;
	return NEXT(pthread_setcanceltype)(type, old);
}
