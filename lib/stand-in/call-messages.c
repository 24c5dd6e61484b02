/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-messages.h. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

#include "lib/stand-in/call-messages.h"
#include "lib/stand-in/call-sockets.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-notices.h"
#include "lib/stand-in/foreign-view.h"

#ifndef SCM_PIDFD
#define SCM_PIDFD 4		/* Linux 6.5 */
#endif

enum {
	COPY_MAX = 1 << 20,
	PARTS_MAX = 1024,	/* UIO_MAXIOV */
	/* More than 253 descriptors, Linux' SCM_MAX_FD, with credentials, and a label. */
	CONTROL_MAX = 4096,
	SENT_MAX = 1024,	/* what lib/lockstep/credentials.h looks at */
};

/* ---- receiving ---- */

bool call_messages_wait_for_all(const struct foreign_descriptor *descriptor, int flags)
{
	return (flags & (MSG_WAITALL | MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT)) == MSG_WAITALL &&
	       descriptor->is_socket && descriptor->is_stream && !descriptor->never_waits;
}

/* Leaves out the first n bytes. */
static void skip(struct iovec *parts, size_t count, size_t n)
{
	for (size_t i = 0; i < count && n > 0; i++) {
		size_t part = parts[i].iov_len < n ? parts[i].iov_len : n;

		parts[i].iov_base = (char *)parts[i].iov_base + part;
		parts[i].iov_len -= part;
		n -= part;
	}
}

/*
 * Up to so many bytes, in parts of the foreign program's: what has come when a piece was cut short.
 * Changes the parts.
 */
static long receive_pieces(int fd, struct iovec *parts, size_t count, int flags)
{
	uint8_t *bytes = malloc(COPY_MAX);
	long done = 0, n;
	size_t size;

	if (!bytes)
		return -ENOMEM;
	do {
		size = foreign_memory_room(parts, count, COPY_MAX);
		n = foreign_call_result(recv(fd, bytes, size, flags));
		if (n > 0 && foreign_memory_put_parts(parts, count, bytes, (size_t)n) < 0)
			n = -EFAULT;
		if (n > 0) {
			done += n;
			skip(parts, count, (size_t)n);
		}
	} while (n == COPY_MAX);
	free(bytes);
	return done > 0 ? done : n;
}

long call_messages_receive_all(const struct foreign_descriptor *descriptor)
{
	struct iovec part = { (void *)(uintptr_t)foreign_argument(1), (size_t)foreign_argument(2) };
	long n = receive_pieces(descriptor->fd, &part, 1, (int)foreign_argument(3));
	struct sockaddr_storage peer;
	socklen_t size = sizeof(peer);

	/* A stream of TCP has no names; that of others is the peer's. */
	if (n >= 0 && foreign_argument(4)) {
		if (descriptor->is_tcp || getpeername(descriptor->fd, (struct sockaddr *)&peer,
						      &size) < 0 ||
		    size <= sizeof(peer.ss_family))
			size = 0;
		if (foreign_memory_put_address(foreign_argument(4), foreign_argument(5), &peer,
					       size) < 0)
			return -EFAULT;
	}
	return n == -EINTR ? CALL_RESTARTS : n;
}

bool call_messages_come_here(const struct foreign_descriptor *descriptor, int flags)
{
	socklen_t size = sizeof(int);
	int passes = 0;

	if (!descriptor->is_socket || descriptor->is_server)
		return false;
	return call_messages_wait_for_all(descriptor, flags) ||
	       (getsockopt(descriptor->fd, SOL_SOCKET, SO_PASSCRED, &passes, &size) == 0 && passes);
}

struct message {
	struct msghdr there;		/* the foreign program's */
	struct iovec parts[PARTS_MAX];	/* its */
	size_t room;			/* in these */
	struct msghdr here;
	struct iovec all;
	struct sockaddr_storage name;
	_Alignas(struct cmsghdr) uint8_t control[CONTROL_MAX];
	uint8_t bytes[COPY_MAX];
};

/* False: something is wrong with it. */
static bool get_parts(struct message *message)
{
	size_t count = message->there.msg_iovlen;

	if (count > PARTS_MAX || (int)message->there.msg_namelen < 0 ||
	    foreign_memory_get((uint64_t)(uintptr_t)message->there.msg_iov, message->parts,
			       count * sizeof(*message->parts)) < 0)
		return false;
	message->room = foreign_memory_room(message->parts, count, COPY_MAX);
	message->all = (struct iovec){ message->bytes, message->room };
	message->here = (struct msghdr){ .msg_iov = &message->all, .msg_iovlen = 1 };
	return true;
}

/* Into the foreign program, as many as it has room for. True: all of them. */
static bool put_descriptors(struct cmsghdr *part, bool closes_on_exec)
{
	size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int), had = 0;

	for (size_t i = 0; i < count; i++) {
		int *fd = (int *)(void *)CMSG_DATA(part) + i, own = *fd;

		if (had == i)
			*fd = foreign_call_put_descriptor(own, closes_on_exec);
		if (had == i && *fd >= 0)
			had++;
		if (own >= 0)
			foreign_notices_close(own);
	}
	if (had < count)
		part->cmsg_len = CMSG_LEN(had * sizeof(int));
	return had == count;
}

static void take_control(struct msghdr *got, int flags)
{
	bool closes_on_exec = flags & MSG_CMSG_CLOEXEC;

	if (!closes_on_exec)
		got->msg_flags &= ~MSG_CMSG_CLOEXEC;
	for (struct cmsghdr *part = CMSG_FIRSTHDR(got); part; part = CMSG_NXTHDR(got, part)) {
		if (part->cmsg_level != SOL_SOCKET ||
		    (part->cmsg_type != SCM_RIGHTS && part->cmsg_type != SCM_PIDFD))
			continue;
		if (!put_descriptors(part, closes_on_exec || part->cmsg_type == SCM_PIDFD))
			got->msg_flags |= MSG_CTRUNC;
	}
}

static long receive(int fd, struct message *message, int flags)
{
	struct msghdr *there = &message->there, *here = &message->here;
	long n, more;
	size_t size;

	if (foreign_memory_get(foreign_argument(1), there, sizeof(*there)) < 0 ||
	    !get_parts(message))
		return CALL_GOES_ON;	/* the kernel knows what is wrong with it */
	/* Between parts the kernel writes nothing. */
	memset(message->control, 0, sizeof(message->control));
	here->msg_name = &message->name;
	here->msg_namelen = sizeof(message->name);
	here->msg_control = there->msg_control ? message->control : NULL;
	here->msg_controllen = !there->msg_control ? 0 :
			       there->msg_controllen < CONTROL_MAX ? there->msg_controllen :
								     CONTROL_MAX;
	n = foreign_call_restarting(recvmsg(fd, here, flags | MSG_CMSG_CLOEXEC));
	if (n < 0)
		return n;
	take_control(here, flags);
	size = (size_t)n < message->room ? (size_t)n : message->room;
	if (foreign_memory_put_message(foreign_argument(1), there, message->parts, here,
				       message->bytes, size) < 0)
		return -EFAULT;
	if (n < COPY_MAX || !(flags & MSG_WAITALL) || here->msg_controllen > 0)
		return n;
	skip(message->parts, there->msg_iovlen, (size_t)n);
	more = receive_pieces(fd, message->parts, there->msg_iovlen, flags);
	return more > 0 ? n + more : n;
}

long call_messages_receive(const struct foreign_descriptor *descriptor)
{
	struct message *message = malloc(sizeof(*message));
	long n = message ? receive(descriptor->fd, message, (int)foreign_argument(2)) : -ENOMEM;

	free(message);
	return n;
}

/* ---- sending ---- */

static bool is_of(const struct cmsghdr *part, int type, size_t size)
{
	return part->cmsg_level == SOL_SOCKET && part->cmsg_type == type &&
	       part->cmsg_len >= CMSG_LEN(size);
}

/* Are there credentials? -EINVAL: a part claims to be larger than what there is. */
static long look_at_control(struct msghdr *here)
{
	const char *end = (const char *)here->msg_control + here->msg_controllen;
	long has = 0;

	for (struct cmsghdr *part = CMSG_FIRSTHDR(here); part; part = CMSG_NXTHDR(here, part)) {
		if (part->cmsg_len < sizeof(*part) ||
		    part->cmsg_len > (size_t)(end - (const char *)part))
			return -EINVAL;
		if (is_of(part, SCM_CREDENTIALS, sizeof(struct ucred)))
			has = 1;
	}
	return has;
}

/*
 * Copies of the descriptors that go with it; or, to be called afterwards, closes them. One that the
 * foreign program has not is none here either.
 */
static void copy_descriptors(struct msghdr *here, bool begins)
{
	for (struct cmsghdr *part = CMSG_FIRSTHDR(here); part; part = CMSG_NXTHDR(here, part)) {
		int *fd = (int *)(void *)CMSG_DATA(part);

		if (!is_of(part, SCM_RIGHTS, 0))
			continue;
		for (size_t i = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int); i > 0; i--, fd++) {
			if (begins)
				*fd = (int)CALL_3(SYS_pidfd_getfd, foreign.pidfd, *fd, 0);
			else if (*fd >= 0)
				foreign_notices_close(*fd);
		}
	}
}

/* False: it cannot be read. */
static bool get_control(struct message *message)
{
	struct msghdr *there = &message->there, *here = &message->here;

	if (!get_parts(message) || there->msg_namelen > sizeof(message->name) ||
	    foreign_memory_get((uint64_t)(uintptr_t)there->msg_control, message->control,
			       there->msg_controllen) < 0)
		return false;
	here->msg_control = message->control;
	here->msg_controllen = there->msg_controllen;
	return true;
}

/* To whom, and what. False: it cannot be read. */
static bool get_message(struct message *message)
{
	struct msghdr *there = &message->there, *here = &message->here;
	uint8_t *at = message->bytes;

	for (size_t i = 0, left = message->room; i < there->msg_iovlen && left > 0; i++) {
		size_t part = message->parts[i].iov_len < left ? message->parts[i].iov_len : left;

		if (foreign_memory_get((uint64_t)(uintptr_t)message->parts[i].iov_base, at,
				       part) < 0)
			return false;
		at += part;
		left -= part;
	}
	if (!there->msg_name || there->msg_namelen == 0)
		return true;
	here->msg_name = &message->name;
	here->msg_namelen = there->msg_namelen;
	memset(&message->name, 0, sizeof(message->name));
	return foreign_memory_get((uint64_t)(uintptr_t)there->msg_name, &message->name,
				  there->msg_namelen) == 0 &&
	       call_sockets_make_own(&message->name, &here->msg_namelen);
}

static long send_with_credentials(int fd, struct message *message, int flags)
{
	long n;
	int err;

	copy_descriptors(&message->here, true);
	n = sendmsg(fd, &message->here, flags | MSG_NOSIGNAL);
	err = errno;
	copy_descriptors(&message->here, false);
	errno = err;
	return n;
}

long call_messages_send(const struct foreign_descriptor *descriptor, const struct msghdr *message,
			int flags)
{
	struct message *own;
	long n = CALL_GOES_ON;

	if (!descriptor->is_socket || descriptor->is_server || foreign_view_is_elsewhere() ||
	    !message->msg_control || message->msg_controllen > SENT_MAX)
		return CALL_GOES_ON;
	own = malloc(sizeof(*own));
	if (!own) {
		errno = ENOMEM;
		return -1;
	}
	own->there = *message;
	if (get_control(own) && (own->room < COPY_MAX || descriptor->is_stream)) {
		long has = look_at_control(&own->here);

		if (has > 0 && !get_message(own))
			has = -EFAULT;
		if (has > 0)
			n = send_with_credentials(descriptor->fd, own, flags);
		else if (has < 0)
			n = call_result(has);
	}
	free(own);
	return n;
}
