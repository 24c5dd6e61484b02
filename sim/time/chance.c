/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Chance: see sim/time/chance.h. SplitMix64 (Steele, Lea, Flood 2014) spreads seed and name over
 * the state of xoshiro256** (Blackman, Vigna 2018); both are public domain algorithms, written from
 * their papers. It uses integers only, so that every machine and compiler draws the same numbers.
 */
#include "sim/time/chance.h"

#include <assert.h>

#include "lib/base/mix64.h"

static uint64_t splitmix64(uint64_t *state)
{
	return mix64(*state += MIX64_STEP);
}

void chance_init(struct chance *chance, uint64_t seed, const char *name)
{
	uint64_t state = seed;

	/*
	 * Each byte of the name is mixed in: the streams of "H1[1]" and "H1[2]" have nothing in
	 * common.
	 */
	for (const unsigned char *c = (const unsigned char *)name; *c; c++)
		state = splitmix64(&state) ^ *c;
	for (unsigned int i = 0; i < 4; i++)
		chance->state[i] = splitmix64(&state);
}

static uint64_t rotate_left(uint64_t value, unsigned int bits)
{
	return value << bits | value >> (64 - bits);
}

uint64_t chance_next(struct chance *chance)
{
	uint64_t *s = chance->state;
	uint64_t result = rotate_left(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate_left(s[3], 45);
	return result;
}

uint64_t chance_below(struct chance *chance, uint64_t limit)
{
	uint64_t reject, value;

	assert(limit > 0);
	/* 2^64 modulo limit: numbers below it would make small results more likely. */
	reject = (UINT64_MAX - limit + 1) % limit;
	do
		value = chance_next(chance);
	while (value < reject);
	return value % limit;
}

bool chance_hits(struct chance *chance, uint64_t numerator, uint64_t denominator)
{
	return chance_below(chance, denominator) < numerator;
}
