/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Readings of a capture. See harness/show/reading.h.
 *
 * A ladder takes three: one learns which ports there are, one names the ends of its MADs, one draws
 * them. The file may grow meanwhile: what is named is drawn, the rest is counted.
 */
#include "harness/show/reading.h"

#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/show/ladder-plan.h"
#include "harness/show/why.h"
#include "sim/capture/stream.h"

enum { MESSAGE_SIZE = 512 };

/* A view, and what goes into it. */
struct showing {
	const struct reading *reading;
	struct view *view;
	struct rmpp_fold *fold;		/* NULL: MADs are shown one by one */
	uint64_t shown;
	uint64_t late;			/* MADs that came after the last one of the plan */
};

static void warn(const struct reading *reading, const char *warning)
{
	if (reading->warn)
		reading->warn(warning);
}

static void pass_warnings(const struct reading *reading, struct capture_stream *stream)
{
	const char *warning;

	while ((warning = capture_stream_warning(stream)))
		warn(reading, warning);
}

/* ---- what goes into a view ---- */

static void show_mad(void *ctx, const struct capture_mad *mad)
{
	struct showing *showing = ctx;

	showing->shown++;
	showing->view->kind->mad(showing->view, mad);
}

static void show_message(void *ctx, const struct rmpp_message *message)
{
	struct showing *showing = ctx;
	struct view_setup *setup = &showing->view->setup;
	const struct capture_headers *headers = setup->headers;

	/* With --segments they have been counted as they came. */
	if (!setup->segments)
		showing->shown += message->segments + message->repeats + message->acks;
	setup->headers = message->headers;
	showing->view->kind->message(showing->view, message);
	/* The MAD that ended it may come next. */
	setup->headers = headers;
}

/* Is the MAD to be seen? The plan of a ladder has decided it already. */
static bool is_kept(struct showing *showing, const struct capture_mad *mad)
{
	const struct view_setup *setup = &showing->view->setup;
	const struct ladder_plan *plan = setup->plan;

	if (!plan || !plan->places)
		return filter_keeps(setup->filter, setup->ends, mad);
	showing->late += mad->frame > plan->last_frame;
	return ladder_plan_has(plan, mad);
}

static void show_item(struct showing *showing, const struct capture_item *item)
{
	struct view_setup *setup = &showing->view->setup;

	if (item->kind == CAPTURE_ITEM_NOTE && showing->view->kind->note && !setup->filter)
		showing->view->kind->note(showing->view, item->note);
	if (item->kind != CAPTURE_ITEM_MAD)
		return;
	setup->headers = item->headers;
	if (setup->learns)
		mad_ends_learn(setup->ends, item->mad);
	if (showing->fold)
		rmpp_fold_take(showing->fold, item->mad, item->headers);
	else if (is_kept(showing, item->mad))
		show_mad(showing, item->mad);
}

static void show_items(struct showing *showing, struct capture_stream *stream)
{
	struct view *view = showing->view;
	const struct view_setup *setup = &view->setup;
	const struct rmpp_fold_out out = { showing, show_mad, show_message };
	g_autofree char *late = NULL;
	struct capture_item item;

	if (view->kind->message)
		showing->fold = rmpp_fold_new(&out, setup->filter, setup->ends, setup->segments);
	/* A full disk or a closed pipe ends it: nobody gets to see the rest. */
	while (!ferror(setup->stream) && capture_stream_next(stream, &item)) {
		setup->clock->first_ns = capture_stream_first_ns(stream);
		pass_warnings(showing->reading, stream);
		show_item(showing, &item);
	}
	if (showing->fold)
		rmpp_fold_end(showing->fold);
	pass_warnings(showing->reading, stream);
	view->kind->end(view, capture_stream_counts(stream), showing->shown);
	if (!showing->late)
		return;
	late = g_strdup_printf("%s has grown while it was drawn: %" PRIu64 " more MADs are not in "
			       "the drawing", capture_stream_file(stream), showing->late);
	warn(showing->reading, late);
}

/* Nothing is there to be read at present: what has been read is to be seen. */
static void flush_view(void *ctx)
{
	struct view *view = ctx;

	if (view->kind->idle)
		view->kind->idle(view);
	fflush(view->setup.stream);
}

/* For 'flags' see sim/capture/stream.h. NULL with an error. */
static struct capture_stream *open_stream(const struct reading *reading, unsigned int flags,
					  GError **error)
{
	char message[MESSAGE_SIZE];
	struct capture_stream *stream = capture_stream_open(reading->path, flags, message,
							    sizeof(message));

	if (!stream)
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_FAILED, message);
	return stream;
}

static bool show_stream(const struct reading *reading, const struct view_setup *setup,
			GError **error)
{
	struct capture_stream *stream = open_stream(
		reading, reading->kind->unchecked ? 0 : CAPTURE_CHECK_CRCS, error);
	struct showing showing = { .reading = reading };

	if (!stream)
		return false;
	showing.view = view_new(reading->kind, setup);
	capture_stream_on_wait(stream, flush_view, showing.view);
	show_items(&showing, stream);
	capture_stream_close(stream);
	return true;
}

/* ---- what has to be known before ---- */

/* One more reading of the file. Its warnings come with the last. */
static bool read_first(const struct reading *reading, const struct view_setup *setup,
		       void (*take)(const struct view_setup *setup, const struct capture_mad *mad),
		       GError **error)
{
	struct capture_stream *stream = open_stream(reading, 0, error);
	struct capture_item item;

	if (!stream)
		return false;
	while (capture_stream_next(stream, &item)) {
		if (item.kind == CAPTURE_ITEM_MAD)
			take(setup, item.mad);
	}
	for (unsigned int i = 0; capture_stream_interface(stream, i); i++)
		mad_ends_learn_interface(setup->ends, capture_stream_interface(stream, i));
	capture_stream_close(stream);
	mad_ends_rewind(setup->ends);
	return true;
}

static void learn(const struct view_setup *setup, const struct capture_mad *mad)
{
	mad_ends_learn(setup->ends, mad);
}

static void plan(const struct view_setup *setup, const struct capture_mad *mad)
{
	mad_ends_learn(setup->ends, mad);
	setup->plan->last_frame = mad->frame;
	if (filter_keeps(setup->filter, setup->ends, mad))
		ladder_plan_take(setup->plan, setup->ends, mad);
}

static bool prepare(const struct reading *reading, struct view_setup *setup, GError **error)
{
	bool again = g_file_test(reading->path, G_FILE_TEST_IS_REGULAR);

	setup->learns = filter_names_ports(reading->filter) || reading->kind->named;
	if (setup->learns && again && !read_first(reading, setup, learn, error))
		return false;
	if (!reading->kind->planned)
		return true;
	/* (What a directory is, is said where it is opened.) */
	if (!again && !reading->ports && !g_file_test(reading->path, G_FILE_TEST_IS_DIR)) {
		g_set_error(error, COMMAND_ERROR, COMMAND_USAGE, "%s cannot be read twice, as a "
			    "ladder needs it: say which ports are drawn (--ports A,B), or give a "
			    "file", strcmp(reading->path, "-") == 0 ? "standard input" :
			    reading->path);
		return false;
	}
	setup->columns = reading->columns;
	setup->plan = ladder_plan_new(reading->ports, again);
	if (again && !read_first(reading, setup, plan, error))
		return false;
	ladder_plan_end(setup->plan, setup->columns);
	return true;
}

/* ---- frames without a MAD ---- */

static void flush(void *ctx)
{
	fflush(ctx);
}

static bool show_unused(const struct reading *reading, GError **error)
{
	struct capture_stream *stream =
		open_stream(reading, CAPTURE_CHECK_CRCS | CAPTURE_EVERY_FRAME, error);

	if (!stream)
		return false;
	capture_stream_on_wait(stream, flush, reading->stream);
	show_why(stream, reading->stream);
	pass_warnings(reading, stream);
	capture_stream_close(stream);
	return true;
}

bool reading_show(const struct reading *reading, GError **error)
{
	struct show_clock clock = { .form = reading->time };
	struct view_setup setup = {
		.stream = reading->stream, .clock = &clock, .by = reading->by,
		.ports = reading->ports,
		.verbose = reading->verbose, .segments = reading->segments,
		.filter = reading->filter,
	};
	bool ok;

	if (!reading->kind)
		return show_unused(reading, error);
	setup.ends = mad_ends_new();
	ok = prepare(reading, &setup, error) && show_stream(reading, &setup, error);
	ladder_plan_free(setup.plan);
	mad_ends_free(setup.ends);
	return ok;
}
