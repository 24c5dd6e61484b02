/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Waiting for sockets. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

static void send_byte(int fd)
{
	if (send(fd, "y", 1, 0) != 1)
		_exit(1);
}

bool row_recv(void)
{
	int64_t from = now();
	int ends[2];
	pid_t pid;
	char byte = 0;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return false;
	pid = in_two_seconds(send_byte, ends[1]);
	return recv(ends[0], &byte, 1, 0) == 1 && byte == 'y' && passed(from, 2 * S) &&
	       reap(pid);
}

bool row_recvmsg(void)
{
	char byte = 0;
	struct iovec part = { &byte, 1 };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	int64_t from = now();
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) < 0)
		return false;
	pid = in_two_seconds(send_byte, ends[1]);
	return recvmsg(ends[0], &message, 0) == 1 && byte == 'y' &&
	       passed(from, 2 * S) && reap(pid);
}

bool row_send(void)
{
	static char bytes[2000000];
	int64_t from = now();
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return false;
	pid = reads_late(ends);
	if (send(ends[1], bytes, sizeof(bytes), 0) != sizeof(bytes) ||
	    !passed(from, 2 * S))
		return false;
	close(ends[1]);
	return reap(pid);
}

bool row_sendmsg(void)
{
	static char bytes[1000000];
	struct iovec parts[3] = { { bytes, 10 }, { bytes, 999990 }, { bytes, 1000000 } };
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 3 };
	int64_t from = now();
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return false;
	pid = reads_late(ends);
	if (sendmsg(ends[1], &message, 0) != 2000000 || parts[1].iov_len != 999990 ||
	    !passed(from, 2 * S))
		return false;
	close(ends[1]);
	return reap(pid);
}

/* Datagrams: what there is no room for at the receiver waits. */
bool row_sendto(void)
{
	int64_t from = now();
	int ends[2], size = 4096;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) < 0)
		return false;
	setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	pid = fork();
	if (pid == 0) {
		char byte;

		sleep(2);
		for (int i = 0; i < 1000; i++) {
			if (read(ends[0], &byte, 1) != 1)
				_exit(1);
		}
		_exit(0);
	}
	for (int i = 0; i < 1000; i++) {
		if (sendto(ends[1], "d", 1, 0, NULL, 0) != 1)
			return false;
	}
	return passed(from, 2 * S) && reap(pid) && close(ends[0]) == 0 &&
	       close(ends[1]) == 0;
}

bool row_connect(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "" };
	int listener = socket(AF_UNIX, SOCK_STREAM, 0), fds[3];
	socklen_t length = sizeof(address);
	int64_t from = now();
	pid_t pid;

	/* The kernel chooses a name that no other file or program has. */
	if (bind(listener, (struct sockaddr *)&address, sizeof(sa_family_t)) < 0 ||
	    listen(listener, 0) < 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &length) < 0)
		return false;
	pid = fork();
	if (pid == 0) {
		sleep(2);
		for (int i = 0; i < 3; i++) {
			if (accept(listener, NULL, NULL) < 0)
				_exit(1);
		}
		_exit(0);
	}
	for (int i = 0; i < 3; i++) {
		fds[i] = socket(AF_UNIX, SOCK_STREAM, 0);
		if (connect(fds[i], (struct sockaddr *)&address, length) < 0 ||
		    (fcntl(fds[i], F_GETFL) & O_NONBLOCK))
			return false;
	}
	for (int i = 0; i < 3; i++)
		close(fds[i]);
	return close(listener) == 0 && passed(from, 2 * S) && reap(pid);
}

static bool set_timeout(int fd, int option, time_t seconds)
{
	const struct timeval timeout = { seconds, 0 };

	return setsockopt(fd, SOL_SOCKET, option, &timeout, sizeof(timeout)) == 0;
}

bool row_receive_timeout(void)
{
	int64_t from = now();
	int ends[2], listener = socket(AF_UNIX, SOCK_STREAM, 0);
	struct sockaddr own = { .sa_family = AF_UNIX };
	char byte = 0;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0 ||
	    !set_timeout(ends[0], SO_RCVTIMEO, 3) || !set_timeout(listener, SO_RCVTIMEO, 1))
		return false;
	/* Only the family: the kernel chooses a name. */
	if (recv(ends[0], &byte, 1, 0) != -1 || errno != EAGAIN || !passed(from, 3 * S) ||
	    read(ends[0], &byte, 1) != -1 || errno != EAGAIN || !passed(from, 6 * S) ||
	    bind(listener, &own, sizeof(own.sa_family)) < 0 || listen(listener, 1) < 0 ||
	    accept(listener, NULL, NULL) != -1 || errno != EAGAIN || !passed(from, 7 * S))
		return false;
	pid = in_two_seconds(send_byte, ends[1]);
	return recv(ends[0], &byte, 1, 0) == 1 && byte == 'y' && passed(from, 9 * S) &&
	       reap(pid) && close(ends[0]) == 0 && close(ends[1]) == 0 && close(listener) == 0;
}

bool row_send_timeout(void)
{
	static char bytes[2000000];
	int64_t from = now();
	int ends[2];
	ssize_t n;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0 ||
	    !set_timeout(ends[0], SO_SNDTIMEO, 3))
		return false;
	n = send(ends[0], bytes, sizeof(bytes), 0);
	return n > 0 && n < (ssize_t)sizeof(bytes) && passed(from, 3 * S) &&
	       send(ends[0], bytes, sizeof(bytes), 0) == -1 && errno == EAGAIN &&
	       passed(from, 6 * S) && write(ends[0], bytes, 1) == -1 && errno == EAGAIN &&
	       passed(from, 9 * S) && close(ends[0]) == 0 && close(ends[1]) == 0;
}

/* Two and then, two seconds later, four more. */
static void send_in_parts(int fd)
{
	if (send(fd, "ab", 2, 0) != 2)
		_exit(1);
	sleep(2);
	if (send(fd, "cdef", 4, 0) != 4)
		_exit(1);
}

bool row_recv_waitall(void)
{
	char bytes[8] = "";
	struct iovec parts[] = { { bytes, 3 }, { bytes + 3, 5 } };
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
	int64_t from = now();
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return false;
	pid = in_two_seconds(send_in_parts, ends[1]);
	if (recv(ends[0], bytes, 6, MSG_WAITALL) != 6 || memcmp(bytes, "abcdef", 6) != 0 ||
	    !passed(from, 4 * S) || !reap(pid))
		return false;
	pid = in_two_seconds(send_in_parts, ends[1]);
	close(ends[1]);
	return recvmsg(ends[0], &message, MSG_WAITALL) == 6 && parts[1].iov_len == 5 &&
	       memcmp(bytes, "abcdef", 6) == 0 && passed(from, 8 * S) && reap(pid);
}

static void connect_to(int fd)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t size = sizeof(address);
	int own = socket(AF_UNIX, SOCK_STREAM, 0);

	if (getsockname(fd, (struct sockaddr *)&address, &size) < 0 ||
	    connect(own, (struct sockaddr *)&address, size) < 0)
		_exit(1);
}

/* The number that fork() has returned. */
bool row_peercred(void)
{
	struct sockaddr_un any = { .sun_family = AF_UNIX };
	struct ucred peer = { 0, 0, 0 };
	socklen_t size = sizeof(peer);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), accepted;
	pid_t pid;

	if (bind(fd, (struct sockaddr *)&any, sizeof(any.sun_family)) < 0 || listen(fd, 1) < 0)
		return false;
	pid = in_two_seconds(connect_to, fd);
	accepted = accept(fd, NULL, NULL);
	return getsockopt(accepted, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	       peer.pid == pid && peer.uid == getuid() && reap(pid);
}

union credentials {
	char bytes[CMSG_SPACE(sizeof(struct ucred))];
	struct cmsghdr header;
};

/* With its own number: the kernel refuses another's, but to root. */
static void send_credentials(int fd)
{
	struct ucred own = { getpid(), getuid(), getgid() };
	union credentials control = {
		.header = { CMSG_LEN(sizeof(own)), SOL_SOCKET, SCM_CREDENTIALS },
	};
	struct iovec part = { "y", 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = sizeof(control),
	};

	memcpy(CMSG_DATA(&control.header), &own, sizeof(own));
	if (sendmsg(fd, &message, 0) != 1)
		_exit(1);
}

bool row_scm_credentials(void)
{
	union credentials control;
	char byte;
	struct iovec part = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct ucred sender;
	int ends[2], yes = 1;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) < 0 ||
	    setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes)) < 0)
		return false;
	pid = in_two_seconds(send_credentials, ends[1]);
	if (recvmsg(ends[0], &message, 0) != 1 || control.header.cmsg_type != SCM_CREDENTIALS)
		return false;
	memcpy(&sender, CMSG_DATA(&control.header), sizeof(sender));
	return sender.pid == pid && sender.uid == getuid() && reap(pid);
}
