/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Runs a selected point, judges it, keeps its capture.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_ATTEMPT_H
#define UMADRIG_HARNESS_CMD_RUN_ATTEMPT_H

#include "harness/cmd/run-result.h"

/*
 * What becomes of a point when it is run for the 'round'th time, counting from 0. 'scratch': a
 * directory for captures that are only compared (--twice), or NULL. 'ret' is to be cleared.
 */
void run_attempt(const struct run_options *options, const struct selected *selected,
		 unsigned int round, const char *scratch, struct run_result *ret);

/* A result for a point that was lost for the reason 'why'. */
void run_attempt_lost(const struct run_options *options, const struct selected *selected,
		      unsigned int round, const char *why, struct run_result *ret);

#endif
