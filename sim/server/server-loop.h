/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a server has, and how it serves it: sim/server/server.c makes one, and its loop is here.
 */
#ifndef UMADRIG_SIM_SERVER_SERVER_LOOP_H
#define UMADRIG_SIM_SERVER_SERVER_LOOP_H

#include "sim/server/client.h"
#include "sim/server/listener.h"
#include "sim/server/served-fabric.h"
#include "sim/server/server-ring.h"
#include "sim/server/watch.h"

struct lockstep_end;
struct lockstep_table;

struct server {
	struct watch_set watches;
	struct served_fabric served;
	struct server_rings rings;
	struct server_clients clients;
	struct listener listener;
	struct watch timer;
	struct watch machine;		/* sim/guests/hca-machine.h; fd -1: there is none */
	struct watch lockstep;		/* a timer, by which programs in virtual time are watched */
	int64_t timer_due_ns;		/* CLOCK_MONOTONIC; TIME_NEVER: not armed */
	struct epoll_event *events;	/* room for all watches, twice; see server_loop_step() */
	unsigned int events_room;	/* of each half */
	uint64_t swept_count;		/* watches.closed_count at the last sweep of accounts */
	unsigned int own_writes;	/* handles that programs have written to by themselves */
	struct lockstep_table *noted;	/* by server_lockstep_note(); NULL: that notes nothing */
	bool is_noted;
	void (*when_noted)(void *ctx, const struct lockstep_end *end);	/* NULL: nothing is */
	void *when_noted_ctx;
	bool gives_back;		/* memory to the system, a slice in each step */
};

/*
 * One step, which waits at most 'timeout_ms' (-1: without end) for something to serve.
 *
 * What came first is served first, though calls, rings and closed handles arrive by different ways
 * (lib/attach/protocol.h: order). To see what was put into a ring before a call was sent, the rings
 * are looked at after the call has been seen; to see the handles that were closed before that was
 * put, handles are looked at after the rings. If no ring has more than its bell announced, one look
 * is enough.
 *
 * Returns 1 if the server was stopped, 0 or -errno.
 */
int server_loop_step(struct server *server, int timeout_ms);

#endif
