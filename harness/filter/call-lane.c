/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/call-lane.h"

#include <time.h>

#include "lib/base/monotonic.h"

/* How long a process that has held up a thread keeps its lane. */
#define LANE_LIFE_NS INT64_C(2000000000)
/* How long a thread's number is taken for that of the same thread. */
#define PROCESS_LIFE_NS INT64_C(500000000)

struct call_lane {
	pid_t process;
	int64_t end_ns;
	GQueue calls;		/* of struct seccomp_notif * */
	pthread_cond_t changed;
};

void call_lanes_init(struct call_lanes *lanes)
{
	lanes->lanes = g_ptr_array_new();
	pthread_mutex_init(&lanes->lock, NULL);
}

void call_lanes_clear(struct call_lanes *lanes)
{
	g_clear_pointer(&lanes->lanes, g_ptr_array_unref);
}

/* ---- whose a call is ---- */

static struct process_ids ids_of(struct call_lanes *lanes, pid_t tid)
{
	unsigned int at = (unsigned int)tid % CALL_LANES_PROCESSES;
	int64_t now_ns = monotonic_ns();

	if (lanes->processes[at].tid != tid || lanes->processes[at].end_ns < now_ns) {
		lanes->processes[at].tid = tid;
		lanes->processes[at].ids = process_ids_of_thread(tid);
		lanes->processes[at].end_ns = now_ns + PROCESS_LIFE_NS;
	}
	return lanes->processes[at].ids;
}

pid_t call_lanes_process(struct call_lanes *lanes, pid_t tid)
{
	return ids_of(lanes, tid).process;
}

static struct call_lane *find_lane(const struct call_lanes *lanes, pid_t process)
{
	for (guint i = 0; i < lanes->lanes->len; i++) {
		struct call_lane *lane = lanes->lanes->pdata[i];

		if (lane->process == process)
			return lane;
	}
	return NULL;
}

bool call_lanes_put(struct call_lanes *lanes, const struct seccomp_notif *call)
{
	struct process_ids ids;
	struct call_lane *lane;

	if (lanes->lanes->len == 0)
		return false;
	ids = ids_of(lanes, (pid_t)call->pid);
	lane = find_lane(lanes, ids.process);
	/* What it starts means no better. */
	lane = lane ? lane : find_lane(lanes, ids.parent);
	if (!lane)
		return false;
	pthread_mutex_lock(&lanes->lock);
	g_queue_push_tail(&lane->calls, g_memdup2(call, sizeof(*call)));
	pthread_cond_signal(&lane->changed);
	pthread_mutex_unlock(&lanes->lock);
	return true;
}

static gint is_of(gconstpointer call, gconstpointer tid)
{
	return ((const struct seccomp_notif *)call)->pid != *(const uint32_t *)tid;
}

bool call_lanes_have(struct call_lanes *lanes, pid_t tid)
{
	const uint32_t wanted = (uint32_t)tid;
	bool is_there = false;

	pthread_mutex_lock(&lanes->lock);
	for (guint i = 0; i < lanes->lanes->len && !is_there; i++) {
		struct call_lane *lane = lanes->lanes->pdata[i];

		is_there = g_queue_find_custom(&lane->calls, &wanted, is_of);
	}
	pthread_mutex_unlock(&lanes->lock);
	return is_there;
}

/* ---- a lane ---- */

struct call_lane *call_lane_add(struct call_lanes *lanes, pid_t tid)
{
	struct call_lane *lane = g_new0(struct call_lane, 1);
	pthread_condattr_t attributes;

	lane->process = call_lanes_process(lanes, tid);
	call_lane_prolong(lane);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&lane->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	g_ptr_array_add(lanes->lanes, lane);
	return lane;
}

void call_lane_prolong(struct call_lane *lane)
{
	lane->end_ns = monotonic_ns() + LANE_LIFE_NS;
}

void call_lane_wait(struct call_lanes *lanes, struct call_lane *lane)
{
	const struct timespec end = {
		.tv_sec = lane->end_ns / INT64_C(1000000000),
		.tv_nsec = lane->end_ns % INT64_C(1000000000),
	};
	int err = 0;

	pthread_mutex_lock(&lanes->lock);
	while (g_queue_is_empty(&lane->calls) && err == 0)
		err = pthread_cond_timedwait(&lane->changed, &lanes->lock, &end);
	pthread_mutex_unlock(&lanes->lock);
}

struct seccomp_notif *call_lane_take(struct call_lanes *lanes, struct call_lane *lane)
{
	struct seccomp_notif *call;

	pthread_mutex_lock(&lanes->lock);
	call = g_queue_pop_head(&lane->calls);
	pthread_mutex_unlock(&lanes->lock);
	return call;
}

bool call_lane_remove(struct call_lanes *lanes, struct call_lane *lane)
{
	if (!g_queue_is_empty(&lane->calls))
		return false;
	g_ptr_array_remove(lanes->lanes, lane);
	pthread_cond_destroy(&lane->changed);
	g_free(lane);
	return true;
}
