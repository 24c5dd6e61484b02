/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * interrupted ROUNDS: makes calls that no signal interrupts, while a signal whose handler has no
 * SA_RESTART comes again and again, and prints how many failed with EINTR. The last line is that of
 * an open(2) that a signal is to interrupt: of a FIFO that nobody writes.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#define OTHER "/etc/passwd"

enum { CALLS = 9, PERIOD_US = 500 };

static unsigned int interrupted[CALLS];

static void ignore(int sig)
{
	(void)sig;
}

static void note(int call, long result)
{
	if (result < 0 && errno == EINTR)
		interrupted[call]++;
}

static void make_calls(void)
{
	char text[4096];
	struct statx stx;
	struct stat st;
	int fd;

	note(0, stat(OTHER, &st));
	note(1, lstat(OTHER, &st));
	note(2, fstatat(AT_FDCWD, OTHER, &st, 0));
	note(3, statx(AT_FDCWD, OTHER, 0, STATX_SIZE, &stx));
	note(4, access(OTHER, R_OK));
	note(5, readlink("/proc/self/exe", text, sizeof(text)));
	note(6, getcwd(text, sizeof(text)) ? 0 : -1);
	note(7, chdir("."));
	fd = open(OTHER, O_RDONLY);
	note(8, fd);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	static const char *const names[CALLS] = {
		"stat", "lstat", "fstatat", "statx", "access", "readlink", "getcwd", "chdir",
		"open",
	};
	const struct itimerval period = { { 0, PERIOD_US }, { 0, PERIOD_US } };
	struct sigaction action = { .sa_handler = ignore };
	long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 0;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &period, NULL);
	for (long i = 0; i < rounds; i++)
		make_calls();
	for (int i = 0; i < CALLS; i++)
		printf("%s %u\n", names[i], interrupted[i]);
	if (mkfifo("fifo", 0600) == 0 && open("fifo", O_RDONLY) < 0)
		printf("FIFO: %s\n", strerrorname_np(errno));
	unlink("fifo");
	return 0;
}
