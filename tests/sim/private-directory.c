/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Private directories are removed with their processes; those of killed processes when the next one
 * is made. Nothing else is ever removed.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <string.h>
#include <unistd.h>

#include "sim/system/private-directory.h"
#include "tests/rig/real-root.h"

static char *parent;	/* TMPDIR */
static char *outside;	/* not in it */

static struct private_directory make(void)
{
	struct private_directory directory = { .lock = -1 };
	char message[256] = "";

	if (private_directory_make(&directory, "", message, sizeof(message)) < 0)
		g_error("%s", message);
	return directory;
}

static void make_file(const char *directory, const char *name)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);

	g_assert_true(g_file_set_contents(path, "", 0, NULL));
}

/* A directory with everything that could be in one. */
static void fill(const char *path)
{
	g_autofree char *deep = g_build_filename(path, "sysfs0", "class", "infiniband", NULL);
	g_autofree char *fifo = g_build_filename(path, "issm0", NULL);
	g_autofree char *link = g_build_filename(deep, "link", NULL);

	g_assert_cmpint(g_mkdir_with_parents(deep, 0700), ==, 0);
	g_assert_cmpint(mkfifo(fifo, 0600), ==, 0);
	g_assert_cmpint(symlink(outside, link), ==, 0);
	make_file(deep, "state");
	make_file(path, "owner");
}

static unsigned int count(const char *path)
{
	GDir *dir = g_dir_open(path, 0, NULL);
	unsigned int names = 0;

	while (g_dir_read_name(dir))
		names++;
	g_dir_close(dir);
	return names;
}

static void test_own(void)
{
	struct private_directory directory = make();
	struct stat st;

	g_assert_true(g_path_is_absolute(directory.path));
	g_assert_cmpint(g_stat(directory.path, &st), ==, 0);
	g_assert_cmpint(st.st_mode & 0777, ==, 0700);
	fill(directory.path);
	private_directory_remove(&directory);
	g_assert_null(directory.path);
	private_directory_remove(&directory);	/* there is none: does nothing */
	g_assert_cmpuint(count(parent), ==, 0);
	g_assert_cmpuint(count(outside), ==, 1);
}

/* Makes files there and removes them, until the directory has gone. */
static void *disturb(void *data)
{
	const char *path = data;
	g_autofree char *name = g_build_filename(path, "late", NULL);
	int fd;

	while ((fd = open(name, O_CREAT | O_CLOEXEC, 0600)) >= 0) {
		close(fd);
		g_unlink(name);
	}
	return NULL;
}

/* A program that is about to end still has files there. */
static void test_disturbed(void)
{
	enum { ROUNDS = 200 };

	for (int i = 0; i < ROUNDS; i++) {
		struct private_directory directory = make();
		g_autofree char *path = g_strdup(directory.path);
		GThread *thread = g_thread_new("disturb", disturb, path);

		fill(directory.path);
		private_directory_remove(&directory);
		g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
		g_thread_join(thread);
	}
}

/* A process was killed while it removed one: the lock is no more. */
static void test_half_gone(void)
{
	g_autofree char *path = g_build_filename(parent, "umadrig-gone-abcdef", NULL);
	struct private_directory directory;

	g_assert_cmpint(g_mkdir(path, 0700), ==, 0);
	fill(path);
	directory = make();
	g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
	private_directory_remove(&directory);
	g_assert_cmpuint(count(parent), ==, 0);
	g_assert_cmpuint(count(outside), ==, 1);
}

/* A process makes one, and is killed; its child lives on, with the lock or without it. */
static pid_t killed(bool child_has_lock)
{
	int ends[2], status;
	pid_t child, pid;

	g_assert_cmpint(pipe(ends), ==, 0);
	pid = fork();
	if (pid == 0) {
		struct private_directory directory = make();

		fill(directory.path);
		child = fork();
		if (child == 0) {
			alarm(60);
			if (!child_has_lock)
				private_directory_leave(&directory);
			if (write(ends[1], &(pid_t){ getpid() }, sizeof(pid_t)) < 0)
				_exit(1);
			pause();
		}
		pause();
	}
	g_assert_cmpint(read(ends[0], &child, sizeof(child)), ==, sizeof(child));
	kill(pid, SIGKILL);
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	close(ends[0]);
	close(ends[1]);
	return child;
}

static void test_killed(void)
{
	pid_t child = killed(false);
	struct private_directory directory;

	g_assert_cmpuint(count(parent), ==, 1);
	directory = make();
	g_assert_cmpuint(count(parent), ==, 1);
	/* The directory of a live process stays. */
	g_assert_true(g_file_test(directory.path, G_FILE_TEST_IS_DIR));
	private_directory_remove(&directory);
	g_assert_cmpuint(count(outside), ==, 1);
	kill(child, SIGKILL);
}

static void test_inherited(void)
{
	pid_t child = killed(true);
	struct private_directory directory = make();

	g_assert_cmpuint(count(parent), ==, 2);
	private_directory_remove(&directory);
	g_assert_cmpuint(count(parent), ==, 1);
	kill(child, SIGKILL);
	/* Its parent is init or a subreaper, so it goes soon. */
	while (count(parent) > 0) {
		directory = make();
		private_directory_remove(&directory);
		sched_yield();
	}
}

/* Directories that are not ours, or may just be being made. */
struct other {
	const char *name;
	const char *directory;
	mode_t mode;
	const char *lock;	/* NULL: no such file; "": a file; else what a link points to */
	uid_t owner;		/* only root can give it to another user */
};

static const struct other others[] = {
	{ "without a lock", "umadrig-aaaaaa", 0700, NULL, 0 },
	{ "of another name", "umadrig-run-aaaaaa", 0700, "", 0 },
	{ "of another program", "umadril-aaaaaa", 0700, "", 0 },
	{ "that others may enter", "umadrig-aaaaaa", 0755, "", 0 },
	{ "with a link for a lock", "umadrig-aaaaaa", 0700, "/etc/passwd", 0 },
	{ "of another user", "umadrig-aaaaaa", 0700, "", 65534 },
};

static void test_other(gconstpointer data)
{
	const struct other *row = data;
	g_autofree char *path = g_build_filename(parent, row->directory, NULL);
	g_autofree char *lock = g_build_filename(path, "lock", NULL);
	struct private_directory directory;

	if (row->owner && !is_real_root()) {
		g_test_skip("only root can be somebody else");
		return;
	}
	g_assert_cmpint(mkdir(path, row->mode), ==, 0);
	g_assert_cmpint(chmod(path, row->mode), ==, 0);
	if (row->lock && *row->lock)
		g_assert_cmpint(symlink(row->lock, lock), ==, 0);
	else if (row->lock)
		make_file(path, "lock");
	make_file(path, "file");
	if (row->owner)
		g_assert_cmpint(chown(path, row->owner, row->owner), ==, 0);
	directory = make();
	private_directory_remove(&directory);
	g_assert_cmpuint(count(path), ==, row->lock ? 2 : 1);
	remove_tree(path);
	g_assert_cmpuint(count(parent), ==, 0);
}

static void test_link(void)
{
	g_autofree char *path = g_build_filename(parent, "umadrig-aaaaaa", NULL);
	struct private_directory directory;

	g_assert_cmpint(symlink(outside, path), ==, 0);
	make_file(outside, "lock");
	directory = make();
	private_directory_remove(&directory);
	g_assert_cmpuint(count(outside), ==, 2);
	g_assert_cmpint(g_unlink(path), ==, 0);
}

/* Nothing can be created there. */
static void test_nowhere(void)
{
	struct private_directory directory = { .lock = -1 };
	char message[512] = "";

	remove_tree(parent);
	g_assert_cmpint(private_directory_make(&directory, "", message, sizeof(message)), ==,
			-ENOENT);
	g_assert_true(g_str_has_prefix(message, parent));
	g_assert_nonnull(strstr(message, "set TMPDIR"));
	g_assert_null(directory.path);
	g_assert_cmpint(mkdir(parent, 0700), ==, 0);
}

static struct private_directory make_small(void)
{
	struct private_directory directory = { .lock = -1 };
	char message[256] = "";

	if (private_directory_make_small(&directory, message, sizeof(message)) < 0)
		g_error("%s", message);
	return directory;
}

/* Where TMPDIR says nothing else: memory, if there is room. */
static void test_small(void)
{
	struct private_directory directory = make_small();
	g_autofree char *path = NULL;
	struct stat st;

	g_assert_true(g_str_has_prefix(directory.path, parent));
	private_directory_remove(&directory);
	g_unsetenv("TMPDIR");
	directory = make_small();
	g_setenv("TMPDIR", parent, true);
	path = g_strdup(directory.path);
	g_assert_cmpint(g_stat(path, &st), ==, 0);
	g_assert_cmpint(st.st_mode & 0777, ==, 0700);
	fill(path);
	private_directory_remove(&directory);
	g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
	g_assert_cmpuint(count(parent), ==, 0);
	if (!g_str_has_prefix(path, "/dev/shm/umadrig-"))
		g_test_skip("/dev/shm is no place for files here");
}

static void test_room(void)
{
	g_assert_true(private_directory_has_room(parent, 1));
	g_assert_false(private_directory_has_room(parent, UINT64_MAX / 4096));
	g_assert_false(private_directory_has_room("/nowhere", 1));
}

/* One that its parent has looked for what is left does not do so itself. */
static void test_left_to_parent(void)
{
	g_autofree char *path = g_build_filename(parent, "umadrig-gone-abcdef", NULL);
	pid_t child;
	int status;

	g_assert_cmpint(g_mkdir(path, 0700), ==, 0);
	child = fork();
	if (child == 0) {
		struct private_directory one, two;

		private_directories_leave_to_parent();
		one = make();
		two = make_small();
		private_directory_remove(&one);
		private_directory_remove(&two);
		_exit(g_file_test(path, G_FILE_TEST_EXISTS) ? 0 : 1);
	}
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	g_assert_cmpint(status, ==, 0);
	private_directories_remove_left();
	g_assert_cmpuint(count(parent), ==, 0);
}

/* GLib reads TMPDIR once, which must not happen now. */
static char *temporary(const char *name)
{
	const char *in = g_getenv("TMPDIR");

	return g_mkdtemp(g_build_filename(in ? in : "/tmp", name, NULL));
}

int main(int argc, char **argv)
{
	int ret;

	parent = temporary("test-parent-XXXXXX");
	outside = temporary("test-outside-XXXXXX");
	make_file(outside, "file");
	g_setenv("TMPDIR", parent, true);
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/private-directory/own", test_own);
	g_test_add_func("/private-directory/disturbed", test_disturbed);
	g_test_add_func("/private-directory/half-gone", test_half_gone);
	g_test_add_func("/private-directory/killed", test_killed);
	g_test_add_func("/private-directory/inherited", test_inherited);
	for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
		g_autofree char *path = g_strconcat("/private-directory/stays/", others[i].name,
						    NULL);

		g_test_add_data_func(path, &others[i], test_other);
	}
	g_test_add_func("/private-directory/stays/behind-a-link", test_link);
	g_test_add_func("/private-directory/nowhere", test_nowhere);
	g_test_add_func("/private-directory/small", test_small);
	g_test_add_func("/private-directory/room", test_room);
	g_test_add_func("/private-directory/left-to-parent", test_left_to_parent);
	ret = g_test_run();
	remove_tree(parent);
	remove_tree(outside);
	g_free(parent);
	g_free(outside);
	return ret;
}
