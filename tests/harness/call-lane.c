/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lanes: whose calls come into one, in which order, and that a call is known until it is handled. A
 * thread whose call has been received may be stopped by nothing but the answer.
 */
#include <glib.h>
#include <unistd.h>

#include "harness/filter/call-lane.h"

static struct call_lanes lanes;

static struct seccomp_notif call_of(pid_t tid, uint64_t id)
{
	return (struct seccomp_notif){ .id = id, .pid = (uint32_t)tid };
}

static void put(pid_t tid, uint64_t id)
{
	const struct seccomp_notif call = call_of(tid, id);

	g_assert_true(call_lanes_put(&lanes, &call));
}

static void expect(struct call_lane *lane, uint64_t id)
{
	g_autofree struct seccomp_notif *call = call_lane_take(&lanes, lane);

	g_assert_nonnull(call);
	g_assert_cmpuint(call->id, ==, id);
}

static void test_known(void)
{
	struct call_lane *lane;

	call_lanes_init(&lanes);
	lane = call_lane_add(&lanes, gettid());
	put(gettid(), 1);
	g_assert_true(call_lanes_have(&lanes, gettid()));
	g_assert_false(call_lanes_have(&lanes, gettid() + 1));
	/* The lane's thread has seen it, and waits for its turn. */
	call_lane_wait(&lanes, lane);
	g_assert_true(call_lanes_have(&lanes, gettid()));
	g_assert_false(call_lane_remove(&lanes, lane));
	expect(lane, 1);
	g_assert_false(call_lanes_have(&lanes, gettid()));
	g_assert_true(call_lane_remove(&lanes, lane));
	call_lanes_clear(&lanes);
}

static void test_order(void)
{
	struct call_lane *lane;

	call_lanes_init(&lanes);
	lane = call_lane_add(&lanes, gettid());
	for (uint64_t id = 1; id <= 3; id++)
		put(gettid(), id);
	for (uint64_t id = 1; id <= 3; id++)
		expect(lane, id);
	g_assert_null(call_lane_take(&lanes, lane));
	g_assert_true(call_lane_remove(&lanes, lane));
	call_lanes_clear(&lanes);
}

static void test_others(void)
{
	const struct seccomp_notif mine = call_of(gettid(), 1), parent = call_of(getppid(), 2);
	struct call_lane *lane;

	call_lanes_init(&lanes);
	g_assert_false(call_lanes_put(&lanes, &mine));
	lane = call_lane_add(&lanes, gettid());
	/* What this process starts would be in its lane, and what has started it is not. */
	g_assert_false(call_lanes_put(&lanes, &parent));
	g_assert_false(call_lanes_have(&lanes, getppid()));
	g_assert_true(call_lane_remove(&lanes, lane));
	g_assert_false(call_lanes_put(&lanes, &mine));
	call_lanes_clear(&lanes);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/call-lane/known", test_known);
	g_test_add_func("/call-lane/order", test_order);
	g_test_add_func("/call-lane/others", test_others);
	return g_test_run();
}
