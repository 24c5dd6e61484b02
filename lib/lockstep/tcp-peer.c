/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The other ends of connections of TCP: see lib/lockstep/tcp-peer.h. */
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tcp-peer.h"

enum {
	/* <netinet/tcp.h> has them, but with an older tcp_info than the kernel. */
	STATE_ESTABLISHED = 1,
	STATE_SYN_SENT = 2,
	STATE_SYN_RECV = 3,
	STATE_FIN_WAIT1 = 4,
	STATE_TIME_WAIT = 6,
	STATE_CLOSE_WAIT = 8,
	STATE_LAST_ACK = 9,
	STATE_LISTEN = 10,
	STATE_CLOSING = 11,
	/* What has been sent of the end is not acknowledged. */
	STATES_ENDING = 1 << STATE_FIN_WAIT1 | 1 << STATE_LAST_ACK | 1 << STATE_CLOSING,
	INFO = 1 << (INET_DIAG_INFO - 1),	/* struct tcp_info is asked for */
	PAUSES = 500,
	UNREAD_MAX = 65536,	/* so much fits into any buffer, however small the pieces */
};

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
	       ret->header.nlmsg_len >= sizeof(ret->header) + sizeof(ret->body) &&
	       (size_t)n >= ret->header.nlmsg_len && ret->header.nlmsg_type == SOCK_DIAG_BY_FAMILY;
}

bool tcp_peer_pause(int try)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	CALL_2(SYS_nanosleep, &pause, NULL);
	return try < PAUSES - 1;
}

bool tcp_is(int fd)
{
	int protocol = 0;
	socklen_t size = sizeof(protocol);

	return CALL_5(SYS_getsockopt, fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0 &&
	       protocol == IPPROTO_TCP;
}

/* If not, the kernel would drop the packet. Where nobody listens, it says so at once. */
bool tcp_listener_has_room(const struct sockaddr *address, socklen_t length)
{
	struct question question = question_of_tcp();
	struct answer answer;

	return !set_listener(&question.body, address, length) || !ask(&question, &answer) ||
	       answer.body.idiag_state != STATE_LISTEN ||
	       answer.body.idiag_rqueue <= answer.body.idiag_wqueue;
}

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

bool tcp_peer_ends(int fd, struct tcp_ends *ret)
{
	socklen_t peer_size = sizeof(ret->peer), own_size = sizeof(ret->own);

	memset(ret, 0, sizeof(*ret));
	return CALL_3(SYS_getpeername, fd, &ret->peer, &peer_size) == 0 &&
	       CALL_3(SYS_getsockname, fd, &ret->own, &own_size) == 0;
}

/* Asks for the socket that has a connection from 'source'; false: there is none. */
static bool ask_for_end(const struct sockaddr_storage *source,
			const struct sockaddr_storage *destination, uint8_t attributes,
			struct answer *ret)
{
	struct question question = question_of_tcp();

	question.body.idiag_ext = attributes;
	return set_end(&question.body, source, true) &&
	       set_end(&question.body, destination, false) && ask(&question, ret) &&
	       ret->body.idiag_state != STATE_LISTEN;
}

/* Asks for the socket at the other end of 'fd'; false: it cannot be had. */
static bool ask_for_peer(int fd, uint8_t attributes, struct answer *ret)
{
	struct tcp_ends ends;

	return tcp_peer_ends(fd, &ends) && ask_for_end(&ends.peer, &ends.own, attributes, ret);
}

size_t tcp_peer_room(int fd)
{
	struct answer answer;

	if (!ask_for_peer(fd, 0, &answer))
		return SIZE_MAX;
	return answer.body.idiag_rqueue < UNREAD_MAX ? UNREAD_MAX - answer.body.idiag_rqueue : 0;
}

/* ---- what has arrived there ---- */

bool tcp_peer_has_accepted(int fd, const struct sockaddr *address, socklen_t length)
{
	struct question question = question_of_tcp();
	struct tcp_info own = { .tcpi_state = 0 };
	socklen_t size = sizeof(own);
	struct answer answer;

	if (!set_listener(&question.body, address, length) ||
	    CALL_5(SYS_getsockopt, fd, IPPROTO_TCP, TCP_INFO, &own, &size) < 0)
		return true;
	if (own.tcpi_state != STATE_ESTABLISHED)
		return own.tcpi_state != STATE_SYN_SENT;
	return !ask_for_peer(fd, 0, &answer) || answer.body.idiag_state != STATE_SYN_RECV;
}

/* Fields that the kernel does not know stay 0. */
static bool set_info(const struct answer *answer, struct tcp_info *ret)
{
	size_t left = answer->header.nlmsg_len - sizeof(answer->header) - sizeof(answer->body);
	const char *at = answer->attributes;
	struct nlattr attribute;

	memset(ret, 0, sizeof(*ret));
	while (left >= sizeof(attribute)) {
		size_t size, whole;

		memcpy(&attribute, at, sizeof(attribute));
		if (attribute.nla_len < sizeof(attribute) || attribute.nla_len > left)
			return false;
		size = attribute.nla_len - sizeof(attribute);
		if (attribute.nla_type == INET_DIAG_INFO) {
			memcpy(ret, at + sizeof(attribute),
			       size < sizeof(*ret) ? size : sizeof(*ret));
			return true;
		}
		whole = NLA_ALIGN(attribute.nla_len);
		if (whole > left)
			return false;
		at += whole;
		left -= whole;
	}
	return false;
}

/* Neither counts what was sent again. Kernels before 4.19 do not count what is sent. */
bool tcp_peer_has_all(int fd)
{
	struct tcp_info own = { .tcpi_state = 0 }, peer;
	socklen_t size = sizeof(own);
	struct answer answer;

	if (CALL_5(SYS_getsockopt, fd, IPPROTO_TCP, TCP_INFO, &own, &size) < 0 ||
	    !ask_for_peer(fd, INFO, &answer) || !set_info(&answer, &peer))
		return true;
	return peer.tcpi_bytes_received >= own.tcpi_bytes_sent - own.tcpi_bytes_retrans;
}

/* ---- the end ---- */

/* Where the peer has read too little, the end comes after what it has to read. */
static bool has_no_room(const struct answer *own, const struct answer *peer)
{
	struct tcp_info info;

	return (set_info(own, &info) && info.tcpi_notsent_bytes > 0) ||
	       peer->body.idiag_rqueue + own->body.idiag_wqueue > UNREAD_MAX;
}

/*
 * Of a connection that was closed with something unread nothing is left at once, and the peer
 * learns that it was reset.
 */
bool tcp_peer_knows_end(const struct tcp_ends *ends)
{
	struct answer own, peer;

	if (!ask_for_end(&ends->own, &ends->peer, INFO, &own))
		return !ask_for_end(&ends->peer, &ends->own, 0, &peer) ||
		       peer.body.idiag_state == STATE_TIME_WAIT;
	if (!(1 << own.body.idiag_state & STATES_ENDING))
		return true;
	return !ask_for_end(&ends->peer, &ends->own, 0, &peer) || has_no_room(&own, &peer);
}

static bool is_loopback(const struct inet_diag_msg *body)
{
	static const uint32_t mapped = 0xffff;

	if (body->idiag_family == AF_INET)
		return ntohl(body->id.idiag_dst[0]) >> 24 == 127;
	return IN6_IS_ADDR_LOOPBACK((const struct in6_addr *)body->id.idiag_dst) ||
	       (ntohl(body->id.idiag_dst[2]) == mapped &&
		ntohl(body->id.idiag_dst[3]) >> 24 == 127);
}

/* 'own': in one of STATES_ENDING. */
static bool is_open(const struct answer *own)
{
	const struct inet_diag_msg *body = &own->body;
	struct question question = question_of_tcp();
	struct answer peer;

	if (body->idiag_inode != 0 || !is_loopback(body))
		return false;
	question.body.sdiag_family = body->idiag_family;
	question.body.id.idiag_sport = body->id.idiag_dport;
	question.body.id.idiag_dport = body->id.idiag_sport;
	memcpy(question.body.id.idiag_src, body->id.idiag_dst, sizeof(body->id.idiag_dst));
	memcpy(question.body.id.idiag_dst, body->id.idiag_src, sizeof(body->id.idiag_src));
	return ask(&question, &peer) && !has_no_room(own, &peer);
}

/* Returns whether one of the messages names one that is; '*ret_more': others follow. */
static bool any_is_open(const char *bytes, size_t size, bool *ret_more)
{
	const size_t least = sizeof(struct nlmsghdr) + sizeof(struct inet_diag_msg);
	struct answer own;

	*ret_more = true;
	for (size_t at = 0; size - at >= sizeof(own.header);) {
		memcpy(&own.header, bytes + at, sizeof(own.header));
		*ret_more = own.header.nlmsg_type == SOCK_DIAG_BY_FAMILY &&
			    own.header.nlmsg_len >= least && own.header.nlmsg_len <= size - at &&
			    own.header.nlmsg_len <= sizeof(own);
		if (!*ret_more)
			return false;
		memcpy(&own, bytes + at, own.header.nlmsg_len);
		if (is_open(&own))
			return true;
		at += NLMSG_ALIGN(own.header.nlmsg_len);
		if (at > size)
			break;
	}
	return false;
}

static bool any_of_family_is_open(uint8_t family)
{
	static char bytes[8192];
	struct question question = question_of_tcp();
	int fd = (int)CALL_3(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	bool found = false, more = fd >= 0;

	question.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	question.body.sdiag_family = family;
	question.body.idiag_states = STATES_ENDING;
	question.body.idiag_ext = INFO;
	memset(&question.body.id, 0, sizeof(question.body.id));
	more = more && CALL_6(SYS_sendto, fd, &question, sizeof(question), 0, NULL, 0) > 0;
	while (more && !found) {
		long n = CALL_6(SYS_recvfrom, fd, bytes, sizeof(bytes), MSG_DONTWAIT, NULL, NULL);

		if (n <= 0)
			break;
		found = any_is_open(bytes, (size_t)n, &more);
	}
	if (fd >= 0)
		CALL_1(SYS_close, fd);
	return found;
}

bool tcp_peer_any_end_is_open(void)
{
	return any_of_family_is_open(AF_INET) || any_of_family_is_open(AF_INET6);
}
