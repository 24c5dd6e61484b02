/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/process/descendants.c: finds and ends what is below a process.
 */
#include <glib.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/process/descendants.h"

/* A child, its child, and a daemon that both have left: in a session of its own. */
enum { PROCESSES = 3 };

struct tree {
	pid_t pids[PROCESSES];	/* child, grandchild, daemon */
};

static void say_pid(int fd, bool ignores)
{
	pid_t self = getpid();

	if (ignores)
		signal(SIGTERM, SIG_IGN);
	if (write(fd, &self, sizeof(self)) < 0)
		_exit(1);
}

static void wait_for_signal(int fd, bool ignores) G_GNUC_NORETURN;

static void wait_for_signal(int fd, bool ignores)
{
	say_pid(fd, ignores);
	for (;;)
		pause();
}

static void become_daemon(int fd) G_GNUC_NORETURN;

static void become_daemon(int fd)
{
	if (fork() > 0)
		_exit(0);
	setsid();
	wait_for_signal(fd, false);
}

static pid_t next(int fd)
{
	pid_t pid = 0;

	g_assert_cmpint(read(fd, &pid, sizeof(pid)), ==, sizeof(pid));
	return pid;
}

/* Makes them; the grandchild may ignore SIGTERM. */
static void tree_make(struct tree *tree, bool ignores)
{
	int ends[2];
	pid_t pid;

	g_assert_cmpint(pipe(ends), ==, 0);
	if (fork() == 0) {
		say_pid(ends[1], false);
		if (fork() == 0)
			wait_for_signal(ends[1], ignores);
		for (;;)
			pause();
	}
	tree->pids[0] = next(ends[0]);
	tree->pids[1] = next(ends[0]);
	pid = fork();
	if (pid == 0)
		become_daemon(ends[1]);
	g_assert_cmpint(waitpid(pid, NULL, 0), ==, pid);
	tree->pids[2] = next(ends[0]);
	close(ends[0]);
	close(ends[1]);
}

static bool note(void *ctx, pid_t pid)
{
	g_assert_true(g_hash_table_add(ctx, GINT_TO_POINTER(pid)));
	return true;
}

typedef void visit_fn(descendant_fn *visit, void *ctx);

static void assert_found(visit_fn *visit, const struct tree *tree)
{
	g_autoptr(GHashTable) found = g_hash_table_new(NULL, NULL);

	visit(note, found);
	g_assert_cmpuint(g_hash_table_size(found), ==, PROCESSES);
	for (int i = 0; i < PROCESSES; i++)
		g_assert_true(g_hash_table_contains(found, GINT_TO_POINTER(tree->pids[i])));
}

static void test_visit(void)
{
	static visit_fn *const visits[] = { descendants_visit, descendants_visit_slowly };
	struct tree tree;

	tree_make(&tree, false);
	for (size_t i = 0; i < G_N_ELEMENTS(visits); i++)
		assert_found(visits[i], &tree);
	while (descendants_kill(NULL, 0, NULL) > 0)
		g_usleep(1000);
	g_assert_cmpint(waitpid(-1, NULL, 0), <, 0);
}

/* A stopped one wakes, one that ignores it stays, and nobody gets it twice. */
static void test_terminate(void)
{
	g_autoptr(GHashTable) told = g_hash_table_new(NULL, NULL);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *name = NULL;
	struct tree tree;
	int status;

	tree_make(&tree, true);
	kill(tree.pids[2], SIGSTOP);
	descendants_terminate(told);
	g_assert_cmpint(waitpid(tree.pids[0], &status, 0), ==, tree.pids[0]);
	g_assert_cmpint(WTERMSIG(status), ==, SIGTERM);
	g_assert_cmpint(waitpid(tree.pids[2], &status, 0), ==, tree.pids[2]);
	g_assert_cmpint(WTERMSIG(status), ==, SIGTERM);
	descendants_terminate(told);
	g_assert_cmpuint(g_hash_table_size(told), ==, 1);
	g_assert_true(g_hash_table_contains(told, GINT_TO_POINTER(tree.pids[1])));

	g_assert_cmpuint(descendants_kill(NULL, 0, names), ==, 1);
	name = g_strdup_printf("descendants (%d)", (int)tree.pids[1]);
	g_assert_cmpuint(names->len, ==, 1);
	g_assert_cmpstr(names->pdata[0], ==, name);
	while (descendants_kill(NULL, 0, NULL) > 0)
		g_usleep(1000);
}

/* Others, with what is below them, stay. */
static void test_except(void)
{
	struct tree tree;

	tree_make(&tree, false);
	while (descendants_kill(&tree.pids[0], 1, NULL) > 0)
		g_usleep(1000);
	g_assert_cmpint(kill(tree.pids[2], 0), <, 0);
	g_assert_cmpint(kill(tree.pids[1], 0), ==, 0);
	while (descendants_kill(NULL, 0, NULL) > 0)
		g_usleep(1000);
	g_assert_cmpint(kill(tree.pids[1], 0), <, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	g_test_add_func("/process/descendants/visit", test_visit);
	g_test_add_func("/process/descendants/terminate", test_terminate);
	g_test_add_func("/process/descendants/except", test_except);
	return g_test_run();
}
