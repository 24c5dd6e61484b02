/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a frame is within its capture, and no look at the MAD alone can tell: whether its request
 * was answered, when, how often it was sent again, whether it shows a change. Who reads the capture
 * first collects them; filters look them up.
 */
#ifndef UMADRIG_HARNESS_CAPTURE_FRAME_TRAITS_H
#define UMADRIG_HARNESS_CAPTURE_FRAME_TRAITS_H

#include <stdbool.h>
#include <stdint.h>

struct frame_trait {
	bool is_unanswered;		/* a request that expects an answer and has none */
	bool is_changed;		/* it says something else than what was said before */
	bool is_asked;			/* of a conversation: 'retries' are known */
	unsigned int retries;		/* how often its request was sent again */
	int64_t trip_ns;		/* the round trip of its conversation; -1: none */
};

struct frame_traits;

/* Never NULL. */
struct frame_traits *frame_traits_new(void);
void frame_traits_free(struct frame_traits *traits);	/* NULL is allowed */
/* To be filled in; good until the next call. */
struct frame_trait *frame_traits_at(struct frame_traits *traits, unsigned int frame);
/* NULL: nothing is known of the frame. */
const struct frame_trait *frame_traits_find(const struct frame_traits *traits, unsigned int frame);

#endif
