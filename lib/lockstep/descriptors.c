/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Waiting for descriptors: see lib/lockstep/descriptors.h. */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/delivery.h"
#include "lib/lockstep/descriptors.h"
#include "lib/lockstep/file-times.h"
#include "lib/lockstep/looks.h"
#include "lib/lockstep/machine-files.h"
#include "lib/lockstep/signal-senders.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tcp-peer.h"
#include "lib/lockstep/tcp.h"
#include "lib/lockstep/terminals.h"
#include "lib/lockstep/timer-files.h"
#include "lib/lockstep/turn.h"

/* ---- what a thread waits for ---- */

/* The cookie of a handle of the fabric; 0: it is none. */
SESSION_NO_REGISTERS static uint64_t handle_cookie(int fd)
{
	static SESSION_THREAD uint64_t cookie;	/* as 'it' below */
	socklen_t size = sizeof(cookie);

	if (CALL_5(SYS_getsockopt, fd, SOL_SOCKET, SO_COOKIE, &cookie, &size) < 0)
		return 0;
	for (uint32_t i = 0; i < lockstep->handles; i++) {
		if (lockstep->handle[i] == cookie)
			return cookie;
	}
	return 0;
}

static void note(const struct pollfd *fds, nfds_t count)
{
	struct lockstep_slot *self = lockstep_self;

	self->cookies = 0;
	self->is_generic = 0;
	for (nfds_t i = 0; i < count; i++) {
		uint64_t cookie = fds[i].fd < 0 ? 0 : handle_cookie(fds[i].fd);

		if (cookie && self->cookies < LOCKSTEP_COOKIES)
			self->cookie[self->cookies++] = cookie;
		else if (fds[i].fd >= 0)
			self->is_generic = 1;
	}
}

static long look(struct pollfd *fds, nfds_t count)
{
	struct timespec none = { 0, 0 };

	timer_files_fill();
	return CALL_5(SYS_ppoll, fds, count, &none, NULL, 0);
}

long descriptors_wait(struct pollfd *fds, nfds_t count, int64_t deadline, bool restarts)
{
	lockstep_self->reason = LOCKSTEP_WOKEN;
	for (;;) {
		enum turn_end end;
		int64_t next;
		long n;

		pthread_testcancel();
		next = tcp_try_again();
		n = look(fds, count);
		if (n != 0)
			return n;
		if (deadline <= lockstep->now) {
			looks_count(LOOK_IN_VAIN);
			return 0;
		}
		note(fds, count);
		end = turn_wait_for_descriptors(count > 0 ? (uint64_t)fds[0].fd : 0,
						deadline < next ? deadline : next);
		if (end == TURN_INTERRUPTED || (end == TURN_RESTARTS && !restarts))
			return -EINTR;
	}
}

/*
 * What was looked at last. Not on the stack: inodes differ from run to run, and programs send what
 * is left there (turn.c).
 */
static SESSION_THREAD struct stat it;

static bool look_at(int fd)
{
	return CALL_2(SYS_fstat, fd, &it) == 0;
}

/* eventfd, timerfd, signalfd, inotify: their inode has no type. */
static bool is_anonymous(void)
{
	return (it.st_mode & S_IFMT) == 0;
}

bool descriptors_may_wait(int fd)
{
	long flags;

	if (!look_at(fd) || !(S_ISFIFO(it.st_mode) || S_ISSOCK(it.st_mode) || S_ISCHR(it.st_mode) ||
			      is_anonymous()))
		return false;
	flags = CALL_2(SYS_fcntl, fd, F_GETFL);
	return flags >= 0 && !(flags & O_NONBLOCK);
}

void descriptors_begin_tries(void)
{
	lockstep_self->reason = LOCKSTEP_WOKEN;
}

long descriptors_await_try_until(int fd, int64_t deadline)
{
	lockstep_self->cookies = 0;
	lockstep_self->is_generic = 1;
	switch (turn_wait_for_descriptors((uint64_t)fd, deadline)) {
	case TURN_TIMED_OUT:
		return -EAGAIN;
	case TURN_INTERRUPTED:
		return -EINTR;
	case TURN_RESTARTS:
		/* signal(7): a call with a timeout is not taken up again. */
		return deadline == LOCKSTEP_NEVER ? 0 : -EINTR;
	case TURN_WOKEN:
		break;
	}
	return 0;
}

long descriptors_await_others(int64_t deadline)
{
	lockstep_self->cookies = 0;
	lockstep_self->is_generic = 1;
	switch (turn_wait_for_descriptors(UINT64_MAX, deadline)) {
	case TURN_TIMED_OUT:
		return -EAGAIN;
	case TURN_INTERRUPTED:
	case TURN_RESTARTS:
		return -EINTR;
	case TURN_WOKEN:
		break;
	}
	return 0;
}

long descriptors_await_try(int fd)
{
	return descriptors_await_try_until(fd, LOCKSTEP_NEVER);
}

int64_t descriptors_deadline(int fd, short events)
{
	struct timeval timeout = { 0, 0 };
	socklen_t size = sizeof(timeout);
	int option = events & POLLOUT ? SO_SNDTIMEO : SO_RCVTIMEO;

	if (CALL_5(SYS_getsockopt, fd, SOL_SOCKET, option, &timeout, &size) < 0 ||
	    (timeout.tv_sec == 0 && timeout.tv_usec == 0))
		return LOCKSTEP_NEVER;
	return turn_after(timeout.tv_sec * NS_PER_SECOND + timeout.tv_usec * INT64_C(1000));
}

/* Nobody else sees it: no other thread of the session runs meanwhile. */
long descriptors_begin_try(int fd)
{
	long flags = CALL_2(SYS_fcntl, fd, F_GETFL);

	if (flags >= 0)
		CALL_3(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
	return flags;
}

void descriptors_end_try(int fd, long flags)
{
	if (flags >= 0)
		CALL_3(SYS_fcntl, fd, F_SETFL, flags);
}

/* Of what was looked at last: a read of it may show the machine. */
static SESSION_THREAD bool may_show_machine;

static bool is_ready(int fd, short events)
{
	struct pollfd one = { .fd = fd, .events = events };

	pthread_testcancel();
	tcp_try_again();
	return look(&one, 1) != 0;
}

static long wait_for(int fd, short events)
{
	struct pollfd one = { .fd = fd, .events = events };
	int64_t deadline = descriptors_deadline(fd, events);
	long n = descriptors_wait(&one, 1, deadline, deadline == LOCKSTEP_NEVER);

	if (n == 0)
		return -EAGAIN;
	return n < 0 ? n : 0;
}

long descriptors_prepare(struct descriptors_trial *trial, int fd, short events)
{
	bool may_wait;

	may_show_machine = false;
	if (!session_is_on())
		return 0;
	timer_files_fill();
	may_wait = descriptors_may_wait(fd);
	may_show_machine = machine_files_may_be(&it);
	if (!may_wait || may_show_machine)
		return 0;
	if (session_leads_out(fd)) {
		lockstep->is_outside = 1;
		return 0;
	}
	if (trial->has_failed)
		return wait_for(fd, events);
	if (!is_ready(fd, events)) {
		trial->is_on = true;
		trial->fd = fd;
		trial->flags = descriptors_begin_try(fd);
	}
	return 0;
}

bool descriptors_done(struct descriptors_trial *trial, long n)
{
	if (trial->is_on) {
		descriptors_end_try(trial->fd, trial->flags);
		trial->is_on = false;
		trial->has_failed = n == -EAGAIN;
		if (trial->has_failed)
			return false;
	}
	if (session_is_on() && lockstep->is_outside)
		lockstep->is_outside = 0;
	looks_returned(n);
	return true;
}

/* ---- poll ---- */

/* Sets the signals that are blocked during a wait. True: handlers have run, it is over. */
static bool begin_mask(const sigset_t *mask, uint64_t *ret_before)
{
	if (!mask)
		return false;
	*ret_before = delivery_block();
	return delivery_set(delivery_bits(mask)) != DELIVERY_NONE;
}

static void end_mask(const sigset_t *mask, uint64_t before)
{
	if (mask)
		delivery_set(before);
}

static long wait_masked(struct pollfd *fds, nfds_t count, int64_t deadline, const sigset_t *mask)
{
	uint64_t before = 0;
	long n = begin_mask(mask, &before) ? -EINTR : descriptors_wait(fds, count, deadline, false);

	end_mask(mask, before);
	return n;
}

static int64_t deadline_of(const struct timespec *timeout)
{
	return timeout ? turn_after(clocks_ns(timeout)) : LOCKSTEP_NEVER;
}

static int hooked_ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
			const sigset_t *mask)
{
	struct timespec copy = timeout ? *timeout : (struct timespec){ 0, 0 };

	if (!session_is_on())
		return (int)call_result(CALL_5(SYS_ppoll, fds, count, timeout ? &copy : NULL, mask,
					       8));
	return (int)call_result(wait_masked(fds, count, deadline_of(timeout), mask));
}

static int hooked_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	struct timespec timeout = { timeout_ms / 1000, timeout_ms % 1000 * 1000000L };

	return hooked_ppoll(fds, count, timeout_ms < 0 ? NULL : &timeout, NULL);
}

/* ---- select ---- */

static bool is_in(const fd_set *set, int fd)
{
	return set && FD_ISSET(fd, set);
}

static nfds_t gather(struct pollfd *fds, int n, const fd_set *in, const fd_set *out,
		     const fd_set *except)
{
	nfds_t count = 0;

	for (int fd = 0; fd < n; fd++) {
		int events = (is_in(in, fd) ? POLLIN : 0) | (is_in(out, fd) ? POLLOUT : 0) |
			     (is_in(except, fd) ? POLLPRI : 0);

		if (events)
			fds[count++] = (struct pollfd){ .fd = fd, .events = (short)events };
	}
	return count;
}

static void clear_set(fd_set *set, int n)
{
	for (int fd = 0; set && fd < n; fd++)
		FD_CLR(fd, set);
}

/* As the kernel's do_select() takes poll's events. */
static int scatter(const struct pollfd *fds, nfds_t count, fd_set *in, fd_set *out, fd_set *except)
{
	static const short readable = POLLIN | POLLHUP | POLLERR, writable = POLLOUT | POLLERR;
	int bits = 0;

	for (nfds_t i = 0; i < count; i++) {
		const struct pollfd *one = &fds[i];

		if ((one->events & POLLIN) && (one->revents & readable)) {
			FD_SET(one->fd, in);
			bits++;
		}
		if ((one->events & POLLOUT) && (one->revents & writable)) {
			FD_SET(one->fd, out);
			bits++;
		}
		if ((one->events & POLLPRI) && (one->revents & POLLPRI)) {
			FD_SET(one->fd, except);
			bits++;
		}
	}
	return bits;
}

static bool has_bad(const struct pollfd *fds, nfds_t count)
{
	for (nfds_t i = 0; i < count; i++) {
		if (fds[i].revents & POLLNVAL)
			return true;
	}
	return false;
}

static int hooked_pselect(int n, fd_set *in, fd_set *out, fd_set *except,
			  const struct timespec *timeout, const sigset_t *mask)
{
	struct { const sigset_t *mask; size_t size; } masked = { mask, 8 };
	struct timespec copy = timeout ? *timeout : (struct timespec){ 0, 0 };
	struct pollfd fds[FD_SETSIZE];
	nfds_t count;
	long r;

	if (!session_is_on())
		return (int)call_result(CALL_6(SYS_pselect6, n, in, out, except,
					       timeout ? &copy : NULL, &masked));
	if (n < 0 || n > FD_SETSIZE)
		return (int)call_result(-EINVAL);
	count = gather(fds, n, in, out, except);
	r = wait_masked(fds, count, deadline_of(timeout), mask);
	if (r >= 0 && has_bad(fds, count))
		r = -EBADF;
	if (r < 0)
		return (int)call_result(r);
	clear_set(in, n);
	clear_set(out, n);
	clear_set(except, n);
	return scatter(fds, count, in, out, except);
}

static int hooked_select(int n, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout)
{
	struct timespec ts = { 0, 0 };
	int64_t until;
	int r;

	if (timeout)
		ts = (struct timespec){ timeout->tv_sec, timeout->tv_usec * 1000 };
	until = session_is_on() && timeout ? turn_after(clocks_ns(&ts)) : 0;
	r = hooked_pselect(n, in, out, except, timeout ? &ts : NULL, NULL);
	if (timeout && until > 0) {
		ts = clocks_timespec(until > lockstep->now ? until - lockstep->now : 0);
		*timeout = (struct timeval){ ts.tv_sec, ts.tv_nsec / 1000 };
	}
	return r;
}

/* ---- epoll ---- */

struct epoll_event;

/* An epoll descriptor is one that the server does not know, whatever it watches. */
static int wait_in_epoll(int fd, struct epoll_event *events, int room, int64_t deadline,
			 const sigset_t *mask)
{
	struct pollfd one = { .fd = fd, .events = POLLIN };
	uint64_t before = 0;
	long n = begin_mask(mask, &before) ? -EINTR : 0;

	while (n == 0) {
		long ready;

		timer_files_fill();
		tcp_try_again();
		n = CALL_6(SYS_epoll_pwait, fd, events, room, 0, NULL, 0);
		if (n != 0)
			break;
		ready = descriptors_wait(&one, 1, deadline, false);
		if (ready == 0)
			break;
		n = ready < 0 ? ready : 0;
	}
	end_mask(mask, before);
	return (int)call_result(n);
}

static int hooked_epoll_pwait(int fd, struct epoll_event *events, int room, int timeout_ms,
			      const sigset_t *mask)
{
	if (!session_is_on())
		return (int)call_result(CALL_6(SYS_epoll_pwait, fd, events, room, timeout_ms, mask,
					       8));
	return wait_in_epoll(fd, events, room, timeout_ms < 0 ? LOCKSTEP_NEVER :
			     turn_after(timeout_ms * INT64_C(1000000)), mask);
}

int hooked_epoll_pwait2(int fd, struct epoll_event *events, int room,
			const struct timespec *timeout, const sigset_t *mask)
{
	if (!session_is_on())
		return (int)call_result(CALL_6(SYS_epoll_pwait2, fd, events, room, timeout, mask,
					       8));
	return wait_in_epoll(fd, events, room, deadline_of(timeout), mask);
}

static int hooked_epoll_wait(int fd, struct epoll_event *events, int room, int timeout_ms)
{
	return hooked_epoll_pwait(fd, events, room, timeout_ms, NULL);
}

/* ---- read and write ---- */

static ssize_t hooked_read(int fd, void *bytes, size_t size)
{
	const struct iovec part = { bytes, size };
	struct descriptors_trial trial = { .is_on = false };
	long n;

	do {
		n = descriptors_prepare(&trial, fd, POLLIN);
		if (n == 0 && !(may_show_machine && machine_files_read(fd, &it, bytes, size, &n)))
			n = CALL_3(SYS_read, fd, bytes, size);
		if (n > 0)
			n = terminals_read_rest(fd, &part, 1, n);
	} while (!descriptors_done(&trial, n));
	if (n > 0)
		signal_senders_translate_file(fd, &part, 1, (size_t)n);
	return call_result(n);
}

static ssize_t hooked_readv(int fd, const struct iovec *parts, int count)
{
	struct descriptors_trial trial = { .is_on = false };
	long n;

	do {
		n = descriptors_prepare(&trial, fd, POLLIN);
		if (n == 0 && !(may_show_machine && count > 0 &&
				machine_files_read(fd, &it, parts->iov_base, parts->iov_len, &n)))
			n = CALL_3(SYS_readv, fd, parts, count);
		if (n > 0)
			n = terminals_read_rest(fd, parts, count, n);
	} while (!descriptors_done(&trial, n));
	if (n > 0)
		signal_senders_translate_file(fd, parts, count, (size_t)n);
	return call_result(n);
}

/* What the peer of a TCP socket has not read is bounded, for calls that may wait. */
static long await_room(int fd, size_t *size)
{
	int64_t deadline;
	size_t room;
	long r = 0;

	if (!session_is_on() || !tcp_is(fd) || !descriptors_may_wait(fd) || session_leads_out(fd))
		return 0;
	deadline = descriptors_deadline(fd, POLLOUT);
	descriptors_begin_tries();
	while ((room = tcp_peer_room(fd)) == 0 && r == 0)
		r = descriptors_await_try_until(fd, deadline);
	if (*size > room)
		*size = room;
	return r;
}

/*
 * A pipe that can be written takes PIPE_BUF bytes at least; a write of more would wait for the
 * reader with the baton.
 */
static long write_some(int fd, const void *bytes, size_t size)
{
	struct descriptors_trial trial = { .is_on = false };
	long n = await_room(fd, &size);

	if (n < 0)
		return n;
	do {
		n = descriptors_prepare(&trial, fd, POLLOUT);
		if (n == 0)
			n = CALL_3(SYS_write, fd, bytes, size);
	} while (!descriptors_done(&trial, n));
	return n;
}

/* What an eventfd has no room for depends on the number. */
static long write_count(int fd, const void *bytes, size_t size)
{
	long n;

	descriptors_begin_tries();
	do {
		long flags = descriptors_begin_try(fd);

		n = CALL_3(SYS_write, fd, bytes, size);
		descriptors_end_try(fd, flags);
	} while (n == -EAGAIN && (n = descriptors_await_try(fd)) == 0);
	return n;
}

static bool is_count(int fd)
{
	return session_is_on() && look_at(fd) && is_anonymous() && descriptors_may_wait(fd);
}

static bool is_in_pieces(int fd, size_t size)
{
	return session_is_on() && (size > PIPE_BUF || tcp_is(fd)) && descriptors_may_wait(fd) &&
	       !session_leads_out(fd);
}

static void written(int fd)
{
	file_times_changed(fd);
	tcp_settle(fd);
	terminals_settle(fd);
}

static ssize_t hooked_write(int fd, const void *bytes, size_t size)
{
	size_t done = 0;
	long n;

	if (size == sizeof(uint64_t) && is_count(fd))
		return call_result(write_count(fd, bytes, size));
	if (!is_in_pieces(fd, size)) {
		n = write_some(fd, bytes, size);
		if (n > 0)
			written(fd);
		return call_result(n);
	}
	while (done < size) {
		size_t piece = size - done < PIPE_BUF ? size - done : PIPE_BUF;

		n = write_some(fd, (const char *)bytes + done, piece);
		if (n < 0)
			return done > 0 ? (ssize_t)done : call_result(n);
		tcp_settle(fd);
		terminals_settle(fd);
		done += (size_t)n;
	}
	return (ssize_t)done;
}

static ssize_t hooked_writev(int fd, const struct iovec *parts, int count)
{
	size_t done = 0;

	if (!session_is_on() || !descriptors_may_wait(fd) || session_leads_out(fd)) {
		long r = CALL_3(SYS_writev, fd, parts, count);

		looks_returned(r);
		if (r > 0)
			written(fd);
		return call_result(r);
	}
	for (int i = 0; i < count; i++) {
		ssize_t n = hooked_write(fd, parts[i].iov_base, parts[i].iov_len);

		if (n < 0)
			return done > 0 ? (ssize_t)done : n;
		done += (size_t)n;
		if ((size_t)n < parts[i].iov_len)
			break;
	}
	return (ssize_t)done;
}

const struct hook descriptors_hooks[] = {
	{ "poll", hooked_poll },
	{ "ppoll", hooked_ppoll },
	{ "select", hooked_select },
	{ "pselect", hooked_pselect },
	{ "epoll_wait", hooked_epoll_wait },
	{ "epoll_pwait", hooked_epoll_pwait },
	{ "epoll_pwait2", hooked_epoll_pwait2 },
	{ "read", hooked_read },
	{ "readv", hooked_readv },
	{ "write", hooked_write },
	{ "writev", hooked_writev },
	{ NULL, NULL },
};
