/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What umadrig run prints: TAP, with the reason of each failure.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_REPORT_H
#define UMADRIG_HARNESS_CMD_RUN_REPORT_H

#include "harness/cmd/run-point.h"
#include "harness/cmd/run-selection.h"

/* What runs, on what: the backend, the seed, the kernels. */
void run_report_header(const struct run_options *options, const GArray *selection);

/* What happened in a point, if anything did. */
void run_report_ladder(const struct outcome *outcome);

/* A failure; 'capture': where its packets are, or NULL. */
void run_report_failure(const struct run_options *options, const struct selected *selected,
			const struct outcome *outcome, const char *capture);

/* A point that was skipped where --fail-on-skip does not allow it. */
void run_report_forbidden_skip(const struct point *point, const struct outcome *outcome);

/* A script with errors. */
void run_report_unreadable(const struct script *script);

#endif
