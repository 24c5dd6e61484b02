/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Locks and conditions of threads, of POSIX and of C11, and futexes. */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static int told;

static void *holds_mutex(void *data)
{
	(void)data;
	pthread_mutex_lock(&mutex);
	sleep(5);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

bool row_pthread_mutex_lock(void)
{
	struct timespec until;
	int64_t from = now();
	pthread_t thread;
	int early, late;

	pthread_create(&thread, NULL, holds_mutex, NULL);
	usleep(1000000);
	until = in(CLOCK_REALTIME, S);
	early = pthread_mutex_timedlock(&mutex, &until);
	if (early != ETIMEDOUT || !passed(from, 2 * S))
		return false;
	late = pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return late == 0 && passed(from, 5 * S);
}

static void *holds_rwlock(void *data)
{
	(void)data;
	pthread_rwlock_wrlock(&rwlock);
	sleep(4);
	pthread_rwlock_unlock(&rwlock);
	return NULL;
}

bool row_pthread_rwlock(void)
{
	int64_t from = now();
	pthread_t thread;

	pthread_create(&thread, NULL, holds_rwlock, NULL);
	sleep(1);
	pthread_rwlock_rdlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
	pthread_join(thread, NULL);
	return passed(from, 4 * S);
}

static void *tells(void *data)
{
	(void)data;
	sleep(3);
	pthread_mutex_lock(&mutex);
	told = 1;
	pthread_cond_broadcast(&cond);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

bool row_pthread_cond_wait(void)
{
	int64_t from = now();
	pthread_t thread;

	told = 0;
	pthread_create(&thread, NULL, tells, NULL);
	pthread_mutex_lock(&mutex);
	while (!told)
		pthread_cond_wait(&cond, &mutex);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return passed(from, 3 * S);
}

bool row_pthread_cond_timedwait(void)
{
	struct timespec until = in(CLOCK_REALTIME, 6 * S);
	int64_t from = now();
	int r;

	pthread_mutex_lock(&mutex);
	r = pthread_cond_timedwait(&cond, &mutex, &until);
	pthread_mutex_unlock(&mutex);
	return r == ETIMEDOUT && passed(from, 6 * S);
}

/* Waits that end at once, until the clock has moved: it does, by a microsecond. */
bool row_passed_deadline(void)
{
	struct timespec until = in(CLOCK_REALTIME, 0);
	int64_t from = now();
	int r = ETIMEDOUT;

	pthread_mutex_lock(&mutex);
	for (int i = 0; i < 1000000 && r == ETIMEDOUT && now() == from; i++)
		r = pthread_cond_timedwait(&cond, &mutex, &until);
	pthread_mutex_unlock(&mutex);
	return r == ETIMEDOUT && passed(from, 1000);
}

/* The same until it is much later: each further wait takes a microsecond. */
bool row_passed_deadlines(void)
{
	struct timespec until = in(CLOCK_REALTIME, 0);
	int64_t from = now();
	int waits, r = ETIMEDOUT;

	pthread_mutex_lock(&mutex);
	for (waits = 0; waits < 3000 && r == ETIMEDOUT && now() < from + S / 1000; waits++)
		r = pthread_cond_timedwait(&cond, &mutex, &until);
	pthread_mutex_unlock(&mutex);
	return r == ETIMEDOUT && waits < 3000 && passed(from, S / 1000);
}

static int found_locked;

static void look_at_mutex(void *data)
{
	(void)data;
	found_locked = pthread_mutex_trylock(&mutex) == EBUSY;
	pthread_mutex_unlock(&mutex);
}

static void *waits_for_ever(void *data)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(look_at_mutex, data);
	for (;;)
		pthread_cond_wait(&cond, &mutex);
	pthread_cleanup_pop(0);
	return NULL;
}

/* Its cleanup handlers have the mutex. */
bool row_cancelled_cond_wait(void)
{
	pthread_t thread;
	void *ret;

	pthread_create(&thread, NULL, waits_for_ever, NULL);
	sleep(1);
	pthread_cancel(thread);
	pthread_join(thread, &ret);
	return ret == PTHREAD_CANCELED && found_locked && pthread_mutex_trylock(&mutex) == 0 &&
	       pthread_mutex_unlock(&mutex) == 0;
}

static void *posts(void *data)
{
	(void)data;
	sleep(2);
	sem_post(&sem);
	return NULL;
}

bool row_sem_wait(void)
{
	struct timespec until;
	int64_t from = now();
	pthread_t thread;
	int r, err;

	sem_init(&sem, 0, 0);
	pthread_create(&thread, NULL, posts, NULL);
	r = sem_wait(&sem);
	pthread_join(thread, NULL);
	if (r != 0 || !passed(from, 2 * S))
		return false;
	until = in(CLOCK_REALTIME, S);
	r = sem_timedwait(&sem, &until);
	err = errno;
	return r == -1 && err == ETIMEDOUT && passed(from, 3 * S);
}

bool row_sem_clockwait(void)
{
	struct timespec until = in(CLOCK_MONOTONIC, 4 * S);
	int64_t from = now();
	int r, err;

	sem_init(&sem, 0, 0);
	r = sem_clockwait(&sem, CLOCK_MONOTONIC, &until);
	err = errno;
	return r == -1 && err == ETIMEDOUT && passed(from, 4 * S);
}

static uint32_t word;

static void *wakes(void *data)
{
	(void)data;
	sleep(2);
	word = 1;
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	return NULL;
}

bool row_futex(void)
{
	struct timespec one = { 1, 0 };
	int64_t from = now();
	pthread_t thread;
	long r;

	word = 0;
	pthread_create(&thread, NULL, wakes, NULL);
	r = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &one, NULL, 0);
	if (r != -1 || errno != ETIMEDOUT || !passed(from, S))
		return false;
	r = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	pthread_join(thread, NULL);
	return r == 0 && passed(from, 2 * S);
}

static mtx_t mtx;
static cnd_t cnd;

static int c11_holds(void *data)
{
	struct timespec some = { 5, 0 };

	(void)data;
	mtx_lock(&mtx);
	thrd_sleep(&some, NULL);
	mtx_unlock(&mtx);
	return 0;
}

bool row_mtx_lock(void)
{
	struct timespec until;
	int64_t from = now();
	thrd_t thread;

	mtx_init(&mtx, mtx_timed);
	thrd_create(&thread, c11_holds, NULL);
	sleep(1);
	until = in(CLOCK_REALTIME, S);
	return mtx_timedlock(&mtx, &until) == thrd_timedout && passed(from, 2 * S) &&
	       mtx_lock(&mtx) == thrd_success && passed(from, 5 * S) &&
	       mtx_unlock(&mtx) == thrd_success && thrd_join(thread, NULL) == thrd_success;
}

static int c11_tells(void *data)
{
	sleep(3);
	mtx_lock(&mtx);
	told = 1;
	if (data)
		cnd_signal(&cnd);
	else
		cnd_broadcast(&cnd);
	return mtx_unlock(&mtx);
}

bool row_cnd_wait(void)
{
	int64_t from = now();
	thrd_t thread;

	mtx_init(&mtx, mtx_plain);
	cnd_init(&cnd);
	for (int i = 0; i < 2; i++) {
		told = 0;
		thrd_create(&thread, c11_tells, i == 0 ? &told : NULL);
		mtx_lock(&mtx);
		while (!told)
			cnd_wait(&cnd, &mtx);
		mtx_unlock(&mtx);
		thrd_join(thread, NULL);
	}
	cnd_destroy(&cnd);
	return passed(from, 6 * S);
}

bool row_cnd_timedwait(void)
{
	struct timespec until = in(CLOCK_REALTIME, 7 * S);
	int64_t from = now();
	int r;

	mtx_init(&mtx, mtx_plain);
	cnd_init(&cnd);
	mtx_lock(&mtx);
	r = cnd_timedwait(&cnd, &mtx, &until);
	mtx_unlock(&mtx);
	return r == thrd_timedout && passed(from, 7 * S);
}
