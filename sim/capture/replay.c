/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replay, mode "answer": see sim/capture/replay.h. First the capture is read and indexed, then
 * requests are looked up. Hash tables are for look-ups only; everything that is iterated over is an
 * array in the order of the capture.
 */
#include "sim/capture/replay.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "sim/capture/capture.h"
#include "sim/capture/replay-question.h"

enum {
	REPORTS_MAX = 100,	/* lines on stderr; the rest is only counted */
};

/* A question of the capture and its answers. */
struct entry {
	struct question question;
	unsigned int mad;		/* the first request with it: index in capture->mads */
	GArray *answers;		/* of unsigned int: indices of MADs, in captured order */
	guint next;			/* the answer to give next */
};

/* A request of the capture, while its answer is looked for. */
struct ask {
	unsigned int mad;
	struct entry *entry;
	struct ask *previous;		/* an earlier one of the same class, TID and attribute */
	const struct capture_mad *answer;	/* NULL: none yet */
};

/* What is needed while the capture is indexed. */
struct pairing {
	GPtrArray *asks;		/* all of them, to be freed */
	GHashTable *last;		/* MAD -> last struct ask * of its class, TID, attribute */
};

struct replay {
	struct capture *capture;
	GPtrArray *entries;		/* of struct entry *, by their first requests */
	GHashTable *by_question;	/* struct question * -> struct entry * */
	GHashTable *reported;		/* set of struct question * */
	struct replay_asker asker;
	size_t unmatched;
};

/* ---- hashing ---- */

/* Class, attribute and TID, which a request and its response share wherever they are recorded. */
static guint mad_pair_hash(gconstpointer key)
{
	const uint8_t *mad = key;
	uint64_t mixed = get_be64(mad + MAD_TID) ^ (uint64_t)mad[MAD_CLASS] << 48 ^
			 (uint64_t)get_be16(mad + MAD_ATTR_ID) << 32;

	return (guint)(mixed * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static gboolean mad_pair_equal(gconstpointer a, gconstpointer b)
{
	const uint8_t *one = a, *two = b;

	return one[MAD_CLASS] == two[MAD_CLASS] &&
	       memcmp(one + MAD_TID, two + MAD_TID, 8) == 0 &&
	       memcmp(one + MAD_ATTR_ID, two + MAD_ATTR_ID, 2) == 0;
}

/* ---- pairing ---- */

/*
 * Does the response come from where the request went? Compares LIDs, or GIDs where there are no
 * LIDs.
 */
static bool comes_from(const struct capture_mad *request, const struct capture_mad *response)
{
	if (request->addr.has_grh && response->addr.has_grh &&
	    memcmp(request->addr.dgid, response->addr.sgid, 16) != 0)
		return false;
	return request->addr.dlid == response->addr.slid;
}

static bool goes_back_to(const struct capture_mad *request, const struct capture_mad *response)
{
	if (request->addr.has_grh && response->addr.has_grh &&
	    memcmp(request->addr.sgid, response->addr.dgid, 16) != 0)
		return false;
	return request->addr.slid == response->addr.dlid &&
	       request->addr.src_qp == response->addr.dest_qp &&
	       request->addr.dest_qp == response->addr.src_qp;
}

static bool same_route(const uint8_t *a, const uint8_t *b)
{
	unsigned int hops = MIN(a[SMP_HOP_CNT], SMP_PATH_SIZE - 1);

	return a[SMP_HOP_CNT] == b[SMP_HOP_CNT] &&
	       memcmp(a + SMP_DR_SLID, b + SMP_DR_SLID, 4) == 0 &&
	       memcmp(a + SMP_INITIAL_PATH + 1, b + SMP_INITIAL_PATH + 1, hops) == 0;
}

/* Could it be the answer? 'any_source': whatever its source LID, as in Linux. */
static bool is_answer(const struct capture_mad *request, const struct capture_mad *response,
		      bool any_source)
{
	if (response->mad[MAD_METHOD] != question_answer_method(request->mad[MAD_METHOD]))
		return false;
	/* The LIDs of a directed route change on the way where a part of it is LID-routed. */
	if (request->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR)
		return same_route(request->mad, response->mad);
	return goes_back_to(request, response) && (any_source || comes_from(request, response));
}

/* The last request before the response that it can be the answer to, or NULL. */
static struct ask *find_ask(struct ask *last, const struct replay *replay,
			    const struct capture_mad *response)
{
	for (unsigned int any_source = 0; any_source < 2; any_source++) {
		for (struct ask *ask = last; ask; ask = ask->previous) {
			if (is_answer(&replay->capture->mads[ask->mad], response, any_source))
				return ask;
		}
	}
	return NULL;
}

/*
 * Is it the same MAD, recorded at two places? Only hop pointer and return path change on the way.
 */
static bool same_mad(const uint8_t *a, const uint8_t *b)
{
	size_t rest = SMP_HOP_PTR + 1;
	size_t end = a[MAD_CLASS] == MAD_CLASS_SUBN_DR ? SMP_RETURN_PATH : MAD_SIZE;

	return memcmp(a, b, SMP_HOP_PTR) == 0 && memcmp(a + rest, b + rest, end - rest) == 0 &&
	       (a[MAD_CLASS] == MAD_CLASS_SUBN_DR || a[SMP_HOP_PTR] == b[SMP_HOP_PTR]);
}

/* ---- the index ---- */

static bool is_rmpp_active(const uint8_t *mad)
{
	return mad_class_has_rmpp(mad[MAD_CLASS]) && (mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE);
}

/* Is it a response, or the first segment of one, and not another packet of RMPP? */
static bool is_response(const uint8_t *mad)
{
	if (!mad_is_response(mad))
		return false;
	return !is_rmpp_active(mad) ||
	       (mad[RMPP_TYPE] == RMPP_TYPE_DATA && get_be32(mad + RMPP_SEGMENT) == 1);
}

static struct entry *enter_question(struct replay *replay, unsigned int index)
{
	const struct capture_mad *mad = &replay->capture->mads[index];
	struct question question;
	struct entry *entry;

	question_from(&mad->addr, mad->mad, replay->asker.own_port != 0, &question);
	entry = g_hash_table_lookup(replay->by_question, &question);
	if (entry)
		return entry;
	entry = g_new0(struct entry, 1);
	entry->question = question;
	entry->mad = index;
	entry->answers = g_array_new(false, false, sizeof(unsigned int));
	g_ptr_array_add(replay->entries, entry);
	g_hash_table_insert(replay->by_question, &entry->question, entry);
	return entry;
}

static void entry_free(void *data)
{
	struct entry *entry = data;

	g_array_free(entry->answers, true);
	g_free(entry);
}

static void take_request(struct replay *replay, struct pairing *pairing, unsigned int index)
{
	uint8_t *mad = replay->capture->mads[index].mad;
	struct ask *last = g_hash_table_lookup(pairing->last, mad), *ask;
	struct entry *entry = enter_question(replay, index);

	/* The same request, not answered yet: a retry, or the same packet recorded elsewhere. */
	for (ask = last; ask; ask = ask->previous) {
		if (ask->entry == entry && !ask->answer)
			return;
	}
	ask = g_new0(struct ask, 1);
	ask->mad = index;
	ask->entry = entry;
	ask->previous = last;
	g_ptr_array_add(pairing->asks, ask);
	g_hash_table_replace(pairing->last, mad, ask);
}

static void take_response(struct replay *replay, struct pairing *pairing, unsigned int index)
{
	const struct capture_mad *mad = &replay->capture->mads[index];
	struct ask *ask = find_ask(g_hash_table_lookup(pairing->last, mad->mad), replay, mad);

	if (!ask || (ask->answer && same_mad(ask->answer->mad, mad->mad)))
		return;
	ask->answer = mad;
	g_array_append_val(ask->entry->answers, index);
}

static int compare_times(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct capture *capture = data;
	const unsigned int *one = a, *two = b;
	int64_t one_ns = capture->mads[*one].time_ns, two_ns = capture->mads[*two].time_ns;

	return one_ns != two_ns ? (one_ns < two_ns ? -1 : 1) : (*one > *two) - (*one < *two);
}

/* Files of several interfaces need not be in order of time. */
static unsigned int *order_by_time(struct capture *capture)
{
	unsigned int *order = g_new(unsigned int, MAX(capture->mad_count, 1));

	for (size_t i = 0; i < capture->mad_count; i++)
		order[i] = (unsigned int)i;
	g_qsort_with_data(order, (gint)capture->mad_count, sizeof(*order), compare_times, capture);
	return order;
}

/* Would a port have accepted it? What a port dropped was never answered. */
static bool is_sound(const struct capture_mad *mad)
{
	return !mad->icrc_wrong && !mad->vcrc_wrong && mad->mad[MAD_BASE_VERSION] == 1;
}

static void index_mads(struct replay *replay)
{
	struct capture *capture = replay->capture;
	unsigned int *order = order_by_time(capture);
	struct pairing pairing = {
		.asks = g_ptr_array_new_with_free_func(g_free),
		.last = g_hash_table_new(mad_pair_hash, mad_pair_equal),
	};

	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[order[i]];

		if (!is_sound(mad))
			continue;
		if (question_is_asked(mad->mad))
			take_request(replay, &pairing, order[i]);
		else if (is_response(mad->mad))
			take_response(replay, &pairing, order[i]);
	}
	g_hash_table_unref(pairing.last);
	g_ptr_array_unref(pairing.asks);
	g_free(order);
}

/* ---- life ---- */

struct replay *replay_from(struct capture *capture, char *reterr, size_t reterr_size)
{
	struct replay *replay = g_new0(struct replay, 1);

	replay->capture = capture;
	replay->entries = g_ptr_array_new_with_free_func(entry_free);
	replay->by_question = g_hash_table_new(question_hash, question_equal);
	replay->reported = g_hash_table_new_full(question_hash, question_equal, g_free, NULL);
	replay_asker_find(capture, &replay->asker);
	index_mads(replay);
	if (replay->entries->len)
		return replay;
	g_snprintf(reterr, reterr_size, "%s: nothing to replay: of its %zu MADs none is a request "
		   "that expects an answer", capture->file, capture->mad_count);
	replay_free(replay);
	return NULL;
}

struct replay *replay_new(const char *path, bool any_order, char *reterr, size_t reterr_size)
{
	struct capture *capture = capture_read(path, reterr, reterr_size);

	if (!capture)
		return NULL;
	for (char **warning = capture->warnings; *warning; warning++)
		fprintf(stderr, "%s\n", *warning);
	if (capture_put_in_order(capture, any_order, reterr, reterr_size) < 0) {
		capture_free(capture);
		return NULL;
	}
	return replay_from(capture, reterr, reterr_size);
}

void replay_free(struct replay *replay)
{
	if (!replay)
		return;
	g_hash_table_unref(replay->by_question);
	g_hash_table_unref(replay->reported);
	g_ptr_array_unref(replay->entries);
	capture_free(replay->capture);
	g_free(replay);
}

const struct replay_asker *replay_get_asker(const struct replay *replay)
{
	return &replay->asker;
}

/* ---- answering ---- */

static void take_apart(const struct packet *request, struct packet_addr *ret_addr)
{
	struct packet copy = *request;
	bool is_mad = packet_parse(&copy, packet_size(request), ret_addr);

	g_assert(is_mad);
}

/*
 * The captured response with the request's TID, on the way back to the requester. A directed route
 * is at its end: the hop pointer is what the requester's port finds on the wire, 1.
 */
static void build_answer(const struct capture_mad *captured, const struct packet_addr *asked,
			 const uint8_t *request, struct packet *answer)
{
	struct packet_addr back = *asked;
	uint8_t *mad;

	back.slid = asked->dlid;
	back.dlid = asked->slid;
	back.src_qp = asked->dest_qp;
	back.dest_qp = asked->src_qp;
	back.qkey = asked->src_qp ? QKEY_GSI : 0;
	back.psn = 0;
	memcpy(back.sgid, asked->dgid, 16);
	memcpy(back.dgid, asked->sgid, 16);
	packet_build(answer, &back);
	mad = packet_mad(answer);
	memcpy(mad, captured->mad, MAD_SIZE);
	memcpy(mad + MAD_TID, request + MAD_TID, 8);
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_DR) {
		mad[SMP_HOP_PTR] = mad[SMP_HOP_CNT] ? 1 : 0;
		memcpy(mad + SMP_INITIAL_PATH, request + SMP_INITIAL_PATH, SMP_PATH_SIZE);
	}
}

/* The captured question that is nearest. There is at least one. */
static const struct entry *find_closest(const struct replay *replay,
					const struct question *question)
{
	const struct entry *best = g_ptr_array_index(replay->entries, 0);
	unsigned int least = question_distance(&best->question, question);

	for (guint i = 1; i < replay->entries->len; i++) {
		const struct entry *entry = g_ptr_array_index(replay->entries, i);
		unsigned int distance = question_distance(&entry->question, question);

		if (distance < least) {
			best = entry;
			least = distance;
		}
	}
	return best;
}

static void explain_unmatched(const struct replay *replay, const struct question *question,
			      char *why)
{
	const struct entry *closest = find_closest(replay, question);
	char asked[128], difference[REPLAY_WHY_SIZE - 200];

	question_format(question, asked, sizeof(asked));
	question_format_difference(&closest->question, question, difference, sizeof(difference));
	g_snprintf(why, REPLAY_WHY_SIZE, "the capture does not have %s; closest is frame %u: %s",
		   asked, replay->capture->mads[closest->mad].frame, difference);
}

enum replay_verdict replay_answer(struct replay *replay, const struct packet *request,
				  struct packet *answer, char *why)
{
	const uint8_t *mad = packet_mad_const(request);
	const struct capture_mad *captured;
	struct question question;
	struct packet_addr asked;
	struct entry *entry;
	unsigned int index;

	if (!question_is_asked(mad)) {
		g_snprintf(why, REPLAY_WHY_SIZE, "not a request that expects an answer");
		return REPLAY_NOT_ASKED;
	}
	take_apart(request, &asked);
	question_from(&asked, mad, replay->asker.own_port != 0, &question);
	entry = g_hash_table_lookup(replay->by_question, &question);
	if (!entry) {
		explain_unmatched(replay, &question, why);
		return REPLAY_UNMATCHED;
	}
	if (!entry->answers->len) {
		g_snprintf(why, REPLAY_WHY_SIZE, "frame %u asked the same and got no answer either",
			   replay->capture->mads[entry->mad].frame);
		return REPLAY_SILENT;
	}
	index = g_array_index(entry->answers, unsigned int, entry->next);
	captured = &replay->capture->mads[index];
	if (is_rmpp_active(captured->mad) && !(captured->mad[RMPP_FLAGS] & RMPP_FLAG_LAST)) {
		g_snprintf(why, REPLAY_WHY_SIZE, "the answer, from frame %u on, has several "
			   "segments; such answers are not replayed", captured->frame);
		return REPLAY_UNMATCHED;
	}
	if (entry->next + 1 < entry->answers->len)
		entry->next++;
	build_answer(captured, &asked, mad, answer);
	g_snprintf(why, REPLAY_WHY_SIZE, "frame %u answers", captured->frame);
	return REPLAY_ANSWERED;
}

void replay_report(struct replay *replay, const struct packet *request, const char *why)
{
	struct packet_addr asked;
	struct question *question = g_new(struct question, 1);

	replay->unmatched++;
	take_apart(request, &asked);
	question_from(&asked, packet_mad_const(request), replay->asker.own_port != 0, question);
	if (!g_hash_table_add(replay->reported, question))
		return;
	if (g_hash_table_size(replay->reported) <= REPORTS_MAX)
		fprintf(stderr, "%s: not answered: %s\n", replay->capture->file, why);
	else if (g_hash_table_size(replay->reported) == REPORTS_MAX + 1)
		fprintf(stderr, "%s: more questions are not answered; from here they are counted\n",
			replay->capture->file);
}

size_t replay_unmatched(const struct replay *replay)
{
	return replay->unmatched;
}
