/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replay, mode "ask": the requests of a capture are sent again, and the answers compared with those
 * of the capture.
 *
 * Asked is what the captured host asked, in its order, one request after the other. What would
 * change a fabric is skipped and counted, on the simulator as on real ports, unless it is allowed.
 */
#ifndef UMADRIG_SIM_ASK_ASK_H
#define UMADRIG_SIM_ASK_ASK_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

#include "sim/ask/ask-port.h"
#include "sim/diff/diff.h"

struct ask_options {
	struct ignored_fields ignored;
	bool (*keep)(void *ctx, const struct capture_mad *mad);	/* NULL: all */
	void *keep_ctx;
	bool allow_writes;
	int timeout_ms;			/* of each request */
	size_t details_max;		/* differences that are reported; all are counted */
};

struct ask_counts {
	struct diff_counts diff;	/* of what was asked: 'missing' and 'extra' are 0 */
	uint64_t unanswered;		/* of the changed ones: an answer then, none now */
	uint64_t others;		/* conversations of other ports, answers without requests */
	uint64_t skipped;		/* requests that would change the fabric */
	uint64_t failed;		/* requests that could not be sent */
};

/*
 * Would the request change the fabric that it is sent to (sim/dictionary/mad-change.h)? 'mad' has
 * MAD_SIZE bytes.
 */
bool ask_would_change(const uint8_t *mad);

/*
 * Asks. The hop pointer of directed routes, which depends on where a MAD was recorded, and the
 * length in the first segment of an RMPP message, which its sender may leave 0 (IBA vol 1, 13.6.2),
 * are added to what is ignored; the lengths of whole messages are compared. Differences go to 'fn';
 * what was skipped, by kind, and the first request that could not be sent, to 'log' (may be NULL)
 * as lines that begin with 'name'.
 */
struct ask_counts ask_run(struct ask_options *options, const struct capture *capture,
			  struct ask_port *port, diff_event_fn *fn, void *ctx, const char *name,
			  FILE *log);

#endif
