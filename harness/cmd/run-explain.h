/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig run --explain: what points would do, and when.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_EXPLAIN_H
#define UMADRIG_HARNESS_CMD_RUN_EXPLAIN_H

#include "harness/cmd/run-selection.h"

/*
 * Prints the timeline of every selected point to standard output, and the errors of scripts that
 * have some. True: none has.
 */
bool run_explain(const GArray *selection, const struct run_options *options);

#endif
