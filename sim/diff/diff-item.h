/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A conversation, or a single MAD, as it is compared with others.
 */
#ifndef UMADRIG_SIM_DIFF_DIFF_ITEM_H
#define UMADRIG_SIM_DIFF_DIFF_ITEM_H

#include "sim/capture/conversation.h"
#include "sim/diff/form.h"

/* The messages of a conversation. */
enum diff_part {
	DIFF_REQUEST,
	DIFF_ANSWER,
	DIFF_CLOSE,
	DIFF_PARTS,
};

struct diff_item {
	uint64_t number;		/* of the conversations of its capture, from 0 */
	enum conversation_kind kind;
	bool is_packet;			/* a single MAD, which is its 'request' */
	enum capture_direction direction;	/* of a packet */
	unsigned int frames[DIFF_PARTS];	/* 0: there is no such message */
	int64_t time_ns;
	int64_t part_ns[DIFF_PARTS];	/* of its messages, as long as they are there */
	bool is_late[DIFF_PARTS];	/* of B's: its time differs, from that of A's */
	int64_t apart_ns;		/* of B's: how much later it began to be like A */
	unsigned int counts[CONVERSATION_FIELDS];	/* 0 where they are ignored */
	struct form forms[DIFF_PARTS];
	uint8_t head[MAD_SIZE];		/* the MAD that names it, with all its fields */
	struct form_digest digest;	/* of all that is compared */
	uint64_t identity;		/* of the question and of the requester */
};

/* Never NULL. */
struct diff_item *diff_item_new(const struct ignored_fields *ignored, uint64_t number,
				const struct conversation *conversation);
/* A MAD by itself. Never NULL. */
struct diff_item *diff_item_of_packet(const struct ignored_fields *ignored, uint64_t number,
				      const struct capture_mad *mad);
void diff_item_free(struct diff_item *item);	/* NULL is allowed */
/* The bytes of memory that it holds; 0 for NULL. */
size_t diff_item_held(const struct diff_item *item);

static inline bool diff_items_equal(const struct diff_item *a, const struct diff_item *b)
{
	return a->digest.half[0] == b->digest.half[0] && a->digest.half[1] == b->digest.half[1];
}

/* The same asked by the same: if they are not equal then one became the other. */
static inline bool diff_items_alike(const struct diff_item *a, const struct diff_item *b)
{
	return a->identity == b->identity;
}

/*
 * Are the times of two the same within the tolerance, when all of B is 'apart_ns' later? What is
 * not is noted in 'b', and is one of its differences from then on.
 */
bool diff_item_compare_times(const struct diff_item *a, struct diff_item *b, int64_t apart_ns,
			     int64_t tolerance_ns);

/* How far they are apart: first in what was asked, then in bytes. To find the closest. */
unsigned int diff_items_distance(const struct diff_item *a, const struct diff_item *b);

/*
 * Which message, and which field of it. 'part' is DIFF_PARTS for the conversation as a whole, and
 * for all of a packet.
 */
typedef void diff_field_fn(void *ctx, enum diff_part part, const char *name, const char *a,
			   const char *b);

/* All differences of two. A message that one of them lacks is a difference of "there". */
size_t diff_item_differences(const struct diff_item *a, const struct diff_item *b,
			     diff_field_fn *fn, void *ctx);

#endif
