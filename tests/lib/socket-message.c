/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One message and one descriptor through a socket: what else comes with it is closed.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/socket-message.h"
#include "tests/rig/leak.h"
#include "tests/rig/send-descriptors.h"

enum { SIZE = 16 };

struct row {
	const char *what;
	size_t sent;		/* descriptors */
	size_t room;		/* for SIZE bytes */
	bool is_full;		/* the receiver can have no more descriptors */
	int flags;		/* of the message received, of these two */
	bool has_fd;
};

static const struct row rows[] = {
	{ "none", 0, SIZE, false, 0, false },
	{ "one", 1, SIZE, false, 0, true },
	{ "two", 2, SIZE, false, MSG_CTRUNC, false },
	{ "three", 3, SIZE, false, MSG_CTRUNC, false },
	{ "as many as there may be", SEND_DESCRIPTORS_MAX, SIZE, false, MSG_CTRUNC, false },
	{ "one, and too long", 1, SIZE - 1, false, MSG_TRUNC, false },
	{ "two, and too long", 2, SIZE - 1, false, MSG_TRUNC | MSG_CTRUNC, false },
	{ "one, and no descriptor is left", 1, SIZE, true, MSG_CTRUNC, false },
	{ "none, and no descriptor is left", 0, SIZE, true, 0, false },
};

static void set_limit(rlim_t limit, rlim_t *ret_before)
{
	struct rlimit limits;

	g_assert_cmpint(getrlimit(RLIMIT_NOFILE, &limits), ==, 0);
	*ret_before = limits.rlim_cur;
	limits.rlim_cur = limit;
	g_assert_cmpint(setrlimit(RLIMIT_NOFILE, &limits), ==, 0);
}

static void check_fd(int fd, int like)
{
	struct stat got, expected;

	g_assert_cmpint(fcntl(fd, F_GETFD), ==, FD_CLOEXEC);
	g_assert_cmpint(fstat(fd, &got), ==, 0);
	g_assert_cmpint(fstat(like, &expected), ==, 0);
	g_assert_cmpint(got.st_ino, ==, expected.st_ino);
	g_assert_cmpint(got.st_dev, ==, expected.st_dev);
}

static void test_row(gconstpointer data)
{
	const struct row *row = data;
	static const uint8_t bytes[SIZE] = "0123456789abcde";
	uint8_t got[SIZE] = { 0 };
	struct iovec out[] = {
		{ .iov_base = (void *)bytes, .iov_len = 5 },
		{ .iov_base = (void *)(bytes + 5), .iov_len = SIZE - 5 },
	};
	struct iovec in[] = {
		{ .iov_base = got, .iov_len = 3 },
		{ .iov_base = got + 3, .iov_len = row->room - 3 },
	};
	int ends[2], fd = -2, flags = -1;
	unsigned int before;
	rlim_t limit;
	long n;

	g_assert_cmpint(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), ==, 0);
	if (row->sent > 1)
		send_descriptors(ends[0], bytes, SIZE, ends[0], row->sent);
	else
		g_assert_cmpint(socket_message_send(ends[0], out, 2, row->sent ? ends[0] : -1, 0),
				==, 0);
	before = leak_count();
	if (row->is_full)
		set_limit(0, &limit);
	n = socket_message_receive(ends[1], in, 2, 0, &fd, &flags);
	if (row->is_full)
		set_limit(limit, &limit);
	g_assert_cmpint(n, ==, row->room);
	g_assert_cmpmem(got, row->room, bytes, row->room);
	g_assert_cmpint(flags & (MSG_TRUNC | MSG_CTRUNC), ==, row->flags);
	g_assert_cmpint(leak_count(), ==, before + row->has_fd);
	g_assert_cmpint(fd >= 0, ==, row->has_fd);
	if (fd >= 0) {
		check_fd(fd, ends[0]);
		close(fd);
	} else {
		g_assert_cmpint(fd, ==, -1);
	}
	close(ends[0]);
	close(ends[1]);
}

static void test_errors(void)
{
	uint8_t byte = 0;
	struct iovec part = { .iov_base = &byte, .iov_len = 1 };
	int ends[2], fd = -2, flags = -1;

	g_assert_cmpint(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), ==, 0);
	g_assert_cmpint(socket_message_receive(ends[0], &part, 1, MSG_DONTWAIT, &fd, &flags), ==,
			-EAGAIN);
	g_assert_cmpint(fd, ==, -1);
	g_assert_cmpint(flags, ==, 0);
	close(ends[1]);
	g_assert_cmpint(socket_message_receive(ends[0], &part, 1, 0, &fd, &flags), ==, 0);
	/* No SIGPIPE. */
	g_assert_cmpint(socket_message_send(ends[0], &part, 1, -1, 0), ==, -EPIPE);
	close(ends[0]);
	g_assert_cmpint(socket_message_send(ends[0], &part, 1, -1, 0), ==, -EBADF);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/socket-message/%s", rows[i].what);

		g_test_add_data_func(path, &rows[i], test_row);
	}
	g_test_add_func("/socket-message/errors", test_errors);
	return leak_end(g_test_run());
}
