/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What leads umad-fuzz: which ways the kernel has gone, operations that have found a new one, and
 * the MADs of captures.
 */
#ifndef UMADRIG_TESTS_KERNELS_UMAD_FUZZ_GUIDE_H
#define UMADRIG_TESTS_KERNELS_UMAD_FUZZ_GUIDE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/time/chance.h"

/* An operation, and all that was drawn for it, so that it can be done again. */
struct step {
	unsigned int operation;		/* of operations[] */
	GArray *drawn;			/* uint64_t */
};

/* What all seeds of a run share: the counters of the kernel's process, and what is kept. */
struct guide {
	bool leads;			/* -g */
	struct chance chance;
	uint8_t *counts;		/* UMADRIG_EDGES, shared with the kernel; NULL: no -e */
	uint8_t *seen;			/* as many: bits, a class of how often each */
	unsigned int edges;		/* that were seen */
	GPtrArray *kept;		/* GPtrArray of struct step */
	GPtrArray *samples;		/* struct capture, of which 'sample_count' MADs */
	size_t sample_count;
	GQueue *plan, *past;		/* struct step, of a seed: to be done, and done */
};

void guide_init(struct guide *guide);
void guide_clear(struct guide *guide);

/* Makes the counters, which the kernel's process maps as well. False: it cannot, which is said. */
bool guide_count(struct guide *guide);
/* Reads the MADs of a capture. False: it cannot, which is said. */
bool guide_add_samples(struct guide *guide, const char *path);
/* One of the 'sample_count' MADs, of 256 bytes. */
const uint8_t *guide_sample(const struct guide *guide, uint64_t number);

/* Takes what was counted since the last time. True: there was something new. */
bool guide_look(struct guide *guide);

/* Each seed begins and ends. */
void guide_begin(struct guide *guide, uint64_t seed);
void guide_end(struct guide *guide);

/* An operation for which nothing has been drawn. */
struct step *guide_step_new(unsigned int operation);
/* What was kept and is to be done again, for the caller to give to guide_done(); NULL: nothing. */
struct step *guide_next(struct guide *guide);
/* Takes over what was done. If it found a way it is kept, with those before it that 'is_kept'. */
void guide_done(struct guide *guide, struct step *step, bool (*is_kept)(unsigned int operation));

#endif
