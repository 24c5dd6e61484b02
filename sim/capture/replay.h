/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replay, mode "answer": a captured fabric answers again.
 *
 * The conversations of a capture (sim/capture/conversation.h) say which MAD answers which; a
 * request that is sent now gets the answer that the same question got then
 * (sim/capture/replay-question.h), with its own TID, addresses, and ID of the CM. Several answers
 * to one question are given in the order of the capture, and the last one is then repeated; or
 * always those of one moment.
 *
 * sim/run/replay-fabric.c puts it behind a fabric's ports.
 */
#ifndef UMADRIG_SIM_CAPTURE_REPLAY_H
#define UMADRIG_SIM_CAPTURE_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/packet.h"
#include "sim/api/umadrig.h"
#include "sim/capture/replay-asker.h"

struct capture;
struct replay;

enum replay_verdict {
	REPLAY_ANSWERED,
	REPLAY_ANSWERED_BY_RMPP,	/* by a message in segments: replay_message() */
	REPLAY_SILENT,		/* the capture has the question but no answer: none comes now */
	REPLAY_UNMATCHED,	/* the capture does not have the question */
	REPLAY_NOT_ASKED,	/* not a request that expects an answer */
};

/* Which of several answers a question gets. */
enum replay_as_of {
	REPLAY_IN_ORDER,	/* one after the other, then the last again and again */
	REPLAY_FIRST,		/* always the first */
	REPLAY_LAST,
	REPLAY_AT,		/* always the one of a moment; before the first one, the first */
};

/* All zero: in order, everything. */
struct replay_options {
	enum replay_as_of as_of;
	int64_t at_ns;		/* REPLAY_AT: since the first frame of the capture */
	uint64_t size_max;	/* as of capture_read_within() */
	bool any_order;		/* MADs whose times go backwards are put in order, not refused */
	const char *host;	/* the requester: see replay_search_new(); NULL: most requests */
	umadrig_mad_fn *keep;	/* false: omit this MAD. NULL: keep all */
	void *ctx;		/* for 'keep' */
};

/* Room for the words of the functions below. */
#define REPLAY_WHY_SIZE 512

/*
 * Indexes the capture in 'path', which is read twice and never held whole, unless it has to be
 * sorted. Its oddities are reported on stderr, one per line. Returns NULL with a message if it
 * cannot be read or has no request that expects an answer. 'options' are not kept.
 */
struct replay *replay_new(const char *path, const struct replay_options *options, char *reterr,
			  size_t reterr_size);
/* The same for a capture that has been read, and which is not needed afterwards. */
struct replay *replay_from(const struct capture *capture, const struct replay_options *options,
			   char *reterr, size_t reterr_size);
/* NULL is allowed. */
void replay_free(struct replay *replay);

/*
 * Looks up what the capture has for 'request', and counts it. With REPLAY_ANSWERED 'answer' (the
 * caller's, contents undefined) is the packet that returns to the requester. 'why' (REPLAY_WHY_SIZE
 * bytes) says in words which frame answers, or why none does.
 */
enum replay_verdict replay_answer(struct replay *replay, const struct packet *request,
				  struct packet *answer, char *why);

/*
 * After REPLAY_ANSWERED_BY_RMPP: the whole answer, put together from the captured segments, as a
 * program writes it: headers, then data. 'answer' has its addresses and its first bytes, as many as
 * a MAD has. The replay's, until the next call of replay_answer().
 */
const uint8_t *replay_message(const struct replay *replay, size_t *ret_size);

/*
 * Makes 'answer' the one that refuses 'request': its header and data, the method of an answer and
 * 'status' (host byte order). False: there is no such method.
 */
bool replay_refuse(const struct packet *request, uint16_t status, struct packet *answer);

/* Counts a request that got no answer, and reports 'why' on stderr, once for each question. */
void replay_report(struct replay *replay, const struct packet *request, const char *why);

/* How many requests replay_report() has counted. */
size_t replay_unmatched(const struct replay *replay);
/* How many there were of each kind. */
void replay_count(const struct replay *replay, struct umadrig_replay_counts *ret);

/* The requester of the capture. Owned by the replay. */
const struct replay_asker *replay_get_asker(const struct replay *replay);

/* What the index takes, in bytes. */
size_t replay_size(const struct replay *replay);

#endif
