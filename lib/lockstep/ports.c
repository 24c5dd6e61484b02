/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/lockstep/ports.h. */
#include <errno.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <string.h>

#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/ports.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tcp-peer.h"

enum { NO_PORT = 24 };	/* IP_BIND_ADDRESS_NO_PORT, which libc's header lacks */

/* ---- addresses ---- */

/* NULL: it has no port. Both families have it at the same place. */
static in_port_t *port_of(struct sockaddr *address, socklen_t length)
{
	struct sockaddr_in *v4 = (void *)address;

	if (!address || length < offsetof(struct sockaddr_in, sin_port) + sizeof(v4->sin_port) ||
	    (address->sa_family != AF_INET && address->sa_family != AF_INET6))
		return NULL;
	return &v4->sin_port;
}

/*
 * The kernel's numbers differ from run to run, and programs send what is left on the stack: what is
 * asked for is here, for the one who has the turn, and the functions below wipe.
 */
static struct sockaddr_storage found;

static uint16_t port_by(long call, int fd)
{
	socklen_t length = sizeof(found);
	const in_port_t *port;

	if (CALL_3(call, fd, &found, &length) < 0)
		return 0;
	port = port_of((struct sockaddr *)&found, length);
	return port ? ntohs(*port) : 0;
}

uint16_t ports_own(int fd)
{
	return tcp_is(fd) ? port_by(SYS_getsockname, fd) : 0;
}

/* ---- the session's numbers ---- */

static bool is_free(uint32_t port)
{
	uint32_t bit = port - PORTS_FIRST;

	return !(lockstep->port_named[bit / 32] & 1U << bit % 32);
}

/* A program has chosen it itself: it is given to none. */
static void note_named(uint16_t port)
{
	uint32_t bit = (uint32_t)port - PORTS_FIRST;

	if (port >= PORTS_FIRST && port < PORTS_END)
		lockstep->port_named[bit / 32] |= 1U << bit % 32;
}

/* The one that is given next; it is taken by take(). */
static uint16_t next_port(void)
{
	uint32_t port = PORTS_FIRST + lockstep->ports_given % (PORTS_END - PORTS_FIRST);

	for (uint32_t i = 0; !is_free(port) && i < PORTS_END - PORTS_FIRST; i++)
		port = port + 1 < PORTS_END ? port + 1 : PORTS_FIRST;
	return (uint16_t)port;
}

static void take(uint16_t port)
{
	lockstep->ports_given = port + 1U - PORTS_FIRST;
}

/* 'remote' 0: it is bound; else of a connection to that port. */
static void note(uint16_t real, uint16_t remote, uint16_t shown)
{
	lockstep->port[lockstep->ports++ % LOCKSTEP_PORTS] = (struct lockstep_port){
		.real = real, .remote = remote, .shown = shown,
	};
}

static uint32_t known(void)
{
	return lockstep->ports < LOCKSTEP_PORTS ? lockstep->ports : LOCKSTEP_PORTS;
}

/* The one that was noted 'i' others ago. */
static const struct lockstep_port *noted(uint32_t i)
{
	return &lockstep->port[(lockstep->ports - 1 - i) % LOCKSTEP_PORTS];
}

/* 0: there is none. 'remote' 0: it has none so far, or that is not known. */
static uint16_t shown_of(uint16_t real, uint16_t remote)
{
	for (uint32_t i = 0; i < known(); i++) {
		const struct lockstep_port *at = noted(i);

		if (at->real == real &&
		    (at->remote == remote || at->remote == 0 || remote == 0))
			return at->shown;
	}
	return 0;
}

/* The kernel's number of one that a program is bound to. */
static uint16_t real_of(uint16_t shown)
{
	for (uint32_t i = 0; i < known(); i++) {
		if (noted(i)->remote == 0 && noted(i)->shown == shown)
			return noted(i)->real;
	}
	return shown;
}

const struct sockaddr *ports_to_kernel(const struct sockaddr *address, socklen_t length,
				       struct sockaddr_storage *room)
{
	in_port_t *port;

	if (!session_is_on() || length > sizeof(*room))
		return address;
	memcpy(room, address, length);
	port = port_of((struct sockaddr *)room, length);
	if (!port || ntohs(*port) < PORTS_FIRST)
		return address;
	*port = htons(real_of(ntohs(*port)));
	return (struct sockaddr *)room;
}

/* ---- connections ---- */

void ports_connected_again(int fd, const struct sockaddr *to, socklen_t length, uint16_t shown)
{
	const in_port_t *remote = port_of((struct sockaddr *)to, length);
	uint16_t real = port_by(SYS_getsockname, fd);

	if (real != 0 && shown != 0 && remote)
		note(real, ntohs(*remote), shown);
	session_wipe();
}

void ports_connected(int fd, const struct sockaddr *to, socklen_t length)
{
	uint16_t shown = next_port();

	take(shown);
	ports_connected_again(fd, to, length, shown);
}

uint16_t ports_shown(int fd)
{
	uint16_t real = ports_own(fd), shown;

	if (real == 0 || lockstep->ports == 0)
		return real;
	shown = shown_of(real, port_by(SYS_getpeername, fd));
	return shown ? shown : real;
}

static void show_own(int fd, struct sockaddr *address, socklen_t room)
{
	in_port_t *port = port_of(address, room);

	if (port && *port != 0 && tcp_is(fd))
		*port = htons(ports_shown(fd));
	session_wipe();
}

void ports_show_peer(int fd, struct sockaddr *address, socklen_t room)
{
	in_port_t *port = port_of(address, room);
	uint16_t shown;

	if (!session_is_on() || lockstep->ports == 0 || !port || !tcp_is(fd))
		return;
	shown = shown_of(ntohs(*port), port_by(SYS_getsockname, fd));
	if (shown)
		*port = htons(shown);
	session_wipe();
}

/* ---- sockets that are bound ---- */

static int option_of(int fd, int level, int option)
{
	int value = 0;
	socklen_t size = sizeof(value);

	return CALL_5(SYS_getsockopt, fd, level, option, &value, &size) < 0 ? 0 : value;
}

static void set_option(int fd, int option, int value)
{
	CALL_5(SYS_setsockopt, fd, SOL_SOCKET, option, &value, sizeof(value));
}

/* Who would share a port with others is not to get one that somebody beyond the session has. */
static long bind_alone(int fd, const struct sockaddr_storage *address, socklen_t length)
{
	int reuses_address = option_of(fd, SOL_SOCKET, SO_REUSEADDR);
	int reuses_port = option_of(fd, SOL_SOCKET, SO_REUSEPORT);
	long r;

	if (reuses_address)
		set_option(fd, SO_REUSEADDR, 0);
	if (reuses_port)
		set_option(fd, SO_REUSEPORT, 0);
	r = CALL_3(SYS_bind, fd, address, length);
	if (reuses_port)
		set_option(fd, SO_REUSEPORT, reuses_port);
	if (reuses_address)
		set_option(fd, SO_REUSEADDR, reuses_address);
	return r;
}

/* To port 0: to the number that is next, if it can be had. */
static long bind_any(int fd, const struct sockaddr *address, socklen_t length)
{
	uint16_t shown = next_port();
	struct sockaddr_storage own;
	long r;

	if (length > sizeof(own))
		return CALL_3(SYS_bind, fd, address, length);
	memcpy(&own, address, length);
	*port_of((struct sockaddr *)&own, length) = htons(shown);
	r = bind_alone(fd, &own, length);
	if (r == -EADDRINUSE) {
		r = CALL_3(SYS_bind, fd, address, length);
		if (r == 0)
			note(port_by(SYS_getsockname, fd), 0, shown);
	} else if (r == 0) {
		/* What was known of that number is over. */
		note(shown, 0, shown);
	}
	if (r == 0)
		take(shown);
	session_wipe();
	return r;
}

static long bind_to(int fd, const struct sockaddr *address, socklen_t length)
{
	struct sockaddr_storage room;
	const struct sockaddr *to = ports_to_kernel(address, length, &room);
	in_port_t port = *port_of((struct sockaddr *)address, length);
	long r = CALL_3(SYS_bind, fd, to, length);

	if (r == 0 && *port_of((struct sockaddr *)to, length) == port) {
		note_named(ntohs(port));
		/* What the kernel gave to others before is over. */
		if (shown_of(ntohs(port), 0) != 0)
			note(ntohs(port), 0, ntohs(port));
	}
	session_wipe();
	return r;
}

/*
 * Where several sockets share a port (SO_REUSEPORT) the kernel gives each connection, or datagram,
 * to one of them by a hash with chance in it. Here the one that was there first has it.
 */
static void prefer_first(int fd)
{
	static struct sock_filter first = BPF_STMT(BPF_RET | BPF_K, 0);
	const struct sock_fprog program = { .len = 1, .filter = &first };

	if (option_of(fd, SOL_SOCKET, SO_REUSEPORT))
		CALL_5(SYS_setsockopt, fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &program,
		       sizeof(program));
}

static long bind_datagrams(int fd, const struct sockaddr *address, socklen_t length)
{
	long r = CALL_3(SYS_bind, fd, address, length);

	if (r == 0)
		prefer_first(fd);
	return r;
}

int hooked_bind(int fd, const struct sockaddr *address, socklen_t length)
{
	const in_port_t *port = session_is_on() ? port_of((struct sockaddr *)address, length) :
						  NULL;

	if (!port || (*port == 0 && option_of(fd, IPPROTO_IP, NO_PORT)))
		return (int)call_result(CALL_3(SYS_bind, fd, address, length));
	if (!tcp_is(fd))
		return (int)call_result(bind_datagrams(fd, address, length));
	return (int)call_result(*port == 0 ? bind_any(fd, address, length) :
					     bind_to(fd, address, length));
}

/* One that has no port is bound to any. */
static void bind_unbound(int fd)
{
	int domain = option_of(fd, SOL_SOCKET, SO_DOMAIN);
	struct sockaddr_in6 any = { .sin6_family = (sa_family_t)domain };

	if (domain == AF_INET)
		bind_any(fd, (struct sockaddr *)&any, sizeof(struct sockaddr_in));
	else if (domain == AF_INET6)
		bind_any(fd, (struct sockaddr *)&any, sizeof(any));
}

int hooked_listen(int fd, int backlog)
{
	bool is_tcp = session_is_on() && tcp_is(fd);
	long r;

	if (is_tcp && ports_own(fd) == 0)
		bind_unbound(fd);
	r = CALL_2(SYS_listen, fd, backlog);
	if (is_tcp && r == 0)
		prefer_first(fd);
	return (int)call_result(r);
}

/* ---- names ---- */

int hooked_getsockname(int fd, struct sockaddr *address, socklen_t *length)
{
	socklen_t room = length ? *length : 0;
	long r = CALL_3(SYS_getsockname, fd, address, length);

	if (r == 0 && session_is_on() && room > 0 && lockstep->ports > 0)
		show_own(fd, address, room < *length ? room : *length);
	return (int)call_result(r);
}

int hooked_getpeername(int fd, struct sockaddr *address, socklen_t *length)
{
	socklen_t room = length ? *length : 0;
	long r = CALL_3(SYS_getpeername, fd, address, length);

	if (r == 0 && room > 0)
		ports_show_peer(fd, address, room < *length ? room : *length);
	return (int)call_result(r);
}
