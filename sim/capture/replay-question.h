/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A question: what a request asks, without its requester, time and TID. Two requests with the same
 * question get the same answer.
 */
#ifndef UMADRIG_SIM_CAPTURE_REPLAY_QUESTION_H
#define UMADRIG_SIM_CAPTURE_REPLAY_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/packet.h"

/* The parts of a question, as bytes in this order; what does not apply is zero. */
enum {
	QUESTION_SIZE = 1 + 1 + 1 + 2 + 4 + 3 + 2 + 16 + 2 + 2 + 1 + 63 + 8 + 200 + 1 + 8 + 4,
};

struct question {
	uint8_t bytes[QUESTION_SIZE];
};

/*
 * Is the MAD one that expects an answer: a request, also one of the CM, but no other Send, and no
 * piece of RMPP's traffic?
 */
bool question_is_asked(const uint8_t *mad);

/*
 * The question of a request. 'from_own': the first port of a directed route does not count, because
 * it is the requester's, whose number may differ from the one in the capture.
 */
void question_from(const struct packet_addr *addr, const uint8_t *mad, bool from_own,
		   struct question *ret);

/* Removes the GID, unless it is the only address: the question in the form without a GRH. */
void question_forget_gid(struct question *question);

/* What of a question counts. */
enum question_view {
	QUESTION_ABOUT,			/* class and attribute */
	QUESTION_ABOUT_AND_PLACE,	/* these, and where it goes: LID, else GID; or route */
	QUESTION_BUT_PLACE,		/* all but where it goes */
};

/* The same for questions that are the same in this view. */
uint32_t question_hash_view(const struct question *question, enum question_view view);

/* For GLib's hash tables of struct question *. */
unsigned int question_hash(const void *key);
int question_equal(const void *a, const void *b);

/* The distance between two questions, weighted by what matters; 0: they are equal. */
unsigned int question_distance(const struct question *a, const struct question *b);

/* "SubnAdmGet(PathRecord) to LID 1", at most 'size' bytes with the terminator. */
void question_format(const struct question *question, char *buf, size_t size);

/* "LID 1, not 7; modifier 0, not 1": where 'asked' differs from 'captured'. */
void question_format_difference(const struct question *captured, const struct question *asked,
				char *buf, size_t size);

#endif
