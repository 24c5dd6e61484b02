/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How fast a capture is replayed at its own times.
 */
#ifndef UMADRIG_SIM_CAPTURE_PACE_H
#define UMADRIG_SIM_CAPTURE_PACE_H

#include <stdint.h>

#define PACE_WANTED "a number from 0.001 to 1000000, such as 2 (twice as fast) or 0.5"

/* "2", "0.5": thousandths of the captured speed. 0, or -EINVAL. */
int pace_parse(const char *text, unsigned int *ret_milli);

/*
 * When a packet is due, since the start of the replay, that was captured 'time_ns' after the first
 * one. It depends on nothing else, so that delays do not add up. 'speed_milli' is not 0.
 */
static inline int64_t pace_due_ns(int64_t time_ns, unsigned int speed_milli)
{
	return (int64_t)((__int128)time_ns * 1000 / speed_milli);
}

#endif
