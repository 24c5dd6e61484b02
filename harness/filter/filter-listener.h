/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The supervisor's end of a seccomp filter: calls of the program that wait for an answer
 * (seccomp_unotify(2)). One thread uses it.
 *
 * Each call that listener_receive() returns is answered once, by one of listener_answer(),
 * listener_continue() and a successful listener_give(), at once or later; whoever answers later
 * copies it. Never let a call wait for something that may not happen: only SIGKILL ends such a
 * wait.
 */
#ifndef UMADRIG_HARNESS_FILTER_FILTER_LISTENER_H
#define UMADRIG_HARNESS_FILTER_FILTER_LISTENER_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/filter/call-trap.h"

struct listener;

/*
 * 'fd' becomes the listener's. 'waits_killable': the filter was installed with
 * SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, so that signals do not end the wait for an answer. NULL:
 * the kernel has no seccomp.
 */
struct listener *listener_new(int fd, bool waits_killable);
/* Closes it: from then on each trapped call fails with ENOSYS. NULL is allowed. */
void listener_free(struct listener *listener);
/* For poll(2): POLLIN, a call is there; POLLHUP, no process has the filter any more. */
int listener_fd(const struct listener *listener);

/*
 * The next call, valid until the next listener_receive(). NULL: it has gone, or it was a repetition
 * of one that had been done, and got the same answer. To be called when a call is there.
 */
const struct seccomp_notif *listener_receive(struct listener *listener);

/* Answers 'call': 'value' is its result, or -errno. A call whose thread is gone is forgotten. */
void listener_answer(struct listener *listener, const struct seccomp_notif *call, int64_t value);
/* The kernel does the call as if there were no filter. */
void listener_continue(struct listener *listener, const struct seccomp_notif *call);

/* Ends it as its handler wants it (supervisor_call_fn). */
static inline void listener_end(struct listener *listener, const struct seccomp_notif *call,
				long result)
{
	if (result == CALL_GOES_ON)
		listener_continue(listener, call);
	else if (result != CALL_ANSWERED)
		listener_answer(listener, call, result);
}

/*
 * Puts a copy of 'fd' into the program at 'number' (-1: the lowest that is free), and has the call
 * return it. Returns that number; or -errno, and the call still waits (-ENOENT: it has gone). 'fd'
 * stays the caller's. What was open at 'number' is closed.
 */
int listener_give(struct listener *listener, const struct seccomp_notif *call, int fd, int number,
		  bool cloexec);
/* The same, but the call still waits for its answer. */
int listener_place(struct listener *listener, const struct seccomp_notif *call, int fd, int number,
		   bool cloexec);
/* False: the thread has gone, or a signal ended the call; what was read of its memory is void. */
bool listener_is_waiting(struct listener *listener, const struct seccomp_notif *call);
/*
 * The same, to be asked before something is done for the call that must not be done twice: what
 * sends, takes or changes something. If true, nothing but listener_answer() may follow, at once;
 * its value is what the thread gets, unless it is killed. May be repeated meanwhile.
 */
bool listener_begin_once(struct listener *listener, const struct seccomp_notif *call);

#endif
