/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Sleeping: see lib/lockstep/sleeps.h. */
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/looks.h"
#include "lib/lockstep/sleeps.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/turn.h"

static int sleep_until(int64_t deadline, struct timespec *rest)
{
	enum turn_end end = TURN_WOKEN;

	if (deadline <= lockstep->now)
		looks_count(LOOK_AT_OTHERS);
	while (end == TURN_WOKEN && deadline > lockstep->now) {
		pthread_testcancel();
		end = turn_wait(LOCKSTEP_TIME, 0, deadline);
	}
	pthread_testcancel();
	if (end == TURN_WOKEN || end == TURN_TIMED_OUT)
		return 0;
	if (rest)
		*rest = clocks_timespec(deadline > lockstep->now ? deadline - lockstep->now : 0);
	return EINTR;
}

static int hooked_clock_nanosleep(clockid_t id, int flags, const struct timespec *ts,
				  struct timespec *rest)
{
	if (!session_is_on())
		return (int)-CALL_4(SYS_clock_nanosleep, id, flags, ts, rest);
	if (ts->tv_sec < 0 || ts->tv_nsec < 0 || ts->tv_nsec >= NS_PER_SECOND)
		return EINVAL;
	if (flags & TIMER_ABSTIME)
		return sleep_until(clocks_deadline(id, ts), NULL);
	return sleep_until(turn_after(clocks_ns(ts)), rest);
}

static int hooked_sched_yield(void)
{
	if (!session_is_on())
		return (int)call_result(CALL_0(SYS_sched_yield));
	looks_count(LOOK_AT_OTHERS);
	turn_yield();
	return 0;
}

const struct hook sleeps_hooks[] = {
	{ "clock_nanosleep", hooked_clock_nanosleep },
	{ "sched_yield", hooked_sched_yield },
	{ NULL, NULL },
};
