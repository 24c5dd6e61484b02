/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Timers, with a signal or a file. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

bool row_alarm(void)
{
	int64_t from = now();

	set_handler(SIGALRM);
	alarm(4);
	return alarm(5) == 4 && pause() == -1 && errno == EINTR && caught == SIGALRM &&
	       passed(from, 5 * S);
}

bool row_setitimer(void)
{
	const struct itimerval each = { { 1, 0 }, { 2, 0 } }, never = { { 0, 0 }, { 0, 0 } };
	int64_t from = now();

	set_handler(SIGALRM);
	setitimer(ITIMER_REAL, &each, NULL);
	pause();
	pause();
	setitimer(ITIMER_REAL, &never, NULL);
	return passed(from, 3 * S);
}

bool row_timer_create(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	struct itimerspec when = { { 0, 0 }, { 6, 0 } };
	int64_t from = now();
	timer_t timer;

	set_handler(SIGUSR1);
	return timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 &&
	       timer_settime(timer, 0, &when, NULL) == 0 && pause() == -1 && caught == SIGUSR1 &&
	       timer_getoverrun(timer) == 0 && timer_delete(timer) == 0 && passed(from, 6 * S);
}

static int told;

static void tell_overrun(int sig, siginfo_t *info, void *context)
{
	(void)context;
	caught = sig;
	told = info->si_code == SI_TIMER ? info->si_overrun : -1;
}

/* While its signal is blocked, a timer counts. */
bool row_timer_overrun(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1 };
	const struct itimerspec each = { { 1, 0 }, { 1, 0 } }, never = { { 0, 0 }, { 0, 0 } };
	const struct sigaction action = { .sa_sigaction = tell_overrun, .sa_flags = SA_SIGINFO };
	sigset_t signals, before;
	siginfo_t info;
	timer_t timer;

	caught = 0;
	sigemptyset(&signals);
	sigaddset(&signals, event.sigev_signo);
	sigaction(event.sigev_signo, &action, NULL);
	sigprocmask(SIG_BLOCK, &signals, &before);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) < 0 ||
	    timer_settime(timer, 0, &each, NULL) < 0)
		return false;
	usleep(3500000);
	if (timer_getoverrun(timer) != 0 || caught)
		return false;
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (caught != event.sigev_signo || told != 2 || timer_getoverrun(timer) != 2)
		return false;
	caught = 0;
	if (pause() != -1 || caught != event.sigev_signo || told != 0)
		return false;
	sigprocmask(SIG_BLOCK, &signals, NULL);
	usleep(2500000);
	if (sigwaitinfo(&signals, &info) != event.sigev_signo || info.si_overrun != 1 ||
	    timer_getoverrun(timer) != 1)
		return false;
	timer_settime(timer, 0, &never, NULL);
	return timer_getoverrun(timer) == 0 && timer_delete(timer) == 0;
}

static int timer_file(int flags, int64_t first_ns, int64_t each_ns)
{
	struct itimerspec when = { { each_ns / S, each_ns % S }, { first_ns / S, first_ns % S } };
	int fd = timerfd_create(CLOCK_MONOTONIC, flags);

	if (fd < 0 || timerfd_settime(fd, 0, &when, NULL) < 0)
		return -1;
	return fd;
}

bool row_timerfd_read(void)
{
	int64_t from = now();
	int fd = timer_file(0, 4 * S, S);
	uint64_t times = 0;

	if (read(fd, &times, sizeof(times)) != sizeof(times) || times != 1 ||
	    !passed(from, 4 * S))
		return false;
	usleep(3500000);
	if (read(fd, &times, sizeof(times)) != sizeof(times) || times != 3 ||
	    !passed(from, 15 * S / 2))
		return false;
	return read(fd, &times, sizeof(times)) == sizeof(times) && times == 1 &&
	       passed(from, 8 * S) && close(fd) == 0;
}

/* One that nobody reads, and one that is closed, keep nobody from waiting for others. */
bool row_timerfd_poll(void)
{
	int64_t from = now();
	struct pollfd one = { .fd = timer_file(TFD_NONBLOCK, 2 * S, 0), .events = POLLIN };
	struct itimerspec left, never = { { 0, 0 }, { 0, 0 } };
	uint64_t times = 0;

	close(timer_file(0, S / 4, S / 4));
	if (read(one.fd, &times, sizeof(times)) != -1 || errno != EAGAIN ||
	    poll(&one, 1, 500) != 0 || timerfd_gettime(one.fd, &left) < 0 ||
	    left.it_value.tv_sec != 1 || left.it_value.tv_nsec != S / 2)
		return false;
	if (poll(&one, 1, -1) != 1 || one.revents != POLLIN || !passed(from, 2 * S))
		return false;
	timerfd_settime(one.fd, 0, &never, NULL);
	return poll(&one, 1, 1000) == 0 && passed(from, 3 * S) && close(one.fd) == 0;
}

bool row_timerfd_epoll(void)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = 5 };
	struct itimerspec when = { { 0, 0 }, in(CLOCK_REALTIME, 6 * S) };
	int epoll = epoll_create1(0), fd = timerfd_create(CLOCK_REALTIME, 0);
	int64_t from = now();

	if (timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL) < 0 ||
	    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0)
		return false;
	event.data.u32 = 0;
	return epoll_wait(epoll, &event, 1, -1) == 1 && event.data.u32 == 5 &&
	       passed(from, 6 * S) && close(fd) == 0 && close(epoll) == 0;
}

/* It is the child's, too, and goes on when its maker has ended. */
bool row_timerfd_fork(void)
{
	int64_t from = now();
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		return false;
	pid = fork();
	if (pid == 0) {
		uint64_t times = 0;
		int fd = timer_file(0, 3 * S, 0);

		if (fork() > 0)
			_exit(0);
		if (read(fd, &times, sizeof(times)) != sizeof(times) || times != 1)
			_exit(1);
		write_byte(ends[1]);
		_exit(0);
	}
	return reap(pid) && byte_comes(ends[0], from, 3 * S);
}

/* Their number is bounded by those that are open. */
bool row_timerfd_many(void)
{
	for (int i = 0; i < 5000; i++) {
		int fd = timer_file(0, 1000000 * S, 0);

		if (fd < 0)
			return false;
		close(fd);
	}
	return true;
}

static int64_t noted[4];
static int notes;

static void take_note(union sigval value)
{
	if (notes < 4 && value.sival_int == 79)
		noted[notes++] = now();
}

bool row_sigev_thread(void)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD, .sigev_notify_function = take_note,
		.sigev_value.sival_int = 79,
	};
	const struct itimerspec often = { { 2, 0 }, { 3, 0 } }, never = { { 0, 0 }, { 0, 0 } };
	int64_t from = now();
	struct itimerspec left;
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) < 0)
		return false;
	timer_settime(timer, 0, &often, NULL);
	sleep(6);
	timer_gettime(timer, &left);
	if (notes != 2 || noted[0] != from + 3 * S || noted[1] != from + 5 * S ||
	    left.it_value.tv_sec != 1 || left.it_interval.tv_sec != 2)
		return false;
	timer_settime(timer, 0, &never, NULL);
	sleep(10);
	timer_settime(timer, 0, &often, NULL);
	sleep(4);
	timer_delete(timer);
	sleep(10);
	return notes == 3 && noted[2] == from + 19 * S;
}

/* They end with the program that made them. */
bool row_exec_timers(void)
{
	const struct itimerspec soon = { { 0, 0 }, { 1, 0 } };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	int64_t from = now();
	timer_t timer;
	pid_t pid = fork();

	if (pid == 0) {
		timer_create(CLOCK_MONOTONIC, &event, &timer);
		timer_settime(timer, 0, &soon, NULL);
		execlp("sleep", "sleep", "2", NULL);
		_exit(1);
	}
	return reap(pid) && passed_asleep(from, 2 * S, 1);
}
