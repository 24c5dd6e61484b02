/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs in virtual time that become another user while they run, as daemons do: root's.
 *
 *	lockstep-user UID sleep|alarm|left|timers
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned int other;

static void become_other(void)
{
	if (setgid(other) < 0 || setuid(other) < 0)
		_exit(3);
}

static long seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long)now.tv_sec;
}

static void say(int sig)
{
	static const char text[] = "terminated\n";

	(void)sig;
	_exit(write(STDOUT_FILENO, text, sizeof(text) - 1) < 0);
}

/* A child of the other user that waits again and again: it is the one that moves time. */
static pid_t start_other(void)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	become_other();
	for (int i = 0; i < 10; i++)
		sleep(1);
	_exit(0);
}

static void wake(int sig)
{
	(void)sig;
}

/* What a timer of root's sends while the other user moves time. */
static int be_alarmed(void)
{
	struct sigaction action = { .sa_handler = wake };
	long start = seconds();

	sigaction(SIGALRM, &action, NULL);
	start_other();
	alarm(3);
	pause();
	printf("alarm after %ld s\n", seconds() - start);
	wait(NULL);
	return 0;
}

/* Its end is the session's: root's child gets SIGTERM then, though this user may not send it. */
static int leave_child(void)
{
	struct sigaction action = { .sa_handler = say };

	if (fork() == 0) {
		sigaction(SIGTERM, &action, NULL);
		for (;;)
			pause();
	}
	sleep(1);
	become_other();
	return 0;
}

/* So many timers that those which nobody has are looked for; root's must not be taken for one. */
static int make_timers(void)
{
	const struct itimerspec when = { .it_value.tv_sec = 3 };
	int fd = timerfd_create(CLOCK_MONOTONIC, 0), ready[2];
	uint64_t times = 0;

	if (pipe(ready) < 0 || timerfd_settime(fd, 0, &when, NULL) < 0)
		return 1;
	if (fork() == 0) {
		become_other();
		close(fd);
		for (int i = 0; i < 200; i++) {
			int own = timerfd_create(CLOCK_MONOTONIC, 0);

			timerfd_settime(own, 0, &when, NULL);
		}
		_exit(0);
	}
	wait(NULL);
	if (read(fd, &times, sizeof(times)) != sizeof(times))
		return 1;
	printf("%d\n", (int)times);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	other = (unsigned int)atoi(argv[1]);
	if (strcmp(argv[2], "alarm") == 0)
		return be_alarmed();
	if (strcmp(argv[2], "left") == 0)
		return leave_child();
	if (strcmp(argv[2], "timers") == 0)
		return make_timers();
	become_other();
	sleep(1);
	puts("slept");
	return 0;
}
