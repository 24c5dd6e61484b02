/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umad-raw: what a program pays that loads no library of ours, by its own system calls.
 *
 *	umad-raw trip COUNT	round trips of a MAD over /dev/infiniband/umad0: write(2), read(2)
 *	umad-raw poll COUNT	the same with poll(2) before read(2), as libibumad has it
 *	umad-raw open COUNT	open(2) and close(2) of a file that is not ours
 *	umad-raw stat COUNT	stat(2) of one
 *
 * Prints the median in microseconds.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/umad-command.h"

#define OTHER "/etc/passwd"

enum { HEADER_SIZE = 64, MAD_SIZE = 256, CLASS_DIRECTED = 0x81, NODE_INFO = 0x11 };

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

static int open_umad(uint32_t *ret_agent)
{
	struct ib_user_mad_reg_req registration = {
		.qpn = 0, .mgmt_class = CLASS_DIRECTED, .mgmt_class_version = 1,
	};
	int fd = open("/dev/infiniband/umad0", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		fail("/dev/infiniband/umad0");
	if (ioctl(fd, UMAD_COMMAND_ENABLE_PKEY) < 0 ||
	    ioctl(fd, UMAD_COMMAND_REGISTER_AGENT, &registration) < 0)
		fail("ioctl");
	*ret_agent = registration.id;
	return fd;
}

/* A directed request with no hops: our own port answers. */
static void trip(int fd, uint32_t agent, unsigned int number, bool polls)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	const uint32_t timeout_ms = 1000, length = MAD_SIZE;
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
	if (polls && poll(&wait, 1, -1) != 1)
		fail("poll");
	if (read(fd, bytes, sizeof(bytes)) != sizeof(bytes))
		fail("read");
	if (memcmp(mad + 12, &number, sizeof(number)) != 0)
		exit(2);
}

static void open_other(void)
{
	int fd = open(OTHER, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fail(OTHER);
	close(fd);
}

static void stat_other(void)
{
	struct stat st;

	if (stat(OTHER, &st) < 0)
		fail(OTHER);
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int main(int argc, char **argv)
{
	long count = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	double *times_us = count > 0 ? calloc((size_t)count, sizeof(*times_us)) : NULL;
	bool polls = argc > 1 && strcmp(argv[1], "poll") == 0;
	uint32_t agent = 0;
	int fd = -1;

	if (!times_us) {
		fprintf(stderr, "usage: umad-raw trip|poll|open|stat COUNT\n");
		return 2;
	}
	if (polls || strcmp(argv[1], "trip") == 0)
		fd = open_umad(&agent);
	for (long i = 0; i < count; i++) {
		double from_us = now_us();

		if (fd >= 0)
			trip(fd, agent, (unsigned int)i + 1, polls);
		else if (strcmp(argv[1], "open") == 0)
			open_other();
		else
			stat_other();
		times_us[i] = now_us() - from_us;
	}
	qsort(times_us, (size_t)count, sizeof(*times_us), by_size);
	printf("%.2f\n", times_us[count / 2]);
	free(times_us);
	return 0;
}
