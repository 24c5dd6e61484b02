/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: MADs of any kind in any order are put together to conversations and compared. What
 * is compared with itself is equal, what is missing one way round is extra the other way round; and
 * what differs is printed in each form: text without control characters, a line of JSON for each.
 *
 * The input is records of RECORD_SIZE bytes: which of two captures have the MAD (bit 0, bit 1), how
 * much later it is, where it was recorded, its LIDs, its QPs, and the beginning of the MAD.
 */
#include <glib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/show/difference.h"
#include "sim/diff/diff.h"
#include "tests/fuzz/form-check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	RECORD_SIZE = 80,
	RECORD_MAD = 8,
	MAD_BYTES = RECORD_SIZE - RECORD_MAD,
	RECORDS_MAX = 2000,
};

struct records {
	const uint8_t *data;
	size_t count, at;
	uint8_t mask;
	int64_t time_ns;
	struct capture_mad mad;
};

static const struct capture_mad *next(void *ctx)
{
	struct records *records = ctx;
	struct capture_mad *mad = &records->mad;

	while (records->at < records->count) {
		const uint8_t *record = records->data + RECORD_SIZE * records->at++;

		records->time_ns += (int64_t)record[1] * record[1] * 1000000;
		if (!(record[0] & records->mask))
			continue;
		*mad = (struct capture_mad){
			.frame = (unsigned int)records->at,
			.time_ns = records->time_ns,
			.interface = record[2] & 3,
			.direction = record[2] & 4 ? CAPTURE_INBOUND : CAPTURE_OUTBOUND,
			.comment = record[2] & 8 ? "dropped: so" : NULL,
			.icrc_wrong = record[2] & 16,
			.transport = record[2] & 32 ? CAPTURE_ROCE_V2 : CAPTURE_INFINIBAND,
			.addr = { .slid = record[3], .dlid = record[4], .src_qp = record[5] & 1,
				  .dest_qp = record[5] >> 1 & 1, .has_grh = record[5] & 4 },
		};
		memcpy(mad->mad, record + RECORD_MAD, MAD_BYTES);
		memset(mad->mad + MAD_BYTES, record[6], MAD_SIZE - MAD_BYTES);
		return mad;
	}
	return NULL;
}

static bool begin_again(void *ctx)
{
	struct records *records = ctx;

	records->at = 0;
	records->time_ns = 0;
	return true;
}

static void count_field(void *ctx, enum diff_part part, const char *name, const char *a,
			const char *b)
{
	g_assert(part <= DIFF_PARTS && *name && a && b);
	++*(size_t *)ctx;
}

/* For people, for programs, and in the few words of a scenario. */
struct prints {
	struct difference_text *text, *json, *wire;
	size_t events;
};

static void look(void *ctx, const struct diff_event *event)
{
	struct prints *prints = ctx;
	size_t count = 0;

	prints->events++;
	difference_text_take(prints->text, event);
	difference_text_take(prints->json, event);
	difference_text_take(prints->wire, event);
	switch (event->kind) {
	case DIFF_CHANGED:
		g_assert(diff_item_differences(event->a, event->b, count_field, &count) == count);
		g_assert(count > 0);
		return;
	case DIFF_MISSING:
		g_assert(event->a && !event->b);
		break;
	case DIFF_EXTRA:
		g_assert(!event->a && event->b);
		break;
	}
	if (event->closest)
		diff_item_differences(event->a ? event->a : event->b, event->closest, count_field,
				      &count);
}

static void print(struct difference_text *differences, const struct diff_counts *counts,
		  void (*check)(const char *text, size_t size))
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	g_assert_nonnull(stream);
	difference_text_end(differences, counts, stream);
	fclose(stream);
	check(text, size);
	free(text);
}

static void check_prints(const struct prints *prints, const struct diff_counts *counts)
{
	g_autofree char *wire = difference_text_close(prints->wire);

	form_check_text(wire, strlen(wire));
	print(prints->text, counts, form_check_text);
	print(prints->json, counts, form_check_json);
}

static struct diff_counts compare(const uint8_t *data, size_t count, uint8_t a_mask, uint8_t b_mask,
				  bool any_order, struct ignored_fields ignored)
{
	struct records a = { .data = data, .count = count, .mask = a_mask };
	struct records b = { .data = data, .count = count, .mask = b_mask };
	const struct diff_source one = { &a, next, begin_again }, other = { &b, next, begin_again };
	const struct diff_options options = {
		.ignored = ignored, .any_order = any_order, .details_max = 20,
	};
	struct prints prints = {
		.text = difference_text_new("a.pcap", "b.pcap", false),
		.json = difference_text_new("a.pcap", "b.pcap", true),
		.wire = difference_text_new_wire("a.pcap"),
	};
	struct diff_counts counts;

	g_assert(diff_run(&options, &one, &other, look, &prints, &counts));
	g_assert(prints.events <= counts.changed + counts.missing + counts.extra);
	check_prints(&prints, &counts);
	g_assert(counts.a == counts.same + counts.changed + counts.missing);
	g_assert(counts.b == counts.same + counts.changed + counts.extra);
	return counts;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t count = MIN(size / RECORD_SIZE, (size_t)RECORDS_MAX);
	struct ignored_fields none = { .fields = NULL }, some = none;
	const char *suggestion;

	ignored_fields_add(&some, "tid", &suggestion);
	ignored_fields_add(&some, "DLID", &suggestion);
	ignored_fields_add(&some, "bytes[20..30]", &suggestion);
	for (unsigned int any_order = 0; any_order < 2; any_order++) {
		struct diff_counts there, back;

		there = compare(data, count, 1, 1, any_order, none);
		g_assert(!diff_found(&there));
		there = compare(data, count, 1, 2, any_order, some);
		back = compare(data, count, 2, 1, any_order, some);
		g_assert(there.a == back.b && there.b == back.a);
		if (any_order)
			g_assert(there.same == back.same && there.missing == back.extra &&
				 there.extra == back.missing);
	}
	ignored_fields_clear(&some);
	return 0;
}
