/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * echo: round trips per second of a message as large as a MAD over a socket of the kind that a
 * fabric server uses, with no work at the other end: the upper limit for an attached process.
 *
 * 	echo [COUNT [CPU SERVER_CPU]]
 *
 * Prints "RATE echoes/s CPU us", the processor time of each at both ends together.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE_SIZE = 320 };

/* Keeps the calling process on one CPU, if one is named. */
static void stay_on(const char *cpu)
{
	cpu_set_t set;

	if (!cpu)
		return;
	CPU_ZERO(&set);
	CPU_SET(strtoul(cpu, NULL, 10), &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		_exit(1);
}

static void serve(int fd)
{
	char message[MESSAGE_SIZE];
	ssize_t n;

	while ((n = recv(fd, message, sizeof(message), 0)) > 0) {
		if (send(fd, message, (size_t)n, MSG_NOSIGNAL) != n)
			_exit(1);
	}
	_exit(n < 0);
}

static double now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

/* The processor time of this process, or of those that it has waited for. */
static double cpu_of(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
	char message[MESSAGE_SIZE] = "";
	double begin, seconds;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) < 0)
		return 1;
	switch (fork()) {
	case -1:
		return 1;
	case 0:
		close(ends[0]);
		stay_on(argc > 3 ? argv[3] : NULL);
		serve(ends[1]);
	}
	close(ends[1]);
	stay_on(argc > 3 ? argv[2] : NULL);
	begin = now();
	for (unsigned long i = 0; i < count; i++) {
		if (send(ends[0], message, sizeof(message), MSG_NOSIGNAL) != sizeof(message) ||
		    recv(ends[0], message, sizeof(message), 0) != sizeof(message))
			return 1;
	}
	seconds = now() - begin;
	close(ends[0]);
	if (wait(NULL) < 0)
		return 1;
	printf("%.0f echoes/s %.3f us\n", (double)count / seconds,
	       (cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN)) * 1e6 / (double)count);
	return 0;
}
