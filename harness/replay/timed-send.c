/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sending a capture at its times: see harness/replay/timed-send.h.
 */
#include "harness/replay/timed-send.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "kmod-stub/event.h"
#include "lib/base/wire.h"
#include "sim/capture/pace.h"
#include "sim/capture/replay-asker.h"
#include "sim/capture/side.h"

/* ---- the real clock ---- */

static int64_t real_now_ns(void *ctx)
{
	struct timespec now;

	(void)ctx;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

static void real_wait_until(void *ctx, int64_t at_ns)
{
	const struct timespec at = { at_ns / NS_PER_S, at_ns % NS_PER_S };

	(void)ctx;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		;
}

const struct timed_clock timed_clock_real = {
	.now_ns = real_now_ns, .wait_until = real_wait_until,
};

/* ---- which ---- */

GArray *timed_send_choose(const struct capture *capture, const char *host, size_t *ret_directed,
			  size_t *ret_others, char *reterr, size_t reterr_size)
{
	struct replay_asker asker;
	struct capture_stand stand;
	GArray *chosen;

	if (!replay_asker_find_host(capture, host, &asker, reterr, reterr_size))
		return NULL;
	chosen = g_array_new(false, false, sizeof(unsigned int));
	stand = capture_stand_of(capture, &asker);
	for (unsigned int i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];

		if (capture_side(&stand, mad) != CAPTURE_GOT)
			++*ret_others;
		else if (mad->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR)
			++*ret_directed;
		else
			g_array_append_val(chosen, i);
	}
	return chosen;
}

/* ---- sending ---- */

static struct packet_addr addr_to(const struct capture_mad *mad, const struct timed_destination *to)
{
	struct packet_addr addr = mad->addr;

	addr.dlid = to->lid;
	addr.has_grh = to->has_gid;
	memcpy(addr.dgid, to->gid, sizeof(addr.dgid));
	if (!addr.hop_limit)
		addr.hop_limit = 64;
	return addr;
}

struct timed_counts timed_send_run(const struct capture *capture, const GArray *chosen,
				   struct ask_port *port, const struct timed_destination *to,
				   unsigned int speed_milli, const struct timed_clock *clock)
{
	struct timed_counts counts = { .sent = 0 };
	int64_t start_ns = clock->now_ns(clock->ctx);

	for (guint i = 0; i < chosen->len; i++) {
		const struct capture_mad *mad =
			&capture->mads[g_array_index(chosen, unsigned int, i)];
		const struct packet_addr addr = addr_to(mad, to);
		int64_t due_ns = pace_due_ns(mad->time_ns, speed_milli), now_ns;
		int err;

		clock->wait_until(clock->ctx, start_ns + due_ns);
		now_ns = clock->now_ns(clock->ctx);
		counts.late_ns = MAX(counts.late_ns, now_ns - start_ns - due_ns);
		counts.last_ns = due_ns;
		err = ask_port_send(port, &addr, mad->mad);
		if (err < 0 && !counts.failed++)
			counts.first_error = err;
		counts.sent += err == 0;
	}
	return counts;
}
