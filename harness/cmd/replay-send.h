/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig replay --mode timed --backend ib_umad, once its command line has been read.
 */
#ifndef UMADRIG_HARNESS_CMD_REPLAY_SEND_H
#define UMADRIG_HARNESS_CMD_REPLAY_SEND_H

#include <stdbool.h>
#include <stdint.h>

/* Its options; the strings stay the caller's, and are NULL where they are not given. */
struct replay_send {
	const char *name;		/* of the command, for messages */
	const char *capture;
	const char *host;		/* of the capture: who received the MADs */
	const char *port;		/* CA/PORT that sends */
	const char *to;			/* CA/PORT of this machine, a LID or a GID */
	const char *allow_writes;	/* CA/PORT */
	unsigned int speed_milli;
	uint64_t size_max;		/* as of capture_read_within() */
	bool any_order;			/* of the capture: its times count */
};

/* An exit status. */
int replay_send_run(const struct replay_send *send);

#endif
