/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Threads that the kernel was told to go on with, and that may sleep in that call now: they can be
 * made to begin it again, and so come to the supervisor again.
 */
#ifndef UMADRIG_HARNESS_FILTER_THREAD_RESTART_H
#define UMADRIG_HARNESS_FILTER_THREAD_RESTART_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { THREAD_CALL_ARGUMENTS = 3 };

/* The call that a thread is in. */
struct thread_call {
	pid_t tid;		/* 0: none */
	int number;
	uint64_t arguments[THREAD_CALL_ARGUMENTS];
};

void thread_call_set(struct thread_call *to, const struct seccomp_notif *call);

/*
 * If the thread is in that call, or about to be, it begins it again, without noticing; when this
 * returns it is in it no more. False: another process traces the thread. Not for the thread whose
 * call the supervisor has received and not answered: nothing ends that wait but the answer.
 */
bool thread_restart(const struct thread_call *call);

#endif
