/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What is the same in all books of aliases: the numbers of each kind, and how they are made.
 */
#ifndef UMADRIG_SIM_SCRUB_ALIAS_KIND_H
#define UMADRIG_SIM_SCRUB_ALIAS_KIND_H

#include "sim/scrub/alias.h"

/* The aliases of a kind: 'base' with as many low bits as may differ. */
struct alias_range {
	uint64_t base;
	unsigned int bits;
	unsigned int size;	/* in bytes, of what is looked for in bytes; 0: it is not */
};

extern const struct alias_range alias_ranges[ALIAS_KINDS];

/* Does every fabric have it? */
bool alias_is_well_known(enum alias_kind kind, uint64_t v);

/* With a key: a number that nobody without the key could have found. 'what' keeps kinds apart. */
uint64_t alias_digest(const char *key, const char *what, const void *bytes, size_t size,
		      uint32_t attempt);

enum { ALIAS_ORDERS = 4 };

/*
 * A number of 'size' bytes in another order: 0 as it is, 1 turned round, 2 with its halves swapped,
 * 3 with each half turned round.
 */
uint64_t alias_turn(uint64_t v, unsigned int size, unsigned int order);

#endif
