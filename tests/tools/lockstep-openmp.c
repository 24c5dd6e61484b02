/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A team of OpenMP's threads, for tests/harness/lockstep-filter.sh: what they share is guarded by
 * libgomp's own locks and barriers, which wait by system calls of that library. With -DLIBRARY it
 * is a library, whose function another program calls.
 */
#include <omp.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, STEP_US = 250000 };

static double now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_REALTIME, &at);
	return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

int team(void);
int team(void)
{
	long sum = 0;

#pragma omp parallel num_threads(THREADS)
	{
#pragma omp for schedule(dynamic, 10) reduction(+ : sum)
		for (int i = 0; i < 1000; i++)
			sum += i;
#pragma omp critical
		{
			usleep(STEP_US);
			printf("thread %d at %.2f\n", omp_get_thread_num(), now());
		}
#pragma omp barrier
#pragma omp single
		{
			sleep(3600);
			printf("an hour later all meet at %.2f\n", now());
		}
#pragma omp task
		usleep(STEP_US);
	}
	printf("sum %ld, %d threads at %.2f\n", sum, THREADS, now());
	return sum == 499500 ? 0 : 1;
}

#ifndef LIBRARY
int main(void)
{
	return team();
}
#endif
