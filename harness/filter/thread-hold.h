/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A thread that waits for the answer to a trapped call is held in it: what it gets for the call it
 * gets, whatever signals come meanwhile. They are delivered when it is let go.
 *
 * For Linux before 5.19, where a signal ends the wait for an answer, also one that the kernel has
 * taken already, and the thread does not say so.
 */
#ifndef UMADRIG_HARNESS_FILTER_THREAD_HOLD_H
#define UMADRIG_HARNESS_FILTER_THREAD_HOLD_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct thread_hold {
	uint64_t call;		/* its id; 0: nobody is held */
	pid_t tid;
	uint64_t end;		/* of the instruction with which it made the call */
	int sig;		/* which is delivered when it is let go; 0: none */
};

/* Does the thread still wait for the answer to this call? */
typedef bool thread_hold_check_fn(void *user, const struct seccomp_notif *call);

/*
 * Takes the thread out of its wait, and holds it. From then on the listener knows nothing of the
 * call. 0; -ENOENT: a signal has ended the wait before, or the thread is gone; or another -errno:
 * it waits, but another process traces it.
 */
int thread_hold_begin(struct thread_hold *ret, const struct seccomp_notif *call,
		      thread_hold_check_fn *is_waiting, void *user);
/* Lets go of it: its call returns 'result', a value or -errno. */
void thread_hold_end(struct thread_hold *hold, long result);

/*
 * Stops a thread that is traced, for whatever reason: 0, with a signal that it was about to take;
 * or -errno: it was killed, and is reaped. Then it is let go, with that signal.
 */
int thread_hold_stop(pid_t tid, int *ret_sig);
void thread_hold_let_go(pid_t tid, int sig);

#endif
