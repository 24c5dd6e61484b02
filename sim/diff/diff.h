/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What differs between two captures, by conversation.
 *
 * In the order of their requests, or in any. In order, a window of ALIGN_WINDOW conversations of
 * each side is held: what is missing is found in it, however long the captures are. In any order a
 * digest is held of each conversation that the other side has not had so far; what differs in the
 * end is read a second time.
 *
 * Times are compared on request: those of requests since the first two that belong together, those
 * of answers since their requests. What is sent again is counted ('retries', 'losses'), but neither
 * its times nor its bytes are compared; nor are the acknowledgements of RMPP, answers that come
 * again, and the order in which conversations are answered.
 *
 * Packet by packet all of that counts: each MAD is then compared by itself, with its direction, in
 * its order among all others, and its time since the first two that belong together.
 */
#ifndef UMADRIG_SIM_DIFF_DIFF_H
#define UMADRIG_SIM_DIFF_DIFF_H

#include "sim/diff/diff-item.h"

/* Where MADs come from. */
struct diff_source {
	void *ctx;
	/* The next one, good until the one after it is asked for; NULL: there are no more. */
	const struct capture_mad *(*next)(void *ctx);
	/* Begins again. False: it cannot. Needed for 'any_order' only. */
	bool (*rewind)(void *ctx);
};

struct diff_options {
	struct ignored_fields ignored;
	bool any_order;
	bool packets;			/* packet by packet: the items are single MADs */
	bool times;			/* times count, too; not with 'any_order' */
	int64_t tolerance_ns;		/* and may be so far apart */
	/* Which conversations count: those with a message of which it says true. NULL: all. */
	bool (*keep)(void *ctx, const struct capture_mad *mad);
	void *keep_ctx;
	size_t details_max;		/* differences that are reported; all are counted */
};

enum diff_kind {
	DIFF_CHANGED,		/* the same was asked, and something is different */
	DIFF_MISSING,		/* A has it, B has not */
	DIFF_EXTRA,		/* B has it, A has not */
};

/* Good for the call only. */
struct diff_event {
	enum diff_kind kind;
	const struct diff_item *a;	/* NULL: of DIFF_EXTRA */
	const struct diff_item *b;	/* NULL: of DIFF_MISSING */
	const struct diff_item *closest;	/* of the other side, where one lacks it; or NULL */
};

typedef void diff_event_fn(void *ctx, const struct diff_event *event);

struct diff_counts {
	uint64_t a, b;			/* conversations, or packets, that count */
	uint64_t same;
	uint64_t changed, missing, extra;
	uint64_t damaged_a, damaged_b;	/* MADs with a wrong CRC */
};

/*
 * Compares. Differences go to 'fn' as they are found (in any order: those of A in its order, then
 * what only B has). False: a source cannot be read a second time.
 */
bool diff_run(const struct diff_options *options, const struct diff_source *a,
	      const struct diff_source *b, diff_event_fn *fn, void *ctx,
	      struct diff_counts *ret_counts);

static inline bool diff_found(const struct diff_counts *counts)
{
	return counts->changed || counts->missing || counts->extra;
}

#endif
