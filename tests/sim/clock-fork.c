/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs that fork: the child has no part in the fabric.
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/rig/clock-rig.h"
#include "tests/rig/leak.h"

/* The child's exit status: the number of the failed expectation; 0: none. */
static int be_child(struct rig *rig, int fd)
{
	uint8_t umad[RIG_UMAD] = { 0 };
	size_t header_size;

	if (rig->backend->recv(fd, umad, sizeof(umad)) != -EIO)
		return 1;
	if (rig->backend->send(fd, umad, sizeof(umad)) != -EIO)
		return 2;
	if (rig->backend->poll(fd, -1) != -EIO)
		return 3;
	if (rig->backend->open("H1", 1, &header_size) != -EIO)
		return 4;
	if (umadrig_host_enter(rig->fabric, "H2") != -EIO)
		return 5;
	if (rig->backend->close(fd) != 0 || fcntl(fd, F_GETFD) >= 0)
		return 6;
	return 0;
}

static void test_fork(const void *data)
{
	struct rig rig = rig_open(data);
	int fd = rig_open_port(&rig, "H1", "H1", 1);
	uint32_t agent = rig_register(&rig, fd, 0x81, 0);
	uint8_t umad[RIG_UMAD];
	int message[2], status;
	char text[512];
	ssize_t size;
	pid_t child;

	g_assert_cmpint(pipe(message), ==, 0);
	child = fork();
	if (child == 0) {
		dup2(message[1], STDERR_FILENO);
		_exit(be_child(&rig, fd));
	}
	close(message[1]);
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	g_assert_true(WIFEXITED(status));
	g_assert_cmpint(WEXITSTATUS(status), ==, 0);
	size = read(message[0], text, sizeof(text) - 1);
	g_assert_cmpint(size, >, 0);
	text[size] = '\0';
	close(message[0]);
	/* One line, however often the child tried. */
	g_assert_true(strchr(text, '\n') == text + size - 1);
	g_assert_nonnull(strstr(text, "forked"));

	rig_send(&rig, fd, agent, &peer);
	g_assert_cmpint(rig_recv(&rig, fd, umad, LONG_MS), ==, RIG_UMAD);
	rig.backend->close(fd);
	rig_close(&rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_data_func("/clock/virtual/fork", ",clock=virtual", test_fork);
	g_test_add_data_func("/clock/real/fork", "", test_fork);
	return leak_end(g_test_run());
}
