/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Chance: one seed, named streams split from it. A stream's numbers depend on the seed and its own
 * name only, so adding a link does not reshuffle the others. (SplitMix64 seeding xoshiro256**.)
 */
#ifndef UMADRIG_SIM_TIME_CHANCE_H
#define UMADRIG_SIM_TIME_CHANCE_H

#include <stdbool.h>
#include <stdint.h>

struct chance {
	uint64_t state[4];
};

/* The stream called 'name' of 'seed'. */
void chance_init(struct chance *chance, uint64_t seed, const char *name);
uint64_t chance_next(struct chance *chance);
/* A number from 0 up to, not including, 'limit' (> 0), without bias. */
uint64_t chance_below(struct chance *chance, uint64_t limit);
/* True with probability 'numerator' / 'denominator'. */
bool chance_hits(struct chance *chance, uint64_t numerator, uint64_t denominator);

#endif
