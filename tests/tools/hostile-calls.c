/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * hostile-calls: a program below the seccomp filter that means harm, or one that suffers from it.
 *
 *	hostile-calls innocent ROUNDS
 *		looks at a file, opens it, and asks its own port, over and over again; prints how
 *		long that took: rounds, median, p99 and worst of a round, in microseconds
 *	hostile-calls late ROUNDS
 *		looks at a directory of ours by a path, and into a struct, that are in memory a
 *		moment after they are asked for
 *	hostile-calls ATTACK [THREADS]
 *		goes on until its input ends
 *
 * The attacks are those of the table 'attacks', in one process each. It needs no library, and is
 * built statically.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fuse.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/umad-command.h"

#define OTHER "/etc/passwd"		/* which is read only */
#define OWN "./written"			/* in the working directory, which is ours */
#define DEVICE "/dev/infiniband/umad0"

enum { HEADER_SIZE = 64, MAD_SIZE = 256, CLASS_DIRECTED = 0x81, NODE_INFO = 0x11 };
enum { PAGE = 4096, STACK = 64 << 10 };

static double now_us(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec * 1e6 + (double)at.tv_nsec / 1e3;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* ---- the device ---- */

static int open_umad(uint32_t *ret_agent)
{
	struct ib_user_mad_reg_req registration = {
		.qpn = 0, .mgmt_class = CLASS_DIRECTED, .mgmt_class_version = 1,
	};
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		fail(DEVICE);
	if (ioctl(fd, UMAD_COMMAND_ENABLE_PKEY) < 0 ||
	    ioctl(fd, UMAD_COMMAND_REGISTER_AGENT, &registration) < 0)
		fail("ioctl");
	*ret_agent = registration.id;
	return fd;
}

/* A directed request with no hops: our own port answers. */
static void trip(int fd, uint32_t agent, uint32_t number)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	const uint32_t timeout_ms = 60000, length = MAD_SIZE;
	uint8_t bytes[HEADER_SIZE + MAD_SIZE] = { 0 }, *mad = bytes + HEADER_SIZE;

	memcpy(bytes, &agent, sizeof(agent));
	memcpy(bytes + 8, &timeout_ms, sizeof(timeout_ms));
	memcpy(bytes + 16, &length, sizeof(length));
	memset(bytes + 28, 0xff, 2);	/* the permissive LID */
	mad[0] = mad[2] = mad[3] = 1;
	mad[1] = CLASS_DIRECTED;
	memcpy(mad + 12, &number, sizeof(number));
	mad[17] = NODE_INFO;
	memset(mad + 32, 0xff, 4);
	if (write(fd, bytes, sizeof(bytes)) != sizeof(bytes))
		fail("write");
	if (poll(&wait, 1, -1) != 1)
		fail("poll");
	if (read(fd, bytes, sizeof(bytes)) != sizeof(bytes))
		fail("read");
	if (memcmp(mad + 12, &number, sizeof(number)) != 0 || mad[3] != 0x81) {
		fprintf(stderr, "a wrong answer\n");
		exit(2);
	}
}

/* ---- who suffers ---- */

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int be_innocent(long rounds)
{
	double *times_us = calloc((size_t)rounds, sizeof(*times_us));
	uint32_t agent;
	int fd = open_umad(&agent);

	for (long i = 0; i < rounds; i++) {
		double from_us = now_us();
		struct stat st;
		int other;

		if (stat(OTHER, &st) < 0)
			fail("stat");
		other = open(OTHER, O_RDONLY | O_CLOEXEC);
		if (other < 0)
			fail("open");
		close(other);
		trip(fd, agent, (uint32_t)i + 1);
		times_us[i] = now_us() - from_us;
	}
	qsort(times_us, (size_t)rounds, sizeof(*times_us), by_size);
	printf("%ld %.0f %.0f %.0f\n", rounds, times_us[rounds / 2], times_us[rounds * 99 / 100],
	       times_us[rounds - 1]);
	free(times_us);
	return 0;
}

/* ---- who means harm ---- */

static pthread_barrier_t all_there;	/* all of an attack begin at the same time */

static void start(void *(*function)(void *))
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK);
	if (pthread_create(&thread, &attributes, function, NULL) != 0)
		fail("pthread_create");
}

static void *look(void *unused)
{
	struct stat st;

	pthread_barrier_wait(&all_there);
	for (;;)
		stat(OTHER, &st);
	return unused;
}

static void *open_devices(void *unused)
{
	pthread_barrier_wait(&all_there);
	for (;;) {
		int fd = open(DEVICE, O_RDWR);

		if (fd >= 0)
			close(fd);
	}
	return unused;
}

/* Pages that are not there: whoever reads one waits until '*ret_fd' is used to bring it. */
static char *missing_pages(size_t count, int *ret_fd)
{
	char *page = mmap(NULL, count * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = {
		.range = { (uintptr_t)page, count * PAGE }, .mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	if (fd < 0 && errno == EPERM)
		fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	if (page == MAP_FAILED || fd < 0 || ioctl(fd, UFFDIO_API, &api) < 0 ||
	    ioctl(fd, UFFDIO_REGISTER, &range) < 0)
		fail("userfaultfd");
	*ret_fd = fd;
	return page;
}

static char *missing;

/* None ever comes: the wait is until this process ends. */
static void make_missing(void)
{
	int fd;

	missing = missing_pages(1, &fd);
}

static void *look_by_missing(void *unused)
{
	struct stat st;

	pthread_barrier_wait(&all_there);
	stat(missing, &st);
	return unused;
}

static void *write_missing(void *unused)
{
	uint32_t agent;
	int fd = open_umad(&agent);

	pthread_barrier_wait(&all_there);
	if (write(fd, missing, HEADER_SIZE + MAD_SIZE) < 0)
		fail("write");
	return unused;
}

/* ---- a file system that never answers ---- */

static void write_file(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fail(name);
	close(fd);
}

/* A mount namespace of its own; for one who is not root, with a user namespace. */
static void enter_namespace(void)
{
	char map[64];
	unsigned int uid = getuid(), gid = getgid();

	if (unshare(CLONE_NEWNS) < 0) {
		if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
			fail("unshare");
		write_file("/proc/self/setgroups", "deny");
		snprintf(map, sizeof(map), "%u %u 1", uid, uid);
		write_file("/proc/self/uid_map", map);
		snprintf(map, sizeof(map), "%u %u 1", gid, gid);
		write_file("/proc/self/gid_map", map);
	}
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		fail("mount: /");
}

/* The kernel's first request gets its answer, and no other does, until this process ends. */
static void greet(int fuse)
{
	static union {
		struct fuse_in_header header;
		uint8_t bytes[FUSE_MIN_READ_BUFFER + PAGE];
	} request;
	struct {
		struct fuse_out_header header;
		struct fuse_init_out init;
	} answer = {
		{ .len = sizeof(answer) },
		{ .major = FUSE_KERNEL_VERSION, .minor = 31, .max_write = PAGE },
	};

	if (read(fuse, &request, sizeof(request)) < (ssize_t)sizeof(request.header))
		fail("/dev/fuse");
	answer.header.unique = request.header.unique;
	if (write(fuse, &answer, sizeof(answer)) != sizeof(answer))
		fail("/dev/fuse");
}

static char silent[PATH_MAX];	/* a name on it, from a directory of the simulated devices */
static int devices;		/* that directory */

static void serve_silence(void)
{
	char directory[] = "/tmp/hostile-XXXXXX", options[128];
	int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);

	if (fuse < 0)
		fail("/dev/fuse");
	enter_namespace();
	/* What is mounted there is seen in this namespace only. */
	if (mount("none", "/tmp", "tmpfs", 0, NULL) < 0 || !mkdtemp(directory))
		fail("/tmp");
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=%u,group_id=%u", fuse,
		 getuid(), getgid());
	if (mount("silence", directory, "fuse", MS_NOSUID | MS_NODEV, options) < 0)
		fail("mount: fuse");
	greet(fuse);
	devices = open("/sys/class/infiniband", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (devices < 0)
		fail("/sys/class/infiniband");
	snprintf(silent, sizeof(silent), "../../..%s/name", directory);
}

/* Calls that are the supervisor's, as they begin in a directory of ours. */
static void *look_at_silence(void *unused)
{
	static _Atomic unsigned int count;
	unsigned int number = count++;
	struct statx stx;
	struct stat st;
	char text[8];

	pthread_barrier_wait(&all_there);
	switch (number % 6) {
	case 0:
		return openat(devices, silent, O_RDONLY) < 0 ? NULL : unused;
	case 1:
		return fstatat(devices, silent, &st, 0) < 0 ? NULL : unused;
	case 2:
		return statx(devices, silent, 0, STATX_ALL, &stx) < 0 ? NULL : unused;
	case 3:
		return faccessat(devices, silent, R_OK, 0) < 0 ? NULL : unused;
	case 4:
		return readlinkat(devices, silent, text, sizeof(text)) < 0 ? NULL : unused;
	}
	return fchdir(devices) < 0 || chdir(silent) < 0 ? NULL : unused;
}

/* xorshift64*: the same numbers in each run. */
static uint64_t next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static char path[64];
static uint8_t message[HEADER_SIZE + MAD_SIZE];
static volatile int shared_fd = -1;

/* What calls read is another thing each time that they look. */
static void *change(void *unused)
{
	uint64_t state = 1;
	int own = open(OWN, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	if (own < 0)
		fail(OWN);
	close(own);
	pthread_barrier_wait(&all_there);
	for (;;) {
		strcpy(path, next(&state) >> 63 ? OWN : DEVICE);
		message[next(&state) >> 32 & 255] = (uint8_t)next(&state);
		path[next(&state) >> 60] = (char)next(&state);
	}
	return unused;
}

static void *use_what_changes(void *unused)
{
	struct stat st;

	pthread_barrier_wait(&all_there);
	for (;;) {
		int fd = open(path, O_RDWR);

		stat(path, &st);
		if (fd >= 0) {
			ioctl(fd, UMAD_COMMAND_REGISTER_AGENT, message);
			if (write(fd, message, sizeof(message)) > 0)
				shared_fd = fd;
			close(fd);
		}
	}
	return unused;
}

/* A number is another file each time that it is used. */
static void *reuse(void *unused)
{
	pthread_barrier_wait(&all_there);
	for (;;) {
		int fd = open(DEVICE, O_RDWR | O_NONBLOCK), other = open("/", O_RDONLY);

		shared_fd = fd;
		dup2(other, fd);
		fcntl(fd, F_DUPFD, 0);
		close(fd);
		close(other);
		syscall(SYS_close_range, 100, ~0U, 0);
	}
	return unused;
}

static void *use_reused(void *unused)
{
	uint8_t bytes[HEADER_SIZE + MAD_SIZE];

	pthread_barrier_wait(&all_there);
	for (;;) {
		int fd = shared_fd;
		struct stat st;

		if (read(fd, bytes, sizeof(bytes)) < 0)
			ioctl(fd, UMAD_COMMAND_REGISTER_AGENT, bytes);
		if (write(fd, bytes, sizeof(bytes)) < 0)
			fstat(fd, &st);
	}
	return unused;
}

/* What the socket behind a device is sent past the filter. */
static void *forge(void *unused)
{
	static const int low = 90;
	uint64_t state = 2;
	uint8_t bytes[2048];

	pthread_barrier_wait(&all_there);
	for (;;) {
		uint32_t agent;
		int fd = open_umad(&agent);

		if (dup2(fd, low) < 0)
			fail("dup2");
		for (int i = 0; i < 50; i++) {
			for (size_t at = 0; at < sizeof(bytes); at++)
				bytes[at] = (uint8_t)(next(&state) >> 56);
			memset(bytes, 0, next(&state) >> 58);
			memcpy(bytes, &agent, sizeof(agent));
			if (send(low, bytes, next(&state) >> 53, MSG_DONTWAIT) < 0 ||
			    write(fd, bytes, next(&state) >> 53) < 0)
				recv(low, bytes, sizeof(bytes), MSG_DONTWAIT);
		}
		close(fd);
		close(low);
	}
	return unused;
}

/* Processes that are killed in the middle of a call, whichever it is. */
static void *kill_children(void *unused)
{
	uint64_t state = 3;

	pthread_barrier_wait(&all_there);
	for (;;) {
		pid_t pid = fork();

		if (pid == 0) {
			for (;;) {
				int fd = open(DEVICE, O_RDWR);

				if (chdir("/sys/class/infiniband") == 0 && fd >= 0)
					ioctl(fd, UMAD_COMMAND_REGISTER_AGENT, message);
				close(fd);
			}
		}
		if (pid > 0) {
			usleep((useconds_t)(next(&state) >> 53));
			kill(pid, SIGKILL);
			waitpid(pid, NULL, 0);
		}
	}
	return unused;
}

/* ---- who is late ---- */

enum { LATE_US = 5000 };	/* longer than the supervisor's thread is left without another */

static void *bring(void *data)
{
	static const char text[PAGE] = "/sys/class/infiniband";
	int fd = *(int *)data;
	struct uffd_msg fault;

	while (read(fd, &fault, sizeof(fault)) == sizeof(fault)) {
		struct uffdio_copy copy = {
			.dst = fault.arg.pagefault.address & ~(uint64_t)(PAGE - 1),
			.src = (uintptr_t)text, .len = PAGE,
		};

		usleep(LATE_US);
		if (ioctl(fd, UFFDIO_COPY, &copy) < 0)
			fail("UFFDIO_COPY");
	}
	return NULL;
}

static int be_late(long rounds)
{
	int fd;
	char *late = missing_pages(2, &fd);
	struct stat *st = (struct stat *)(void *)(late + PAGE);
	pthread_t thread;

	if (pthread_create(&thread, NULL, bring, &fd) != 0)
		fail("pthread_create");
	for (long i = 0; i < rounds; i++) {
		if (stat(late, st) < 0 || !S_ISDIR(st->st_mode))
			fail("stat");
		madvise(late, 2 * PAGE, MADV_DONTNEED);
	}
	printf("%ld\n", rounds);
	return 0;
}

/* ---- all ---- */

static const struct attack {
	const char *name;
	long threads;		/* that do it */
	void *(*function)(void *);
	void *(*helper)(void *);	/* one more thread; or NULL */
	void (*prepare)(void);		/* or NULL */
} attacks[] = {
	{ "looks", 100, look, NULL, NULL },
	{ "opens", 100, open_devices, NULL, NULL },
	{ "paths", 20, look_by_missing, NULL, make_missing },
	{ "messages", 20, write_missing, NULL, make_missing },
	{ "mounts", 20, look_at_silence, NULL, serve_silence },
	{ "changes", 4, use_what_changes, change, NULL },
	{ "numbers", 4, use_reused, reuse, NULL },
	{ "records", 2, forge, NULL, NULL },
	{ "kills", 2, kill_children, NULL, NULL },
};

static int attack(const struct attack *attack, long threads)
{
	char byte;

	if (attack->prepare)
		attack->prepare();
	pthread_barrier_init(&all_there, NULL, (unsigned int)threads + 1 + !!attack->helper);
	for (long i = 0; i < threads; i++)
		start(attack->function);
	if (attack->helper)
		start(attack->helper);
	pthread_barrier_wait(&all_there);
	puts("ready");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		continue;
	return 0;
}

int main(int argc, char **argv)
{
	long count = argc > 2 ? strtol(argv[2], NULL, 10) : 0;

	if (argc > 2 && strcmp(argv[1], "innocent") == 0)
		return be_innocent(count);
	if (argc > 2 && strcmp(argv[1], "late") == 0)
		return be_late(count);
	for (size_t i = 0; argc > 1 && i < sizeof(attacks) / sizeof(*attacks); i++)
		if (strcmp(argv[1], attacks[i].name) == 0)
			return attack(&attacks[i], count > 0 ? count : attacks[i].threads);
	fprintf(stderr, "usage: hostile-calls innocent|late ROUNDS | ATTACK [THREADS]\n");
	return 2;
}
