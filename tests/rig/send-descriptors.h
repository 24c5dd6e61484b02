/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A message with more descriptors than lib/base/socket-message.h sends, for tests of receivers.
 */
#ifndef UMADRIG_TESTS_RIG_SEND_DESCRIPTORS_H
#define UMADRIG_TESTS_RIG_SEND_DESCRIPTORS_H

#include <glib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum { SEND_DESCRIPTORS_MAX = 253 };	/* of one message in Linux */

/* Sends 'size' bytes with 'count' copies of 'fd', which stays the caller's. */
static inline void send_descriptors(int socket, const void *bytes, size_t size, int fd,
				    size_t count)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(SEND_DESCRIPTORS_MAX * sizeof(int))];
	} control = { .bytes = { 0 } };
	struct iovec part = { .iov_base = (void *)bytes, .iov_len = size };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	if (count > 0) {
		message.msg_control = control.bytes;
		message.msg_controllen = CMSG_SPACE(count * sizeof(int));
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(count * sizeof(int));
		for (size_t i = 0; i < count; i++)
			memcpy(CMSG_DATA(&control.header) + i * sizeof(int), &fd, sizeof(int));
	}
	g_assert_cmpint(sendmsg(socket, &message, MSG_NOSIGNAL), ==, (ssize_t)size);
}

#endif
