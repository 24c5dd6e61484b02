/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Numbers that look like chance, from numbers that do not: SplitMix64 (Steele, Lea, Flood, OOPSLA
 * 2014), a public domain algorithm, written from the paper.
 */
#ifndef UMADRIG_LIB_BASE_MIX64_H
#define UMADRIG_LIB_BASE_MIX64_H

#include <stdint.h>

/* What is added to the state for each number: 2^64 divided by the golden ratio. */
#define MIX64_STEP UINT64_C(0x9e3779b97f4a7c15)

/* Another number for each; 0 for 0. */
static inline uint64_t mix64(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

#endif
