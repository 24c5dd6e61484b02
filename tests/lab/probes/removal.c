/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * removal: what the kernel does with waits on a umad file when its device is removed, and in which
 * order it reports requests that time out in the same tick.
 *
 * 	labvm run --add probes/removal -- removal
 */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/umad.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WAITERS = 4, REQUESTS = 64 };

struct waiter {
	const char *what;
	int fd;
	bool polls;
	pthread_t thread;
	volatile bool done;
	ssize_t result;
	int error;
	short events;
};

static void *wait_for(void *arg)
{
	struct waiter *waiter = arg;
	struct pollfd polled = { .fd = waiter->fd, .events = POLLIN };
	char buffer[64 + 256];

	if (waiter->polls) {
		waiter->result = poll(&polled, 1, -1);
		waiter->events = polled.revents;
	} else {
		waiter->result = read(waiter->fd, buffer, sizeof(buffer));
	}
	waiter->error = waiter->result < 0 ? errno : 0;
	waiter->done = true;
	return NULL;
}

static int open_blocking(int *ret_agent)
{
	int fd = umad_open_port("rxe0", 1);
	uint8_t oui[3] = { 0, 0x14, 5 };

	*ret_agent = umad_register_oui(fd, 0x32, 0, oui, NULL);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

/* To rxe1, where no agent takes it: a Send is not answered. */
static int ask(int fd, int agent, unsigned int tid, int timeout_ms)
{
	static const uint8_t gid[16] = {
		0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0x50, 0x54, 0x00, 0xff, 0xfe, 0x12, 0x34, 0x11,
	};
	uint8_t umad[64 + 256] = { 0 };
	uint8_t *mad = umad + 64;
	ib_mad_addr_t grh = { .hop_limit = 64 };

	memcpy(grh.gid, gid, 16);
	umad_set_addr(umad, 0, 1, 0, (int)0x80010000);
	umad_set_grh(umad, &grh);
	mad[0] = 1;
	mad[1] = 0x32;
	mad[2] = 1;
	mad[3] = 3;
	mad[14] = (uint8_t)(tid >> 8);
	mad[15] = (uint8_t)tid;
	mad[38] = 0x14;
	mad[39] = 5;
	return umad_send(fd, agent, umad, 256, timeout_ms, 0);
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void order(void)
{
	double sent[REQUESTS];
	int agent, fd = open_blocking(&agent);

	for (unsigned int i = 0; i < REQUESTS; i++) {
		sent[i] = now_ms();
		ask(fd, agent, i, 100);
	}
	for (unsigned int i = 0; i < REQUESTS; i++) {
		uint8_t umad[64 + 256] = { 0 };
		ssize_t got = read(fd, umad, sizeof(umad));

		if (got >= 0)
			printf("order: reported %2u, which was sent at %7.3f ms\n", umad[64 + 15],
			       sent[umad[64 + 15] % REQUESTS] - sent[0]);
	}
	umad_close_port(fd);
}

static void nothing(int signo)
{
	(void)signo;
}

static void say(const struct waiter *waiter, const char *when)
{
	if (!waiter->done)
		printf("removal: %s: %s still waits\n", when, waiter->what);
	else
		printf("removal: %s: %s came back: %zd, %s, events 0x%x\n", when, waiter->what,
		       waiter->result, strerror(waiter->error), waiter->events);
}

static void removal(bool loaded)
{
	struct sigaction action = { .sa_handler = nothing, .sa_flags = SA_RESTART };
	sigset_t child;
	struct waiter waiters[WAITERS] = {
		{ .what = "reader 1" }, { .what = "reader 2" },
		{ .what = "poller", .polls = true },
		{ .what = "poller of the same", .polls = true },
	};
	double began;
	int agents[WAITERS];

	for (int i = 0; i < WAITERS; i++)
		waiters[i].fd = open_blocking(&agents[i]);
	umad_close_port(waiters[3].fd);
	waiters[3].fd = waiters[0].fd;
	/*
	 * The end of a child would interrupt a wait: the call is repeated, and then sees the
	 * removal.
	 */
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &child, NULL);
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < WAITERS; i++)
		pthread_create(&waiters[i].thread, NULL, wait_for, &waiters[i]);
	sleep(1);
	if (loaded) {
		for (unsigned int i = 0; i < 40; i++)
			ask(waiters[0].fd, agents[0], i, 20000);
	}
	began = now_ms();
	if (system("rdma link delete rxe0") != 0)
		printf("removal: rdma link delete failed\n");
	printf("removal%s: took %.0f ms\n", loaded ? " with 40 requests out" : "",
	       now_ms() - began);
	sleep(3);
	for (int i = 0; i < WAITERS; i++)
		say(&waiters[i], "after 3 s");
	for (int i = 0; i < 2; i++) {
		if (!waiters[i].done)
			pthread_kill(waiters[i].thread, SIGUSR1);
		sleep(1);
		say(&waiters[i], "after a signal");
	}
	{
		char buffer[320];
		ssize_t got = read(waiters[0].fd, buffer, sizeof(buffer));

		printf("removal: a new read: %zd, %s\n", got, got < 0 ? strerror(errno) : "");
	}
	if (system("rdma link add rxe0 type rxe netdev v0") != 0)
		printf("removal: rdma link add failed\n");
	sleep(1);
	fflush(stdout);
}

int main(void)
{
	umad_init();
	order();
	removal(false);
	removal(true);
	fflush(stdout);
	/* Threads that still sleep in read() end with the process. */
	_exit(0);
}
