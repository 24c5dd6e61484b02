/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What time it is: see lib/lockstep/clocks.h. */
#include <string.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/looks.h"
#include "lib/lockstep/system-call.h"

int64_t clocks_ns(const struct timespec *ts)
{
	if (ts->tv_sec >= LOCKSTEP_NEVER / NS_PER_SECOND - 1)
		return LOCKSTEP_NEVER;
	return ts->tv_sec * NS_PER_SECOND + ts->tv_nsec;
}

struct timespec clocks_timespec(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / NS_PER_SECOND, .tv_nsec = ns % NS_PER_SECOND };
}

/* What a clock showed at the start, but that the real-time one is put forward. */
static int64_t base_of(clockid_t id)
{
	switch (id) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_REALTIME_ALARM:
	case CLOCK_TAI:
		return CLOCKS_REAL_NS + lockstep->ahead_ns;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME:
	case CLOCK_BOOTTIME_ALARM:
		return CLOCKS_MONOTONIC_NS;
	}
	return 0;	/* of a processor: its thread has had it all the time */
}

int64_t clocks_deadline(clockid_t id, const struct timespec *ts)
{
	int64_t ns = clocks_ns(ts);

	return ns == LOCKSTEP_NEVER ? ns : ns - base_of(id);
}

int64_t clocks_any_deadline(const struct timespec *ts)
{
	return clocks_deadline(ts->tv_sec >= 1000000000 ? CLOCK_REALTIME : CLOCK_MONOTONIC, ts);
}

static int64_t clock_now(clockid_t id)
{
	looks_count(LOOK_AT_CLOCK);
	return base_of(id) + lockstep->now;
}

/* ---- the calls ---- */

static int hooked_clock_gettime(clockid_t id, struct timespec *ts)
{
	if (!session_is_on())
		return (int)call_result(CALL_2(SYS_clock_gettime, id, ts));
	*ts = clocks_timespec(clock_now(id));
	return 0;
}

const struct hook clocks_hooks[] = {
	{ "clock_gettime", hooked_clock_gettime },
	{ NULL, NULL },
};

/* These two are chosen by ld.so, from the vDSO: they have no entry to hook. */
PUBLIC int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
	struct timespec ts;

	if (!session_is_on())
		return (int)call_result(CALL_2(SYS_gettimeofday, tv, zone));
	ts = clocks_timespec(clock_now(CLOCK_REALTIME));
	*tv = (struct timeval){ .tv_sec = ts.tv_sec, .tv_usec = ts.tv_nsec / 1000 };
	if (zone)
		memset(zone, 0, sizeof(struct timezone));
	return 0;
}

PUBLIC time_t time(time_t *ret)
{
	struct timespec ts;

	hooked_clock_gettime(CLOCK_REALTIME, &ts);
	if (ret)
		*ret = ts.tv_sec;
	return ts.tv_sec;
}

PUBLIC clock_t times(struct tms *buffer)
{
	clock_t ticks;

	if (!session_is_on())
		return (clock_t)call_result(CALL_1(SYS_times, buffer));
	ticks = (clock_t)(clock_now(CLOCK_MONOTONIC) / (NS_PER_SECOND / 100));
	if (buffer)
		*buffer = (struct tms){ .tms_utime = lockstep->now / (NS_PER_SECOND / 100) };
	return ticks;
}
