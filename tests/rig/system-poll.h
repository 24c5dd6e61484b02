/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * system-poll: the kernel's poll(2), for programs that have a poll() in place of libc's.
 * By ppoll, which every architecture has; aarch64 has no call poll.
 */
#ifndef UMADRIG_TESTS_RIG_SYSTEM_POLL_H
#define UMADRIG_TESTS_RIG_SYSTEM_POLL_H

#include <poll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* As poll(2): a negative time is endless. */
static inline int system_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	struct timespec until = { timeout_ms / 1000, timeout_ms % 1000 * 1000000L };

	return (int)syscall(SYS_ppoll, fds, count, timeout_ms < 0 ? NULL : &until, NULL, 0UL);
}

#endif
