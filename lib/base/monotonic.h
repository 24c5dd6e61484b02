/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The clock that measures waits, and the one that shows the date.
 */
#ifndef UMADRIG_LIB_BASE_MONOTONIC_H
#define UMADRIG_LIB_BASE_MONOTONIC_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC, in nanoseconds. No system call if the kernel's vDSO has it. */
static inline int64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Nanoseconds since 1970. For dates alone: it may be set back. */
static inline int64_t wall_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

#endif
