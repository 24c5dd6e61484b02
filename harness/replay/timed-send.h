/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replay, mode "timed", on real ports: what a captured port received is sent to a port, each MAD at
 * its own time.
 */
#ifndef UMADRIG_HARNESS_REPLAY_TIMED_SEND_H
#define UMADRIG_HARNESS_REPLAY_TIMED_SEND_H

#include <glib.h>
#include <stdint.h>

#include "sim/ask/ask-port.h"
#include "sim/capture/capture.h"

/* Time, so that tests have their own. */
struct timed_clock {
	int64_t (*now_ns)(void *ctx);
	void (*wait_until)(void *ctx, int64_t at_ns);
	void *ctx;
};

/* CLOCK_MONOTONIC. */
extern const struct timed_clock timed_clock_real;

/* Where everything is sent. */
struct timed_destination {
	uint16_t lid;
	bool has_gid;		/* a GRH is sent, too */
	uint8_t gid[16];
};

struct timed_counts {
	size_t sent, failed;
	int first_error;	/* of those that failed: -errno */
	size_t others;		/* MADs that the captured port sent, or had nothing to do with */
	int64_t late_ns;	/* the most that one left after its time */
	int64_t last_ns;	/* when the last one was due, since the start */
};

/*
 * The numbers in 'capture' (unsigned int) of what the port that 'host' names (NULL: that with most
 * requests) received and can be sent again: not directed routes, which lead elsewhere from here.
 * Their number is added to '*ret_directed', that of all other MADs to '*ret_others'. NULL with a
 * message: there is no such port. To be freed with g_array_unref().
 */
GArray *timed_send_choose(const struct capture *capture, const char *host, size_t *ret_directed,
			  size_t *ret_others, char *reterr, size_t reterr_size);

/* Sends those. Each is due at its distance from the start, so that delays do not add up. */
struct timed_counts timed_send_run(const struct capture *capture, const GArray *chosen,
				   struct ask_port *port, const struct timed_destination *to,
				   unsigned int speed_milli, const struct timed_clock *clock);

#endif
