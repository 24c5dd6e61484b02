/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lanes: a process that has held up who handles its calls has its own calls held up by that, and
 * nobody else's. From then on they wait in its lane, for a thread that serves it alone; and so do
 * those of what it has started. After some time without that it has none any more.
 *
 * Used in the turn (harness/filter/supervisor-turn.h), unless it is said otherwise.
 */
#ifndef UMADRIG_HARNESS_FILTER_CALL_LANE_H
#define UMADRIG_HARNESS_FILTER_CALL_LANE_H

#include <glib.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "harness/filter/program-descriptor.h"

enum { CALL_LANES_PROCESSES = 4096 };	/* that are remembered, by the numbers of threads */

struct call_lane;

struct call_lanes {
	pthread_mutex_t lock;	/* of the lanes' calls; held for moments only */
	GPtrArray *lanes;
	struct {
		pid_t tid;
		struct process_ids ids;
		int64_t end_ns;
	} processes[CALL_LANES_PROCESSES];
};

void call_lanes_init(struct call_lanes *lanes);
void call_lanes_clear(struct call_lanes *lanes);

/* The process of a thread, as of some moments ago. */
pid_t call_lanes_process(struct call_lanes *lanes, pid_t tid);
/* Leaves a call to the lane of its process. False: it has none. */
bool call_lanes_put(struct call_lanes *lanes, const struct seccomp_notif *call);
/* Has a lane a call of that thread? */
bool call_lanes_have(struct call_lanes *lanes, pid_t tid);

/* A lane for the process of that thread, to be removed by call_lane_remove(). */
struct call_lane *call_lane_add(struct call_lanes *lanes, pid_t tid);
/* It has held up a thread again. */
void call_lane_prolong(struct call_lane *lane);
/*
 * Until there is a call in the lane, or until the lane's end. Not to be called in the turn. The
 * call stays there: as long as its thread waits for an answer others have to know of it.
 */
void call_lane_wait(struct call_lanes *lanes, struct call_lane *lane);
/* Its next call, to be freed with g_free() and handled in the same turn; NULL: there is none. */
struct seccomp_notif *call_lane_take(struct call_lanes *lanes, struct call_lane *lane);
/* False: it has a call. */
bool call_lane_remove(struct call_lanes *lanes, struct call_lane *lane);

#endif
