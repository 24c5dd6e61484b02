/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/process/process-spawn.c and process-reap.c: what a new process inherits, why it does not
 * start, and that each is waited for.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/words/number.h"
#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"

enum { CHILDREN = 200 };

static char *self, *work;

/* ---- the program: says what it has ---- */

static void say_line(const char *name)
{
	g_autofree char *text = NULL, *from = g_strconcat("\n", name, ":\t", NULL);
	const char *at;

	g_assert_true(g_file_get_contents("/proc/self/status", &text, NULL, NULL));
	at = strstr(text, from) + strlen(from);
	g_print("%s %.*s\n", name, (int)strcspn(at, "\n"), at);
}

static int say(void)
{
	g_autofree char *here = g_get_current_dir();

	g_print("open");
	for (int fd = 0; fd < 64; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			g_print(" %d", fd);
	}
	g_print("\n");
	say_line("SigBlk");
	say_line("SigIgn");
	g_print("group %s session %s\n", getpgrp() == getpid() ? "own" : "inherited",
		getsid(0) == getpid() ? "own" : "inherited");
	g_print("directory %s variable %s\n", here, g_getenv("VARIABLE"));
	g_printerr("errors\n");
	return 0;
}

/* ---- what is inherited ---- */

static char *content(int fd)
{
	char text[4096] = "";

	g_assert_cmpint(pread(fd, text, sizeof(text) - 1, 0), >=, 0);
	return g_strdup(text);
}

/* What it says, and how many errors it had (which go to where its output goes). */
static char *said(struct spawn *spawn)
{
	char *argv[] = { self, (char *)"say", NULL };
	int out = memfd_create("out", MFD_CLOEXEC);
	struct spawn_failure failure;
	char *text;
	pid_t pid;

	fcntl(out, F_SETFL, O_APPEND);
	spawn->argv = argv;
	spawn->output = spawn->errors = out;
	pid = spawn_program(spawn, &failure);
	g_assert_cmpint(pid, >, 0);
	g_assert_cmpint(reap(pid), ==, 0);
	text = content(out);
	close(out);
	return text;
}

static int note_prepared(void *ctx)
{
	(void)ctx;
	return signal(SIGWINCH, SIG_IGN) == SIG_ERR;
}

/* The signals that this process ignores, a bit each, without 'sig': its parent chose them. */
static uint64_t ignored_but(int sig)
{
	g_autofree char *text = NULL;
	uint64_t ignored;
	const char *at;

	g_assert_true(g_file_get_contents("/proc/self/status", &text, NULL, NULL));
	at = strstr(text, "\nSigIgn:\t") + strlen("\nSigIgn:\t");
	g_assert_cmpint(number_take(&at, 16, UINT64_MAX, &ignored), ==, 0);
	return ignored & ~(UINT64_C(1) << (sig - 1));
}

static void test_inherited(void)
{
	char *environment[] = { (char *)"VARIABLE=other", NULL };
	const int ignored[] = { SIGUSR2, 0 }, usual[] = { SIGHUP, 0 };
	int open_here = open("/dev/null", O_RDONLY);	/* exec would not close it */
	g_autofree char *here = g_get_current_dir();
	struct spawn spawn = { .input = SPAWN_NULL };
	g_autofree char *as_here = NULL, *other = NULL, *expected = NULL, *expected_other = NULL;
	uint64_t before = ignored_but(SIGHUP);
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	signal(SIGHUP, SIG_IGN);
	as_here = said(&spawn);
	expected = g_strdup_printf("open 0 1 2\nSigBlk 0000000000000200\nSigIgn %016" PRIx64 "\n"
				   "group inherited session inherited\n"
				   "directory %s variable here\nerrors\n", before | 1, here);
	g_assert_cmpstr(as_here, ==, expected);

	sigemptyset(&mask);
	sigaddset(&mask, SIGTERM);
	spawn = (struct spawn){
		.mask = &mask, .ignored = ignored, .usual = usual, .leads = SPAWN_LEADS_GROUP,
		.directory = "/", .environment = environment, .prepare = note_prepared,
	};
	other = said(&spawn);
	expected_other = g_strdup_printf(
		"open 0 1 2\nSigBlk 0000000000004000\nSigIgn %016" PRIx64 "\n"
		"group own session inherited\ndirectory / variable other\nerrors\n",
		before | 1U << (SIGUSR2 - 1) | 1U << (SIGWINCH - 1));
	g_assert_cmpstr(other, ==, expected_other);
	close(open_here);
	signal(SIGHUP, SIG_DFL);
	sigemptyset(&mask);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static void test_keeps_open(void)
{
	int kept = fcntl(STDIN_FILENO, F_DUPFD, 40);
	int closed = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 50);
	struct spawn spawn = { .leads = SPAWN_LEADS_SESSION, .keeps_open = true };
	g_autofree char *text = said(&spawn);

	g_assert_true(strstr(text, " 40") && !strstr(text, " 50"));
	g_assert_nonnull(strstr(text, "group own session own\n"));
	close(kept);
	close(closed);
}

/* Output and errors change places: neither is lost to the other. */
static void test_crossed(void)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)"echo out; echo err >&2", NULL };
	int out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC);
	struct spawn spawn = { .argv = argv, .output = 2, .errors = 1 };
	g_autofree char *printed = NULL, *errors = NULL;
	struct spawn_failure failure;
	int before[] = { dup(1), dup(2) };
	pid_t pid;

	dup2(out, 1);
	dup2(err, 2);
	pid = spawn_program(&spawn, &failure);
	dup2(before[0], 1);
	dup2(before[1], 2);
	g_assert_cmpint(reap(pid), ==, 0);
	printed = content(err);
	errors = content(out);
	g_assert_cmpstr(printed, ==, "out\n");
	g_assert_cmpstr(errors, ==, "err\n");
	for (int i = 0; i < 2; i++)
		close(before[i]);
	close(out);
	close(err);
}

/* execvp(3) runs a file without #! with the shell. */
static void test_plain_script(void)
{
	g_autofree char *path = g_build_filename(work, "plain", NULL);
	char *argv[] = { path, NULL };
	struct spawn spawn = { .argv = argv };
	struct spawn_failure failure;

	g_assert_true(g_file_set_contents(path, "exit 7\n", -1, NULL));
	g_chmod(path, 0755);
	g_assert_cmpint(WEXITSTATUS(reap(spawn_program(&spawn, &failure))), ==, 7);
}

/* ---- why it does not start ---- */

static unsigned int open_count(void)
{
	unsigned int count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static int refuse(void *ctx)
{
	(void)ctx;
	return -42;
}

static void test_failures(void)
{
	g_autofree char *plain = g_build_filename(work, "not-executable", NULL);
	g_autofree char *large = g_strnfill(4 << 20, 'x');
	char *absent[] = { (char *)"umadrig-no-such-program", NULL };
	char *file[] = { plain, NULL }, *exe[] = { self, (char *)"say", NULL };
	char *long_line[] = { self, large, NULL };
	const struct {
		struct spawn spawn;
		struct spawn_failure failure;
	} rows[] = {
		{ { .argv = absent }, { SPAWN_EXEC, ENOENT } },
		{ { .argv = exe, .path = "./none" }, { SPAWN_EXEC, ENOENT } },
		{ { .argv = file }, { SPAWN_EXEC, EACCES } },
		{ { .argv = exe, .path = work }, { SPAWN_EXEC, EACCES } },
		{ { .argv = long_line }, { SPAWN_EXEC, E2BIG } },
		{ { .argv = exe, .directory = "/no/such" }, { SPAWN_DIRECTORY, ENOENT } },
		{ { .argv = exe, .directory = plain }, { SPAWN_DIRECTORY, ENOTDIR } },
		{ { .argv = exe, .output = 1000 }, { SPAWN_DESCRIPTORS, EBADF } },
		{ { .argv = exe, .prepare = refuse }, { SPAWN_PREPARE, -42 } },
	};
	unsigned int before = open_count();

	/* One of root's that this user may not search would be EACCES. */
	g_setenv("PATH", "/usr/bin:/bin", true);
	g_assert_true(g_file_set_contents(plain, "#!/bin/sh\n", -1, NULL));
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct spawn_failure failure = { SPAWN_FORK, 0 };

		g_assert_cmpint(spawn_program(&rows[i].spawn, &failure), ==, -1);
		g_assert_cmpint(failure.at, ==, rows[i].failure.at);
		g_assert_cmpint(failure.err, ==, rows[i].failure.err);
		g_assert_cmpint(waitpid(-1, NULL, WNOHANG), ==, -1);
		g_assert_cmpint(errno, ==, ECHILD);
	}
	g_assert_cmpuint(open_count(), ==, before);
}

/* A report that is not there yet, and one of a process that was killed on its way. */
static int wait_in_vain(void *ctx)
{
	(void)ctx;
	for (;;)
		pause();
	return 0;
}

static void test_report(void)
{
	char *argv[] = { self, (char *)"say", NULL };
	struct spawn spawn = { .argv = argv, .prepare = wait_in_vain };
	struct spawn_failure failure;
	int report;
	pid_t pid = spawn_begin(&spawn, &report);

	g_assert_cmpint(pid, >, 0);
	g_assert_cmpint(spawn_take_report(report, &failure), ==, -EAGAIN);
	g_assert_cmpint(WTERMSIG(reap_killed(pid)), ==, SIGKILL);
	g_assert_cmpint(spawn_take_report(report, &failure), ==, 0);
	close(report);
}

/* ---- forks ---- */

static void test_close_others(void)
{
	int ends[2], kept = fcntl(STDIN_FILENO, F_DUPFD, 60);
	unsigned int count = 0;
	pid_t pid;

	g_assert_cmpint(pipe(ends), ==, 0);
	pid = spawn_fork_bare(NULL);
	if (pid == 0) {
		spawn_close_others((const int []){ kept, -1, ends[1] }, 3);
		count = open_count();
		if (write(ends[1], &count, sizeof(count)) < 0 || fcntl(kept, F_GETFD) < 0)
			_exit(1);
		_exit(0);
	}
	g_assert_cmpint(reap(pid), ==, 0);
	g_assert_cmpint(read(ends[0], &count, sizeof(count)), ==, sizeof(count));
	g_assert_cmpuint(count, ==, 2);
	close(ends[0]);
	close(ends[1]);
	close(kept);
}

/* No handler of ours runs in the new process before it has its own. */
static volatile sig_atomic_t handled;

static void handle(int sig)
{
	handled = sig;
}

static void test_handlers(void)
{
	const struct spawn usual = { .usual = (const int []){ SIGUSR1, 0 },
				     .leads = SPAWN_LEADS_GROUP };
	pid_t pid;

	signal(SIGUSR1, handle);
	pid = spawn_fork(&usual);
	if (pid == 0) {
		while (!handled)
			pause();
		_exit(1);
	}
	kill(-pid, SIGUSR1);
	g_assert_cmpint(WTERMSIG(reap(pid)), ==, SIGUSR1);
	g_assert_cmpint(handled, ==, 0);
	signal(SIGUSR1, SIG_DFL);
}

/* It ends with the process that made it. */
static void test_dies_with(void)
{
	const struct spawn dies = { .dies_with = SIGTERM };
	pid_t pid = spawn_fork_bare(NULL);
	int status, ends[2];

	g_assert_cmpint(pid, >=, 0);
	if (pid == 0) {
		if (pipe(ends) < 0)
			_exit(1);
		if (spawn_fork_bare(&dies) == 0) {
			if (write(ends[1], "", 1) == 1)
				pause();
			_exit(1);
		}
		_exit(read(ends[0], &status, 1) != 1);
	}
	g_assert_cmpint(reap(pid), ==, 0);
	/* It is this process's now. */
	g_assert_cmpint(waitpid(-1, &status, 0), >, 0);
	g_assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

/* ---- their end ---- */

static void test_reap(void)
{
	int status = 0, ends[2];
	char byte;
	pid_t pid;

	g_assert_cmpint(reap(getpid()), ==, -ECHILD);
	g_assert_cmpint(reap_killed(0), ==, -ECHILD);
	g_assert_true(reap_ended(getpid(), &status));
	g_assert_cmpint(status, ==, -ECHILD);
	g_assert_cmpint(reap_any(&status), ==, -ECHILD);
	g_assert_cmpint(pipe(ends), ==, 0);
	pid = spawn_fork_bare(NULL);
	if (pid == 0) {
		close(ends[1]);
		_exit(read(ends[0], &byte, 1) == 0 ? 5 : 1);
	}
	g_assert_false(reap_ended(pid, &status));
	g_assert_false(reap_can(pid));
	g_assert_cmpint(reap_any(&status), ==, 0);
	g_assert_false(reap_has_ended(pid, 0));
	close(ends[1]);
	g_assert_true(reap_has_ended(pid, 10000));
	g_assert_true(reap_has_ended(pid, 0));
	g_assert_true(reap_can(pid));
	g_assert_true(reap_ended(pid, &status));
	g_assert_cmpint(WEXITSTATUS(status), ==, 5);
	g_assert_true(reap_has_ended(pid, 0));
	g_assert_true(reap_has_ended(0, 0));
	close(ends[0]);
}

/* What the leader of a group has started is ours when it has gone, and is waited for as well. */
static void test_group(void)
{
	int ends[2], status;
	char byte;
	pid_t pid;

	g_assert_cmpint(reap_killed_group(0), ==, -ECHILD);
	g_assert_cmpint(pipe(ends), ==, 0);
	pid = spawn_fork_bare(NULL);
	if (pid == 0) {
		setpgid(0, 0);
		for (int i = 0; i < 10; i++)
			if (fork() == 0) {
				if (write(ends[1], "x", 1) == 1)
					pause();
				_exit(1);
			}
		pause();
	}
	close(ends[1]);
	for (int i = 0; i < 10; i++)
		g_assert_cmpint(read(ends[0], &byte, 1), ==, 1);
	status = reap_killed_group(pid);
	g_assert_cmpint(WTERMSIG(status), ==, SIGKILL);
	g_assert_cmpint(read(ends[0], &byte, 1), ==, 0);
	g_assert_cmpint(reap_any(&status), ==, -ECHILD);
	close(ends[0]);
}

/* The stop of one that is traced comes once, and is its tracer's. */
static void test_traced(void)
{
	siginfo_t info = { .si_pid = 0 };
	int status = 0;
	pid_t pid = spawn_fork_bare(NULL);

	if (pid == 0) {
		pause();
		_exit(1);
	}
	g_assert_cmpint(ptrace(PTRACE_SEIZE, pid, 0, 0), ==, 0);
	g_assert_cmpint(reap_any(&status), ==, 0);
	g_assert_cmpint(ptrace(PTRACE_INTERRUPT, pid, 0, 0), ==, 0);
	while (reap_any(&status) != -EAGAIN)
		g_usleep(1000);
	g_assert_cmpint(waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG), ==, 0);
	g_assert_cmpint(info.si_pid, ==, pid);
	g_assert_cmpint(reap_any(&status), ==, 0);
	g_assert_cmpint(kill(pid, SIGKILL), ==, 0);
	while (reap_any(&status) != pid)
		g_usleep(1000);
	g_assert_cmpint(WTERMSIG(status), ==, SIGKILL);
}

/* Many that end at the same time: each once, with its own status. */
static void test_many(void)
{
	g_autoptr(GHashTable) ended = g_hash_table_new(NULL, NULL);
	pid_t pids[CHILDREN];
	int ends[2], status;
	char byte;

	g_assert_cmpint(pipe(ends), ==, 0);
	for (int i = 0; i < CHILDREN; i++) {
		pids[i] = spawn_fork_bare(NULL);
		if (pids[i] == 0) {
			close(ends[1]);
			_exit(read(ends[0], &byte, 1) == 0 ? i : 255);
		}
	}
	close(ends[1]);
	for (pid_t pid; (pid = reap_any(&status)) != -ECHILD;) {
		if (pid > 0)
			g_assert_true(g_hash_table_insert(ended, GINT_TO_POINTER(pid),
							  GINT_TO_POINTER(WEXITSTATUS(status))));
		else
			g_usleep(1000);
	}
	g_assert_cmpuint(g_hash_table_size(ended), ==, CHILDREN);
	for (int i = 0; i < CHILDREN; i++)
		g_assert_cmpint(GPOINTER_TO_INT(g_hash_table_lookup(ended,
								    GINT_TO_POINTER(pids[i]))),
				==, i);
	close(ends[0]);
}

int main(int argc, char **argv)
{
	int ret;

	if (argc == 2 && strcmp(argv[1], "say") == 0)
		return say();
	g_test_init(&argc, &argv, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* What make has open is not to be counted. */
	spawn_close_others((const int []){ 0, 1, 2 }, 3);
	g_setenv("VARIABLE", "here", true);
	self = g_file_read_link("/proc/self/exe", NULL);
	work = g_dir_make_tmp("process-spawn-XXXXXX", NULL);
	g_test_add_func("/process/spawn/inherited", test_inherited);
	g_test_add_func("/process/spawn/keeps-open", test_keeps_open);
	g_test_add_func("/process/spawn/crossed", test_crossed);
	g_test_add_func("/process/spawn/plain-script", test_plain_script);
	g_test_add_func("/process/spawn/failures", test_failures);
	g_test_add_func("/process/spawn/report", test_report);
	g_test_add_func("/process/spawn/close-others", test_close_others);
	g_test_add_func("/process/spawn/handlers", test_handlers);
	g_test_add_func("/process/spawn/dies-with", test_dies_with);
	g_test_add_func("/process/reap", test_reap);
	g_test_add_func("/process/reap/group", test_group);
	g_test_add_func("/process/reap/traced", test_traced);
	g_test_add_func("/process/reap/many", test_many);
	ret = g_test_run();
	for (const char *const *name = (const char *const []){ "plain", "not-executable", NULL };
	     *name; name++) {
		g_autofree char *path = g_build_filename(work, *name, NULL);

		g_unlink(path);
	}
	g_rmdir(work);
	g_free(work);
	g_free(self);
	return ret;
}
