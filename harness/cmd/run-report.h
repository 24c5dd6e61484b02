/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What reports say: the header of a run, and the texts of results.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_REPORT_H
#define UMADRIG_HARNESS_CMD_RUN_REPORT_H

#include "harness/cmd/run-point.h"
#include "harness/cmd/run-result.h"

/*
 * What runs, on what: the backend, the seed, the kernels; which part of the 'whole' points, and in
 * which order. To be freed.
 */
char *run_report_header(const struct run_options *options, const GArray *selection, guint whole);

/* What happened in a point, if anything did. */
void run_report_ladder(const struct outcome *outcome, struct run_result *ret);

/* A failure; what its capture is called is filled in already, if it has one. */
void run_report_failure(const struct run_options *options, const struct run_try *try,
			const struct outcome *outcome, struct run_result *ret);

/* A script with errors. */
void run_report_unreadable(const struct script *script, struct run_result *ret);

#endif
