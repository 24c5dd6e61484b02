/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Waits that let virtual time pass: see lib/raw/virtual-wait.h. */
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>

#include "lib/raw/descriptor.h"
#include "lib/raw/raw.h"
#include "lib/raw/virtual-wait.h"

static atomic_bool is_real;	/* the fabric in this process has the real clock */

bool virtual_wait_is_possible(void)
{
	return descriptor_has_unnamed() && !atomic_load_explicit(&is_real, memory_order_relaxed);
}

void virtual_wait_add(struct virtual_wait *wait, int fd, bool reads)
{
	if (fd < 0)
		return;
	if (reads && wait->count < VIRTUAL_WAIT_MAX && descriptor_is_handle(fd))
		wait->fds[wait->count++] = fd;
	else
		wait->has_others = true;
}

int virtual_wait(struct virtual_wait *wait, int *timeout_ms)
{
	int ret;

	if (wait->count == 0 || wait->has_others || wait->looks++ >= VIRTUAL_WAIT_LOOKS)
		return VIRTUAL_WAIT_NOT;
	ret = raw_calls()->poll_any(wait->fds, wait->count, timeout_ms);
	if (ret == -EOPNOTSUPP)
		atomic_store(&is_real, true);
	return ret == -EOPNOTSUPP || ret == -EXDEV ? VIRTUAL_WAIT_NOT : ret;
}

int virtual_wait_ms(const struct timespec *timeout)
{
	if (!timeout)
		return -1;
	if (timeout->tv_sec >= INT_MAX / 1000)
		return INT_MAX;
	return (int)(timeout->tv_sec * 1000 + (timeout->tv_nsec + 999999) / 1000000);
}
