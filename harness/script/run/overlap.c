/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls that wait while the script goes on: see harness/script/run/overlap.h.
 */
#include "harness/script/run/overlap.h"

#include <errno.h>
#include <infiniband/umad.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct overlap {
	struct world *world;
	pthread_mutex_t lock;
	pthread_cond_t entered;
	GPtrArray *calls;	/* of struct started *, in the order of their start */
	int fd;
};

struct overlap *overlap_new(struct world *world)
{
	struct overlap *overlap = g_new0(struct overlap, 1);

	overlap->world = world;
	overlap->calls = g_ptr_array_new();
	overlap->fd = -1;
	pthread_mutex_init(&overlap->lock, NULL);
	pthread_cond_init(&overlap->entered, NULL);
	return overlap;
}

int overlap_fd(const struct overlap *overlap)
{
	return overlap->fd;
}

static void set_entered(struct started *call)
{
	struct overlap *overlap = call->overlap;

	if (overlap->world->kind->thread_enter)
		overlap->world->kind->thread_enter(overlap->world);
	pthread_mutex_lock(&overlap->lock);
	call->entered = true;
	pthread_cond_signal(&overlap->entered);
	pthread_mutex_unlock(&overlap->lock);
}

/* Time must not move before the runner can see that the call has returned, and when. */
static void set_done(struct started *call, int result, int err)
{
	struct overlap *overlap = call->overlap;
	uint64_t one = 1;
	ssize_t written;

	pthread_mutex_lock(&overlap->lock);
	call->at_ns = overlap->world->kind->now_ns(overlap->world);
	call->result = result;
	call->error = err;
	call->done = true;
	pthread_mutex_unlock(&overlap->lock);
	written = write(overlap->fd, &one, sizeof(one));
	(void)written;
	if (overlap->world->kind->thread_leave)
		overlap->world->kind->thread_leave(overlap->world);
}

static void *wait_in_call(void *data)
{
	struct started *call = data;
	int result, before;

	/* A wait that nothing else ends is cancelled, in poll(2) and nowhere else. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	set_entered(call);
	errno = 0;
	pthread_setcancelstate(before, NULL);
	if (call->polls)
		result = umad_poll(call->handle->fd, call->timeout_ms);
	else
		result = umad_recv(call->handle->fd, call->umad, &call->length, call->timeout_ms);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	set_done(call, result, errno);
	return NULL;
}

static void started_free(struct started *call)
{
	g_free(call->umad);
	g_free(call);
}

int overlap_start(struct overlap *overlap, const struct plan_step *step, struct run_handle *handle,
		  bool polls, int timeout_ms)
{
	struct started *call = g_new0(struct started, 1);
	int status = 0;

	call->overlap = overlap;
	call->step = step;
	call->handle = handle;
	call->polls = polls;
	call->timeout_ms = timeout_ms;
	call->length = RECV_BUFFER_SIZE - 64;
	call->umad = g_malloc0(RECV_BUFFER_SIZE);
	if (overlap->fd < 0)
		overlap->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (overlap->fd < 0)
		status = -errno;
	else
		status = -pthread_create(&call->thread, NULL, wait_in_call, call);
	if (status < 0) {
		started_free(call);
		return status;
	}
	g_ptr_array_add(overlap->calls, call);
	pthread_mutex_lock(&overlap->lock);
	while (!call->entered)
		pthread_cond_wait(&overlap->entered, &overlap->lock);
	pthread_mutex_unlock(&overlap->lock);
	call->handle->waiting++;
	return 0;
}

static bool is_done(struct started *call)
{
	bool done;

	pthread_mutex_lock(&call->overlap->lock);
	done = call->done;
	pthread_mutex_unlock(&call->overlap->lock);
	return done;
}

void overlap_collect(struct overlap *overlap)
{
	uint64_t count;
	ssize_t got = overlap->fd < 0 ? 0 : read(overlap->fd, &count, sizeof(count));

	(void)got;
	for (guint i = 0; i < overlap->calls->len; i++) {
		struct started *call = overlap->calls->pdata[i];

		if (call->noticed || !is_done(call))
			continue;
		call->noticed = true;
		call->handle->waiting--;
	}
}

void overlap_cancel(struct overlap *overlap)
{
	for (guint i = 0; i < overlap->calls->len; i++)
		pthread_cancel(((struct started *)overlap->calls->pdata[i])->thread);
}

void overlap_free(struct overlap *overlap)
{
	if (!overlap)
		return;
	for (guint i = 0; i < overlap->calls->len; i++) {
		struct started *call = overlap->calls->pdata[i];

		pthread_join(call->thread, NULL);
		started_free(call);
	}
	g_ptr_array_unref(overlap->calls);
	if (overlap->fd >= 0)
		close(overlap->fd);
	pthread_mutex_destroy(&overlap->lock);
	pthread_cond_destroy(&overlap->entered);
	g_free(overlap);
}

static bool is_one_of(const GPtrArray *steps, const struct plan_step *step)
{
	for (guint i = 0; i < steps->len; i++) {
		if (steps->pdata[i] == step)
			return true;
	}
	return false;
}

struct started *overlap_first_back(struct overlap *overlap, const GPtrArray *steps)
{
	struct started *first = NULL;

	for (guint i = 0; i < overlap->calls->len; i++) {
		struct started *call = overlap->calls->pdata[i];

		if (call->ended || !call->noticed || !is_one_of(steps, call->step))
			continue;
		if (!first || call->at_ns < first->at_ns)
			first = call;
	}
	return first;
}
