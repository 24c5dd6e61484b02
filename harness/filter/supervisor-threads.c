/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/supervisor-threads.h"

#include <errno.h>
#include <glib.h>
#include <poll.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "harness/filter/call-lane.h"
#include "harness/filter/supervisor-turn.h"
#include "lib/base/monotonic.h"

enum {
	TICK_US = 1000,		/* of the watcher: one is held up no longer than two of them */
	IDLE_TICKS = 20,	/* without anything to watch over, until it sleeps */
	THREADS_MAX = 1024,	/* a process can hold up one */
	SPARE_MAX = 2,
	STACK_SIZE = 512 << 10,	/* paths, and the parts of a writev(2) */
};

struct supervisor_threads {
	struct supervisor *supervisor;
	sem_t role;		/* of the one that serves */
	sem_t activity;		/* what the watcher sleeps for */
	_Atomic bool watcher_sleeps;
	_Atomic unsigned int rounds;
	_Atomic int count, spare;
};

struct server {
	struct turn_taker taker;	/* the first member: see server_of() */
	struct supervisor_threads *threads;
	struct call_lane *lane;		/* which it serves; NULL: it serves all */
};

static struct server *server_of(struct turn_taker *taker)
{
	return (struct server *)(void *)taker;
}

/* ---- lanes ---- */

/* Serves the process that has held this thread up. In its turn, and so is it afterwards. */
static void serve_lane(struct server *server)
{
	struct supervisor_threads *threads = server->threads;
	struct call_lanes *lanes = &threads->supervisor->lanes;
	struct call_lane *lane = server->lane;
	struct seccomp_notif *call;

	for (;;) {
		turn_leave(&threads->supervisor->turn);
		call_lane_wait(lanes, lane);
		turn_take(&threads->supervisor->turn);
		call = call_lane_take(lanes, lane);
		if (call) {
			int64_t from_ns = monotonic_ns();

			supervisor_handle(threads->supervisor, &server->taker, call);
			g_free(call);
			if (monotonic_ns() - from_ns > TICK_US * INT64_C(1000))
				call_lane_prolong(lane);
		} else if (call_lane_remove(lanes, lane)) {
			break;
		}
	}
	server->lane = NULL;
	server->taker.gives_way = false;
}

/* ---- who serves ---- */

/* There is something to watch over. In one's turn: see sleep_while_idle(). */
static void wake_watcher(struct supervisor_threads *threads)
{
	atomic_fetch_add_explicit(&threads->rounds, 1, memory_order_relaxed);
	if (atomic_load_explicit(&threads->watcher_sleeps, memory_order_relaxed) &&
	    atomic_exchange(&threads->watcher_sleeps, false))
		sem_post(&threads->activity);
}

/* Serves until another does. */
static void serve_all(struct server *server)
{
	struct supervisor *supervisor = server->threads->supervisor;
	struct pollfd fds[SUPERVISOR_FDS];

	server->taker.was_away = false;
	for (;;) {
		supervisor_fds(supervisor, fds);
		if (poll(fds, SUPERVISOR_FDS, supervisor_has_calls(supervisor) ? 0 : -1) < 0)
			continue;
		turn_take(&supervisor->turn);
		wake_watcher(server->threads);
		supervisor_serve_as(supervisor, &server->taker, fds);
		if (server->lane)
			serve_lane(server);
		turn_leave(&supervisor->turn);
		if (server->taker.was_away)
			return;
	}
}

static void *run_server(void *argument)
{
	struct supervisor_threads *threads = argument;
	struct server server = { .threads = threads };

	turn_enter(&threads->supervisor->turn, &server.taker);
	while (atomic_fetch_add(&threads->spare, 1) < SPARE_MAX) {
		while (sem_wait(&threads->role) < 0)
			continue;
		atomic_fetch_sub(&threads->spare, 1);
		serve_all(&server);
	}
	atomic_fetch_sub(&threads->spare, 1);
	turn_exit(&server.taker);
	atomic_fetch_sub(&threads->count, 1);
	return NULL;
}

static int start_thread(void *(*function)(void *), struct supervisor_threads *threads)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int err;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	err = pthread_create(&thread, &attributes, function, threads);
	pthread_attr_destroy(&attributes);
	return -err;
}

static int add_server(struct supervisor_threads *threads)
{
	int err;

	if (atomic_fetch_add(&threads->count, 1) >= THREADS_MAX)
		err = -EAGAIN;
	else
		err = start_thread(run_server, threads);
	if (err < 0)
		atomic_fetch_sub(&threads->count, 1);
	return err;
}

/* ---- who watches ---- */

/* Another thread serves from now on, if there is one. */
static void replace_server(struct supervisor_threads *threads)
{
	struct turn_taker *taker = turn_depose(&threads->supervisor->turn);
	struct server *server;

	if (!taker)
		return;
	server = server_of(taker);
	/* From now on, or it could be replaced again, with a lane that nobody serves. */
	taker->gives_way = true;
	server->lane = call_lane_add(&threads->supervisor->lanes, taker->answering);
	turn_leave(&threads->supervisor->turn);
	sem_post(&threads->role);
}

/* Whoever takes the turn after the look at it finds that the watcher sleeps. */
static void sleep_while_idle(struct supervisor_threads *threads)
{
	atomic_store(&threads->watcher_sleeps, true);
	if (turn_is_taken(&threads->supervisor->turn))
		atomic_store(&threads->watcher_sleeps, false);
	else
		while (sem_wait(&threads->activity) < 0)
			continue;
}

static void *run_watcher(void *argument)
{
	struct supervisor_threads *threads = argument;
	unsigned int seen = 0, idle_ticks = 0;

	for (;;) {
		unsigned int rounds = atomic_load(&threads->rounds);

		idle_ticks = rounds == seen ? idle_ticks + 1 : 0;
		seen = rounds;
		if (idle_ticks > IDLE_TICKS) {
			sleep_while_idle(threads);
			idle_ticks = 0;
		}
		/* One that can serve in its place is there before it is needed. */
		if (atomic_load(&threads->spare) > 0 || add_server(threads) == 0)
			replace_server(threads);
		g_usleep(TICK_US);
	}
	return NULL;
}

/* ---- all ---- */

int supervisor_threads_start(struct supervisor *supervisor)
{
	struct supervisor_threads *threads = g_new0(struct supervisor_threads, 1);
	int err;

	threads->supervisor = supervisor;
	sem_init(&threads->role, 0, 1);
	sem_init(&threads->activity, 0, 0);
	supervisor->threads = threads;
	err = add_server(threads);
	if (err == 0)
		err = start_thread(run_watcher, threads);
	return err;
}

void supervisor_threads_stop(struct supervisor *supervisor)
{
	if (supervisor->threads)
		turn_take(&supervisor->turn);
}
