/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The loop: see sim/process/process-loop.h.
 */
#include "config.h"

#include "sim/process/process-loop.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "lib/base/monotonic.h"
#include "sim/process/process-reap.h"

enum {
	LOOK_MS = 20,	/* how often children are looked at where they have no descriptors */
};

enum loop_kind { LOOP_DESCRIPTOR, LOOP_SIGNAL, LOOP_CHILD, LOOP_TIMER };

struct loop_source {
	struct loop *loop;
	enum loop_kind kind;
	int order;
	loop_fn *fn;
	void *ctx;
	int fd;			/* -1: none */
	bool is_always_ready;	/* epoll(7) does not take it */
	uint32_t events;	/* that are waited for */
	pid_t pid;
	int64_t at_ns;
	uint32_t ready;		/* events of this step; of a timer or a child any */
	bool is_removed;
};

struct loop {
	int epoll;
	GPtrArray *sources;	/* in their order */
	GPtrArray *removed;	/* during a step */
	bool is_in_step;
};

/* ---- the loop ---- */

static void source_free(void *data)
{
	struct loop_source *source = data;

	if ((source->kind == LOOP_SIGNAL || source->kind == LOOP_CHILD) && source->fd >= 0)
		close(source->fd);
	g_free(source);
}

struct loop *loop_new(void)
{
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	struct loop *loop;

	if (epoll < 0)
		return NULL;
	loop = g_new0(struct loop, 1);
	loop->epoll = epoll;
	loop->sources = g_ptr_array_new_with_free_func(source_free);
	loop->removed = g_ptr_array_new_with_free_func(source_free);
	return loop;
}

void loop_free(struct loop *loop)
{
	if (!loop)
		return;
	g_ptr_array_unref(loop->sources);
	g_ptr_array_unref(loop->removed);
	close(loop->epoll);
	g_free(loop);
}

/* ---- sources ---- */

/* Takes '*source' into the loop; where that fails its descriptor is the caller's. */
static struct loop_source *add(struct loop *loop, const struct loop_source *source)
{
	struct loop_source *added = g_memdup2(source, sizeof(*source));
	struct epoll_event event = { .events = source->events, .data.ptr = added };
	guint at = loop->sources->len;

	added->loop = loop;
	if (added->fd >= 0 && epoll_ctl(loop->epoll, EPOLL_CTL_ADD, added->fd, &event) < 0) {
		added->is_always_ready = errno == EPERM;
		if (!added->is_always_ready) {
			g_free(added);
			return NULL;
		}
	}
	while (at > 0 && ((struct loop_source *)loop->sources->pdata[at - 1])->order > added->order)
		at--;
	g_ptr_array_insert(loop->sources, (int)at, added);
	return added;
}

/* The same with a descriptor that is the source's. */
static struct loop_source *add_own(struct loop *loop, const struct loop_source *source)
{
	struct loop_source *added = add(loop, source);
	int err = errno;

	if (!added && source->fd >= 0)
		close(source->fd);
	errno = err;
	return added;
}

struct loop_source *loop_add_descriptor(struct loop *loop, int fd, uint32_t events, int order,
					loop_fn *fn, void *ctx)
{
	if (fd < 0) {
		errno = EBADF;
		return NULL;
	}
	return add(loop, &(struct loop_source){
		.kind = LOOP_DESCRIPTOR, .fd = fd, .events = events, .order = order, .fn = fn,
		.ctx = ctx,
	});
}

struct loop_source *loop_add_signal(struct loop *loop, int sig, int order, loop_fn *fn, void *ctx)
{
	sigset_t only;
	int fd;

	sigemptyset(&only);
	sigaddset(&only, sig);
	fd = signalfd(-1, &only, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? NULL : add_own(loop, &(struct loop_source){
		.kind = LOOP_SIGNAL, .fd = fd, .events = EPOLLIN, .order = order, .fn = fn,
		.ctx = ctx,
	});
}

struct loop_source *loop_add_child(struct loop *loop, pid_t pid, int order, loop_fn *fn, void *ctx)
{
	int fd = reap_descriptor(pid);

	if (fd < 0 && fd != -ENOSYS) {
		errno = -fd;
		return NULL;
	}
	return add_own(loop, &(struct loop_source){
		.kind = LOOP_CHILD, .fd = MAX(fd, -1), .events = EPOLLIN, .order = order, .fn = fn,
		.ctx = ctx, .pid = pid,
	});
}

struct loop_source *loop_add_timer(struct loop *loop, int64_t at_ns, int order, loop_fn *fn,
				   void *ctx)
{
	return add(loop, &(struct loop_source){
		.kind = LOOP_TIMER, .fd = -1, .at_ns = at_ns, .order = order, .fn = fn, .ctx = ctx,
	});
}

void loop_set_events(struct loop_source *source, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = source };

	if (source->events == events)
		return;
	source->events = events;
	if (!source->is_always_ready)
		epoll_ctl(source->loop->epoll, EPOLL_CTL_MOD, source->fd, &event);
}

void loop_set_time(struct loop_source *source, int64_t at_ns)
{
	source->at_ns = at_ns;
}

void loop_remove(struct loop_source *source)
{
	struct loop *loop;
	guint at;

	if (!source || source->is_removed)
		return;
	loop = source->loop;
	source->is_removed = true;
	if (source->fd >= 0 && !source->is_always_ready)
		epoll_ctl(loop->epoll, EPOLL_CTL_DEL, source->fd, NULL);
	if (!g_ptr_array_find(loop->sources, source, &at))
		return;
	g_ptr_array_steal_index(loop->sources, at);
	g_ptr_array_add(loop->removed, source);
	if (!loop->is_in_step)
		g_ptr_array_set_size(loop->removed, 0);
}

/* ---- a step ---- */

/* Milliseconds until then, rounded up: never too early. */
static int64_t ms_until(int64_t at_ns)
{
	int64_t left_ns = at_ns - monotonic_ns();

	return left_ns <= 0 ? 0 : left_ns / 1000000 + (left_ns % 1000000 > 0);
}

static int timeout_ms(const struct loop *loop, int64_t until_ns)
{
	bool looks = false;

	for (guint i = 0; i < loop->sources->len; i++) {
		const struct loop_source *source = loop->sources->pdata[i];

		if (source->is_always_ready)
			return 0;
		if (source->kind == LOOP_TIMER)
			until_ns = MIN(until_ns, source->at_ns);
		looks |= source->kind == LOOP_CHILD && source->fd < 0;
	}
	if (until_ns == INT64_MAX)
		return looks ? LOOK_MS : -1;
	return (int)MIN(ms_until(until_ns), looks ? LOOK_MS : G_MAXINT);
}

/* What is ready without epoll(7) saying so. */
static void look(struct loop_source *source, int64_t now_ns)
{
	if (source->is_always_ready)
		source->ready = source->events;
	else if (source->kind == LOOP_TIMER && source->at_ns <= now_ns)
		source->ready = 1;
	else if (source->kind == LOOP_CHILD && source->fd < 0 && reap_can(source->pid))
		source->ready = 1;
}

static int call_signal(struct loop_source *source)
{
	struct signalfd_siginfo info;
	int count = 0;

	while (!source->is_removed && read(source->fd, &info, sizeof(info)) == sizeof(info)) {
		source->fn(source->ctx, (int)info.ssi_signo);
		count = 1;
	}
	return count;
}

/* Returns how many calls that was. */
static int call(struct loop_source *source)
{
	uint32_t ready = source->ready;

	source->ready = 0;
	switch (source->kind) {
	case LOOP_SIGNAL:
		return call_signal(source);
	case LOOP_CHILD:
		loop_remove(source);
		source->fn(source->ctx, reap(source->pid));
		return 1;
	case LOOP_TIMER:
		source->at_ns = INT64_MAX;
		break;
	case LOOP_DESCRIPTOR:
		break;
	}
	if (source->fn)
		source->fn(source->ctx, source->kind == LOOP_TIMER ? 0 : (int)ready);
	return 1;
}

int loop_step(struct loop *loop, int64_t until_ns)
{
	guint room = MAX(loop->sources->len, 1);
	g_autofree struct epoll_event *events = g_new(struct epoll_event, room);
	int got = epoll_wait(loop->epoll, events, (int)room, timeout_ms(loop, until_ns));
	g_autoptr(GPtrArray) ready = NULL;
	int64_t now_ns = monotonic_ns();
	int count = 0;

	if (got < 0)
		return -errno;
	for (int i = 0; i < got; i++)
		((struct loop_source *)events[i].data.ptr)->ready = events[i].events;
	ready = g_ptr_array_new();
	for (guint i = 0; i < loop->sources->len; i++) {
		struct loop_source *source = loop->sources->pdata[i];

		look(source, now_ns);
		if (source->ready)
			g_ptr_array_add(ready, source);
	}
	loop->is_in_step = true;
	for (guint i = 0; i < ready->len; i++) {
		struct loop_source *source = ready->pdata[i];

		if (!source->is_removed)
			count += call(source);
	}
	loop->is_in_step = false;
	g_ptr_array_set_size(loop->removed, 0);
	return count;
}
