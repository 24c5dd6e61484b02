/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The machine of check-hca-module, for its first program: what is said on its console, the module,
 * what the kernel has said, and the end.
 */
#ifndef UMADRIG_TESTS_KERNELS_MODULE_MACHINE_H
#define UMADRIG_TESTS_KERNELS_MODULE_MACHINE_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

enum {
	TAKE_AWAY_MS = 60000,
	KMEMLEAK_AGE_S = 6,		/* it looks at nothing that is younger than 5 */
};

static unsigned int checks, failures;

static inline void nap(uint64_t us)
{
	usleep((useconds_t)us);
}

/* ---- what is said ---- */

__attribute__((format(printf, 2, 3)))
static inline bool check(bool holds, const char *what, ...)
{
	char text[256];
	va_list args;

	va_start(args, what);
	vsnprintf(text, sizeof(text), what, args);
	va_end(args);
	printf("%sok %u - %s\n", holds ? "" : "not ", ++checks, text);
	failures += !holds;
	return holds;
}

static inline bool put_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return done;
}

/* ---- the module ---- */

static inline int insmod(void)
{
	int fd = open("/umadrig_hca.ko", O_RDONLY | O_CLOEXEC);
	int ret = fd < 0 ? -1 : (int)syscall(SYS_finit_module, fd, "", 0);

	if (fd >= 0)
		close(fd);
	return ret;
}

static inline int rmmod(void)
{
	return (int)syscall(SYS_delete_module, "umadrig_hca", O_NONBLOCK);
}

/* A killed program's file is closed by the last of its threads, which may be a moment later. */
static inline bool take_away(void)
{
	for (int i = 0; i < TAKE_AWAY_MS; i += 10) {
		if (rmmod() == 0)
			return true;
		nap(10000);
	}
	printf("# rmmod: %s\n", strerror(errno));
	return false;
}

/* ---- what the kernel has said ---- */

static inline void look_for_leaks(void)
{
	char text[8192];
	ssize_t size = 0;
	int fd;

	sleep(KMEMLEAK_AGE_S);
	put_text("/sys/kernel/debug/kmemleak", "scan");
	sleep(KMEMLEAK_AGE_S);
	put_text("/sys/kernel/debug/kmemleak", "scan");
	fd = open("/sys/kernel/debug/kmemleak", O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		size = read(fd, text, sizeof(text) - 1);
	text[size > 0 ? size : 0] = '\0';
	if (!check(fd >= 0 && size == 0, "no memory is left behind"))
		printf("# %s\n", text);
}

/*
 * What is so: a module of another tree, a machine that is slow and learns of chance late, and what
 * Linux is to say of such calls and packets.
 */
static inline bool is_expected(const char *text)
{
	return strstr(text, "loading out-of-tree module taints kernel") ||
	       strstr(text, "random: crng init done") ||
	       strstr(text, "hrtimer: interrupt took") ||
	       strstr(text, "kmemleak: ") || strstr(text, "already in use") ||
	       strstr(text, "Couldn't find index for default PKey") ||
	       strstr(text, "MAD received with unsupported base version") ||
	       strstr(text, "ib_umad_reg_agent2: invalid device") ||
	       strstr(text, "ib_create_ah_from_wc error") ||
	       strstr(text, "callbacks suppressed");
}

static int kernel_fd = -1;
static unsigned int kernel_lines, kernel_gaps;

/* From here on. */
static inline void listen_to_kernel(void)
{
	kernel_fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (kernel_fd >= 0 && lseek(kernel_fd, 0, SEEK_END) < 0)
		kernel_gaps++;
}

/* What has been said since: often enough, or the kernel overwrites it. */
static inline void hear_kernel(void)
{
	char record[8192];
	ssize_t size;

	while (kernel_fd >= 0 &&
	       ((size = read(kernel_fd, record, sizeof(record) - 1)) > 0 || errno == EPIPE)) {
		char *text;

		if (size < 0) {
			kernel_gaps++;
			continue;
		}
		record[size] = '\0';
		text = strchr(record, ';');
		if (!text)
			continue;
		*strchrnul(text, '\n') = '\0';
		if (!is_expected(text) && ++kernel_lines <= 200)
			printf("# kernel: %s\n", text + 1);
	}
}

static inline void judge_kernel(void)
{
	hear_kernel();
	check(kernel_fd >= 0 && kernel_gaps == 0, "all that the kernel says was read");
	check(kernel_lines == 0, "the kernel has said nothing: %u lines", kernel_lines);
}

/* ---- the machine ---- */

static inline void mount_all(void)
{
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	mount("debug", "/sys/kernel/debug", "debugfs", 0, NULL);
	if (!freopen("/dev/console", "w", stdout))
		_exit(1);
	setvbuf(stdout, NULL, _IOLBF, 0);
}

static inline uint64_t number_of(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	uint64_t number = 0;

	if (!text)
		return otherwise;
	for (; *text >= '0' && *text <= '9'; text++)
		number = number * 10 + (uint64_t)(*text - '0');
	return number;
}

/* The plan, and the machine is switched off. */
static inline void machine_off(void)
{
	printf("1..%u\n", checks);
	fflush(stdout);
	tcdrain(STDOUT_FILENO);
	reboot(RB_AUTOBOOT);
}

#endif
