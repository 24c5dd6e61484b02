/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Threads, of POSIX and of C11, what is done once, barriers. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

static void *sleeps_a_second(void *data)
{
	(void)data;
	sleep(1);
	return (void *)7;
}

bool row_pthread_create(void)
{
	int64_t from = now();
	pthread_t threads[3];
	void *ret = NULL;

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, sleeps_a_second, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], &ret);
	return ret == (void *)7 && passed(from, S);
}

static void *cancelled(void *data)
{
	int64_t *at = data;

	sleep(1000);
	*at = now();
	return NULL;
}

bool row_pthread_cancel(void)
{
	int64_t from = now(), never = 0;
	pthread_t thread;
	void *ret;

	pthread_create(&thread, NULL, cancelled, &never);
	sleep(2);
	pthread_cancel(thread);
	pthread_join(thread, &ret);
	return ret == PTHREAD_CANCELED && never == 0 && passed(from, 2 * S);
}

static void *tries_to_join(void *data)
{
	const pthread_t *thread = data;
	struct timespec until = in(CLOCK_REALTIME, S / 4);

	return (void *)(intptr_t)pthread_timedjoin_np(*thread, NULL, &until);
}

bool row_pthread_timedjoin_np(void)
{
	struct timespec until = in(CLOCK_MONOTONIC, 5 * S);
	int64_t from = now();
	pthread_t thread, other;
	void *ret;

	pthread_create(&thread, NULL, sleeps_a_second, NULL);
	pthread_create(&other, NULL, tries_to_join, &thread);
	pthread_join(other, &ret);
	return ret == (void *)ETIMEDOUT && passed(from, S / 4) &&
	       pthread_clockjoin_np(thread, &ret, CLOCK_MONOTONIC, &until) == 0 &&
	       ret == (void *)7 && passed(from, S);
}

static int c11_sleeps(void *data)
{
	struct timespec some = { 8, 0 };

	(void)data;
	thrd_sleep(&some, NULL);
	return 17;
}

bool row_thrd_create(void)
{
	int64_t from = now();
	thrd_t thread;
	int ret = 0;

	return thrd_create(&thread, c11_sleeps, NULL) == thrd_success &&
	       thrd_join(thread, &ret) == thrd_success && ret == 17 &&
	       passed(from, 8 * S);
}

static int initialised;

static void initialise(void)
{
	sleep(2);
	initialised++;
}

/* The one that comes second waits for the end of the first. */
static bool initialises_once(void *(*initialises)(void *data), void *once)
{
	int64_t from = now();
	pthread_t thread;

	initialised = 0;
	pthread_create(&thread, NULL, initialises, once);
	sleep(1);
	initialises(once);
	return initialised == 1 && passed(from, 2 * S) && pthread_join(thread, NULL) == 0;
}

static void *calls_pthread_once(void *data)
{
	pthread_once(data, initialise);
	return NULL;
}

bool row_pthread_once(void)
{
	pthread_once_t once = PTHREAD_ONCE_INIT;

	return initialises_once(calls_pthread_once, &once);
}

static void *calls_call_once(void *data)
{
	call_once(data, initialise);
	return NULL;
}

bool row_call_once(void)
{
	once_flag once = ONCE_FLAG_INIT;

	return initialises_once(calls_call_once, &once);
}

static pthread_barrier_t barrier;

static void *meets(void *data)
{
	intptr_t seconds = (intptr_t)data, serial = 0;

	for (int i = 0; i < 2; i++) {
		sleep((unsigned int)seconds);
		serial += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
	}
	return (void *)serial;
}

bool row_pthread_barrier_wait(void)
{
	int64_t from = now();
	pthread_t threads[3];
	intptr_t serial = 0;
	void *ret;

	pthread_barrier_init(&barrier, NULL, 3);
	for (intptr_t i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, meets, (void *)(i + 1));
	for (int i = 0; i < 3; i++) {
		pthread_join(threads[i], &ret);
		serial += (intptr_t)ret;
	}
	return serial == 2 && passed(from, 6 * S) &&
	       pthread_barrier_destroy(&barrier) == 0;
}

/* One, whatever the machine has. */
bool row_processors(void)
{
	const int all = sysconf(_SC_NPROCESSORS_ONLN) + sysconf(_SC_NPROCESSORS_CONF) +
			get_nprocs() + get_nprocs_conf();
	cpu_set_t set, second;

	CPU_ZERO(&second);
	CPU_SET(1, &second);
	return all == 4 && sched_getcpu() == 0 && sched_getaffinity(0, sizeof(set), &set) == 0 &&
	       CPU_COUNT(&set) == 1 && CPU_ISSET(0, &set) &&
	       pthread_getaffinity_np(pthread_self(), sizeof(set), &set) == 0 &&
	       CPU_COUNT(&set) == 1 && CPU_ISSET(0, &set) &&
	       sched_setaffinity(0, sizeof(set), &set) == 0 &&
	       sched_setaffinity(0, sizeof(second), &second) < 0 && errno == EINVAL;
}
