/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A duel: one sequence of steps, drawn from a seed, is played on two kernels behind
 * kmod-stub/kmod.h, each with two hosts and a wire of its own; all that can be seen is compared,
 * and a sequence that is answered differently is made as short and simple as can be.
 *
 * 	duel.c		what is compared with what, and what is printed
 * 	duel-step.c	the kinds of steps and their numbers: drawn, and in words
 * 	duel-play.c	a sequence on one kernel: hosts, wire, time, and what is seen
 * 	duel-act.c	what each kind of step does
 * 	duel-shrink.c	the shortest sequence that still differs
 *
 * Unlike the swarm's operations, a step is data that means the same whatever came before it: a
 * sequence remains one when any step is taken out, or any number in it is replaced.
 */
#ifndef UMADRIG_TESTS_KERNELS_DUEL_H
#define UMADRIG_TESTS_KERNELS_DUEL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "kmod-stub/kmod.h"

enum {
	DUEL_STEPS_MAX = 60,		/* of a sequence */
	DUEL_FILES = 4,			/* the first half at port A, the others at B */
	DUEL_PORTS = 2,
	DUEL_HI_TID = 9,		/* of the first agent of each host */
	DUEL_OF_THE_CLASS = 0xffffffff,	/* QP 0 or 1; RMPP if it has that */
	DUEL_OTHER_PORT = 0x10000,	/* LID: of the port at the wire's other end */
	DUEL_OWN_PORT,
	DUEL_NEXT = 0xfffffffe,		/* segment: that follows; in an ACK: that was sent last */
};

/* What happens. */
enum duel_kind {
	DUEL_OPEN,		/* unless it is open; so for all that cannot be now */
	DUEL_CLOSE,
	DUEL_ENABLE_PKEY,
	DUEL_REGISTER,
	DUEL_UNREGISTER,
	DUEL_SEND,		/* a MAD of 256 bytes, or what is called one */
	DUEL_MESSAGE,		/* for the kernel to send in segments */
	DUEL_REPLY,		/* what the file has read last goes back as a response */
	DUEL_READ,
	DUEL_TIME,
	DUEL_ARRIVE,		/* a MAD from the wire that nobody has sent */
	DUEL_ANSWER,		/* a response from the wire to what the port has sent last */
	DUEL_AGAIN,		/* what the other port has sent last arrives once more */
	DUEL_LOSE,		/* the next packets of a port */
	DUEL_EXPIRE,
	DUEL_ISSM_OPEN,
	DUEL_ISSM_CLOSE,
	DUEL_REMOVE,		/* the device goes */
	DUEL_PLUG,		/* and comes back */
	DUEL_KIND_COUNT,
};

/* The numbers that steps have; each kind uses some. */
enum duel_number {
	DUEL_FILE,
	DUEL_PORT,
	DUEL_EAGER,		/* the file is read at once */
	DUEL_ID,		/* of an agent in its file */
	DUEL_CLASS,
	DUEL_CLASS_VERSION,
	DUEL_QPN,
	DUEL_METHODS,
	DUEL_RMPP,
	DUEL_OUI,
	DUEL_ABI,		/* REGISTER_AGENT or REGISTER_AGENT2 */
	DUEL_FLAGS,
	DUEL_BASE_VERSION,
	DUEL_METHOD,
	DUEL_STATUS,
	DUEL_HI,		/* upper half of the TID */
	DUEL_TID,		/* lower half */
	DUEL_ATTRIBUTE,		/* what the driver does: 1 reply, 2 consume, 3 fail */
	DUEL_MODIFIER,
	DUEL_HOP_POINTER,	/* of a directed route */
	DUEL_HOP_COUNT,
	DUEL_RMPP_FLAGS,
	DUEL_RMPP_TYPE,
	DUEL_RMPP_VERSION,
	DUEL_RMPP_STATUS,
	DUEL_SEGMENT,
	DUEL_LENGTH,
	DUEL_TIMEOUT_MS,
	DUEL_RETRIES,
	DUEL_LID,
	DUEL_GRH,
	DUEL_GID_INDEX,
	DUEL_PATH_BITS,
	DUEL_PKEY_INDEX,
	DUEL_QKEY,
	DUEL_SIZE,		/* of a MAD that is written */
	DUEL_DATA,		/* bytes of a message after its header */
	DUEL_COUNT,		/* bytes of a read */
	DUEL_MS,
	DUEL_TIMES,		/* so many sends, with TIDs that count up */
	DUEL_SKIP,		/* packets that are not lost before those that are */
	DUEL_PACKETS,
	DUEL_SMI,
	DUEL_NUMBER_COUNT,
};

struct duel_step {
	enum duel_kind kind;
	uint32_t numbers[DUEL_NUMBER_COUNT];	/* those that the kind does not use are 0 */
};

struct duel_sequence {
	unsigned int count;
	struct duel_step steps[DUEL_STEPS_MAX];
};

/* One of the two. */
struct duel_side {
	const char *name;
	const struct kmod_kernel *kernel;
	enum kmod_profile profile;
};

/* Where two plays part. */
struct duel_difference {
	int step;		/* -1: nowhere */
	char *lines[2];		/* what each has seen there first that the other has not */
};

/* ---- tests/kernels/duel-step.c ---- */

/* The sequence of 'seed'. */
void duel_draw(struct duel_sequence *sequence, uint64_t seed);
/* "send file=0 id=0 class=0x04 ...": what is not as it mostly is. */
void duel_step_print(const struct duel_step *step, GString *to);
/*
 * Replaces a number of the step by the 'n'th of those that are simpler, the simplest first. False:
 * there are not so many.
 */
bool duel_step_simplify(struct duel_step *step, enum duel_number number, unsigned int n);

/* ---- tests/kernels/duel-play.c ---- */

/* Plays the sequence; a line for all that is seen, "STEP: ...", is added to 'log'. */
void duel_play(const struct duel_sequence *sequence, const struct duel_side *side, GString *log);
/* Plays it on both. True: they part, and 'difference', if it is not NULL, must be freed. */
bool duel_differs(const struct duel_sequence *sequence, const struct duel_side sides[2],
		  struct duel_difference *ret_difference);
void duel_difference_clear(struct duel_difference *difference);

/* ---- tests/kernels/duel-shrink.c ---- */

/* Takes out of a sequence that differs what it differs without. */
void duel_shrink(struct duel_sequence *sequence, const struct duel_side sides[2]);

#endif
