/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The question of a capture that is closest to one that is not in it: an index, so that it is found
 * in bounded time however many there are.
 *
 * Questions about the same attribute are in two chains: with those that go to the same place, and
 * with those that ask the same elsewhere. Some of each kind are kept besides. A look-up measures
 * the distance to some of each, until one differs in a single part: the closest is found unless
 * very many are about as close.
 */
#ifndef UMADRIG_SIM_CAPTURE_REPLAY_CLOSEST_H
#define UMADRIG_SIM_CAPTURE_REPLAY_CLOSEST_H

#include <stdint.h>

#include "sim/capture/replay-question.h"

/* So many distances does a look-up measure at most. */
#define CLOSEST_LOOK_AT_MAX 304

struct closest_index;

/* Never NULL. */
struct closest_index *closest_index_new(void);
/* NULL is allowed. */
void closest_index_free(struct closest_index *index);

/* The question of a number that has been entered. */
typedef void closest_get_fn(const void *ctx, uint32_t number, struct question *ret);

/* Enters a question under the next number, from 0. */
void closest_index_add(struct closest_index *index, const struct question *question,
		       closest_get_fn *get, const void *ctx);

/*
 * The number of the closest one; UINT32_MAX: there is none. '*ret_looked_at', which may be NULL:
 * how many distances it took.
 */
uint32_t closest_index_find(const struct closest_index *index, const struct question *question,
			    closest_get_fn *get, const void *ctx, unsigned int *ret_looked_at);

/* What it has allocated, in bytes: at most 16 for each question, and 32 KB. */
size_t closest_index_size(const struct closest_index *index);

#endif
