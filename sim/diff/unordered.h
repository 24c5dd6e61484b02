/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Differences in any order. See sim/diff/diff.h.
 */
#ifndef UMADRIG_SIM_DIFF_UNORDERED_H
#define UMADRIG_SIM_DIFF_UNORDERED_H

#include "sim/diff/diff.h"

/* As diff_run(). */
bool diff_run_unordered(const struct diff_options *options, const struct diff_source *a,
			const struct diff_source *b, diff_event_fn *fn, void *ctx,
			struct diff_counts *counts);

#endif
