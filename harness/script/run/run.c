/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The runner: runs the lines of a point, one after the other, each at its time.
 */
#include "harness/script/run/run.h"

#include <infiniband/umad.h>
#include <stdlib.h>
#include <string.h>

#include "harness/script/run/overlap.h"
#include "harness/script/run/peer.h"
#include "harness/script/run/programs.h"
#include "harness/script/run/run-ladder.h"
#include "harness/script/run/timeline.h"
#include "harness/script/run/verdict.h"
#include "kmod-stub/event.h"

/* How long a real scenario may take if it does not say. */
#define HW_LIMIT_NS (15 * 60 * NS_PER_S)
/* The same with programs in virtual time: what they wait for may never come. */
#define VIRTUAL_LIMIT_NS (24 * 60 * 60 * NS_PER_S)
/* How much longer than its lines say it may take, if nothing else is said. */
#define REAL_LIMIT_NS (60 * NS_PER_S)

static void run_step(struct run *run, const struct plan_step *step)
{
	g_autofree char *base = NULL;
	g_autofree char *comment = NULL;

	run->step = step;
	run->capture_known = UINT64_MAX;
	/* Only the file's name: a capture must not depend on the script's directory. */
	base = g_path_get_basename(step->place.source->name);
	comment = g_strdup_printf("%s:%u", base, step->place.line);
	run->world->kind->comment(run->world, comment);
	step->line->verb->run(run, step);
}

static void make_ready(struct run *run)
{
	for (guint i = 0; i < run->point->steps->len && !run_failed(run); i++) {
		const struct plan_step *step = run->point->steps->pdata[i];

		run->step = step;
		if (step->line->verb->ready)
			step->line->verb->ready(run, step);
	}
}

/* Is a request that the replayed capture does not have a failure? Not if its fate was chosen. */
static bool must_match(const struct run *run)
{
	const struct replay_expr *replay = run->point->scenario->settings.replay;

	return !replay || !replay->unmatched;
}

/*
 * What "do always" and others have asked for: "1\talways all-active\tbroken at 0.500s\tH2[1] is
 * not Active".
 */
static void check_properties(struct run *run, struct place place)
{
	g_auto(GStrv) lines = NULL;
	char *text = NULL;

	if (!run->world->kind->console ||
	    run->world->kind->console(run->world, "property end", &text) < 0) {
		free(text);
		return;
	}
	lines = g_strsplit(text, "\n", -1);
	free(text);
	for (char **line = lines; *line; line++) {
		g_auto(GStrv) part = g_strsplit(*line, "\t", 4);

		if (g_strv_length(part) == 4 && g_str_has_prefix(part[2], "broken"))
			run_fail(run, place, "%s: %s (%s)", part[1], part[3], part[2]);
	}
}

static void run_end(struct run *run)
{
	struct place place = run->point->scenario->place;

	if (run->point->steps->len > 0) {
		const struct plan_step *last = run->point->steps->pdata[run->point->steps->len - 1];

		place = last->place;
	}
	run_advance(run, run->end_ns);
	run_check_leftovers(run, place, INT64_MAX);
	run->outcome->end_ns = run_now(run);
	if (must_match(run) && run->world->kind->unmatched(run->world) > 0)
		run_fail(run, place, "the capture has no answer to %zu requests",
			 run->world->kind->unmatched(run->world));
	check_properties(run, place);
	programs_check_use(run);
}

static void handle_free(void *data)
{
	struct run_handle *handle = data;

	if (!handle->closed)
		umad_close_port(handle->fd);
	g_queue_clear_full(&handle->inbox, g_free);
	g_free(handle);
}

/* How many lines account for all that has crossed A's cable. */
static unsigned int count_wires(const struct point *point)
{
	unsigned int count = 0;

	for (guint i = 0; i < point->steps->len; i++) {
		const struct plan_step *step = point->steps->pdata[i];

		count += step->line->verb->counts_crossed;
	}
	return count;
}

static void run_init(struct run *run)
{
	const struct settings *settings = &run->point->scenario->settings;

	run_names_init(run);
	run->handles = g_ptr_array_new_with_free_func(handle_free);
	run->files = g_ptr_array_new_with_free_func(g_free);
	run->buffers = g_ptr_array_new_with_free_func(umad_free);
	run->silences = g_array_new(false, true, sizeof(struct silence));
	run->peer = peer_new(run);
	run->overlap = overlap_new(run->world);
	run->programs = g_ptr_array_new();
	run->ladder = run_ladder_new();
	run->ignored = g_array_new(false, true, sizeof(size_t));
	g_array_set_size(run->ignored, run->point->plan->ignores->len);
	run->runs_programs = point_runs_programs(run->point);
	run->buffer = g_malloc(RECV_BUFFER_SIZE);
	run->next_tid = 1;
	run->base_ns = run->zero_ns = run_now(run);
	run->limit_ns = settings->timeout_ns != 0 ? settings->timeout_ns :
			!run->world->kind->is_sim ? HW_LIMIT_NS :
			run->runs_programs ? VIRTUAL_LIMIT_NS : INT64_MAX / 2;
	g_queue_init(&run->outbox);
	g_queue_init(&run->ignored_last);
	run->wires_left = count_wires(run->point);
	if (run->wires_left > 0)
		run->world->crossed = g_ptr_array_new_with_free_func(g_free);
}

static void run_clear(struct run *run)
{
	for (guint i = 0; i < run->files->len; i++) {
		struct run_file *file = run->files->pdata[i];

		if (file->file)
			run->world->kind->file_close(file->file);
	}
	programs_free(run);
	overlap_cancel(run->overlap);
	g_ptr_array_unref(run->handles);
	overlap_free(run->overlap);
	g_ptr_array_unref(run->files);
	g_ptr_array_unref(run->buffers);
	if (run->debug_changed)
		umad_debug(run->debug_before);
	peer_free(run->peer);
	run_names_clear(run);
	run_ladder_free(run->ladder);
	g_array_unref(run->ignored);
	g_array_unref(run->silences);
	g_queue_clear_full(&run->outbox, g_free);
	g_queue_clear_full(&run->ignored_last, g_free);
	g_free(run->last_left);
	g_free(run->buffer);
}

/* When the last line is due, if each takes all the time that it may. */
static int64_t planned_ns(const struct point *point)
{
	int64_t latest_ns = 0;

	for (guint i = 0; i < point->steps->len; i++) {
		const struct plan_time *time = &((struct plan_step *)point->steps->pdata[i])->time;
		bool window = time->kind == STEP_TIME_WINDOW;
		bool relative = window ? time->to_relative : time->from_relative;
		int64_t due_ns = window ? time->to_ns : time->from_ns;

		if (time->kind != STEP_TIME_ANY)
			latest_ns = MAX(latest_ns, (relative ? latest_ns : 0) + due_ns);
	}
	return latest_ns;
}

int64_t point_limit_ns(const struct point *point, bool on_sim)
{
	const struct settings *settings = &point->scenario->settings;

	if (on_sim && !point_runs_programs(point))
		return 0;
	return settings->timeout_ns != 0 ? settings->timeout_ns :
	       planned_ns(point) + REAL_LIMIT_NS;
}

void point_run(const struct point *point, struct world *world, int64_t limit_ns,
	       struct amendments *amendments, struct outcome *ret)
{
	struct run run = {
		.point = point, .world = world, .outcome = ret, .capture_known = UINT64_MAX,
		.real_limit_ns = limit_ns, .amendments = amendments,
	};

	memset(ret, 0, sizeof(*ret));
	ret->details = g_string_new(NULL);
	ret->ladder = g_string_new(NULL);
	run_init(&run);
	if (limit_ns != 0)
		run.real_end_us = g_get_monotonic_time() + limit_ns / NS_PER_US;
	make_ready(&run);
	for (guint i = 0; i < point->steps->len && !run_failed(&run); i++) {
		run_step(&run, point->steps->pdata[i]);
		if (!run_failed(&run) && run_now(&run) > run.limit_ns)
			run_fail(&run, run.step->place,
				 "the scenario is not over within its timeout (%s)",
				 say_time(run.limit_ns));
	}
	if (!run_failed(&run))
		run_end(&run);
	run_ladder_write(&run, ret->ladder);
	run_clear(&run);
}

void outcome_clear(struct outcome *outcome)
{
	g_free(outcome->message);
	g_free(outcome->expected);
	g_free(outcome->actual);
	if (outcome->details)
		g_string_free(outcome->details, true);
	if (outcome->ladder)
		g_string_free(outcome->ladder, true);
	memset(outcome, 0, sizeof(*outcome));
}
