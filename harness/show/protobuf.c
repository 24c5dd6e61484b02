/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The wire format of Protocol Buffers. See harness/show/protobuf.h.
 */
#include "harness/show/protobuf.h"

#include <glib.h>
#include <string.h>

enum {
	WIRE_VARINT = 0,
	WIRE_FIXED64 = 1,
	WIRE_LENGTH = 2,
	MORE = 0x80,		/* another byte follows */
};

static void varint(struct text *out, uint64_t number)
{
	for (; number >= MORE; number >>= 7)
		text_char(out, (char)(number | MORE));
	text_char(out, (char)number);
}

static void tag(struct text *out, unsigned int field, unsigned int type)
{
	varint(out, (uint64_t)field << 3 | type);
}

void protobuf_varint(struct text *out, unsigned int field, uint64_t number)
{
	tag(out, field, WIRE_VARINT);
	varint(out, number);
}

void protobuf_fixed64(struct text *out, unsigned int field, uint64_t number)
{
	tag(out, field, WIRE_FIXED64);
	for (unsigned int i = 0; i < 8; i++)
		text_char(out, (char)(number >> (8 * i)));
}

void protobuf_bytes(struct text *out, unsigned int field, const char *bytes, size_t size)
{
	tag(out, field, WIRE_LENGTH);
	varint(out, size);
	text_bytes(out, bytes, size);
}

void protobuf_string(struct text *out, unsigned int field, const char *string)
{
	size_t size = strlen(string);
	g_autofree char *valid = NULL;

	if (!g_utf8_validate(string, (gssize)size, NULL)) {
		valid = g_utf8_make_valid(string, (gssize)size);
		size = strlen(valid);
	}
	protobuf_bytes(out, field, valid ? valid : string, size);
}

void protobuf_message(struct text *out, unsigned int field, struct text *inner)
{
	tag(out, field, WIRE_LENGTH);
	varint(out, inner->length);
	if (inner->length)
		text_bytes(out, inner->bytes, inner->length);
	inner->length = 0;
}
