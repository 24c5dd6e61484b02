/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a replay keeps of a capture: each question once, and what came of it each time that it was
 * asked.
 *
 * A question takes 40 bytes besides the MAD, a place in the table 4 to 8, and 12 in the index of
 * close ones; each time that it was asked takes 24, and an answer that is the same as the one
 * before it nothing: at most 100 bytes for each MAD of the capture, whose own bytes are kept once.
 * A question is found in constant time, and so is the closest one.
 */
#ifndef UMADRIG_SIM_CAPTURE_REPLAY_STORE_H
#define UMADRIG_SIM_CAPTURE_REPLAY_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/packet.h"
#include "sim/capture/replay-question.h"

struct replay_store;

#define REPLAY_NONE UINT32_MAX	/* no question, event or answer */
/* Instead of an answer: one came by RMPP, but not whole. */
#define REPLAY_LACKS_SEGMENTS (UINT32_MAX - 1)
#define REPLAY_STOPPED (UINT32_MAX - 2)	/* by a STOP or an ABORT */

/* A question of the capture, as it was asked first. */
struct replay_asked {
	uint8_t mad[MAD_SIZE];
	uint8_t dgid[16];	/* zeros: without a GRH */
	uint16_t dlid;
	uint32_t frame;
	uint32_t hash;
	uint32_t next_in_place;	/* another question, in the table; or REPLAY_NONE */
	uint32_t last_event;	/* whose 'next' is the first one; or REPLAY_NONE */
	uint32_t cursor;	/* the event that answers next; or REPLAY_NONE */
};

/* What came of asking it once. */
struct replay_event {
	int64_t time_ns;	/* of the answer, or of the last try of the request */
	uint32_t frame;		/* of the answer, or of the request */
	uint32_t next;		/* of the same question; the last one's is the first */
	uint32_t answer;	/* REPLAY_NONE: no answer came; or one of the others above */
	uint32_t requester;	/* replay_requester() */
};

/* 'from_own': see question_from(). Never NULL. */
struct replay_store *replay_store_new(bool from_own);
/* NULL is allowed. */
void replay_store_free(struct replay_store *store);

/* Enters what 'mad' (MAD_SIZE bytes) asks, unless it is there. Its number. */
uint32_t replay_store_ask(struct replay_store *store, const struct packet_addr *addr,
			  const uint8_t *mad, unsigned int frame);
/*
 * Enters what came of it: 'answer' has MAD_SIZE bytes; or 'message_size', if that is not 0: a
 * message by RMPP. NULL: there is none, and event->answer says why. 'event' is copied.
 */
void replay_store_event(struct replay_store *store, uint32_t asked,
			const struct replay_event *event, const uint8_t *answer,
			size_t message_size);

/* The question that is the same; REPLAY_NONE: there is none. '*ret_near': it differs in its GID. */
uint32_t replay_store_find(const struct replay_store *store, const struct question *question,
			   bool *ret_near);
/*
 * The question that is closest (sim/capture/replay-closest.h); REPLAY_NONE: the store is empty.
 * '*ret_looked_at', which may be NULL: how many it was compared with.
 */
uint32_t replay_store_closest(const struct replay_store *store, const struct question *question,
			      unsigned int *ret_looked_at);

uint32_t replay_store_count(const struct replay_store *store);
struct replay_asked *replay_store_asked(const struct replay_store *store, uint32_t number);
const struct replay_event *replay_store_at(const struct replay_store *store, uint32_t number);
/* '*ret_message_size': of a message by RMPP; 0: it is one MAD. The store's. */
const uint8_t *replay_store_answer(const struct replay_store *store, uint32_t number,
				   size_t *ret_message_size);
/* Is there an answer in the store, or one of REPLAY_NONE, ...? */
static inline bool replay_is_answer(uint32_t number)
{
	return number < REPLAY_STOPPED;
}
/* The question itself. */
void replay_store_question(const struct replay_store *store, const struct replay_asked *asked,
			   struct question *ret);

/* Stands for a requester: its LID, or its GID where there are no LIDs. */
uint32_t replay_requester(const struct packet_addr *addr);

/* All that it has allocated, in bytes. */
size_t replay_store_size(const struct replay_store *store);

#endif
