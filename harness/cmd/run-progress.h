/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A line on the terminal that says how far a run is (harness/base/status-line.h).
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_PROGRESS_H
#define UMADRIG_HARNESS_CMD_RUN_PROGRESS_H

#include "harness/cmd/run-sink.h"

struct run_progress;

/* NULL: there can be no such line (status_line_new()). All other functions allow NULL. */
struct run_progress *run_progress_new(const struct run_about *about);

/* Takes the line away: something else is about to be printed. */
void run_progress_clear(struct run_progress *progress);
/* A result has been printed; the line is drawn again, unless it was a moment ago. */
void run_progress_result(struct run_progress *progress, const struct run_result *result);
/* Nothing happens but that this point runs: the line is drawn. */
void run_progress_wait(struct run_progress *progress, const char *name);

void run_progress_free(struct run_progress *progress);

#endif
