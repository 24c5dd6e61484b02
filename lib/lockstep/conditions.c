/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Condition variables: see lib/lockstep/conditions.h. */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/conditions.h"
#include "lib/lockstep/locks.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/shared.h"
#include "lib/lockstep/turn.h"

enum { WORDS = sizeof(pthread_cond_t) / sizeof(uint32_t) };

/* The word with glibc's __wrefs, which 2.41 has moved: the one that differs. */
static unsigned int find_flags(void)
{
	union {
		pthread_cond_t cond;
		uint32_t word[WORDS];
	} usual = { .word = { 0 } }, shared = { .word = { 0 } };
	pthread_condattr_t attr;
	unsigned int at = 0;

	pthread_condattr_init(&attr);
	pthread_condattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&usual.cond, NULL);
	pthread_cond_init(&shared.cond, &attr);
	while (at < WORDS - 1 && usual.word[at] == shared.word[at])
		at++;
	return at;
}

/* glibc's bit, __PTHREAD_COND_SHARED_MASK: there is no call that tells. */
static bool is_shared(const pthread_cond_t *cond)
{
	static unsigned int flags;	/* never the first word, which counts */
	uint32_t word;

	if (flags == 0)
		flags = find_flags();
	memcpy(&word, (const char *)cond + sizeof(word) * flags, sizeof(word));
	return word & 1;
}

static void lock_again(void *mutex)
{
	locks_lock(mutex);
}

/* No other thread comes between the unlock and the wait. A signal may wake it for no reason. */
int conditions_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, int64_t deadline)
{
	uint64_t name = shared_name(cond, is_shared(cond));
	enum turn_end end;

	pthread_testcancel();
	locks_unlock(mutex);
	lockstep_self->mutex = (uintptr_t)mutex;
	end = turn_wait(LOCKSTEP_CONDITION, name, deadline);
	lockstep_self->mutex = 0;
	pthread_cleanup_push(lock_again, mutex);
	pthread_testcancel();
	pthread_cleanup_pop(0);
	locks_lock(mutex);
	return end == TURN_TIMED_OUT ? ETIMEDOUT : 0;
}

void conditions_wake(pthread_cond_t *cond, bool all)
{
	uint64_t name = shared_name_to_wake(LOCKSTEP_CONDITION, cond, is_shared(cond));

	turn_wake(LOCKSTEP_CONDITION, name, all);
	turn_perhaps_yield();
}

NEXT_DECLARE(pthread_cond_wait);
PUBLIC int pthread_cond_wait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex)
{
	return session_is_on() ? conditions_wait(cond, mutex, LOCKSTEP_NEVER) :
				 NEXT(pthread_cond_wait)(cond, mutex);
}

NEXT_DECLARE(pthread_cond_timedwait);
PUBLIC int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
				  const struct timespec *restrict until)
{
	return session_is_on() ? conditions_wait(cond, mutex, clocks_any_deadline(until)) :
				 NEXT(pthread_cond_timedwait)(cond, mutex, until);
}

NEXT_DECLARE(pthread_cond_clockwait);
PUBLIC int pthread_cond_clockwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
				  clockid_t id, const struct timespec *restrict until)
{
	return session_is_on() ? conditions_wait(cond, mutex, clocks_deadline(id, until)) :
				 NEXT(pthread_cond_clockwait)(cond, mutex, id, until);
}

NEXT_DECLARE(pthread_cond_signal);
PUBLIC int pthread_cond_signal(pthread_cond_t *cond)
{
	if (!session_is_on())
		return NEXT(pthread_cond_signal)(cond);
	conditions_wake(cond, false);
	return 0;
}

NEXT_DECLARE(pthread_cond_broadcast);
PUBLIC int pthread_cond_broadcast(pthread_cond_t *cond)
{
	if (!session_is_on())
		return NEXT(pthread_cond_broadcast)(cond);
	conditions_wake(cond, true);
	return 0;
}
