/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * storm: "storm SECONDS": 16 threads of 2 processes ask their neighbours through umad files of
 * their own, while each process gets a thousand signals a second. Half of the threads wait in poll,
 * half in read; the handlers of one process restart calls, those of the other do not. A device that
 * is removed is opened again once it is there.
 *
 * Fails if an answer is missing, comes twice, or comes to another thread. On a real device only
 * read and poll are ever interrupted. Below a seccomp filter any call is that waits to be looked
 * at; what matters is that nothing was done then.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PROCESSES 2
#define THREADS 8
#define HEADER 64
#define UMAD (HEADER + 256)
#define REGISTER_AGENT2 _IOC(_IOC_READ | _IOC_WRITE, 0x1b, 4, 40)

/* What one thread has seen; shared by the processes. */
struct worker {
	unsigned long answers, signals, gone, lost, twice, swapped, refused;
	int refusal;			/* the last errno that no removal explains */
	unsigned int index;
	uint32_t tid;			/* the index in its top byte */
	int fd;
	uint32_t agent;
};

static struct worker *workers;
static __thread struct worker *self;
static struct timespec end;

static void on_signal(int sig)
{
	(void)sig;
	if (self)
		self->signals++;
}

static bool is_over(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec);
}

/* A call failed: is it because of the device's removal? Any other reason is a fault. */
static void fail(struct worker *w)
{
	if (errno == EIO || errno == EPIPE || errno == ENXIO || errno == ENODEV) {
		w->gone++;
	} else {
		w->refused++;
		w->refusal = errno;
	}
	close(w->fd);
	w->fd = -1;
}

/*
 * Opens whichever device is there: one that comes back may have another number. It is its adapter's
 * port 1, by which the requests leave.
 */
static void reopen(struct worker *w)
{
	uint8_t asked[40] = { [8] = 0x81, [9] = 1 };
	char path[40];

	for (int number = 0; number < 4 && w->fd < 0; number++) {
		snprintf(path, sizeof(path), "/dev/infiniband/umad%d", number);
		w->fd = TEMP_FAILURE_RETRY(open(path, O_RDWR | O_CLOEXEC));
	}
	if (w->fd < 0)
		nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
	else if (TEMP_FAILURE_RETRY(ioctl(w->fd, REGISTER_AGENT2, asked)) < 0)
		fail(w);
	else
		memcpy(&w->agent, asked, 4);
}

static bool ask(struct worker *w)
{
	static const uint32_t timeout_ms = 20000;
	uint8_t umad[UMAD] = { 0 }, *mad = umad + HEADER;

	w->tid++;
	memcpy(umad, &w->agent, 4);
	memcpy(umad + 8, &timeout_ms, 4);
	memset(umad + 28, 0xff, 2);
	memcpy(mad, "\1\x81\1\1", 4);
	mad[7] = 1;
	memcpy(mad + 12, &w->tid, 4);
	mad[17] = w->index & 1 ? 0x10 : 0x11;	/* NodeDescription, NodeInfo */
	memset(mad + 32, 0xff, 4);
	mad[129] = 1;
	if (TEMP_FAILURE_RETRY(write(w->fd, umad, UMAD)) == UMAD)
		return true;
	fail(w);
	return false;
}

/* Waits at most so long (in poll, where 'timeout_ms' >= 0), and reads: 1, or 0: nothing came. */
static int receive(struct worker *w, int timeout_ms, uint8_t *umad)
{
	struct pollfd readable = { .fd = w->fd, .events = POLLIN };
	ssize_t size;

	if (timeout_ms >= 0 && TEMP_FAILURE_RETRY(poll(&readable, 1, timeout_ms)) == 0)
		return 0;
	size = TEMP_FAILURE_RETRY(read(w->fd, umad, UMAD));
	if (size == UMAD)
		return 1;
	if (size >= 0)
		errno = EBADMSG;
	fail(w);
	return 0;
}

static void look(struct worker *w, const uint8_t *umad)
{
	const uint8_t *mad = umad + HEADER;
	uint32_t status, tid;

	memcpy(&status, umad + 4, 4);
	memcpy(&tid, mad + 12, 4);
	if (tid >> 24 != w->index || mad[17] != (w->index & 1 ? 0x10 : 0x11))
		w->swapped++;
	else if (tid != w->tid)
		w->twice++;
	else if (status || mad[3] != 0x81)
		w->lost++;
	else
		w->answers++;
}

static void *work(void *data)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1 };
	const struct timespec period = { .tv_nsec = THREADS * 1000000 };
	const struct itimerspec each = { period, period };
	uint8_t umad[UMAD];
	timer_t timer;

	self = data;
	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) < 0 ||
	    timer_settime(timer, 0, &each, NULL) < 0)
		exit(99);
	while (!is_over()) {
		if (self->fd < 0)
			reopen(self);
		else if (ask(self) && receive(self, self->index & 2 ? 30000 : -1, umad))
			look(self, umad);
		else if (self->fd >= 0)
			self->lost++;
	}
	timer_delete(timer);
	/* What was sent twice has an answer more. */
	if (self->fd >= 0 && receive(self, 200, umad))
		self->twice++;
	return NULL;
}

static void process(int number)
{
	struct sigaction action = { .sa_handler = on_signal,
				    .sa_flags = number == 0 ? SA_RESTART : 0 };
	pthread_t threads[THREADS];

	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, &workers[number * THREADS + i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	struct worker all = { 0 };
	int status = 0;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += argc > 1 ? atoi(argv[1]) : 3;
	workers = mmap(NULL, PROCESSES * THREADS * sizeof(*workers), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (workers == MAP_FAILED)
		return 99;
	for (unsigned int i = 0; i < PROCESSES * THREADS; i++)
		workers[i] = (struct worker){ .index = i, .tid = i << 24, .fd = -1 };
	for (int i = 0; i < PROCESSES; i++) {
		if (fork() == 0) {
			process(i);
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		all.refused += status != 0;
	for (unsigned int i = 0; i < PROCESSES * THREADS; i++) {
		struct worker *w = &workers[i];

		all.answers += w->answers, all.signals += w->signals, all.gone += w->gone;
		all.lost += w->lost, all.twice += w->twice, all.swapped += w->swapped;
		all.refused += w->refused;
		if (w->refused)
			fprintf(stderr, "thread %u: %s\n", i, strerror(w->refusal));
		if (!w->answers)
			fprintf(stderr, "thread %u: no answers\n", i);
		status |= !w->answers;
	}
	printf("answers %lu, signals %lu, gone %lu\n", all.answers, all.signals, all.gone);
	printf("lost %lu, twice %lu, swapped %lu, refused %lu\n", all.lost, all.twice, all.swapped,
	       all.refused);
	return status || all.lost || all.twice || all.swapped || all.refused || !all.signals;
}
