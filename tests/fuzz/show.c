/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: MADs of any kind are shown in every way, as far as a filter of any text keeps them.
 *
 * The first line of the input is the filter; records of RECORD_SIZE bytes follow: how much later
 * the MAD is, where it was recorded, its LIDs, its QPs, and its beginning.
 */
#include <glib.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness/show/columns.h"
#include "harness/show/conversations.h"
#include "harness/show/history.h"
#include "harness/show/json-lines.h"
#include "harness/show/ladder.h"
#include "harness/show/ladder-plan.h"
#include "harness/show/lines.h"
#include "harness/show/mermaid.h"
#include "harness/show/perfetto.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	RECORD_SIZE = 80,
	RECORD_MAD = 8,
	MAD_BYTES = RECORD_SIZE - RECORD_MAD,
	RECORDS_MAX = 500,
	COLUMNS = 60,
};

static GArray *read_mads(const uint8_t *data, size_t size)
{
	GArray *mads = g_array_new(false, true, sizeof(struct capture_mad));
	int64_t time_ns = 0;

	for (; size >= RECORD_SIZE && mads->len < RECORDS_MAX; size -= RECORD_SIZE) {
		struct capture_mad mad = {
			.frame = mads->len + 1,
			.interface = data[1] & 3,
			.interface_name = data[1] & 3 ? "H1[1]" : NULL,
			.direction = data[1] & 4 ? CAPTURE_INBOUND : CAPTURE_OUTBOUND,
			.comment = data[1] & 8 ? (char *)"dropped: so\n\x01" : NULL,
			.icrc_wrong = data[1] & 16,
			.transport = data[1] & 32 ? CAPTURE_ROCE_V2 : CAPTURE_INFINIBAND,
			.addr = { .slid = data[2], .dlid = data[3], .src_qp = data[4] & 1,
				  .dest_qp = data[4] >> 1 & 1, .has_grh = data[4] & 4 },
		};

		time_ns += (int64_t)data[0] * data[0] * 1000000;
		mad.time_ns = time_ns;
		memcpy(mad.mad, data + RECORD_MAD, MAD_BYTES);
		memset(mad.mad + MAD_BYTES, data[5], MAD_SIZE - MAD_BYTES);
		g_array_append_val(mads, mad);
		data += RECORD_SIZE;
	}
	return mads;
}

struct showing {
	struct view *view;
	uint64_t shown;
};

static void show_mad(void *ctx, const struct capture_mad *mad)
{
	struct showing *showing = ctx;

	showing->shown++;
	showing->view->kind->mad(showing->view, mad);
}

static void show_message(void *ctx, const struct rmpp_message *message)
{
	struct showing *showing = ctx;

	g_assert(message->segments + message->repeats + message->acks > 0);
	g_assert(message->size == 0 || message->data);
	showing->view->kind->message(showing->view, message);
}

/* As in harness/show/reading.c: what the first reading has put into the plan is drawn. */
static bool is_kept(const struct view_setup *setup, const struct capture_mad *mad)
{
	if (setup->plan)
		return ladder_plan_has(setup->plan, mad);
	return filter_keeps(setup->filter, setup->ends, mad);
}

/* The first reading of a view that needs two. */
static void make_plan(const GArray *mads, struct view_setup *setup, const char *ports)
{
	setup->plan = ladder_plan_new(ports, true);
	for (guint i = 0; i < mads->len; i++) {
		const struct capture_mad *mad = &g_array_index(mads, struct capture_mad, i);

		mad_ends_learn(setup->ends, mad);
		if (filter_keeps(setup->filter, setup->ends, mad))
			ladder_plan_take(setup->plan, setup->ends, mad);
	}
	mad_ends_rewind(setup->ends);
	ladder_plan_end(setup->plan, setup->columns);
}

static void show(const GArray *mads, const struct view_kind *kind, struct view_setup *setup)
{
	struct showing showing = { .view = view_new(kind, setup) };
	const struct rmpp_fold_out out = { &showing, show_mad, show_message };
	const struct capture_counts counts = { .frames = mads->len, .mads = mads->len };
	const struct capture_note note = { .frame = 1, .text = (char *)"a note\nof two lines" };
	struct rmpp_fold *fold = kind->message ? rmpp_fold_new(&out, setup->filter, setup->ends,
							       setup->segments) : NULL;

	if (kind->note)
		kind->note(showing.view, &note);
	for (guint i = 0; i < mads->len; i++) {
		const struct capture_mad *mad = &g_array_index(mads, struct capture_mad, i);

		if (setup->learns)
			mad_ends_learn(setup->ends, mad);
		if (fold)
			rmpp_fold_take(fold, mad, showing.view->setup.headers);
		else if (is_kept(setup, mad))
			show_mad(&showing, mad);
		if (kind->idle && i % 16 == 0)
			kind->idle(showing.view);
	}
	if (fold)
		rmpp_fold_end(fold);
	g_assert_cmpuint(showing.shown, <=, mads->len);
	kind->end(showing.view, &counts, showing.shown);
}

static void show_in_every_way(const GArray *mads, const struct filter *filter, FILE *stream)
{
	static const struct view_kind *const kinds[] = {
		&lines_view, &json_view, &columns_view, &conversations_view, &history_view,
		&mermaid_view,
		&perfetto_view, &ladder_view,
	};
	struct capture_headers headers;

	memset(&headers, 0xff, sizeof(headers));
	for (size_t i = 0; i < 2 * G_N_ELEMENTS(kinds); i++) {
		const struct view_kind *kind = kinds[i / 2];
		struct show_clock clock = { .form = (enum show_time)(i % 4) };
		struct view_setup setup = {
			.stream = stream, .clock = &clock, .by = (enum show_by)(i % 4),
			.verbose = i % 2, .segments = i % 2, .filter = filter,
			.ends = mad_ends_new(), .learns = true,
			.columns = i % 2 ? COLUMNS : 0,
			.headers = i % 2 ? &headers : NULL,
		};

		if (kind->planned)
			make_plan(mads, &setup, i % 2 ? "H1[1],5" : NULL);
		show(mads, kind, &setup);
		ladder_plan_free(setup.plan);
		mad_ends_free(setup.ends);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = memchr(data, '\n', size);
	size_t line = end ? (size_t)(end - data) : 0;
	g_autofree char *text = g_strndup((const char *)data, line);
	g_autofree char *message = NULL;
	struct filter *filter = filter_parse(text, &message);
	g_autoptr(GArray) mads = NULL;
	FILE *stream;

	g_assert(!filter == (message && *message));
	if (!filter || !end)
		goto out;
	stream = fopen("/dev/null", "w");
	g_assert_nonnull(stream);
	mads = read_mads(end + 1, size - line - 1);
	show_in_every_way(mads, filter, stream);
	fclose(stream);
out:
	filter_free(filter);
	return 0;
}
