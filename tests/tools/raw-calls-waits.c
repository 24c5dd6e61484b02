/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The part of raw-calls that is about waiting: read(2) that blocks, poll(2) and its kin, signals,
 * and threads that share a handle.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <infiniband/umad_types.h>

#include "lib/base/umad-command.h"
#include "tests/tools/raw-calls.h"

/* ---- blocking ---- */

static void on_alarm(int sig)
{
	(void)sig;
}

static void alarm_once(int flags, long after_ms)
{
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = flags };
	struct itimerval timer = { .it_value.tv_usec = after_ms * 1000 };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

void test_blocking(void)
{
	int fd = open_handle();
	size_t size = HEADER + MAD;

	is("O_NONBLOCK is what fcntl() says", fcntl(fd, F_GETFL) & O_NONBLOCK, O_NONBLOCK, 0);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	ask(fd, ANSWERS, 60000);
	is("without, a read waits", read(fd, &buffer, sizeof(buffer)), (long)size, 0);
	ask(fd, NOBODY, 200);
	is("for a timeout, too", read(fd, &buffer, sizeof(buffer)), HEADER + 24, 0);
	if (is_attached) {
		ask(fd, NOBODY, 60000);
		alarm_once(0, 50);
		is("a signal ends it", read(fd, &buffer, sizeof(buffer)), -1, EINTR);
		ask(fd, NOBODY, 300);
		alarm_once(SA_RESTART, 50);
		is("or does not", read(fd, &buffer, sizeof(buffer)), HEADER + 24, 0);
	}
	umad_close_port(fd);
}

/* ---- waits ---- */

/* A request that nobody answers is over after twice that. */
static uint32_t wait_ms(void)
{
	return is_virtual ? 20000 : 20;
}

static int timeout_ms(const struct timespec *timeout)
{
	return timeout ? (int)(timeout->tv_sec * 1000 + timeout->tv_nsec / 1000000) : -1;
}

static const struct timespec forever_but = { .tv_sec = 60 };
static const struct timespec short_time = { .tv_nsec = 1000000 };

static int by_poll(int fd, int other, const struct timespec *timeout)
{
	struct pollfd fds[2] = {
		{ .fd = other, .events = POLLIN }, { .fd = fd, .events = POLLIN },
	};

	return poll(fds, 2, timeout_ms(timeout));
}

static int by_ppoll(int fd, int other, const struct timespec *timeout)
{
	struct pollfd fds[2] = {
		{ .fd = fd, .events = POLLIN }, { .fd = other, .events = POLLIN },
	};
	sigset_t mask;

	sigemptyset(&mask);
	return ppoll(fds, 2, timeout, &mask);
}

static int by_select(int fd, int other, const struct timespec *timeout)
{
	struct timeval left = { 0 };
	fd_set in;

	FD_ZERO(&in);
	FD_SET(fd, &in);
	if (other >= 0)
		FD_SET(other, &in);
	if (timeout) {
		left.tv_sec = timeout->tv_sec;
		left.tv_usec = timeout->tv_nsec / 1000;
	}
	return select((fd > other ? fd : other) + 1, &in, NULL, NULL, timeout ? &left : NULL);
}

static int by_pselect(int fd, int other, const struct timespec *timeout)
{
	fd_set in;

	FD_ZERO(&in);
	FD_SET(fd, &in);
	if (other >= 0)
		FD_SET(other, &in);
	return pselect((fd > other ? fd : other) + 1, &in, NULL, NULL, timeout, NULL);
}

static int by_epoll(int fd, int other, const struct timespec *timeout)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll = epoll_create1(EPOLL_CLOEXEC), ret;

	epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
	if (other >= 0)
		epoll_ctl(epoll, EPOLL_CTL_ADD, other, &event);
	ret = epoll_wait(epoll, &event, 1, timeout_ms(timeout));
	close(epoll);
	return ret;
}

/* Each wait sees a timeout that is not due when it begins, whatever clock the fabric has. */
void test_waits(void)
{
	static const struct {
		const char *name;
		int (*wait)(int fd, int other, const struct timespec *timeout);
	} rows[] = {
		{ "poll()", by_poll },
		{ "ppoll()", by_ppoll },
		{ "select()", by_select },
		{ "pselect()", by_pselect },
		{ "epoll_wait()", by_epoll },
	};
	int fd = open_handle(), other = umad_open_port("H1", 1), copy = dup(other), pipes[2];
	struct pollfd lone = { .fd = other, .events = POLLIN };

	if (pipe(pipes) < 0)
		return;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		is(rows[i].name, rows[i].wait(fd, -1, &short_time), 0, 0);
		ask(fd, NOBODY, wait_ms());
		is("  for a timeout", rows[i].wait(fd, -1, &forever_but), 1, 0);
		is("  which it is", read(fd, &buffer, sizeof(buffer)), HEADER + 24, 0);
		ask(fd, NOBODY, wait_ms());
		is("  without end, and two of them", rows[i].wait(fd, copy, NULL), 1, 0);
		is("  as well", read(fd, &buffer, sizeof(buffer)), HEADER + 24, 0);
		is("  with another file", rows[i].wait(fd, pipes[0], &short_time), 0, 0);
	}
	if (is_virtual)
		is("nothing can come", poll(&lone, 1, -1), -1, EDEADLK);
	close(pipes[0]);
	close(pipes[1]);
	umad_close_port(copy);
	umad_close_port(other);
	umad_close_port(fd);
}

/* ---- threads and signals ---- */

enum { THREADS = 8, EXCHANGES = 200 };

static atomic_uint exchanged;

/* Each answer is that to the request before it, and comes once. */
static void *exchange(void *data)
{
	const struct umad_hdr *mad = (const struct umad_hdr *)(buffer.bytes + HEADER);
	int fd = umad_open_port("H1", 1);
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	struct ib_user_mad_reg_req req = { .qpn = 1 };	/* an agent that only sends */

	(void)data;
	if (ioctl(fd, IB_USER_MAD_REGISTER_AGENT, &req) < 0)
		return NULL;
	for (unsigned int i = 0; i < EXCHANGES; i++) {
		ask(fd, ANSWERS, 60000);
		while (poll(&pfd, 1, -1) < 0 && errno == EINTR)
			;
		if (read(fd, &buffer, sizeof(buffer)) != HEADER + MAD ||
		    (uint32_t)be64toh(mad->tid) != last_tid ||
		    read(fd, &buffer, sizeof(buffer)) != -1 || errno != EAGAIN)
			break;
		atomic_fetch_add(&exchanged, 1);
	}
	umad_close_port(fd);
	return NULL;
}

static void run_threads(void)
{
	pthread_t threads[THREADS];

	for (unsigned int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, exchange, NULL);
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

void test_threads(void)
{
	struct itimerval often = { .it_interval.tv_usec = 1000, .it_value.tv_usec = 1000 };
	struct itimerval never = { .it_value = { 0 } };
	int status = 0;
	pid_t pid = -1;

	alarm_once(SA_RESTART, 1);
	fflush(stdout);
	if (is_attached)
		pid = fork();
	setitimer(ITIMER_REAL, &often, NULL);
	run_threads();
	setitimer(ITIMER_REAL, &never, NULL);
	if (pid == 0)
		_exit(atomic_load(&exchanged) == THREADS * EXCHANGES ? 0 : 1);
	if (pid > 0)
		waitpid(pid, &status, 0);
	is("exchanges of threads, while signals come", atomic_load(&exchanged),
	   THREADS * EXCHANGES, 0);
	if (is_attached)
		is("and of another process", status, 0, 0);
}
