/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * TCP between programs of the session. The kernel's TCP goes by real time: it sends again when its
 * timers say so, and how much is on its way depends on round-trip times. Here neither does.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_TCP_H
#define UMADRIG_LIB_LOCKSTEP_TCP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "lib/lockstep/hooks.h"

/*
 * To be called after data were sent by 'fd', which may be any descriptor: what the peer can take
 * has arrived when it returns.
 */
void tcp_settle(int fd);
/*
 * To be called when 'fd', a socket of TCP, connects or has connected to 'address', where there is
 * room: the one who listens there can accept it when this returns. 'length' is in bytes.
 */
void tcp_settle_connection(int fd, const struct sockaddr *address, socklen_t length);

/*
 * From the first try to the one of that number, in ns: 0, 1, 3, 7 ... s, as Linux does by default.
 * There are so many after the first.
 */
enum { TCP_TRIES = 6 };
int64_t tcp_delay_of(unsigned int number);
/* The kernel is connecting 'fd', but there was no room: it is to be tried again. */
void tcp_remember(int fd, const struct sockaddr *address, socklen_t length);
/*
 * The one that was remembered last is of another process's, which has it as 'number', while 'fd' is
 * a copy that will be closed: 'pidfd' is that process. Nothing if it was not of 'fd'.
 */
void tcp_remember_of(int fd, int pidfd, int number);
/* Tries those connections again that are due; when the next one is, or LOCKSTEP_NEVER. */
int64_t tcp_try_again(void);

extern const struct hook tcp_hooks[];

#endif
