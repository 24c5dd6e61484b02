/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The clock that measures waits, and the one that shows the date.
 */
#ifndef UMADRIG_LIB_BASE_MONOTONIC_H
#define UMADRIG_LIB_BASE_MONOTONIC_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC, in nanoseconds. No system call if the kernel's vDSO has it. */
static inline int64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* When a wait of 'timeout_ms' that begins now ends; without meaning if it is endless or 0. */
static inline int64_t monotonic_deadline_ns(int timeout_ms)
{
	return timeout_ms > 0 ? monotonic_ns() + (int64_t)timeout_ms * 1000000 : 0;
}

/* The time left until then, rounded up so that no wait is too short. */
static inline int monotonic_left_ms(int64_t until_ns)
{
	int64_t left_ns = until_ns - monotonic_ns();

	return left_ns > 0 ? (int)((left_ns + 999999) / 1000000) : 0;
}

/*
 * A wait is to go on that was to end then: '*timeout_ms' becomes what is left, unless it is endless
 * (negative) or 0. False: the time is over.
 */
static inline bool monotonic_goes_on(int *timeout_ms, int64_t until_ns)
{
	if (*timeout_ms <= 0)
		return true;
	*timeout_ms = monotonic_left_ms(until_ns);
	return *timeout_ms > 0;
}

/* Nanoseconds since 1970. For dates alone: it may be set back. */
static inline int64_t wall_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

#endif
