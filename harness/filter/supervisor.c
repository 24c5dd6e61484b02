/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/supervisor.h"

#include <errno.h>
#include <glib.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/filter/program-descriptor.h"
#include "harness/filter/seccomp-filter.h"
#include "lib/base/monotonic.h"

enum {
	BUSY_NS = 500000,	/* Linux takes long to find a call among thousands */
	BUSY_ROUNDS = 32,	/* from so many in succession on there may be many calls */
	MANY_CALLS = 16,
	CALLS_AT_ONCE = 32,	/* that are received before one is handled */
};

/* ---- the loop ---- */

int supervisor_watch(struct supervisor *supervisor, struct supervisor_watch *watch, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = watch };

	return epoll_ctl(supervisor->loop, EPOLL_CTL_ADD, watch->fd, &event) < 0 ? -errno : 0;
}

int supervisor_rewatch(struct supervisor *supervisor, struct supervisor_watch *watch,
		       uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = watch };

	return epoll_ctl(supervisor->loop, EPOLL_CTL_MOD, watch->fd, &event) < 0 ? -errno : 0;
}

void supervisor_unwatch(struct supervisor *supervisor, struct supervisor_watch *watch)
{
	epoll_ctl(supervisor->loop, EPOLL_CTL_DEL, watch->fd, NULL);
	for (int i = supervisor->event; i < supervisor->event_count; i++)
		if (supervisor->events[i].data.ptr == watch)
			supervisor->events[i].data.ptr = NULL;
}

static void serve_watches(struct supervisor *supervisor)
{
	supervisor->event_count = epoll_wait(supervisor->loop, supervisor->events,
					     SUPERVISOR_EVENTS, 0);
	for (supervisor->event = 0; supervisor->event < supervisor->event_count;
	     supervisor->event++) {
		const struct epoll_event *event = &supervisor->events[supervisor->event];
		struct supervisor_watch *watch = event->data.ptr;

		if (watch)
			watch->ready(supervisor, watch, event->events);
	}
	supervisor->event_count = 0;
}

/* ---- calls ---- */

static const struct trap *find_trap(const struct supervisor *supervisor,
				    const struct seccomp_data *data)
{
	if (data->arch != SECCOMP_FILTER_ARCH || data->nr < 0 || data->nr >= TRAP_NUMBER_MAX)
		return NULL;
	return supervisor->by_number[data->nr];
}

/* A call of a 32-bit program: its numbers and structs are others. */
static long refuse_foreign(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	char path[32], name[PATH_MAX] = "a program";

	if (!supervisor->has_said_foreign) {
		snprintf(path, sizeof(path), "/proc/%u/exe", call->pid);
		if (readlink(path, name, sizeof(name) - 1) < 0)
			strcpy(name, "a program");
		fprintf(stderr, "umadrig: %s (%u) makes system calls of a 32-bit program: they "
			"fail. Build it for 64 bits\n", name, call->pid);
		supervisor->has_said_foreign = true;
	}
	return -ENOSYS;
}

void supervisor_handle(struct supervisor *supervisor, struct turn_taker *taker,
		       const struct seccomp_notif *call)
{
	const struct trap *trap = find_trap(supervisor, &call->data);

	supervisor->answering = (pid_t)call->pid;
	if (taker) {
		taker->answering = (pid_t)call->pid;
		taker->on_return = &supervisor->answering;
	}
	listener_end(supervisor->listener, call, trap && trap->handle ?
		     trap->handle(supervisor, call) : refuse_foreign(supervisor, call));
	turn_stay(false);
	supervisor->answering = 0;
	if (taker)
		taker->answering = 0;
}

/* ---- many calls ---- */

static bool receive(struct supervisor *supervisor, struct seccomp_notif *ret)
{
	const struct seccomp_notif *call = listener_receive(supervisor->listener);

	if (call)
		*ret = *call;
	return call;
}

static bool is_call_there(const struct supervisor *supervisor)
{
	struct pollfd listener = { .fd = listener_fd(supervisor->listener), .events = POLLIN };

	return poll(&listener, 1, 0) > 0 && (listener.revents & POLLIN);
}

/*
 * Linux returns calls in the order in which they were made, and so those of a process with very
 * many threads before those of its neighbours. As long as there are many they are received before
 * they are handled, and each process has its turn. Whose a call is takes time to find out.
 */
static void receive_many(struct supervisor *supervisor)
{
	struct seccomp_notif call;
	pid_t process = 0;
	int count = 0;

	do {
		if (!receive(supervisor, &call))
			continue;
		if (call_queue_length(&supervisor->queue) >= MANY_CALLS)
			process = call_lanes_process(&supervisor->lanes, (pid_t)call.pid);
		call_queue_put(&supervisor->queue, process, &call);
	} while (++count < CALLS_AT_ONCE && is_call_there(supervisor));
}

static void serve_call(struct supervisor *supervisor, struct turn_taker *taker, bool has_new)
{
	struct seccomp_notif call;
	bool is_there = false;

	if (supervisor->busy_rounds < BUSY_ROUNDS && !supervisor_has_calls(supervisor)) {
		is_there = has_new && receive(supervisor, &call);
	} else {
		if (has_new)
			receive_many(supervisor);
		if (call_queue_length(&supervisor->queue) < 2)
			supervisor->busy_rounds = 0;
		is_there = call_queue_take(&supervisor->queue, &call);
	}
	if (is_there && !call_lanes_put(&supervisor->lanes, &call))
		supervisor_handle(supervisor, taker, &call);
}

bool supervisor_has_calls(const struct supervisor *supervisor)
{
	return call_queue_length(&supervisor->queue) > 0;
}

bool supervisor_has_call_of(struct supervisor *supervisor, pid_t tid)
{
	return tid == supervisor->answering || call_queue_has(&supervisor->queue, tid) ||
	       turn_is_away_for(&supervisor->turn, tid) ||
	       call_lanes_have(&supervisor->lanes, tid);
}

/* ---- waiting ---- */

void supervisor_fds(const struct supervisor *supervisor, struct pollfd *ret_fds)
{
	int listener = supervisor->is_finished ? -1 : listener_fd(supervisor->listener);

	ret_fds[0] = (struct pollfd){ .fd = listener, .events = POLLIN };
	ret_fds[1] = (struct pollfd){ .fd = supervisor->loop, .events = POLLIN };
}

/* Has it been busy since the last round? */
static void count_round(struct supervisor *supervisor)
{
	int64_t now_ns = monotonic_ns();

	if (now_ns - supervisor->round_end_ns < BUSY_NS)
		supervisor->busy_rounds++;
	else
		supervisor->busy_rounds = 0;
}

void supervisor_serve_as(struct supervisor *supervisor, struct turn_taker *taker,
			 const struct pollfd *fds)
{
	bool has_new = fds[0].revents & POLLIN;

	if (taker)
		count_round(supervisor);
	/*
	 * What happened before the call is seen to before it, as poll(2) looked at the listener
	 * first.
	 */
	if (fds[1].revents)
		serve_watches(supervisor);
	/* POLLERR alone: a signal came while the kernel looked (seccomp_notify_poll()). */
	if (has_new || supervisor_has_calls(supervisor))
		serve_call(supervisor, taker, has_new);
	else if (fds[0].revents & POLLHUP)
		supervisor->is_finished = true;
	if (taker)
		supervisor->round_end_ns = monotonic_ns();
}

void supervisor_serve(struct supervisor *supervisor, const struct pollfd *fds)
{
	supervisor_serve_as(supervisor, NULL, fds);
}

void supervisor_step(struct supervisor *supervisor, int timeout_ms)
{
	struct pollfd fds[SUPERVISOR_FDS];

	supervisor_fds(supervisor, fds);
	if (poll(fds, SUPERVISOR_FDS, timeout_ms) > 0)
		supervisor_serve(supervisor, fds);
}

/* ---- its life ---- */

static struct supervisor *give_up(struct supervisor *supervisor, int fd)
{
	int reason = errno;

	if (!supervisor->listener)
		close(fd);
	supervisor_free(supervisor);
	errno = reason;
	return NULL;
}

struct supervisor *supervisor_new(const struct supervisor_start *start)
{
	struct supervisor *supervisor = g_new0(struct supervisor, 1);

	supervisor->first_number = start->first_number;
	supervisor->end_number = start->end_number;
	for (size_t i = 0; i < start->table->count; i++) {
		const struct trap *trap = &start->table->traps[i];

		g_assert(trap->number >= 0 && trap->number < TRAP_NUMBER_MAX);
		supervisor->by_number[trap->number] = trap;
	}
	turn_init(&supervisor->turn);
	call_queue_init(&supervisor->queue);
	call_lanes_init(&supervisor->lanes);
	supervisor->loop = epoll_create1(EPOLL_CLOEXEC);
	if (supervisor->loop < 0)
		return give_up(supervisor, start->listener);
	supervisor->listener = listener_new(start->listener, start->waits_killable);
	if (!supervisor->listener)
		return give_up(supervisor, start->listener);
	return supervisor;
}

void supervisor_free(struct supervisor *supervisor)
{
	if (!supervisor)
		return;
	listener_free(supervisor->listener);
	if (supervisor->loop >= 0)
		close(supervisor->loop);
	call_queue_clear(&supervisor->queue);
	call_lanes_clear(&supervisor->lanes);
	g_free(supervisor);
}

bool supervisor_is_finished(const struct supervisor *supervisor)
{
	return supervisor->is_finished;
}
