/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The supervisor: answers the calls of programs that load no library of ours.
 *
 * One thread, which waits for the listener, and for an epoll instance over the handles of the
 * fabric and its ends of the sockets that stand for umad files in the program. Another loop can
 * wait for both of them. Others take over where a program holds it up
 * (harness/filter/supervisor-threads.h).
 */
#ifndef UMADRIG_HARNESS_FILTER_SUPERVISOR_H
#define UMADRIG_HARNESS_FILTER_SUPERVISOR_H

#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/types.h>

#include "harness/filter/call-lane.h"
#include "harness/filter/call-queue.h"
#include "harness/filter/call-trap.h"
#include "harness/filter/filter-listener.h"
#include "harness/filter/supervisor-turn.h"

struct copy_watch;
struct file_table;
struct host_views;
struct issm_files;
struct kernel_readers;
struct rdma_sockets;
struct supervisor_threads;
struct uverbs_files;

/* What the loop calls when 'fd' has 'events'; embedded in what is watched, freed by its owner. */
struct supervisor_watch {
	int fd;
	void (*ready)(struct supervisor *supervisor, struct supervisor_watch *watch,
		      uint32_t events);
};

enum {
	SUPERVISOR_EVENTS = 32,
	SUPERVISOR_FDS = 2,
};

struct supervisor {
	struct listener *listener;
	struct file_table *files;
	struct host_views *views;
	struct issm_files *issm;
	struct uverbs_files *uverbs;
	struct rdma_sockets *rdma;
	struct kernel_readers *kernel;
	struct copy_watch *copies;
	int loop;		/* epoll, over all but the listener */
	int first_number;	/* numbers from here on are ours (harness/filter/call-trap.h) */
	int end_number;		/* up to here, exclusively */
	pid_t answering;	/* the thread whose call is being handled; 0: none */

	struct turn turn;
	struct supervisor_threads *threads;	/* NULL: one thread does it all */

	/* The loop's own. */
	struct call_lanes lanes;	/* of processes that have held up a thread */
	struct call_queue queue;	/* received, where there are many */
	unsigned int busy_rounds;	/* in succession, without having waited for a call */
	int64_t round_end_ns;
	const struct trap *by_number[TRAP_NUMBER_MAX];
	bool is_finished, has_said_foreign;
	atomic_bool has_met_verbs;	/* a program has loaded libibverbs */
	atomic_bool has_stores;		/* one has opened a file of /sys for writing */
	struct epoll_event events[SUPERVISOR_EVENTS];
	int event, event_count;		/* of 'events': which is handled, and how many there are */
};

/* What the child process and the supervisor must agree on. */
struct supervisor_start {
	const struct trap_table *table;	/* outlives the supervisor */
	int listener;			/* becomes the supervisor's, also on failure */
	bool waits_killable;		/* see listener_new() */
	int first_number, end_number;
};

/* NULL with errno. */
struct supervisor *supervisor_new(const struct supervisor_start *start);
/* NULL is allowed. Processes that are left get ENOSYS for each call that is trapped. */
void supervisor_free(struct supervisor *supervisor);

/*
 * What a loop of the caller's waits for by poll(2), SUPERVISOR_FDS of them, and then passes to
 * supervisor_serve(). The listener must be waited for itself, not by epoll: Linux then wakes the
 * supervisor on the caller's processor (harness/filter/filter-listener.c).
 */
void supervisor_fds(const struct supervisor *supervisor, struct pollfd *ret_fds);
/* Does what is to be done. */
void supervisor_serve(struct supervisor *supervisor, const struct pollfd *fds);
/* Both, waiting no longer than 'timeout_ms' (-1: for ever). */
void supervisor_step(struct supervisor *supervisor, int timeout_ms);
/* Does it know of calls that it has not handled yet? */
bool supervisor_has_calls(const struct supervisor *supervisor);
/* No process has the filter any more, and none can get it. */
bool supervisor_is_finished(const struct supervisor *supervisor);

/* ---- for the threads of harness/filter/supervisor-threads.c, in their turn ---- */

void supervisor_serve_as(struct supervisor *supervisor, struct turn_taker *taker,
			 const struct pollfd *fds);
void supervisor_handle(struct supervisor *supervisor, struct turn_taker *taker,
		       const struct seccomp_notif *call);

/* ---- for what handles calls ---- */

/* Does that thread wait for the answer to a call that has been received? Nothing else wakes it. */
bool supervisor_has_call_of(struct supervisor *supervisor, pid_t tid);

/*
 * 0 or -errno. After supervisor_unwatch(), which may be called for what is not watched, 'ready' is
 * not called any more, not even for events that epoll_wait(2) has returned already.
 */
int supervisor_watch(struct supervisor *supervisor, struct supervisor_watch *watch,
		     uint32_t events);
int supervisor_rewatch(struct supervisor *supervisor, struct supervisor_watch *watch,
		       uint32_t events);
void supervisor_unwatch(struct supervisor *supervisor, struct supervisor_watch *watch);

#endif
