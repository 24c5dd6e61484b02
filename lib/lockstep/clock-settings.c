/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/lockstep/clock-settings.h. */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>

#include "lib/lockstep/clock-settings.h"
#include "lib/lockstep/clocks.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/system-call.h"

enum {
	TICK_US = 10000,		/* of a second's 100 ticks */
	ERROR_MAX_US = 16000000,	/* Linux: NTP_PHASE_LIMIT, as nobody steers it */
	PPM_SCALED = 1 << 16,
	TOLERANCE_PPM = 500,
};

static int hooked_clock_settime(clockid_t id, const struct timespec *to)
{
	if (!session_is_on())
		return (int)call_result(CALL_2(SYS_clock_settime, id, to));
	return (int)call_result(-EPERM);
}

static int hooked_settimeofday(const struct timeval *to, const struct timezone *zone)
{
	if (!session_is_on())
		return (int)call_result(CALL_2(SYS_settimeofday, to, zone));
	return (int)call_result(-EPERM);
}

/* A clock that nobody steers, as Linux shows it. */
static void show(clockid_t id, struct timex *ret)
{
	struct timespec now;

	clock_gettime(id, &now);
	*ret = (struct timex){
		.status = STA_UNSYNC, .maxerror = ERROR_MAX_US, .esterror = ERROR_MAX_US,
		.constant = 2, .precision = 1, .tolerance = TOLERANCE_PPM * PPM_SCALED,
		.time = { now.tv_sec, now.tv_nsec / 1000 }, .tick = TICK_US,
	};
}

static int hooked_clock_adjtime(clockid_t id, struct timex *to)
{
	if (!session_is_on())
		return (int)call_result(CALL_2(SYS_clock_adjtime, id, to));
	if (to->modes && to->modes != ADJ_OFFSET_SS_READ)
		return (int)call_result(-EPERM);
	show(id, to);
	return TIME_ERROR;
}

static int hooked_adjtimex(struct timex *to)
{
	if (!session_is_on())
		return (int)call_result(CALL_1(SYS_adjtimex, to));
	return hooked_clock_adjtime(CLOCK_REALTIME, to);
}

/* What is left of an adjustment: nothing. (Beyond sessions libc's own way, which is adjtimex's.) */
static int hooked_adjtime(const struct timeval *by, struct timeval *ret_left)
{
	struct timex timex = { .modes = by ? ADJ_OFFSET_SINGLESHOT : ADJ_OFFSET_SS_READ };

	if (by)
		timex.offset = by->tv_sec * 1000000 + by->tv_usec;
	if (hooked_adjtimex(&timex) < 0)
		return -1;
	if (ret_left)
		*ret_left = (struct timeval){ timex.offset / 1000000, timex.offset % 1000000 };
	return 0;
}

const struct hook clock_settings_hooks[] = {
	{ "clock_settime", hooked_clock_settime },
	{ "settimeofday", hooked_settimeofday },
	{ "clock_adjtime", hooked_clock_adjtime },
	{ "adjtimex", hooked_adjtimex },
	{ "ntp_adjtime", hooked_adjtimex },
	{ "adjtime", hooked_adjtime },
	{ NULL, NULL },
};
