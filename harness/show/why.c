/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Why frames give no MAD: see harness/show/why.h.
 */
#include "harness/show/why.h"

#include <glib.h>
#include <inttypes.h>
#include <stdio.h>

#include "sim/capture/stable-sort.h"

enum { WORD_WIDTH = 14 };

static gint compare_counts(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct capture_counts *counts = data;
	const enum capture_cause *one = a, *two = b;
	uint64_t one_count = counts->causes[*one], two_count = counts->causes[*two];

	if (one_count != two_count)
		return one_count > two_count ? -1 : 1;
	return (*one > *two) - (*one < *two);
}

void show_causes(const struct capture_counts *counts, FILE *out)
{
	enum capture_cause order[CAPTURE_CAUSES];

	for (enum capture_cause cause = 0; cause < CAPTURE_CAUSES; cause++)
		order[cause] = cause;
	stable_sort(order, CAPTURE_CAUSES, sizeof(*order), compare_counts,
		    (void *)(uintptr_t)counts);
	for (unsigned int i = 0; i < CAPTURE_CAUSES; i++) {
		const struct capture_cause_info *info = capture_cause_info(order[i]);

		if (order[i] != CAUSE_NONE && counts->causes[order[i]])
			fprintf(out, "# %8" PRIu64 " %-*s %s\n", counts->causes[order[i]],
				WORD_WIDTH, info->word, info->text);
	}
}

static void show_frame(const struct capture_item *item, FILE *out)
{
	const struct capture_cause_info *info = capture_cause_info(item->cause);

	fprintf(out, "%6u %16.6fms  %-*s %s\n", item->frame, (double)item->time_ns / 1e6,
		WORD_WIDTH, info->word, *item->why ? item->why : info->text);
}

void show_why(struct capture_stream *stream, FILE *out)
{
	const struct capture_counts *counts = capture_stream_counts(stream);
	struct capture_item item;

	while (capture_stream_next(stream, &item)) {
		if (item.cause != CAUSE_NONE || *item.why)
			show_frame(&item, out);
	}
	fprintf(out, "# %" PRIu64 " frames: %" PRIu64 " MADs, ", counts->frames, counts->mads);
	if (counts->notes)
		fprintf(out, "%" PRIu64 " notes, ", counts->notes);
	fprintf(out, "%" PRIu64 " others, %" PRIu64 " damaged\n", counts->skipped,
		counts->damaged);
	show_causes(counts, out);
}
