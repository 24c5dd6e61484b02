/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Paths of issm files, and of /sys, that a fabric server gives.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/attach/issm-link.h"
#include "tests/rig/pair-rig.h"

static unsigned int count_descriptors(void)
{
	GDir *dir = g_dir_open("/proc/self/fd", 0, NULL);
	unsigned int count = 0;

	while (g_dir_read_name(dir))
		count++;
	g_dir_close(dir);
	return count;
}

static bool is_sm(void)
{
	struct umad_backend_port port;

	g_assert_cmpint(umad_backend_attach.get_port("H1", 1, UMAD_BACKEND_PORT_LINK, &port), ==,
			0);
	return port.attr.cap_mask & CAP_IS_SM_BIT;
}

/* A program that does not see the path of the views of /sys has a descriptor of it. */
static void test_sysfs(void)
{
	struct pair pair = pair_start();
	char path[PATH_MAX] = "";
	struct attach_exchange exchange = {
		.call.op = ATTACH_SYSFS, .fd = -1, .reply = path, .reply_room = sizeof(path) - 1,
		.reply_fd = -1,
	};
	struct stat there, here;

	g_assert_cmpint(attach_call(&exchange), ==, 0);
	g_assert_cmpint(stat(path, &there), ==, 0);
	g_assert_cmpint(fstat(exchange.reply_fd, &here), ==, 0);
	g_assert_true(there.st_dev == here.st_dev && there.st_ino == here.st_ino);
	g_assert_cmpint(fcntl(exchange.reply_fd, F_GETFL) & O_PATH, !=, 0);
	close(exchange.reply_fd);
	pair_end(&pair);
}

static void test_issm(void)
{
	struct pair pair = pair_start();
	g_autofree char *directory = NULL;
	char path[256];
	struct stat st;
	int first, second, ends[2];
	char byte;
	pid_t pid;

	g_assert_cmpint(umad_backend_attach.issm_path("H1", 1, path, 4), ==, -ENAMETOOLONG);
	g_assert_cmpint(umad_backend_attach.issm_path("H1", 1, path, sizeof(path)), ==, 0);
	directory = g_path_get_dirname(path);
	g_assert_cmpint(g_stat(directory, &st), ==, 0);
	g_assert_cmpint(st.st_mode & 0777, ==, 0700);
	g_assert_cmpint(umad_backend_attach.issm_path("H1", 9, path, sizeof(path)), ==, -EINVAL);
	for (unsigned int i = 0, before = count_descriptors(); i < 10; i++) {
		g_assert_cmpint(umad_backend_attach.issm_path("H1", 1, path, sizeof(path)), ==, 0);
		g_assert_true(g_str_has_prefix(path, directory));
		g_assert_cmpuint(count_descriptors(), ==, before);
	}
	for (unsigned int i = 0; i < 100; i++) {
		g_assert_false(is_sm());
		first = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		g_assert_cmpint(first, >=, 0);
		g_assert_true(is_sm());
		close(first);
	}
	first = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	second = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	close(first);
	g_assert_true(is_sm());
	close(second);
	g_assert_false(is_sm());

	g_assert_cmpint(pipe(ends), ==, 0);
	pid = fork();
	if (pid == 0) {
		if (open(path, O_RDONLY | O_NONBLOCK) < 0 || write(ends[1], "", 1) != 1)
			_exit(1);
		pause();
	}
	g_assert_cmpint(read(ends[0], &byte, 1), ==, 1);
	g_assert_true(is_sm());
	kill(pid, SIGKILL);
	g_assert_cmpint(waitpid(pid, NULL, 0), ==, pid);
	g_assert_false(is_sm());
	close(ends[0]);
	close(ends[1]);
	pair_end(&pair);
	g_assert_false(g_file_test(directory, G_FILE_TEST_EXISTS));
}

/* Where the server's files are not seen, the path leads through a descriptor that came with it. */
static void test_issm_link(void)
{
	g_autofree char *directory = g_dir_make_tmp("umadrig-test-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(directory, "issm0", NULL);
	unsigned int before = count_descriptors();
	char link[64], again[64];
	int fd, closed;

	g_assert_cmpint(mkfifo(path, 0600), ==, 0);
	fd = open(path, O_PATH | O_CLOEXEC);
	g_assert_false(issm_link_is_needed(path, fd));
	g_assert_true(issm_link_is_needed(directory, fd));
	g_assert_true(issm_link_is_needed("/nowhere/issm0", fd));
	g_assert_cmpint(issm_link_make(fd, link, sizeof(link)), ==, 0);
	/* It is one descriptor for a pipe, however often it is asked for ... */
	for (unsigned int i = 0; i < 1000; i++) {
		g_assert_cmpint(issm_link_make(open(path, O_PATH | O_CLOEXEC), again,
					       sizeof(again)), ==, 0);
		g_assert_cmpstr(again, ==, link);
	}
	g_assert_cmpuint(count_descriptors(), ==, before + 1);
	g_assert_cmpint(issm_link_make(open(path, O_PATH | O_CLOEXEC), again, 4), ==,
			-ENAMETOOLONG);
	g_assert_cmpint(issm_link_make(open(directory, O_PATH | O_CLOEXEC), again, sizeof(again)),
			==, -EINVAL);
	g_assert_cmpuint(count_descriptors(), ==, before + 1);
	closed = open(link, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	g_assert_cmpint(closed, >=, 0);
	close(closed);
	/* ... and a program that closes what it does not know gets another one. */
	close(fd);
	closed = open("/dev/null", O_RDONLY | O_CLOEXEC);
	g_assert_cmpint(closed, ==, fd);
	g_assert_cmpint(issm_link_make(open(path, O_PATH | O_CLOEXEC), again, sizeof(again)), ==,
			0);
	g_assert_cmpstr(again, !=, link);
	close(closed);
	/* The pipes of devices that have gone are closed when there is another one. */
	for (unsigned int i = 0; i < 1000; i++) {
		g_assert_cmpint(g_unlink(path), ==, 0);
		g_assert_cmpint(mkfifo(path, 0600), ==, 0);
		g_assert_cmpint(issm_link_make(open(path, O_PATH | O_CLOEXEC), again,
					       sizeof(again)), ==, 0);
	}
	g_assert_cmpuint(count_descriptors(), <=, before + 2);
	g_assert_cmpint(g_unlink(path), ==, 0);
	g_assert_cmpint(g_rmdir(directory), ==, 0);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/server/issm", test_issm);
	g_test_add_func("/server/issm-link", test_issm_link);
	g_test_add_func("/server/sysfs", test_sysfs);
	/* The calling thread's connection belongs to the library, and ends with the process. */
	return g_test_run();
}
