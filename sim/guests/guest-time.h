/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A guest's time: the controller's side of the protocol that a kernel speaks which was started with
 * time-travel=ext:ID:SOCKET (its numbers are in a header of Linux for user space; messages of
 * 16 bytes, each acknowledged).
 *
 * The guest asks to be run at a time (REQUEST), and waits (WAIT); it is run (RUN), and may go on by
 * itself up to a time that it was told before (FREE_UNTIL); before it lets others see something it
 * says how far it has come (UPDATE). Its times begin with 0 at its own start.
 *
 * Whatever the guest says is checked: a time that has passed, or that it was not free to reach, is
 * an error, and the guest is not to be trusted any further.
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_TIME_H
#define UMADRIG_SIM_GUESTS_GUEST_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum guest_time_state {
	GUEST_TIME_NONE,	/* it has not started */
	GUEST_TIME_STARTING,	/* and waits for its first turn */
	GUEST_TIME_RUNNING,
	GUEST_TIME_WAITING,
};

/* Zeros but for the descriptor, which is the caller's. */
struct guest_time {
	int fd;
	enum guest_time_state state;
	int64_t start_ns;	/* when it started, in the time of the fabric */
	int64_t request_ns;	/* when it wants to run; TIME_NEVER */
	int64_t free_ns;	/* how far it may go by itself; 0: it was not told */
	int64_t ahead_ns;	/* while it waits: where it may be already, by itself */
	uint32_t start_sequence, sequence;
	int patience_ms;
	char why[160];		/* an error has come of this */
};

/*
 * All return 0, or -errno: -EPIPE the guest has ended, -ETIMEDOUT it computes for ever, -EPROTO
 * what it says makes no sense, with 'why'.
 */

/* Reads START, within 'patience_ms'. */
int guest_time_start(struct guest_time *time);
/* Its first turn: it runs, and its time begins. */
int guest_time_begin(struct guest_time *time, int64_t now_ns);
/* It waits; it runs from now on, and may go by itself up to 'limit_ns'. */
int guest_time_run(struct guest_time *time, int64_t now_ns, int64_t limit_ns);
/* While it runs: what it may reach has come nearer. Nothing if it has not. */
int guest_time_limit(struct guest_time *time, int64_t now_ns, int64_t limit_ns);
/* Takes one message. The fabric's time moves with it. */
int guest_time_take(struct guest_time *time, int64_t *now_ns);

/* The longest that a guest goes by itself: a guest that is free for ever is silent for ever. */
#define GUEST_TIME_FREE_MAX_NS INT64_C(10000000000)

#endif
