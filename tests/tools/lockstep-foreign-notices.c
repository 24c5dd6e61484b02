/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Of lockstep-foreign: timers that start threads, or end with a program; notices of queues. */
#include "tests/tools/lockstep-foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void note(union sigval value)
{
	say("a thread for", value.sival_int);
}

/* ---- timers ---- */

static void thread_timers(void)
{
	const struct itimerspec often = { { 0, 2000000 }, { 0, 3000000 } };
	const struct itimerspec never = { { 0, 0 }, { 0, 0 } };
	struct sigevent event;
	struct itimerspec left;
	timer_t timer;

	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD;
	event.sigev_notify_function = note;
	event.sigev_value.sival_int = 79;
	say("a timer", timer_create(CLOCK_MONOTONIC, &event, &timer));
	timer_settime(timer, 0, &often, NULL);
	pause_us(6000);
	timer_gettime(timer, &left);
	say("left", left.it_value.tv_nsec);
	timer_settime(timer, 0, &never, NULL);
	pause_us(10000);
	timer_settime(timer, 0, &often, NULL);
	pause_us(4000);
	say("deleted", timer_delete(timer));
	pause_us(10000);
}

/* They end with the program that made them, and a child has none. */
static void other_program(void)
{
	const struct itimerspec soon = { { 0, 0 }, { 0, 1000000 } };
	struct sigevent event;
	timer_t timer;
	int status = 0;

	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_SIGNAL;
	event.sigev_signo = SIGUSR1;
	say("a timer", timer_create(CLOCK_MONOTONIC, &event, &timer));
	if (fork() == 0) {
		timer_create(CLOCK_MONOTONIC, &event, &timer);
		timer_settime(timer, 0, &soon, NULL);
		execlp("sleep", "sleep", "0.01", (char *)NULL);
		_exit(1);
	}
	wait(&status);
	say("slept", status);
	say("deleted", timer_delete(timer));
}

/* ---- queues ---- */

static void on_signal(int sig, siginfo_t *info, void *context)
{
	(void)context;
	say("signal", sig);
	say("of code", info->si_code);
	say("from", info->si_pid);
	say("with", info->si_value.sival_int);
}

/* A child that sends, and stays for a while. */
static void send_late(mqd_t queue)
{
	if (fork() != 0)
		return;
	pause_us(2000);
	say("sent", mq_send(queue, "hello", 5, 3));
	pause_us(1000);
	_exit(0);
}

static void ask(mqd_t queue, const struct sigevent *event)
{
	say("asked", mq_notify(queue, event) < 0 ? -errno : 0);
}

static void empty(mqd_t queue)
{
	char text[8];

	say("received", mq_receive(queue, text, sizeof(text), NULL));
}

/* Other calls on the queue leave the notice there. */
static void by_signal(mqd_t queue)
{
	struct pollfd at = { .fd = (int)queue, .events = POLLIN };
	struct sigaction action;
	struct sigevent event;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_signal;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGUSR1, &action, NULL);
	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_SIGNAL;
	event.sigev_signo = SIGUSR1;
	event.sigev_value.sival_int = 41;
	ask(queue, &event);
	ask(queue, &event);
	say("polled", poll(&at, 1, 1));
	send_late(queue);
	say("slept", usleep(1000000));
	wait(NULL);
	empty(queue);
	/* It was for once. */
	say("sent", mq_send(queue, "hello", 5, 3));
	empty(queue);
	ask(queue, &event);
	ask(queue, NULL);
	say("sent", mq_send(queue, "hello", 5, 3));
	empty(queue);
	ask(queue, NULL);
	ask((mqd_t)999, &event);
	ask(queue, &event);
	empty((mqd_t)999);
	say("sent", mq_send(queue, "hello", 5, 3));
	empty(queue);
}

static void by_thread(mqd_t queue)
{
	struct sigevent event;

	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD;
	event.sigev_notify_function = note;
	event.sigev_value.sival_int = 42;
	ask(queue, &event);
	send_late(queue);
	pause_us(10000);
	wait(NULL);
	empty(queue);
}

void part_notices(void)
{
	struct mq_attr attr;
	mqd_t queue;

	thread_timers();
	other_program();
	memset(&attr, 0, sizeof(attr));
	attr.mq_maxmsg = 2;
	attr.mq_msgsize = 8;
	queue = mq_open("/lockstep-foreign-notices", O_CREAT | O_RDWR, 0600, &attr);
	mq_unlink("/lockstep-foreign-notices");
	if (queue < 0)
		return;
	by_signal(queue);
	by_thread(queue);
}
