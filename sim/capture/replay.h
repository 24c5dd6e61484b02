/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replay, mode "answer": a captured fabric answers again.
 *
 * Requests and responses of a capture are paired by class, TID, attribute and swapped addresses; a
 * request that is sent now gets the response that the same question got then
 * (sim/capture/replay-question.h), with its own TID and addresses. Several answers to one question
 * are given in the order of the capture; the last one is then repeated.
 *
 * sim/run/replay-fabric.c puts it behind a fabric's ports.
 */
#ifndef UMADRIG_SIM_CAPTURE_REPLAY_H
#define UMADRIG_SIM_CAPTURE_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/packet.h"
#include "sim/capture/replay-asker.h"

struct capture;
struct replay;

enum replay_verdict {
	REPLAY_ANSWERED,
	REPLAY_SILENT,		/* the capture has the question but no answer: none comes now */
	REPLAY_UNMATCHED,	/* the capture does not have the question */
	REPLAY_NOT_ASKED,	/* not a request that expects an answer */
};

/* Room for the words of the functions below. */
#define REPLAY_WHY_SIZE 512

/*
 * Indexes the capture in 'path'. Its oddities are reported on stderr, one per line. Returns NULL
 * with a message if it cannot be read, has no request that expects an answer, or is not in order of
 * time and 'any_order' does not allow that.
 */
struct replay *replay_new(const char *path, bool any_order, char *reterr, size_t reterr_size);
/* The same for a capture that has been read; takes ownership of it, on failure too. */
struct replay *replay_from(struct capture *capture, char *reterr, size_t reterr_size);
/* NULL is allowed. */
void replay_free(struct replay *replay);

/*
 * Looks up what the capture has for 'request'. With REPLAY_ANSWERED 'answer' (the caller's,
 * contents undefined) is the packet that returns to the requester. 'why' (REPLAY_WHY_SIZE bytes)
 * says in words which frame answers, or why none does.
 */
enum replay_verdict replay_answer(struct replay *replay, const struct packet *request,
				  struct packet *answer, char *why);

/* Counts a request that got no answer, and reports 'why' on stderr, once for each question. */
void replay_report(struct replay *replay, const struct packet *request, const char *why);

/* How many requests replay_report() has counted. */
size_t replay_unmatched(const struct replay *replay);

/* The requester of the capture. Owned by the replay. */
const struct replay_asker *replay_get_asker(const struct replay *replay);

#endif
