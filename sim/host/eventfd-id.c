/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Which eventfd a descriptor is of: see sim/host/eventfd-id.h. */
#include "sim/host/eventfd-id.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/words/number.h"

/* The value of the line "eventfd-id: N", plus one. */
static uint64_t parse(const char *text)
{
	uint64_t id;

	return number_after(text, "eventfd-id:", 10, &id) == 0 ? id + 1 : 0;
}

/*
 * Through syscall(2), and so neither a cancellation point nor a call of libumadraw's read(), which
 * asks for this.
 */
uint64_t eventfd_id(int fd)
{
	char text[512], path[32];
	long info, size = 0;
	int err = errno;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	info = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (info >= 0) {
		size = syscall(SYS_read, info, text, sizeof(text) - 1);
		syscall(SYS_close, info);
	}
	text[size > 0 ? size : 0] = '\0';
	errno = err;
	return parse(text);
}

/* Is this link of /proc/self/fd one to an eventfd? Quicker than its number. */
static bool is_eventfd(int directory, const char *name)
{
	static const char kind[] = "anon_inode:[eventfd]";
	char target[sizeof(kind)];

	return readlinkat(directory, name, target, sizeof(target)) == (ssize_t)strlen(kind) &&
	       memcmp(target, kind, strlen(kind)) == 0;
}

int eventfd_find(uint64_t id, int except)
{
	DIR *directory = opendir("/proc/self/fd");
	const struct dirent *entry;
	int ret = -1;

	while (directory && ret < 0 && (entry = readdir(directory))) {
		uint64_t number;
		int fd = number_parse_decimal(entry->d_name, 0, INT_MAX, &number) == 0 ?
			 (int)number : -1;

		if (fd >= 0 && fd != except && is_eventfd(dirfd(directory), entry->d_name) &&
		    eventfd_id(fd) == id)
			ret = fd;
	}
	if (directory)
		closedir(directory);
	return ret;
}

/* An epoll instance watches a file only as long as there is a descriptor of it. */
bool eventfd_close(int *fd)
{
	struct epoll_event event = { .events = EPOLLOUT };	/* as an eventfd always is */
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	bool ret = false;

	if (epoll < 0)
		return ret;
	if (epoll_ctl(epoll, EPOLL_CTL_ADD, *fd, &event) == 0) {
		close(*fd);
		*fd = -1;
		ret = epoll_wait(epoll, &event, 1, 0) == 0;
	}
	close(epoll);
	return ret;
}
