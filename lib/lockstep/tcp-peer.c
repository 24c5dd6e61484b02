/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The other ends of connections of TCP: see lib/lockstep/tcp-peer.h. */
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tcp-peer.h"

enum {
	/* <netinet/tcp.h> has them, but with an older tcp_info than the kernel. */
	STATE_ESTABLISHED = 1,
	STATE_SYN_SENT = 2,
	STATE_SYN_RECV = 3,
	STATE_LISTEN = 10,
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

/* Asks for the socket at the other end of 'fd'; false: it cannot be had. */
static bool ask_for_peer(int fd, uint8_t attributes, struct answer *ret)
{
	struct sockaddr_storage peer = { .ss_family = 0 }, own = { .ss_family = 0 };
	socklen_t peer_size = sizeof(peer), own_size = sizeof(own);
	struct question question = question_of_tcp();

	question.body.idiag_ext = attributes;
	return CALL_3(SYS_getpeername, fd, &peer, &peer_size) == 0 &&
	       CALL_3(SYS_getsockname, fd, &own, &own_size) == 0 &&
	       set_end(&question.body, &peer, true) && set_end(&question.body, &own, false) &&
	       ask(&question, ret) && ret->body.idiag_state != STATE_LISTEN;
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
	    !ask_for_peer(fd, 1 << (INET_DIAG_INFO - 1), &answer) || !set_info(&answer, &peer))
		return true;
	return peer.tcpi_bytes_received >= own.tcpi_bytes_sent - own.tcpi_bytes_retrans;
}
