/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One message through a socket of AF_UNIX, and the one descriptor that may go with it.
 *
 * Both functions may be called from any thread and from a signal handler. They allocate nothing,
 * make one system call (and close(2) for descriptors that nobody asked for), and do not repeat it
 * after a signal: -EINTR is the caller's to handle.
 */
#ifndef UMADRIG_LIB_BASE_SOCKET_MESSAGE_H
#define UMADRIG_LIB_BASE_SOCKET_MESSAGE_H

#include <stddef.h>
#include <sys/uio.h>

enum {
	SOCKET_MESSAGE_FDS_MAX = 253,	/* that the kernel lets go with one message: SCM_MAX_FD */
};

/*
 * Sends 'count' parts as one message, with a copy of 'fd', which stays the caller's (-1: none).
 * 'flags' as for sendmsg(2); a peer that has gone is -EPIPE, never a signal. 0 or -errno.
 */
int socket_message_send(int socket, const struct iovec *parts, size_t count, int fd, int flags);

/*
 * Receives one message into 'count' parts; 'flags' as for recvmsg(2). Its size in bytes, 0 at the
 * end of file, or -errno. '*ret_fd': the descriptor that came with it, close-on-exec and the
 * caller's from now on, or -1. '*ret_flags': of the message, as recvmsg(2) says.
 *
 * A message comes with its one descriptor or with none: one that was longer than the parts
 * (MSG_TRUNC), that carried more than one descriptor, or whose descriptor this process had no
 * room for (MSG_CTRUNC in both cases) has -1 in '*ret_fd', and whatever came with it is closed.
 */
long socket_message_receive(int socket, struct iovec *parts, size_t count, int flags, int *ret_fd,
			    int *ret_flags);

/*
 * As socket_message_receive(), but closes nothing: all descriptors that came are the caller's. For
 * receivers that must not wait, as close(2) of another program's file may.
 */
long socket_message_receive_all(int socket, struct iovec *parts, size_t count, int flags,
				int ret_fds[SOCKET_MESSAGE_FDS_MAX], size_t *ret_fd_count,
				int *ret_flags);

#endif
