/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What is initialised once: see lib/lockstep/once.h. */
#include <pthread.h>
#include <stdint.h>
#include <threads.h>

#include "lib/lockstep/next.h"
#include "lib/lockstep/once.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/turn.h"

/* One that is under way, on the stack of the thread that does it. */
struct under_way {
	const pthread_once_t *once;
	struct under_way *next;
};

static struct under_way *all;

void once_in_child(void)
{
	all = NULL;
}

static bool is_under_way(const pthread_once_t *once)
{
	for (const struct under_way *one = all; one; one = one->next) {
		if (one->once == once)
			return true;
	}
	return false;
}

/* It has come to its end, or its thread was cancelled: the next one does it. */
static void end(void *data)
{
	struct under_way *own = data, **at = &all;

	while (*at && *at != own)
		at = &(*at)->next;
	if (*at)
		*at = own->next;
	turn_wake(LOCKSTEP_FUTEX, (uintptr_t)own->once, true);
}

NEXT_DECLARE(pthread_once);
PUBLIC int pthread_once(pthread_once_t *once, void (*run)(void))
{
	struct under_way own = { .once = once };
	int r;

	if (!session_is_on())
		return NEXT(pthread_once)(once, run);
	while (is_under_way(once))
		turn_wait(LOCKSTEP_FUTEX, (uintptr_t)once, LOCKSTEP_NEVER);
	own.next = all;
	all = &own;
	pthread_cleanup_push(end, &own);
	r = NEXT(pthread_once)(once, run);
	pthread_cleanup_pop(1);
	return r;
}

NEXT_DECLARE(call_once);
PUBLIC void call_once(once_flag *once, void (*run)(void))
{
	if (session_is_on())
		pthread_once((pthread_once_t *)once, run);
	else
		NEXT(call_once)(once, run);
}
