/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Conversations: see sim/capture/conversation.h.
 *
 * All pending conversations are in one list, in the order of their first MADs, and in chains by
 * key. The head of the list is handed out when it is complete, or old, or when there are too many.
 */
#include "sim/capture/conversation.h"

#include <glib.h>
#include <string.h>

#include "sim/capture/mad-role.h"
#include "sim/capture/side.h"
#include "sim/capture/transfer.h"

enum {
	BUCKETS = CONVERSATIONS_MAX * 2,
	LOOK_AT_MAX = 256,	/* conversations of one bucket: no key has so many */
};

/* Where a MAD was recorded. */
struct sighting {
	int interface;
	enum capture_direction direction;
};

/* A message while it is assembled. */
struct part {
	struct conversation_message *message;	/* of the conversation */
	struct transfer transfer;
	struct sighting seen_at;		/* where it was first seen */
};

struct pending {
	struct conversation conversation;
	struct mad_key key;
	struct part request, answer, close;
	struct pending *newer, *older;		/* in the list of all */
	struct pending *next, *previous;	/* in its bucket, newest first */
	bool expects_answer;
	bool expects_close;
	unsigned int drops;			/* MADs dropped on their way */
	bool answer_dropped;
	int64_t touched_ns;
};

struct conversations {
	conversation_fn *fn;
	void *ctx;
	struct pending *oldest, *newest;
	size_t count;
	size_t held;				/* bytes of transfers */
	int64_t now_ns;				/* the latest time of any MAD */
	size_t ran_out;
	size_t damaged;
	struct pending *buckets[BUCKETS];
};

/* ---- the list and the chains ---- */

static struct pending **bucket_of(struct conversations *all, const struct mad_key *key)
{
	return &all->buckets[mad_key_hash(key) % BUCKETS];
}

static struct pending *add_pending(struct conversations *all, const struct mad_key *key)
{
	struct pending *pending = g_new0(struct pending, 1);
	struct pending **bucket = bucket_of(all, key);

	pending->key = *key;
	pending->request.message = &pending->conversation.request;
	pending->answer.message = &pending->conversation.answer;
	pending->close.message = &pending->conversation.close;
	pending->older = all->newest;
	if (all->newest)
		all->newest->newer = pending;
	else
		all->oldest = pending;
	all->newest = pending;
	pending->next = *bucket;
	if (*bucket)
		(*bucket)->previous = pending;
	*bucket = pending;
	all->count++;
	return pending;
}

static size_t held_by(const struct pending *pending)
{
	return transfer_held(&pending->request.transfer) +
	       transfer_held(&pending->answer.transfer) + transfer_held(&pending->close.transfer);
}

/* Removes the oldest from the list and the chains. */
static void remove_oldest(struct conversations *all)
{
	struct pending *pending = all->oldest;

	all->oldest = pending->newer;
	if (all->oldest)
		all->oldest->older = NULL;
	else
		all->newest = NULL;
	if (pending->previous)
		pending->previous->next = pending->next;
	else
		*bucket_of(all, &pending->key) = pending->next;
	if (pending->next)
		pending->next->previous = pending->previous;
	all->count--;
	all->held -= held_by(pending);
	transfer_clear(&pending->request.transfer);
	transfer_clear(&pending->answer.transfer);
	transfer_clear(&pending->close.transfer);
	g_free(pending);
}

/* The conversations with 'key', newest first; '*left' limits how many are looked at. */
static struct pending *with_key(struct pending *pending, const struct mad_key *key,
				unsigned int *left)
{
	while (pending && *left && !mad_key_equal(&pending->key, key)) {
		pending = pending->next;
		--*left;
	}
	if (!*left)
		return NULL;
	--*left;
	return pending;
}

#define for_each_with_key(pending, all, key_, left)                                         \
	for (unsigned int left = LOOK_AT_MAX, once = 1; once; once = 0)                     \
		for (pending = with_key(*bucket_of(all, key_), key_, &left); pending;       \
		     pending = with_key(pending->next, key_, &left))

/* ---- messages ---- */

static bool is_there(const struct part *part)
{
	return part->message->frame != 0;
}

static bool is_same_place(const struct part *part, const struct capture_mad *mad)
{
	return part->seen_at.interface == mad->interface &&
	       part->seen_at.direction == mad->direction;
}

static void touch(struct conversations *all, struct pending *pending, struct part *part,
		  const struct capture_mad *mad)
{
	part->message->last_frame = mad->frame;
	part->message->last_ns = mad->time_ns;
	pending->touched_ns = all->now_ns;
}

/* The first MAD of a message. */
static void begin_part(struct conversations *all, struct pending *pending, struct part *part,
		       const struct capture_mad *mad)
{
	struct conversation_message *message = part->message;

	all->held -= held_by(pending);
	transfer_clear(&part->transfer);
	*message = (struct conversation_message){
		.frame = mad->frame,
		.time_ns = mad->time_ns,
		.transport = mad->transport,
		.addr = mad->addr,
		.interface_name = mad->direction == CAPTURE_OUTBOUND ? mad->interface_name : NULL,
	};
	part->seen_at = (struct sighting){ mad->interface, mad->direction };
	if (mad_is_segment(mad->mad) && transfer_take(&part->transfer, mad->mad) == TRANSFER_ADDED)
		message->segments = 1;
	else
		transfer_of_mad(&part->transfer, mad->mad);
	all->held += held_by(pending);
	touch(all, pending, part, mad);
}

/* A further MAD of a transfer. */
static enum transfer_taken add_to_part(struct conversations *all, struct pending *pending,
				       struct part *part, const struct capture_mad *mad)
{
	size_t before = transfer_held(&part->transfer);
	enum transfer_taken taken = transfer_take(&part->transfer, mad->mad);

	all->held += transfer_held(&part->transfer) - before;
	if (taken == TRANSFER_ADDED || taken == TRANSFER_FULL) {
		part->message->segments++;
		touch(all, pending, part, mad);
	}
	return taken;
}

static bool is_transfer(const struct part *part, const uint8_t *mad)
{
	return part->transfer.seen && mad_is_segment(mad);
}

/* ---- out ---- */

static enum conversation_kind kind_of(const struct pending *pending)
{
	if (!is_there(&pending->request))
		return CONVERSATION_ORPHAN;
	if (is_there(&pending->answer) && !pending->answer_dropped)
		return CONVERSATION_ANSWERED;
	return pending->expects_answer ? CONVERSATION_UNANSWERED : CONVERSATION_ONE_WAY;
}

static void finish_part(struct part *part)
{
	struct conversation_message *message = part->message;
	const struct transfer *transfer = &part->transfer;

	if (!is_there(part))
		return;
	message->bytes = transfer->bytes;
	message->size = transfer->size;
	message->padded = transfer->padded;
	message->headers = transfer->headers;
	message->header = transfer->header;
	message->seen = transfer->seen;
	message->seen_size = transfer->seen_size / 8;
	message->is_broken = !transfer_is_whole(transfer);
}

/*
 * The MADs that the capture shows as dropped, or that must have been lost because of a repetition.
 */
static unsigned int losses_of(const struct pending *pending)
{
	const struct conversation *conversation = &pending->conversation;
	unsigned int sent = 1 + conversation->retries, answers = 0;

	if (!pending->expects_answer || conversation->kind == CONVERSATION_ORPHAN)
		return pending->drops;
	if (conversation->kind == CONVERSATION_ANSWERED)
		answers = 1 + conversation->repeats;
	return MAX(pending->drops, sent > answers ? sent - answers : 0);
}

static void hand_out_oldest(struct conversations *all)
{
	struct pending *pending = all->oldest;
	struct conversation *conversation = &pending->conversation;

	conversation->kind = kind_of(pending);
	finish_part(&pending->request);
	finish_part(&pending->answer);
	/* Without a request the answer is all that there is. */
	if (pending->answer_dropped && conversation->kind != CONVERSATION_ORPHAN)
		conversation->answer = (struct conversation_message){ 0 };
	finish_part(&pending->close);
	conversation->losses = losses_of(pending);
	all->ran_out += conversation->ran_out;
	all->fn(all->ctx, conversation);
	remove_oldest(all);
}

static bool is_done(const struct pending *pending)
{
	enum conversation_kind kind = kind_of(pending);

	if (kind != CONVERSATION_ANSWERED && kind != CONVERSATION_ORPHAN)
		return false;
	if (pending->expects_close && !is_there(&pending->close))
		return false;
	return transfer_is_whole(&pending->answer.transfer) ||
	       pending->conversation.answer.rmpp_status;
}

static void hand_out(struct conversations *all)
{
	while (all->oldest) {
		struct pending *pending = all->oldest;
		bool done = is_done(pending);
		int64_t patience_ns = done ? CONVERSATION_LINGER_NS : CONVERSATION_TIMEOUT_NS;

		if (all->now_ns - pending->touched_ns <= patience_ns) {
			bool lingers = done && all->count > CONVERSATIONS_FEW;
			size_t most = lingers ? CONVERSATION_LINGER_BYTES : CONVERSATION_BYTES_MAX;

			if (all->count <= CONVERSATIONS_MAX && all->held <= most)
				return;
			pending->conversation.ran_out = !done;
		}
		hand_out_oldest(all);
	}
}

/* ---- in ---- */

static bool is_retry_of(struct conversations *all, struct pending *pending,
			const struct capture_mad *mad)
{
	bool answered = is_there(&pending->answer) && !pending->answer_dropped;

	if (!is_same_place(&pending->request, mad))
		return true;	/* the same packet, recorded elsewhere */
	if (answered)
		return false;	/* the same request, sent again */
	pending->conversation.retries++;
	pending->conversation.asked_ns = mad->time_ns;
	pending->touched_ns = all->now_ns;
	return true;
}

/* Takes a MAD of a known request: a segment of it, a retry, or a second record. */
static bool take_again(struct conversations *all, const struct mad_key *key,
		       const struct capture_mad *mad)
{
	struct pending *pending;

	for_each_with_key (pending, all, key, left) {
		struct part *request = &pending->request;

		if (!is_there(request) ||
		    request->transfer.bytes[MAD_METHOD] != mad->mad[MAD_METHOD] ||
		    !mad_goes_along(&request->message->addr, request->transfer.bytes, &mad->addr,
				    mad->mad))
			continue;
		if (is_transfer(request, mad->mad)) {
			enum transfer_taken taken = add_to_part(all, pending, request, mad);

			if (taken == TRANSFER_REPEATED && is_same_place(request, mad))
				pending->conversation.retries++;
			if (taken != TRANSFER_REFUSED)
				return true;
		} else if (mad_is_same(request->transfer.bytes, mad->mad) &&
			   is_retry_of(all, pending, mad)) {
			return true;
		}
	}
	return false;
}

static void take_first(struct conversations *all, const struct mad_key *key,
		       const struct capture_mad *mad, bool expects_answer)
{
	struct pending *pending = add_pending(all, key);

	pending->expects_answer = expects_answer;
	pending->conversation.asked_ns = mad->time_ns;
	begin_part(all, pending, &pending->request, mad);
}

/* Is the answer one of the conversation's, new or known? */
static bool answers_pending(struct conversations *all, struct pending *pending,
			    const struct capture_mad *mad)
{
	struct part *answer = &pending->answer;

	if (!is_there(answer) || pending->answer_dropped) {
		pending->answer_dropped = false;
		begin_part(all, pending, answer, mad);
		/* The requester confirms that the connection is established (IBA vol 1, 12.9.5). */
		pending->expects_close = mad_expects_close(mad->mad);
		return true;
	}
	if (is_transfer(answer, mad->mad)) {
		enum transfer_taken taken = add_to_part(all, pending, answer, mad);

		if (taken == TRANSFER_REPEATED && is_same_place(answer, mad))
			pending->conversation.repeats++;
		return taken != TRANSFER_REFUSED;
	}
	if (!mad_is_same(answer->transfer.bytes, mad->mad))
		return false;
	if (is_same_place(answer, mad))
		pending->conversation.repeats++;
	pending->touched_ns = all->now_ns;
	return true;
}

static bool take_answer_as(struct conversations *all, const struct mad_key *key,
			   const struct capture_mad *mad, bool any_source)
{
	struct pending *pending;

	for_each_with_key (pending, all, key, left) {
		const struct part *request = &pending->request;

		if (is_there(request) && mad_method_answers(request->transfer.bytes, mad->mad) &&
		    mad_goes_back(&request->message->addr, request->transfer.bytes, &mad->addr,
				  mad->mad, any_source) &&
		    answers_pending(all, pending, mad))
			return true;
	}
	return false;
}

static bool take_answer(struct conversations *all, const struct mad_key *key,
			const struct capture_mad *mad)
{
	return take_answer_as(all, key, mad, false) || take_answer_as(all, key, mad, true);
}

/* Takes an answer whose request was not captured. */
static void take_orphan(struct conversations *all, const struct mad_key *key,
			const struct capture_mad *mad)
{
	struct pending *pending;

	for_each_with_key (pending, all, key, left) {
		const struct part *answer = &pending->answer;

		if (!is_there(&pending->request) && is_there(answer) &&
		    mad_goes_along(&answer->message->addr, answer->transfer.bytes, &mad->addr,
				   mad->mad) &&
		    answers_pending(all, pending, mad))
			return;
	}
	pending = add_pending(all, key);
	begin_part(all, pending, &pending->answer, mad);
}

/* The conversation that a MAD belongs to, in either direction. */
static struct pending *find_around(struct conversations *all, const struct mad_key *key,
				   const struct capture_mad *mad)
{
	struct pending *pending;

	for_each_with_key (pending, all, key, left) {
		const struct part *part = is_there(&pending->request) ? &pending->request :
									&pending->answer;
		const struct packet_addr *addr = &part->message->addr;

		if (mad_goes_along(addr, part->transfer.bytes, &mad->addr, mad->mad) ||
		    mad_goes_back(addr, part->transfer.bytes, &mad->addr, mad->mad, true))
			return pending;
	}
	return NULL;
}

static void take_control(struct conversations *all, struct pending *pending,
			 const struct capture_mad *mad)
{
	struct conversation *conversation = &pending->conversation;
	struct conversation_message *about =
		conversation->answer.segments ? &conversation->answer : &conversation->request;

	pending->touched_ns = all->now_ns;
	if (mad->mad[RMPP_TYPE] != RMPP_TYPE_ACK && !about->rmpp_status)
		about->rmpp_status = mad->mad[RMPP_STATUS];
}

static void take_close(struct conversations *all, struct pending *pending,
		       const struct capture_mad *mad)
{
	if (!is_there(&pending->close))
		begin_part(all, pending, &pending->close, mad);
	else if (is_same_place(&pending->close, mad))
		pending->conversation.repeats++;
}

/* Takes the second record of a MAD, at the port where it was dropped. */
static void take_death(struct conversations *all, const struct mad_key *key,
		       const struct capture_mad *mad)
{
	struct pending *pending = find_around(all, key, mad);

	if (!pending)
		return;		/* its conversation was handed out long ago */
	pending->drops++;
	if (is_there(&pending->answer) && !pending->answer.transfer.seen &&
	    mad_is_same(pending->answer.transfer.bytes, mad->mad))
		pending->answer_dropped = true;
}

static void take_sound(struct conversations *all, const struct capture_mad *mad)
{
	struct mad_key key = mad_key(mad->mad);
	enum mad_role role = mad_role(mad->mad);
	struct pending *around = NULL;

	if (capture_mad_is_death(mad)) {
		take_death(all, &key, mad);
		return;
	}
	if (role == MAD_ROLE_DELAYS || role == MAD_ROLE_CLOSES || role == MAD_ROLE_CONTROLS)
		around = find_around(all, &key, mad);
	switch (role) {
	case MAD_ROLE_ASKS:
		if (!take_again(all, &key, mad))
			take_first(all, &key, mad, true);
		return;
	case MAD_ROLE_ANSWERS:
		if (!take_answer(all, &key, mad))
			take_orphan(all, &key, mad);
		return;
	case MAD_ROLE_SENDS:
		if (!take_again(all, &key, mad) && !take_answer(all, &key, mad))
			take_first(all, &key, mad, false);
		return;
	case MAD_ROLE_DELAYS:
		if (around)
			around->conversation.delays++;
		break;
	case MAD_ROLE_CLOSES:
		if (around)
			take_close(all, around, mad);
		break;
	case MAD_ROLE_CONTROLS:
		if (around)
			take_control(all, around, mad);
		break;
	}
	if (!around && !take_again(all, &key, mad))
		take_first(all, &key, mad, false);
}

void conversations_take(struct conversations *all, const struct capture_mad *mad)
{
	if (mad->icrc_wrong || mad->vcrc_wrong) {
		all->damaged++;
		return;
	}
	all->now_ns = MAX(all->now_ns, mad->time_ns);
	hand_out(all);		/* what is too old by now cannot be answered by this one */
	take_sound(all, mad);
	hand_out(all);
}

/* ---- life ---- */

struct conversations *conversations_new(conversation_fn *fn, void *ctx)
{
	struct conversations *all = g_new0(struct conversations, 1);

	all->fn = fn;
	all->ctx = ctx;
	all->now_ns = INT64_MIN / 2;
	return all;
}

void conversations_end(struct conversations *all)
{
	while (all->oldest)
		hand_out_oldest(all);
}

void conversations_free(struct conversations *all)
{
	while (all && all->oldest)
		remove_oldest(all);
	g_free(all);
}

size_t conversations_ran_out(const struct conversations *all)
{
	return all->ran_out;
}

size_t conversations_damaged(const struct conversations *all)
{
	return all->damaged;
}
