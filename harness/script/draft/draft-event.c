/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a captured port did: see harness/script/draft/draft-event.h.
 */
#include "harness/script/draft/draft-event.h"

#include <string.h>

#include "harness/script/mad/pattern.h"

enum { ATTR_CLASS_PORT_INFO = 0x0001, ATTR_SM_INFO = 0x0020 };

static void ask_free(void *data)
{
	struct draft_ask *ask = data;

	if (ask->data)
		g_byte_array_unref(ask->data);
	if (ask->sent)
		g_byte_array_unref(ask->sent);
	g_free(ask);
}

void draft_events_free(struct draft_events *events)
{
	if (!events)
		return;
	g_ptr_array_unref(events->list);
	g_ptr_array_unref(events->asks);
	g_free(events);
}

/* ---- what a MAD is ---- */

static bool is_rmpp(const uint8_t *mad)
{
	return mad_class_has_rmpp(mad[MAD_CLASS]) && mad[RMPP_VERSION] == 1 &&
	       (mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE) != 0;
}

bool draft_is_segment(const uint8_t *mad)
{
	return is_rmpp(mad) && mad[RMPP_TYPE] == RMPP_TYPE_DATA;
}

static bool is_about_segments(const uint8_t *mad)
{
	return is_rmpp(mad) && mad[RMPP_TYPE] != RMPP_TYPE_DATA;
}

/* Do the agents of simulated nodes answer such requests, and not programs? */
static bool is_answered_by_fabric(const uint8_t *mad)
{
	uint8_t mgmt_class = mad[MAD_CLASS];

	if (mad_class_is_smp(mgmt_class))
		return get_be16(mad + MAD_ATTR_ID) != ATTR_SM_INFO;
	return mgmt_class == MAD_CLASS_PERF || mgmt_class == MAD_CLASS_CONG_MGT;
}

/* An answer of the kernel itself to a request that no agent is there for. */
static bool is_unsupported(const uint8_t *mad)
{
	return (get_be16(mad + MAD_STATUS) & ~SMP_DIRECTION) == MAD_STATUS_BAD_METHOD_ATTR;
}

bool draft_is_of_fabric(const uint8_t *answer)
{
	return is_answered_by_fabric(answer) || is_unsupported(answer);
}

bool draft_is_of_sa(const uint8_t *mad)
{
	return mad[MAD_CLASS] == MAD_CLASS_SUBN_ADM && mad_is_response(mad) &&
	       !draft_is_of_fabric(mad) && get_be16(mad + MAD_ATTR_ID) != ATTR_CLASS_PORT_INFO;
}

/* Do the two belong together, as a request and its answer or as parts of one exchange? */
static bool same_exchange(const uint8_t *left, const uint8_t *right)
{
	return left[MAD_CLASS] == right[MAD_CLASS] &&
	       memcmp(left + MAD_TID, right + MAD_TID, 8) == 0 &&
	       memcmp(left + MAD_ATTR_ID, right + MAD_ATTR_ID, 2) == 0 &&
	       (left[MAD_CLASS] != MAD_CLASS_SUBN_DR ||
		memcmp(left + SMP_INITIAL_PATH, right + SMP_INITIAL_PATH, SMP_PATH_SIZE) == 0);
}

/* The last request of that exchange; 'open': that has no answer yet. */
static struct draft_ask *find_ask(const struct draft_events *events, const uint8_t *mad, bool open)
{
	for (guint i = events->asks->len; i-- > 0;) {
		struct draft_ask *ask = events->asks->pdata[i];

		if (same_exchange(ask->request, mad) && !(open && ask->is_answered))
			return ask;
	}
	return NULL;
}

/* ---- events ---- */

static struct draft_event *add_event(struct draft_events *events, enum draft_event_kind kind,
				     const struct capture_mad *mad, struct draft_ask *ask)
{
	struct draft_event *event = g_new0(struct draft_event, 1);

	event->kind = kind;
	event->mad = mad;
	event->ask = ask;
	memcpy(event->bytes, mad->mad, MAD_SIZE);
	g_ptr_array_add(events->list, event);
	return event;
}

static bool refuse(GString *reterr, const struct capture_mad *mad, const char *why)
{
	g_autofree char *summary = mad_summary(mad->mad);

	g_string_append_printf(reterr, "frame %u, %s: %s", mad->frame, summary, why);
	return false;
}

static struct draft_ask *add_ask(struct draft_events *events, const struct capture_mad *mad)
{
	struct draft_ask *ask = find_ask(events, mad->mad, true);

	if (ask && !draft_is_segment(mad->mad) && memcmp(ask->request, mad->mad, MAD_SIZE) == 0) {
		ask->sends++;
		if (ask->sends == 2 || mad->time_ns - ask->last_ns < ask->gap_ns)
			ask->gap_ns = mad->time_ns - ask->last_ns;
		ask->last_ns = mad->time_ns;
		add_event(events, DRAFT_AGAIN, mad, ask);
		return ask;
	}
	ask = g_new0(struct draft_ask, 1);
	ask->number = events->asks->len + 1;
	ask->sends = 1;
	ask->first_ns = ask->last_ns = mad->time_ns;
	ask->due_ns = -1;
	ask->dlid = mad->addr.dlid;
	memcpy(ask->request, mad->mad, MAD_SIZE);
	g_ptr_array_add(events->asks, ask);
	add_event(events, DRAFT_ASK, mad, ask);
	return ask;
}

/* Adds the data of a segment. The last one says how much of it is data. */
static void take_segment(GByteArray **data, const uint8_t *mad)
{
	unsigned int at = mad_class_header_size(mad[MAD_CLASS]), size = MAD_SIZE - at;
	unsigned int header = at - RMPP_END, length = get_be32(mad + RMPP_PAYLEN_NEWWIN);

	if (!*data)
		*data = g_byte_array_new();
	if ((mad[RMPP_FLAGS] & RMPP_FLAG_LAST) && length >= header && length - header < size)
		size = length - header;
	/* One that comes again adds nothing. */
	if ((*data)->len == (get_be32(mad + RMPP_SEGMENT) - 1) * (MAD_SIZE - at))
		g_byte_array_append(*data, mad + at, size);
}

/* A segment of a message that a program sends leaves. */
static bool send_segment(struct draft_events *events, const struct capture_mad *mad,
			 GString *reterr)
{
	struct draft_ask *ask = find_ask(events, mad->mad, true);

	if (mad_is_response(mad->mad))
		return refuse(reterr, mad, "an answer that a program gives cannot be written yet: "
			      "only what programs ask can; name the port of one that asks with "
			      "--port");
	if (!ask && get_be32(mad->mad + RMPP_SEGMENT) != 1)
		return refuse(reterr, mad, "the segments before this one are not in the capture: "
			      "name another port with --port");
	if (ask)
		add_event(events, DRAFT_PIECE, mad, ask);
	else
		ask = add_ask(events, mad);
	take_segment(&ask->sent, mad->mad);
	return true;
}

/* An answer, or a segment of one, has come. */
static struct draft_event *answer_ask(struct draft_events *events, const struct capture_mad *mad,
				      struct draft_ask *ask, enum draft_event_kind kind)
{
	struct draft_event *event = add_event(events, kind, mad, ask);

	event->is_end = !draft_is_segment(mad->mad) ||
			(mad->mad[RMPP_FLAGS] & RMPP_FLAG_LAST) != 0;
	ask->is_foreign = kind == DRAFT_FOREIGN;
	ask->is_answered = event->is_end;
	ask->answered_ns = mad->time_ns;
	if (draft_is_segment(mad->mad))
		take_segment(&ask->data, mad->mad);
	return event;
}

/*
 * Adds the request by a directed route that 'answer', which the port sent, belongs to. That is
 * captured where it left its source, and nothing in it names the port. On its way its hop pointer
 * has come to its end, and the return path is the answer's (IBA vol 1, 14.2.2.2).
 */
static void add_routed_request(struct draft_events *events, const struct capture *capture,
			       const struct capture_mad *answer)
{
	for (size_t i = (size_t)(answer - capture->mads); i-- > 0;) {
		const struct capture_mad *mad = &capture->mads[i];
		struct draft_event *event;

		if (mad_is_response(mad->mad) || capture_mad_is_death(mad) ||
		    !same_exchange(mad->mad, answer->mad))
			continue;
		event = add_event(events, DRAFT_ARRIVES, mad, NULL);
		events->elsewhere--;
		event->bytes[SMP_HOP_PTR] = event->bytes[SMP_HOP_CNT];
		memcpy(event->bytes + SMP_RETURN_PATH, answer->mad + SMP_RETURN_PATH,
		       SMP_PATH_SIZE);
		return;
	}
}

static bool take_sent(struct draft_events *events, const struct capture *capture,
		      const struct capture_mad *mad, GString *reterr)
{
	const uint8_t *bytes = mad->mad;
	struct draft_ask *ask;

	if (is_about_segments(bytes)) {
		add_event(events, DRAFT_OWN, mad, find_ask(events, bytes, false));
		return true;
	}
	if (draft_is_segment(bytes))
		return send_segment(events, mad, reterr);
	if (!mad_is_response(bytes)) {
		add_ask(events, mad);
		return true;
	}
	ask = find_ask(events, bytes, true);
	/* A port asks itself by its own LID, or by a route that comes back to it. */
	if (bytes[MAD_CLASS] != MAD_CLASS_SUBN_DR && mad->addr.dlid != mad->addr.slid)
		ask = NULL;
	if (!draft_is_of_fabric(bytes))
		return refuse(reterr, mad, "an answer that a program gives cannot be written yet: "
			      "only what programs ask can; name the port of one that asks with "
			      "--port");
	if (!ask && bytes[MAD_CLASS] == MAD_CLASS_SUBN_DR)
		add_routed_request(events, capture, mad);
	add_event(events, DRAFT_OWN, mad, ask);
	if (ask)
		answer_ask(events, mad, ask, DRAFT_ANSWER);
	return true;
}

static void take_got(struct draft_events *events, const struct draft *draft,
		     const struct capture_stand *stand, const struct capture_mad *mad)
{
	struct draft_ask *ask = find_ask(events, mad->mad, true);
	bool is_answer = mad_is_response(mad->mad) || draft_is_segment(mad->mad);
	struct draft_event *event;

	if (ask && ask->sent && is_about_segments(mad->mad)) {
		/* How far the request has come there. */
		event = add_event(events, DRAFT_ARRIVES, mad, ask);
	} else if (ask && is_answer) {
		if (mad->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR && draft->is_back &&
		    draft->is_back(draft->is_back_ctx, mad->mad))
			add_event(events, DRAFT_OWN, mad, ask);
		event = answer_ask(events, mad, ask, draft_is_of_fabric(mad->mad) ?
				   DRAFT_ANSWER : DRAFT_FOREIGN);
	} else if (is_answer && stand->label && mad->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR) {
		/* The route of an answer does not say which port it is for: another one asked. */
		return;
	} else {
		event = add_event(events, DRAFT_ARRIVES, mad, NULL);
	}
	capture_mad_got(mad, event->bytes);
}

const char *draft_partner(const struct capture *capture, const char *self)
{
	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];

		if (!mad_is_response(mad->mad) || !mad->interface_name ||
		    draft_is_of_fabric(mad->mad) || g_str_equal(mad->interface_name, self))
			continue;
		for (size_t j = i; j-- > 0;) {
			const struct capture_mad *asked = &capture->mads[j];

			if (g_strcmp0(asked->interface_name, self) == 0 &&
			    !mad_is_response(asked->mad) && same_exchange(asked->mad, mad->mad))
				return mad->interface_name;
		}
	}
	return NULL;
}

/* ---- the order of answers ---- */

static gint by_ask(gconstpointer left, gconstpointer right)
{
	const struct draft_event *const *a = left, *const *b = right;

	return (*a)->ask->number < (*b)->ask->number ? -1 : (*a)->ask->number > (*b)->ask->number;
}

/* The fabric's answers, wherever they are, in the order of the requests. */
static void sort_answers(struct draft_events *events)
{
	g_autoptr(GPtrArray) answers = g_ptr_array_new();
	guint next = 0;

	for (guint i = 0; i < events->list->len; i++) {
		struct draft_event *event = events->list->pdata[i];

		if (event->kind == DRAFT_ANSWER)
			g_ptr_array_add(answers, event);
	}
	g_ptr_array_sort(answers, by_ask);
	for (guint i = 0; i < events->list->len; i++) {
		if (((struct draft_event *)events->list->pdata[i])->kind == DRAFT_ANSWER)
			events->list->pdata[i] = answers->pdata[next++];
	}
}

/* What the port answers itself leaves directly behind the request. */
static void move_own_answers(struct draft_events *events)
{
	GPtrArray *list = events->list;

	for (guint i = 0; i < list->len; i++) {
		struct draft_event *event = list->pdata[i];
		guint at = i;

		if (event->kind != DRAFT_OWN || !event->ask || !mad_is_response(event->bytes))
			continue;
		while (at > 0 && ((struct draft_event *)list->pdata[at - 1])->ask != event->ask)
			at--;
		for (guint j = i; at > 0 && j > at; j--)
			list->pdata[j] = list->pdata[j - 1];
		if (at > 0)
			list->pdata[at] = event;
	}
}

struct draft_events *draft_events_new(const struct draft *draft, const struct capture *capture,
				      const struct capture_stand *stand, GString *reterr)
{
	struct draft_events *events = g_new0(struct draft_events, 1);
	bool ok = true;

	events->list = g_ptr_array_new_with_free_func(g_free);
	events->asks = g_ptr_array_new_with_free_func(ask_free);
	for (size_t i = 0; ok && i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];

		switch (capture_side(stand, mad)) {
		case CAPTURE_SENT:
			ok = take_sent(events, capture, mad, reterr);
			break;
		case CAPTURE_GOT:
			take_got(events, draft, stand, mad);
			break;
		case CAPTURE_ELSEWHERE:
			events->elsewhere += !mad_is_response(mad->mad) &&
					     !capture_mad_is_death(mad);
			break;
		}
	}
	if (ok && events->list->len == 0) {
		g_string_append(reterr, "no MAD has left the port, and none has come to it");
		ok = false;
	}
	if (ok && draft->latency_ns == 0) {
		sort_answers(events);
		move_own_answers(events);
	}
	if (ok)
		return events;
	draft_events_free(events);
	return NULL;
}
