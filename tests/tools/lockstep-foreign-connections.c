/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Of lockstep-foreign: connections of TCP that find no room, which connect(2) does not wait for. */
#include "tests/tools/lockstep-foreign.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sockaddr_in at;

/* There is room for one. */
static int make_listener(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t size = sizeof(at);

	memset(&at, 0, sizeof(at));
	at.sin_family = AF_INET;
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(fd, (struct sockaddr *)&at, sizeof(at)) < 0 || listen(fd, 0) < 0 ||
	    getsockname(fd, (struct sockaddr *)&at, &size) < 0)
		exit(1);
	return fd;
}

static int connect_by(int fd)
{
	int ret = connect(fd, (const struct sockaddr *)&at, sizeof(at));

	say("connect", ret < 0 ? -errno : ret);
	return fd;
}

static void say_error(int fd)
{
	int err = -1;
	socklen_t size = sizeof(err);

	say("option", getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &size));
	say("error", err);
	say("written", write(fd, "x", 1));
}

static pid_t accepts_late(int listener, int count)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	pause_us(2500000);
	for (int i = 0; i < count; i++) {
		say("accepted", accept(listener, NULL, NULL) >= 0);
		pause_us(1000000);
	}
	_exit(0);
}

void part_connections(void)
{
	const struct timeval soon = { 0, 500000 };
	int listener = make_listener(), epoll = epoll_create1(0), waits;
	int first = connect_by(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
	struct pollfd one = { .fd = first, .events = POLLOUT };
	struct epoll_event event;
	pid_t pid;

	memset(&event, 0, sizeof(event));
	say("polled", poll(&one, 1, -1));
	say_error(first);
	pid = accepts_late(listener, 4);
	/* One that is closed meanwhile takes no room. */
	close(connect_by(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0)));
	one.fd = connect_by(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
	connect_by(one.fd);
	say("polled", poll(&one, 1, 2500));
	say("polled", poll(&one, 1, -1));
	say_error(one.fd);
	event.events = EPOLLOUT;
	waits = connect_by(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
	epoll_ctl(epoll, EPOLL_CTL_ADD, waits, &event);
	say("polled", epoll_wait(epoll, &event, 1, -1));
	say_error(waits);
	/* One whose wait has an end goes on without it. */
	one.fd = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(one.fd, SOL_SOCKET, SO_SNDTIMEO, &soon, sizeof(soon));
	connect_by(one.fd);
	say("polled", poll(&one, 1, -1));
	say_error(one.fd);
	waitpid(pid, NULL, 0);
}
