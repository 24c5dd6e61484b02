/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/lockstep/futexes.h. */
#include <errno.h>
#include <linux/futex.h>
#include <stdint.h>
#include <time.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/futexes.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/looks.h"
#include "lib/lockstep/shared.h"
#include "lib/lockstep/turn.h"

static long futex_wait(const uint32_t *at, int op, uint32_t value, const struct timespec *timeout)
{
	int64_t deadline = LOCKSTEP_NEVER;

	if (__atomic_load_n(at, __ATOMIC_SEQ_CST) != value) {
		looks_count(LOOK_AT_OTHERS);
		return -EAGAIN;
	}
	if (timeout && (op & FUTEX_CMD_MASK) == FUTEX_WAIT)
		deadline = turn_after(clocks_ns(timeout));
	else if (timeout)
		deadline = clocks_deadline(op & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME :
					   CLOCK_MONOTONIC, timeout);
	switch (turn_wait(LOCKSTEP_FUTEX, shared_name(at, !(op & FUTEX_PRIVATE_FLAG)), deadline)) {
	case TURN_WOKEN:
		return 0;
	case TURN_TIMED_OUT:
		return -ETIMEDOUT;
	case TURN_INTERRUPTED:
	case TURN_RESTARTS:
		break;
	}
	return -EINTR;
}

static long futex_wake(const uint32_t *at, int op, uint32_t most)
{
	uint64_t name = shared_name_to_wake(LOCKSTEP_FUTEX, at, !(op & FUTEX_PRIVATE_FLAG));
	long n = 0;

	while (n < (long)most && turn_wake(LOCKSTEP_FUTEX, name, false) > 0)
		n++;
	return n;
}

long futexes_call(const long *a)
{
	const uint32_t *at = (const uint32_t *)a[0];
	int op = (int)a[1];

	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return futex_wait(at, op, (uint32_t)a[2], (const struct timespec *)a[3]);
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		return futex_wake(at, op, (uint32_t)a[2]);
	}
	session_say("umadrig: virtual time has no futex operation %d\n", op & FUTEX_CMD_MASK);
	return -ENOSYS;
}
