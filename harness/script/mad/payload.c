/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Named data: the contents of messages with many segments, and whole packets.
 */
#include "harness/script/mad/payload.h"

#include <string.h>

#include "harness/script/mad/whole-packet.h"

const struct payload *payload_find(const GPtrArray *payloads, const char *name)
{
	for (guint i = 0; i < payloads->len; i++) {
		const struct payload *payload = payloads->pdata[i];

		if (strcmp(payload->name, name) == 0)
			return payload;
	}
	return NULL;
}

/* For data that is defined above, and is therefore already in the list. */
static bool other_size(const GPtrArray *payloads, const struct payload *payload, size_t *ret)
{
	const struct payload *other = payload_find(payloads, payload->other);

	return other && payload_size(payloads, other, ret);
}

/* The bytes of a set, or a string. */
static bool literal_size(const struct expr *value, size_t *ret)
{
	uint64_t number;

	if (value->kind == EXPR_STRING) {
		*ret = strlen(value->text);
		return true;
	}
	if (value->kind != EXPR_SET)
		return false;
	for (guint i = 0; i < value->items->len; i++) {
		if (!expr_constant_number(value->items->pdata[i], &number) || number > 0xff)
			return false;
	}
	*ret = value->items->len;
	return true;
}

/* The headers that CRCs can follow, with or without a GRH. */
enum {
	SEALED_SIZE_MIN = LRH_SIZE + BTH_SIZE + DETH_SIZE,
	CRCS_SIZE = ICRC_SIZE + VCRC_SIZE,
};

bool payload_size(const GPtrArray *payloads, const struct payload *payload, size_t *ret)
{
	uint64_t number;

	switch (payload->kind) {
	case PAYLOAD_BYTES:
		return literal_size(payload->value, ret);
	case PAYLOAD_HEX:
		*ret = strlen(payload->value->text) / 2;
		return true;
	case PAYLOAD_PATTERN:
		if (!expr_constant_number(payload->value, &number) || number > PAYLOAD_SIZE_MAX)
			return false;
		*ret = number;
		return true;
	case PAYLOAD_FLIPPED:
		return other_size(payloads, payload, ret) &&
		       expr_constant_number(payload->value, &number) && number < *ret;
	case PAYLOAD_SEALED:
		if (!other_size(payloads, payload, ret) || *ret < SEALED_SIZE_MIN ||
		    *ret > PACKET_SIZE_MAX - CRCS_SIZE)
			return false;
		*ret += CRCS_SIZE;
		return true;
	}
	return false;
}

const char *payload_objection(const struct payload *payload)
{
	switch (payload->kind) {
	case PAYLOAD_BYTES:
	case PAYLOAD_HEX:
		return "expected bytes, up to 0xff each";
	case PAYLOAD_PATTERN:
		return "expected a size of up to 64 MiB";
	case PAYLOAD_FLIPPED:
		return "there is no data of this name above with such a byte";
	case PAYLOAD_SEALED:
		return "there is no data of this name above that is a packet, from the LRH on, of "
		       "28 to 324 bytes";
	}
	return "";
}

static void fill_pattern(const struct payload *payload, uint8_t *ret, size_t size)
{
	uint32_t word = g_str_hash(payload->name);
	uint8_t bytes[4];

	for (size_t at = 0; at < size; at += sizeof(bytes)) {
		/* An odd step visits every number before it returns to the first. */
		word += UINT32_C(0x9e3779b1);
		put_be32(bytes, word);
		memcpy(ret + at, bytes, MIN(size - at, sizeof(bytes)));
	}
}

static void fill_literal(const struct expr *value, uint8_t *ret, size_t size)
{
	uint64_t number = 0;

	if (value->kind == EXPR_STRING) {
		memcpy(ret, value->text, size);
		return;
	}
	for (size_t i = 0; i < size; i++) {
		expr_constant_number(value->items->pdata[i], &number);
		ret[i] = (uint8_t)number;
	}
}

void payload_fill(const GPtrArray *payloads, const struct payload *payload, uint8_t *ret)
{
	uint64_t number = 0;
	size_t size = 0;

	payload_size(payloads, payload, &size);
	switch (payload->kind) {
	case PAYLOAD_BYTES:
		fill_literal(payload->value, ret, size);
		return;
	case PAYLOAD_HEX:
		for (size_t i = 0; i < size; i++)
			ret[i] = (uint8_t)(g_ascii_xdigit_value(payload->value->text[2 * i]) << 4 |
					   g_ascii_xdigit_value(payload->value->text[2 * i + 1]));
		return;
	case PAYLOAD_PATTERN:
		fill_pattern(payload, ret, size);
		return;
	case PAYLOAD_FLIPPED:
		payload_fill(payloads, payload_find(payloads, payload->other), ret);
		expr_constant_number(payload->value, &number);
		ret[number] ^= 0xff;
		return;
	case PAYLOAD_SEALED:
		payload_fill(payloads, payload_find(payloads, payload->other), ret);
		packet_stamp(ret, size);
		return;
	}
}
