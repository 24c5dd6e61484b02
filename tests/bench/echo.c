/*
 * echo: round trips per second of a message as large as a MAD over a socket of the kind that a fabric
 * server uses, with nothing done at the other end: what an attached process cannot be faster than.
 *
 *	echo [COUNT [CPU SERVER_CPU]]
 *
 * Prints "RATE echoes/s".
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE_SIZE = 320 };

/* Keeps the calling process on one CPU, where one is named. */
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

int main(int argc, char **argv)
{
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
	char message[MESSAGE_SIZE] = "";
	double begin;
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
	printf("%.0f echoes/s\n", (double)count / (now() - begin));
	close(ends[0]);
	return wait(NULL) < 0;
}
