/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Ports that the kernel chooses, and who has what comes to one that several share. */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/tools/bare-call.h"
#include "tests/tools/lockstep-calls.h"

static struct sockaddr_in loopback(int port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons((in_port_t)port),
	};
}

static int stream(void)
{
	return socket(AF_INET, SOCK_STREAM, 0);
}

/* 0, or errno. */
static int bind_to(int fd, int port)
{
	struct sockaddr_in at = loopback(port);

	return bind(fd, (struct sockaddr *)&at, sizeof(at)) < 0 ? errno : 0;
}

static int connect_to(int fd, int port)
{
	struct sockaddr_in at = loopback(port);

	return connect(fd, (struct sockaddr *)&at, sizeof(at));
}

static int port_by(int (*call)(int fd, struct sockaddr *address, socklen_t *size), int fd)
{
	struct sockaddr_in at = loopback(0);
	socklen_t size = sizeof(at);

	return call(fd, (struct sockaddr *)&at, &size) < 0 ? -1 : ntohs(at.sin_port);
}

static int own(int fd)
{
	return port_by(getsockname, fd);
}

static int peer(int fd)
{
	return port_by(getpeername, fd);
}

/* The number that is given next. */
static int next(void)
{
	int fd = stream(), port = bind_to(fd, 0) == 0 ? own(fd) : -2;

	close(fd);
	return port + 1;
}

static bool is(const char *what, int port, int wanted)
{
	if (port != wanted)
		printf("# %s: %d, not %d\n", what, port, wanted);
	return port == wanted;
}

/* Both ends of a connection to 'listener' see the same numbers. */
static bool connects(int listener, int to, int wanted)
{
	struct sockaddr_in from = loopback(0);
	socklen_t size = sizeof(from);
	int fd = stream(), other;
	bool ok;

	ok = connect_to(fd, to) == 0;
	other = accept(listener, (struct sockaddr *)&from, &size);
	ok = ok && is("accept", ntohs(from.sin_port), wanted) && is("its own", own(fd), wanted) &&
	     is("the peer's", peer(other), wanted) && is("the listener's", peer(fd), to) &&
	     is("where it came", own(other), to);
	close(fd);
	close(other);
	return ok;
}

/* In order: of one that is bound, of one that listens, and of connections. */
bool row_ports(void)
{
	int first = next(), bound = stream(), listener = stream(), fd = stream();
	bool ok;

	ok = bind_to(bound, 0) == 0 && is("bound", own(bound), first) &&
	     listen(listener, 5) == 0 && is("listens", own(listener), first + 1) &&
	     connects(listener, first + 1, first + 2) && connects(listener, first + 1, first + 3) &&
	     is("unbound", own(fd), 0) && bind_to(fd, first) == EADDRINUSE &&
	     bind_to(fd, first + 1) == EADDRINUSE;
	/* What a program chooses itself is given to nobody. */
	ok = ok && bind_to(fd, first + 4) == 0 && is("its own", own(fd), first + 4) &&
	     is("the one after that", next(), first + 6);
	close(bound);
	close(listener);
	close(fd);
	return ok;
}

/* A program beyond the session has a number already. */
bool row_ports_taken(void)
{
	int first = next(), taken = stream(), listener = stream(), again = stream(), one = 1;
	struct sockaddr_in at = loopback(first);
	pid_t pid;
	bool ok;

	setsockopt(taken, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	/* If it fails, somebody has it indeed. */
	bare_call(SYS_bind, taken, (long)&at, sizeof(at));
	ok = bind_to(listener, 0) == 0 && is("bound", own(listener), first) &&
	     listen(listener, 5) == 0 && connects(listener, first, first + 1) &&
	     bind_to(again, first) == EADDRINUSE;
	pid = fork();
	if (pid == 0)
		_exit(!connects(listener, first, first + 2));
	ok = reap(pid) && ok && close(listener) == 0 && bind_to(again, first) == 0 &&
	     is("bound again", own(again), first) && is("after it", next(), first + 4);
	close(taken);
	close(again);
	return ok;
}

enum { SENDERS = 10 };

/* Two that share a port, the first of which does not wait. */
static bool share(int type, int ret[2])
{
	int one = 1, port = 0;

	for (int i = 0; i < 2; i++) {
		ret[i] = socket(AF_INET, type | SOCK_NONBLOCK, 0);
		setsockopt(ret[i], SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one));
		if (bind_to(ret[i], port) != 0 ||
		    (type == SOCK_STREAM && listen(ret[i], SENDERS) < 0))
			return false;
		port = own(ret[i]);
	}
	return true;
}

/* The first of two has all datagrams and connections, whoever sends them. */
bool row_reuseport(void)
{
	int fds[2], listeners[2], got = 0, accepted = 0, fd;
	char byte = 'x';

	if (!share(SOCK_DGRAM, fds) || !share(SOCK_STREAM, listeners))
		return false;
	for (int i = 0; i < SENDERS; i++) {
		fd = socket(AF_INET, SOCK_DGRAM, 0);
		if (connect_to(fd, own(fds[0])) == 0)
			send(fd, &byte, 1, 0);
		close(fd);
		fd = stream();
		connect_to(fd, own(listeners[0]));
		close(fd);
	}
	while (recv(fds[0], &byte, 1, 0) == 1)
		got++;
	while ((fd = accept(listeners[0], NULL, NULL)) >= 0 && close(fd) == 0)
		accepted++;
	for (int i = 0; i < 2; i++) {
		close(fds[i]);
		close(listeners[i]);
	}
	return is("datagrams", got, SENDERS) && is("connections", accepted, SENDERS);
}
