/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Closing descriptors that may block: see sim/server/closer.h.
 *
 * A new thread is started when all others are busy, up to a limit: a descriptor that takes hours
 * delays no other, and to stop all closing a program would need one such descriptor for each
 * thread.
 */
#include "config.h"

#include "sim/server/closer.h"

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/time/quiet-thread.h"

enum {
	THREADS_MAX = 16,
	STACK_SIZE = 256 << 10,
	END_MS = 1000,
};

struct closer {
	GMutex lock;
	GCond changed;		/* something is to be closed, or a thread has ended */
	GQueue *fds;		/* of descriptors, as pointers */
	unsigned int threads, idle;
	bool is_over;		/* threads end when nothing is left */
	bool is_orphan;		/* and the last one frees everything */
};

static void destroy(struct closer *closer)
{
	g_queue_free(closer->fds);
	g_mutex_clear(&closer->lock);
	g_cond_clear(&closer->changed);
	g_free(closer);
}

static void close_now(int fd)
{
	struct linger none = { .l_onoff = 0 };

	/* Its other owners may set it again: then this thread blocks. */
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
	close(fd);
}

/* Closes the first one. The lock is released meanwhile. */
static void close_first(struct closer *closer)
{
	int fd = GPOINTER_TO_INT(g_queue_pop_head(closer->fds));

	g_mutex_unlock(&closer->lock);
	close_now(fd);
	g_mutex_lock(&closer->lock);
}

static void *run(void *data)
{
	struct closer *closer = data;
	bool is_last_of_orphan;

	g_mutex_lock(&closer->lock);
	for (;;) {
		if (!g_queue_is_empty(closer->fds)) {
			close_first(closer);
		} else if (closer->is_over) {
			break;
		} else {
			closer->idle++;
			g_cond_wait(&closer->changed, &closer->lock);
			closer->idle--;
		}
	}
	closer->threads--;
	is_last_of_orphan = closer->is_orphan && closer->threads == 0;
	g_cond_broadcast(&closer->changed);
	g_mutex_unlock(&closer->lock);
	if (is_last_of_orphan)
		destroy(closer);
	return NULL;
}

static bool start_thread(struct closer *closer)
{
	pthread_attr_t attr;
	pthread_t thread;
	bool started;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	started = quiet_thread_start(&thread, &attr, run, closer) == 0;
	pthread_attr_destroy(&attr);
	if (started)
		closer->threads++;
	return started;
}

struct closer *closer_new(void)
{
	struct closer *closer = g_new0(struct closer, 1);

	g_mutex_init(&closer->lock);
	g_cond_init(&closer->changed);
	closer->fds = g_queue_new();
	return closer;
}

void closer_close(struct closer *closer, int fd)
{
	bool has_thread;

	g_mutex_lock(&closer->lock);
	has_thread = closer->idle > g_queue_get_length(closer->fds) ||
		     (closer->threads < THREADS_MAX && start_thread(closer)) ||
		     closer->threads > 0;
	if (has_thread)
		g_queue_push_tail(closer->fds, GINT_TO_POINTER(fd));
	g_cond_broadcast(&closer->changed);
	g_mutex_unlock(&closer->lock);
	if (!has_thread)
		close_now(fd);	/* no memory for even one thread: there is no better way */
}

void closer_free(struct closer *closer)
{
	int64_t end_us = g_get_monotonic_time() + END_MS * G_TIME_SPAN_MILLISECOND;
	bool is_busy;

	if (!closer)
		return;
	g_mutex_lock(&closer->lock);
	closer->is_over = true;
	g_cond_broadcast(&closer->changed);
	while (closer->threads > 0 &&
	       g_cond_wait_until(&closer->changed, &closer->lock, end_us))
		continue;
	is_busy = closer->is_orphan = closer->threads > 0;
	g_mutex_unlock(&closer->lock);
	if (!is_busy)
		destroy(closer);
}
