/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig's side of the keeper: see harness/exec/keeper.h.
 */
#include "config.h"

#include <errno.h>
#include <glib.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/exec/exec.h"
#include "harness/exec/keeper.h"
#include "harness/exec/passed-signals.h"
#include "lib/base/monotonic.h"
#include "sim/process/descendants.h"
#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"

/* ---- signals ---- */

static volatile sig_atomic_t link_fd = -1;
static void (*before_passing)(void);

/* Where the socket is full there are many signals, and the kernel itself makes one of those. */
static void pass_on(int sig)
{
	int before = errno;

	if (before_passing)
		before_passing();
	if (link_fd >= 0)
		send((int)link_fd, &sig, sizeof(sig), MSG_DONTWAIT | MSG_NOSIGNAL);
	errno = before;
}

/* ---- its life ---- */

int keeper_start(struct keeper *keeper, const struct exec_job *job, const struct exec_means *means,
		 const char *path)
{
	struct keeper_setup setup = {
		.job = job, .means = means, .path = path, .parent = getpid(), .group = getpgrp(),
	};
	struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t all;
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	/* Whoever ignores it gets no status of his children. */
	sigaction(SIGCHLD, &usual, &setup.child_action);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, NULL, &setup.mask);
	passed_signals_mask(&setup.mask);
	setup.link = ends[1];
	/* A kill of umadrig's whole group, as timeout(1) has it, is not to end this one. */
	pid = spawn_fork(&(struct spawn){ .mask = &all, .leads = SPAWN_LEADS_GROUP });
	if (pid == 0) {
		close(ends[0]);
		keeper_process(&setup);
	}
	close(ends[1]);
	keeper->job = job;
	keeper->link = ends[0];
	keeper->pid = MAX(pid, 0);
	if (pid > 0)
		return 0;
	keeper_end(keeper);
	return pid;
}

int keeper_order(struct keeper *keeper, const struct keeper_order *order)
{
	const char *texts[] = { order->backend, order->lockstep, order->sysfs, order->host,
				order->sm_cache, order->has_attendant ? "yes" : NULL,
				order->in_guest ? "yes" : NULL };
	g_autoptr(GString) bytes = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		g_string_append_len(bytes, texts[i] ? texts[i] : "",
				    texts[i] ? (gssize)strlen(texts[i]) + 1 : 1);
	if (bytes->len > KEEPER_ORDER_MAX)
		return -ENAMETOOLONG;
	return send(keeper->link, bytes->str, bytes->len, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

void keeper_pass_signals(struct keeper *keeper, void (*first)(void))
{
	link_fd = keeper->link;
	before_passing = first;
	passed_signals_set(pass_on);
	passed_signals_release();
}

void keeper_stop(struct keeper *keeper)
{
	static const int stop;

	/* One that has gone has ended everything. */
	send(keeper->link, &stop, sizeof(stop), MSG_NOSIGNAL);
}

/* ---- its end ---- */

/* Kills what has come to be below this process instead. */
static void end_left(const struct keeper *keeper, int status, const pid_t *except,
		     size_t except_count)
{
	enum { WAIT_NS = 900000000, PAUSE_US = 5000 };
	int64_t until_ns = monotonic_ns() + WAIT_NS;

	while (descendants_kill(except, except_count, NULL) > 0 && monotonic_ns() < until_ns)
		g_usleep(PAUSE_US);
	fprintf(stderr, "%s: the process %d, which looked after '%s', was killed by signal %d: "
		"killed what it left running\n", keeper->job->name, (int)keeper->pid,
		keeper->job->argv[0], WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

/* Waits for a report. If the server ends first, the keeper is told that the fabric is gone. */
static void wait_with_server(struct keeper *keeper)
{
	struct pollfd fds[] = {
		{ .fd = keeper->link, .events = POLLIN },
		{ .fd = keeper->server, .events = POLLRDHUP },
	};

	while (keeper->server > 0 && !fds[0].revents) {
		if (poll(fds, G_N_ELEMENTS(fds), -1) < 0 || !fds[1].revents)
			continue;
		shutdown(keeper->link, SHUT_WR);
		keeper->server = 0;
	}
}

enum keeper_news keeper_next(struct keeper *keeper, const pid_t *except, size_t except_count,
			     int *ret_value)
{
	struct keeper_report report;
	ssize_t got;
	int status;

	wait_with_server(keeper);
	/* A signal that it had not read when it ended is ECONNRESET, ahead of its last word. */
	do
		got = recv(keeper->link, &report, sizeof(report), 0);
	while (got < 0 && (errno == EINTR || errno == ECONNRESET));
	if (got == sizeof(report)) {
		*ret_value = report.value;
		return report.news;
	}
	if (link_fd == keeper->link)
		link_fd = -1;
	status = reap(keeper->pid);
	status = MAX(status, 0);
	if (status != 0)
		end_left(keeper, status, except, except_count);
	keeper->pid = 0;
	keeper_end(keeper);
	return status == 0 ? KEEPER_OVER : KEEPER_LOST;
}

void keeper_end(struct keeper *keeper)
{
	if (keeper->link >= 0) {
		/* Instead of an order, if there was none. */
		keeper_stop(keeper);
		/* The near end of a bridge has a copy. */
		shutdown(keeper->link, SHUT_RDWR);
		close(keeper->link);
	}
	if (keeper->pid > 0)
		reap(keeper->pid);
	*keeper = (struct keeper){ .link = -1 };
}
