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
#include <poll.h>
#include <stdio.h>

#include "harness/base/end-signals.h"
#include "lib/base/monotonic.h"
#include "kmod-stub/event.h"
#include "sim/system/private-directory.h"

struct seat {
	struct explore_run run;
	unsigned int at;
	bool is_taken, is_over;
	char *first;		/* --twice: the hash of what came of the first time */
	struct explore_result result;
};

struct work {
	const struct explore_crew *crew;
	struct seat *seats;
	struct pollfd *polls;	/* one for each seat, and the signals' */
	unsigned int next, taken;	/* the run to start, and the one to hand out */
	bool is_over;		/* no more are wanted */
	int err;
};

/* ---- a seat ---- */

static int start(struct work *work, struct seat *seat)
{
	const struct explore_crew *crew = work->crew;
	struct explore_point point = crew->point(crew->ctx, seat->at);
	g_autofree char *name = g_strdup_printf("%s%06u", crew->prefix, seat->at + 1);

	explore_run_clear(&seat->run);
	return explore_run_start(&seat->run, crew->test, &point, name);
}

static void seat_clear(struct seat *seat)
{
	if (seat->run.directory)
		remove_tree(seat->run.directory);
	explore_run_clear(&seat->run);
	explore_point_clear(&seat->result.point);
	explore_verdict_clear(&seat->result.verdict);
	explore_orders_clear(&seat->result.orders);
	g_free(seat->first);
	*seat = (struct seat){ .run.pidfd = -1, .run.end_ns = INT64_MAX };
}

static void make_result(struct seat *seat)
{
	g_autofree char *capture = g_build_filename(seat->run.directory, EXPLORE_CAPTURE, NULL);

	seat->is_over = true;
	seat->result.at = seat->at;
	seat->result.directory = seat->run.directory;
	explore_point_copy(&seat->result.point, &seat->run.point);
	explore_orders_read(&seat->result.orders, capture);
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

static void run_is_over(struct work *work, struct seat *seat)
{
	explore_run_finish(&seat->run);
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
		seat->at = work->next++;
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
		work->taken++;
		seat_clear(seat);
		return !work->is_over;
	}
	return false;
}

static int milliseconds_until(int64_t end_ns)
{
	return (int)CLAMP((end_ns - monotonic_ns()) / (NS_PER_S / 1000) + 1, 0, G_MAXINT);
}

/* Milliseconds until the first run is late; -1: none will be. */
static int time_left(const struct work *work)
{
	int64_t end_ns = INT64_MAX;

	for (unsigned int i = 0; i < work->crew->jobs; i++) {
		if (work->seats[i].run.pid > 0)
			end_ns = MIN(end_ns, work->seats[i].run.end_ns);
	}
	return end_ns == INT64_MAX ? -1 : milliseconds_until(end_ns);
}

static void wait_for_some(struct work *work)
{
	unsigned int jobs = work->crew->jobs;
	int64_t now_ns;

	for (unsigned int i = 0; i < jobs; i++)
		work->polls[i] = (struct pollfd){ .fd = work->seats[i].run.pidfd,
						  .events = POLLIN };
	work->polls[jobs] = (struct pollfd){ .fd = end_signals_fd(), .events = POLLIN };
	if (poll(work->polls, jobs + 1, time_left(work)) < 0 || end_signals_caught())
		return;
	now_ns = monotonic_ns();
	for (unsigned int i = 0; i < jobs; i++) {
		struct seat *seat = &work->seats[i];

		if (seat->run.pid > 0 && work->polls[i].revents)
			run_is_over(work, seat);
		else if (seat->run.pid > 0 && seat->run.end_ns <= now_ns)
			explore_run_is_late(&seat->run, now_ns);
	}
}

/* What runs and is not wanted any more. All are told first, so that they end at the same time. */
static void end_all(struct work *work)
{
	for (unsigned int i = 0; i < work->crew->jobs; i++) {
		if (work->seats[i].run.pid > 0)
			explore_run_is_late(&work->seats[i].run, monotonic_ns());
	}
	for (unsigned int i = 0; i < work->crew->jobs; i++) {
		struct seat *seat = &work->seats[i];
		struct pollfd ends = { .fd = seat->run.pidfd, .events = POLLIN };

		if (seat->run.pid > 0) {
			while (poll(&ends, 1, milliseconds_until(seat->run.end_ns)) < 0 &&
			       errno == EINTR)
				continue;
			if (!ends.revents)
				explore_run_is_late(&seat->run, monotonic_ns());
			explore_run_finish(&seat->run);
		}
		if (seat->first) {
			g_autofree char *aside = g_strconcat(seat->run.directory, ".first", NULL);

			remove_tree(aside);
		}
		seat_clear(seat);
	}
}

int explore_crew_work(const struct explore_crew *crew, int *ret_sig)
{
	struct work work = { .crew = crew, .next = crew->first, .taken = crew->first };

	work.err = end_signals_catch();
	if (work.err < 0)
		return work.err;
	work.seats = g_new0(struct seat, crew->jobs);
	work.polls = g_new0(struct pollfd, crew->jobs + 1);
	for (unsigned int i = 0; i < crew->jobs; i++)
		work.seats[i].run.pidfd = -1;
	while (work.taken < crew->end && !work.is_over && work.err == 0 &&
	       !end_signals_caught()) {
		fill_seats(&work);
		if (work.err == 0)
			wait_for_some(&work);
		while (hand_out_next(&work))
			continue;
	}
	end_all(&work);
	end_signals_restore();
	g_free(work.seats);
	g_free(work.polls);
	*ret_sig = end_signals_caught();
	return *ret_sig ? -EINTR : work.err;
}
