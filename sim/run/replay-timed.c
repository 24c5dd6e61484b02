/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replay, mode "timed": see sim/run/replay-timed.h.
 */
#include "sim/run/replay-timed.h"

#include <errno.h>
#include <glib.h>
#include <sys/stat.h>

#include "sim/capture/pace.h"
#include "sim/capture/replay-question.h"
#include "sim/capture/shown.h"
#include "sim/capture/side.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/forward.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/time/event-queue.h"

enum { NONE = UINT32_MAX };

struct replay_timed {
	struct umadrig_fabric *fabric;
	struct capture *capture;
	struct end_port *end;		/* where the capture's MADs arrive */
	struct event event;		/* armed for 'next' */
	GArray *arrivals;		/* of uint32_t, in capture->mads: what arrives */
	GArray *requests;		/* the same, of the requests that they answer, or NONE;
					 * empty without own_tids */
	unsigned int next;		/* in both */
	size_t omitted, others;		/* MADs of the capture that do not arrive */
	int64_t start_ns;		/* time 0 of the capture */
	int64_t last_ns;		/* when the last one so far arrived, since the start */
	unsigned int speed_milli;	/* times the captured speed, in thousandths */
	bool alone;
	bool own_tids;
	GHashTable *asked;		/* struct question * -> uint64_t *, its last TID */
};

static const struct capture_mad *arriving(const struct replay_timed *timed, unsigned int number)
{
	return &timed->capture->mads[g_array_index(timed->arrivals, uint32_t, number)];
}

/*
 * Each is due at its own distance from the start, so that none is late because an earlier one was.
 * A MAD that was recorded where it was sent arrives one latency later.
 */
static int64_t arrival_ns(const struct replay_timed *timed, const struct capture_mad *mad)
{
	int64_t latency_ns = mad->direction == CAPTURE_OUTBOUND ?
				     timed->fabric->options.latency_ns : 0;

	return timed->start_ns + latency_ns + pace_due_ns(mad->time_ns, timed->speed_milli);
}

/* Arms the event for the next MAD, if there is one. */
static void arm_next(struct replay_timed *timed)
{
	if (timed->next < timed->arrivals->len)
		event_queue_arm(&timed->fabric->queue, &timed->event,
				arrival_ns(timed, arriving(timed, timed->next)));
}

/* ---- TIDs ---- */

/* A request and its answer have the same class and TID. */
struct exchange {
	uint64_t tid;
	uint8_t mgmt_class;
};

static guint exchange_hash(gconstpointer key)
{
	const struct exchange *exchange = key;

	return (guint)(exchange->tid ^ exchange->tid >> 32) * 31 + exchange->mgmt_class;
}

static gboolean exchange_equal(gconstpointer a, gconstpointer b)
{
	const struct exchange *first = a, *second = b;

	return first->tid == second->tid && first->mgmt_class == second->mgmt_class;
}

static struct exchange exchange_of(const uint8_t *mad)
{
	return (struct exchange){ get_be64(mad + MAD_TID), mad[MAD_CLASS] };
}

/* Gives an answer the TID of the present request with the same question, if there was one. */
static void put_own_tid(const struct replay_timed *timed, uint8_t *mad)
{
	uint32_t number = g_array_index(timed->requests, uint32_t, timed->next);
	const struct capture_mad *request;
	struct question question;
	const uint64_t *tid;

	if (number == NONE)
		return;
	request = &timed->capture->mads[number];
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

/* ---- what arrives ---- */

static void add_arrival(struct replay_timed *timed, size_t number, GHashTable *sent)
{
	const uint8_t *mad = timed->capture->mads[number].mad;
	const struct exchange exchange = exchange_of(mad);
	uint32_t arrival = (uint32_t)number, request = NONE;
	gpointer found;

	g_array_append_val(timed->arrivals, arrival);
	if (!timed->own_tids)
		return;
	if (mad_is_response(mad) && g_hash_table_lookup_extended(sent, &exchange, NULL, &found))
		request = (uint32_t)GPOINTER_TO_SIZE(found);
	g_array_append_val(timed->requests, request);
}

static void choose(struct replay_timed *timed, const struct capture_stand *stand,
		   const struct umadrig_replay *replay)
{
	g_autoptr(GHashTable) sent = g_hash_table_new_full(exchange_hash, exchange_equal, g_free,
							   NULL);

	for (size_t i = 0; i < timed->capture->mad_count; i++) {
		const struct capture_mad *mad = &timed->capture->mads[i];
		const struct umadrig_mad shown = capture_mad_shown(mad);
		const struct exchange exchange = exchange_of(mad->mad);
		enum capture_side side = capture_side(stand, mad);

		if (side == CAPTURE_SENT && timed->own_tids)
			g_hash_table_replace(sent, g_memdup2(&exchange, sizeof(exchange)),
					     GSIZE_TO_POINTER(i));
		if (side != CAPTURE_GOT)
			timed->others++;
		else if (replay->keep && !replay->keep(replay->ctx, &shown))
			timed->omitted++;
		else
			add_arrival(timed, i, sent);
	}
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
	const struct capture_mad *mad = arriving(timed, timed->next);
	struct packet *packet = packet_new(&timed->fabric->pool);

	packet_build(packet, &mad->addr);
	capture_mad_got(mad, packet_mad(packet));
	if (timed->own_tids)
		put_own_tid(timed, packet_mad(packet));
	timed->next++;
	timed->last_ns = timed->fabric->queue.now_ns - timed->start_ns;
	arm_next(timed);
	fabric_deliver(timed->end, timed->end->port->peer, packet);
}

/* ---- beginning and end ---- */

static bool is_same_file(const char *a, const char *b)
{
	struct stat first, second;

	return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
	       first.st_ino == second.st_ino;
}

struct replay_timed *replay_timed_new(struct end_port *end, struct capture *capture,
				      const struct umadrig_replay *replay, char *reterr,
				      size_t reterr_size)
{
	struct umadrig_fabric *fabric = end->port->node->fabric;
	struct replay_timed *timed = g_new(struct replay_timed, 1);
	struct capture_stand stand;
	char label[PORT_NAME_SIZE];

	*timed = (struct replay_timed){
		.fabric = fabric,
		.capture = capture,
		.end = end,
		.event = { .kind = EVENT_DELIVERY, .fire = fire },
		.arrivals = g_array_new(false, false, sizeof(uint32_t)),
		.requests = g_array_new(false, false, sizeof(uint32_t)),
		.speed_milli = replay->speed_milli ? replay->speed_milli : 1000,
		.alone = fabric->captured != NULL,
		.own_tids = replay->own_tids,
		.asked = g_hash_table_new_full(question_hash, question_equal, g_free, g_free),
	};
	port_format(end->port, label);
	/* Its own fabric's H1 is the captured requester, whatever the capture calls that. */
	if (fabric->captured && is_same_file(capture->file, fabric->name))
		stand = capture_stand_of(capture, fabric->captured);
	else
		stand = capture_stand_find(capture, label, end->attr.lid);
	choose(timed, &stand, replay);
	if (timed->arrivals->len)
		return timed;
	g_snprintf(reterr, reterr_size, "%s: nothing in it arrives at %s", capture->file, label);
	replay_timed_free(timed);
	return NULL;
}

void replay_timed_attach(struct replay_timed *timed)
{
	timed->fabric->divert = divert;
	timed->fabric->divert_ctx = timed;
	fabric_watch_changed(timed->fabric);
}

void replay_timed_begin(struct replay_timed *timed)
{
	timed->start_ns = timed->fabric->queue.now_ns;
	timed->fabric->opened = NULL;
	arm_next(timed);
}

void replay_timed_progress(const struct replay_timed *timed, struct umadrig_replay_progress *ret)
{
	*ret = (struct umadrig_replay_progress){
		.arrived = timed->next,
		.left = timed->arrivals->len - timed->next,
		.omitted = timed->omitted,
		.others = timed->others,
		.last_ns = timed->last_ns,
	};
}

void replay_timed_free(struct replay_timed *timed)
{
	if (!timed)
		return;
	event_queue_disarm(&timed->fabric->queue, &timed->event);
	capture_free(timed->capture);
	g_array_unref(timed->arrivals);
	g_array_unref(timed->requests);
	g_hash_table_unref(timed->asked);
	g_free(timed);
}
