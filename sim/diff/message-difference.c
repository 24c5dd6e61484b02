/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See sim/diff/message-difference.h. */
#include "sim/diff/message-difference.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "lib/base/wire.h"
#include "sim/diff/field-name.h"

enum {
	VALUE_SIZE = 512,
	RAW_SHOWN_MAX = 32,	/* bytes of a run that are printed */
};

struct comparison {
	const uint8_t *a, *b;
	size_t a_size, b_size;
	size_t size;		/* of what both have */
	uint8_t *differs;	/* a XOR b, as far as it is not yet reported */
	field_difference_fn *fn;
	void *ctx;
	size_t count;
};

static bool field_differs(const struct mad_field *field, const uint8_t *differs)
{
	if (field->width <= 64)
		return mad_field_get(field, differs) != 0;
	for (unsigned int i = 0; i < field->width / 8u; i++) {
		if (differs[field->bit / 8 + i])
			return true;
	}
	return false;
}

static void report(struct comparison *comparison, const char *name, const char *a, const char *b)
{
	comparison->count++;
	comparison->fn(comparison->ctx, name, a, b);
}

/* A field of the data 'at' bytes from the start of the messages. */
static void compare_field(struct comparison *comparison, const struct mad_field *field, size_t at,
			  const char *name)
{
	char a[VALUE_SIZE], b[VALUE_SIZE];

	if (!field_differs(field, comparison->differs + at))
		return;
	message_blank(field, comparison->differs + at);
	mad_field_format_value(field, comparison->a + at, a, sizeof(a));
	mad_field_format_value(field, comparison->b + at, b, sizeof(b));
	report(comparison, name, a, b);
}

static void compare_headers(struct comparison *comparison)
{
	for (const struct header_field *header = header_fields; header->field.name; header++) {
		/* Where the classes differ, what only one of them has goes by its bytes. */
		if (header_field_applies(header, comparison->a) &&
		    header_field_applies(header, comparison->b))
			compare_field(comparison, &header->field, 0, header->field.name);
	}
}

static void compare_records(struct comparison *comparison)
{
	struct message_records a = message_records(comparison->a, comparison->a_size);
	struct message_records b = message_records(comparison->b, comparison->b_size);

	if (!a.attribute || a.attribute != b.attribute || a.each != b.each)
		return;
	for (size_t record = 0; record < MIN(a.count, b.count); record++) {
		size_t at = a.at + record * a.each;

		if (at + a.attribute->size > comparison->size)
			break;
		for (const struct mad_field *f = a.attribute->fields; f->name; f++) {
			g_autofree char *name = NULL;

			if (!field_differs(f, comparison->differs + at))
				continue;
			name = MAX(a.count, b.count) > 1 ?
			       g_strdup_printf("%s[%zu].%s", a.attribute->name, record, f->name) :
			       g_strdup_printf("%s.%s", a.attribute->name, f->name);
			compare_field(comparison, f, at, name);
		}
	}
	if (a.count != b.count) {
		g_autofree char *one = g_strdup_printf("%zu", a.count);
		g_autofree char *other = g_strdup_printf("%zu", b.count);

		report(comparison, "records", one, other);
	}
}

static char *hex(const uint8_t *bytes, size_t size)
{
	GString *out = g_string_new(NULL);

	for (size_t i = 0; i < MIN(size, RAW_SHOWN_MAX); i++)
		g_string_append_printf(out, "%02x", bytes[i]);
	if (size > RAW_SHOWN_MAX)
		g_string_append(out, "...");
	return g_string_free(out, false);
}

/* What no field has. */
static void compare_rest(struct comparison *comparison)
{
	for (size_t first = 0, last; first < comparison->size; first = last + 1) {
		g_autofree char *a = NULL, *b = NULL, *name = NULL;

		last = first;
		if (!comparison->differs[first])
			continue;
		while (last + 1 < comparison->size && comparison->differs[last + 1])
			last++;
		name = first == last ? g_strdup_printf("byte %zu", first) :
				       g_strdup_printf("bytes %zu..%zu", first, last);
		a = hex(comparison->a + first, last - first + 1);
		b = hex(comparison->b + first, last - first + 1);
		report(comparison, name, a, b);
	}
}

/* A comparison of runs of which both have 'size' bytes. */
static void begin(struct comparison *comparison, const uint8_t *a, const uint8_t *b, size_t size)
{
	comparison->a = a;
	comparison->b = b;
	comparison->size = size;
	comparison->differs = g_malloc0(MAX(size, (size_t)MAD_SIZE));
	for (size_t i = 0; i < size; i++)
		comparison->differs[i] = a[i] ^ b[i];
}

/* The names of what a later segment has begin with its number. */
struct segment_report {
	struct comparison *outer;
	size_t number;
};

static void report_segment(void *ctx, const char *name, const char *a, const char *b)
{
	const struct segment_report *segment = ctx;
	g_autofree char *full = g_strdup_printf("segment %zu: %s", segment->number, name);

	report(segment->outer, full, a, b);
}

static void compare_segments(struct comparison *outer, const struct message_bytes *a,
			     const struct message_bytes *b)
{
	if (a->header != b->header)
		return;
	for (size_t i = 0; i < MIN(a->header_count, b->header_count); i++) {
		struct segment_report segment = { outer, i + 2 };
		struct comparison inner = { .fn = report_segment, .ctx = &segment };
		uint8_t one[MAD_SIZE] = { 0 }, other[MAD_SIZE] = { 0 };

		memcpy(one, a->headers + i * a->header, a->header);
		memcpy(other, b->headers + i * b->header, b->header);
		if (memcmp(one, other, a->header) == 0)
			continue;
		begin(&inner, one, other, MAD_SIZE);
		compare_headers(&inner);
		compare_rest(&inner);
		g_free(inner.differs);
	}
}

/* "1..3, 7": which segments there are. */
static char *segments_text(const struct message_bytes *message)
{
	GString *out = g_string_new(NULL);
	size_t bits = message->seen_size * 8;

	for (size_t first = 1, last; first < bits && out->len < 60; first = last + 1) {
		last = first;
		if (!(message->seen[first / 8] & 1 << first % 8))
			continue;
		while (last + 1 < bits && message->seen[(last + 1) / 8] & 1 << (last + 1) % 8)
			last++;
		g_string_append_printf(out, "%s%zu", out->len ? ", " : "", first);
		if (last != first)
			g_string_append_printf(out, "..%zu", last);
	}
	return g_string_free(out, false);
}

static bool same_segments(const struct message_bytes *a, const struct message_bytes *b)
{
	return a->seen_size == b->seen_size &&
	       (!a->seen_size || memcmp(a->seen, b->seen, a->seen_size) == 0);
}

size_t message_differences(const struct message_bytes *a, const struct message_bytes *b,
			   field_difference_fn *fn, void *ctx)
{
	struct comparison comparison = {
		.a_size = a->size, .b_size = b->size, .fn = fn, .ctx = ctx,
	};

	begin(&comparison, a->bytes, b->bytes, MIN(a->padded, b->padded));
	compare_headers(&comparison);
	compare_records(&comparison);
	compare_rest(&comparison);
	if (a->size != b->size || a->padded != b->padded) {
		g_autofree char *one = g_strdup_printf("%zu bytes", a->size);
		g_autofree char *other = g_strdup_printf("%zu bytes", b->size);

		report(&comparison, "length", one, other);
	}
	compare_segments(&comparison, a, b);
	if (!same_segments(a, b)) {
		g_autofree char *one = segments_text(a), *other = segments_text(b);

		report(&comparison, "segments", one, other);
	}
	g_free(comparison.differs);
	return comparison.count;
}
