/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-looks.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "lib/lockstep/stand-in-door.h"
#include "lib/stand-in/call-looks.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-signals.h"
#include "lib/stand-in/foreign-umad.h"

enum {
	EVENTS_MAX = 1 << 16,
	SIGNALFD_AT = FOREIGN_UMAD_FIRST - 1,
};

/* Calls that change what is blocked while they wait leave that to the kernel once more. */
static long answer_looks(long ret, bool has_mask)
{
	if (ret < 0 && errno == EINTR && has_mask)
		return CALL_GOES_ON;
	return foreign_call_result(ret);
}

/* ---- how long they wait ---- */

enum { NS_PER_SECOND = 1000000000, NS_PER_US = 1000 };

struct timeout {
	bool is_given;		/* or they wait for ever */
	bool is_in_us;		/* the program has a struct timeval */
	uint64_t at;		/* in its memory, where what is left is written; 0: nowhere */
	int64_t began_ns;
	struct timespec time;
};

/* False: the time cannot be read. */
static bool get_timeout(uint64_t at, struct timeout *ret)
{
	*ret = (struct timeout){ .is_given = at, .at = at, .began_ns = umadrig_session_now() };
	return !at || foreign_memory_get(at, &ret->time, sizeof(ret->time)) == 0;
}

static const struct timespec *time_of(const struct timeout *timeout)
{
	return timeout->is_given ? &timeout->time : NULL;
}

/* As the kernel does with what a wait has left of its time; memory that cannot be written stays. */
static void put_rest(const struct timeout *timeout)
{
	int64_t ns = timeout->time.tv_nsec - (umadrig_session_now() - timeout->began_ns);
	struct timespec rest = { .tv_sec = timeout->time.tv_sec };

	if (!timeout->at)
		return;
	for (; ns < 0 && rest.tv_sec > 0; rest.tv_sec--)
		ns += NS_PER_SECOND;
	if (ns > 0)
		rest.tv_nsec = timeout->is_in_us ? ns / NS_PER_US : ns;
	foreign_memory_put(timeout->at, &rest, sizeof(rest));
}

/* ---- poll and select ---- */

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

static long poll_array(struct pollfd *at, const struct timeout *timeout, const sigset_t *mask)
{
	size_t count = (size_t)foreign_argument(1);
	uint64_t from = foreign_argument(0);
	int ret, err;

	if (foreign_memory_get(from, at, count * sizeof(*at)) < 0)
		return -EFAULT;
	ret = poll_copies(at, count, time_of(timeout), mask);
	err = errno;
	for (size_t i = 0; ret >= 0 && i < count; i++)
		foreign_memory_put(from + i * sizeof(*at) + offsetof(struct pollfd, revents),
				   &at[i].revents, sizeof(at[i].revents));
	put_rest(timeout);
	errno = err;
	return answer_looks(ret, mask);
}

static long poll_for(const struct timeout *timeout, const sigset_t *mask)
{
	size_t count = (size_t)foreign_argument(1);
	struct rlimit limit = { .rlim_cur = 0 };
	struct pollfd *at;
	long ret;

	CALL_4(SYS_prlimit64, foreign.pid, RLIMIT_NOFILE, NULL, &limit);
	if (count > limit.rlim_cur)
		return -EINVAL;
	at = calloc(count ? count : 1, sizeof(*at));
	if (!at)
		return -ENOMEM;
	ret = poll_array(at, timeout, mask);
	free(at);
	return ret;
}

long call_looks_poll(void)
{
	int ms = (int)foreign_argument(2);
	const struct timeout timeout = {
		.is_given = ms >= 0, .time = { ms / 1000, ms % 1000 * 1000000L },
	};

	return poll_for(&timeout, NULL);
}

long call_looks_ppoll(void)
{
	struct timeout timeout;
	sigset_t set;

	if (!get_timeout(foreign_argument(2), &timeout))
		return -EFAULT;
	return poll_for(&timeout, foreign_signals_get_set(foreign_argument(3), &set));
}

/* The kernel's sets of descriptors, which end where the call says. */
struct sets {
	uint64_t words[3][FD_SETSIZE / 64];
};

static bool is_in(const struct sets *sets, int which, int number)
{
	return sets->words[which][number / 64] >> (number % 64) & 1;
}

static long select_for(const struct timeout *timeout, const sigset_t *mask)
{
	static const short events[] = { POLLIN, POLLOUT, POLLPRI };
	static const short means[] = { POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI };
	static __thread struct pollfd at[FD_SETSIZE];
	static __thread int numbers[FD_SETSIZE];
	struct sets asked = { 0 }, ready = { 0 };
	int count = (int)foreign_argument(0), n = 0, ret, err, found = 0;
	size_t size = ((size_t)count + 63) / 64 * 8;

	if (count < 0 || count > FD_SETSIZE)
		return -EINVAL;
	for (unsigned int i = 0; i < 3; i++) {
		if (foreign_argument(1 + i) &&
		    foreign_memory_get(foreign_argument(1 + i), asked.words[i], size) < 0)
			return -EFAULT;
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
	ret = poll_copies(at, (size_t)n, time_of(timeout), mask);
	err = errno;
	for (int k = 0; ret >= 0 && k < n; k++) {
		for (int i = 0; i < 3; i++) {
			if (at[k].revents & POLLNVAL)
				return -EBADF;
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
	put_rest(timeout);
	errno = err;
	return answer_looks(ret < 0 ? ret : found, mask);
}

long call_looks_select(void)
{
	struct timeout timeout;

	if (!get_timeout(foreign_argument(4), &timeout))
		return -EFAULT;
	timeout.is_in_us = true;
	timeout.time.tv_nsec *= NS_PER_US;
	return select_for(&timeout, NULL);
}

long call_looks_pselect(void)
{
	struct timeout timeout;
	uint64_t mask_at = 0;
	sigset_t set;

	if (foreign_argument(5) &&
	    foreign_memory_get(foreign_argument(5), &mask_at, sizeof(mask_at)) < 0)
		mask_at = 0;
	if (!get_timeout(foreign_argument(4), &timeout))
		return -EFAULT;
	return select_for(&timeout, foreign_signals_get_set(mask_at, &set));
}

/* ---- epoll ---- */

/*
 * A descriptor in an epoll instance is known by its file and number: this one's, whichever copy of
 * the foreign program's it is. Number SIGNALFD_AT is left to this; where RLIMIT_NOFILE is lower, it
 * is the first free one, which is mostly the same.
 */
static int change_interest(int instance, int op, int signalfd, struct epoll_event *event)
{
	int fd = dup3(signalfd, SIGNALFD_AT, O_CLOEXEC), ret, err;

	ret = epoll_ctl(instance, op, fd < 0 ? signalfd : fd, event);
	err = errno;
	if (fd >= 0)
		CALL_1(SYS_close, fd);
	errno = err;
	return ret;
}

static long change_signalfd(int signalfd)
{
	struct foreign_descriptor instance;
	int op = (int)foreign_argument(1);
	struct epoll_event event;
	long ret;

	if (op != EPOLL_CTL_DEL &&
	    foreign_memory_get(foreign_argument(3), &event, sizeof(event)) < 0)
		return -EFAULT;
	foreign_descriptor_get((int)foreign_argument(0), &instance);
	ret = foreign_call_result(change_interest(instance.fd, op, signalfd, &event));
	foreign_descriptor_put(&instance);
	return ret;
}

/* The kernel tells an instance of the signals of the process that adds a signalfd to it. */
long call_looks_epoll_ctl(void)
{
	struct foreign_descriptor added;
	long ret;

	foreign_descriptor_get((int)foreign_argument(2), &added);
	ret = added.is_signalfd ? change_signalfd(added.fd) : CALL_GOES_ON;
	foreign_descriptor_put(&added);
	return ret;
}

/* What is found is used up here, at this turn: edges are right. */
static long epoll_on(int fd, int most, int ms, const sigset_t *mask)
{
	struct epoll_event *events = calloc((size_t)most, sizeof(*events));
	int ret = events ? epoll_pwait(fd, events, most, ms, mask) : -1, err = errno;

	if (ret > 0 && foreign_memory_put(foreign_argument(1), events,
					  (size_t)ret * sizeof(*events)) < 0) {
		ret = -1;
		err = EFAULT;
	}
	free(events);
	errno = err;
	return answer_looks(ret, mask);
}

static long epoll_for(int ms, const sigset_t *mask)
{
	int most = (int)foreign_argument(2);
	struct foreign_descriptor descriptor;
	long ret = CALL_GOES_ON;	/* the kernel knows what is wrong with it */

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.fd >= 0 && most > 0)
		ret = epoll_on(descriptor.fd, most < EVENTS_MAX ? most : EVENTS_MAX, ms, mask);
	foreign_descriptor_put(&descriptor);
	return ret;
}

long call_looks_epoll_wait(void)
{
	return epoll_for((int)foreign_argument(3), NULL);
}

long call_looks_epoll_pwait(void)
{
	sigset_t set;

	return epoll_for((int)foreign_argument(3),
			 foreign_signals_get_set(foreign_argument(4), &set));
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

long call_looks_epoll_pwait2(void)
{
	struct timeout timeout;
	sigset_t set;

	if (!get_timeout(foreign_argument(3), &timeout))
		return -EFAULT;
	return epoll_for(ms_of(time_of(&timeout)),
			 foreign_signals_get_set(foreign_argument(4), &set));
}
