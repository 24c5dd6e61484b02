/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One message through a socket of AF_UNIX, and the one descriptor that may go with it.
 *
 * Both functions may be called from any thread and from a signal handler. They do not allocate
 * memory, make one system call (and close(2) for unexpected descriptors), and do not repeat it
 * after a signal: the caller handles -EINTR.
 */
#ifndef UMADRIG_LIB_BASE_SOCKET_MESSAGE_H
#define UMADRIG_LIB_BASE_SOCKET_MESSAGE_H

#include <stddef.h>
#include <sys/uio.h>

enum {
	SOCKET_MESSAGE_FDS_MAX = 253,	/* in one message, the kernel's SCM_MAX_FD */
};

/*
 * Sends 'count' parts as one message, with a copy of 'fd', which stays the caller's (-1: none).
 * 'flags' as for sendmsg(2); a peer that has gone is -EPIPE, never a signal. 0 or -errno.
 */
int socket_message_send(int socket, const struct iovec *parts, size_t count, int fd, int flags);

/*
 * Receives one message into 'count' parts; 'flags' as for recvmsg(2). Its size in bytes, 0 at the
 * end of file, or -errno. '*ret_fd': the descriptor that came with it, close-on-exec and owned by
 * the caller, or -1. '*ret_flags': the message's flags from recvmsg(2).
 *
 * A message comes with its one descriptor or with none: if it was longer than the parts
 * (MSG_TRUNC), carried more than one descriptor, or had one that this process had no room for
 * (MSG_CTRUNC in both cases), '*ret_fd' is -1, and all descriptors that came with it are closed.
 */
long socket_message_receive(int socket, struct iovec *parts, size_t count, int flags, int *ret_fd,
			    int *ret_flags);

/*
 * As socket_message_receive(), but closes nothing: all descriptors that came are the caller's. For
 * receivers that must not block, because close(2) of another program's file may.
 */
long socket_message_receive_all(int socket, struct iovec *parts, size_t count, int flags,
				int ret_fds[SOCKET_MESSAGE_FDS_MAX], size_t *ret_fd_count,
				int *ret_flags);

#endif
