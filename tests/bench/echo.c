/*
 * echo: round trips per second of a message as large as a MAD over a socket of the kind that a fabric
 * server uses, with nothing done at the other end: what an attached process cannot be faster than.
 *
 *	echo [COUNT]
 *
 * Prints "RATE echoes/s".
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE_SIZE = 320 };

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
		serve(ends[1]);
	}
	close(ends[1]);
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
