/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-owners.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#include "lib/stand-in/call-locks.h"
#include "lib/stand-in/call-owners.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-memory.h"

/* The owner is of the open file, which a copy is, too. */
static long of_file(int fd, int command)
{
	struct f_owner_ex owner = { .type = F_OWNER_PID };
	int ret;

	if (command == F_SETOWN_EX &&
	    foreign_memory_get(foreign_argument(2), &owner, sizeof(owner)) < 0)
		return -EFAULT;
	if (command == F_SETOWN)
		ret = fcntl(fd, command, (int)foreign_argument(2));
	else if (command == F_GETOWN)
		ret = fcntl(fd, command);
	else
		ret = fcntl(fd, command, &owner);
	return foreign_call_with(ret, command == F_GETOWN_EX ? foreign_argument(2) : 0, &owner,
				 sizeof(owner));
}

long call_owners_fcntl(void)
{
	int command = (int)foreign_argument(1);
	struct foreign_descriptor descriptor;
	long ret = -EBADF;

	if (command != F_SETOWN && command != F_GETOWN && command != F_SETOWN_EX &&
	    command != F_GETOWN_EX)
		return call_locks_fcntl();
	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.fd >= 0)
		ret = of_file(descriptor.fd, command);
	foreign_descriptor_put(&descriptor);
	return ret;
}
