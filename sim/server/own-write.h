/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs that write to the socket of a handle by themselves: one line for the first, and at the
 * end how many there were.
 */
#ifndef UMADRIG_SIM_SERVER_OWN_WRITE_H
#define UMADRIG_SIM_SERVER_OWN_WRITE_H

#include <stdio.h>

static inline void own_write_note(unsigned int *count)
{
	if ((*count)++ == 0)
		fprintf(stderr, "umadrig: a program has written to a umad handle by itself, not by "
			"umad_send(): a simulated one cannot be used so, and is closed\n");
}

static inline void own_write_sum(unsigned int count)
{
	if (count > 1)
		fprintf(stderr, "umadrig: %u umad handles were closed because a program had "
			"written to them by itself\n", count);
}

#endif
