/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * issm-calls: what Linux does with an issm device, as TAP.
 *
 * 	issm-calls [--sysfs] [PATH]
 *
 * PATH is the device's, otherwise what umad_get_issm_path() returns for the first port. IsSM is
 * read in /sys, each time after an open or a close: with --sysfs, or where a PATH was given;
 * otherwise umad_get_port() says it.
 *
 * 	issm-calls stuck [PATH]
 *
 * waits for the device that it has open itself.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "lib/words/number.h"

enum {
	UMAD_MAJOR = 231, ISSM_MINOR = 64, IS_SM = 0x2, ROUNDS = 200,
	ALL = POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM,
};

static char device[PATH_MAX], cap_mask[PATH_MAX], ca[UMAD_CA_NAME_LEN];
static bool is_node;		/* the device is that of /dev */
static unsigned int test_count, failure_count;

static void ok(bool passed, const char *mode, const char *name)
{
	test_count++;
	failure_count += !passed;
	printf("%sok %u - %s%s\n", passed ? "" : "not ", test_count, mode, name);
}

/* 'result' is of the call just made: -1 with 'err', or not -1 where that is 0. */
static void is(const char *mode, const char *name, long result, int err)
{
	int err_now = errno;
	bool passed = err ? result == -1 && err_now == err : result != -1;

	ok(passed, mode, name);
	if (!passed)
		printf("# got %ld (%s), expected %s\n", result, strerror(result < 0 ? err_now : 0),
		       strerror(err));
}

/* ---- IsSM ---- */

static int is_sm_in_sysfs(void)
{
	char text[40] = "";
	uint64_t mask;
	int fd = open(cap_mask, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	return n > 2 && number_after(text, "0x", 16, &mask) == 0 ? (mask & IS_SM) != 0 : -1;
}

static int is_sm(void)
{
	umad_port_t port;
	int ret;

	if (*cap_mask)
		return is_sm_in_sysfs();
	if (umad_get_port(ca, 1, &port) < 0)
		return -1;
	ret = (ntohl(port.capmask) & IS_SM) != 0;
	umad_release_port(&port);
	return ret;
}

static void test_is_sm(void)
{
	int late_opens = 0, late_closes = 0;

	for (int i = 0; i < ROUNDS; i++) {
		int fd = open(device, O_RDONLY | O_NONBLOCK);

		late_opens += fd < 0 || is_sm() != 1;
		close(fd);
		late_closes += is_sm() != 0;
	}
	ok(late_opens == 0, "", "IsSM is set when open returns");
	ok(late_closes == 0, "", "IsSM is cleared when close returns");
	if (late_opens || late_closes)
		printf("# of %d: %d, %d late\n", ROUNDS, late_opens, late_closes);
}

/* ---- one mode ---- */

/*
 * The filter knows the mode of a descriptor by a copy of it, which containers deny: all modes are
 * O_RDWR there.
 */
static bool knows_modes(void)
{
	int process = (int)syscall(SYS_pidfd_open, getpid(), 0);
	int copy = (int)syscall(SYS_pidfd_getfd, process, STDIN_FILENO, 0);
	bool is_denied = copy < 0 && errno == EPERM;

	if (copy >= 0)
		close(copy);
	close(process);
	return !is_node || !is_denied;
}

static void test_mode(const char *mode, int access)
{
	const bool any = !knows_modes();
	const bool reads = any || access != O_WRONLY, writes = any || access != O_RDONLY;
	int fd = open(device, access | O_NONBLOCK), copy, count;
	char bytes[8] = "";
	struct iovec part = { bytes, sizeof(bytes) };
	struct stat st;
	struct pollfd pollfd = { .fd = fd, .events = ALL | POLLPRI };

	is(mode, "open", fd, 0);
	is(mode, "a second one", open(device, access | O_NONBLOCK), EAGAIN);
	ok(is_sm() == 1, mode, "and IsSM stays");
	is(mode, "read", read(fd, bytes, sizeof(bytes)), reads ? EINVAL : EBADF);
	is(mode, "write", write(fd, bytes, sizeof(bytes)), writes ? EINVAL : EBADF);
	is(mode, "readv", readv(fd, &part, 1), reads ? EINVAL : EBADF);
	is(mode, "writev", writev(fd, &part, 1), writes ? EINVAL : EBADF);
	is(mode, "pread", pread(fd, bytes, sizeof(bytes), 0), ESPIPE);
	is(mode, "ioctl", ioctl(fd, FIONREAD, &count), ENOTTY);
	ok(poll(&pollfd, 1, 0) == 1 && pollfd.revents == ALL, mode, "poll finds it ready");
	if (is_node)
		ok(fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) &&
		   st.st_rdev == makedev(UMAD_MAJOR, ISSM_MINOR), mode, "fstat says the device");
	copy = dup(fd);
	is(mode, "read of a copy", read(copy, bytes, sizeof(bytes)), reads ? EINVAL : EBADF);
	close(fd);
	is(mode, "open while there is a copy", open(device, access | O_NONBLOCK), EAGAIN);
	close(copy);
	ok(is_sm() == 0, mode, "IsSM goes with the last copy");
}

/* ---- waiting ---- */

static volatile sig_atomic_t caught;

static void on_alarm(int number)
{
	(void)number;
	caught++;
}

/* Again and again, 'us' apart, since the first may come before the call that it is for; 0: none. */
static void expect_alarms(int flags, long us)
{
	const struct sigaction action = { .sa_handler = on_alarm, .sa_flags = flags };
	const struct itimerval timer = { { .tv_usec = us }, { .tv_usec = us } };

	caught = 0;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* A child that has the device open for 'us'. */
static pid_t open_in_child(long us)
{
	int ready[2];
	char byte;
	pid_t child;

	if (pipe(ready) < 0)
		return -1;
	child = fork();
	if (child == 0) {
		int fd = open(device, O_RDWR);

		if (write(ready[1], "", 1) < 1 || fd < 0)
			_exit(1);
		usleep((useconds_t)us);
		close(fd);
		_exit(0);
	}
	if (child > 0 && read(ready[0], &byte, 1) < 1)
		child = -1;
	close(ready[0]);
	close(ready[1]);
	return child;
}

static void test_waiting(void)
{
	pid_t child = open_in_child(300000);
	int fd, status = -1;

	expect_alarms(0, 20000);
	is("", "a signal ends the wait", open(device, O_RDWR), EINTR);
	ok(caught > 0, "", "its handler has run");
	expect_alarms(SA_RESTART, 20000);
	fd = open(device, O_RDWR);
	ok(caught > 0, "", "the handler of one with SA_RESTART has run");
	expect_alarms(SA_RESTART, 0);
	is("", "and open has waited for the close", fd, 0);
	waitpid(child, &status, 0);
	ok(status == 0, "", "the other one has closed it");
	is("", "now it is this one's", open(device, O_RDONLY | O_NONBLOCK), EAGAIN);
	close(fd);
}

/* Processes are told that the device is free when it is, and one after the other. */
static void test_turns(void)
{
	enum { CHILDREN = 4 };
	int fd = open(device, O_RDONLY), good = 0, status;

	for (int i = 0; i < CHILDREN; i++) {
		if (fork() == 0) {
			close(fd);
			_exit(open(device, O_RDONLY) < 0);
		}
	}
	usleep(20000);
	close(fd);
	for (int i = 0; i < CHILDREN; i++)
		good += wait(&status) > 0 && status == 0;
	ok(good == CHILDREN, "", "each of those that wait gets it");
}

/* ---- all ---- */

static int stuck(void)
{
	int fd = open(device, O_RDONLY);

	printf("%d\n", open(device, O_RDONLY));
	close(fd);
	return 1;
}

static bool find(const char *path, bool in_sysfs)
{
	char names[1][UMAD_CA_NAME_LEN];

	if (umad_init() < 0 || umad_get_cas_names(names, 1) < 1)
		return false;
	strcpy(ca, names[0]);
	if (path || in_sysfs)
		snprintf(cap_mask, sizeof(cap_mask), "/sys/class/infiniband/%s/ports/1/cap_mask",
			 ca);
	if (!path)
		return umad_get_issm_path(ca, 1, device, sizeof(device)) == 0;
	snprintf(device, sizeof(device), "%s", path);
	is_node = true;
	return true;
}

int main(int argc, char **argv)
{
	bool is_stuck = argc > 1 && strcmp(argv[1], "stuck") == 0;
	bool in_sysfs = argc > 1 && strcmp(argv[1], "--sysfs") == 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!find(argv[1 + (is_stuck || in_sysfs)], in_sysfs)) {
		printf("Bail out! there is no port\n");
		return 99;
	}
	if (is_stuck)
		return stuck();
	test_mode("O_RDONLY: ", O_RDONLY);
	test_mode("O_WRONLY: ", O_WRONLY);
	test_mode("O_RDWR: ", O_RDWR);
	test_waiting();
	test_turns();
	test_is_sm();
	printf("1..%u\n", test_count);
	return failure_count > 0;
}
