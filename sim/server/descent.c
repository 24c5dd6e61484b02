/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Descendants of this process: see sim/server/descent.h.
 */
#include "config.h"

#include "sim/server/descent.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/process/descendants.h"

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

enum { GENERATIONS = 4096 };	/* no chain of parents is longer */

bool descent_of(pid_t pid)
{
	const pid_t self = getpid();

	for (unsigned int i = 0; i < GENERATIONS && pid > 1; i++) {
		if (pid == self)
			return true;
		pid = descendants_parent_of(pid);
	}
	return false;
}

/*
 * Is the process that connected still there, so that nobody else has its number? A kernel before
 * Linux 6.5 does not say, and is believed.
 */
static bool is_still_there(int fd)
{
	struct pollfd end = { .events = POLLIN };
	socklen_t size = sizeof(end.fd);
	bool ret;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &end.fd, &size) < 0)
		return errno == ENOPROTOOPT;
	ret = poll(&end, 1, 0) == 0;
	close(end.fd);
	return ret;
}

bool descent_is_ours(int fd, pid_t pid)
{
	return descent_of(pid) && is_still_there(fd);
}
