/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Failing allocations: see harness/cmd/run-allocations.h.
 *
 * A process whose kernel has gone wrong is good for nothing more, so each run has its own. What it
 * knows is in memory that both share: there is something even of one that has crashed.
 */
#include "config.h"

#include "harness/cmd/run-allocations.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/script/run/cancel.h"
#include "kmod-stub/event.h"
#include "kmod-stub/linux/kernel-file.h"
#include "lib/base/monotonic.h"
#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"

enum {
	PLACE_SIZE = 160,
	FAULTS_SIZE = 4096,
	SAID_MAX = 1 << 18,	/* what is kept of what a process prints */
	DETAILS_MAX = 16384,
};

/* What a process knows. */
struct trial {
	bool is_over;			/* the point has been run */
	unsigned long count;		/* how many allocations it had then */
	char place[PLACE_SIZE];		/* of the one that has failed; "": none has */
	char faults[FAULTS_SIZE];	/* what the kernel's checks have found; "": nothing */
};

/* ---- the process ---- */

static void run_trial(const struct run_options *options, const struct run_try *try,
		      unsigned long number, struct trial *trial)
{
	const struct kernel_file *file = options->kernel->file;
	g_autofree char *faults = NULL;
	struct outcome outcome;

	file->fail_allocation(number, trial->place, sizeof(trial->place));
	run_point_faults(options, try, &outcome, &faults);
	outcome_clear(&outcome);
	trial->count = file->count_allocations();
	g_strlcpy(trial->faults, faults ? faults : "", sizeof(trial->faults));
	trial->is_over = true;
}

/* What it prints goes to 'output'. Its number, or -errno. */
static pid_t start_trial(const struct run_options *options, const struct run_try *try,
			 unsigned long number, struct trial *trial, int output)
{
	static const struct spawn spawn = { .dies_with = SIGKILL };
	pid_t pid = spawn_fork(&spawn);

	if (pid != 0)
		return pid;
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	close(output);
	run_trial(options, try, number, trial);
	/* What counts which lines are run writes its counts now. */
	exit(EXIT_SUCCESS);
}

/* ---- its parent ---- */

/* Reads until the process has ended, which holds the other end. False: it has not in time. */
static bool read_said(int fd, int64_t limit_ns, GString *said)
{
	int64_t end_ns = monotonic_ns() + limit_ns;
	char buffer[4096];

	for (;;) {
		struct pollfd wait = { .fd = fd, .events = POLLIN };
		int64_t left_ns = end_ns - monotonic_ns();
		ssize_t size;

		if (left_ns <= 0 || run_is_cancelled())
			return false;
		if (poll(&wait, 1, (int)MIN(left_ns / 1000000 + 1, 1000)) <= 0)
			continue;
		size = read(fd, buffer, sizeof(buffer));
		if (size == 0)
			return true;
		if (size > 0 && said->len < SAID_MAX)
			g_string_append_len(said, buffer, size);
	}
}

/* The line of 'said' that has 'what', from there on; the last one, or NULL. To be freed. */
static char *find_line(const char *said, const char *what)
{
	const char *at = g_strrstr(said, what);

	return at ? g_strndup(at, strcspn(at, "\n")) : NULL;
}

/* What a process that ended by itself has said of why. */
static char *last_words(const char *said)
{
	static const char *const whats[] = { "SUMMARY: ", "runtime error: ", "umadrig: kernel: " };
	char *words = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(whats) && !words; i++)
		words = find_line(said, whats[i]);
	return words ? words : g_strdup("a kernel that is built with --sanitize says where");
}

/* Why the kernel has gone wrong, or NULL; to be freed. */
static char *judge(const struct trial *trial, int status, bool in_time, const char *said)
{
	g_autofree char *words = NULL;

	if (!in_time)
		return g_strdup("it hangs");
	if (status == 0 && trial->is_over)
		return *trial->faults ? g_strndup(trial->faults, strcspn(trial->faults, "\n")) :
		       NULL;
	words = last_words(said);
	if (WIFSIGNALED(status))
		return g_strdup_printf("it crashes by signal %d (%s): %s", WTERMSIG(status),
				       g_strsignal(WTERMSIG(status)), words);
	return g_strdup_printf("it ends with status %d: %s", WEXITSTATUS(status), words);
}

/* All that is known of one that went wrong. */
static void note(const struct trial *trial, guint64 number, const char *why, const char *said,
		 struct run_allocations *ret)
{
	g_autofree char *line = g_strdup_printf("allocation %" G_GUINT64_FORMAT " has failed (%s), "
						"and then the kernel: %s", number,
						*trial->place ? trial->place : "none has", why);
	const char *rest = strchr(trial->faults, '\n');

	if (ret->first_bad == 0) {
		ret->first_bad = number;
		ret->message = g_strdup(line);
	}
	if (ret->details->len > DETAILS_MAX)
		return;
	/* The first is the message. */
	if (ret->first_bad != number)
		g_string_append_printf(ret->details, "%s\n", line);
	if (rest && trial->is_over)
		g_string_append(ret->details, rest + 1);
	else if (ret->first_bad == number)
		g_string_append(ret->details, said);
}

/* 1: the allocation has failed; 0: there are fewer; -errno: there is no process. */
static int try_number(const struct run_options *options, const struct run_try *try, guint64 number,
		      struct trial *trial, struct run_allocations *ret)
{
	int64_t limit_ns = options->timeout_ns > 0 ? options->timeout_ns :
			   RUN_ALLOCATIONS_LIMIT_S * NS_PER_S;
	g_autoptr(GString) said = g_string_new(NULL);
	g_autofree char *why = NULL;
	int fds[2], status;
	bool in_time;
	pid_t pid;

	memset(trial, 0, sizeof(*trial));
	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	pid = start_trial(options, try, (unsigned long)number, trial, fds[1]);
	close(fds[1]);
	in_time = pid > 0 && read_said(fds[0], limit_ns, said);
	close(fds[0]);
	if (pid < 0)
		return pid;
	status = in_time ? reap(pid) : reap_killed(pid);
	if (run_is_cancelled())
		return -EINTR;
	why = judge(trial, status, in_time, said->str);
	if (why)
		note(trial, number, why, said->str, ret);
	return *trial->place != '\0';
}

void run_allocations(const struct run_options *options, const struct run_try *try,
		     struct run_allocations *ret)
{
	guint64 number = options->failing_allocation ? options->failing_allocation : 1;
	struct trial *trial = mmap(NULL, sizeof(*trial), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int more = trial == MAP_FAILED ? -errno : 1;

	*ret = (struct run_allocations){ .details = g_string_new(NULL) };
	while (more > 0) {
		more = try_number(options, try, number, trial, ret);
		if (more > 0) {
			ret->count++;
			ret->last = number;
		}
		if (options->failing_allocation)
			break;
		number += number < RUN_ALLOCATIONS_ALL ? 1 : number / RUN_ALLOCATIONS_STEPS;
	}
	if (more < 0 && more != -EINTR && ret->first_bad == 0) {
		ret->first_bad = number;
		ret->message = g_strdup_printf("allocation %" G_GUINT64_FORMAT " was not tried: "
					       "cannot start a process: %s", number,
					       g_strerror(-more));
	}
	if (trial != MAP_FAILED)
		munmap(trial, sizeof(*trial));
}

void run_allocations_clear(struct run_allocations *allocations)
{
	g_free(allocations->message);
	g_string_free(allocations->details, true);
}
