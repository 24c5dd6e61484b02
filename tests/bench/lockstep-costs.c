/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lockstep-costs [DIVISOR]: what it costs to switch threads, to sleep, to lock, to look at clocks,
 * in nanoseconds each: a line "NAME NS" for each. To be run by itself and in virtual time, which
 * does not reach the clock that it measures with. DIVISOR: that many times fewer of each.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/lockstep/system-call.h"
#include "tests/bench/throws.h"

static int64_t real_ns(void)
{
	struct timespec now = { 0, 0 };

	CALL_2(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* ---- switches ---- */

/* As between threads (throws.h), between processes, over pipes. */
static void switch_processes(long count)
{
	int to[2], from[2];
	char byte = 0;
	pid_t pid;

	if (pipe(to) < 0 || pipe(from) < 0)
		exit(1);
	pid = fork();
	if (pid == 0) {
		close(to[1]);
		while (read(to[0], &byte, 1) == 1 && write(from[1], &byte, 1) == 1)
			continue;
		_exit(0);
	}
	close(to[0]);
	for (long i = 0; i < count / 2; i++) {
		if (write(to[1], &byte, 1) != 1 || read(from[0], &byte, 1) != 1)
			exit(1);
	}
	close(to[1]);
	waitpid(pid, NULL, 0);
	close(from[0]);
	close(from[1]);
}

/* ---- the others ---- */

static void sleep_shortly(long count)
{
	const struct timespec shortly = { 0, 1000 };

	for (long i = 0; i < count; i++)
		nanosleep(&shortly, NULL);
}

static void lock_and_unlock(long count)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	for (long i = 0; i < count; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
}

/* In virtual time more than a hundred in a row take time, which is another cost: a lock between. */
static void read_clock(long count)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	struct timespec now;

	for (long i = 0; i < count; i++) {
		if (i % 100 == 0 && pthread_mutex_trylock(&mutex) == 0)
			pthread_mutex_unlock(&mutex);
		clock_gettime(CLOCK_MONOTONIC, &now);
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

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*act)(long count);
		long count;
	} costs[] = {
		{ "switch", throws_between_threads, 40000 },
		{ "process-switch", switch_processes, 40000 },
		{ "sleep", sleep_shortly, 10000 },
		{ "lock", lock_and_unlock, 4000000 },
		{ "clock", read_clock, 800000 },
		{ "process", make_processes, 500 },
	};
	long divisor = argc > 1 ? atol(argv[1]) : 1;

	for (size_t i = 0; divisor > 0 && i < sizeof(costs) / sizeof(*costs); i++) {
		long count = costs[i].count / divisor;
		int64_t from = real_ns();

		costs[i].act(count);
		printf("%s %.1f\n", costs[i].name, (double)(real_ns() - from) / (double)count);
	}
	return divisor <= 0;
}
