/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Stream sockets to a guest: see sim/guests/guest-stream.h.
 */
#include "config.h"

#include "sim/guests/guest-stream.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/base/monotonic.h"

void guest_fds_close(struct guest_fds *fds)
{
	for (size_t i = 0; i < fds->count; i++) {
		if (fds->fd[i] >= 0)
			close(fds->fd[i]);
	}
	fds->count = 0;
}

/* sun_path is short: the directory is reached by the number of a descriptor. */
static int listen_in(int directory, int fd, const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int size = g_snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s",
			      directory, name);

	if (size >= (int)sizeof(address.sun_path))
		return -ENAMETOOLONG;
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 || listen(fd, 1) < 0)
		return -errno;
	return 0;
}

int guest_stream_listen(const char *directory, const char *name)
{
	int at = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC), fd, ret;

	if (at < 0)
		return -errno;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ret = fd < 0 ? -errno : listen_in(at, fd, name);
	close(at);
	if (ret < 0 && fd >= 0)
		close(fd);
	return ret < 0 ? ret : fd;
}

/* 0: it is ready. */
static int await(int fd, short events, int64_t until_ns)
{
	struct pollfd pollfd = { .fd = fd, .events = events };

	for (;;) {
		int64_t left_ms = (until_ns - monotonic_ns()) / 1000000;
		int ready = poll(&pollfd, 1, left_ms > 0 ? (int)left_ms : 0);

		if (ready > 0)
			return 0;
		if (ready == 0)
			return -ETIMEDOUT;
		if (errno != EINTR)
			return -errno;
	}
}

static int64_t end_of(int patience_ms)
{
	return monotonic_ns() + patience_ms * INT64_C(1000000);
}

int guest_stream_accept(int listener, int patience_ms)
{
	int ret = await(listener, POLLIN, end_of(patience_ms));
	int fd;

	if (ret < 0)
		return ret;
	fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

/* What a record of control data has of descriptors; those for which there is no room are closed. */
static void take_fds(struct cmsghdr *header, struct guest_fds *fds)
{
	size_t count;

	if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
		return;
	count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	for (size_t i = 0; i < count; i++) {
		int fd;

		memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof(fd));
		if (fds && fds->count < GUEST_FDS_MAX)
			fds->fd[fds->count++] = fd;
		else
			close(fd);
	}
}

static ssize_t receive(int fd, void *bytes, size_t size, struct guest_fds *fds)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(GUEST_FDS_MAX * sizeof(int))];
	} control;
	struct iovec piece = { bytes, size };
	struct msghdr message = {
		.msg_iov = &piece, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	ssize_t got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);

	if (got < 0)
		return -errno;
	for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
	     header = CMSG_NXTHDR(&message, header))
		take_fds(header, fds);
	return got;
}

int guest_stream_read(int fd, void *bytes, size_t size, int patience_ms, struct guest_fds *fds)
{
	int64_t until_ns = end_of(patience_ms);
	size_t done = 0;

	while (done < size) {
		ssize_t got = receive(fd, (char *)bytes + done, size - done, fds);
		int ret = 0;

		if (got > 0)
			done += (size_t)got;
		else if (got == 0 || got == -ECONNRESET)
			return -EPIPE;
		else if (got == -EAGAIN)
			ret = await(fd, POLLIN, until_ns);
		else if (got != -EINTR)
			return (int)got;
		if (ret < 0)
			return ret;
	}
	return 0;
}

int guest_stream_write(int fd, const void *bytes, size_t size, int patience_ms)
{
	int64_t until_ns = end_of(patience_ms);
	size_t done = 0;

	while (done < size) {
		ssize_t put = send(fd, (const char *)bytes + done, size - done,
				   MSG_NOSIGNAL | MSG_DONTWAIT);
		int ret = 0;

		if (put >= 0)
			done += (size_t)put;
		else if (errno == EAGAIN)
			ret = await(fd, POLLOUT, until_ns);
		else if (errno == ECONNRESET || errno == EPIPE)
			return -EPIPE;
		else if (errno != EINTR)
			return -errno;
		if (ret < 0)
			return ret;
	}
	return 0;
}
