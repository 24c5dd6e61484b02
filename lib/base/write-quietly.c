/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Writing without signals: see lib/base/write-quietly.h.
 */
#include "lib/base/write-quietly.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static void take_signal(int sig)
{
	static const struct timespec no_time;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	while (sigtimedwait(&set, NULL, &no_time) < 0 && errno == EINTR)
		continue;
}

/* Both are sent to the thread that writes: one that was not pending before is this call's. */
ssize_t write_quietly(int fd, const void *bytes, size_t size)
{
	sigset_t ours, before, pending;
	ssize_t n;
	int err;

	sigemptyset(&ours);
	sigaddset(&ours, SIGPIPE);
	sigaddset(&ours, SIGXFSZ);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &ours, &before);
	n = write(fd, bytes, size);
	err = errno;
	if (n < 0 && err == EPIPE && !sigismember(&pending, SIGPIPE))
		take_signal(SIGPIPE);
	if (n < 0 && err == EFBIG && !sigismember(&pending, SIGXFSZ))
		take_signal(SIGXFSZ);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = err;
	return n;
}

int write_all_quietly(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size > 0) {
		ssize_t n = write_quietly(fd, at, size);

		if (n > 0) {
			at += n;
			size -= (size_t)n;
		} else if (n == 0) {
			return -EIO;
		} else if (errno != EINTR) {
			return -errno;
		}
	}
	return 0;
}
