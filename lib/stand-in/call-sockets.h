/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls that make sockets and connections: made here, where the session sees to it that TCP goes by
 * its time (lib/lockstep/tcp.h).
 */
#ifndef UMADRIG_LIB_STAND_IN_CALL_SOCKETS_H
#define UMADRIG_LIB_STAND_IN_CALL_SOCKETS_H

#include <stdbool.h>
#include <sys/socket.h>

long call_sockets_socket(void);
long call_sockets_connect(void);
long call_sockets_accept(void);		/* and accept4 */
long call_sockets_accept4(void);

/*
 * From an address of the foreign program's to this process's: a path is from its directory. False:
 * it has no room in an address.
 */
bool call_sockets_make_own(struct sockaddr_storage *to, socklen_t *size);

#endif
