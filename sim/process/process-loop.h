/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A loop that waits for descriptors, signals, children and times, in one thread.
 *
 * Each step waits until a source is ready, and then calls all that were ready at that moment: those
 * with the least 'order' first, among equals the one that was added first. A source that another's
 * call has removed is not called any more; one that a call has added waits for the next step.
 */
#ifndef UMADRIG_SIM_PROCESS_PROCESS_LOOP_H
#define UMADRIG_SIM_PROCESS_PROCESS_LOOP_H

#include <stdint.h>
#include <sys/types.h>

struct loop;
struct loop_source;

/* 'value': events of epoll(7), the signal, the child's status as of reap(); or, of a timer, 0. */
typedef void loop_fn(void *ctx, int value);

/* NULL with errno. */
struct loop *loop_new(void);
/* With its sources. NULL is allowed. */
void loop_free(struct loop *loop);

/*
 * Adds a source, which is waited for until it is removed. NULL with errno.
 *
 * A descriptor stays the caller's, who removes the source before closing it: another process may
 * have a copy. 'events': EPOLLIN, EPOLLOUT. What cannot be waited for, a regular file, is ready.
 * 'fn' NULL: it only ends a step.
 */
struct loop_source *loop_add_descriptor(struct loop *loop, int fd, uint32_t events, int order,
					loop_fn *fn, void *ctx);
/* A signal, which the caller has blocked in all threads: each that is pending is a call. */
struct loop_source *loop_add_signal(struct loop *loop, int sig, int order, loop_fn *fn, void *ctx);
/*
 * The end of a child. It is waited for, and its source removed, before the call. Before Linux 5.3
 * it may be noticed some milliseconds late.
 */
struct loop_source *loop_add_child(struct loop *loop, pid_t pid, int order, loop_fn *fn, void *ctx);
/* A moment of monotonic_ns(), once; INT64_MAX: never, until loop_set_time(). */
struct loop_source *loop_add_timer(struct loop *loop, int64_t at_ns, int order, loop_fn *fn,
				   void *ctx);

/* What is waited for from now on. */
void loop_set_events(struct loop_source *source, uint32_t events);
void loop_set_time(struct loop_source *source, int64_t at_ns);
/* NULL is allowed. Of a child, before it is waited for, that is the caller's again. */
void loop_remove(struct loop_source *source);

/*
 * A step, which waits until 'until_ns' (monotonic_ns(); INT64_MAX: without end) at most: how many
 * sources were called; -EINTR: a signal's handler has run; or another -errno.
 */
int loop_step(struct loop *loop, int64_t until_ns);

#endif
