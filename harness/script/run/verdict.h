/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How a point fails: the line, the reason, what was expected and what came instead.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_VERDICT_H
#define UMADRIG_HARNESS_SCRIPT_RUN_VERDICT_H

#include "harness/script/run/timeline.h"

/* "200ms", for messages: the text lives until the fourth call after this one. */
const char *say_time(int64_t ns);

/*
 * "status: expected 0, actual ETIMEDOUT; ...", the first of the differences that mad_compare() has
 * appended; to be freed.
 */
char *say_differences(const char *lines);

/* When the window ends: a line's own is up to and not at that time. */
int64_t due_end_ns(const struct plan_step *step, const struct due_window *due);

/* Fills in "expected" from the step's own text; "actual" with what was seen. */
void fail_expected(struct run *run, const struct plan_step *step, const struct due_window *due);
void fail_actual(struct run *run, int64_t at_ns, const char *what);

/*
 * 'what' ("> VendGet(0x0010)") came at the wrong time. Returns the word for it in the ladder, where
 * the caller notes it.
 */
const char *fail_time(struct run *run, const struct plan_step *step, const struct due_window *due,
		      int64_t at_ns, const char *what);

void fail_unexpected(struct run *run, struct place place, struct world_packet *packet);

/* ---- harness/script/run/missing.c ---- */

/*
 * The expected event did not come. On the simulator it costs nothing to look further: is it late,
 * or can nothing happen any more? 'handle' NULL: a packet was expected. A line that is amended has
 * not failed: what came late is there then, and 'due' is when.
 */
void fail_missing(struct run *run, const struct plan_step *step, struct due_window *due,
		  struct run_handle *handle);

#endif
