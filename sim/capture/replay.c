/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replay, mode "answer": see sim/capture/replay.h. First the capture is read and indexed, then
 * requests are looked up. Hash tables are for look-ups only; everything that is iterated over is in
 * the order of the capture.
 */
#include "sim/capture/replay.h"

#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/capture/capture.h"
#include "sim/capture/conversation.h"
#include "sim/capture/mad-role.h"
#include "sim/capture/replay-question.h"
#include "sim/capture/replay-store.h"
#include "sim/capture/shown.h"
#include "sim/capture/stream.h"

enum {
	REPORTS_MAX = 100,	/* lines on stderr; the rest is only counted */
	RECEIPTS_MAX = 1024,	/* MRAs whose request has no other answer so far */
};

/* A request so shortly before the end of the capture may have been answered after it. */
static const int64_t CUT_OFF_NS = INT64_C(1000000000);

/* A message that the answer will take longer; for want of another one, it is the answer. */
struct receipt {
	struct mad_key key;
	unsigned int frame;
	int64_t time_ns;
	uint8_t mad[MAD_SIZE];
};

struct replay {
	char *file;
	struct replay_options options;
	struct replay_store *store;
	GHashTable *reported;		/* set of struct question * */
	struct replay_asker asker;
	struct umadrig_replay_counts counts;
	GByteArray *message;		/* the last answer by RMPP */
	unsigned int broken_said;	/* lines about answers that are not whole */
	/* While it is indexed. */
	struct replay_search *search;
	struct conversations *conversations;
	GHashTable *receipts;		/* struct mad_key * -> struct receipt * */
	int64_t end_ns;
	uint64_t mads;
};

/* ---- MADs of a file or of an array ---- */

typedef void take_fn(struct replay *replay, const struct capture_mad *mad,
		     const struct capture_interface *interface);

static bool is_kept(const struct replay *replay, const struct capture_mad *mad)
{
	const struct umadrig_mad shown = capture_mad_shown(mad);

	return !replay->options.keep || replay->options.keep(replay->options.ctx, &shown);
}

static void each_of_array(struct replay *replay, const struct capture *capture, take_fn *take)
{
	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];

		if (is_kept(replay, mad))
			take(replay, mad, capture_interface(capture, mad->interface));
	}
}

/* As capture_put_in_order(), for a file that is not held. */
static bool refuse_backwards(const char *file, const struct capture_counts *counts, char *reterr,
			     size_t reterr_size)
{
	struct capture bare = { .file = (char *)(uintptr_t)file, .counts = *counts };

	return capture_put_in_order(&bare, false, reterr, reterr_size) < 0;
}

static bool each_of_file(struct replay *replay, take_fn *take, unsigned int flags, char *reterr,
			 size_t reterr_size)
{
	struct capture_stream *stream = capture_stream_open(replay->file, flags, reterr,
							    reterr_size);
	struct capture_item item;
	const char *warning;
	bool bad;

	if (!stream)
		return false;
	capture_stream_limit(stream, replay->options.size_max ? replay->options.size_max :
								CAPTURE_UNPACKED_MAX);
	while (capture_stream_next(stream, &item)) {
		if (item.kind == CAPTURE_ITEM_MAD && is_kept(replay, item.mad))
			take(replay, item.mad,
			     capture_stream_interface(stream, item.mad->interface));
	}
	bad = capture_stream_is_too_large(stream, reterr, reterr_size) ||
	      refuse_backwards(replay->file, capture_stream_counts(stream), reterr, reterr_size);
	while (!bad && (flags & CAPTURE_CHECK_CRCS) && (warning = capture_stream_warning(stream)))
		fprintf(stderr, "%s\n", warning);
	capture_stream_close(stream);
	return !bad;
}

/* ---- the index ---- */

static void take_count(struct replay *replay, const struct capture_mad *mad,
		       const struct capture_interface *interface)
{
	(void)interface;
	replay->mads++;
	replay->end_ns = MAX(replay->end_ns, mad->time_ns);
	replay_search_count(replay->search, mad);
}

static guint receipt_hash(gconstpointer key)
{
	return mad_key_hash(key);
}

static gboolean receipt_equal(gconstpointer a, gconstpointer b)
{
	return mad_key_equal(a, b);
}

static void take_receipt(struct replay *replay, const struct capture_mad *mad)
{
	struct receipt *receipt;

	if (g_hash_table_size(replay->receipts) >= RECEIPTS_MAX)
		return;
	receipt = g_new(struct receipt, 1);
	*receipt = (struct receipt){ mad_key(mad->mad), mad->frame, mad->time_ns, { 0 } };
	memcpy(receipt->mad, mad->mad, MAD_SIZE);
	g_hash_table_replace(replay->receipts, &receipt->key, receipt);
}

static void take_mad(struct replay *replay, const struct capture_mad *mad,
		     const struct capture_interface *interface)
{
	replay_search_learn(replay->search, mad, interface);
	/* A port would not have accepted it, so it was never answered. */
	if (mad->mad[MAD_BASE_VERSION] != 1)
		return;
	if (mad_role(mad->mad) == MAD_ROLE_DELAYS)
		take_receipt(replay, mad);
	conversations_take(replay->conversations, mad);
}

/* Counts an answer by RMPP that is not whole, and says which. REPLAY_STOPPED, ... */
static uint32_t take_broken(struct replay *replay, const struct conversation_message *answer)
{
	bool is_stopped = answer->rmpp_status != 0;
	char status[32] = "";

	if (is_stopped)
		g_snprintf(status, sizeof(status), " with status %u", answer->rmpp_status);
	if (replay->broken_said++ < REPORTS_MAX)
		fprintf(stderr, "%s: frames %u to %u: an answer by RMPP is not replayed: it %s%s "
			"(%u are there)\n", replay->file, answer->frame, answer->last_frame,
			is_stopped ? "was stopped before its last segment" : "lacks segments",
			status, answer->segments);
	if (is_stopped)
		replay->counts.stopped++;
	else
		replay->counts.lacking++;
	return is_stopped ? REPLAY_STOPPED : REPLAY_LACKS_SEGMENTS;
}

/* conversation_fn */
static void take_conversation(void *ctx, const struct conversation *conversation)
{
	const struct conversation_message *request = &conversation->request;
	const struct conversation_message *answer = &conversation->answer;
	struct replay *replay = ctx;
	struct replay_event event = {
		.frame = request->frame,
		.time_ns = conversation->asked_ns,
		.requester = replay_requester(&request->addr),
		.answer = REPLAY_NONE,
	};
	const uint8_t *bytes = NULL;
	size_t message_size = 0;
	uint32_t asked;

	if (conversation->kind == CONVERSATION_ORPHAN || conversation->kind == CONVERSATION_ONE_WAY)
		return;
	asked = replay_store_ask(replay->store, &request->addr, request->bytes, request->frame);
	if (conversation->kind == CONVERSATION_ANSWERED) {
		event.frame = answer->frame;
		event.time_ns = answer->time_ns;
		if (answer->is_broken)
			event.answer = take_broken(replay, answer);
		else
			bytes = answer->bytes;
		message_size = answer->segments ? answer->size : 0;
	} else if (conversation->delays) {
		struct mad_key key = mad_key(request->bytes);
		const struct receipt *receipt = g_hash_table_lookup(replay->receipts, &key);

		if (receipt) {
			event.frame = receipt->frame;
			event.time_ns = receipt->time_ns;
			bytes = receipt->mad;
		}
	}
	replay_store_event(replay->store, asked, &event, bytes, message_size);
}

/* ---- which answer ---- */

#define for_each_event(number, event, store, asked)                                              \
	for (uint32_t number = replay_store_at(store, (asked)->last_event)->next, last_ = 0;     \
	     !last_ && (event = replay_store_at(store, number));                                 \
	     last_ = number == (asked)->last_event, number = event->next)

/* Could its answer have come after the end of the capture? */
static bool is_cut_off(const struct replay *replay, const struct replay_event *event)
{
	return !replay_is_answer(event->answer) &&
	       replay->end_ns - event->time_ns < CUT_OFF_NS;
}

/* What it was at a moment: the last before it, else the first after it. */
static uint32_t event_at(const struct replay *replay, const struct replay_asked *asked, int64_t ns)
{
	uint32_t before = REPLAY_NONE, after = REPLAY_NONE;
	int64_t before_ns = 0, after_ns = 0;
	const struct replay_event *event;

	for_each_event (number, event, replay->store, asked) {
		if (is_cut_off(replay, event))
			continue;
		if (event->time_ns <= ns &&
		    (before == REPLAY_NONE || event->time_ns >= before_ns)) {
			before = number;
			before_ns = event->time_ns;
		} else if (event->time_ns > ns &&
			   (after == REPLAY_NONE || event->time_ns < after_ns)) {
			after = number;
			after_ns = event->time_ns;
		}
	}
	if (before != REPLAY_NONE)
		return before;
	return after != REPLAY_NONE ? after : asked->last_event;
}

/* The first answer from 'number' on, in the order of the capture; REPLAY_NONE: there is none. */
static uint32_t next_answer(const struct replay *replay, const struct replay_asked *asked,
			    uint32_t number)
{
	for (;;) {
		const struct replay_event *event = replay_store_at(replay->store, number);

		if (replay_is_answer(event->answer))
			return number;
		if (number == asked->last_event)
			return REPLAY_NONE;
		number = event->next;
	}
}

static uint32_t first_event(const struct replay *replay, const struct replay_asked *asked)
{
	uint32_t number = replay_store_at(replay->store, asked->last_event)->next;

	switch (replay->options.as_of) {
	case REPLAY_IN_ORDER:
		number = next_answer(replay, asked, number);
		return number == REPLAY_NONE ? asked->last_event : number;
	case REPLAY_FIRST:
		return event_at(replay, asked, INT64_MIN);
	case REPLAY_LAST:
		return event_at(replay, asked, INT64_MAX);
	case REPLAY_AT:
		return event_at(replay, asked, replay->options.at_ns);
	}
	return number;
}

static void advance(const struct replay *replay, struct replay_asked *asked)
{
	uint32_t next;

	if (replay->options.as_of != REPLAY_IN_ORDER || asked->cursor == asked->last_event)
		return;
	next = next_answer(replay, asked, replay_store_at(replay->store, asked->cursor)->next);
	if (next != REPLAY_NONE)
		asked->cursor = next;
}

/* ---- life ---- */

static struct replay *replay_alloc(const char *file, const struct replay_options *options)
{
	struct replay *replay = g_new0(struct replay, 1);

	replay->file = g_strdup(file);
	replay->options = *options;
	replay->reported = g_hash_table_new_full(question_hash, question_equal, g_free, NULL);
	replay->search = replay_search_new(options->host);
	replay->receipts = g_hash_table_new_full(receipt_hash, receipt_equal, NULL, g_free);
	replay->conversations = conversations_new(take_conversation, replay);
	replay->message = g_byte_array_new();
	return replay;
}

static void end_indexing(struct replay *replay)
{
	conversations_free(replay->conversations);
	replay->conversations = NULL;
	g_clear_pointer(&replay->receipts, g_hash_table_unref);
	replay_search_free(replay->search);
	replay->search = NULL;
	replay->options.keep = NULL;
	replay->options.host = NULL;
}

/* After the first reading. */
static bool choose_asker(struct replay *replay, char *reterr, size_t reterr_size)
{
	g_autofree char *message = g_malloc0(reterr_size);

	if (!replay_search_choose(replay->search, message, reterr_size)) {
		g_snprintf(reterr, reterr_size, "%s: %s", replay->file, message);
		return false;
	}
	replay->store = replay_store_new(replay_search_asker(replay->search)->own_port != 0);
	return true;
}

/* After the second. If there is nothing in it, frees it and returns NULL with a message. */
static struct replay *finish(struct replay *replay, char *reterr, size_t reterr_size)
{
	conversations_end(replay->conversations);
	replay->asker = *replay_search_asker(replay->search);
	end_indexing(replay);
	for (uint32_t i = 0; i < replay_store_count(replay->store); i++) {
		struct replay_asked *asked = replay_store_asked(replay->store, i);

		asked->cursor = first_event(replay, asked);
	}
	if (replay_store_count(replay->store))
		return replay;
	g_snprintf(reterr, reterr_size, "%s: nothing to replay: of its %" PRIu64 " MADs none is a "
		   "request that expects an answer", replay->file, replay->mads);
	replay_free(replay);
	return NULL;
}

static struct replay *index_array(struct replay *replay, const struct capture *capture,
				  char *reterr, size_t reterr_size)
{
	each_of_array(replay, capture, take_count);
	if (!choose_asker(replay, reterr, reterr_size)) {
		replay_free(replay);
		return NULL;
	}
	each_of_array(replay, capture, take_mad);
	return finish(replay, reterr, reterr_size);
}

struct replay *replay_from(const struct capture *capture, const struct replay_options *options,
			   char *reterr, size_t reterr_size)
{
	if (!options->any_order &&
	    refuse_backwards(capture->file, &capture->counts, reterr, reterr_size))
		return NULL;
	return index_array(replay_alloc(capture->file, options), capture, reterr, reterr_size);
}

static struct replay *new_sorted(const char *path, const struct replay_options *options,
				 char *reterr, size_t reterr_size)
{
	struct capture *capture = capture_read_within(path, options->size_max, reterr,
						      reterr_size);
	struct replay *replay;

	if (!capture)
		return NULL;
	for (char **warning = capture->warnings; *warning; warning++)
		fprintf(stderr, "%s\n", *warning);
	capture_put_in_order(capture, true, reterr, reterr_size);
	replay = replay_from(capture, options, reterr, reterr_size);
	capture_free(capture);
	return replay;
}

struct replay *replay_new(const char *path, const struct replay_options *options, char *reterr,
			  size_t reterr_size)
{
	struct replay *replay;

	if (options->any_order)
		return new_sorted(path, options, reterr, reterr_size);
	replay = replay_alloc(path, options);
	if (!each_of_file(replay, take_count, 0, reterr, reterr_size) ||
	    !choose_asker(replay, reterr, reterr_size) ||
	    !each_of_file(replay, take_mad, CAPTURE_CHECK_CRCS, reterr, reterr_size)) {
		replay_free(replay);
		return NULL;
	}
	return finish(replay, reterr, reterr_size);
}

void replay_free(struct replay *replay)
{
	if (!replay)
		return;
	end_indexing(replay);
	g_hash_table_unref(replay->reported);
	g_byte_array_unref(replay->message);
	replay_store_free(replay->store);
	g_free(replay->file);
	g_free(replay);
}

const struct replay_asker *replay_get_asker(const struct replay *replay)
{
	return &replay->asker;
}

size_t replay_size(const struct replay *replay)
{
	return sizeof(*replay) + replay_store_size(replay->store);
}

/* ---- answering ---- */

static void take_apart(const struct packet *request, struct packet_addr *ret_addr)
{
	struct packet copy = *request;
	bool is_mad = packet_parse(&copy, packet_size(request), ret_addr);

	g_assert(is_mad);
}

/* Writes all of the answer but the MAD: on its way back to the requester. */
static void build_return(const struct packet_addr *asked, struct packet *answer)
{
	struct packet_addr back = *asked;

	back.slid = asked->dlid;
	back.dlid = asked->slid;
	back.src_qp = asked->dest_qp;
	back.dest_qp = asked->src_qp;
	back.qkey = asked->src_qp ? QKEY_GSI : 0;
	back.psn = 0;
	memcpy(back.sgid, asked->dgid, 16);
	memcpy(back.dgid, asked->sgid, 16);
	packet_build(answer, &back);
}

/*
 * The captured answer as one to this request. A directed route is at its end: the hop pointer is
 * what the requester's port finds on the wire, 1.
 */
static void build_answer(const uint8_t *captured, const struct packet_addr *asked,
			 const uint8_t *request, struct packet *answer)
{
	uint8_t *mad;

	build_return(asked, answer);
	mad = packet_mad(answer);
	memcpy(mad, captured, MAD_SIZE);
	mad_answer_to(request, mad);
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_DR) {
		mad[SMP_HOP_PTR] = mad[SMP_HOP_CNT] ? 1 : 0;
		memcpy(mad + SMP_INITIAL_PATH, request + SMP_INITIAL_PATH, SMP_PATH_SIZE);
	}
}

bool replay_refuse(const struct packet *request, uint16_t status, struct packet *answer)
{
	const uint8_t *asked_mad = packet_mad_const(request);
	bool directed = asked_mad[MAD_CLASS] == MAD_CLASS_SUBN_DR;
	struct packet_addr asked;
	uint8_t *mad;

	if (asked_mad[MAD_METHOD] == MAD_METHOD_SEND || asked_mad[MAD_METHOD] == MAD_METHOD_TRAP ||
	    mad_is_response(asked_mad))
		return false;
	take_apart(request, &asked);
	build_return(&asked, answer);
	mad = packet_mad(answer);
	memcpy(mad, asked_mad, MAD_SIZE);
	mad[MAD_METHOD] = asked_mad[MAD_METHOD] == MAD_METHOD_SET ?
			  MAD_METHOD_GET_RESP : asked_mad[MAD_METHOD] | MAD_METHOD_RESPONSE;
	put_be16(mad + MAD_STATUS, directed ? status | SMP_DIRECTION : status);
	if (directed)
		mad[SMP_HOP_PTR] = mad[SMP_HOP_CNT] ? 1 : 0;
	return true;
}

static void explain_unmatched(const struct replay *replay, const struct question *question,
			      char *why)
{
	uint32_t number = replay_store_closest(replay->store, question, NULL);
	const struct replay_asked *closest = replay_store_asked(replay->store, number);
	char asked[128], difference[REPLAY_WHY_SIZE - 200];
	struct question have;

	replay_store_question(replay->store, closest, &have);
	question_format(question, asked, sizeof(asked));
	question_format_difference(&have, question, difference, sizeof(difference));
	g_snprintf(why, REPLAY_WHY_SIZE, "the capture does not have %s; closest is frame %u: %s",
		   asked, closest->frame, difference);
}

static void get_question(const struct replay *replay, const struct packet *request,
			 struct packet_addr *ret_addr, struct question *ret_question)
{
	struct packet_addr addr;

	take_apart(request, ret_addr);
	addr = *ret_addr;
	/* Programs put anything in the LID fields of RoCE, which has none. */
	if (replay->asker.is_roce)
		addr.dlid = 0;
	question_from(&addr, packet_mad_const(request), replay->asker.own_port != 0, ret_question);
}

static void count_answer(struct replay *replay, const struct replay_event *event,
			 const struct packet_addr *addr, bool near)
{
	if (near || event->requester != replay_requester(addr))
		replay->counts.near++;
	else
		replay->counts.exact++;
}

/* Why the capture has the question, but no answer to it. */
static void explain_silence(const struct replay_event *event, char *why)
{
	if (event->answer == REPLAY_NONE)
		g_snprintf(why, REPLAY_WHY_SIZE, "frame %u asked the same and got no answer either",
			   event->frame);
	else
		g_snprintf(why, REPLAY_WHY_SIZE, "the answer, from frame %u on, %s", event->frame,
			   event->answer == REPLAY_STOPPED ? "was stopped before its end" :
							     "lacks segments in the capture");
}

static enum replay_verdict give(struct replay *replay, const struct replay_event *event,
				const struct packet_addr *addr, const struct packet *request,
				struct packet *answer)
{
	size_t size;
	const uint8_t *captured = replay_store_answer(replay->store, event->answer, &size);
	uint8_t head[MAD_SIZE] = { 0 };

	if (!size) {
		build_answer(captured, addr, packet_mad_const(request), answer);
		return REPLAY_ANSWERED;
	}
	memcpy(head, captured, MIN(size, sizeof(head)));
	build_answer(head, addr, packet_mad_const(request), answer);
	g_byte_array_set_size(replay->message, 0);
	g_byte_array_append(replay->message, captured, (guint)size);
	memcpy(replay->message->data, packet_mad_const(answer), MIN(size, sizeof(head)));
	return REPLAY_ANSWERED_BY_RMPP;
}

const uint8_t *replay_message(const struct replay *replay, size_t *ret_size)
{
	*ret_size = replay->message->len;
	return replay->message->data;
}

enum replay_verdict replay_answer(struct replay *replay, const struct packet *request,
				  struct packet *answer, char *why)
{
	enum mad_role role = mad_role(packet_mad_const(request));
	const struct replay_event *event;
	enum replay_verdict verdict;
	struct replay_asked *asked;
	struct question question;
	struct packet_addr addr;
	uint32_t number;
	bool near;

	g_strlcpy(why, "not a request that expects an answer", REPLAY_WHY_SIZE);
	if (role != MAD_ROLE_ASKS && role != MAD_ROLE_SENDS)
		return REPLAY_NOT_ASKED;
	get_question(replay, request, &addr, &question);
	number = replay_store_find(replay->store, &question, &near);
	if (number == REPLAY_NONE) {
		if (role == MAD_ROLE_SENDS)
			return REPLAY_NOT_ASKED;
		explain_unmatched(replay, &question, why);
		return REPLAY_UNMATCHED;
	}
	asked = replay_store_asked(replay->store, number);
	event = replay_store_at(replay->store, asked->cursor);
	if (!replay_is_answer(event->answer)) {
		replay->counts.silent++;
		explain_silence(event, why);
		return REPLAY_SILENT;
	}
	verdict = give(replay, event, &addr, request, answer);
	count_answer(replay, event, &addr, near);
	g_snprintf(why, REPLAY_WHY_SIZE, "frame %u answers", event->frame);
	advance(replay, asked);
	return verdict;
}

void replay_report(struct replay *replay, const struct packet *request, const char *why)
{
	struct packet_addr addr;
	struct question question;

	replay->counts.unmatched++;
	/* A program that asks more and more must not take more and more memory. */
	if (g_hash_table_size(replay->reported) > REPORTS_MAX)
		return;
	get_question(replay, request, &addr, &question);
	if (!g_hash_table_add(replay->reported, g_memdup2(&question, sizeof(question))))
		return;
	if (g_hash_table_size(replay->reported) <= REPORTS_MAX)
		fprintf(stderr, "%s: not answered: %s\n", replay->file, why);
	else if (g_hash_table_size(replay->reported) == REPORTS_MAX + 1)
		fprintf(stderr, "%s: more questions are not answered; from here they are counted\n",
			replay->file);
}

size_t replay_unmatched(const struct replay *replay)
{
	return replay->counts.unmatched;
}

void replay_count(const struct replay *replay, struct umadrig_replay_counts *ret)
{
	*ret = replay->counts;
}
