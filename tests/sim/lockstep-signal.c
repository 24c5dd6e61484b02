/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A server in virtual time sends signals for programs that may not send them themselves: to the
 * programs of its session, whatever the table says, which they can write.
 */
#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/attach/protocol.h"
#include "lib/lockstep/table.h"
#include "sim/server/lockstep.h"

static struct server_lockstep *lockstep;
static char *directory;

static void make(void)
{
	const struct lockstep_wishes wishes = { .audit = LOCKSTEP_NO_AUDIT };
	char message[256] = "";

	directory = g_dir_make_tmp("umadrig-test-XXXXXX", NULL);
	lockstep = server_lockstep_new(directory, &wishes, 1, message, sizeof(message));
	if (!lockstep)
		g_error("%s", message);
}

static void unmake(void)
{
	g_unlink(server_lockstep_path(lockstep));
	server_lockstep_free(lockstep);
	g_rmdir(directory);
	g_free(directory);
}

/* The table says that process 'pid' is a program; a client asks for SIGTERM to it. */
static int ask_for_signal(pid_t pid)
{
	struct lockstep_table *table = server_lockstep_map(lockstep);
	const siginfo_t info = { .si_code = SI_USER };
	struct attach_signal signal = { .pid = pid };

	memcpy(signal.info, &info, sizeof(info));
	table->slot[0].pid = pid;
	table->slot[0].state = LOCKSTEP_RUNNABLE;
	table->count = 1;
	return server_lockstep_signal(lockstep, SIGTERM, &signal);
}

static void test_server_itself(void)
{
	g_assert_cmpint(ask_for_signal(getpid()), ==, -ESRCH);
	g_assert_cmpint(ask_for_signal(getppid()), ==, -ESRCH);
	g_assert_cmpint(ask_for_signal(1), ==, -ESRCH);
}

/* 0: it has been ended by the signal. */
static int status_after(pid_t child, int expected)
{
	int status;

	g_assert_cmpint(ask_for_signal(child), ==, expected);
	kill(child, SIGKILL);
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM ? 0 : status;
}

/* It has the table. */
static void test_program(void)
{
	char byte;
	pid_t child;
	int ends[2];

	/* Until fork() has returned there, glibc 2.41 has all signals blocked. */
	g_assert_cmpint(pipe(ends), ==, 0);
	child = fork();
	if (child == 0) {
		close(ends[0]);
		close(ends[1]);
		for (;;)
			pause();
	}
	close(ends[1]);
	g_assert_cmpint(read(ends[0], &byte, 1), ==, 0);
	close(ends[0]);
	g_assert_cmpint(status_after(child, 0), ==, 0);
}

/* What the server has started besides, as a keeper. */
static void test_other_child(void)
{
	char byte;
	pid_t child;
	int ends[2];

	/* The pipe is at its end when the other program has begun. */
	g_assert_cmpint(pipe(ends), ==, 0);
	child = fork();
	if (child == 0) {
		dup2(ends[1], 9);
		close(ends[0]);
		close(ends[1]);
		execlp("sh", "sh", "-c", "exec 9>&-; exec sleep 100", NULL);
		_exit(1);
	}
	close(ends[1]);
	g_assert_cmpint(read(ends[0], &byte, 1), ==, 0);
	close(ends[0]);
	g_assert_cmpint(status_after(child, -ESRCH), !=, 0);
}

int main(int argc, char **argv)
{
	int ret;

	g_test_init(&argc, &argv, NULL);
	/* A server that takes it ends the test at once. */
	make();
	g_test_add_func("/lockstep-signal/server-itself", test_server_itself);
	g_test_add_func("/lockstep-signal/program", test_program);
	g_test_add_func("/lockstep-signal/other-child", test_other_child);
	ret = g_test_run();
	unmake();
	return ret;
}
