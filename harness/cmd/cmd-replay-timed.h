/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig replay --mode timed, once its command line has been read.
 */
#ifndef UMADRIG_HARNESS_CMD_CMD_REPLAY_TIMED_H
#define UMADRIG_HARNESS_CMD_CMD_REPLAY_TIMED_H

#include <stdbool.h>
#include <stdint.h>

/* Its options; the strings stay the caller's, and are NULL where they are not given. */
struct replay_timed_job {
	const char *name;		/* of the command, for messages */
	const char *capture;
	const char *fabric;		/* where MADs arrive; NULL: the capture's own */
	const char *host;		/* of 'fabric', or of the capture */
	unsigned int speed_milli;	/* 0: as captured */
	const char *max_size;		/* of the capture, as the option says it; and as a number */
	uint64_t size_max;
	bool own_tids;
	bool any_order;			/* of the capture: its times count */
};

/* Replays on a simulated fabric, in virtual time, without a program. An exit status. */
int replay_timed_run(const struct replay_timed_job *job);

#endif
