/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The processes in which points run: see harness/cmd/run-workers.h.
 *
 * Each worker has a socket. Jobs go down as they are, results come up with their size before them;
 * both in order. A worker has one job more than it is at, so that it need not wait for the next.
 */
#include "config.h"

#include "harness/cmd/run-workers.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/base/end-signals.h"
#include "harness/script/run/cancel.h"
#include "harness/world/world.h"
#include "lib/base/monotonic.h"
#include "sim/process/process-loop.h"
#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"

enum {
	JOBS_AHEAD = 2,		/* that a worker has, with the one that it is at */
	ORDER_AHEAD = 64,	/* how far, for each worker, jobs may be ahead of the last result */
	IDLE_MS = 50,		/* how long nothing is ready until that is worth a word */
	END_MS = 60000,		/* how long workers may take to end, and to look for leaks */
	ORPHAN_ROUNDS = 1000,	/* a process that forks faster than it is killed is beyond us */
};

/* A job that has been handed out, or is to be again. */
struct task {
	struct run_job job;
	GBytes *bytes;
	char *why;
	bool done;
};

struct worker {
	struct crew *crew;
	pid_t pid;		/* 0: there is none */
	int fd;
	struct loop_source *hears;	/* that */
	GByteArray *input;
	GQueue tasks;		/* of struct task *: the one it is at, and those to come */
};

struct crew {
	const struct run_work *work;
	struct worker *workers;
	struct loop *loop;
	GQueue order;		/* of struct task *: all whose results were not taken yet */
	GQueue again;		/* of struct task *: lost before they began */
	bool exhausted;		/* there are no more jobs */
	bool stopped;		/* nothing more is wanted */
	int said[2];		/* a pipe: standard error of the workers; -1: it is ours */
	struct loop_source *listens;	/* to that */
	int err;		/* why the last worker could not be started: -errno */
	struct run_workers_end end;
};

/* ---- in a worker ---- */

/* False: there is nothing more to read, or nobody to write to. */
static bool read_exactly(int fd, void *data, size_t size)
{
	for (char *at = data; size > 0;) {
		ssize_t got = read(fd, at, size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		size -= (size_t)got;
	}
	return true;
}

static bool write_exactly(int fd, const void *data, size_t size)
{
	for (const char *at = data; size > 0;) {
		ssize_t sent = send(fd, at, size, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return false;
		at += sent;
		size -= (size_t)sent;
	}
	return true;
}

static void cancel(int sig)
{
	(void)sig;
	run_cancel();
}

/* What a terminal sends to all reaches the parent alone, who knows what is to be ended. */
static const struct spawn worker_spawn = {
	.usual = end_signals, .leads = SPAWN_LEADS_GROUP, .dies_with = SIGTERM,
};

static void begin_worker(const struct crew *crew)
{
	static const struct sigaction end = { .sa_handler = cancel };

	if (crew->said[1] >= 0) {
		dup2(crew->said[1], STDERR_FILENO);
		close(crew->said[0]);
		close(crew->said[1]);
	}

	end_signals_forget();
	sigaction(SIGTERM, &end, NULL);
}

static void work_until_end(const struct crew *crew, int fd)
{
	struct run_job job;

	while (!run_is_cancelled() && read_exactly(fd, &job, sizeof(job))) {
		g_autoptr(GBytes) bytes = crew->work->run(crew->work->ctx, &job);
		guint32 size = (guint32)g_bytes_get_size(bytes);

		if (run_is_cancelled() || !write_exactly(fd, &size, sizeof(size)) ||
		    !write_exactly(fd, g_bytes_get_data(bytes, NULL), size)) {
			crew->work->drop(crew->work->ctx, &job, bytes);
			break;
		}
	}
}

/* The others' sockets would be held open by it. */
static void close_others(const struct crew *crew)
{
	for (guint i = 0; i < crew->work->workers; i++) {
		if (crew->workers[i].pid > 0)
			close(crew->workers[i].fd);
	}
}

/* ---- workers ---- */

static void read_worker(void *ctx, int events);

/* Returns 0 or -errno. */
static int start_worker(struct crew *crew, struct worker *worker)
{
	int fds[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	pid = spawn_fork(&worker_spawn);
	if (pid == 0) {
		close(fds[0]);
		close_others(crew);
		begin_worker(crew);
		work_until_end(crew, fds[1]);
		exit(EXIT_SUCCESS);
	}
	close(fds[1]);
	worker->hears = pid < 0 ? NULL : loop_add_descriptor(crew->loop, fds[0], EPOLLIN, 1,
							     read_worker, worker);
	if (!worker->hears) {
		int status = pid < 0 ? pid : -errno;

		close(fds[0]);
		reap_killed(pid);
		return status;
	}
	world_programs_own(pid);
	worker->pid = pid;
	worker->fd = fds[0];
	return 0;
}

/*
 * Forgets a worker whose end of the socket is closed, and waits for it: the text says how it ended,
 * or is NULL if that was in order.
 */
static char *reap_worker(struct worker *worker)
{
	g_autofree char *how = NULL;
	int status;

	loop_remove(worker->hears);
	close(worker->fd);
	status = reap(worker->pid);
	status = MAX(status, 0);
	world_programs_disown(worker->pid);
	worker->pid = 0;
	g_byte_array_set_size(worker->input, 0);
	if (status == 0)
		return NULL;
	how = reap_status_text(status);
	return g_strconcat("the process that ran it ", how, NULL);
}

/* A worker that was killed could not end what it had started. */
static void end_orphans(void)
{
	/* Those that are killed may leave children of their own. */
	for (int i = 0; i < ORPHAN_ROUNDS && world_programs_kill_orphans(); i++)
		continue;
}

/*
 * The worker has died: the job it was at, if any, has no result, the others are to be done again.
 * It is started again when there is something for it.
 */
static void lose_worker(struct crew *crew, struct worker *worker)
{
	struct task *task = g_queue_pop_head(&worker->tasks);
	g_autofree char *why = reap_worker(worker);
	struct task *rest;

	end_orphans();
	if (task) {
		task->why = why ? g_steal_pointer(&why) :
			    g_strdup("the process that ran it ended too early");
		task->done = true;
	}
	while ((rest = g_queue_pop_tail(&worker->tasks)))
		g_queue_push_head(&crew->again, rest);
}

/* ---- jobs and results ---- */

static void task_free(void *data)
{
	struct task *task = data;

	if (task->bytes)
		g_bytes_unref(task->bytes);
	g_free(task->why);
	g_free(task);
}

/* NULL: there is none at present. */
static struct task *next_task(struct crew *crew)
{
	struct task *task = g_queue_pop_head(&crew->again);
	struct run_job job;

	if (task)
		return task;
	if (crew->exhausted || crew->order.length >= ORDER_AHEAD * crew->work->workers)
		return NULL;
	if (!crew->work->next(crew->work->ctx, &job)) {
		crew->exhausted = true;
		return NULL;
	}
	task = g_new0(struct task, 1);
	task->job = job;
	g_queue_push_tail(&crew->order, task);
	return task;
}

/* Gives a worker its next job, if there is one; starts it if there is no such process. */
static bool give_task(struct crew *crew, struct worker *worker)
{
	struct task *task = next_task(crew);
	int status = task && worker->pid == 0 ? start_worker(crew, worker) : 0;

	if (!task)
		return false;
	if (status < 0) {
		crew->err = status;
		g_queue_push_head(&crew->again, task);
		return false;
	}
	g_queue_push_tail(&worker->tasks, task);
	/* If it has died, its socket says so. */
	write_exactly(worker->fd, &task->job, sizeof(task->job));
	return true;
}

/* Every worker gets one before any gets a second. */
static void give_tasks(struct crew *crew)
{
	for (guint round = 1; round <= JOBS_AHEAD; round++) {
		for (guint i = 0; i < crew->work->workers; i++) {
			struct worker *worker = &crew->workers[i];

			if (worker->tasks.length < round && !give_task(crew, worker))
				break;
		}
	}
}

/* Takes whole results out of what a worker has sent. */
static void take_results(struct worker *worker)
{
	GByteArray *input = worker->input;
	guint at = 0;
	guint32 size;

	while (input->len - at >= sizeof(size)) {
		struct task *task;

		memcpy(&size, input->data + at, sizeof(size));
		if (input->len - at - sizeof(size) < size || worker->tasks.length == 0)
			break;
		task = g_queue_pop_head(&worker->tasks);
		task->bytes = g_bytes_new(input->data + at + sizeof(size), size);
		task->done = true;
		at += (guint)sizeof(size) + size;
	}
	g_byte_array_remove_range(input, 0, at);
}

static void read_worker(void *ctx, int events)
{
	struct worker *worker = ctx;
	guint8 buffer[1 << 16];
	ssize_t got = recv(worker->fd, buffer, sizeof(buffer), MSG_DONTWAIT);

	if (got > 0) {
		g_byte_array_append(worker->input, buffer, (guint)got);
		take_results(worker);
	} else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
		lose_worker(worker->crew, worker);
	}
	(void)events;
}

/* Passes on what is done, in order. */
static void pass_results(struct crew *crew)
{
	struct task *task;

	while (!crew->stopped && !end_signals_caught() &&
	       (task = g_queue_peek_head(&crew->order)) && task->done) {
		crew->stopped = !crew->work->done(crew->work->ctx, &task->job, task->bytes,
						  task->why);
		task_free(g_queue_pop_head(&crew->order));
	}
}

/* Waits until something has come, or a signal. */
static void wait_for_workers(struct crew *crew)
{
	const struct task *oldest = g_queue_peek_head(&crew->order);

	if (loop_step(crew->loop, monotonic_ns() + IDLE_MS * INT64_C(1000000)) != 0)
		return;
	crew->work->idle(crew->work->ctx, &oldest->job);
	loop_step(crew->loop, INT64_MAX);
}

static bool any_worker(const struct crew *crew)
{
	for (guint i = 0; i < crew->work->workers; i++) {
		if (crew->workers[i].pid > 0)
			return true;
	}
	return false;
}

/* What was done after the last result that was wanted. */
static void drop_results(struct crew *crew)
{
	struct task *task;

	while ((task = g_queue_pop_head(&crew->order))) {
		if (task->bytes)
			crew->work->drop(crew->work->ctx, &task->job, task->bytes);
		task_free(task);
	}
}

static void run_all(struct crew *crew)
{
	for (;;) {
		give_tasks(crew);
		if (crew->order.length == 0)
			return;
		if (!any_worker(crew)) {
			crew->end.broken = g_strdup_printf("cannot start a process: %s",
							   g_strerror(-crew->err));
			return;
		}
		wait_for_workers(crew);
		pass_results(crew);
		if (end_signals_caught() || crew->stopped || crew->end.broken)
			return;
	}
}

/* ---- the end ---- */

/* Waits until the worker closes its socket. */
static void await_worker(struct worker *worker, gint64 until_us)
{
	guint8 rest[4096];

	for (;;) {
		struct pollfd fd = { .fd = worker->fd, .events = POLLIN };
		gint64 left_us = until_us - g_get_monotonic_time();
		ssize_t got;

		if (left_us <= 0) {
			kill(worker->pid, SIGKILL);
			return;
		}
		if (poll(&fd, 1, (int)(left_us / 1000) + 1) <= 0)
			continue;
		got = recv(worker->fd, rest, sizeof(rest), MSG_DONTWAIT);
		if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
			return;
		if (got > 0)
			g_byte_array_append(worker->input, rest, (guint)got);
		take_results(worker);
	}
}

/* Those that have something to do are told not to end it. */
static void end_workers(struct crew *crew)
{
	gint64 until_us = g_get_monotonic_time() + (gint64)END_MS * 1000;

	for (guint i = 0; i < crew->work->workers; i++) {
		struct worker *worker = &crew->workers[i];

		if (worker->pid > 0 && worker->tasks.length > 0)
			kill(worker->pid, SIGTERM);
		if (worker->pid > 0)
			shutdown(worker->fd, SHUT_WR);
	}
	for (guint i = 0; i < crew->work->workers; i++) {
		struct worker *worker = &crew->workers[i];
		bool busy = worker->tasks.length > 0;
		g_autofree char *why = NULL;

		if (worker->pid > 0) {
			await_worker(worker, until_us);
			why = reap_worker(worker);
			end_orphans();
		}
		/* All was done, and then it failed: a leak that a sanitizer has found, say. */
		if (why && !busy && !crew->end.broken)
			crew->end.broken = g_steal_pointer(&why);
		g_queue_clear(&worker->tasks);
		g_byte_array_unref(worker->input);
	}
}

/* ---- what workers say ---- */

static void hear_workers(void *ctx, int events)
{
	struct crew *crew = ctx;
	char bytes[4096];
	ssize_t got;

	(void)events;
	while ((got = read(crew->said[0], bytes, sizeof(bytes))) > 0)
		crew->work->said(crew->work->ctx, bytes, (size_t)got);
}

/* Where no pipe can be had they keep our standard error. */
static void listen_to_workers(struct crew *crew)
{
	if (!crew->work->said || pipe2(crew->said, O_CLOEXEC) < 0) {
		crew->said[0] = crew->said[1] = -1;
		return;
	}
	fcntl(crew->said[0], F_SETFL, O_NONBLOCK);
	crew->listens = loop_add_descriptor(crew->loop, crew->said[0], EPOLLIN, 0, hear_workers,
					    crew);
}

static void stop_listening(struct crew *crew)
{
	if (crew->said[0] < 0)
		return;
	hear_workers(crew, 0);
	if (crew->listens)
		loop_remove(crew->listens);
	close(crew->said[0]);
	close(crew->said[1]);
}

struct run_workers_end run_workers(const struct run_work *work)
{
	struct crew crew = { .work = work, .said = { -1, -1 } };
	int err = end_signals_catch();

	if (err < 0) {
		crew.end.broken = g_strdup_printf("cannot make a pipe: %s", g_strerror(-err));
		return crew.end;
	}
	world_programs_adopt();
	g_queue_init(&crew.order);
	g_queue_init(&crew.again);
	crew.workers = g_new0(struct worker, work->workers);
	for (guint i = 0; i < work->workers; i++)
		crew.workers[i] = (struct worker){ .crew = &crew, .input = g_byte_array_new() };
	crew.loop = loop_new();
	if (crew.loop && loop_add_descriptor(crew.loop, end_signals_fd(), EPOLLIN, 0, NULL, NULL)) {
		listen_to_workers(&crew);
		run_all(&crew);
	} else {
		crew.end.broken = g_strdup_printf("cannot wait for processes: %s",
						  g_strerror(errno));
	}
	end_workers(&crew);
	stop_listening(&crew);
	g_queue_clear(&crew.again);
	drop_results(&crew);
	g_free(crew.workers);
	loop_free(crew.loop);
	crew.end.signal = end_signals_caught();
	end_signals_restore();
	return crew.end;
}
