/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-looks.h. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>

#include "lib/stand-in/call-looks.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-signals.h"

enum {
	POLL_MAX = 4096,
	EVENTS_MAX = 1024,
};

/* ---- poll and select ---- */

/* Calls that change what is blocked while they wait leave that to the kernel once more. */
static void answer_looks(long ret, bool has_mask)
{
	if (ret < 0 && errno == EINTR && has_mask)
		foreign_call_go_on();
	else
		foreign_call_answer_of(ret);
}

/* NULL: for ever. False: the time cannot be read. */
static bool get_time(uint64_t at, struct timespec *time, const struct timespec **ret)
{
	*ret = at ? time : NULL;
	return !at || foreign_memory_get(at, time, sizeof(*time)) == 0;
}

static int poll_copies(struct pollfd *at, size_t count, const struct timespec *timeout,
		       const sigset_t *mask)
{
	struct foreign_descriptor *copies = calloc(count ? count : 1, sizeof(*copies));
	int ret, err;

	for (size_t i = 0; copies && i < count; i++) {
		copies[i].fd = copies[i].umad = -1;
		if (at[i].fd < 0)
			continue;
		foreign_descriptor_get(at[i].fd, &copies[i]);
		at[i].fd = copies[i].umad >= 0 ? copies[i].umad :
			   copies[i].fd < 0 ? 1 << 30 : copies[i].fd;	/* POLLNVAL */
	}
	ret = copies ? ppoll(at, count, timeout, mask) : -1;
	err = errno;
	for (size_t i = 0; copies && i < count; i++)
		foreign_descriptor_put(&copies[i]);
	free(copies);
	errno = err;
	return ret;
}

static void poll_for(const struct timespec *timeout, const sigset_t *mask)
{
	static __thread struct pollfd at[POLL_MAX];
	size_t count = (size_t)foreign_argument(1);
	uint64_t from = foreign_argument(0);
	int ret, err;

	if (count > POLL_MAX) {
		foreign_call_answer(-EINVAL);
		return;
	}
	if (foreign_memory_get(from, at, count * sizeof(*at)) < 0) {
		foreign_call_answer(-EFAULT);
		return;
	}
	ret = poll_copies(at, count, timeout, mask);
	err = errno;
	for (size_t i = 0; ret >= 0 && i < count; i++)
		foreign_memory_put(from + i * sizeof(*at) + offsetof(struct pollfd, revents),
				   &at[i].revents, sizeof(at[i].revents));
	errno = err;
	answer_looks(ret, mask);
}

void call_looks_poll(void)
{
	int ms = (int)foreign_argument(2);
	const struct timespec timeout = { ms / 1000, ms % 1000 * 1000000L };

	poll_for(ms < 0 ? NULL : &timeout, NULL);
}

void call_looks_ppoll(void)
{
	const struct timespec *timeout;
	struct timespec time;
	sigset_t mask;
	bool has_mask = foreign_signals_get_set(foreign_argument(3), &mask);

	if (!get_time(foreign_argument(2), &time, &timeout))
		foreign_call_answer(-EFAULT);
	else
		poll_for(timeout, has_mask ? &mask : NULL);
}

/* The kernel's sets of descriptors, which end where the call says. */
struct sets {
	uint64_t words[3][FD_SETSIZE / 64];
};

static bool is_in(const struct sets *sets, int which, int number)
{
	return sets->words[which][number / 64] >> (number % 64) & 1;
}

static void select_for(const struct timespec *timeout, const sigset_t *mask)
{
	static const short events[] = { POLLIN, POLLOUT, POLLPRI };
	static const short means[] = { POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI };
	static __thread struct pollfd at[FD_SETSIZE];
	static __thread int numbers[FD_SETSIZE];
	struct sets asked = { 0 }, ready = { 0 };
	int count = (int)foreign_argument(0), n = 0, ret, err, found = 0;
	size_t size = ((size_t)count + 63) / 64 * 8;

	if (count < 0 || count > FD_SETSIZE) {
		foreign_call_answer(-EINVAL);
		return;
	}
	for (unsigned int i = 0; i < 3; i++) {
		if (foreign_argument(1 + i) &&
		    foreign_memory_get(foreign_argument(1 + i), asked.words[i], size) < 0) {
			foreign_call_answer(-EFAULT);
			return;
		}
	}
	for (int number = 0; number < count; number++) {
		short all = 0;

		for (int i = 0; i < 3; i++)
			all |= is_in(&asked, i, number) ? events[i] : 0;
		if (!all)
			continue;
		at[n] = (struct pollfd){ .fd = number, .events = all };
		numbers[n++] = number;
	}
	ret = poll_copies(at, (size_t)n, timeout, mask);
	err = errno;
	for (int k = 0; ret >= 0 && k < n; k++) {
		for (int i = 0; i < 3; i++) {
			if (at[k].revents & POLLNVAL) {
				foreign_call_answer(-EBADF);
				return;
			}
			if (!is_in(&asked, i, numbers[k]) || !(at[k].revents & means[i]))
				continue;
			ready.words[i][numbers[k] / 64] |= UINT64_C(1) << (numbers[k] % 64);
			found++;
		}
	}
	for (unsigned int i = 0; ret >= 0 && i < 3; i++) {
		if (foreign_argument(1 + i))
			foreign_memory_put(foreign_argument(1 + i), ready.words[i], size);
	}
	errno = err;
	answer_looks(ret < 0 ? ret : found, mask);
}

void call_looks_select(void)
{
	struct timeval time;
	struct timespec timeout;

	if (!foreign_argument(4)) {
		select_for(NULL, NULL);
	} else if (foreign_memory_get(foreign_argument(4), &time, sizeof(time)) < 0) {
		foreign_call_answer(-EFAULT);
	} else {
		timeout = (struct timespec){ time.tv_sec, time.tv_usec * 1000 };
		select_for(&timeout, NULL);
	}
}

void call_looks_pselect(void)
{
	const struct timespec *timeout;
	struct timespec time;
	uint64_t mask_at = 0;
	sigset_t mask;
	bool has_mask;

	if (foreign_argument(5) &&
	    foreign_memory_get(foreign_argument(5), &mask_at, sizeof(mask_at)) < 0)
		mask_at = 0;
	has_mask = foreign_signals_get_set(mask_at, &mask);
	if (!get_time(foreign_argument(4), &time, &timeout))
		foreign_call_answer(-EFAULT);
	else
		select_for(timeout, has_mask ? &mask : NULL);
}

/* ---- epoll ---- */

/* What is found is used up here, at this turn: edges are right. */
static void epoll_for(int ms, const sigset_t *mask)
{
	static __thread struct epoll_event events[EVENTS_MAX];
	int most = (int)foreign_argument(2), ret, err;
	struct foreign_descriptor descriptor;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.fd < 0 || most <= 0) {
		foreign_descriptor_put(&descriptor);
		foreign_call_go_on();	/* the kernel knows what is wrong with it */
		return;
	}
	ret = epoll_pwait(descriptor.fd, events, most < EVENTS_MAX ? most : EVENTS_MAX, ms, mask);
	foreign_descriptor_put(&descriptor);
	err = errno;
	if (ret > 0 && foreign_memory_put(foreign_argument(1), events,
					  (size_t)ret * sizeof(*events)) < 0) {
		foreign_call_answer(-EFAULT);
		return;
	}
	errno = err;
	answer_looks(ret, mask);
}

void call_looks_epoll_wait(void)
{
	epoll_for((int)foreign_argument(3), NULL);
}

void call_looks_epoll_pwait(void)
{
	sigset_t mask;
	bool has_mask = foreign_signals_get_set(foreign_argument(4), &mask);

	epoll_for((int)foreign_argument(3), has_mask ? &mask : NULL);
}

/* At most as late as a millisecond's rest. */
static int ms_of(const struct timespec *timeout)
{
	if (!timeout)
		return -1;
	if (timeout->tv_sec >= INT_MAX / 1000)
		return INT_MAX;
	return (int)(timeout->tv_sec * 1000 + (timeout->tv_nsec + 999999) / 1000000);
}

void call_looks_epoll_pwait2(void)
{
	const struct timespec *timeout;
	struct timespec time;
	sigset_t mask;
	bool has_mask = foreign_signals_get_set(foreign_argument(4), &mask);

	if (!get_time(foreign_argument(3), &time, &timeout))
		foreign_call_answer(-EFAULT);
	else
		epoll_for(ms_of(timeout), has_mask ? &mask : NULL);
}
