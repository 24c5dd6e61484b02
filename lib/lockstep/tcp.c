/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* TCP between programs of the session: see lib/lockstep/tcp.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <time.h>

#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tcp.h"
#include "lib/lockstep/turn.h"

enum {
	BUFFER_SIZE = 212992,	/* what Linux allows by default; the kernel doubles it */
	SETTLE_MS = 500,	/* longer than an acknowledgement is put off */
	UNREAD_MAX = 65536,	/* so much fits into any buffer, however small the pieces */
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
	CALL_5(SYS_setsockopt, fd, IPPROTO_TCP, TCP_CONGESTION, "reno", 4);
	set((int)fd, IPPROTO_TCP, TCP_NODELAY, 1);
	set((int)fd, SOL_SOCKET, SO_RCVBUF, BUFFER_SIZE);
	set((int)fd, SOL_SOCKET, SO_SNDBUF, BUFFER_SIZE);
	return (int)fd;
}

bool tcp_is(int fd)
{
	int protocol = 0;
	socklen_t size = sizeof(protocol);

	return CALL_5(SYS_getsockopt, fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0 &&
	       protocol == IPPROTO_TCP;
}

static bool get_info(int fd, struct tcp_info *ret)
{
	socklen_t size = sizeof(*ret);

	memset(ret, 0, sizeof(*ret));
	return CALL_5(SYS_getsockopt, fd, IPPROTO_TCP, TCP_INFO, ret, &size) == 0;
}

/*
 * Packets of this machine arrive while they are sent, but for those that have to wait until the
 * peer acknowledges others, which it does within milliseconds of real time. What its buffer has no
 * room for waits until it reads.
 */
void tcp_settle(int fd)
{
	if (!session_is_on() || !tcp_is(fd))
		return;
	for (int i = 0; i < SETTLE_MS; i++) {
		const struct timespec pause = { .tv_nsec = 1000000 };
		struct tcp_info info;
		int unsent = 0;

		if (CALL_3(SYS_ioctl, fd, SIOCOUTQNSD, &unsent) < 0 || unsent == 0 ||
		    !get_info(fd, &info) || info.tcpi_unacked < info.tcpi_snd_cwnd)
			return;
		CALL_2(SYS_nanosleep, &pause, NULL);
	}
}

/* ---- is there room in the backlog? ---- */

struct question {
	struct nlmsghdr header;
	struct inet_diag_req_v2 body;
};

struct answer {
	struct nlmsghdr header;
	struct inet_diag_msg body;
	char attributes[1024];
};

/* Who listens at an address of this machine; false: it leads elsewhere. */
static bool set_listener(struct inet_diag_req_v2 *request, const struct sockaddr *address,
			 socklen_t length)
{
	const struct sockaddr_in *v4 = (const void *)address;
	const struct sockaddr_in6 *v6 = (const void *)address;

	request->sdiag_family = (uint8_t)address->sa_family;
	if (address->sa_family == AF_INET && length >= sizeof(*v4)) {
		in_addr_t to = v4->sin_addr.s_addr ? v4->sin_addr.s_addr : htonl(INADDR_LOOPBACK);

		request->id.idiag_sport = v4->sin_port;
		request->id.idiag_src[0] = to;
		return ntohl(to) >> 24 == 127;
	}
	if (address->sa_family == AF_INET6 && length >= sizeof(*v6)) {
		const struct in6_addr *to = IN6_IS_ADDR_UNSPECIFIED(&v6->sin6_addr) ?
						    &in6addr_loopback : &v6->sin6_addr;

		request->id.idiag_sport = v6->sin6_port;
		memcpy(request->id.idiag_src, to, sizeof(*to));
		return IN6_IS_ADDR_LOOPBACK(to) ||
		       (IN6_IS_ADDR_V4MAPPED(to) && to->s6_addr[12] == 127);
	}
	return false;
}

static struct question question_of_tcp(void)
{
	return (struct question){
		.header = {
			.nlmsg_len = sizeof(struct question), .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			.nlmsg_flags = NLM_F_REQUEST,
		},
		.body = {
			.sdiag_protocol = IPPROTO_TCP, .idiag_states = ~0U,
			.id.idiag_cookie = { INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE },
		},
	};
}

static bool ask(const struct question *question, struct answer *ret)
{
	int fd = (int)CALL_3(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	long n = -1;

	if (fd < 0)
		return false;
	if (CALL_6(SYS_sendto, fd, question, sizeof(*question), 0, NULL, 0) > 0)
		n = CALL_6(SYS_recvfrom, fd, ret, sizeof(*ret), MSG_DONTWAIT, NULL, NULL);
	CALL_1(SYS_close, fd);
	return n >= (long)(sizeof(ret->header) + sizeof(ret->body)) &&
	       ret->header.nlmsg_type == SOCK_DIAG_BY_FAMILY;
}

/* If not, the kernel would drop the packet. Where nobody listens, it says so at once. */
bool tcp_has_room(const struct sockaddr *address, socklen_t length)
{
	struct question question = question_of_tcp();
	struct answer answer;

	return !set_listener(&question.body, address, length) || !ask(&question, &answer) ||
	       answer.body.idiag_state != TCP_LISTEN ||
	       answer.body.idiag_rqueue <= answer.body.idiag_wqueue;
}

/* ---- is there room at the peer? ---- */

/* False: it is no address of TCP's. */
static bool set_end(struct inet_diag_req_v2 *request, const struct sockaddr_storage *address,
		    bool is_source)
{
	const struct sockaddr_in *v4 = (const void *)address;
	const struct sockaddr_in6 *v6 = (const void *)address;
	uint32_t *to = is_source ? request->id.idiag_src : request->id.idiag_dst;
	in_port_t port;

	request->sdiag_family = (uint8_t)address->ss_family;
	if (address->ss_family == AF_INET) {
		to[0] = v4->sin_addr.s_addr;
		port = v4->sin_port;
	} else if (address->ss_family == AF_INET6) {
		memcpy(to, &v6->sin6_addr, sizeof(v6->sin6_addr));
		port = v6->sin6_port;
	} else {
		return false;
	}
	if (is_source)
		request->id.idiag_sport = port;
	else
		request->id.idiag_dport = port;
	return true;
}

size_t tcp_room(int fd)
{
	struct sockaddr_storage peer = { .ss_family = 0 }, own = { .ss_family = 0 };
	socklen_t peer_size = sizeof(peer), own_size = sizeof(own);
	struct question question = question_of_tcp();
	struct answer answer;

	if (!session_is_on() || !tcp_is(fd) ||
	    CALL_3(SYS_getpeername, fd, &peer, &peer_size) < 0 ||
	    CALL_3(SYS_getsockname, fd, &own, &own_size) < 0 ||
	    !set_end(&question.body, &peer, true) || !set_end(&question.body, &own, false) ||
	    !ask(&question, &answer) || answer.body.idiag_state == TCP_LISTEN)
		return SIZE_MAX;
	return answer.body.idiag_rqueue < UNREAD_MAX ? UNREAD_MAX - answer.body.idiag_rqueue : 0;
}

/* From the first try to the one of that number: 0, 1, 3, 7 ... seconds. */
int64_t tcp_delay_of(unsigned int number)
{
	return ((INT64_C(1) << number) - 1) * NS_PER_SECOND;
}

/* ---- connections that nobody waits for in connect(2) ---- */

static struct connection {
	uint64_t cookie;	/* of its socket; 0: free */
	int fd, pid;
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
			.start = lockstep->now, .next = turn_after(tcp_delay_of(1)), .tries = 1,
		};
		memcpy(&at->address, address, length);
		connection_count++;
		return;
	}
}

/* A new one from the same socket: the kernel would send its next packet in real time. */
static void start_again(const struct connection *connection)
{
	const struct sockaddr none = { .sa_family = AF_UNSPEC };
	long flags = CALL_2(SYS_fcntl, connection->fd, F_GETFL);

	CALL_3(SYS_connect, connection->fd, &none, sizeof(none));
	CALL_3(SYS_fcntl, connection->fd, F_SETFL, flags | O_NONBLOCK);
	CALL_3(SYS_connect, connection->fd, &connection->address, connection->length);
	CALL_3(SYS_fcntl, connection->fd, F_SETFL, flags);
}

static void try_again(struct connection *connection)
{
	struct tcp_info info;

	if (connection->pid != session_pid() || cookie_of(connection->fd) != connection->cookie ||
	    !get_info(connection->fd, &info) || info.tcpi_state != TCP_SYN_SENT ||
	    connection->tries > TCP_TRIES) {
		forget(connection);
		return;
	}
	if (tcp_has_room((struct sockaddr *)&connection->address, connection->length)) {
		start_again(connection);
		forget(connection);
		return;
	}
	connection->next = connection->start + tcp_delay_of(++connection->tries);
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
