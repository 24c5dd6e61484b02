/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Looks that do not wait: each ends, and sees what it looks for when that happens. */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

/* Has it taken at least so long, and at most two looks more: the last, and that of now()? */
static bool about(int64_t from, int64_t ns)
{
	int64_t got = now() - from;
	bool ok = got >= ns && got <= ns + ns / 127 + 2000;

	if (!ok)
		printf("# %lld ns have passed, not about %lld\n", (long long)got, (long long)ns);
	return ok;
}

/* A hundred looks take no time, those after them a microsecond each. */
bool row_looks_free(void)
{
	int64_t from;

	sleep(1);
	from = now();
	for (int i = 1; i < 100; i++) {
		if (now() != from)
			return false;
	}
	for (int i = 1; i <= 10; i++) {
		if (now() != from + i * 1000)
			return false;
	}
	return true;
}

static int looks_until(int64_t end)
{
	int looks = 1;

	while (now() < end)
		looks++;
	return looks;
}

bool row_looks_clock(void)
{
	int64_t from = now();

	return looks_until(from + 10000000) < 2000 && about(from, 10000000);
}

bool row_looks_hour(void)
{
	int64_t from = now();

	return looks_until(from + 3600 * S) < 8000 && about(from, 3600 * S);
}

/* A worker that takes a lock for each message, and the time of it, is no loop of looks alone. */
bool row_looks_work(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	int64_t from = now();

	for (int i = 0; i < 20000; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
		now();
	}
	return now() - from < 2 * S && looks_until(from + 3600 * S) < 8000;
}

static int pipe_that_fills(pid_t *ret_child)
{
	int ends[2];

	if (pipe(ends) < 0)
		return -1;
	*ret_child = in_two_seconds(write_byte, ends[1]);
	close(ends[1]);
	return ends[0];
}

bool row_looks_poll(void)
{
	int64_t from = now();
	pid_t child = 0;
	struct pollfd one = { .fd = pipe_that_fills(&child), .events = POLLIN };
	bool ok;

	while (poll(&one, 1, 0) == 0)
		continue;
	ok = passed(from, 2 * S);
	close(one.fd);
	return reap(child) && ok;
}

bool row_looks_read(void)
{
	int64_t from = now();
	pid_t child = 0;
	int fd = pipe_that_fills(&child);
	char byte = 0;
	bool ok;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (read(fd, &byte, 1) < 0 && errno == EAGAIN)
		continue;
	ok = byte == 'x' && passed(from, 2 * S);
	close(fd);
	return reap(child) && ok;
}

bool row_looks_child(void)
{
	int64_t from = now();
	pid_t child = ends_after(3, 7);
	int status = 0;

	while (waitpid(child, &status, WNOHANG) == 0)
		continue;
	return WEXITSTATUS(status) == 7 && passed(from, 3 * S);
}

/* One that nobody has waited for is there still. */
static void *reaps(void *data)
{
	return (void *)(intptr_t)reap(*(pid_t *)data);
}

bool row_looks_kill(void)
{
	int64_t from = now();
	pid_t child = ends_after(3, 0);
	pthread_t thread;
	void *ok = NULL;

	pthread_create(&thread, NULL, reaps, &child);
	while (kill(child, 0) == 0)
		continue;
	pthread_join(thread, &ok);
	return ok && passed(from, 3 * S);
}

static volatile int word;

static void *sets_later(void *data)
{
	usleep(500000);
	word = 1;
	return data;
}

/* Until another thread has written into memory: nobody but that thread's end tells. */
static bool until_set(void (*look)(void))
{
	int64_t from = now();
	pthread_t thread;
	bool ok;

	word = 0;
	pthread_create(&thread, NULL, sets_later, NULL);
	while (!word)
		look();
	ok = passed(from, S / 2);
	pthread_join(thread, NULL);
	return ok;
}

static void yield(void)
{
	sched_yield();
}

bool row_looks_yield(void)
{
	return until_set(yield);
}

static void sleep_not(void)
{
	usleep(0);
}

bool row_looks_sleep(void)
{
	return until_set(sleep_not);
}

static void wait_for_other_word(void)
{
	syscall(SYS_futex, &word, FUTEX_WAIT, 2, NULL);
}

bool row_looks_futex(void)
{
	return until_set(wait_for_other_word);
}

/* ---- locks that another thread has for a while ---- */

#define HELD INT64_C(50000000)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static mtx_t c11;
static sem_t semaphore;

static void *has_them(void *data)
{
	pthread_mutex_lock(&mutex);
	pthread_rwlock_wrlock(&rwlock);
	pthread_spin_lock(&spin);
	mtx_lock(&c11);
	usleep(HELD / 1000);
	pthread_mutex_unlock(&mutex);
	usleep(HELD / 1000);
	pthread_rwlock_unlock(&rwlock);
	usleep(HELD / 1000);
	pthread_spin_unlock(&spin);
	usleep(HELD / 1000);
	mtx_unlock(&c11);
	usleep(HELD / 1000);
	sem_post(&semaphore);
	return data;
}

static pthread_t begin_locks(void)
{
	pthread_t thread;

	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	mtx_init(&c11, mtx_plain);
	sem_init(&semaphore, 0, 0);
	pthread_create(&thread, NULL, has_them, NULL);
	usleep(1);	/* it has them all */
	return thread;
}

bool row_looks_trylock(void)
{
	int64_t from = now();
	pthread_t thread = begin_locks();
	bool ok;

	while (pthread_mutex_trylock(&mutex) == EBUSY)
		continue;
	ok = passed(from, HELD);
	while (pthread_rwlock_tryrdlock(&rwlock) == EBUSY)
		continue;
	ok = passed(from, 2 * HELD) && ok;
	while (pthread_spin_trylock(&spin) == EBUSY)
		continue;
	ok = passed(from, 3 * HELD) && ok;
	while (mtx_trylock(&c11) == thrd_busy)
		continue;
	ok = passed(from, 4 * HELD) && ok;
	while (sem_trywait(&semaphore) < 0)
		continue;
	ok = passed(from, 5 * HELD) && ok;
	pthread_mutex_unlock(&mutex);
	pthread_rwlock_unlock(&rwlock);
	pthread_spin_unlock(&spin);
	mtx_unlock(&c11);
	pthread_join(thread, NULL);
	return ok;
}

bool row_pthread_spin_lock(void)
{
	int64_t from = now();
	pthread_t thread = begin_locks();
	bool ok;

	pthread_spin_lock(&spin);
	ok = passed(from, 3 * HELD);
	pthread_spin_unlock(&spin);
	pthread_join(thread, NULL);
	return ok;
}

/* ---- several that look ---- */

static sem_t there, back;
static bool is_over;

static void *hands_back(void *data)
{
	while (!is_over) {
		sem_wait(&there);
		sem_post(&back);
	}
	return data;
}

/* It waits each time round, but for no time: it is the looks at one instant that are too many. */
bool row_looks_handed_on(void)
{
	int64_t end = now() + 1000;
	pthread_t thread;

	is_over = false;
	sem_init(&there, 0, 0);
	sem_init(&back, 0, 0);
	pthread_create(&thread, NULL, hands_back, NULL);
	while (now() < end) {
		poll(NULL, 0, 0);
		sem_post(&there);
		sem_wait(&back);
	}
	is_over = true;
	sem_post(&there);
	pthread_join(thread, NULL);
	return true;
}

static void *looks_as_well(void *data)
{
	looks_until(*(const int64_t *)data);
	return data;
}

/* None of them keeps the other from its end. */
bool row_looks_two(void)
{
	int64_t from = now(), until[2] = { from + S, from + 2 * S };
	pthread_t threads[2];
	bool ok;

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, looks_as_well, &until[i]);
	pthread_join(threads[0], NULL);
	ok = about(from, S);
	pthread_join(threads[1], NULL);
	return about(from, 2 * S) && ok;
}
