/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Locks that processes share. */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

static struct shared {
	pthread_mutex_t mutex, robust;
	pthread_cond_t cond;
	pthread_rwlock_t rwlock;
	pthread_barrier_t barrier;
	sem_t sem;
	uint32_t word;
} *shared;

static bool share(void)
{
	pthread_mutexattr_t mutexes;
	pthread_rwlockattr_t rwlocks;
	pthread_condattr_t conds;
	pthread_barrierattr_t barriers;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		return false;
	pthread_mutexattr_init(&mutexes);
	pthread_mutexattr_setpshared(&mutexes, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&shared->mutex, &mutexes);
	pthread_mutexattr_setrobust(&mutexes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&shared->robust, &mutexes);
	pthread_rwlockattr_init(&rwlocks);
	pthread_rwlockattr_setpshared(&rwlocks, PTHREAD_PROCESS_SHARED);
	pthread_rwlock_init(&shared->rwlock, &rwlocks);
	pthread_condattr_init(&conds);
	pthread_condattr_setpshared(&conds, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&shared->cond, &conds);
	pthread_barrierattr_init(&barriers);
	pthread_barrierattr_setpshared(&barriers, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&shared->barrier, &barriers, 3);
	sem_init(&shared->sem, 1, 0);
	return true;
}

/*
 * A child that has the memory at another address, too, and does something with it. It does not end
 * at once: its end would have its parent look.
 */
static pid_t next_sharer(void (*act)(struct shared *of))
{
	pid_t pid = fork();

	if (pid == 0) {
		void *moved = mremap(shared, 0, sizeof(*shared), MREMAP_MAYMOVE);

		if (moved == MAP_FAILED || moved == shared)
			_exit(1);
		act(moved);
		sleep(1);
		_exit(0);
	}
	return pid;
}

static pid_t sharer(void (*act)(struct shared *of))
{
	return share() ? next_sharer(act) : -1;
}

static void hold_mutex(struct shared *of)
{
	pthread_mutex_lock(&of->mutex);
	sleep(5);
	pthread_mutex_unlock(&of->mutex);
}

bool row_shared_mutex(void)
{
	int64_t from = now();
	pid_t pid = sharer(hold_mutex);

	sleep(1);
	return pthread_mutex_lock(&shared->mutex) == 0 && passed(from, 5 * S) && reap(pid);
}

static void die_with_mutex(struct shared *of)
{
	pthread_mutex_lock(&of->robust);
	sleep(4);
	_exit(0);
}

static void inherit_mutex(struct shared *of)
{
	int64_t from = now();

	sleep(1);
	if (pthread_mutex_lock(&of->robust) != EOWNERDEAD || now() != from + 4 * S)
		_exit(1);
}

/* Its owner's end is the end of its hold. */
bool row_robust_mutex(void)
{
	pid_t first = sharer(die_with_mutex), second = next_sharer(inherit_mutex);

	return reap(first) && reap(second);
}

static void hold_rwlock(struct shared *of)
{
	pthread_rwlock_wrlock(&of->rwlock);
	sleep(6);
	pthread_rwlock_unlock(&of->rwlock);
}

bool row_shared_rwlock(void)
{
	int64_t from = now();
	pid_t pid = sharer(hold_rwlock);

	sleep(1);
	return pthread_rwlock_rdlock(&shared->rwlock) == 0 && passed(from, 6 * S) &&
	       reap(pid);
}

static void tell_shared(struct shared *of)
{
	sleep(2);
	pthread_mutex_lock(&of->mutex);
	of->word = 1;
	pthread_cond_signal(&of->cond);
	pthread_mutex_unlock(&of->mutex);
}

bool row_shared_cond(void)
{
	int64_t from = now();
	pid_t pid = sharer(tell_shared);

	pthread_mutex_lock(&shared->mutex);
	while (!shared->word)
		pthread_cond_wait(&shared->cond, &shared->mutex);
	pthread_mutex_unlock(&shared->mutex);
	return passed(from, 2 * S) && reap(pid);
}

static void post_shared(struct shared *of)
{
	sleep(3);
	sem_post(&of->sem);
}

bool row_shared_sem(void)
{
	int64_t from = now();
	pid_t pid = sharer(post_shared);

	return sem_wait(&shared->sem) == 0 && passed(from, 3 * S) && reap(pid);
}

static void wake_shared(struct shared *of)
{
	sleep(4);
	of->word = 1;
	if (syscall(SYS_futex, &of->word, FUTEX_WAKE, 9, NULL, NULL, 0) != 1)
		_exit(1);
}

bool row_shared_futex(void)
{
	int64_t from = now();
	pid_t pid = sharer(wake_shared);

	return syscall(SYS_futex, &shared->word, FUTEX_WAIT, 0, NULL, NULL, 0) == 0 &&
	       passed(from, 4 * S) && reap(pid);
}

bool row_sem_open(void)
{
	int64_t from = now();
	char name[64];
	sem_t *named;
	bool ok;
	pid_t pid;

	/* Not getpid(): two at one time have the same. */
	snprintf(name, sizeof(name), "/lockstep-calls-%ld", syscall(SYS_getpgid, 0));
	named = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
	if (named == SEM_FAILED)
		return false;
	pid = fork();
	if (pid == 0) {
		sem_t *again = sem_open(name, 0);

		sleep(5);
		if (again == SEM_FAILED || sem_post(again) < 0)
			_exit(1);
		sleep(1);
		_exit(0);
	}
	ok = sem_wait(named) == 0 && passed(from, 5 * S) && reap(pid);
	sem_unlink(name);
	return ok;
}

static void arrive_late(struct shared *of)
{
	sleep(4);
	pthread_barrier_wait(&of->barrier);
}

static void arrive(struct shared *of)
{
	int64_t from = now();

	pthread_barrier_wait(&of->barrier);
	if (now() != from + 4 * S)
		_exit(1);
}

bool row_shared_barrier(void)
{
	int64_t from = now();
	pid_t first = sharer(arrive_late), second = next_sharer(arrive);

	pthread_barrier_wait(&shared->barrier);
	return passed(from, 4 * S) && reap(first) && reap(second) &&
	       pthread_barrier_destroy(&shared->barrier) == 0;
}
