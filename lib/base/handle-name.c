/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The name of a socket that a fabric server has made: see lib/base/handle-name.h. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/base/handle-name.h"

/*
 * These two calls go past libc: libumadraw, which asks here what a descriptor is, has bind() and
 * getsockname() say that a handle is no socket.
 */

/* After the zero byte that puts a name into the abstract namespace. */
static const char handle_prefix[] = "umadrig-handle-", log_prefix[] = "umadrig-log-",
		  uevent_prefix[] = "umadrig-uevent-";

static void set(int fd, const char *prefix, uint64_t number)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int length = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "%s%" PRIx64,
			      prefix, number);

	syscall(SYS_bind, fd, &address,
		offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static bool is_there(int fd, const char *prefix)
{
	size_t length = strlen(prefix);
	struct sockaddr_un address;
	socklen_t size = sizeof(address);
	int err = errno;
	bool ret;

	ret = syscall(SYS_getsockname, fd, &address, &size) == 0 &&
	      size > offsetof(struct sockaddr_un, sun_path) + 1 + length &&
	      address.sun_family == AF_UNIX && address.sun_path[0] == '\0' &&
	      memcmp(address.sun_path + 1, prefix, length) == 0;
	errno = err;
	return ret;
}

void handle_name_set(int fd, uint64_t number)
{
	set(fd, handle_prefix, number);
}

bool handle_name_is_there(int fd)
{
	return is_there(fd, handle_prefix);
}

void log_name_set(int fd, uint64_t number)
{
	set(fd, log_prefix, number);
}

bool log_name_is_there(int fd)
{
	return is_there(fd, log_prefix);
}

void uevent_name_set(int fd, uint64_t number)
{
	set(fd, uevent_prefix, number);
}

bool uevent_name_is_there(int fd)
{
	return is_there(fd, uevent_prefix);
}
