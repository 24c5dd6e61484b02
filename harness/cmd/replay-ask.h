/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig replay --mode ask, once its command line has been read.
 */
#ifndef UMADRIG_HARNESS_CMD_REPLAY_ASK_H
#define UMADRIG_HARNESS_CMD_REPLAY_ASK_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Its options; the strings stay the caller's, and are NULL where they are not given. */
struct replay_ask {
	const char *name;		/* of the command, for messages */
	const char *capture;
	const char *fabric, *host;	/* where requests go: a simulated fabric */
	const char *backend;		/* or real ports */
	const char *port;		/* CA/PORT */
	const char *allow_writes;	/* CA/PORT */
	char *const *ignoring;
	const char *where;
	gboolean json;
	uint64_t size_max;		/* as of capture_read_within() */
	bool any_order;			/* of the capture: its times count */
	size_t limit;
};

/* An exit status. */
int replay_ask_run(const struct replay_ask *ask);

#endif
