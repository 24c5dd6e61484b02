/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Timers that start a thread each time (SIGEV_THREAD). As in libc, one thread more waits for them,
 * here one for each timer.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_THREAD_TIMERS_H
#define UMADRIG_LIB_LOCKSTEP_THREAD_TIMERS_H

#include <signal.h>
#include <stdint.h>
#include <time.h>

struct thread_timer {
	int pid;		/* the kernel's number of its process; 0: free */
	int64_t deadline;	/* of the session's clock, in ns; LOCKSTEP_NEVER: it is not armed */
	int64_t interval;	/* 0: it expires once */
	struct sigevent event;
	size_t stack_size, guard_size;	/* of its threads; 0: as usual */
};

/* 0, or -1 with errno. */
int thread_timers_create(const struct sigevent *event, timer_t *ret);
/* NULL: it is a timer of another kind. */
struct thread_timer *thread_timers_of(timer_t id);
/* Its deadline is another. */
void thread_timers_changed(struct thread_timer *timer);
void thread_timers_delete(struct thread_timer *timer);

#endif
