/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* TCP over loopback: connections, and how much of what was sent is there. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

static int listen_at(struct sockaddr_in *ret, int backlog)
{
	socklen_t length = sizeof(*ret);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	*ret = (struct sockaddr_in){
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	if (bind(fd, (struct sockaddr *)ret, length) < 0 || listen(fd, backlog) < 0 ||
	    getsockname(fd, (struct sockaddr *)ret, &length) < 0)
		return -1;
	return fd;
}

static int connect_to(const struct sockaddr_in *to, int flags)
{
	int fd = socket(AF_INET, SOCK_STREAM | flags, 0);

	if (connect(fd, (const struct sockaddr *)to, sizeof(*to)) < 0 && errno != EINPROGRESS) {
		close(fd);
		return -1;
	}
	return fd;
}

/* A child that accepts so many in two seconds. */
static pid_t accepts_late(int listener, int count)
{
	pid_t pid = fork();

	if (pid == 0) {
		sleep(2);
		while (count-- > 0) {
			if (accept(listener, NULL, NULL) < 0)
				_exit(1);
		}
		_exit(0);
	}
	return pid;
}

/* The second is refused room until it is tried again at 3 s. */
bool row_tcp_connect(void)
{
	struct sockaddr_in to;
	int listener = listen_at(&to, 0), fds[2];
	int64_t from = now();
	pid_t pid = accepts_late(listener, 2);

	fds[0] = connect_to(&to, 0);
	if (fds[0] < 0 || !passed(from, 0))
		return false;
	fds[1] = connect_to(&to, 0);
	return fds[1] >= 0 && passed(from, 3 * S) && write(fds[1], "x", 1) == 1 && reap(pid) &&
	       close(fds[0]) == 0 && close(fds[1]) == 0 && close(listener) == 0;
}

bool row_tcp_connect_timeout(void)
{
	const struct timeval timeout = { 5, 0 };
	struct sockaddr_in to;
	int listener = listen_at(&to, 0), first = connect_to(&to, 0), fd;
	int64_t from = now();

	if (connect_to(&to, 0) != -1 || errno != ETIMEDOUT || !passed(from, 127 * S))
		return false;
	fd = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
	return connect(fd, (struct sockaddr *)&to, sizeof(to)) == -1 && errno == EINPROGRESS &&
	       passed(from, 132 * S) && close(fd) == 0 && close(first) == 0 &&
	       close(listener) == 0;
}

static bool is_connected(int fd)
{
	int err = -1;
	socklen_t size = sizeof(err);

	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &size) == 0 && err == 0 &&
	       write(fd, "x", 1) == 1;
}

bool row_tcp_connect_poll(void)
{
	struct sockaddr_in to;
	int listener = listen_at(&to, 0), first = connect_to(&to, SOCK_NONBLOCK);
	struct pollfd one = { .fd = first, .events = POLLOUT };
	struct epoll_event event = { .events = EPOLLOUT };
	int epoll = epoll_create1(0), third;
	int64_t from = now();
	pid_t pid;

	/* There is room for it. */
	if (poll(&one, 1, -1) != 1 || !is_connected(first) || !passed(from, 0))
		return false;
	pid = accepts_late(listener, 3);
	one.fd = connect_to(&to, SOCK_NONBLOCK);
	if (poll(&one, 1, 2500) != 0 || !passed(from, 5 * S / 2) || poll(&one, 1, -1) != 1 ||
	    one.revents != POLLOUT || !is_connected(one.fd) || !passed(from, 3 * S))
		return false;
	third = connect_to(&to, SOCK_NONBLOCK);
	epoll_ctl(epoll, EPOLL_CTL_ADD, third, &event);
	return epoll_wait(epoll, &event, 1, -1) == 1 && event.events == EPOLLOUT &&
	       is_connected(third) && passed(from, 4 * S) && reap(pid) && close(third) == 0 &&
	       close(one.fd) == 0 && close(first) == 0 && close(epoll) == 0 &&
	       close(listener) == 0;
}

bool row_tcp_accept(void)
{
	const struct timeval timeout = { 1, 0 };
	struct sockaddr_in to;
	int listener = listen_at(&to, 5), fd;
	struct pollfd one = { .fd = listener, .events = POLLIN };
	int64_t from = now();
	pid_t pid;

	setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	if (accept(listener, NULL, NULL) != -1 || errno != EAGAIN || !passed(from, S) ||
	    poll(&one, 1, 1500) != 0 || !passed(from, 5 * S / 2))
		return false;
	pid = fork();
	if (pid == 0) {
		sleep(2);
		_exit(connect_to(&to, 0) < 0);
	}
	if (poll(&one, 1, 10000) != 1 || !passed(from, 9 * S / 2))
		return false;
	fd = accept(listener, NULL, NULL);
	return fd >= 0 && passed(from, 9 * S / 2) && reap(pid) && close(fd) == 0 &&
	       close(listener) == 0;
}

static bool make_pair(int ret[2])
{
	struct sockaddr_in to;
	int listener = listen_at(&to, 1);

	ret[0] = connect_to(&to, 0);
	ret[1] = accept(listener, NULL, NULL);
	close(listener);
	return ret[0] >= 0 && ret[1] >= 0;
}

/* So long that timers of the kernel's TCP expire. */
static void take_real_time(void)
{
	for (volatile int i = 0; i < 50000000; i++)
		continue;
}

/* How much there is to be read after small pieces, of which the kernel keeps some back. */
static int burst(bool is_slow)
{
	char bytes[4096];
	int pair[2], there = -1;

	if (!make_pair(pair))
		return -1;
	for (int i = 0; i < 20; i++) {
		for (int to = 0; to < 2; to++) {
			if (write(pair[!to], "question", 8) != 8 || read(pair[to], bytes, 8) != 8)
				return -1;
		}
	}
	for (int i = 0; i < 50; i++) {
		if (send(pair[0], "little", 6, 0) != 6)
			return -1;
	}
	if (is_slow)
		take_real_time();
	ioctl(pair[1], FIONREAD, &there);
	close(pair[0]);
	close(pair[1]);
	return there;
}

bool row_tcp_burst(void)
{
	int there = burst(false), later = burst(true);

	if (there != 300 || later != 300)
		printf("# %d bytes, and later %d\n", there, later);
	return there == 300 && later == 300;
}

/* A writer is never ahead by more than 64 KiB, whatever the kernel has acknowledged. */
bool row_tcp_bulk(void)
{
	static char bytes[300000];
	int64_t from = now();
	int pair[2];
	pid_t pid;

	if (!make_pair(pair))
		return false;
	pid = fork();
	if (pid == 0) {
		close(pair[1]);
		for (int i = 0; i < 4; i++) {
			if (write(pair[0], bytes, 3000) != 3000 ||
			    send(pair[0], bytes, sizeof(bytes) - 3000, 0) !=
				    sizeof(bytes) - 3000 ||
			    write(pair[0], bytes, sizeof(bytes)) != sizeof(bytes))
				_exit(1);
		}
		_exit(0);
	}
	close(pair[0]);
	for (int left = 8 * (int)sizeof(bytes), i = 0; left > 0; i++) {
		int wanted = left < 65536 ? left : 65536, got;

		sleep(1);
		if (i % 12 == 3)
			take_real_time();
		got = (int)read(pair[1], bytes, 100000);
		if (got != wanted) {
			printf("# %d bytes, not %d\n", got, wanted);
			return false;
		}
		left -= got;
	}
	return passed(from, 37 * S) && reap(pid) && close(pair[1]) == 0;
}

/* '*ret_other': what has accepted it; neither end waits. */
static int connected(int *ret_other)
{
	struct sockaddr_in to;
	int listener = listen_at(&to, 1), fd = connect_to(&to, 0);

	*ret_other = accept(listener, NULL, NULL);
	close(listener);
	fcntl(*ret_other, F_SETFL, O_NONBLOCK);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	return fd;
}

/* What a peer sees of an end at once: by shutdown, by close, and by close with something unread. */
bool row_tcp_close(void)
{
	char byte = 'x';
	int fd, other;
	bool ok = true;

	for (int i = 0; i < 200 && ok; i++) {
		fd = connected(&other);
		ok = recv(other, &byte, 1, 0) == -1 && errno == EAGAIN &&
		     shutdown(fd, SHUT_WR) == 0 && recv(other, &byte, 1, 0) == 0 &&
		     send(other, &byte, 1, 0) == 1 && close(other) == 0 &&
		     recv(fd, &byte, 1, 0) == 1 && recv(fd, &byte, 1, 0) == 0;
		close(fd);
		fd = connected(&other);
		ok = ok && send(other, &byte, 1, 0) == 1 && close(fd) == 0 &&
		     recv(other, &byte, 1, 0) == -1 && errno == ECONNRESET;
		close(other);
	}
	return ok;
}

/* One that is killed: its peer is told before its parent is. */
bool row_tcp_killed(void)
{
	char byte = 'x';
	int fd, other;
	pid_t pid;
	bool ok;

	fd = connected(&other);
	pid = fork();
	if (pid == 0) {
		close(other);
		pause();
	}
	close(fd);
	sleep(1);
	ok = recv(other, &byte, 1, 0) == -1 && errno == EAGAIN && kill(pid, SIGKILL) == 0 &&
	     waitpid(pid, NULL, 0) == pid && recv(other, &byte, 1, 0) == 0;
	close(other);
	return ok;
}
