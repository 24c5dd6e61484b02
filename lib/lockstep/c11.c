/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Threads, mutexes and condition variables of C11. glibc's are those of POSIX by other names, and
 * call them directly.
 */
#include <errno.h>
#include <threads.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/conditions.h"
#include "lib/lockstep/dispatch.h"
#include "lib/lockstep/locks.h"
#include "lib/lockstep/looks.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/threads.h"
#include "lib/lockstep/turn.h"

static int thrd_result(int err)
{
	switch (err) {
	case 0:
		return thrd_success;
	case ENOMEM:
		return thrd_nomem;
	case ETIMEDOUT:
		return thrd_timedout;
	case EBUSY:
		return thrd_busy;
	}
	return thrd_error;
}

/* ---- threads ---- */

NEXT_DECLARE(thrd_create);
PUBLIC int thrd_create(thrd_t *ret, thrd_start_t run, void *argument)
{
	const struct threads_work work = { .run_c11 = run, .argument = argument };

	return session_is_on() ? thrd_result(threads_create(ret, NULL, &work)) :
				 NEXT(thrd_create)(ret, run, argument);
}

NEXT_DECLARE(thrd_join);
PUBLIC int thrd_join(thrd_t thread, int *ret)
{
	bool was_on;
	int r;

	if (session_is_on() && !pthread_equal(thread, pthread_self()))
		threads_wait(thread, LOCKSTEP_NEVER);
	was_on = dispatch_pause();
	r = NEXT(thrd_join)(thread, ret);
	dispatch_resume(was_on);
	return r;
}

/* ---- mutexes ---- */

NEXT_DECLARE(mtx_lock);
PUBLIC int mtx_lock(mtx_t *mutex)
{
	return session_is_on() ? thrd_result(locks_lock((pthread_mutex_t *)mutex)) :
				 NEXT(mtx_lock)(mutex);
}

NEXT_DECLARE(mtx_timedlock);
PUBLIC int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until)
{
	if (!session_is_on())
		return NEXT(mtx_timedlock)(mutex, until);
	return thrd_result(locks_lock_until((pthread_mutex_t *)mutex,
					    clocks_deadline(CLOCK_REALTIME, until)));
}

NEXT_DECLARE(mtx_trylock);
PUBLIC int mtx_trylock(mtx_t *mutex)
{
	int r = NEXT(mtx_trylock)(mutex);

	if (r == thrd_success || r == thrd_busy)
		looks_tried(r == thrd_success);
	return r;
}

NEXT_DECLARE(mtx_unlock);
PUBLIC int mtx_unlock(mtx_t *mutex)
{
	int r;

	if (!session_is_on())
		return NEXT(mtx_unlock)(mutex);
	r = locks_unlock((pthread_mutex_t *)mutex);
	turn_perhaps_yield();
	return thrd_result(r);
}

/* ---- condition variables ---- */

NEXT_DECLARE(cnd_wait);
PUBLIC int cnd_wait(cnd_t *cond, mtx_t *mutex)
{
	if (!session_is_on())
		return NEXT(cnd_wait)(cond, mutex);
	return thrd_result(conditions_wait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex,
					   LOCKSTEP_NEVER));
}

NEXT_DECLARE(cnd_timedwait);
PUBLIC int cnd_timedwait(cnd_t *restrict cond, mtx_t *restrict mutex,
			 const struct timespec *restrict until)
{
	if (!session_is_on())
		return NEXT(cnd_timedwait)(cond, mutex, until);
	return thrd_result(conditions_wait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex,
					   clocks_deadline(CLOCK_REALTIME, until)));
}

NEXT_DECLARE(cnd_signal);
PUBLIC int cnd_signal(cnd_t *cond)
{
	if (!session_is_on())
		return NEXT(cnd_signal)(cond);
	conditions_wake((pthread_cond_t *)cond, false);
	return thrd_success;
}

NEXT_DECLARE(cnd_broadcast);
PUBLIC int cnd_broadcast(cnd_t *cond)
{
	if (!session_is_on())
		return NEXT(cnd_broadcast)(cond);
	conditions_wake((pthread_cond_t *)cond, true);
	return thrd_success;
}
