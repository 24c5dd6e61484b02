/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Messages of sockets: many at once, and when they came. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

enum { MESSAGES = 3 };

static void send_two(int fd)
{
	struct iovec part = { "xy", 2 };
	struct mmsghdr messages[2] = {
		{ .msg_hdr = { .msg_iov = &part, .msg_iovlen = 1 } },
		{ .msg_hdr = { .msg_iov = &part, .msg_iovlen = 1 } },
	};

	if (sendmmsg(fd, messages, 2, 0) != 2 || messages[1].msg_len != 2)
		_exit(1);
}

static int receive(int fd, int flags, struct timespec *timeout, unsigned int *ret_size)
{
	static char bytes[MESSAGES][8];
	struct iovec parts[MESSAGES];
	struct mmsghdr messages[MESSAGES];
	int n;

	memset(messages, 0, sizeof(messages));
	for (int i = 0; i < MESSAGES; i++) {
		parts[i] = (struct iovec){ bytes[i], sizeof(bytes[i]) };
		messages[i].msg_hdr.msg_iov = &parts[i];
		messages[i].msg_hdr.msg_iovlen = 1;
	}
	n = recvmmsg(fd, messages, MESSAGES, flags, timeout);
	*ret_size = n > 0 ? messages[n - 1].msg_len : 0;
	return n;
}

/* The first is waited for, and others as the flags say. */
bool row_recvmmsg(void)
{
	struct timespec at_once = { 0, 0 };
	int64_t from = now();
	unsigned int size;
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) < 0)
		return false;
	pid = in_two_seconds(send_two, ends[1]);
	if (receive(ends[0], MSG_WAITFORONE, NULL, &size) != 2 || size != 2 ||
	    !passed(from, 2 * S) || !reap(pid))
		return false;
	send_two(ends[1]);
	/* The time is over when the first has come. */
	if (receive(ends[0], 0, &at_once, &size) != 1 ||
	    receive(ends[0], MSG_DONTWAIT, NULL, &size) != 1 ||
	    receive(ends[0], MSG_DONTWAIT, NULL, &size) != -1 || errno != EAGAIN)
		return false;
	send_two(ends[1]);
	pid = in_two_seconds(send_two, ends[1]);
	return receive(ends[0], 0, NULL, &size) == 3 && passed(from, 4 * S) && reap(pid) &&
	       close(ends[0]) == 0 && close(ends[1]) == 0;
}

static bool is_stamped(int option, void *ret, size_t size)
{
	_Alignas(struct cmsghdr) char control[256];
	char byte = 'x';
	struct iovec part = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = control,
		.msg_controllen = sizeof(control),
	};
	int ends[2], one = 1;
	struct cmsghdr *first;

	socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
	setsockopt(ends[0], SOL_SOCKET, option, &one, sizeof(one));
	if (write(ends[1], &byte, 1) != 1 || recvmsg(ends[0], &message, 0) != 1)
		return false;
	first = CMSG_FIRSTHDR(&message);
	if (first)
		memcpy(ret, CMSG_DATA(first), size);
	close(ends[0]);
	close(ends[1]);
	return first && first->cmsg_level == SOL_SOCKET && first->cmsg_type == option;
}

/* The kernel's own are of real time. */
bool row_so_timestamp(void)
{
	struct timespec real, ns = { 0, 0 };
	struct timeval us = { 0, 0 };
	bool ok = is_stamped(SO_TIMESTAMP, &us, sizeof(us)) &&
		  is_stamped(SO_TIMESTAMPNS, &ns, sizeof(ns));

	clock_gettime(CLOCK_REALTIME, &real);
	if (!ok || us.tv_sec != real.tv_sec || us.tv_usec != real.tv_nsec / 1000 ||
	    ns.tv_sec != real.tv_sec || ns.tv_nsec != real.tv_nsec)
		printf("# %lld.%06ld and %lld.%09ld\n", (long long)us.tv_sec, (long)us.tv_usec,
		       (long long)ns.tv_sec, ns.tv_nsec);
	return ok && us.tv_sec == real.tv_sec && us.tv_usec == real.tv_nsec / 1000 &&
	       ns.tv_sec == real.tv_sec && ns.tv_nsec == real.tv_nsec;
}
