/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * foreign-costs WHAT COUNT: makes a call so often, to be measured from outside: what a program
 * could measure with is virtual itself.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static sem_t ball[2];
static long throws;

static void *play(void *data)
{
	for (long i = 0; i < throws; i++) {
		sem_wait(&ball[1]);
		sem_post(&ball[0]);
	}
	return data;
}

static void switch_threads(long count)
{
	pthread_t other;

	throws = count / 2;
	sem_init(&ball[0], 0, 0);
	sem_init(&ball[1], 0, 0);
	pthread_create(&other, NULL, play, NULL);
	for (long i = 0; i < throws; i++) {
		sem_post(&ball[1]);
		sem_wait(&ball[0]);
	}
	pthread_join(other, NULL);
}

static void look_at_clock(long count)
{
	struct timespec at;

	for (long i = 0; i < count; i++)
		clock_gettime(CLOCK_MONOTONIC, &at);
}

static void pass_bytes(long count)
{
	int ends[2];
	char byte = 0;

	if (pipe(ends) < 0)
		return;
	for (long i = 0; i < count / 2; i++) {
		if (write(ends[1], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1)
			return;
	}
}

static void make_processes(long count)
{
	for (long i = 0; i < count; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

static const struct {
	const char *name;
	void (*run)(long count);
} whats[] = {
	{ "switch", switch_threads }, { "clock", look_at_clock }, { "byte", pass_bytes },
	{ "process", make_processes },
};

int main(int argc, char **argv)
{
	long count = 0;

	for (const char *at = argc > 2 ? argv[2] : ""; *at >= '0' && *at <= '9'; at++)
		count = 10 * count + *at - '0';
	for (size_t i = 0; argc > 2 && i < sizeof(whats) / sizeof(*whats); i++) {
		if (strcmp(argv[1], whats[i].name) == 0) {
			whats[i].run(count);
			return 0;
		}
	}
	fprintf(stderr, "foreign-costs: expected switch, clock, byte or process, and a count\n");
	return 2;
}
