/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Semaphores: the real ones, which are tried only. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/looks.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/shared.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/turn.h"

/* glibc's struct new_sem: the value, as 64 bits, and this flag. There is no call that tells. */
static bool is_shared(const sem_t *sem)
{
	return ((const uint32_t *)(const void *)sem)[2] != 0;
}

NEXT_DECLARE(sem_trywait);
PUBLIC int sem_trywait(sem_t *sem)
{
	int r = NEXT(sem_trywait)(sem);

	if (r == 0 || errno == EAGAIN)
		looks_tried(r == 0);
	return r;
}

static int take_until(sem_t *sem, int64_t deadline)
{
	while (NEXT(sem_trywait)(sem) < 0) {
		enum turn_end end;

		if (errno != EAGAIN)
			return -1;
		end = turn_wait(LOCKSTEP_SEMAPHORE, shared_name(sem, is_shared(sem)), deadline);
		pthread_testcancel();
		if (end == TURN_TIMED_OUT)
			return (int)call_result(-ETIMEDOUT);
		if (end == TURN_INTERRUPTED)
			return (int)call_result(-EINTR);
	}
	return 0;
}

NEXT_DECLARE(sem_wait);
PUBLIC int sem_wait(sem_t *sem)
{
	return session_is_on() ? take_until(sem, LOCKSTEP_NEVER) : NEXT(sem_wait)(sem);
}

NEXT_DECLARE(sem_timedwait);
PUBLIC int sem_timedwait(sem_t *restrict sem, const struct timespec *restrict until)
{
	return session_is_on() ? take_until(sem, clocks_deadline(CLOCK_REALTIME, until)) :
				 NEXT(sem_timedwait)(sem, until);
}

NEXT_DECLARE(sem_clockwait);
PUBLIC int sem_clockwait(sem_t *restrict sem, clockid_t id, const struct timespec *restrict until)
{
	return session_is_on() ? take_until(sem, clocks_deadline(id, until)) :
				 NEXT(sem_clockwait)(sem, id, until);
}

NEXT_DECLARE(sem_post);
PUBLIC int sem_post(sem_t *sem)
{
	bool shared = is_shared(sem);	/* whoever takes it may free it */
	int r = NEXT(sem_post)(sem);

	if (session_is_on())
		turn_wake(LOCKSTEP_SEMAPHORE, shared_name_to_wake(LOCKSTEP_SEMAPHORE, sem, shared),
			  false);
	return r;
}
