/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Two sequences side by side: what belongs together, and what only one of them has.
 */
#ifndef UMADRIG_SIM_DIFF_ALIGN_H
#define UMADRIG_SIM_DIFF_ALIGN_H

#include "sim/diff/diff-item.h"

/* How far apart in the two sequences may be what belongs together. */
#define ALIGN_WINDOW 1024

/* What comes next: so many that only one side has, and then two that belong together, or not. */
struct align_step {
	size_t only_a, only_b;
	bool pair;
};

/*
 * The next step of two sequences of which the first 'a_count' and 'b_count' items are there, at
 * most ALIGN_WINDOW of each; none mean that the sequence ends there. Where nothing belongs together
 * within the window all of it is one side's only. The work is in proportion to the step.
 */
struct align_step align_next(struct diff_item *const *a, size_t a_count,
			     struct diff_item *const *b, size_t b_count);

#endif
