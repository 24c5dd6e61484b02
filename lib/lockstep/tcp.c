/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* TCP between programs of the session: see lib/lockstep/tcp.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>

#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/ports.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tcp-peer.h"
#include "lib/lockstep/tcp.h"
#include "lib/lockstep/turn.h"

enum {
	BUFFER_SIZE = 212992,	/* what Linux allows by default; the kernel doubles it */
	CONNECTIONS_MAX = 64,	/* of a process that wait for their peer at one time */
};

/* ---- data ---- */

static int set(int fd, int level, int option, int value)
{
	return (int)CALL_5(SYS_setsockopt, fd, level, option, &value, sizeof(value));
}

/*
 * Buffers and window do not follow round-trip times, packets are not paced, and nothing is held
 * back until the peer's acknowledgement, which a timer may send. Accepted sockets inherit it.
 */
static int hooked_socket(int domain, int type, int protocol)
{
	long fd = CALL_3(SYS_socket, domain, type, protocol);

	if (fd < 0 || !session_is_on() || (domain != AF_INET && domain != AF_INET6) ||
	    (type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) != SOCK_STREAM ||
	    (protocol != 0 && protocol != IPPROTO_TCP))
		return (int)call_result(fd);
	lockstep->has_tcp = 1;
	CALL_5(SYS_setsockopt, fd, IPPROTO_TCP, TCP_CONGESTION, "reno", 4);
	set((int)fd, IPPROTO_TCP, TCP_NODELAY, 1);
	set((int)fd, SOL_SOCKET, SO_RCVBUF, BUFFER_SIZE);
	set((int)fd, SOL_SOCKET, SO_SNDBUF, BUFFER_SIZE);
	return (int)fd;
}

static bool get_info(int fd, struct tcp_info *ret)
{
	socklen_t size = sizeof(*ret);

	memset(ret, 0, sizeof(*ret));
	return CALL_5(SYS_getsockopt, fd, IPPROTO_TCP, TCP_INFO, ret, &size) == 0;
}

/*
 * Packets of this machine arrive while they are sent, but for two kinds. Some wait until the peer
 * acknowledges others. When the kernel has many to deal with, they lie in a queue, which one of its
 * threads takes up (ksoftirqd; before Linux 6.4 all packets wait while it is at it). Both are a
 * matter of milliseconds of real time. What the peer's buffer has no room for waits until it reads.
 */
static bool has_arrived(int fd)
{
	struct tcp_info info;
	int unsent = 0;

	if (CALL_3(SYS_ioctl, fd, SIOCOUTQNSD, &unsent) < 0 || !get_info(fd, &info) ||
	    (unsent == 0 && info.tcpi_unacked == 0))
		return true;
	return (unsent == 0 || info.tcpi_unacked < info.tcpi_snd_cwnd) && tcp_peer_has_all(fd);
}

void tcp_settle(int fd)
{
	if (!session_is_on() || !lockstep->has_tcp || !tcp_is(fd))
		return;
	for (int try = 0; !has_arrived(fd) && tcp_peer_pause(try); try++)
		;
}

void tcp_settle_connection(int fd, const struct sockaddr *address, socklen_t length)
{
	for (int try = 0; !tcp_peer_has_accepted(fd, address, length) && tcp_peer_pause(try); try++)
		;
}

/* ---- connections that nobody waits for in connect(2) ---- */

/* From the first try to the one of that number: 0, 1, 3, 7 ... seconds. */
int64_t tcp_delay_of(unsigned int number)
{
	return ((INT64_C(1) << number) - 1) * NS_PER_SECOND;
}

static struct connection {
	uint64_t cookie;	/* of its socket; 0: free */
	int fd, pid;
	int pidfd;		/* whose 'fd' is; -1: this process's */
	unsigned int tries;
	int64_t start, next;
	socklen_t length;
	struct sockaddr_storage address;
} connections[CONNECTIONS_MAX];
static unsigned int connection_count;

static uint64_t cookie_of(int fd)
{
	static SESSION_THREAD uint64_t cookie;	/* programs send what is left on the stack */
	socklen_t size = sizeof(cookie);

	return CALL_5(SYS_getsockopt, fd, SOL_SOCKET, SO_COOKIE, &cookie, &size) < 0 ? 0 : cookie;
}

static void forget(struct connection *connection)
{
	connection->cookie = 0;
	connection_count--;
}

void tcp_remember(int fd, const struct sockaddr *address, socklen_t length)
{
	for (size_t i = 0; i < CONNECTIONS_MAX; i++) {
		struct connection *at = &connections[i];

		if (at->cookie || length > sizeof(at->address))
			continue;
		*at = (struct connection){
			.cookie = cookie_of(fd), .fd = fd, .pid = session_pid(), .length = length,
			.pidfd = -1,
			.start = lockstep->now, .next = turn_after(tcp_delay_of(1)), .tries = 1,
		};
		memcpy(&at->address, address, length);
		connection_count++;
		return;
	}
}

void tcp_remember_of(int fd, int pidfd, int number)
{
	uint64_t cookie = connection_count > 0 ? cookie_of(fd) : 0;

	for (size_t i = 0; i < CONNECTIONS_MAX && cookie; i++) {
		if (connections[i].cookie != cookie)
			continue;
		connections[i].fd = number;
		connections[i].pidfd = pidfd;
	}
}

/* A new one from the same socket: the kernel would send its next packet in real time. */
static void start_again(const struct connection *connection, int fd)
{
	const struct sockaddr none = { .sa_family = AF_UNSPEC };
	uint16_t shown = ports_shown(fd);
	long flags = CALL_2(SYS_fcntl, fd, F_GETFL);

	CALL_3(SYS_connect, fd, &none, sizeof(none));
	CALL_3(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
	CALL_3(SYS_connect, fd, &connection->address, connection->length);
	ports_connected_again(fd, (struct sockaddr *)&connection->address, connection->length,
			      shown);
	tcp_settle_connection(fd, (struct sockaddr *)&connection->address, connection->length);
	CALL_3(SYS_fcntl, fd, F_SETFL, flags);
}

static void try_by(struct connection *connection, int fd)
{
	struct tcp_info info;

	if (cookie_of(fd) != connection->cookie || !get_info(fd, &info) ||
	    info.tcpi_state != TCP_SYN_SENT || connection->tries > TCP_TRIES) {
		forget(connection);
		return;
	}
	if (tcp_listener_has_room((struct sockaddr *)&connection->address, connection->length)) {
		start_again(connection, fd);
		forget(connection);
		return;
	}
	connection->next = connection->start + tcp_delay_of(++connection->tries);
}

static void try_again(struct connection *connection)
{
	int fd = connection->fd;

	if (connection->pid != session_pid()) {
		forget(connection);
		return;
	}
	if (connection->pidfd >= 0)
		fd = (int)CALL_3(SYS_pidfd_getfd, connection->pidfd, fd, 0);
	try_by(connection, fd);
	if (connection->pidfd >= 0 && fd >= 0)
		CALL_1(SYS_close, fd);
}

int64_t tcp_try_again(void)
{
	int64_t next = LOCKSTEP_NEVER;

	for (size_t i = 0; i < CONNECTIONS_MAX && connection_count > 0; i++) {
		struct connection *at = &connections[i];

		while (at->cookie && at->next <= lockstep->now)
			try_again(at);
		if (at->cookie && at->next < next)
			next = at->next;
	}
	return next;
}

const struct hook tcp_hooks[] = {
	{ "socket", hooked_socket },
	{ NULL, NULL },
};
