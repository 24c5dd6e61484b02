/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Forms of messages: see sim/diff/form.h.
 */
#include "sim/diff/form.h"

#include <arpa/inet.h>
#include <glib.h>
#include <string.h>

_Static_assert(sizeof(struct form_address) == 56, "nothing between the fields");

static void copy_message(const struct conversation_message *from, struct message_bytes *to)
{
	*to = (struct message_bytes){
		.bytes = g_memdup2(from->bytes, MAX(from->padded, (size_t)MAD_SIZE)),
		.size = from->size,
		.padded = from->padded,
		.header = from->header,
		.seen_size = from->seen_size,
	};
	/* How much more there is room for says nothing about the message. */
	while (to->seen_size && !from->seen[to->seen_size - 1])
		to->seen_size--;
	to->seen = g_memdup2(from->seen, to->seen_size);
	/* As many as there are without a gap. */
	if (from->header)
		to->header_count = (from->padded - from->header) / (MAD_SIZE - from->header);
	to->header_count -= to->header_count > 0;
	to->headers = g_memdup2(from->headers, to->header_count * from->header);
	if (!to->headers)
		to->header_count = 0;
}

/* A route has as many hops as it says: what programs leave behind the last one is no route. */
static void blank_behind_route(uint8_t *mad)
{
	size_t hops = mad[SMP_HOP_CNT] + 1U;

	if (mad[MAD_CLASS] != MAD_CLASS_SUBN_DR || hops >= SMP_PATH_SIZE)
		return;
	memset(mad + SMP_INITIAL_PATH + hops, 0, SMP_PATH_SIZE - hops);
	memset(mad + SMP_RETURN_PATH + hops, 0, SMP_PATH_SIZE - hops);
}

void form_make(const struct ignored_fields *ignored, bool has_lids,
	       const struct conversation_message *message, struct form *ret)
{
	const struct packet_addr *addr = &message->addr;
	struct form_address *to = &ret->address;
	const bool *none = ignored->address;

	memset(to, 0, sizeof(*to));
	to->is_there = 1;
	to->has_lids = has_lids;
	if (has_lids) {
		to->sl = none[ADDRESS_SL] ? 0 : addr->sl;
		to->slid = none[ADDRESS_SLID] ? 0 : addr->slid;
		to->dlid = none[ADDRESS_DLID] ? 0 : addr->dlid;
	}
	to->pkey = none[ADDRESS_PKEY] ? 0 : addr->pkey;
	to->sqp = none[ADDRESS_SQP] ? 0 : addr->src_qp;
	to->dqp = none[ADDRESS_DQP] ? 0 : addr->dest_qp;
	to->qkey = none[ADDRESS_QKEY] ? 0 : addr->qkey;
	to->has_grh = addr->has_grh && !none[ADDRESS_GRH];
	if (to->has_grh && !none[ADDRESS_SGID])
		memcpy(to->sgid, addr->sgid, 16);
	if (to->has_grh && !none[ADDRESS_DGID])
		memcpy(to->dgid, addr->dgid, 16);
	copy_message(message, &ret->message);
	blank_behind_route(ret->message.bytes);
	ignored_fields_blank(ignored, &ret->message);
}

void form_clear(struct form *form)
{
	g_free(form->message.bytes);
	g_free(form->message.headers);
	g_free(form->message.seen);
	*form = (struct form){ .message = { .bytes = NULL } };
}

/* Each step can be undone, knowing the word: one word that differs is never made good again. */
static void add_word(struct form_digest *digest, uint64_t word)
{
	uint64_t one = digest->half[0] ^ word, other = digest->half[1] ^ word;

	one *= UINT64_C(0x9e3779b97f4a7c15);
	digest->half[0] = one ^ one >> 29;
	other = (other << 23 | other >> 41) * UINT64_C(0xd6e8feb86659fd93);
	digest->half[1] = other ^ other >> 32;
}

void form_digest_add_bytes(struct form_digest *digest, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	for (; size >= 8; at += 8, size -= 8)
		add_word(digest, get_be64(at));
	if (size) {
		uint8_t rest[8] = { 0 };

		memcpy(rest, at, size);
		add_word(digest, get_be64(rest));
	}
}

void form_digest_add(struct form_digest *digest, const struct form *form)
{
	const struct message_bytes *message = &form->message;

	add_word(digest, message->size);
	form_digest_add_bytes(digest, &form->address, sizeof(form->address));
	form_digest_add_bytes(digest, message->bytes, message->padded);
	form_digest_add_bytes(digest, message->headers, message->header_count * message->header);
	form_digest_add_bytes(digest, message->seen, message->seen_size);
}

/* ---- differences ---- */

struct report {
	field_difference_fn *fn;
	void *ctx;
	size_t count;
};

static void number(struct report *report, enum address_field field, const char *format, uint32_t a,
		   uint32_t b)
{
	char one[32], other[32];

	if (a == b)
		return;
	if (*format == 'x') {
		g_snprintf(one, sizeof(one), "0x%x", a);
		g_snprintf(other, sizeof(other), "0x%x", b);
	} else {
		g_snprintf(one, sizeof(one), "%u", a);
		g_snprintf(other, sizeof(other), "%u", b);
	}
	report->count++;
	report->fn(report->ctx, address_field_names[field], one, other);
}

static void gid(struct report *report, enum address_field field, const uint8_t *a, const uint8_t *b)
{
	char one[INET6_ADDRSTRLEN], other[INET6_ADDRSTRLEN];

	if (memcmp(a, b, 16) == 0)
		return;
	inet_ntop(AF_INET6, a, one, sizeof(one));
	inet_ntop(AF_INET6, b, other, sizeof(other));
	report->count++;
	report->fn(report->ctx, address_field_names[field], one, other);
}

static size_t address_differences(const struct form *a, const struct form *b,
				  field_difference_fn *fn, void *ctx)
{
	const struct form_address *one = &a->address, *other = &b->address;
	struct report report = { fn, ctx, 0 };

	if (one->has_lids && other->has_lids) {
		number(&report, ADDRESS_SLID, "", one->slid, other->slid);
		number(&report, ADDRESS_DLID, "", one->dlid, other->dlid);
		number(&report, ADDRESS_SL, "", one->sl, other->sl);
	} else if (one->has_lids != other->has_lids) {
		report.count++;
		fn(ctx, "transport", one->has_lids ? "InfiniBand" : "RoCE",
		   other->has_lids ? "InfiniBand" : "RoCE");
	}
	number(&report, ADDRESS_PKEY, "x", one->pkey, other->pkey);
	number(&report, ADDRESS_SQP, "", one->sqp, other->sqp);
	number(&report, ADDRESS_DQP, "", one->dqp, other->dqp);
	number(&report, ADDRESS_QKEY, "x", one->qkey, other->qkey);
	if (one->has_grh != other->has_grh) {
		report.count++;
		fn(ctx, address_field_names[ADDRESS_GRH], one->has_grh ? "yes" : "no",
		   other->has_grh ? "yes" : "no");
	} else {
		gid(&report, ADDRESS_SGID, one->sgid, other->sgid);
		gid(&report, ADDRESS_DGID, one->dgid, other->dgid);
	}
	return report.count;
}

size_t form_differences(const struct form *a, const struct form *b, field_difference_fn *fn,
			void *ctx)
{
	return address_differences(a, b, fn, ctx) +
	       message_differences(&a->message, &b->message, fn, ctx);
}
