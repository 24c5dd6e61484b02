/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/base/open-flags.h. */
#include "lib/base/open-flags.h"

#include <errno.h>
#include <fcntl.h>

int open_flags_set(int fd, int flags)
{
	int now = fcntl(fd, F_GETFL);

	now = flags & O_NONBLOCK ? now | O_NONBLOCK : now & ~O_NONBLOCK;
	if (fcntl(fd, F_SETFL, now) < 0 ||
	    fcntl(fd, F_SETFD, flags & O_CLOEXEC ? FD_CLOEXEC : 0) < 0)
		return -errno;
	return 0;
}
