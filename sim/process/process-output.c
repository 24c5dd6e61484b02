/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs and what they print: see sim/process/process-output.h.
 */
#include "config.h"

#include "sim/process/process-output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "sim/process/process-loop.h"
#include "sim/process/process-reap.h"

/* One end of a pipe, and what has come out of it. */
struct outlet {
	int fd;			/* -1: there is none */
	GString *text;
	struct loop_source *hears;
};

struct run {
	struct outlet printed, errors;
	int status;
	bool has_ended;
};

/* ---- what it prints ---- */

/* Makes a pipe: the end that the program gets, or -errno. */
static int outlet_open(struct outlet *outlet)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	outlet->fd = ends[0];
	return ends[1];
}

/*
 * Takes what is there, but not what others write meanwhile: they may never stop. Where all have
 * closed it nothing is waited for any more.
 */
static void outlet_read(void *ctx, int events)
{
	struct outlet *outlet = ctx;
	int left = fcntl(outlet->fd, F_GETPIPE_SZ);
	char bytes[4096];
	ssize_t got = 1;

	(void)events;
	for (; got > 0 && left > 0; left -= (int)got) {
		got = read(outlet->fd, bytes, sizeof(bytes));
		if (got > 0)
			g_string_append_len(outlet->text, bytes,
					    MIN(got, OUTPUT_MAX - (gssize)outlet->text->len));
	}
	if (got > 0)
		return;
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	loop_remove(outlet->hears);
	outlet->hears = NULL;
}

static void outlet_close(struct outlet *outlet)
{
	if (outlet->fd >= 0)
		close(outlet->fd);
	outlet->fd = -1;
}

/* ---- its run ---- */

/* Nothing that it has printed comes later. */
static void end(void *ctx, int status)
{
	struct run *run = ctx;

	run->status = status;
	run->has_ended = true;
	outlet_read(&run->printed, 0);
	outlet_read(&run->errors, 0);
}

static bool hear(struct loop *loop, struct outlet *outlet)
{
	if (outlet->fd >= 0)
		outlet->hears = loop_add_descriptor(loop, outlet->fd, EPOLLIN, 0, outlet_read,
						    outlet);
	return outlet->fd < 0 || outlet->hears;
}

/* 0 or -errno; then the program has been ended. */
static int await(struct run *run, struct loop *loop, pid_t pid)
{
	int ret = 0;

	if (!hear(loop, &run->printed) || !hear(loop, &run->errors) ||
	    !loop_add_child(loop, pid, 1, end, run))
		ret = -errno;
	while ((ret >= 0 || ret == -EINTR) && !run->has_ended)
		ret = loop_step(loop, INT64_MAX);
	if (run->has_ended)
		return 0;
	reap_killed(pid);
	return ret;
}

/* The program, or -errno. */
static pid_t start(struct run *run, const struct spawn *spawn)
{
	struct spawn wanted = *spawn;
	struct spawn_failure failure = { SPAWN_DESCRIPTORS, 0 };
	pid_t pid = -1;

	wanted.output = outlet_open(&run->printed);
	if (spawn->errors == 0)
		wanted.errors = outlet_open(&run->errors);
	if (wanted.output < 0)
		failure.err = -wanted.output;
	else if (spawn->errors == 0 && wanted.errors < 0)
		failure.err = -wanted.errors;
	else
		pid = spawn_program(&wanted, &failure);
	if (wanted.output >= 0)
		close(wanted.output);
	if (spawn->errors == 0 && wanted.errors >= 0)
		close(wanted.errors);
	return pid < 0 ? -ABS(failure.err) : pid;
}

int output_take(const struct spawn *spawn, struct output *ret)
{
	struct run run = {
		.printed = { .fd = -1, .text = g_string_new(NULL) },
		.errors = { .fd = -1, .text = g_string_new(NULL) },
	};
	struct loop *loop = loop_new();
	int status = loop ? 0 : -errno;
	pid_t pid = 0;

	if (loop)
		status = pid = start(&run, spawn);
	if (pid > 0)
		status = await(&run, loop, pid);
	if (status == 0)
		status = run.status;
	loop_free(loop);
	outlet_close(&run.printed);
	outlet_close(&run.errors);
	if (status >= 0)
		*ret = (struct output){ g_string_free(run.printed.text, false),
					g_string_free(run.errors.text, false) };
	else {
		g_string_free(run.printed.text, true);
		g_string_free(run.errors.text, true);
	}
	return status;
}

void output_clear(struct output *output)
{
	g_free(output->printed);
	g_free(output->errors);
	*output = (struct output){ NULL, NULL };
}
