/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Clocks, sleeping, chance. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

bool row_clock_gettime(void)
{
	return ns_of(CLOCK_REALTIME) - now() == 1699999000 * S;
}

bool row_gettimeofday(void)
{
	struct timeval tv;

	gettimeofday(&tv, NULL);
	return tv.tv_sec * INT64_C(1000000) + tv.tv_usec == ns_of(CLOCK_REALTIME) / 1000;
}

bool row_time(void)
{
	time_t t;

	return time(&t) == ns_of(CLOCK_REALTIME) / S && t == time(NULL);
}

bool row_times(void)
{
	struct tms tms;
	clock_t before = times(&tms);

	sleep(3);
	return times(&tms) - before == 3 * sysconf(_SC_CLK_TCK);
}

bool row_clock(void)
{
	clock_t before = clock();

	sleep(1);
	return clock() - before == CLOCKS_PER_SEC;
}

bool row_timespec_get(void)
{
	struct timespec ts;

	return timespec_get(&ts, TIME_UTC) == TIME_UTC &&
	       ts.tv_sec * S + ts.tv_nsec == ns_of(CLOCK_REALTIME);
}

/* A loop until the clock has moved ends. */
bool row_spin(void)
{
	int64_t from = now();

	while (now() == from)
		continue;
	return true;
}

bool row_nanosleep(void)
{
	struct timespec ts = { 7, 5 };
	int64_t from = now();

	return nanosleep(&ts, NULL) == 0 && passed(from, 7 * S + 5);
}

bool row_clock_nanosleep(void)
{
	struct timespec real = in(CLOCK_REALTIME, S), later = in(CLOCK_MONOTONIC, 3 * S);
	int64_t from = now();

	return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &real, NULL) == 0 &&
	       passed(from, S) &&
	       clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &later, NULL) == 0 &&
	       passed(from, 3 * S);
}

bool row_sleep(void)
{
	int64_t from = now();

	return sleep(3600) == 0 && passed(from, 3600 * S);
}

bool row_usleep(void)
{
	int64_t from = now();

	return usleep(1500) == 0 && passed(from, 1500000);
}

/* Two that only yield to each other have time move. */
static void *yields(void *data)
{
	bool *stop = data;

	while (!__atomic_load_n(stop, __ATOMIC_SEQ_CST))
		sched_yield();
	return NULL;
}

bool row_sched_yield(void)
{
	pthread_t thread;
	bool stop = false;

	pthread_create(&thread, NULL, yields, &stop);
	usleep(100);
	stop = true;
	return pthread_join(thread, NULL) == 0;
}

bool row_getrandom(void)
{
	uint64_t one = 0, two = 0;

	if (getrandom(&one, sizeof(one), 0) != sizeof(one) ||
	    getrandom(&two, sizeof(two), 0) != sizeof(two))
		return false;
	printf("# random: %016llx %016llx\n", (unsigned long long)one, (unsigned long long)two);
	return one != two && one != 0;
}
