/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "tests/rig/filter-below.h"

#include <glib.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/filter/seccomp-filter.h"

struct filter_below_shared *filter_below_shared;

static void become_program(const struct filter_below *below, const struct seccomp_filter *filter,
			   int socket) G_GNUC_NORETURN;

static void become_program(const struct filter_below *below, const struct seccomp_filter *filter,
			   int socket)
{
	/* If the test fails, its program does not wait for answers for ever. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (seccomp_filter_install(filter, socket) < 0)
		_exit(2);
	close(socket);
	/* No exit status has room for it. */
	filter_below_shared->failed_line = below->run();
	_exit(filter_below_shared->failed_line ? 1 : 0);
}

static void become_parent(const struct filter_below *below, const struct seccomp_filter *filter,
			  int socket) G_GNUC_NORETURN;

/*
 * Before Linux 6.11 a filter is in use, and its listener open, until its program is waited for. The
 * supervisor's process, which traces it at times, would take its stops for its own.
 */
static void become_parent(const struct filter_below *below, const struct seccomp_filter *filter,
			  int socket)
{
	int status;
	pid_t pid;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pid = fork();
	if (pid == 0)
		become_program(below, filter, socket);
	close(socket);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		_exit(3);
	_exit(WEXITSTATUS(status));
}

/* The process of the program's parent, and what its supervisor starts with. */
static pid_t start_program(const struct filter_below *below, struct supervisor_start *ret)
{
	struct seccomp_filter *filter = seccomp_filter_new(below->table, FILTER_BELOW_FIRST);
	int ends[2];
	pid_t pid;

	*ret = (struct supervisor_start){
		.table = below->table,
		.first_number = FILTER_BELOW_FIRST, .end_number = FILTER_BELOW_END,
	};
	if (below->waits_interruptibly)
		seccomp_filter_wait_interruptibly(filter);
	g_assert_cmpint(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), ==, 0);
	pid = fork();
	g_assert_cmpint(pid, >=, 0);
	if (pid == 0)
		become_parent(below, filter, ends[1]);
	close(ends[1]);
	ret->listener = seccomp_filter_receive(ends[0], &ret->waits_killable);
	close(ends[0]);
	g_assert_cmpint(ret->listener, >=, 0);
	if (below->waits_interruptibly)
		g_assert_false(ret->waits_killable);
	seccomp_filter_free(filter);
	return pid;
}

void filter_below_run(const struct filter_below *below)
{
	struct supervisor_start start;
	struct supervisor *supervisor;
	int status;
	pid_t pid;

	if (!filter_below_shared)
		filter_below_shared = mmap(NULL, sizeof(*filter_below_shared),
					   PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
					   0);
	g_assert_true(filter_below_shared != MAP_FAILED);
	*filter_below_shared = (struct filter_below_shared){ 0 };
	pid = start_program(below, &start);
	supervisor = supervisor_new(&start);
	g_assert_nonnull(supervisor);
	if (below->begin)
		below->begin(supervisor);
	while (!supervisor_is_finished(supervisor)) {
		if (below->step)
			below->step(supervisor);
		else
			supervisor_step(supervisor, -1);
	}
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	g_assert_cmpint(filter_below_shared->failed_line, ==, 0);
	g_assert_cmpint(status, ==, 0);
	if (below->end)
		below->end(supervisor);
	supervisor_free(supervisor);
}
