/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Spin locks. The thread that has one may wait for something else, and processes may share it,
 * which no bit of it tells: who wants it looks at it, and lets others in after each look.
 */
#include <pthread.h>

#include "lib/lockstep/looks.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/turn.h"

NEXT_DECLARE(pthread_spin_trylock);
PUBLIC int pthread_spin_trylock(pthread_spinlock_t *lock)
{
	int r = NEXT(pthread_spin_trylock)(lock);

	looks_tried(r == 0);
	return r;
}

NEXT_DECLARE(pthread_spin_lock);
PUBLIC int pthread_spin_lock(pthread_spinlock_t *lock)
{
	if (!session_is_on())
		return NEXT(pthread_spin_lock)(lock);
	while (NEXT(pthread_spin_trylock)(lock) != 0) {
		looks_tried(false);
		turn_yield();
	}
	look_row_end();
	return 0;
}
