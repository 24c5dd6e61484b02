/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls of sockets on what this process has opened for the foreign program (foreign-umad.h):
 * netlink sockets of uevents. A umad file, or /dev/kmsg, is none.
 */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_SOCKET_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_SOCKET_H

#include <stdbool.h>

/* Is 'fd', which socket(2) has returned here, one that this process has to keep? */
bool foreign_socket_is_kept(int fd);

/* 'fd' is this process's. */
long foreign_socket_connect(int fd);
long foreign_socket_receive(int fd);
long foreign_socket_receive_message(int fd);
/* One at a time: recvmmsg. */
long foreign_socket_receive_messages(int fd);
/* Nothing can be sent: says why. */
long foreign_socket_refuse_send(int fd);

/* These on sockets of TCP as well, whose ports are the session's. */
long foreign_socket_bind(void);
long foreign_socket_name(void);
long foreign_socket_peer(void);
long foreign_socket_listen(void);

/* The calls on a descriptor with a high number. */
long foreign_socket_set(void);
long foreign_socket_get(void);
long foreign_socket_shutdown(void);

#endif
