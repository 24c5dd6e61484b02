/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What time it is. All clocks go with the session's; they differ in where they were at its start.
 * The real-time one is put forward by 1 ns now and then: lib/lockstep/file-times.h.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_CLOCKS_H
#define UMADRIG_LIB_LOCKSTEP_CLOCKS_H

#include <stdint.h>
#include <time.h>

#include "lib/base/session-date.h"
#include "lib/lockstep/hooks.h"

/* The date of captures, too, and a machine that has been up for 1000 s. */
#define CLOCKS_REAL_NS (SESSION_DATE_S * 1000000000)
#define CLOCKS_MONOTONIC_NS (INT64_C(1000) * 1000000000)

/* Nanoseconds; what does not fit is LOCKSTEP_NEVER. */
int64_t clocks_ns(const struct timespec *ts);
struct timespec clocks_timespec(int64_t ns);

/* The session's time when clock 'id' shows 'ts'. */
int64_t clocks_deadline(clockid_t id, const struct timespec *ts);
/*
 * The same where it is not known which clock is meant (pthread_condattr_setclock(3) may have said
 * it): the real one is past 10^18 ns, the others are not.
 */
int64_t clocks_any_deadline(const struct timespec *ts);

extern const struct hook clocks_hooks[];

#endif
