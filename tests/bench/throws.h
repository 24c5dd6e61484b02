/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Two threads that throw a ball, for the programs that measure what a switch costs. */
#ifndef UMADRIG_TESTS_BENCH_THROWS_H
#define UMADRIG_TESTS_BENCH_THROWS_H

#include <pthread.h>
#include <semaphore.h>

static sem_t ball[2];
static long throws;

static void *play(void *data)
{
	(void)data;
	for (long i = 0; i < throws; i++) {
		sem_wait(&ball[1]);
		sem_post(&ball[0]);
	}
	return NULL;
}

/* Each time round there are two. */
static inline void throws_between_threads(long count)
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

#endif
