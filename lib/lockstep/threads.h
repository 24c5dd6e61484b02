/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Threads: they start and end with the turn.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_THREADS_H
#define UMADRIG_LIB_LOCKSTEP_THREADS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/lockstep/lockstep-session.h"

/* What a thread runs: one of the two. */
struct threads_work {
	void *(*run)(void *);
	int (*run_c11)(void *);
	void *argument;
};

/* As pthread_create(). */
int threads_create(pthread_t *ret, const pthread_attr_t *attr, const struct threads_work *work);

/*
 * One for whose end nobody waits, with stack and guard of these sizes; 0: as usual. Returns 0, or
 * the error.
 */
int threads_start(void *(*run)(void *), void *argument, size_t stack_size, size_t guard_size);

/* Waits until a thread of this process has ended. False: the deadline has come. */
bool threads_wait(pthread_t thread, int64_t deadline);

/* To be called once, by the first thread. */
void threads_begin(void);

/* The calling thread is the first of a forked process. */
void threads_know_first(void);

/* The slot of a thread of this process that runs; NULL: it is none, or has ended. */
struct lockstep_slot *threads_slot_of(pthread_t thread);

#endif
