/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Mutexes and read-write locks: see lib/lockstep/locks.h. */
#include <errno.h>
#include <stdint.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/locks.h"
#include "lib/lockstep/looks.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/shared.h"
#include "lib/lockstep/turn.h"

/* ---- mutexes ---- */

NEXT_DECLARE(pthread_mutex_trylock);
NEXT_DECLARE(pthread_mutex_unlock);

/* glibc's bit, PTHREAD_MUTEX_PSHARED_BIT: there is no call that tells. */
static bool mutex_is_shared(const pthread_mutex_t *mutex)
{
	return mutex->__data.__kind & 128;
}

/* What a try has returned. */
static int tried(int r)
{
	if (r == 0 || r == EBUSY)
		looks_tried(r == 0);
	return r;
}

PUBLIC int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	return tried(NEXT(pthread_mutex_trylock)(mutex));
}

SESSION_NO_REGISTERS int locks_lock_until(pthread_mutex_t *mutex, int64_t deadline)
{
	bool is_shared = mutex_is_shared(mutex);
	int r;

	while ((r = NEXT(pthread_mutex_trylock)(mutex)) == EBUSY) {
		if (turn_wait(LOCKSTEP_MUTEX, shared_name(mutex, is_shared), deadline) ==
		    TURN_TIMED_OUT)
			return ETIMEDOUT;
	}
	return r;
}

int locks_lock(pthread_mutex_t *mutex)
{
	return locks_lock_until(mutex, LOCKSTEP_NEVER);
}

SESSION_NO_REGISTERS int locks_unlock(pthread_mutex_t *mutex)
{
	/* Whoever gets it next may free it. */
	bool is_shared = mutex_is_shared(mutex);
	int r = NEXT(pthread_mutex_unlock)(mutex);

	turn_wake(LOCKSTEP_MUTEX, shared_name_to_wake(LOCKSTEP_MUTEX, mutex, is_shared), false);
	return r;
}

NEXT_DECLARE(pthread_mutex_lock);
PUBLIC int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	return session_is_on() ? locks_lock(mutex) : NEXT(pthread_mutex_lock)(mutex);
}

NEXT_DECLARE(pthread_mutex_timedlock);
PUBLIC int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex,
				   const struct timespec *restrict until)
{
	return session_is_on() ? locks_lock_until(mutex, clocks_deadline(CLOCK_REALTIME, until)) :
				 NEXT(pthread_mutex_timedlock)(mutex, until);
}

NEXT_DECLARE(pthread_mutex_clocklock);
PUBLIC int pthread_mutex_clocklock(pthread_mutex_t *restrict mutex, clockid_t id,
				   const struct timespec *restrict until)
{
	return session_is_on() ? locks_lock_until(mutex, clocks_deadline(id, until)) :
				 NEXT(pthread_mutex_clocklock)(mutex, id, until);
}

PUBLIC int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	int r;

	if (!session_is_on())
		return NEXT(pthread_mutex_unlock)(mutex);
	r = locks_unlock(mutex);
	turn_perhaps_yield();
	return r;
}

/* ---- read-write locks ---- */

typedef int try_fn(pthread_rwlock_t *lock);

SESSION_NO_REGISTERS static int acquire(try_fn *try, pthread_rwlock_t *lock, int64_t deadline)
{
	bool is_shared = lock->__data.__shared;
	int r;

	while ((r = try(lock)) == EBUSY) {
		if (turn_wait(LOCKSTEP_RWLOCK, shared_name(lock, is_shared), deadline) ==
		    TURN_TIMED_OUT)
			return ETIMEDOUT;
	}
	return r;
}

NEXT_DECLARE(pthread_rwlock_tryrdlock);
NEXT_DECLARE(pthread_rwlock_trywrlock);

PUBLIC int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
	return tried(NEXT(pthread_rwlock_tryrdlock)(lock));
}

PUBLIC int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
	return tried(NEXT(pthread_rwlock_trywrlock)(lock));
}

NEXT_DECLARE(pthread_rwlock_rdlock);
PUBLIC int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	return session_is_on() ? acquire(NEXT(pthread_rwlock_tryrdlock), lock, LOCKSTEP_NEVER) :
				 NEXT(pthread_rwlock_rdlock)(lock);
}

NEXT_DECLARE(pthread_rwlock_wrlock);
PUBLIC int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	return session_is_on() ? acquire(NEXT(pthread_rwlock_trywrlock), lock, LOCKSTEP_NEVER) :
				 NEXT(pthread_rwlock_wrlock)(lock);
}

NEXT_DECLARE(pthread_rwlock_timedrdlock);
PUBLIC int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock,
				      const struct timespec *restrict until)
{
	return session_is_on() ? acquire(NEXT(pthread_rwlock_tryrdlock), lock,
					 clocks_deadline(CLOCK_REALTIME, until)) :
				 NEXT(pthread_rwlock_timedrdlock)(lock, until);
}

NEXT_DECLARE(pthread_rwlock_timedwrlock);
PUBLIC int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock,
				      const struct timespec *restrict until)
{
	return session_is_on() ? acquire(NEXT(pthread_rwlock_trywrlock), lock,
					 clocks_deadline(CLOCK_REALTIME, until)) :
				 NEXT(pthread_rwlock_timedwrlock)(lock, until);
}

NEXT_DECLARE(pthread_rwlock_unlock);
PUBLIC int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	bool is_shared = lock->__data.__shared;
	int r = NEXT(pthread_rwlock_unlock)(lock);

	if (session_is_on()) {
		turn_wake(LOCKSTEP_RWLOCK, shared_name_to_wake(LOCKSTEP_RWLOCK, lock, is_shared),
			  true);
		turn_perhaps_yield();
	}
	return r;
}
