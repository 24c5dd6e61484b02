/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/lockstep/message-times.h. */
#include <string.h>
#include <sys/time.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/message-times.h"

/* SO_TIMESTAMP_NEW and its kin, of the same layout on machines of 64 bits. */
enum { TIMESTAMP_NEW = 63, TIMESTAMPNS_NEW = 64, TIMESTAMPING_NEW = 65 };
enum { STAMPS = 3 };	/* of SO_TIMESTAMPING: by software, unused, by the device */

static void put(struct cmsghdr *part, const void *time, size_t size, size_t at)
{
	if (part->cmsg_len >= CMSG_LEN(at + size))
		memcpy(CMSG_DATA(part) + at, time, size);
}

/* Those that the kernel has not set stay 0. */
static void put_stamps(struct cmsghdr *part, const struct timespec *now)
{
	for (size_t i = 0; i < STAMPS; i++) {
		struct timespec time = { 0, 0 };

		if (part->cmsg_len >= CMSG_LEN((i + 1) * sizeof(time)))
			memcpy(&time, CMSG_DATA(part) + i * sizeof(time), sizeof(time));
		if (time.tv_sec != 0)
			put(part, now, sizeof(*now), i * sizeof(*now));
	}
}

void message_times_to_virtual(struct msghdr *message)
{
	struct timespec now;
	struct timeval now_us;

	if (!session_is_on() || !message->msg_control)
		return;
	now = clocks_timespec(CLOCKS_REAL_NS + lockstep->ahead_ns + lockstep->now);
	now_us = (struct timeval){ .tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000 };
	for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part;
	     part = CMSG_NXTHDR(message, part)) {
		if (part->cmsg_level != SOL_SOCKET)
			continue;
		if (part->cmsg_type == SCM_TIMESTAMP || part->cmsg_type == TIMESTAMP_NEW)
			put(part, &now_us, sizeof(now_us), 0);
		else if (part->cmsg_type == SCM_TIMESTAMPNS || part->cmsg_type == TIMESTAMPNS_NEW)
			put(part, &now, sizeof(now), 0);
		else if (part->cmsg_type == SCM_TIMESTAMPING || part->cmsg_type == TIMESTAMPING_NEW)
			put_stamps(part, &now);
	}
}
