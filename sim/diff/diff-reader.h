/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The conversations or packets of a source, one after the other, as they are compared.
 */
#ifndef UMADRIG_SIM_DIFF_DIFF_READER_H
#define UMADRIG_SIM_DIFF_DIFF_READER_H

#include "sim/diff/diff.h"

struct diff_reader;

/* Never NULL. Both arguments must outlive it. */
struct diff_reader *diff_reader_new(const struct diff_options *options,
				    const struct diff_source *source);
/* The next one that counts, the caller's; NULL: there are no more. */
struct diff_item *diff_reader_next(struct diff_reader *reader);
/* How many there were, and MADs with a wrong CRC. */
void diff_reader_count(const struct diff_reader *reader, uint64_t *ret_items,
		       uint64_t *ret_damaged);
void diff_reader_free(struct diff_reader *reader);

/* The search for what is least unlike 'item'; of the same, the first counts. */
struct diff_closest {
	const struct diff_item *item;
	const struct diff_item *best;
	uint64_t distance;
};

void diff_closest_consider(struct diff_closest *closest, const struct diff_item *candidate);

#endif
