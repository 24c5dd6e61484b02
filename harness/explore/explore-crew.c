/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Several runs at a time: see harness/explore/explore-crew.h.
 *
 * A seat has a run. It stays taken until the result has been handed out, so that no run is further
 * ahead of the first unfinished one than there are seats, and the results are the same however many
 * seats there are.
 */
#include "config.h"

#include "harness/explore/explore-crew.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/epoll.h>

#include "harness/base/end-signals.h"
#include "harness/explore/explore-traits.h"
#include "lib/base/monotonic.h"
#include "sim/process/process-loop.h"
#include "sim/process/process-reap.h"
#include "sim/system/private-directory.h"

struct work;

struct seat {
	struct work *work;
	struct loop_source *ends, *is_late;	/* of the run, while it runs */
	struct explore_run run;
	unsigned int at;
	bool is_taken, is_over;
	char *first;		/* --twice: the hash of what came of the first time */
	struct explore_result result;
};

struct work {
	const struct explore_crew *crew;
	struct seat *seats;
	struct loop *loop;
	unsigned int next, taken;	/* the run to start, and the one to hand out */
	unsigned int step;
	bool is_over;		/* no more are wanted */
	bool is_ending;		/* nor is what runs */
	int err;
};

/* ---- a seat ---- */

static void run_is_over(void *ctx, int status);

static void run_is_late(void *ctx, int zero)
{
	struct seat *seat = ctx;

	(void)zero;
	explore_run_is_late(&seat->run, monotonic_ns());
	loop_set_time(seat->is_late, seat->run.end_ns);
}

static int start(struct work *work, struct seat *seat)
{
	const struct explore_crew *crew = work->crew;
	struct explore_point point = crew->point(crew->ctx, seat->at);
	g_autofree char *name = g_strdup_printf("%s%06u", crew->prefix, seat->at + 1);
	int ret;

	explore_run_clear(&seat->run);
	ret = explore_run_start(&seat->run, crew->test, &point, name);
	explore_point_clear(&point);
	if (ret < 0)
		return ret;
	seat->ends = loop_add_child(work->loop, seat->run.pid, 1, run_is_over, seat);
	if (!seat->ends) {
		ret = -errno;
		reap_killed(seat->run.pid);
		seat->run.pid = 0;
		return ret;
	}
	seat->is_late = loop_add_timer(work->loop, seat->run.end_ns, 2, run_is_late, seat);
	return 0;
}

static void seat_clear(struct seat *seat)
{
	if (seat->run.directory)
		remove_tree(seat->run.directory);
	explore_run_clear(&seat->run);
	explore_point_clear(&seat->result.point);
	explore_verdict_clear(&seat->result.verdict);
	explore_orders_clear(&seat->result.orders);
	g_clear_pointer(&seat->result.traits, g_hash_table_unref);
	g_free(seat->first);
	*seat = (struct seat){ .work = seat->work };
}

static void make_result(struct seat *seat)
{
	g_autofree char *capture = g_build_filename(seat->run.directory, EXPLORE_CAPTURE, NULL);

	seat->is_over = true;
	seat->result.at = seat->at;
	seat->result.directory = seat->run.directory;
	explore_point_copy(&seat->result.point, &seat->run.point);
	if (seat->work->crew->wants_traits) {
		seat->result.traits = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
		explore_traits_of_files(seat->result.traits, seat->run.directory);
	}
	explore_orders_read(&seat->result.orders, capture, seat->result.traits);
	seat->result.instants = explore_run_instants(&seat->run);
	seat->result.met = explore_verdict_met(&seat->run);
	seat->result.points = seat->run.end.points;
}

/* --twice: the first time. The directory makes room for that of the second, under another name. */
static void begin_again(struct work *work, struct seat *seat)
{
	g_autofree char *aside = g_strconcat(seat->run.directory, ".first", NULL);

	seat->first = explore_orders_of_files(seat->run.directory);
	if (!seat->first || g_rename(seat->run.directory, aside) < 0)
		work->err = -errno;
	else
		work->err = start(work, seat);
}

/* The second time: the first one's directory is kept where they differ, within the other. */
static void compare(struct seat *seat)
{
	g_autofree char *aside = g_strconcat(seat->run.directory, ".first", NULL);
	g_autofree char *second = explore_orders_of_files(seat->run.directory);
	g_autofree char *kept = g_build_filename(seat->run.directory, "first", NULL);

	if (g_strcmp0(seat->first, second) == 0) {
		remove_tree(aside);
		return;
	}
	if (seat->result.verdict.kind == EXPLORE_PASSED)
		seat->result.verdict = (struct explore_verdict){
			.kind = EXPLORE_DIFFERS, .text = g_strdup("not the same the second time"),
		};
	if (g_rename(aside, kept) < 0)
		remove_tree(aside);
}

static void run_is_over(void *ctx, int status)
{
	struct seat *seat = ctx;
	struct work *work = seat->work;

	explore_run_has_ended(&seat->run, status);
	loop_remove(seat->is_late);
	/* The signal may have ended the run as well. */
	if (work->is_ending || end_signals_caught())
		return;
	explore_verdict_clear(&seat->result.verdict);
	explore_verdict_make(&seat->result.verdict, &seat->run);
	if (work->crew->test->twice && !seat->first &&
	    seat->result.verdict.kind == EXPLORE_PASSED) {
		begin_again(work, seat);
		return;
	}
	if (seat->first)
		compare(seat);
	make_result(seat);
}

/* ---- all of them ---- */

static void fill_seats(struct work *work)
{
	for (unsigned int i = 0; i < work->crew->jobs && work->next < work->crew->end &&
	     work->err == 0 && !work->is_over; i++) {
		struct seat *seat = &work->seats[i];

		if (seat->is_taken)
			continue;
		seat->is_taken = true;
		seat->at = work->next;
		work->next += work->step;
		work->err = start(work, seat);
	}
}

static bool hand_out_next(struct work *work)
{
	for (unsigned int i = 0; i < work->crew->jobs; i++) {
		struct seat *seat = &work->seats[i];

		if (!seat->is_over || seat->at != work->taken)
			continue;
		work->is_over = !work->crew->take(work->crew->ctx, &seat->result);
		work->taken += work->step;
		seat_clear(seat);
		return !work->is_over;
	}
	return false;
}

/* What runs and is not wanted any more. All are told first, so that they end at the same time. */
static void end_all(struct work *work)
{
	work->is_ending = true;
	for (unsigned int i = 0; i < work->crew->jobs; i++) {
		if (work->seats[i].run.pid > 0)
			run_is_late(&work->seats[i], 0);
	}
	for (unsigned int i = 0; i < work->crew->jobs; i++) {
		struct seat *seat = &work->seats[i];

		while (seat->run.pid > 0)
			loop_step(work->loop, INT64_MAX);
		if (seat->first) {
			g_autofree char *aside = g_strconcat(seat->run.directory, ".first", NULL);

			remove_tree(aside);
		}
		seat_clear(seat);
	}
}

/* 0 or -errno: all runs, or those up to the end that a signal brings. */
static int do_all(struct work *work)
{
	struct loop_source *signals = loop_add_descriptor(work->loop, end_signals_fd(), EPOLLIN, 0,
							  NULL, NULL);

	if (!signals)
		return -errno;
	while (work->taken < work->crew->end && !work->is_over && work->err == 0 &&
	       !end_signals_caught()) {
		fill_seats(work);
		if (work->err == 0)
			loop_step(work->loop, INT64_MAX);
		while (hand_out_next(work))
			continue;
	}
	loop_remove(signals);
	end_all(work);
	return work->err;
}

int explore_crew_work(const struct explore_crew *crew, int *ret_sig)
{
	struct work work = {
		.crew = crew, .next = crew->first, .taken = crew->first, .step = MAX(crew->step, 1),
	};
	int ret = end_signals_catch();

	if (ret < 0)
		return ret;
	work.seats = g_new0(struct seat, crew->jobs);
	for (unsigned int i = 0; i < crew->jobs; i++)
		work.seats[i].work = &work;
	work.loop = loop_new();
	ret = work.loop ? do_all(&work) : -errno;
	loop_free(work.loop);
	end_signals_restore();
	g_free(work.seats);
	*ret_sig = end_signals_caught();
	return *ret_sig ? -EINTR : ret;
}
