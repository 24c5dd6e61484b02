/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the kernel tells by itself: that files are ready, and that a queue has a message. */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static siginfo_t had;
static volatile sig_atomic_t times;

static void note(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	if (context) {
		had = *info;
		times++;
	}
}

static void set_noting(int sig, struct sigaction *ret_before)
{
	struct sigaction action = { .sa_sigaction = note, .sa_flags = SA_SIGINFO };

	memset(&had, 0, sizeof(had));
	times = 0;
	sigaction(sig, &action, ret_before);
}

/* ---- files ---- */

/* A child that ended would wake its parent. */
static void write_and_stay(int fd)
{
	write_byte(fd);
	sleep(3);
}

static bool watch(int fd, int sig)
{
	return fcntl(fd, F_SETOWN, getpid()) == 0 && fcntl(fd, F_SETSIG, sig) == 0 &&
	       fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC) == 0;
}

/* Of a thread that sleeps, and of one that waits for something else. */
bool row_sigio(void)
{
	struct sigaction before;
	int64_t from = now();
	int ends[2];
	pid_t pid;

	set_noting(SIGRTMIN, &before);
	if (pipe(ends) < 0 || !watch(ends[0], SIGRTMIN))
		return false;
	pid = in_two_seconds(write_and_stay, ends[1]);
	if (sleep(1000) != 998 || times != 1 || had.si_code != POLL_IN || had.si_fd != ends[0] ||
	    !passed(from, 2 * S) || !reap(pid))
		return false;
	pid = in_two_seconds(write_and_stay, ends[1]);
	return pause() == -1 && times == 2 && passed(from, 7 * S) && reap(pid) &&
	       close(ends[0]) == 0 && close(ends[1]) == 0 &&
	       sigaction(SIGRTMIN, &before, NULL) == 0;
}

bool row_sigio_wait(void)
{
	int64_t from = now();
	siginfo_t info;
	sigset_t set;
	int ends[2];
	pid_t pid;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (pipe(ends) < 0 || !watch(ends[0], SIGRTMIN))
		return false;
	pid = in_two_seconds(write_and_stay, ends[1]);
	return sigwaitinfo(&set, &info) == SIGRTMIN && info.si_fd == ends[0] &&
	       passed(from, 2 * S) && reap(pid) && close(ends[0]) == 0 && close(ends[1]) == 0 &&
	       sigprocmask(SIG_UNBLOCK, &set, NULL) == 0;
}

/* ---- message queues ---- */

static mqd_t make_queue(void)
{
	struct mq_attr attr = { .mq_maxmsg = 2, .mq_msgsize = 8 };
	char name[48];
	mqd_t ret;

	snprintf(name, sizeof(name), "/lockstep-notices-%lld", (long long)now());
	ret = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &attr);
	if (ret >= 0)
		mq_unlink(name);
	else
		printf("# no message queues here\n");
	return ret;
}

static void send_message(int queue)
{
	if (mq_send(queue, "hello", 5, 3) < 0)
		_exit(1);
}

static void send_and_stay(int queue)
{
	send_message(queue);
	sleep(3);
}

static int notify_by_number(mqd_t queue, const struct sigevent *event)
{
	return (int)syscall(SYS_mq_notify, queue, event);
}

static bool notifies_by_signal(int (*notify)(mqd_t queue, const struct sigevent *event))
{
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 41,
	};
	mqd_t queue = make_queue();
	struct sigaction before;
	int64_t from = now();
	pid_t pid;

	if (queue < 0)
		return errno == ENOSYS;
	set_noting(SIGUSR1, &before);
	if (notify(queue, &event) < 0)
		return false;
	pid = in_two_seconds(send_and_stay, queue);
	return sleep(1000) == 998 && times == 1 && had.si_code == SI_MESGQ && had.si_pid == pid &&
	       had.si_value.sival_int == 41 && passed(from, 2 * S) && reap(pid) &&
	       sigaction(SIGUSR1, &before, NULL) == 0 && mq_close(queue) == 0;
}

bool row_mq_notify_signal(void)
{
	return notifies_by_signal(mq_notify);
}

bool row_mq_notify_by_number(void)
{
	return notifies_by_signal(notify_by_number);
}

static int64_t noted;
static int value_noted;

static void take_note(union sigval value)
{
	noted = now();
	value_noted = value.sival_int;
}

bool row_mq_notify_thread(void)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD, .sigev_notify_function = take_note,
		.sigev_value.sival_int = 42,
	};
	mqd_t queue = make_queue();
	int64_t from = now();
	char text[8];
	pid_t pid;

	if (queue < 0)
		return errno == ENOSYS;
	/* One that is taken back calls nothing. */
	if (mq_notify(queue, &event) < 0 || mq_notify(queue, &event) != -1 || errno != EBUSY ||
	    mq_notify(queue, NULL) < 0)
		return false;
	send_message(queue);
	sleep(1);
	if (noted || mq_receive(queue, text, sizeof(text), NULL) != 5 ||
	    mq_notify(queue, &event) < 0)
		return false;
	pid = in_two_seconds(send_and_stay, queue);
	sleep(10);
	return noted == from + 3 * S && value_noted == 42 && passed(from, 11 * S) && reap(pid) &&
	       mq_close(queue) == 0;
}

bool row_mq_notify_none(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_NONE };
	mqd_t queue = make_queue();
	int64_t from = now();
	pid_t pid;

	if (queue < 0)
		return errno == ENOSYS;
	if (mq_notify(queue, &event) < 0)
		return false;
	pid = in_two_seconds(send_and_stay, queue);
	return sleep(5) == 0 && passed(from, 5 * S) && reap(pid) && mq_close(queue) == 0;
}

/* ---- timers ---- */

static bool is_left(timer_t timer, time_t seconds)
{
	struct itimerspec left;

	return timer_gettime(timer, &left) == 0 && left.it_value.tv_sec == seconds &&
	       left.it_value.tv_nsec == 0;
}

bool row_sigev_none(void)
{
	const struct itimerspec once = { { 0, 0 }, { 3, 0 } }, often = { { 2, 0 }, { 3, 0 } };
	struct sigevent event = { .sigev_notify = SIGEV_NONE };
	int64_t from = now();
	timer_t timer;
	bool ok;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) < 0)
		return false;
	ok = is_left(timer, 0) && timer_settime(timer, 0, &once, NULL) == 0 && sleep(1) == 0 &&
	     is_left(timer, 2) && sleep(9) == 0 && is_left(timer, 0) &&
	     timer_settime(timer, 0, &often, NULL) == 0 && sleep(4) == 0 && is_left(timer, 1);
	return ok && sleep(1000) == 0 && is_left(timer, 1) && passed(from, 1014 * S) &&
	       timer_delete(timer) == 0;
}

static int64_t woken_at;
static pid_t waiter;

static void *waits(void *data)
{
	waiter = gettid();
	pause();
	woken_at = now();
	return data;
}

bool row_sigev_thread_id(void)
{
	const struct itimerspec soon = { { 0, 0 }, { 2, 0 } };
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1,
		.sigev_value.sival_int = 43,
	};
	struct sigaction before;
	int64_t from = now();
	pthread_t thread;
	timer_t timer;

	set_noting(SIGUSR1, &before);
	event.sigev_notify_thread_id = 12345678;
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) != -1 || errno != EINVAL)
		return false;
	pthread_create(&thread, NULL, waits, NULL);
	sleep(1);
	event.sigev_notify_thread_id = waiter;
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) < 0)
		return false;
	timer_settime(timer, 0, &soon, NULL);
	return sleep(10) == 0 && times == 1 && had.si_code == SI_TIMER &&
	       had.si_value.sival_int == 43 && woken_at == from + 3 * S &&
	       passed(from, 11 * S) && pthread_join(thread, NULL) == 0 &&
	       timer_delete(timer) == 0 && sigaction(SIGUSR1, &before, NULL) == 0;
}
