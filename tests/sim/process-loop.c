/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/process/process-loop.c: which sources are called, in which order, and that none is lost.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/monotonic.h"
#include "sim/process/process-loop.h"
#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"

enum { CHILDREN = 200 };

static struct loop *loop;
static GString *calls;

/* 'ctx': a letter. */
static void note(void *ctx, int value)
{
	(void)value;
	g_string_append_c(calls, (char)GPOINTER_TO_INT(ctx));
}

static void *letter(char c)
{
	return GINT_TO_POINTER(c);
}

static void begin(void)
{
	loop = loop_new();
	g_assert_nonnull(loop);
	calls = g_string_new(NULL);
}

static void end(void)
{
	loop_free(loop);
	g_string_free(calls, true);
}

static void block(int sig)
{
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, sig);
	pthread_sigmask(SIG_BLOCK, &only, NULL);
}

/* A child that has ended, with this status. */
static pid_t ended_child(int status)
{
	siginfo_t info;
	pid_t pid = spawn_fork_bare(NULL);

	if (pid == 0)
		_exit(status);
	g_assert_cmpint(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), ==, 0);
	return pid;
}

/* Steps until so many calls were made. */
static void step_until(gsize count)
{
	while (calls->len < count)
		g_assert_cmpint(loop_step(loop, INT64_MAX), >=, 0);
}

static void test_order(void)
{
	int fds[] = { eventfd(1, EFD_CLOEXEC), eventfd(1, EFD_CLOEXEC), eventfd(0, EFD_CLOEXEC) };
	struct loop_source *last;

	begin();
	block(SIGUSR1);
	kill(getpid(), SIGUSR1);
	g_assert_nonnull(loop_add_timer(loop, 0, 3, note, letter('f')));
	g_assert_nonnull(loop_add_descriptor(loop, fds[0], EPOLLIN, 2, note, letter('d')));
	g_assert_nonnull(loop_add_child(loop, ended_child(0), 1, note, letter('b')));
	last = loop_add_descriptor(loop, fds[1], EPOLLIN, 2, note, letter('e'));
	g_assert_nonnull(loop_add_signal(loop, SIGUSR1, 1, note, letter('c')));
	g_assert_nonnull(loop_add_timer(loop, 0, 0, note, letter('a')));
	g_assert_nonnull(loop_add_timer(loop, INT64_MAX, 0, note, letter('-')));
	g_assert_nonnull(loop_add_descriptor(loop, fds[2], EPOLLIN, 0, note, letter('-')));
	g_assert_cmpint(loop_step(loop, INT64_MAX), ==, 6);
	g_assert_cmpstr(calls->str, ==, "abcdef");
	/* Timers and the child are over; what is not read stays ready. */
	g_assert_cmpint(loop_step(loop, INT64_MAX), ==, 2);
	g_assert_cmpstr(calls->str, ==, "abcdefde");
	loop_set_events(last, 0);
	g_assert_cmpint(loop_step(loop, INT64_MAX), ==, 1);
	loop_set_events(last, EPOLLOUT);
	g_assert_cmpint(loop_step(loop, INT64_MAX), ==, 2);
	g_assert_cmpstr(calls->str, ==, "abcdefdedde");
	eventfd_write(fds[2], 1);
	loop_remove(last);
	g_assert_nonnull(loop_add_descriptor(loop, fds[1], EPOLLIN, 0, NULL, NULL));
	g_assert_cmpint(loop_step(loop, INT64_MAX), ==, 3);
	g_assert_cmpstr(calls->str, ==, "abcdefdedde-d");
	end();
	for (size_t i = 0; i < G_N_ELEMENTS(fds); i++)
		close(fds[i]);
}

/* ---- sources that change while others are called ---- */

static struct loop_source *victim;
static int added;

static void remove_and_add(void *ctx, int value)
{
	note(ctx, value);
	loop_remove(victim);
	loop_remove(victim);
	g_assert_nonnull(loop_add_descriptor(loop, added, EPOLLIN, 0, note, letter('n')));
}

static void test_changes(void)
{
	int fd = eventfd(1, EFD_CLOEXEC);
	struct loop_source *first;

	added = eventfd(1, EFD_CLOEXEC);
	begin();
	first = loop_add_timer(loop, 0, 1, remove_and_add, letter('r'));
	victim = loop_add_descriptor(loop, fd, EPOLLIN, 2, note, letter('-'));
	g_assert_cmpint(loop_step(loop, INT64_MAX), ==, 1);
	g_assert_cmpint(loop_step(loop, INT64_MAX), ==, 1);
	g_assert_cmpstr(calls->str, ==, "rn");
	loop_remove(first);
	loop_remove(NULL);
	end();
	close(fd);
	close(added);
}

/* ---- signals ---- */

static unsigned int again;

static void note_and_raise(void *ctx, int value)
{
	note(ctx, value);
	g_assert_cmpint(value, ==, SIGUSR1);
	if (again > 0 && again-- > 0)
		kill(getpid(), SIGUSR1);
}

/* One that comes while it is being called is another call; real-time signals are counted. */
static void test_signals(void)
{
	begin();
	block(SIGUSR1);
	block(SIGRTMIN);
	again = 100;
	kill(getpid(), SIGUSR1);
	for (int i = 0; i < 5; i++)
		sigqueue(getpid(), SIGRTMIN, (union sigval){ .sival_int = i });
	g_assert_nonnull(loop_add_signal(loop, SIGUSR1, 0, note_and_raise, letter('u')));
	g_assert_nonnull(loop_add_signal(loop, SIGRTMIN, 1, note, letter('r')));
	step_until(106);
	g_assert_cmpint(loop_step(loop, 0), ==, 0);
	for (gsize i = 0; i < calls->len; i++)
		g_assert_cmpint(calls->str[i], ==, i < 101 ? 'u' : 'r');
	end();
}

static void handle(int sig)
{
	(void)sig;
}

/* A handler ends the wait. */
static void test_interrupted(void)
{
	int ret;
	pid_t pid;

	begin();
	signal(SIGUSR2, handle);
	pid = spawn_fork_bare(NULL);
	for (;;) {
		if (pid > 0)
			break;
		g_usleep(1000);
		if (kill(getppid(), SIGUSR2) < 0)
			_exit(0);
	}
	do
		ret = loop_step(loop, INT64_MAX);
	while (ret >= 0);
	g_assert_cmpint(ret, ==, -EINTR);
	reap_killed(pid);
	signal(SIGUSR2, SIG_DFL);
	end();
}

/* ---- children ---- */

static void take_status(void *ctx, int value)
{
	g_assert_true(WIFEXITED(value));
	g_assert_cmpint(WEXITSTATUS(value), ==, GPOINTER_TO_INT(ctx));
	g_string_append_c(calls, 'c');
}

/* Half of them have ended before they are added, the others all at once. */
static void test_children(void)
{
	int ends[2];
	char byte;

	begin();
	g_assert_cmpint(pipe2(ends, O_CLOEXEC), ==, 0);
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = i % 2 ? ended_child(i) : spawn_fork_bare(NULL);

		if (pid == 0) {
			close(ends[1]);
			_exit(read(ends[0], &byte, 1) == 0 ? i : 255);
		}
		g_assert_nonnull(loop_add_child(loop, pid, i % 3, take_status, GINT_TO_POINTER(i)));
	}
	close(ends[1]);
	step_until(CHILDREN);
	g_assert_cmpint(loop_step(loop, 0), ==, 0);
	g_assert_cmpuint(calls->len, ==, CHILDREN);
	g_assert_cmpint(reap_any(&(int){ 0 }), ==, -ECHILD);
	close(ends[0]);
	end();
}

/* A child whose source is removed is its owner's to be waited for. */
static void test_child_removed(void)
{
	pid_t pid = ended_child(9);
	struct loop_source *source;

	begin();
	source = loop_add_child(loop, pid, 0, take_status, NULL);
	g_assert_nonnull(source);
	loop_remove(source);
	g_assert_cmpint(loop_step(loop, 0), ==, 0);
	g_assert_cmpint(WEXITSTATUS(reap(pid)), ==, 9);
	end();
}

/* ---- times and files ---- */

static void test_timer(void)
{
	enum { LATER_NS = 3000000 };
	int64_t at_ns = monotonic_ns() + LATER_NS;
	struct loop_source *timer;

	begin();
	timer = loop_add_timer(loop, INT64_MAX, 0, note, letter('t'));
	g_assert_cmpint(loop_step(loop, 0), ==, 0);
	loop_set_time(timer, at_ns);
	step_until(1);
	g_assert_cmpint(monotonic_ns(), >=, at_ns);
	at_ns = monotonic_ns() + LATER_NS;
	while (monotonic_ns() < at_ns)
		g_assert_cmpint(loop_step(loop, at_ns), ==, 0);
	g_assert_cmpstr(calls->str, ==, "t");
	end();
}

/* epoll(7) does not take it; poll(2) finds it ready. */
static void test_regular_file(void)
{
	int fd = memfd_create("file", MFD_CLOEXEC);
	struct loop_source *source;

	begin();
	source = loop_add_descriptor(loop, fd, EPOLLIN, 0, note, letter('f'));
	g_assert_nonnull(source);
	g_assert_cmpint(loop_step(loop, INT64_MAX), ==, 1);
	g_assert_cmpint(loop_step(loop, INT64_MAX), ==, 1);
	loop_remove(source);
	g_assert_cmpint(loop_step(loop, 0), ==, 0);
	errno = 0;
	g_assert_null(loop_add_descriptor(loop, -1, EPOLLIN, 0, note, NULL));
	g_assert_cmpint(errno, ==, EBADF);
	end();
	close(fd);
}

static unsigned int open_count(void)
{
	unsigned int count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

int main(int argc, char **argv)
{
	unsigned int before;
	int ret;

	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/process/loop/order", test_order);
	g_test_add_func("/process/loop/changes", test_changes);
	g_test_add_func("/process/loop/signals", test_signals);
	g_test_add_func("/process/loop/interrupted", test_interrupted);
	g_test_add_func("/process/loop/children", test_children);
	g_test_add_func("/process/loop/child-removed", test_child_removed);
	g_test_add_func("/process/loop/timer", test_timer);
	g_test_add_func("/process/loop/regular-file", test_regular_file);
	before = open_count();
	ret = g_test_run();
	g_assert_cmpuint(open_count(), ==, before);
	return ret;
}
