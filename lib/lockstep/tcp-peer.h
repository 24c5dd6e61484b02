/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The other end of a connection of TCP on this machine, and those that listen there, as the
 * kernel's sock_diag(7) shows them. Where it shows nothing, since the peer is elsewhere or the
 * kernel has no sock_diag, nothing is waited for. Any thread may call these at any time.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_TCP_PEER_H
#define UMADRIG_LIB_LOCKSTEP_TCP_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

/*
 * Gives the kernel a millisecond of real time to deal with its packets. 'try' counts such pauses
 * from 0. False: that was half a second, longer than an acknowledgement is put off.
 */
bool tcp_peer_pause(int try);
/* Is it a socket of TCP? */
bool tcp_is(int fd);
/*
 * Would the one who listens there take a connection? If not, the kernel would drop the packet.
 * Where nobody listens, or it is not on this machine, true. 'length' is the address's, in bytes.
 */
bool tcp_listener_has_room(const struct sockaddr *address, socklen_t length);
/*
 * How many bytes a call on 'fd', a socket of TCP, may send: the peer is to have no more than 64 KiB
 * that it has not read. The kernel's own limit depends on when it acknowledges. SIZE_MAX: there is
 * no limit.
 */
size_t tcp_peer_room(int fd);
/*
 * 'fd', a socket of TCP, is connecting to 'address', whose 'length' is in bytes: can the one who
 * listens there accept it, or has it been refused? If it is not on this machine, true.
 */
bool tcp_peer_has_accepted(int fd, const struct sockaddr *address, socklen_t length);
/* Does the peer of 'fd', a socket of TCP, have all that the kernel has sent? */
bool tcp_peer_has_all(int fd);

/* The addresses of both ends of a connection. */
struct tcp_ends {
	struct sockaddr_storage own, peer;
};

/* False: 'fd', a socket of TCP, has none. */
bool tcp_peer_ends(int fd, struct tcp_ends *ret);
/*
 * Its own end has been closed or shut down, or others still have it: does the peer know all about
 * that? True as well if it cannot yet, since it has too much that it has not read.
 */
bool tcp_peer_knows_end(const struct tcp_ends *ends);
/*
 * Is there a connection over loopback that no process has, and whose peer does not know of its end,
 * though it could? It may be one of another session.
 */
bool tcp_peer_any_end_is_open(void);

#endif
