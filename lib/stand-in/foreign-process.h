/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig-stand-in: a program of a session in virtual time for one that no library can be put into.
 *
 * Static programs, those for musl and those in Go make system calls past libc. The stand-in is an
 * ordinary program of the session, with libumadlockstep preloaded. It starts the foreign program
 * below a seccomp filter, which stops each call that waits, tells the time, or makes and ends
 * threads and processes. Of each thread of the foreign program there is a thread here, which makes
 * the call in its place: so what a call means is written once, in lib/lockstep/. A foreign thread
 * runs only while its thread here has the turn.
 *
 * It calls libc's functions where the session is to answer, and system_call() where the kernel is.
 * Numbers of processes and threads that the foreign program sees are the session's; those in the
 * structs here are the kernel's.
 *
 * Threads: only the one whose turn it is runs, so that nothing here needs a lock.
 */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_PROCESS_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_PROCESS_H

#include <limits.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/lockstep/system-call.h"

enum {
	FOREIGN_TASKS = 1024,		/* threads that one process can have at a time */
	FOREIGN_TOLD = 8,		/* signals that come while one call waits */
	/* A call that no kernel has: the first of a new thread, see foreign-birth.h. */
	CALL_BIRTH = 1000,
	/* What takes the place of the processor's own clock, see foreign-image.h. */
	CALL_TICKS = 1001,
	/* Of the kernel's own: the call is made again, or ends with EINTR, as a handler has it. */
	CALL_RESTARTS = -512,
	CALL_AGAIN = -513,		/* the call is made again in any case */
	/* Answers that no call has: the kernel is to make it; it has its answer already. */
	CALL_GOES_ON = INT_MIN,
	CALL_ANSWERED,
};

/* A thread of the foreign program. */
struct foreign_task {
	bool is_used;
	bool has_call;			/* it waits for the answer to: */
	struct seccomp_notif call;
	bool is_seized;			/* it is traced, see foreign-trace.h */
	bool is_traced;			/* since a call that has failed */
	bool is_new;			/* it has made no call but its first one */
	bool is_void;			/* it was not born */
	struct changed_path *changed;	/* by its call, see call-changes.h; NULL: nothing */
	bool has_ended;			/* with execve(2) of another: its own here ends as well */
	pid_t tid;
	uint32_t number;		/* as the program knows it */
	uint64_t cleared_at;		/* an address: its end sets this word to 0; 0: none */
	uint64_t robust_list;		/* see foreign-robust.h; 0: it has none */
};

/* The process that this one stands for. */
struct foreign_process {
	pid_t pid;
	int pidfd;
	int listener;
	char name[32];			/* as /proc/PID/comm has it */
	bool is_child;			/* of this process, for the kernel, which has its status */
	unsigned int tasks;		/* that are alive */
	unsigned int seized;		/* that are traced, see foreign-trace.h */
	int sent_error;			/* SIGSEGV or its kin, which it has sent itself; 0: none */
	/* Stands for a thread until it ends. */
	__attribute__((noreturn)) void (*run)(struct foreign_task *task);
	unsigned int places;		/* of 'task' that were ever used, from the first */
	struct foreign_task task[FOREIGN_TASKS];
};

extern struct foreign_process foreign;
/* The calling thread's. */
extern __thread struct foreign_task *foreign_self;

/*
 * Signals that the calling thread has got, and whose foreign one is to see who sent them, by the
 * session's numbers. (What finds no room, it sees as the kernel has it.)
 */
struct foreign_told {
	siginfo_t info[FOREIGN_TOLD];
	unsigned int count;
};
extern __thread struct foreign_told foreign_told;

/* A free entry of foreign.task for a thread of the kernel's number; NULL: there is none. */
struct foreign_task *foreign_task_new(pid_t tid);

/* The calling thread's is the first and only one of its process: the others have been ended. */
void foreign_task_is_alone(void);

#endif
