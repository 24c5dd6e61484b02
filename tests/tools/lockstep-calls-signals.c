/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Signals: to processes, to threads, waited for. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

/* A child that sends its parent a signal in so many seconds. */
static pid_t kills_parent_after(unsigned int seconds, int sig)
{
	pid_t pid = fork();

	if (pid == 0) {
		sleep(seconds);
		kill(getppid(), sig);
		_exit(0);
	}
	return pid;
}

bool row_kill(void)
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

bool row_sigkill(void)
{
	int64_t from = now();
	int status;
	pid_t pid = ends_after(1000, 0);

	sleep(1);
	return kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid &&
	       WTERMSIG(status) == SIGKILL && passed(from, S);
}

/* It comes while it is blocked. */
bool row_sigprocmask(void)
{
	int64_t from = now();
	sigset_t set;
	int status;
	pid_t pid;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	pid = fork();
	if (pid == 0) {
		sigprocmask(SIG_BLOCK, &set, NULL);
		sleep(2);
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		_exit(0);
	}
	sleep(1);
	return kill(pid, SIGTERM) == 0 && waitpid(pid, &status, 0) == pid &&
	       WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM && passed(from, 2 * S);
}

bool row_handler(void)
{
	int64_t from = now();
	pid_t pid;

	set_handler(SIGUSR1);
	pid = kills_parent_after(3, SIGUSR1);
	return sleep(1000) == 997 && caught == SIGUSR1 && passed(from, 3 * S) && reap(pid);
}

bool row_sigchld(void)
{
	struct timespec long_time = { 100, 0 }, rest = { 0, 0 };
	pid_t pid;
	bool ok;

	set_handler(SIGCHLD);
	pid = ends_after(2, 0);
	ok = nanosleep(&long_time, &rest) == -1 && errno == EINTR && rest.tv_sec == 98 &&
	     caught == SIGCHLD && reap(pid);
	signal(SIGCHLD, SIG_DFL);
	return ok;
}

bool row_sigsuspend(void)
{
	int64_t from = now();
	sigset_t none, usr2, before;

	sigemptyset(&usr2);
	sigaddset(&usr2, SIGUSR2);
	sigemptyset(&none);
	set_handler(SIGUSR2);
	sigprocmask(SIG_BLOCK, &usr2, &before);
	in_two_seconds(write_byte, -1);		/* a child that fails, and is reaped below */
	kills_parent_after(1, SIGUSR2);
	sigsuspend(&none);
	sigprocmask(SIG_SETMASK, &before, NULL);
	while (wait(NULL) > 0)
		continue;
	return caught == SIGUSR2 && passed(from, 2 * S);
}

static sigset_t blocked_set(int sig)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return set;
}

bool row_sigtimedwait(void)
{
	sigset_t set = blocked_set(SIGUSR1);
	struct timespec one = { 1, 0 }, long_time = { 1000, 0 };
	int64_t from = now();
	siginfo_t info;
	pid_t pid = kills_parent_after(2, SIGUSR1);

	return sigtimedwait(&set, &info, &one) == -1 && errno == EAGAIN && passed(from, S) &&
	       sigtimedwait(&set, &info, &long_time) == SIGUSR1 && info.si_pid == pid &&
	       passed(from, 2 * S) && reap(pid) &&
	       sigprocmask(SIG_UNBLOCK, &set, NULL) == 0;
}

bool row_sigwaitinfo(void)
{
	sigset_t set = blocked_set(SIGCHLD);
	int64_t from = now();
	siginfo_t info;
	pid_t pid = ends_after(2, 0);

	return sigwaitinfo(&set, &info) == SIGCHLD && info.si_pid == pid &&
	       passed(from, 2 * S) && reap(pid) &&
	       sigprocmask(SIG_UNBLOCK, &set, NULL) == 0;
}

bool row_signalfd(void)
{
	sigset_t set = blocked_set(SIGUSR1);
	int64_t from = now();
	int fd = signalfd(-1, &set, 0);
	struct signalfd_siginfo info;
	pid_t pid = kills_parent_after(2, SIGUSR1);

	return read(fd, &info, sizeof(info)) == sizeof(info) && info.ssi_signo == SIGUSR1 &&
	       info.ssi_pid == (uint32_t)pid && passed(from, 2 * S) && reap(pid) &&
	       close(fd) == 0 && sigprocmask(SIG_UNBLOCK, &set, NULL) == 0;
}

bool row_sigwait(void)
{
	sigset_t set = blocked_set(SIGALRM);
	int64_t from = now();
	int sig = 0;

	alarm(3);
	return sigwait(&set, &sig) == 0 && sig == SIGALRM && passed(from, 3 * S) &&
	       sigprocmask(SIG_UNBLOCK, &set, NULL) == 0;
}

static void *pauses(void *data)
{
	int64_t *at = data;

	pause();
	*at = now();
	return NULL;
}

bool row_pthread_kill(void)
{
	int64_t from = now(), at = 0;
	pthread_t thread;

	set_handler(SIGUSR1);
	pthread_create(&thread, NULL, pauses, &at);
	sleep(2);
	return pthread_kill(thread, 0) == 0 && pthread_kill(thread, SIGUSR1) == 0 &&
	       pthread_join(thread, NULL) == 0 && caught == SIGUSR1 &&
	       at - from == 2 * S && passed(from, 2 * S);
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
bool row_pthread_sigqueue(void)
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
	     passed(from, 2 * S) && sigwaitinfo(&set, &info) == SIGUSR2 &&
	     passed(from, 3 * S) && caught == 0;
	pthread_kill(other, SIGUSR2);
	pthread_join(other, NULL);
	pthread_join(sender, NULL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	return ok && caught == SIGUSR2 && at - from == 3 * S;
}
