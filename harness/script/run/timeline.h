/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The timeline of a running point: when a line is due, how time passes, what happens meanwhile.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_TIMELINE_H
#define UMADRIG_HARNESS_SCRIPT_RUN_TIMELINE_H

#include "harness/script/run/run.h"

/* When a step is due. On the simulator a point in time is one instant. */
struct due_window {
	int64_t target_ns;		/* as in the script */
	int64_t low_ns, high_ns;	/* both inclusive */
};

static inline bool due_includes(const struct due_window *due, int64_t at_ns)
{
	return at_ns >= due->low_ns && at_ns <= due->high_ns;
}

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
 * The step was met at 'at_ns': times with '+' count from there. A line whose time is a window does
 * not change that.
 */
void step_done(struct run *run, const struct plan_step *step, const struct due_window *due,
	       int64_t at_ns);

/*
 * On hw calls take time: absolute times count from where the last call would have put zero.
 * 'began_ns' is when it was called; it has just returned.
 */
void step_acted(struct run *run, int64_t began_ns);

/* Reads what has become readable from all handles, and what has left A. */
void run_collect(struct run *run);

/* Runs for one instant at most. False: nothing more happens until 'until_ns', which is now. */
bool run_advance_once(struct run *run, int64_t until_ns);

/* Lets everything up to and at 'until_ns' happen. */
void run_advance(struct run *run, int64_t until_ns);

/* From now on checks that nothing arrives at 'handle' (NULL: leaves A) in the window of 'step'. */
void run_add_silence(struct run *run, const struct plan_step *step, struct run_handle *handle);

/* The handle is about to be closed: fails if a line says that nothing arrives there later. */
void run_check_close(struct run *run, const struct run_handle *handle);

/* Fails if something came before 'before_ns' that no line accounts for. */
void run_check_leftovers(struct run *run, struct place place, int64_t before_ns);

/* The MAD and addresses of a packet, to be compared. */
void packet_instance(const struct world_packet *packet, struct mad_instance *ret);
/* What was read: the umad header, the MAD, and the fields of the result. The message stays. */
void item_instance(const struct run_item *item, struct mad_instance *ret);

#endif
