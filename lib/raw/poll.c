/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* poll, ppoll, select and pselect: see lib/raw/virtual-wait.h. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/select.h>

#include "lib/raw/raw.h"
#include "lib/raw/virtual-wait.h"

static struct {
	int (*poll)(struct pollfd *fds, nfds_t count, int timeout_ms);
	int (*ppoll)(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
		     const sigset_t *mask);
	int (*select)(int count, fd_set *in, fd_set *out, fd_set *except,
		      struct timeval *timeout);
	int (*pselect)(int count, fd_set *in, fd_set *out, fd_set *except,
		       const struct timespec *timeout, const sigset_t *mask);
} next;

/* Other libraries' constructors may come first. */
__attribute__((constructor))
static void find_next(void)
{
	if (next.poll)
		return;
	*(void **)&next.ppoll = raw_next("ppoll");
	*(void **)&next.select = raw_next("select");
	*(void **)&next.pselect = raw_next("pselect");
	*(void **)&next.poll = raw_next("poll");
}

/* ---- poll ---- */

/*
 * Waits as ppoll(2), if time is virtual for all that is waited for. True: '*ret' is the result;
 * false: the kernel is to wait.
 */
static bool poll_virtual(struct pollfd *fds, nfds_t count, int timeout_ms, const sigset_t *mask,
			 int *ret)
{
	const struct timespec none = { 0 };
	struct virtual_wait wait = { .count = 0 };
	int waited = 1;

	for (nfds_t i = 0; i < count && !wait.has_others; i++)
		virtual_wait_add(&wait, fds[i].fd, fds[i].events & (POLLIN | POLLRDNORM));
	while (waited == 1) {
		*ret = next.ppoll(fds, count, &none, mask);
		if (*ret != 0 || timeout_ms == 0)
			return true;
		waited = virtual_wait(&wait, &timeout_ms);
	}
	if (waited < 0)
		*ret = (int)raw_result(waited);
	return waited != VIRTUAL_WAIT_NOT;
}

int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	int ret;

	find_next();
	if (virtual_wait_is_possible() && poll_virtual(fds, count, timeout_ms, NULL, &ret))
		return ret;
	return next.poll(fds, count, timeout_ms);
}

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
	int ret;

	find_next();
	if (virtual_wait_is_possible() &&
	    poll_virtual(fds, count, virtual_wait_ms(timeout), mask, &ret))
		return ret;
	return next.ppoll(fds, count, timeout, mask);
}

/* What they are where _FORTIFY_SOURCE knows for how many there is room. */
void __chk_fail(void) __attribute__((noreturn));	/* libc's */
int __poll_chk(struct pollfd *fds, nfds_t count, int timeout_ms, size_t room);
int __poll_chk(struct pollfd *fds, nfds_t count, int timeout_ms, size_t room)
{
	if (room / sizeof(*fds) < count)
		__chk_fail();
	return poll(fds, count, timeout_ms);
}

int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
		const sigset_t *mask, size_t room);
int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
		const sigset_t *mask, size_t room)
{
	if (room / sizeof(*fds) < count)
		__chk_fail();
	return ppoll(fds, count, timeout, mask);
}

/* ---- select ---- */

/* Bytes of a set of so many descriptors: all that a program needs to have. */
static size_t set_size(int count)
{
	return ((size_t)count + NFDBITS - 1) / NFDBITS * sizeof(fd_mask);
}

static bool is_empty(int count, const fd_set *set)
{
	for (int fd = 0; set && fd < count; fd++) {
		if (FD_ISSET(fd, set))
			return false;
	}
	return true;
}

/* As poll_virtual(), for pselect(2). */
static bool select_virtual(int count, fd_set *in, const fd_set *out, const fd_set *except,
			   int timeout_ms, const sigset_t *mask, int *ret)
{
	const struct timespec none = { 0 };
	struct virtual_wait wait = { .count = 0 };
	int waited = 1;
	fd_set wanted;

	if (count < 0 || count > FD_SETSIZE || !in || !is_empty(count, out) ||
	    !is_empty(count, except))
		return false;
	memcpy(&wanted, in, set_size(count));
	for (int fd = 0; fd < count && !wait.has_others; fd++) {
		if (FD_ISSET(fd, &wanted))
			virtual_wait_add(&wait, fd, true);
	}
	while (waited == 1) {
		memcpy(in, &wanted, set_size(count));
		*ret = next.pselect(count, in, NULL, NULL, &none, mask);
		if (*ret != 0 || timeout_ms == 0)
			return true;
		waited = virtual_wait(&wait, &timeout_ms);
	}
	if (waited == VIRTUAL_WAIT_NOT)
		memcpy(in, &wanted, set_size(count));
	if (waited < 0)
		*ret = (int)raw_result(waited);
	return waited != VIRTUAL_WAIT_NOT;
}

int select(int count, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout)
{
	struct timespec left;
	int ret;

	find_next();
	if (timeout) {
		left.tv_sec = timeout->tv_sec;
		left.tv_nsec = timeout->tv_usec * 1000;
	}
	if (virtual_wait_is_possible() &&
	    select_virtual(count, in, out, except, virtual_wait_ms(timeout ? &left : NULL), NULL,
			   &ret))
		return ret;
	return next.select(count, in, out, except, timeout);
}

int pselect(int count, fd_set *in, fd_set *out, fd_set *except, const struct timespec *timeout,
	    const sigset_t *mask)
{
	int ret;

	find_next();
	if (virtual_wait_is_possible() &&
	    select_virtual(count, in, out, except, virtual_wait_ms(timeout), mask, &ret))
		return ret;
	return next.pselect(count, in, out, except, timeout, mask);
}
