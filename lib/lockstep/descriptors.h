/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Waiting for descriptors: handles of the fabric, and what programs have among each other.
 *
 * The server wakes those that wait for handles, by the sockets' cookies. Of all others nobody
 * knows when they are ready: the thread that waits looks again before time moves, if anything has
 * happened.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_DESCRIPTORS_H
#define UMADRIG_LIB_LOCKSTEP_DESCRIPTORS_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/lockstep/hooks.h"
#include "lib/lockstep/lockstep-session.h"

/*
 * As poll(2) until a deadline. The number of descriptors that are ready, 0, or -EINTR; 'restarts':
 * of a call that goes on after handlers with SA_RESTART.
 */
long descriptors_wait(struct pollfd *fds, nfds_t count, int64_t deadline, bool restarts);

/* May a call on it wait? A pipe, socket, terminal, eventfd or its like, without O_NONBLOCK. */
bool descriptors_may_wait(int fd);

/* One call that may wait. It begins as zeros. */
struct descriptors_trial {
	bool is_on, has_failed;
	int fd;
	long flags;
};

/*
 * To be called before a system call on 'fd' that may wait for 'events' (POLLIN, POLLOUT). 0: it
 * will not wait now; or it leads out of the session, and may, while time stands still. Or -EINTR,
 * or -EAGAIN: the socket's own timeout has come. The caller calls descriptors_done() afterwards,
 * with what this or the call has returned.
 *
 * A call that would wait is tried first, with O_NONBLOCK, as there is much that the kernel refuses
 * at once. After one in vain descriptors_done() returns false: both are to be called once more.
 */
long descriptors_prepare(struct descriptors_trial *trial, int fd, short events);
bool descriptors_done(struct descriptors_trial *trial, long n);

/*
 * Calls that poll(2) cannot foretell are tried in a form that does not wait. Before the first try,
 * and after one that did something, descriptors_begin_tries(); after one in vain
 * descriptors_await_try(), which returns when it is worth another: something has happened, but time
 * has not moved. 0, or -EINTR.
 */
void descriptors_begin_tries(void);
long descriptors_await_try(int fd);
/* The same until a deadline: -EAGAIN. */
long descriptors_await_try_until(int fd, int64_t deadline);
/* The same for a call that SA_RESTART does not take up again, and that is on no descriptor. */
long descriptors_await_others(int64_t deadline);

/*
 * When a call on a socket is to give up with -EAGAIN, if it began now: by SO_RCVTIMEO for POLLIN,
 * by SO_SNDTIMEO for POLLOUT. LOCKSTEP_NEVER without these, and for all other descriptors.
 */
int64_t descriptors_deadline(int fd, short events);

/* Sets O_NONBLOCK for a try; what it returns is for descriptors_end_try(). */
long descriptors_begin_try(int fd);
void descriptors_end_try(int fd, long flags);

struct epoll_event;
struct timespec;
/* epoll_pwait2(2), which has a time in ns; libc has a function for it since 2.35. */
int hooked_epoll_pwait2(int fd, struct epoll_event *events, int room,
			const struct timespec *timeout, const sigset_t *mask);

extern const struct hook descriptors_hooks[];

#endif
