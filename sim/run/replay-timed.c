/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replay, mode "timed": see sim/run/replay-timed.h.
 */
#include "sim/run/replay-timed.h"

#include <errno.h>
#include <glib.h>

#include "sim/capture/replay-question.h"
#include "sim/capture/shown.h"
#include "sim/capture/side.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/forward.h"
#include "sim/fabric/port.h"
#include "sim/time/event-queue.h"

struct replay_timed {
	struct umadrig_fabric *fabric;
	struct capture *capture;
	struct capture_stand stand;
	struct end_port *end;		/* where the capture's MADs arrive */
	struct event event;		/* armed for 'next' */
	size_t next;			/* in capture->mads */
	int64_t start_ns;		/* time 0 of the capture */
	unsigned int speed_milli;	/* times the captured speed, in thousandths */
	bool alone;
	bool own_tids;
	GHashTable *asked;		/* struct question * -> uint64_t *, its last TID */
	umadrig_mad_fn *keep;
	void *keep_ctx;
};

static bool is_kept(const struct replay_timed *timed, const struct capture_mad *mad)
{
	const struct umadrig_mad shown = capture_mad_shown(mad);

	return capture_side(&timed->stand, mad) == CAPTURE_GOT &&
	       (!timed->keep || timed->keep(timed->keep_ctx, &shown));
}

/* A MAD that was recorded where it was sent arrives one latency later. */
static int64_t arrival_ns(const struct replay_timed *timed, const struct capture_mad *mad)
{
	int64_t latency_ns = mad->direction == CAPTURE_OUTBOUND ?
				     timed->fabric->options.latency_ns : 0;

	return timed->start_ns + latency_ns +
	       (int64_t)((__int128)mad->time_ns * 1000 / timed->speed_milli);
}

/* Arms the event for the next MAD. False: there is none. */
static bool arm_next(struct replay_timed *timed)
{
	while (timed->next < timed->capture->mad_count) {
		const struct capture_mad *mad = &timed->capture->mads[timed->next];

		if (is_kept(timed, mad)) {
			event_queue_arm(&timed->fabric->queue, &timed->event,
					arrival_ns(timed, mad));
			return true;
		}
		timed->next++;
	}
	return false;
}

/* ---- TIDs ---- */

/* The captured request that the MAD at 'at' answers, or NULL. */
static const struct capture_mad *find_request(const struct replay_timed *timed, size_t at)
{
	const struct capture_mad *answer = &timed->capture->mads[at];

	while (at-- > 0) {
		const struct capture_mad *mad = &timed->capture->mads[at];

		if (mad->mad[MAD_CLASS] == answer->mad[MAD_CLASS] &&
		    get_be64(mad->mad + MAD_TID) == get_be64(answer->mad + MAD_TID) &&
		    capture_side(&timed->stand, mad) == CAPTURE_SENT)
			return mad;
	}
	return NULL;
}

/* Gives an answer the TID of the present request with the same question, if there was one. */
static void put_own_tid(const struct replay_timed *timed, uint8_t *mad)
{
	const struct capture_mad *request = mad_is_response(mad) ?
					    find_request(timed, timed->next) : NULL;
	struct question question;
	const uint64_t *tid;

	if (!request)
		return;
	question_from(&request->addr, request->mad, true, &question);
	tid = g_hash_table_lookup(timed->asked, &question);
	if (tid)
		put_be64(mad + MAD_TID, *tid);
}

static void note_question(struct replay_timed *timed, struct packet *packet)
{
	struct packet_addr addr;
	struct question question;
	uint64_t tid = get_be64(packet_mad(packet) + MAD_TID);

	if (packet->raw || !question_is_asked(packet_mad(packet)) ||
	    !packet_parse(packet, packet_size(packet), &addr))
		return;
	question_from(&addr, packet_mad(packet), true, &question);
	g_hash_table_replace(timed->asked, g_memdup2(&question, sizeof(question)),
			     g_memdup2(&tid, sizeof(tid)));
}

/* ---- MADs that leave, and MADs that arrive ---- */

/* fabric_divert_fn */
static bool divert(void *ctx, struct port *port, struct packet *packet)
{
	struct replay_timed *timed = ctx;

	if (port != timed->end->port)
		return false;
	if (timed->own_tids)
		note_question(timed, packet);
	if (timed->alone)
		packet_free(&timed->fabric->pool, packet);
	return timed->alone;
}

static void fire(struct event *event)
{
	struct replay_timed *timed = container_of(event, struct replay_timed, event);
	const struct capture_mad *mad = &timed->capture->mads[timed->next];
	struct packet *packet = packet_new(&timed->fabric->pool);

	packet_build(packet, &mad->addr);
	capture_mad_got(mad, packet_mad(packet));
	if (timed->own_tids)
		put_own_tid(timed, packet_mad(packet));
	timed->next++;
	arm_next(timed);
	fabric_deliver(timed->end, timed->end->port->peer, packet);
}

/* ---- beginning and end ---- */

struct replay_timed *replay_timed_new(struct umadrig_fabric *fabric, struct capture *capture,
				      const struct umadrig_replay *replay, bool alone,
				      char *reterr, size_t reterr_size)
{
	struct replay_timed *timed = g_new(struct replay_timed, 1);
	struct end_port *end = (struct end_port *)(void *)replay->timed_at;
	char label[PORT_NAME_SIZE];

	*timed = (struct replay_timed){
		.fabric = fabric,
		.capture = capture,
		.stand = capture_stand_find(capture, port_format(end->port, label), end->attr.lid),
		.end = end,
		.event = { .kind = EVENT_DELIVERY, .fire = fire },
		.start_ns = fabric->queue.now_ns,
		.speed_milli = replay->speed_milli ? replay->speed_milli : 1000,
		.alone = alone,
		.own_tids = replay->own_tids,
		.asked = g_hash_table_new_full(question_hash, question_equal, g_free, g_free),
		.keep = replay->keep,
		.keep_ctx = replay->ctx,
	};
	if (timed->stand.label)
		timed->stand.label = g_intern_string(timed->stand.label);
	if (arm_next(timed))
		return timed;
	g_snprintf(reterr, reterr_size, "%s: nothing in it arrives at %s", capture->file, label);
	replay_timed_free(timed);
	return NULL;
}

void replay_timed_begin(struct replay_timed *timed)
{
	timed->fabric->divert = divert;
	timed->fabric->divert_ctx = timed;
}

void replay_timed_free(struct replay_timed *timed)
{
	if (!timed)
		return;
	event_queue_disarm(&timed->fabric->queue, &timed->event);
	capture_free(timed->capture);
	g_hash_table_unref(timed->asked);
	g_free(timed);
}
