/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* epoll_wait and its relatives: see lib/raw/virtual-wait.h. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/raw/raw.h"
#include "lib/raw/virtual-wait.h"
#include "lib/words/number.h"

static struct {
	int (*epoll_wait)(int epoll, struct epoll_event *events, int room, int timeout_ms);
	int (*epoll_pwait)(int epoll, struct epoll_event *events, int room, int timeout_ms,
			   const sigset_t *mask);
	int (*epoll_pwait2)(int epoll, struct epoll_event *events, int room,
			    const struct timespec *timeout, const sigset_t *mask);
} next;

/* Other libraries' constructors may come first. */
__attribute__((constructor))
static void find_next(void)
{
	if (next.epoll_wait)
		return;
	*(void **)&next.epoll_pwait = raw_next("epoll_pwait");
	*(void **)&next.epoll_pwait2 = raw_next("epoll_pwait2");
	*(void **)&next.epoll_wait = raw_next("epoll_wait");
}

/* Reads /proc/self/fdinfo of an epoll instance, cut off to 'size'. */
static bool read_info(int epoll, char *text, size_t size)
{
	char path[32];
	long info, n = 0;
	size_t done = 0;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", epoll);
	info = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (info < 0)
		return false;
	while ((n = syscall(SYS_read, info, text + done, size - 1 - done)) > 0)
		done += (size_t)n;
	syscall(SYS_close, info);
	text[done] = '\0';
	return done < size - 1;
}

/* What it watches: lines "tfd: NUMBER events: HEX ...". False: nobody knows. */
static bool add_watched(int epoll, struct virtual_wait *wait)
{
	static const char target[] = "tfd:", mask[] = "events:";
	char text[8192];
	const char *at;

	if (!read_info(epoll, text, sizeof(text)))
		return false;
	for (at = strstr(text, target); at && !wait->has_others; at = strstr(at, target)) {
		uint64_t fd, events;

		if (number_after(at, target, 10, &fd) < 0 ||
		    number_after(at, mask, 16, &events) < 0)
			return false;
		virtual_wait_add(wait, (int)fd, events & EPOLLIN);
		at += strlen(target);
	}
	return true;
}

/* Waits as epoll_pwait(2). True: '*ret' is the result; false: the kernel is to wait. */
static bool wait_virtual(int epoll, struct epoll_event *events, int room, int timeout_ms,
			 const sigset_t *mask, int *ret)
{
	struct virtual_wait wait = { .count = 0 };
	int waited = 1;

	while (waited == 1) {
		*ret = next.epoll_pwait(epoll, events, room, 0, mask);
		if (*ret != 0 || timeout_ms == 0)
			return true;
		if (wait.looks == 0 && !add_watched(epoll, &wait))
			return false;
		waited = virtual_wait(&wait, &timeout_ms);
	}
	if (waited < 0)
		*ret = (int)raw_result(waited);
	return waited != VIRTUAL_WAIT_NOT;
}

int epoll_wait(int epoll, struct epoll_event *events, int room, int timeout_ms)
{
	int ret;

	find_next();
	if (virtual_wait_is_possible() &&
	    wait_virtual(epoll, events, room, timeout_ms, NULL, &ret))
		return ret;
	return next.epoll_wait(epoll, events, room, timeout_ms);
}

int epoll_pwait(int epoll, struct epoll_event *events, int room, int timeout_ms,
		const sigset_t *mask)
{
	int ret;

	find_next();
	if (virtual_wait_is_possible() &&
	    wait_virtual(epoll, events, room, timeout_ms, mask, &ret))
		return ret;
	return next.epoll_pwait(epoll, events, room, timeout_ms, mask);
}

int epoll_pwait2(int epoll, struct epoll_event *events, int room, const struct timespec *timeout,
		 const sigset_t *mask)
{
	int ret;

	find_next();
	/* Of an older libc: no program that was built with it calls this. */
	if (!next.epoll_pwait2)
		return epoll_pwait(epoll, events, room, virtual_wait_ms(timeout), mask);
	if (virtual_wait_is_possible() &&
	    wait_virtual(epoll, events, room, virtual_wait_ms(timeout), mask, &ret))
		return ret;
	return next.epoll_pwait2(epoll, events, room, timeout, mask);
}
