/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Netlink sockets of uevents, of programs in virtual time: they tell of the devices of their
 * simulated host alone, when those come and go in the session.
 *
 * A socket of another kind stands for it (lib/attach/protocol.h, UEVENT), which waiting and polling
 * are the kernel's of. What a program asks of it is answered here as Linux 6.1 answers it. Nothing
 * can be sent (EPERM), as by those who are not root.
 */
#ifndef UMADRIG_LIB_RAW_NETLINK_SOCKET_H
#define UMADRIG_LIB_RAW_NETLINK_SOCKET_H

#include <stddef.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* Functions return a result, or -errno, if nothing else is said. */

#define NETLINK_SOCKET_NOT (-2)
/* The same of an option: it is the kernel's, of the socket that stands for it. */
#define NETLINK_SOCKET_ANY 1

/*
 * socket(2) of uevents; -1 with errno, or NETLINK_SOCKET_NOT: another one, or no virtual time.
 * errno stays then.
 */
int netlink_socket_open(int domain, int type, int protocol);

/* Of a descriptor that is one (descriptor_is()). */
long netlink_socket_bind(int fd, const struct sockaddr *address, socklen_t size);
long netlink_socket_connect(int fd, const struct sockaddr *address, socklen_t size);
long netlink_socket_name(int fd, struct sockaddr *address, socklen_t *size, bool is_peer);
long netlink_socket_set(int fd, int level, int option, const void *value, socklen_t size);
long netlink_socket_get(int fd, int level, int option, void *value, socklen_t *size);

long netlink_socket_read(int fd, const struct iovec *parts, int count);
long netlink_socket_receive(int fd, void *bytes, size_t size, int flags, struct sockaddr *from,
			    socklen_t *from_size);
long netlink_socket_receive_message(int fd, struct msghdr *message, int flags);
long netlink_socket_receive_messages(int fd, struct mmsghdr *messages, unsigned int count,
				     int flags, struct timespec *timeout);

#endif
