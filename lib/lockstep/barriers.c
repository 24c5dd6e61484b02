/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Barriers. libc's cannot be tried without waiting, so these are our own, in the same memory:
 * nobody but these three calls looks into it.
 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>

#include "lib/lockstep/next.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/shared.h"
#include "lib/lockstep/turn.h"

struct barrier {
	uint32_t count;		/* of threads that it waits for */
	uint32_t arrived;	/* in this round */
	uint32_t leaving;	/* have been woken, and not gone on */
	uint32_t round;
	uint32_t is_shared;	/* between processes */
};

_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "it has to fit");

static struct barrier *own(pthread_barrier_t *barrier)
{
	return (struct barrier *)(void *)barrier;
}

NEXT_DECLARE(pthread_barrier_init);
PUBLIC int pthread_barrier_init(pthread_barrier_t *restrict barrier,
				const pthread_barrierattr_t *restrict attr, unsigned int count)
{
	int r = NEXT(pthread_barrier_init)(barrier, attr, count);

	if (r == 0 && session_is_on()) {
		int shared = PTHREAD_PROCESS_PRIVATE;

		if (attr)
			pthread_barrierattr_getpshared(attr, &shared);
		*own(barrier) = (struct barrier){
			.count = count, .is_shared = shared == PTHREAD_PROCESS_SHARED,
		};
	}
	return r;
}

static void await(const struct barrier *barrier, const uint32_t *what)
{
	turn_wait(LOCKSTEP_BARRIER, shared_name(what, barrier->is_shared), LOCKSTEP_NEVER);
}

static void wake(const struct barrier *barrier, const uint32_t *what)
{
	turn_wake(LOCKSTEP_BARRIER,
		  shared_name_to_wake(LOCKSTEP_BARRIER, what, barrier->is_shared), true);
}

/* No cancellation point. */
static int wait_at(struct barrier *barrier)
{
	uint32_t round = barrier->round;

	if (++barrier->arrived == barrier->count) {
		barrier->leaving = barrier->arrived - 1;
		barrier->arrived = 0;
		barrier->round++;
		wake(barrier, &barrier->round);
		turn_perhaps_yield();
		return PTHREAD_BARRIER_SERIAL_THREAD;
	}
	while (barrier->round == round)
		await(barrier, &barrier->round);
	if (--barrier->leaving == 0)
		wake(barrier, &barrier->leaving);
	return 0;
}

NEXT_DECLARE(pthread_barrier_wait);
PUBLIC int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	return session_is_on() ? wait_at(own(barrier)) : NEXT(pthread_barrier_wait)(barrier);
}

/* The first that comes out may destroy it: it waits for the others of the round. */
NEXT_DECLARE(pthread_barrier_destroy);
PUBLIC int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
	if (!session_is_on())
		return NEXT(pthread_barrier_destroy)(barrier);
	while (own(barrier)->leaving > 0)
		await(own(barrier), &own(barrier)->leaving);
	return 0;
}
