/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The calls that are stopped, and who answers each. Of the others those that kernels have had for
 * long are the kernel's: they neither wait nor tell the time, nor make or end what has a turn of
 * its own. data/calls.toml has them all. Newer ones are stopped as well (call-past.h).
 */
#ifndef UMADRIG_LIB_STAND_IN_STOPPED_CALLS_H
#define UMADRIG_LIB_STAND_IN_STOPPED_CALLS_H

struct stopped_call {
	int number;			/* the kernel's */
	unsigned int first;		/* only with this first argument or a higher one */
	/*
	 * Of the call of foreign_self: its result, -errno for a failure, CALL_RESTARTS,
	 * CALL_GOES_ON or CALL_ANSWERED. NULL: the table's end.
	 */
	long (*answer)(void);
};

extern const struct stopped_call stopped_calls[];

/* Answers the call that foreign_self has. */
void stopped_calls_answer(void);

#endif
