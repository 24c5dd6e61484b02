/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls that wait while the script goes on:
 *
 * 	0        start r = umad_recv(fd, timeout=100ms)
 * 	+10ms    < VendGet(0x0010) class=0x32
 * 	+0       end r = a, status=0 VendGet(0x0010)
 *
 * Each has a thread of its own, in both worlds. On the simulator it takes part in virtual time,
 * which moves only while it waits; if several wait for one handle, the one that was started first
 * is served first, so that every run is the same. On real ports the kernel decides.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_OVERLAP_H
#define UMADRIG_HARNESS_SCRIPT_RUN_OVERLAP_H

#include <pthread.h>

#include "harness/script/run/run.h"

struct overlap;

/*
 * One call. The members from 'entered' on belong to the thread until 'done', all under the
 * overlap's lock.
 */
struct started {
	struct overlap *overlap;
	const struct plan_step *step;
	struct run_handle *handle;
	bool polls;		/* umad_poll, else umad_recv */
	int timeout_ms;
	pthread_t thread;
	bool noticed;		/* the runner knows that it has ended */
	bool ended;		/* a line has waited for its end */
	bool entered;
	bool done;
	int64_t at_ns;
	int result, error, length;
	uint8_t *umad;
};

struct overlap *overlap_new(struct world *world);

/* Notes which calls have returned, so that their handles belong to the runner again. */
void overlap_collect(struct overlap *overlap);

/* A descriptor that is readable when a call has returned since; -1 if none was started. */
int overlap_fd(const struct overlap *overlap);

/* Cancels calls that still wait; they end at the latest when their handle is closed. */
void overlap_cancel(struct overlap *overlap);

/* To be called when all handles are closed: waits for the threads. NULL is allowed. */
void overlap_free(struct overlap *overlap);

/*
 * Starts a call that waits for 'handle': umad_poll() where it 'polls', else umad_recv(). 0 or a
 * negative errno.
 */
int overlap_start(struct overlap *overlap, const struct plan_step *step, struct run_handle *handle,
		  bool polls, int timeout_ms);

/*
 * Of the calls that the lines 'steps' (of const struct plan_step *) have started, the first to
 * return that no line has waited for yet (the caller sets its 'ended'), or NULL.
 */
struct started *overlap_first_back(struct overlap *overlap, const GPtrArray *steps);

#endif
