/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The shortest sequence that still differs: steps are taken out, many at a time at first, then the
 * numbers of those that remain are replaced by simpler ones, until nothing more helps.
 */
#include <string.h>

#include "tests/kernels/duel.h"

/* Takes out 'count' steps from 'at' on. False: it does not differ then, and is as before. */
static bool take_out(struct duel_sequence *sequence, unsigned int at, unsigned int count,
		     const struct duel_side sides[2])
{
	struct duel_sequence shorter = *sequence;

	memmove(shorter.steps + at, shorter.steps + at + count,
		(sequence->count - at - count) * sizeof(*shorter.steps));
	shorter.count -= count;
	if (!duel_differs(&shorter, sides, NULL))
		return false;
	*sequence = shorter;
	return true;
}

static bool shorten(struct duel_sequence *sequence, const struct duel_side sides[2])
{
	bool shorter = false;

	for (unsigned int count = MAX(sequence->count / 2, 1); count > 0; count /= 2) {
		/* From the end: what comes late depends on what comes early. */
		for (unsigned int at = sequence->count; at >= count; ) {
			at -= count;
			if (take_out(sequence, at, count, sides))
				shorter = true;
			at = MIN(at, sequence->count);
		}
	}
	return shorter;
}

static bool simplify_number(struct duel_sequence *sequence, unsigned int at,
			    enum duel_number number, const struct duel_side sides[2])
{
	struct duel_sequence simpler = *sequence;

	for (unsigned int n = 0; duel_step_simplify(&simpler.steps[at], number, n); n++) {
		if (duel_differs(&simpler, sides, NULL)) {
			*sequence = simpler;
			return true;
		}
		simpler = *sequence;
	}
	return false;
}

static bool simplify(struct duel_sequence *sequence, const struct duel_side sides[2])
{
	bool simpler = false;

	for (unsigned int at = 0; at < sequence->count; at++)
		for (unsigned int i = 0; i < DUEL_NUMBER_COUNT; i++)
			if (simplify_number(sequence, at, (enum duel_number)i, sides))
				simpler = true;
	return simpler;
}

void duel_shrink(struct duel_sequence *sequence, const struct duel_side sides[2])
{
	struct duel_difference difference;

	/* What comes after it is not needed. */
	if (!duel_differs(sequence, sides, &difference))
		return;
	if (difference.step + 1 < (int)sequence->count)
		take_out(sequence, (unsigned int)difference.step + 1,
			 sequence->count - (unsigned int)difference.step - 1, sides);
	duel_difference_clear(&difference);
	do
		shorten(sequence, sides);
	while (simplify(sequence, sides));
}
