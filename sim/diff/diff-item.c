/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Conversations to compare: see sim/diff/diff-item.h.
 */
#include "sim/diff/diff-item.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "sim/capture/replay-question.h"

static void make_form(const struct ignored_fields *ignored,
		      const struct conversation_message *message, struct form *ret)
{
	if (message->frame)
		form_make(ignored, message->transport == CAPTURE_INFINIBAND, message, ret);
}

/* What is asked in a message, and of whom. */
static void ask(const struct form *form, struct question *ret)
{
	struct packet_addr addr = { .dlid = form->address.dlid, .has_grh = form->address.has_grh };

	memcpy(addr.dgid, form->address.dgid, sizeof(addr.dgid));
	question_from(&addr, form->message.bytes, false, ret);
}

static uint64_t identity_of(const struct form *head, bool is_answer)
{
	const struct form_address *from = &head->address;
	struct form_digest digest = FORM_DIGEST_INIT;
	struct question question;

	ask(head, &question);
	form_digest_add_bytes(&digest, question.bytes, QUESTION_SIZE);
	form_digest_add_bytes(&digest, &is_answer, sizeof(is_answer));
	if (head->message.bytes[MAD_CLASS] != MAD_CLASS_SUBN_DR) {
		form_digest_add_bytes(&digest, &from->slid, sizeof(from->slid));
		form_digest_add_bytes(&digest, from->sgid, sizeof(from->sgid));
	}
	return digest.half[0] ^ digest.half[1];
}

struct diff_item *diff_item_new(const struct ignored_fields *ignored, uint64_t number,
				const struct conversation *conversation)
{
	struct diff_item *item = g_new0(struct diff_item, 1);
	const struct conversation_message *head = conversation_head(conversation);
	bool is_orphan = conversation->kind == CONVERSATION_ORPHAN;

	item->number = number;
	item->kind = conversation->kind;
	item->frames[DIFF_REQUEST] = conversation->request.frame;
	item->frames[DIFF_ANSWER] = conversation->answer.frame;
	item->frames[DIFF_CLOSE] = conversation->close.frame;
	item->time_ns = head->time_ns;
	item->part_ns[DIFF_REQUEST] = conversation->request.time_ns;
	item->part_ns[DIFF_ANSWER] = conversation->answer.time_ns;
	item->part_ns[DIFF_CLOSE] = conversation->close.time_ns;
	if (!ignored->conversation[CONVERSATION_RETRIES])
		item->counts[CONVERSATION_RETRIES] = conversation->retries;
	if (!ignored->conversation[CONVERSATION_LOSSES])
		item->counts[CONVERSATION_LOSSES] = conversation->losses;
	make_form(ignored, &conversation->request, &item->forms[DIFF_REQUEST]);
	make_form(ignored, &conversation->answer, &item->forms[DIFF_ANSWER]);
	make_form(ignored, &conversation->close, &item->forms[DIFF_CLOSE]);
	memcpy(item->head, head->bytes, MAD_SIZE);
	item->identity = identity_of(&item->forms[is_orphan ? DIFF_ANSWER : DIFF_REQUEST],
				     is_orphan);
	item->digest = (struct form_digest)FORM_DIGEST_INIT;
	form_digest_add_bytes(&item->digest, item->counts, sizeof(item->counts));
	for (unsigned int part = 0; part < DIFF_PARTS; part++)
		form_digest_add(&item->digest, &item->forms[part]);
	return item;
}

struct diff_item *diff_item_of_packet(const struct ignored_fields *ignored, uint64_t number,
				      const struct capture_mad *mad)
{
	const uint8_t direction = mad->direction;
	const struct conversation alone = {
		.kind = CONVERSATION_ONE_WAY,
		.request = {
			.frame = mad->frame, .time_ns = mad->time_ns, .transport = mad->transport,
			.addr = mad->addr, .bytes = mad->mad, .size = MAD_SIZE, .padded = MAD_SIZE,
		},
	};
	struct diff_item *item = diff_item_new(ignored, number, &alone);
	struct form_digest identity = { { item->identity, direction } };

	item->is_packet = true;
	item->direction = mad->direction;
	form_digest_add_bytes(&item->digest, &direction, sizeof(direction));
	form_digest_add_bytes(&identity, &direction, sizeof(direction));
	item->identity = identity.half[0] ^ identity.half[1];
	return item;
}

void diff_item_free(struct diff_item *item)
{
	for (unsigned int part = 0; item && part < DIFF_PARTS; part++)
		form_clear(&item->forms[part]);
	g_free(item);
}

size_t diff_item_held(const struct diff_item *item)
{
	size_t held = item ? sizeof(*item) : 0;

	for (unsigned int part = 0; item && part < DIFF_PARTS; part++) {
		const struct message_bytes *message = &item->forms[part].message;

		held += message->padded + message->seen_size +
			message->header * message->header_count;
	}
	return held;
}

/* An answer without its request is like an answer: what it answers is not known. */
static const struct form *form_like(const struct diff_item *item, const struct diff_item *other)
{
	bool as_answer = item->kind == CONVERSATION_ORPHAN ||
			 (other->kind == CONVERSATION_ORPHAN &&
			  item->forms[DIFF_ANSWER].address.is_there);

	return &item->forms[as_answer ? DIFF_ANSWER : DIFF_REQUEST];
}

unsigned int diff_items_distance(const struct diff_item *a, const struct diff_item *b)
{
	const struct form *one = form_like(a, b), *other = form_like(b, a);
	unsigned int bytes = (a->kind != b->kind) + (a->direction != b->direction);
	struct question one_asked, other_asked;

	ask(one, &one_asked);
	ask(other, &other_asked);
	for (unsigned int i = 0; i < MAD_SIZE; i++)
		bytes += one->message.bytes[i] != other->message.bytes[i];
	return question_distance(&one_asked, &other_asked) * 2 * MAD_SIZE + bytes;
}

static const char *const direction_names[] = {
	[CAPTURE_DIRECTION_UNKNOWN] = "unknown", [CAPTURE_INBOUND] = "in",
	[CAPTURE_OUTBOUND] = "out",
};

static size_t compare_directions(const struct diff_item *a, const struct diff_item *b,
				 diff_field_fn *fn, void *ctx)
{
	if (a->direction == b->direction)
		return 0;
	fn(ctx, DIFF_PARTS, "direction", direction_names[a->direction],
	   direction_names[b->direction]);
	return 1;
}

struct part_report {
	diff_field_fn *fn;
	void *ctx;
	enum diff_part part;
};

static void report_field(void *ctx, const char *name, const char *a, const char *b)
{
	const struct part_report *report = ctx;

	report->fn(report->ctx, report->part, name, a, b);
}

static size_t compare_counts(const struct diff_item *a, const struct diff_item *b,
			     diff_field_fn *fn, void *ctx)
{
	size_t count = 0;

	for (unsigned int i = 0; i < CONVERSATION_FIELDS; i++) {
		char one[16], other[16];

		if (a->counts[i] == b->counts[i])
			continue;
		g_snprintf(one, sizeof(one), "%u", a->counts[i]);
		g_snprintf(other, sizeof(other), "%u", b->counts[i]);
		fn(ctx, DIFF_PARTS, conversation_field_names[i], one, other);
		count++;
	}
	return count;
}

/* Of an answer: since the request, where there is one. */
static int64_t time_of(const struct diff_item *item, unsigned int part)
{
	bool is_later = part != DIFF_REQUEST && item->frames[DIFF_REQUEST];

	return item->part_ns[part] - (is_later ? item->part_ns[DIFF_REQUEST] : 0);
}

/* B began to be like A 'apart_ns' later: that counts for what has no request before it. */
static int64_t time_like_a(const struct diff_item *b, unsigned int part, int64_t apart_ns)
{
	bool is_later = part != DIFF_REQUEST && b->frames[DIFF_REQUEST];

	return time_of(b, part) - (is_later ? 0 : apart_ns);
}

bool diff_item_compare_times(const struct diff_item *a, struct diff_item *b, int64_t apart_ns,
			     int64_t tolerance_ns)
{
	bool is_same = true;

	b->apart_ns = apart_ns;
	for (unsigned int part = 0; part < DIFF_PARTS; part++) {
		if (!a->frames[part] || !b->frames[part])
			continue;
		b->is_late[part] = ABS(time_like_a(b, part, apart_ns) - time_of(a, part)) >
				   tolerance_ns;
		is_same &= !b->is_late[part];
	}
	return is_same;
}

static size_t report_times(const struct diff_item *a, const struct diff_item *b, diff_field_fn *fn,
			   void *ctx)
{
	size_t count = 0;

	for (unsigned int part = 0; part < DIFF_PARTS; part++) {
		char one[32], other[32];

		if (!b->is_late[part])
			continue;
		g_snprintf(one, sizeof(one), "%.6fms", (double)time_of(a, part) / 1e6);
		g_snprintf(other, sizeof(other), "%.6fms",
			   (double)time_like_a(b, part, b->apart_ns) / 1e6);
		fn(ctx, b->is_packet ? DIFF_PARTS : (enum diff_part)part, "time", one, other);
		count++;
	}
	return count;
}

size_t diff_item_differences(const struct diff_item *a, const struct diff_item *b,
			     diff_field_fn *fn, void *ctx)
{
	struct part_report report = { fn, ctx, DIFF_REQUEST };
	size_t count = compare_directions(a, b, fn, ctx);

	for (unsigned int part = 0; part < DIFF_PARTS; part++) {
		bool one = a->forms[part].address.is_there, other = b->forms[part].address.is_there;

		report.part = a->is_packet ? DIFF_PARTS : (enum diff_part)part;
		if (one != other) {
			fn(ctx, report.part, "there", one ? "yes" : "no", other ? "yes" : "no");
			count++;
		} else if (one) {
			count += form_differences(&a->forms[part], &b->forms[part], report_field,
						  &report);
		}
	}
	count += report_times(a, b, fn, ctx);
	return count + compare_counts(a, b, fn, ctx);
}
