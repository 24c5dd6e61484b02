/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fake guest's sockets: see tests/tools/fake-guest.h.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/tools/fake-guest.h"

long fake_dies_at;
static long sent;

void fake_fail(const char *what)
{
	fprintf(stderr, "fake-guest: %s: %s\n", what, strerror(errno));
	_exit(9);
}

void fake_put(int fd, const void *bytes, size_t size)
{
	if (++sent == fake_dies_at)
		_exit(3);
	if (send(fd, bytes, size, MSG_NOSIGNAL) != (ssize_t)size)
		_exit(4);
}

void fake_get(int fd, void *bytes, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = read(fd, (char *)bytes + done, size - done);

		if (got <= 0)
			_exit(5);
		done += (size_t)got;
	}
}

int fake_connect(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		fake_fail(path);
	return fd;
}

void fake_put_with(int fd, struct vhost *message, const int *fds, size_t count)
{
	char control[256] = { 0 };
	struct iovec piece = { message, 12 + message->size };
	struct msghdr header = { .msg_iov = &piece, .msg_iovlen = 1 };
	struct cmsghdr *rights;

	if (count > 0) {
		header.msg_control = control;
		header.msg_controllen = CMSG_SPACE(count * sizeof(int));
		rights = CMSG_FIRSTHDR(&header);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(rights), fds, count * sizeof(int));
	}
	if (++sent == fake_dies_at)
		_exit(3);
	if (sendmsg(fd, &header, MSG_NOSIGNAL) < 0)
		_exit(4);
}
