/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lockstep-glib: what GLib waits with: a condition with a deadline, a queue, timeouts of a main
 * loop. Each says at which microsecond of the monotonic clock it was over.
 */
#include <glib.h>
#include <stdbool.h>

static GMutex mutex;
static GCond cond;

static void say(const char *what)
{
	g_print("%s %" G_GINT64_FORMAT "\n", what, g_get_monotonic_time());
}

static gpointer signals(gpointer data)
{
	g_usleep(2000000);
	g_mutex_lock(&mutex);
	*(bool *)data = true;
	g_cond_signal(&cond);
	g_mutex_unlock(&mutex);
	return NULL;
}

static void wait_until(const char *what, gint64 us, const bool *is_told)
{
	gint64 until = g_get_monotonic_time() + us;

	g_mutex_lock(&mutex);
	while (!*is_told && g_cond_wait_until(&cond, &mutex, until))
		continue;
	g_mutex_unlock(&mutex);
	say(what);
}

static gboolean ticks(gpointer data)
{
	static int n;

	say("tick");
	if (++n == 3)
		g_main_loop_quit(data);
	return G_SOURCE_CONTINUE;
}

int main(void)
{
	GMainLoop *loop = g_main_loop_new(NULL, false);
	GAsyncQueue *queue = g_async_queue_new();
	bool is_told = false;
	GThread *thread;

	wait_until("late", 1500000, &is_told);
	thread = g_thread_new("signals", signals, &is_told);
	wait_until("told", 10000000, &is_told);
	g_thread_join(thread);
	g_async_queue_timeout_pop(queue, 250000);
	say("empty");
	g_timeout_add(700, ticks, loop);
	g_main_loop_run(loop);
	g_main_loop_unref(loop);
	g_async_queue_unref(queue);
	return 0;
}
