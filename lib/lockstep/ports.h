/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Ports of TCP that the kernel chooses, by chance: for a socket that connects without one, that is
 * bound to port 0, or that listens without one. Programs see the session's numbers for them, from
 * PORTS_FIRST on in the order in which they are given. The kernel may have given another one, for a
 * connection always, and else if somebody beyond the session has that port; then it is translated.
 *
 * A program that is bound to, or connects to, a number that another one has been given gets to that
 * one. The latest LOCKSTEP_PORTS are known; an older one that is not the kernel's own number shows
 * that.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_PORTS_H
#define UMADRIG_LIB_LOCKSTEP_PORTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

/* As Linux's ip_local_port_range is by default. */
enum { PORTS_FIRST = 32768, PORTS_END = 61000 };

/*
 * Where a program connects to, as the kernel has it: 'address', of 'length' bytes, or a copy in
 * '*room' with another port.
 */
const struct sockaddr *ports_to_kernel(const struct sockaddr *address, socklen_t length,
				       struct sockaddr_storage *room);

/* The port of a socket of TCP, as the kernel has it; 0: none so far, or it is another socket. */
uint16_t ports_own(int fd);
/*
 * It has connected, or begun to, to 'to' of 'length' bytes, as the kernel has that, and had no port
 * of its own before: it gets a number.
 */
void ports_connected(int fd, const struct sockaddr *to, socklen_t length);
/* The same where it had 'shown' before: it keeps that. */
void ports_connected_again(int fd, const struct sockaddr *to, socklen_t length, uint16_t shown);
/* The number that programs see as its own; 0: none. */
uint16_t ports_shown(int fd);

/* The address of the peer of 'fd', which has been accepted, with the number that programs see. */
void ports_show_peer(int fd, struct sockaddr *address, socklen_t room);

/* In the place of libc's functions (sockets_hooks). */
int hooked_bind(int fd, const struct sockaddr *address, socklen_t length);
int hooked_listen(int fd, int backlog);
int hooked_getsockname(int fd, struct sockaddr *address, socklen_t *length);
int hooked_getpeername(int fd, struct sockaddr *address, socklen_t *length);

#endif
