/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The timeline of a running point: when a line is due, letting time pass, what happens meanwhile.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_TIMELINE_H
#define UMADRIG_HARNESS_SCRIPT_RUN_TIMELINE_H

#include "harness/script/run/run.h"

/* When a step is due. On the simulator a point in time is one instant. */
struct due_window {
	int64_t target_ns;		/* what the script says */
	int64_t low_ns, high_ns;	/* both inclusive */
};

/* A window in which something must not happen. */
struct silence {
	const struct plan_step *step;
	int64_t from_ns, to_ns;
	struct run_handle *handle;	/* NULL: '> nothing' */
};

int64_t run_now(struct run *run);

/* The window of a step, as of now. */
struct due_window step_window(struct run *run, const struct plan_step *step);

/*
 * The step was kept at 'at_ns': what follows with '+' counts from there. A line whose time is a
 * window does not move it.
 */
void step_done(struct run *run, const struct plan_step *step, const struct due_window *due,
	       int64_t at_ns);

/*
 * On hw a call takes its time, and so do the ones before it: absolute times count from where the
 * last call would have put zero. 'began_ns' is when it was called; it has just come back.
 */
void step_acted(struct run *run, int64_t began_ns);

/* Takes what has become readable off all handles, and what has left A. */
void run_collect(struct run *run);

/* One instant, or less: false when nothing more happens up to and at 'until_ns', which is now. */
bool run_advance_once(struct run *run, int64_t until_ns);

/* Lets everything up to and at 'until_ns' happen. */
void run_advance(struct run *run, int64_t until_ns);

/* Nothing may arrive at 'handle' (NULL: leave A) in the window of 'step', from now on watched. */
void run_add_silence(struct run *run, const struct plan_step *step, struct run_handle *handle);

/* Fails where something came before 'before_ns' that no line accounts for. */
void run_check_leftovers(struct run *run, struct place place, int64_t before_ns);

/* The MAD and addresses of a packet, to be compared. */
void packet_instance(const struct world_packet *packet, struct mad_instance *ret);

#endif
