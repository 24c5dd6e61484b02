/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Waiting for files: pipes, poll and its kin, locks on files, eventfd, inotify. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

/* The end to read of a pipe that a child writes to in two seconds; -1: it cannot be made. */
static int late_pipe(pid_t *ret_pid)
{
	int ends[2];

	if (pipe(ends) < 0)
		return -1;
	*ret_pid = in_two_seconds(write_byte, ends[1]);
	return ends[0];
}

bool row_read(void)
{
	int64_t from = now();
	pid_t pid = 0;
	int fd = late_pipe(&pid);
	char byte;

	return read(fd, &byte, 1) == 1 && passed(from, 2 * S) && reap(pid);
}

bool row_write(void)
{
	static char bytes[300000];
	int64_t from = now();
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		return false;
	pid = reads_late(ends);
	if (write(ends[1], bytes, sizeof(bytes)) != sizeof(bytes) || !passed(from, 2 * S))
		return false;
	close(ends[1]);
	return reap(pid);
}

/* libc's own calls do not go by name. */
bool row_stdio(void)
{
	int64_t from = now();
	pid_t pid = 0;
	FILE *file = fdopen(late_pipe(&pid), "r");

	return file && fgetc(file) == 'x' && passed(from, 2 * S) && reap(pid);
}

bool row_poll(void)
{
	int64_t from = now();
	pid_t pid = 0;
	struct pollfd one = { .fd = late_pipe(&pid), .events = POLLIN };

	return poll(&one, 1, 500) == 0 && passed(from, S / 2) && poll(&one, 1, -1) == 1 &&
	       one.revents == POLLIN && passed(from, 2 * S) && reap(pid);
}

bool row_ppoll(void)
{
	struct timespec some = { 1, 1 };
	int64_t from = now();

	return ppoll(NULL, 0, &some, NULL) == 0 && passed(from, S + 1);
}

bool row_select(void)
{
	struct timeval tv = { 5, 0 };
	int64_t from = now();
	pid_t pid = 0;
	int fd = late_pipe(&pid);
	fd_set set;

	if (fd < 0)
		return false;
	FD_ZERO(&set);
	FD_SET(fd, &set);
	return select(fd + 1, &set, NULL, NULL, &tv) == 1 && FD_ISSET(fd, &set) &&
	       tv.tv_sec == 3 && tv.tv_usec == 0 && passed(from, 2 * S) && reap(pid);
}

bool row_pselect(void)
{
	struct timespec some = { 0, 250 };
	int64_t from = now();

	return pselect(0, NULL, NULL, NULL, &some, NULL) == 0 && passed(from, 250);
}

bool row_epoll_wait(void)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = 9 };
	int64_t from = now();
	pid_t pid = 0;
	int epoll = epoll_create1(0), fd = late_pipe(&pid);

	if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0)
		return false;
	event.data.u32 = 0;
	return epoll_wait(epoll, &event, 1, 100) == 0 && passed(from, S / 10) &&
	       epoll_wait(epoll, &event, 1, -1) == 1 && event.data.u32 == 9 &&
	       passed(from, 2 * S) && reap(pid);
}

/* A file that nobody has; a child has 'lock' on it for three seconds from now. */
static int locked_file(bool (*lock)(int fd), pid_t *ret_pid)
{
	char path[] = "/tmp/lockstep-calls.XXXXXX";
	int fd = mkstemp(path), theirs = open(path, O_RDWR);
	pid_t pid;

	unlink(path);
	pid = fork();
	if (pid == 0) {
		if (!lock(theirs))
			_exit(1);
		sleep(3);
		_exit(0);
	}
	close(theirs);
	sleep(1);
	*ret_pid = pid;
	return fd;
}

static bool by_flock(int fd)
{
	return flock(fd, LOCK_EX) == 0;
}

static bool by_fcntl(int fd)
{
	struct flock whole = { .l_type = F_WRLCK };

	return fcntl(fd, F_SETLKW, &whole) == 0;
}

static bool by_file_description(int fd)
{
	struct flock whole = { .l_type = F_WRLCK };

	return fcntl(fd, F_OFD_SETLKW, &whole) == 0;
}

static bool by_lockf(int fd)
{
	return lockf(fd, F_LOCK, 0) == 0;
}

static bool waits_for_lock(bool (*lock)(int fd))
{
	int64_t from = now();
	pid_t pid = 0;
	int fd = locked_file(lock, &pid);

	return lock(fd) && passed(from, 3 * S) && reap(pid) && close(fd) == 0;
}

bool row_flock(void)
{
	return waits_for_lock(by_flock);
}

bool row_fcntl(void)
{
	return waits_for_lock(by_fcntl) && waits_for_lock(by_file_description);
}

bool row_lockf(void)
{
	return waits_for_lock(by_lockf);
}

static void read_count(int fd)
{
	eventfd_t count;

	if (eventfd_read(fd, &count) < 0)
		_exit(1);
}

/* There is room for 1, and not for 2. */
bool row_eventfd_write(void)
{
	int64_t from = now();
	int fd = eventfd(0, 0);
	pid_t pid;

	if (eventfd_write(fd, UINT64_MAX - 2) < 0)
		return false;
	pid = in_two_seconds(read_count, fd);
	return eventfd_write(fd, 2) == 0 && passed(from, 2 * S) && reap(pid) &&
	       !(fcntl(fd, F_GETFL) & O_NONBLOCK) && close(fd) == 0;
}

static void write_count(int fd)
{
	if (eventfd_write(fd, 5) < 0)
		_exit(1);
}

bool row_eventfd(void)
{
	int64_t from = now();
	int fd = eventfd(0, 0);
	eventfd_t count = 0;
	pid_t pid = in_two_seconds(write_count, fd);

	return eventfd_read(fd, &count) == 0 && count == 5 && passed(from, 2 * S) &&
	       reap(pid) && close(fd) == 0;
}

static void make_file(int fd)
{
	int made = openat(fd, "made", O_CREAT | O_WRONLY, 0600);

	if (made < 0 || unlinkat(fd, "made", 0) < 0)
		_exit(1);
}

bool row_inotify(void)
{
	char path[] = "/tmp/lockstep-calls.XXXXXX", bytes[1024];
	int64_t from = now();
	int fd = inotify_init1(0), directory;
	struct inotify_event event = { .mask = 0 };
	pid_t pid;
	bool ok;

	if (!mkdtemp(path))
		return false;
	directory = open(path, O_RDONLY | O_DIRECTORY);
	inotify_add_watch(fd, path, IN_CREATE);
	pid = in_two_seconds(make_file, directory);
	ok = read(fd, bytes, sizeof(bytes)) > (ssize_t)sizeof(event);
	memcpy(&event, bytes, sizeof(event));
	ok = ok && event.mask == IN_CREATE && passed(from, 2 * S) && reap(pid);
	rmdir(path);
	return ok && close(fd) == 0 && close(directory) == 0;
}
