/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lockstep-calls [NAME]: what calls do in virtual time, a row each (TAP). To be run by umadrig exec
 * with clock=virtual. Times are exact to the nanosecond, so that a call that waits in real time, or
 * lets others run beside it, fails its row.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { S = 1000000000 };

static int64_t ns_of(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

static int64_t now(void)
{
	return ns_of(CLOCK_MONOTONIC);
}

static struct timespec in(clockid_t id, int64_t ns)
{
	int64_t at = ns_of(id) + ns;

	return (struct timespec){ at / S, at % S };
}

/* Has exactly so much time passed? */
static bool passed(int64_t from, int64_t ns)
{
	int64_t got = now() - from;

	if (got != ns)
		printf("# %lld ns have passed, not %lld\n", (long long)got, (long long)ns);
	return got == ns;
}

/* ---- time ---- */

static bool row_clock_gettime(void)
{
	return ns_of(CLOCK_REALTIME) - now() == INT64_C(1699999000) * S;
}

static bool row_gettimeofday(void)
{
	struct timeval tv;

	gettimeofday(&tv, NULL);
	return tv.tv_sec * INT64_C(1000000) + tv.tv_usec == ns_of(CLOCK_REALTIME) / 1000;
}

static bool row_time(void)
{
	time_t t;

	return time(&t) == ns_of(CLOCK_REALTIME) / S && t == time(NULL);
}

static bool row_times(void)
{
	struct tms tms;
	clock_t before = times(&tms);

	sleep(3);
	return times(&tms) - before == 3 * sysconf(_SC_CLK_TCK);
}

static bool row_clock(void)
{
	clock_t before = clock();

	sleep(1);
	return clock() - before == CLOCKS_PER_SEC;
}

static bool row_timespec_get(void)
{
	struct timespec ts;

	return timespec_get(&ts, TIME_UTC) == TIME_UTC &&
	       ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec == ns_of(CLOCK_REALTIME);
}

/* A loop until the clock has moved ends. */
static bool row_spin(void)
{
	int64_t from = now();

	while (now() == from)
		continue;
	return true;
}

/* ---- sleeping ---- */

static bool row_nanosleep(void)
{
	struct timespec ts = { 7, 5 };
	int64_t from = now();

	return nanosleep(&ts, NULL) == 0 && passed(from, INT64_C(7) * S + 5);
}

static bool row_clock_nanosleep(void)
{
	struct timespec real = in(CLOCK_REALTIME, S), later = in(CLOCK_MONOTONIC, INT64_C(3) * S);
	int64_t from = now();

	return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &real, NULL) == 0 &&
	       passed(from, S) &&
	       clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &later, NULL) == 0 &&
	       passed(from, INT64_C(3) * S);
}

static bool row_sleep(void)
{
	int64_t from = now();

	return sleep(3600) == 0 && passed(from, INT64_C(3600) * S);
}

static bool row_usleep(void)
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

static bool row_sched_yield(void)
{
	pthread_t thread;
	bool stop = false;

	pthread_create(&thread, NULL, yields, &stop);
	usleep(100);
	stop = true;
	return pthread_join(thread, NULL) == 0;
}

/* ---- threads ---- */

static void *sleeps_a_second(void *data)
{
	(void)data;
	sleep(1);
	return (void *)7;
}

static bool row_pthread_create(void)
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

static bool row_pthread_cancel(void)
{
	int64_t from = now(), never = 0;
	pthread_t thread;
	void *ret;

	pthread_create(&thread, NULL, cancelled, &never);
	sleep(2);
	pthread_cancel(thread);
	pthread_join(thread, &ret);
	return ret == PTHREAD_CANCELED && never == 0 && passed(from, INT64_C(2) * S);
}

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

static bool row_pthread_mutex_lock(void)
{
	struct timespec until;
	int64_t from = now();
	pthread_t thread;
	int early, late;

	pthread_create(&thread, NULL, holds_mutex, NULL);
	usleep(1000000);
	until = in(CLOCK_REALTIME, S);
	early = pthread_mutex_timedlock(&mutex, &until);
	if (early != ETIMEDOUT || !passed(from, INT64_C(2) * S))
		return false;
	late = pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return late == 0 && passed(from, INT64_C(5) * S);
}

static void *holds_rwlock(void *data)
{
	(void)data;
	pthread_rwlock_wrlock(&rwlock);
	sleep(4);
	pthread_rwlock_unlock(&rwlock);
	return NULL;
}

static bool row_pthread_rwlock(void)
{
	int64_t from = now();
	pthread_t thread;

	pthread_create(&thread, NULL, holds_rwlock, NULL);
	sleep(1);
	pthread_rwlock_rdlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
	pthread_join(thread, NULL);
	return passed(from, INT64_C(4) * S);
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

static bool row_pthread_cond_wait(void)
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
	return passed(from, INT64_C(3) * S);
}

static bool row_pthread_cond_timedwait(void)
{
	struct timespec until = in(CLOCK_REALTIME, INT64_C(6) * S);
	int64_t from = now();
	int r;

	pthread_mutex_lock(&mutex);
	r = pthread_cond_timedwait(&cond, &mutex, &until);
	pthread_mutex_unlock(&mutex);
	return r == ETIMEDOUT && passed(from, INT64_C(6) * S);
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
static bool row_cancelled_cond_wait(void)
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

static bool row_sem_wait(void)
{
	struct timespec until;
	int64_t from = now();
	pthread_t thread;
	int r, err;

	sem_init(&sem, 0, 0);
	pthread_create(&thread, NULL, posts, NULL);
	r = sem_wait(&sem);
	pthread_join(thread, NULL);
	if (r != 0 || !passed(from, INT64_C(2) * S))
		return false;
	until = in(CLOCK_REALTIME, S);
	r = sem_timedwait(&sem, &until);
	err = errno;
	return r == -1 && err == ETIMEDOUT && passed(from, INT64_C(3) * S);
}

static bool row_sem_clockwait(void)
{
	struct timespec until = in(CLOCK_MONOTONIC, INT64_C(4) * S);
	int64_t from = now();
	int r, err;

	sem_init(&sem, 0, 0);
	r = sem_clockwait(&sem, CLOCK_MONOTONIC, &until);
	err = errno;
	return r == -1 && err == ETIMEDOUT && passed(from, INT64_C(4) * S);
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

static bool row_futex(void)
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
	return r == 0 && passed(from, INT64_C(2) * S);
}

static void *tries_to_join(void *data)
{
	const pthread_t *thread = data;
	struct timespec until = in(CLOCK_REALTIME, S / 4);

	return (void *)(intptr_t)pthread_timedjoin_np(*thread, NULL, &until);
}

static bool row_pthread_timedjoin_np(void)
{
	struct timespec until = in(CLOCK_MONOTONIC, INT64_C(5) * S);
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

/* ---- threads of C11 ---- */

static int c11_sleeps(void *data)
{
	struct timespec some = { 8, 0 };

	(void)data;
	thrd_sleep(&some, NULL);
	return 17;
}

static bool row_thrd_create(void)
{
	int64_t from = now();
	thrd_t thread;
	int ret = 0;

	return thrd_create(&thread, c11_sleeps, NULL) == thrd_success &&
	       thrd_join(thread, &ret) == thrd_success && ret == 17 &&
	       passed(from, INT64_C(8) * S);
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

static bool row_mtx_lock(void)
{
	struct timespec until;
	int64_t from = now();
	thrd_t thread;

	mtx_init(&mtx, mtx_timed);
	thrd_create(&thread, c11_holds, NULL);
	sleep(1);
	until = in(CLOCK_REALTIME, S);
	return mtx_timedlock(&mtx, &until) == thrd_timedout && passed(from, INT64_C(2) * S) &&
	       mtx_lock(&mtx) == thrd_success && passed(from, INT64_C(5) * S) &&
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

static bool row_cnd_wait(void)
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
	return passed(from, INT64_C(6) * S);
}

static bool row_cnd_timedwait(void)
{
	struct timespec until = in(CLOCK_REALTIME, INT64_C(7) * S);
	int64_t from = now();
	int r;

	mtx_init(&mtx, mtx_plain);
	cnd_init(&cnd);
	mtx_lock(&mtx);
	r = cnd_timedwait(&cnd, &mtx, &until);
	mtx_unlock(&mtx);
	return r == thrd_timedout && passed(from, INT64_C(7) * S);
}

static int initialised;

static void initialise(void)
{
	sleep(2);
	initialised++;
}

static void *calls_pthread_once(void *data)
{
	pthread_once(data, initialise);
	return NULL;
}

/* The one that comes second waits for the end of the first. */
static bool row_pthread_once(void)
{
	pthread_once_t once = PTHREAD_ONCE_INIT;
	int64_t from = now();
	pthread_t thread;

	initialised = 0;
	pthread_create(&thread, NULL, calls_pthread_once, &once);
	sleep(1);
	pthread_once(&once, initialise);
	return initialised == 1 && passed(from, INT64_C(2) * S) && pthread_join(thread, NULL) == 0;
}

static void *calls_call_once(void *data)
{
	call_once(data, initialise);
	return NULL;
}

static bool row_call_once(void)
{
	once_flag once = ONCE_FLAG_INIT;
	int64_t from = now();
	pthread_t thread;

	initialised = 0;
	pthread_create(&thread, NULL, calls_call_once, &once);
	sleep(1);
	call_once(&once, initialise);
	return initialised == 1 && passed(from, INT64_C(2) * S) && pthread_join(thread, NULL) == 0;
}

/* ---- descriptors ---- */

/* A child that does something to a pipe or socket in two seconds. */
static pid_t in_two_seconds(void (*act)(int fd), int fd)
{
	pid_t pid = fork();

	if (pid == 0) {
		sleep(2);
		act(fd);
		_exit(0);
	}
	return pid;
}

static void write_byte(int fd)
{
	if (write(fd, "x", 1) != 1)
		_exit(1);
}

static bool reap(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && status == 0;
}

static bool row_read(void)
{
	int64_t from = now();
	int ends[2];
	pid_t pid;
	char byte;

	if (pipe(ends) < 0)
		return false;
	pid = in_two_seconds(write_byte, ends[1]);
	return read(ends[0], &byte, 1) == 1 && passed(from, INT64_C(2) * S) && reap(pid);
}

static void read_all(int fd)
{
	char bytes[65536];

	while (read(fd, bytes, sizeof(bytes)) > 0)
		continue;
}

static bool row_write(void)
{
	static char bytes[300000];
	int64_t from = now();
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		return false;
	pid = fork();
	if (pid == 0) {
		close(ends[1]);
		sleep(2);
		read_all(ends[0]);
		_exit(0);
	}
	close(ends[0]);
	if (write(ends[1], bytes, sizeof(bytes)) != sizeof(bytes) || !passed(from, INT64_C(2) * S))
		return false;
	close(ends[1]);
	return reap(pid);
}

/* libc's own calls do not go by name. */
static bool row_stdio(void)
{
	int64_t from = now();
	int ends[2];
	pid_t pid;
	FILE *file;

	if (pipe(ends) < 0)
		return false;
	pid = in_two_seconds(write_byte, ends[1]);
	file = fdopen(ends[0], "r");
	return file && fgetc(file) == 'x' && passed(from, INT64_C(2) * S) && reap(pid);
}

static bool row_poll(void)
{
	int64_t from = now();
	struct pollfd one = { .events = POLLIN };
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		return false;
	one.fd = ends[0];
	pid = in_two_seconds(write_byte, ends[1]);
	return poll(&one, 1, 500) == 0 && passed(from, S / 2) && poll(&one, 1, -1) == 1 &&
	       one.revents == POLLIN && passed(from, INT64_C(2) * S) && reap(pid);
}

static bool row_ppoll(void)
{
	struct timespec some = { 1, 1 };
	int64_t from = now();

	return ppoll(NULL, 0, &some, NULL) == 0 && passed(from, S + 1);
}

static bool row_select(void)
{
	struct timeval tv = { 5, 0 };
	int64_t from = now();
	int ends[2];
	fd_set set;
	pid_t pid;

	if (pipe(ends) < 0)
		return false;
	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	pid = in_two_seconds(write_byte, ends[1]);
	return select(ends[0] + 1, &set, NULL, NULL, &tv) == 1 && FD_ISSET(ends[0], &set) &&
	       tv.tv_sec == 3 && tv.tv_usec == 0 && passed(from, INT64_C(2) * S) && reap(pid);
}

static bool row_pselect(void)
{
	struct timespec some = { 0, 250 };
	int64_t from = now();

	return pselect(0, NULL, NULL, NULL, &some, NULL) == 0 && passed(from, 250);
}

static bool row_epoll_wait(void)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = 9 };
	int64_t from = now();
	int epoll = epoll_create1(0), ends[2];
	pid_t pid;

	if (pipe(ends) < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) < 0)
		return false;
	pid = in_two_seconds(write_byte, ends[1]);
	event.data.u32 = 0;
	return epoll_wait(epoll, &event, 1, 100) == 0 && passed(from, S / 10) &&
	       epoll_wait(epoll, &event, 1, -1) == 1 && event.data.u32 == 9 &&
	       passed(from, INT64_C(2) * S) && reap(pid);
}

static void send_byte(int fd)
{
	if (send(fd, "y", 1, 0) != 1)
		_exit(1);
}

static bool row_recv(void)
{
	int64_t from = now();
	int ends[2];
	pid_t pid;
	char byte = 0;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return false;
	pid = in_two_seconds(send_byte, ends[1]);
	return recv(ends[0], &byte, 1, 0) == 1 && byte == 'y' && passed(from, INT64_C(2) * S) &&
	       reap(pid);
}

static bool row_recvmsg(void)
{
	char byte = 0;
	struct iovec part = { &byte, 1 };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	int64_t from = now();
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) < 0)
		return false;
	pid = in_two_seconds(send_byte, ends[1]);
	return recvmsg(ends[0], &message, 0) == 1 && byte == 'y' &&
	       passed(from, INT64_C(2) * S) && reap(pid);
}

/* ---- processes ---- */

static bool row_getpid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(getppid() == 1000 && getpid() != getppid() ? 0 : 1);
	return getpid() == 1000 && pid > 1000 && pid < 2000 && reap(pid);
}

static bool row_wait(void)
{
	int64_t from = now();
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		sleep(9);
		_exit(3);
	}
	return waitpid(pid, &status, WNOHANG) == 0 && wait(&status) == pid &&
	       WEXITSTATUS(status) == 3 && passed(from, INT64_C(9) * S);
}

static bool row_waitid(void)
{
	int64_t from = now();
	siginfo_t info = { .si_pid = 0 };
	pid_t pid = fork();

	if (pid == 0) {
		sleep(2);
		_exit(4);
	}
	return waitid(P_PID, (id_t)pid, &info, WEXITED) == 0 && info.si_pid == pid &&
	       info.si_status == 4 && passed(from, INT64_C(2) * S);
}

static bool row_execve(void)
{
	int64_t from = now();
	pid_t pid = fork();

	if (pid == 0) {
		execlp("sleep", "sleep", "11", (char *)NULL);
		_exit(1);
	}
	return reap(pid) && passed(from, INT64_C(11) * S);
}

/* Without its environment a program is in virtual time all the same. */
static bool row_bare_environment(void)
{
	char *const none[] = { NULL };
	int64_t from = now();
	pid_t pid = fork();

	if (pid == 0) {
		execle("/bin/sleep", "sleep", "12", (char *)NULL, none);
		_exit(1);
	}
	return reap(pid) && passed(from, INT64_C(12) * S);
}

static bool row_vfork(void)
{
	int64_t from = now();
	pid_t pid = vfork();

	if (pid == 0) {
		execlp("sleep", "sleep", "1", (char *)NULL);
		_exit(1);
	}
	return reap(pid) && passed(from, S);
}

static bool row_posix_spawn(void)
{
	extern char **environ;
	char *const argv[] = { (char *)"sleep", (char *)"13", NULL };
	int64_t from = now();
	pid_t pid = 0;

	return posix_spawnp(&pid, "sleep", NULL, NULL, argv, environ) == 0 && reap(pid) &&
	       passed(from, INT64_C(13) * S);
}

static bool row_system(void)
{
	int64_t from = now();

	return system(NULL) != 0 && system("sleep 14; exit 3") == 3 << 8 &&
	       passed(from, INT64_C(14) * S);
}

static bool row_popen(void)
{
	int64_t from = now();
	FILE *in, *out;
	char line[32];

	in = popen("sleep 15; echo $PPID", "r");
	if (!in || !fgets(line, sizeof(line), in) || strcmp(line, "1000\n") != 0 ||
	    !passed(from, INT64_C(15) * S) || pclose(in) != 0)
		return false;
	out = popen("read line; sleep $line; exit 5", "we");
	return out && fputs("16\n", out) >= 0 && pclose(out) == 5 << 8 &&
	       passed(from, INT64_C(31) * S);
}

/* Its parent is gone at once; who made it, not. */
static bool row_daemon(void)
{
	int64_t from = now();
	int ends[2];
	pid_t pid;
	char byte;

	if (pipe(ends) < 0)
		return false;
	pid = fork();
	if (pid == 0) {
		if (daemon(0, 0) < 0)
			_exit(1);
		sleep(3);
		write_byte(ends[1]);
		_exit(0);
	}
	return reap(pid) && passed(from, 0) && read(ends[0], &byte, 1) == 1 &&
	       passed(from, INT64_C(3) * S);
}

/* ---- what processes share ---- */

static struct shared {
	pthread_mutex_t mutex, robust;
	pthread_cond_t cond;
	pthread_rwlock_t rwlock;
	sem_t sem;
	uint32_t word;
} *shared;

static bool share(void)
{
	pthread_mutexattr_t mutexes;
	pthread_rwlockattr_t rwlocks;
	pthread_condattr_t conds;

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
	sem_init(&shared->sem, 1, 0);
	return true;
}

/*
 * A child that has the memory at another address, too, and does something with it. It does not end
 * at once: its end would have its parent look.
 */
static pid_t sharer(void (*act)(struct shared *of))
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

static void hold_mutex(struct shared *of)
{
	pthread_mutex_lock(&of->mutex);
	sleep(5);
	pthread_mutex_unlock(&of->mutex);
}

static bool row_shared_mutex(void)
{
	int64_t from = now();
	pid_t pid;

	if (!share())
		return false;
	pid = sharer(hold_mutex);
	sleep(1);
	return pthread_mutex_lock(&shared->mutex) == 0 && passed(from, INT64_C(5) * S) && reap(pid);
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
	if (pthread_mutex_lock(&of->robust) != EOWNERDEAD || now() != from + INT64_C(4) * S)
		_exit(1);
}

/* Its owner's end is the end of its hold. */
static bool row_robust_mutex(void)
{
	pid_t first, second;

	if (!share())
		return false;
	first = sharer(die_with_mutex);
	second = sharer(inherit_mutex);
	return reap(first) && reap(second);
}

static void hold_rwlock(struct shared *of)
{
	pthread_rwlock_wrlock(&of->rwlock);
	sleep(6);
	pthread_rwlock_unlock(&of->rwlock);
}

static bool row_shared_rwlock(void)
{
	int64_t from = now();
	pid_t pid;

	if (!share())
		return false;
	pid = sharer(hold_rwlock);
	sleep(1);
	return pthread_rwlock_rdlock(&shared->rwlock) == 0 && passed(from, INT64_C(6) * S) &&
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

static bool row_shared_cond(void)
{
	int64_t from = now();
	pid_t pid;

	if (!share())
		return false;
	pid = sharer(tell_shared);
	pthread_mutex_lock(&shared->mutex);
	while (!shared->word)
		pthread_cond_wait(&shared->cond, &shared->mutex);
	pthread_mutex_unlock(&shared->mutex);
	return passed(from, INT64_C(2) * S) && reap(pid);
}

static void post_shared(struct shared *of)
{
	sleep(3);
	sem_post(&of->sem);
}

static bool row_shared_sem(void)
{
	int64_t from = now();
	pid_t pid;

	if (!share())
		return false;
	pid = sharer(post_shared);
	return sem_wait(&shared->sem) == 0 && passed(from, INT64_C(3) * S) && reap(pid);
}

static void wake_shared(struct shared *of)
{
	sleep(4);
	of->word = 1;
	if (syscall(SYS_futex, &of->word, FUTEX_WAKE, 9, NULL, NULL, 0) != 1)
		_exit(1);
}

static bool row_shared_futex(void)
{
	int64_t from = now();
	pid_t pid;

	if (!share())
		return false;
	pid = sharer(wake_shared);
	return syscall(SYS_futex, &shared->word, FUTEX_WAIT, 0, NULL, NULL, 0) == 0 &&
	       passed(from, INT64_C(4) * S) && reap(pid);
}

static bool row_sem_open(void)
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
	ok = sem_wait(named) == 0 && passed(from, INT64_C(5) * S) && reap(pid);
	sem_unlink(name);
	return ok;
}

/* ---- signals ---- */

static volatile sig_atomic_t caught;

static void catch(int sig)
{
	caught = sig;
}

static void set_handler(int sig)
{
	struct sigaction action = { .sa_handler = catch };

	caught = 0;
	sigaction(sig, &action, NULL);
}

static bool row_kill(void)
{
	int64_t from = now();
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		pause();
		_exit(0);
	}
	sleep(1);
	return kill(pid, 0) == 0 && kill(pid, SIGTERM) == 0 && waitpid(pid, &status, 0) == pid &&
	       WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM && passed(from, S);
}

static bool row_sigkill(void)
{
	int64_t from = now();
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		sleep(1000);
		_exit(0);
	}
	sleep(1);
	return kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid &&
	       WTERMSIG(status) == SIGKILL && passed(from, S);
}

static bool row_handler(void)
{
	int64_t from = now();
	pid_t parent = getpid(), pid;

	set_handler(SIGUSR1);
	pid = fork();
	if (pid == 0) {
		sleep(3);
		kill(parent, SIGUSR1);
		_exit(0);
	}
	return sleep(1000) == 997 && caught == SIGUSR1 && passed(from, INT64_C(3) * S) && reap(pid);
}

static bool row_sigchld(void)
{
	struct timespec long_time = { 100, 0 }, rest = { 0, 0 };
	pid_t pid;
	bool ok;

	set_handler(SIGCHLD);
	pid = fork();
	if (pid == 0) {
		sleep(2);
		_exit(0);
	}
	ok = nanosleep(&long_time, &rest) == -1 && errno == EINTR && rest.tv_sec == 98 &&
	     caught == SIGCHLD && reap(pid);
	signal(SIGCHLD, SIG_DFL);
	return ok;
}

static bool row_sigsuspend(void)
{
	int64_t from = now();
	sigset_t none, usr2, before;

	sigemptyset(&usr2);
	sigaddset(&usr2, SIGUSR2);
	sigemptyset(&none);
	set_handler(SIGUSR2);
	sigprocmask(SIG_BLOCK, &usr2, &before);
	in_two_seconds(write_byte, -1);		/* a child that fails, and is reaped below */
	if (fork() == 0) {
		sleep(1);
		kill(getppid(), SIGUSR2);
		_exit(0);
	}
	sigsuspend(&none);
	sigprocmask(SIG_SETMASK, &before, NULL);
	while (wait(NULL) > 0)
		continue;
	return caught == SIGUSR2 && passed(from, INT64_C(2) * S);
}

static bool row_alarm(void)
{
	int64_t from = now();

	set_handler(SIGALRM);
	alarm(4);
	return alarm(5) == 4 && pause() == -1 && errno == EINTR && caught == SIGALRM &&
	       passed(from, INT64_C(5) * S);
}

static bool row_setitimer(void)
{
	const struct itimerval each = { { 1, 0 }, { 2, 0 } }, never = { { 0, 0 }, { 0, 0 } };
	int64_t from = now();

	set_handler(SIGALRM);
	setitimer(ITIMER_REAL, &each, NULL);
	pause();
	pause();
	setitimer(ITIMER_REAL, &never, NULL);
	return passed(from, INT64_C(3) * S);
}

static bool row_timer_create(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	struct itimerspec when = { { 0, 0 }, { 6, 0 } };
	int64_t from = now();
	timer_t timer;

	set_handler(SIGUSR1);
	return timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 &&
	       timer_settime(timer, 0, &when, NULL) == 0 && pause() == -1 && caught == SIGUSR1 &&
	       timer_delete(timer) == 0 && passed(from, INT64_C(6) * S);
}

/* ---- timerfd ---- */

static int timer_file(int flags, int64_t first_ns, int64_t each_ns)
{
	struct itimerspec when = { { each_ns / S, each_ns % S }, { first_ns / S, first_ns % S } };
	int fd = timerfd_create(CLOCK_MONOTONIC, flags);

	if (fd < 0 || timerfd_settime(fd, 0, &when, NULL) < 0)
		return -1;
	return fd;
}

static bool row_timerfd_read(void)
{
	int64_t from = now();
	int fd = timer_file(0, INT64_C(4) * S, S);
	uint64_t times = 0;

	if (read(fd, &times, sizeof(times)) != sizeof(times) || times != 1 ||
	    !passed(from, INT64_C(4) * S))
		return false;
	usleep(3500000);
	if (read(fd, &times, sizeof(times)) != sizeof(times) || times != 3 ||
	    !passed(from, INT64_C(15) * S / 2))
		return false;
	return read(fd, &times, sizeof(times)) == sizeof(times) && times == 1 &&
	       passed(from, INT64_C(8) * S) && close(fd) == 0;
}

/* One that nobody reads, and one that is closed, keep nobody from waiting for others. */
static bool row_timerfd_poll(void)
{
	int64_t from = now();
	struct pollfd one = { .fd = timer_file(TFD_NONBLOCK, INT64_C(2) * S, 0), .events = POLLIN };
	struct itimerspec left, never = { { 0, 0 }, { 0, 0 } };
	uint64_t times = 0;

	close(timer_file(0, S / 4, S / 4));
	if (read(one.fd, &times, sizeof(times)) != -1 || errno != EAGAIN ||
	    poll(&one, 1, 500) != 0 || timerfd_gettime(one.fd, &left) < 0 ||
	    left.it_value.tv_sec != 1 || left.it_value.tv_nsec != S / 2)
		return false;
	if (poll(&one, 1, -1) != 1 || one.revents != POLLIN || !passed(from, INT64_C(2) * S))
		return false;
	timerfd_settime(one.fd, 0, &never, NULL);
	return poll(&one, 1, 1000) == 0 && passed(from, INT64_C(3) * S) && close(one.fd) == 0;
}

static bool row_timerfd_epoll(void)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = 5 };
	struct itimerspec when = { { 0, 0 }, in(CLOCK_REALTIME, INT64_C(6) * S) };
	int epoll = epoll_create1(0), fd = timerfd_create(CLOCK_REALTIME, 0);
	int64_t from = now();

	if (timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL) < 0 ||
	    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0)
		return false;
	event.data.u32 = 0;
	return epoll_wait(epoll, &event, 1, -1) == 1 && event.data.u32 == 5 &&
	       passed(from, INT64_C(6) * S) && close(fd) == 0 && close(epoll) == 0;
}

/* It is the child's, too, and goes on when its maker has ended. */
static bool row_timerfd_fork(void)
{
	int64_t from = now();
	int ends[2];
	pid_t pid;
	char byte;

	if (pipe(ends) < 0)
		return false;
	pid = fork();
	if (pid == 0) {
		uint64_t times = 0;
		int fd = timer_file(0, INT64_C(3) * S, 0);

		if (fork() > 0)
			_exit(0);
		if (read(fd, &times, sizeof(times)) != sizeof(times) || times != 1 ||
		    write(ends[1], "z", 1) != 1)
			_exit(1);
		_exit(0);
	}
	return reap(pid) && read(ends[0], &byte, 1) == 1 && passed(from, INT64_C(3) * S);
}

/* Their number is bounded by those that are open. */
static bool row_timerfd_many(void)
{
	for (int i = 0; i < 5000; i++) {
		int fd = timer_file(0, INT64_C(1000000) * S, 0);

		if (fd < 0)
			return false;
		close(fd);
	}
	return true;
}

/* ---- locks on files ---- */

/* A file that nobody has; a child has 'lock' on it for three seconds from now. */
static int locked_file(bool (*lock)(int fd), pid_t *ret_pid)
{
	char path[] = "/tmp/lockstep-calls.XXXXXX";
	int fd = mkstemp(path), theirs = open(path, O_RDWR);
	pid_t pid;

	unlink(path);
	pid = fork();
	if (pid == 0) {
		if (!lock(theirs))
			_exit(1);
		sleep(3);
		_exit(0);
	}
	close(theirs);
	sleep(1);
	*ret_pid = pid;
	return fd;
}

static bool by_flock(int fd)
{
	return flock(fd, LOCK_EX) == 0;
}

static bool by_fcntl(int fd)
{
	struct flock whole = { .l_type = F_WRLCK };

	return fcntl(fd, F_SETLKW, &whole) == 0;
}

static bool by_file_description(int fd)
{
	struct flock whole = { .l_type = F_WRLCK };

	return fcntl(fd, F_OFD_SETLKW, &whole) == 0;
}

static bool by_lockf(int fd)
{
	return lockf(fd, F_LOCK, 0) == 0;
}

static bool waits_for_lock(bool (*lock)(int fd))
{
	int64_t from = now();
	pid_t pid = 0;
	int fd = locked_file(lock, &pid);

	return lock(fd) && passed(from, INT64_C(3) * S) && reap(pid) && close(fd) == 0;
}

static bool row_flock(void)
{
	return waits_for_lock(by_flock);
}

static bool row_fcntl(void)
{
	return waits_for_lock(by_fcntl) && waits_for_lock(by_file_description);
}

static bool row_lockf(void)
{
	return waits_for_lock(by_lockf);
}

/* ---- sending and connecting ---- */

/* A child that reads all there is, in two seconds. */
static pid_t reads_late(int ends[2])
{
	pid_t pid = fork();

	if (pid == 0) {
		close(ends[1]);
		sleep(2);
		read_all(ends[0]);
		_exit(0);
	}
	close(ends[0]);
	return pid;
}

static bool row_send(void)
{
	static char bytes[2000000];
	int64_t from = now();
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return false;
	pid = reads_late(ends);
	if (send(ends[1], bytes, sizeof(bytes), 0) != sizeof(bytes) ||
	    !passed(from, INT64_C(2) * S))
		return false;
	close(ends[1]);
	return reap(pid);
}

static bool row_sendmsg(void)
{
	static char bytes[1000000];
	struct iovec parts[3] = { { bytes, 10 }, { bytes, 999990 }, { bytes, 1000000 } };
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 3 };
	int64_t from = now();
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return false;
	pid = reads_late(ends);
	if (sendmsg(ends[1], &message, 0) != 2000000 || parts[1].iov_len != 999990 ||
	    !passed(from, INT64_C(2) * S))
		return false;
	close(ends[1]);
	return reap(pid);
}

/* Datagrams: what there is no room for at the receiver waits. */
static bool row_sendto(void)
{
	int64_t from = now();
	int ends[2], size = 4096;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) < 0)
		return false;
	setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	pid = fork();
	if (pid == 0) {
		char byte;

		sleep(2);
		for (int i = 0; i < 1000; i++) {
			if (read(ends[0], &byte, 1) != 1)
				_exit(1);
		}
		_exit(0);
	}
	for (int i = 0; i < 1000; i++) {
		if (sendto(ends[1], "d", 1, 0, NULL, 0) != 1)
			return false;
	}
	return passed(from, INT64_C(2) * S) && reap(pid) && close(ends[0]) == 0 &&
	       close(ends[1]) == 0;
}

static bool row_connect(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "" };
	int listener = socket(AF_UNIX, SOCK_STREAM, 0), fds[3];
	socklen_t length = sizeof(address);
	int64_t from = now();
	pid_t pid;

	/* The kernel chooses a name that no other file or program has. */
	if (bind(listener, (struct sockaddr *)&address, sizeof(sa_family_t)) < 0 ||
	    listen(listener, 0) < 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &length) < 0)
		return false;
	pid = fork();
	if (pid == 0) {
		sleep(2);
		for (int i = 0; i < 3; i++) {
			if (accept(listener, NULL, NULL) < 0)
				_exit(1);
		}
		_exit(0);
	}
	for (int i = 0; i < 3; i++) {
		fds[i] = socket(AF_UNIX, SOCK_STREAM, 0);
		if (connect(fds[i], (struct sockaddr *)&address, length) < 0 ||
		    (fcntl(fds[i], F_GETFL) & O_NONBLOCK))
			return false;
	}
	for (int i = 0; i < 3; i++)
		close(fds[i]);
	return close(listener) == 0 && passed(from, INT64_C(2) * S) && reap(pid);
}

/* ---- eventfd, inotify ---- */

static void read_count(int fd)
{
	eventfd_t count;

	if (eventfd_read(fd, &count) < 0)
		_exit(1);
}

/* There is room for 1, and not for 2. */
static bool row_eventfd_write(void)
{
	int64_t from = now();
	int fd = eventfd(0, 0);
	pid_t pid;

	if (eventfd_write(fd, UINT64_MAX - 2) < 0)
		return false;
	pid = in_two_seconds(read_count, fd);
	return eventfd_write(fd, 2) == 0 && passed(from, INT64_C(2) * S) && reap(pid) &&
	       !(fcntl(fd, F_GETFL) & O_NONBLOCK) && close(fd) == 0;
}

static void write_count(int fd)
{
	if (eventfd_write(fd, 5) < 0)
		_exit(1);
}

static bool row_eventfd(void)
{
	int64_t from = now();
	int fd = eventfd(0, 0);
	eventfd_t count = 0;
	pid_t pid = in_two_seconds(write_count, fd);

	return eventfd_read(fd, &count) == 0 && count == 5 && passed(from, INT64_C(2) * S) &&
	       reap(pid) && close(fd) == 0;
}

static void make_file(int fd)
{
	int made = openat(fd, "made", O_CREAT | O_WRONLY, 0600);

	if (made < 0 || unlinkat(fd, "made", 0) < 0)
		_exit(1);
}

static bool row_inotify(void)
{
	char path[] = "/tmp/lockstep-calls.XXXXXX", bytes[1024];
	int64_t from = now();
	int fd = inotify_init1(0), directory;
	struct inotify_event event = { .mask = 0 };
	pid_t pid;
	bool ok;

	if (!mkdtemp(path))
		return false;
	directory = open(path, O_RDONLY | O_DIRECTORY);
	inotify_add_watch(fd, path, IN_CREATE);
	pid = in_two_seconds(make_file, directory);
	ok = read(fd, bytes, sizeof(bytes)) > (ssize_t)sizeof(event);
	memcpy(&event, bytes, sizeof(event));
	ok = ok && event.mask == IN_CREATE && passed(from, INT64_C(2) * S) && reap(pid);
	rmdir(path);
	return ok && close(fd) == 0 && close(directory) == 0;
}

/* ---- waiting for signals ---- */

static sigset_t blocked_set(int sig)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return set;
}

static pid_t kills_parent_in_two_seconds(int sig)
{
	pid_t pid = fork();

	if (pid == 0) {
		sleep(2);
		kill(getppid(), sig);
		_exit(0);
	}
	return pid;
}

static bool row_sigtimedwait(void)
{
	sigset_t set = blocked_set(SIGUSR1);
	struct timespec one = { 1, 0 }, long_time = { 1000, 0 };
	int64_t from = now();
	siginfo_t info;
	pid_t pid = kills_parent_in_two_seconds(SIGUSR1);

	return sigtimedwait(&set, &info, &one) == -1 && errno == EAGAIN && passed(from, S) &&
	       sigtimedwait(&set, &info, &long_time) == SIGUSR1 && info.si_pid == pid &&
	       passed(from, INT64_C(2) * S) && reap(pid) &&
	       sigprocmask(SIG_UNBLOCK, &set, NULL) == 0;
}

static bool row_sigwaitinfo(void)
{
	sigset_t set = blocked_set(SIGCHLD);
	int64_t from = now();
	siginfo_t info;
	pid_t pid = fork();

	if (pid == 0) {
		sleep(2);
		_exit(0);
	}
	return sigwaitinfo(&set, &info) == SIGCHLD && info.si_pid == pid &&
	       passed(from, INT64_C(2) * S) && reap(pid) &&
	       sigprocmask(SIG_UNBLOCK, &set, NULL) == 0;
}

static bool row_signalfd(void)
{
	sigset_t set = blocked_set(SIGUSR1);
	int64_t from = now();
	int fd = signalfd(-1, &set, 0);
	struct signalfd_siginfo info;
	pid_t pid = kills_parent_in_two_seconds(SIGUSR1);

	return read(fd, &info, sizeof(info)) == sizeof(info) && info.ssi_signo == SIGUSR1 &&
	       passed(from, INT64_C(2) * S) && reap(pid) && close(fd) == 0 &&
	       sigprocmask(SIG_UNBLOCK, &set, NULL) == 0;
}

static bool row_sigwait(void)
{
	sigset_t set = blocked_set(SIGALRM);
	int64_t from = now();
	int sig = 0;

	alarm(3);
	return sigwait(&set, &sig) == 0 && sig == SIGALRM && passed(from, INT64_C(3) * S) &&
	       sigprocmask(SIG_UNBLOCK, &set, NULL) == 0;
}

/* ---- signals to threads ---- */

static void *pauses(void *data)
{
	int64_t *at = data;

	pause();
	*at = now();
	return NULL;
}

static bool row_pthread_kill(void)
{
	int64_t from = now(), at = 0;
	pthread_t thread;

	set_handler(SIGUSR1);
	pthread_create(&thread, NULL, pauses, &at);
	sleep(2);
	return pthread_kill(thread, 0) == 0 && pthread_kill(thread, SIGUSR1) == 0 &&
	       pthread_join(thread, NULL) == 0 && caught == SIGUSR1 &&
	       at - from == INT64_C(2) * S && passed(from, INT64_C(2) * S);
}

static pthread_t first_thread;

static void *kills_first(void *data)
{
	(void)data;
	sleep(2);
	pthread_sigqueue(first_thread, SIGUSR2, (union sigval){ .sival_int = 77 });
	sleep(1);
	tgkill(getpid(), getpid(), SIGUSR2);
	return NULL;
}

/* The first thread blocks it and waits for it; another one does not block it. */
static bool row_pthread_sigqueue(void)
{
	int64_t from = now(), at = 0;
	pthread_t sender, other;
	siginfo_t info;
	sigset_t set;
	bool ok;

	set_handler(SIGUSR2);
	first_thread = pthread_self();
	pthread_create(&other, NULL, pauses, &at);
	set = blocked_set(SIGUSR2);
	pthread_create(&sender, NULL, kills_first, NULL);
	ok = sigwaitinfo(&set, &info) == SIGUSR2 && info.si_value.sival_int == 77 &&
	     passed(from, INT64_C(2) * S) && sigwaitinfo(&set, &info) == SIGUSR2 &&
	     passed(from, INT64_C(3) * S) && caught == 0;
	pthread_kill(other, SIGUSR2);
	pthread_join(other, NULL);
	pthread_join(sender, NULL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	return ok && caught == SIGUSR2 && at - from == INT64_C(3) * S;
}

/* ---- barriers ---- */

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

static bool row_pthread_barrier_wait(void)
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
	return serial == 2 && passed(from, INT64_C(6) * S) &&
	       pthread_barrier_destroy(&barrier) == 0;
}

/* ---- chance ---- */

static bool row_getrandom(void)
{
	uint64_t one = 0, two = 0;

	if (getrandom(&one, sizeof(one), 0) != sizeof(one) ||
	    getrandom(&two, sizeof(two), 0) != sizeof(two))
		return false;
	printf("# random: %016llx %016llx\n", (unsigned long long)one, (unsigned long long)two);
	return one != two && one != 0;
}

#define ROW(name) { #name, row_##name }

static const struct {
	const char *name;
	bool (*row)(void);
} rows[] = {
	ROW(clock_gettime), ROW(gettimeofday), ROW(time), ROW(times), ROW(clock),
	ROW(timespec_get), ROW(spin), ROW(nanosleep), ROW(clock_nanosleep), ROW(sleep),
	ROW(usleep), ROW(sched_yield), ROW(pthread_create), ROW(pthread_cancel),
	ROW(pthread_mutex_lock), ROW(pthread_rwlock), ROW(pthread_cond_wait),
	ROW(pthread_cond_timedwait),
	ROW(cancelled_cond_wait), ROW(sem_wait), ROW(sem_clockwait), ROW(futex),
	ROW(pthread_timedjoin_np), ROW(thrd_create), ROW(mtx_lock), ROW(cnd_wait),
	ROW(cnd_timedwait), ROW(pthread_once), ROW(call_once), ROW(read),
	ROW(write), ROW(stdio), ROW(poll), ROW(ppoll), ROW(select), ROW(pselect),
	ROW(epoll_wait), ROW(recv), ROW(recvmsg), ROW(getpid), ROW(wait), ROW(waitid),
	ROW(execve), ROW(bare_environment), ROW(vfork), ROW(posix_spawn), ROW(system), ROW(popen),
	ROW(daemon), ROW(shared_mutex), ROW(robust_mutex), ROW(shared_rwlock), ROW(shared_cond),
	ROW(shared_sem), ROW(shared_futex), ROW(sem_open), ROW(kill),
	ROW(sigkill), ROW(handler), ROW(sigchld), ROW(sigsuspend), ROW(alarm), ROW(setitimer),
	ROW(timer_create), ROW(timerfd_read), ROW(timerfd_poll), ROW(timerfd_epoll),
	ROW(timerfd_fork), ROW(timerfd_many), ROW(sigtimedwait), ROW(sigwaitinfo), ROW(sigwait),
	ROW(signalfd), ROW(eventfd), ROW(eventfd_write), ROW(flock), ROW(fcntl), ROW(lockf),
	ROW(send), ROW(sendmsg), ROW(sendto), ROW(connect), ROW(inotify),
	ROW(pthread_kill), ROW(pthread_sigqueue), ROW(pthread_barrier_wait), ROW(getrandom),
};

int main(int argc, char **argv)
{
	size_t count = sizeof(rows) / sizeof(*rows);
	int failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < count; i++) {
		bool ok;

		if (argc > 1 && strcmp(argv[1], rows[i].name) != 0)
			continue;
		ok = rows[i].row();
		failed += !ok;
		printf("%sok %zu - %s\n", ok ? "" : "not ", i + 1, rows[i].name);
	}
	printf("1..%zu\n", count);
	printf("# at %lld ns\n", (long long)now());
	return failed > 0;
}
