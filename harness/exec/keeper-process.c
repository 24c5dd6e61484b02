/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The keeper's own process: starts the program, and keeps an eye on all that comes of it.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <infiniband/umad.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/exec/descendants.h"
#include "harness/exec/exec.h"
#include "harness/exec/keeper.h"
#include "harness/exec/launch.h"
#include "lib/base/monotonic.h"

enum {
	LOOK_MS = 50,	/* how long what is being ended may go unseen */
};

/* How long what gets SIGTERM has until SIGKILL, and that has until the keeper gives up. */
static const int64_t grace_ns = INT64_C(2000000000);
static const int64_t kill_ns = INT64_C(5000000000);

enum phase {
	PHASE_RUNS,	/* the program does */
	PHASE_ENDS,	/* what is left has got SIGTERM */
	PHASE_KILLS,	/* what is left gets SIGKILL, until nothing is */
	PHASE_OVER,
};

struct process {
	const struct keeper_setup *setup;
	int children;		/* readable when one has ended; a signalfd */
	int launch;		/* to the program until it runs; -1 */
	pid_t program;		/* 0: it has ended */
	enum phase phase;
	int64_t phase_end_ns;
	GHashTable *told;	/* pids that got SIGTERM */
	struct keeper_watch watch;
};

static void report(const struct process *process, enum keeper_outcome outcome, int value)
{
	struct keeper_report report = { .outcome = outcome, .value = value };

	/* One that nobody takes is for nobody. */
	send(process->setup->link, &report, sizeof(report), MSG_NOSIGNAL);
}

/* ---- the start ---- */

/* The next of the order's texts; NULL: "". */
static const char *next_text(const char **at, const char *end)
{
	const char *text = *at;

	if (text == end)
		return NULL;
	*at += strlen(text) + 1;
	return *text ? text : NULL;
}

/* Launches the program as the order says. False: it is reported why not. */
static bool carry_out(struct process *process, const char *order, size_t size)
{
	const struct exec_job *job = process->setup->job;
	const char *end = order + size;
	const char *backend = next_text(&order, end), *directory = next_text(&order, end);
	const char *sysfs = next_text(&order, end);
	g_autoptr(GError) error = NULL;
	g_autofree char *library = exec_library_path((void *)umad_init, "libibumad", &error);
	g_auto(GStrv) env = library ? exec_environment(backend, directory, job->host, &error) :
				      NULL;
	struct exec_mounts *hidden = env ? exec_hidden_devices(library) : NULL;
	struct exec_mounts *shown = env && sysfs ? exec_shown_sysfs(sysfs) : NULL;
	struct launch launch = {
		.name = job->name, .path = process->setup->path, .argv = job->argv, .env = env,
		.hidden = hidden, .shown = shown, .mask = process->setup->mask,
		.child_action = process->setup->child_action,
	};

	if (!env) {
		command_error(job->name, error->code, "%s", error->message);
		report(process, KEEPER_REFUSED, 0);
		return false;
	}
	process->program = launch_program(&launch, &process->launch);
	exec_mounts_free(hidden);
	exec_mounts_free(shown);
	if (process->program > 0)
		return true;
	report(process, KEEPER_FAILED, -process->program);
	return false;
}

/* Waits for the order, and carries it out. False: there is nothing to keep. */
static bool begin(struct process *process)
{
	char order[KEEPER_ORDER_MAX + 1];
	ssize_t size;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_NAME, "umadrig-keeper");
	/* Without an order umadrig has said why. */
	size = recv(process->setup->link, order, sizeof(order) - 1, 0);
	if (size <= 0)
		return false;
	order[size] = '\0';
	return carry_out(process, order, (size_t)size);
}

/*
 * What the program inherited is not the keeper's to hold: whoever reads from a pipe waits for its
 * last writer. To be called before the keeper opens anything else. Where close_range(2) is missing
 * it is held for longer.
 */
static void close_inherited(const struct process *process)
{
	int kept[] = { process->setup->link, process->children, process->launch };

	for (unsigned int from = STDERR_FILENO + 1; ;) {
		unsigned int next = ~0U;

		for (size_t i = 0; i < G_N_ELEMENTS(kept); i++) {
			if (kept[i] >= 0 && (unsigned int)kept[i] >= from)
				next = MIN(next, (unsigned int)kept[i]);
		}
		if (next > from)
			close_range(from, next == ~0U ? next : next - 1, 0);
		if (next == ~0U)
			return;
		from = next + 1;
	}
}

/* ---- the end ---- */

static void enter_phase(struct process *process, enum phase phase, int64_t length_ns)
{
	process->phase = phase;
	process->phase_end_ns = monotonic_ns() + length_ns;
}

/* umadrig is gone, and the fabric with it. */
static void end_without_fabric(struct process *process)
{
	const struct exec_job *job = process->setup->job;

	fprintf(stderr, "%s: was killed, and the fabric with it: ends what runs on it\n",
		job->name);
	enter_phase(process, PHASE_ENDS, grace_ns);
}

/* What has to be done now and again while something is being ended. */
static void press(struct process *process)
{
	bool is_time = monotonic_ns() >= process->phase_end_ns;

	switch (process->phase) {
	case PHASE_RUNS:
	case PHASE_OVER:
		return;
	case PHASE_ENDS:
		descendants_terminate(process->told);
		if (is_time)
			enter_phase(process, PHASE_KILLS, kill_ns);
		return;
	case PHASE_KILLS:
		descendants_kill(NULL, 0, NULL);
		if (is_time)
			process->phase = PHASE_OVER;
		return;
	}
}

/* ---- the loop ---- */

/* Takes what the program says of its start. */
static void take_launch(struct process *process)
{
	int reason;
	ssize_t got;

	if (process->launch < 0)
		return;
	got = recv(process->launch, &reason, sizeof(reason), MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	close(process->launch);
	process->launch = -1;
	if (got < (ssize_t)sizeof(reason))
		return;
	report(process, reason == LAUNCH_REFUSED ? KEEPER_REFUSED : KEEPER_FAILED, reason);
	process->program = 0;
}

static void end_program(struct process *process, int status)
{
	take_launch(process);
	if (process->program == 0)
		return;
	process->program = 0;
	report(process, KEEPER_ENDED, status);
}

/* Waits for those that have ended. */
static void take_children(struct process *process)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;

	while (read(process->children, &info, sizeof(info)) > 0)
		continue;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == process->program)
			end_program(process, status);
	}
	if (pid < 0 && errno == ECHILD)
		process->phase = PHASE_OVER;
	/* The program has ended; what it left behind runs on. */
	if (process->phase == PHASE_RUNS && process->program == 0)
		process->phase = PHASE_OVER;
}

/* A signal for the program; or umadrig has gone. */
static void take_link(struct process *process)
{
	int sig;
	ssize_t got = recv(process->setup->link, &sig, sizeof(sig), MSG_DONTWAIT);

	if (got == sizeof(sig) && process->program > 0)
		kill(process->program, sig);
	if (got == 0 && process->phase == PHASE_RUNS)
		end_without_fabric(process);
}

static void keep(struct process *process)
{
	close_inherited(process);
	while (process->phase != PHASE_OVER) {
		bool is_gone = process->phase == PHASE_ENDS || process->phase == PHASE_KILLS;
		struct pollfd fds[] = {
			{ .fd = is_gone ? -1 : process->setup->link, .events = POLLIN },
			{ .fd = process->launch, .events = POLLIN },
			{ .fd = process->children, .events = POLLIN },
			{ .fd = process->watch.fd, .events = POLLIN },
		};

		press(process);
		poll(fds, G_N_ELEMENTS(fds), is_gone ? LOOK_MS : -1);
		if (fds[3].revents)
			process->watch.ready(process->watch.ctx);
		if (fds[1].revents)
			take_launch(process);
		if (fds[0].revents)
			take_link(process);
		if (fds[2].revents)
			take_children(process);
	}
}

void keeper_process(const struct keeper_setup *setup)
{
	struct process process = {
		.setup = setup, .children = -1, .launch = -1, .watch.fd = -1,
		.told = g_hash_table_new(NULL, NULL),
	};
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	process.children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	if (process.children < 0)
		report(&process, KEEPER_FAILED, errno);
	else if (begin(&process))
		keep(&process);
	fflush(NULL);
	_exit(0);
}
