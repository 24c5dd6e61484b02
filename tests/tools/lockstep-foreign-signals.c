/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Of lockstep-foreign: what signals tell, signalfds, threads that are cancelled, sessions and
 * capabilities.
 */
#include "tests/tools/lockstep-foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- who sent it ---- */

static void on_signal(int sig, siginfo_t *info, void *context)
{
	(void)context;
	say("signal", sig);
	say("of code", info->si_code);
	say("from", info->si_pid);
}

static void show(int sig)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_signal;
	action.sa_flags = SA_SIGINFO;
	sigaction(sig, &action, NULL);
}

void part_senders(void)
{
	const union sigval value = { .sival_int = 7 };
	sigset_t set, pending;
	pid_t self = getpid(), pid;

	show(SIGUSR1);
	show(SIGUSR2);
	show(40);
	raise(SIGUSR1);
	kill(self, SIGUSR2);
	sigqueue(self, 40, value);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	sigpending(&pending);
	say("is pending", sigismember(&pending, SIGUSR1));
	say("and is not", sigismember(&pending, SIGUSR2));
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	pid = fork();
	if (pid == 0) {
		pause_us(1000);
		kill(self, SIGUSR1);
		_exit(0);
	}
	pause_us(5000);
	say("a child's", wait(NULL) == pid);
}

/* ---- one that a signal ends while its sender is to be told ---- */

static void *dies_with_flags(void *data)
{
	struct sigaction action;

	(void)data;
	show(SIGTERM);
	memset(&action, 0, sizeof(action));
	action.sa_handler = SIG_DFL;
	action.sa_flags = SA_SIGINFO;	/* as Go's runtime has it */
	sigaction(SIGTERM, &action, NULL);
	kill(getpid(), SIGTERM);
	pause();
	return NULL;
}

static pid_t start(bool is_told)
{
	pthread_t thread;
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	if (is_told)
		show(SIGUSR1);
	else
		pthread_create(&thread, NULL, dies_with_flags, NULL);
	pause();
	_exit(0);
}

/* Signals of errors that a program sends itself, while another waits for what it writes. */
static void send_own(int sig)
{
	int ends[2], status = 0;
	pid_t pid;
	char byte;

	if (pipe(ends) < 0)
		exit(1);
	pid = fork();
	if (pid == 0) {
		raise(sig);
		kill(getpid(), sig);
		_exit(3);
	}
	close(ends[1]);
	say("has sent itself", sig);
	say("its pipe ends", read(ends[0], &byte, 1));
	waitpid(pid, &status, 0);
	say("it was killed by", WTERMSIG(status));
	close(ends[0]);
}

void part_deaths(void)
{
	for (int i = 0; i < 20; i++) {
		pid_t pid = start(i % 2);
		int status = 0;

		pause_us(1000);
		if (i % 2) {
			kill(pid, SIGUSR1);
			kill(pid, SIGTERM);
		}
		waitpid(pid, &status, 0);
		say("killed by", WTERMSIG(status));
	}
	send_own(SIGSEGV);
	send_own(SIGFPE);
	send_own(SIGKILL);
}

/* ---- signalfds in epoll instances ---- */

static int add(int instance, int op, int fd, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.u64 = UINT64_C(0x123456789) };

	return epoll_ctl(instance, op, fd, &event) < 0 ? -errno : 0;
}

static void say_events(const char *what, int instance, int ms)
{
	struct epoll_event events[4];

	memset(events, 0, sizeof(events));
	say(what, epoll_wait(instance, events, 4, ms));
	say("with data", events[0].data.u64 == UINT64_C(0x123456789));
}

static void say_refusals(int instance, int fd)
{
	say("once more", add(instance, EPOLL_CTL_ADD, fd, EPOLLIN));
	say("to no instance", add(fd, EPOLL_CTL_ADD, fd, EPOLLIN));
	say("to no descriptor", add(900, EPOLL_CTL_ADD, fd, EPOLLIN));
	say("no operation", add(instance, 17, fd, EPOLLIN));
	say("no event", syscall(SYS_epoll_ctl, instance, EPOLL_CTL_MOD, fd, NULL) < 0 ? -errno : 0);
}

void part_interests(void)
{
	int instance = epoll_create1(EPOLL_CLOEXEC), fd;
	struct signalfd_siginfo info;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_NONBLOCK);
	say("added", add(instance, EPOLL_CTL_ADD, fd, EPOLLIN));
	say_refusals(instance, fd);
	say_events("none", instance, 10);
	if (fork() == 0) {
		pause_us(3000000);
		kill(getppid(), SIGTERM);
		_exit(0);
	}
	say_events("a child's", instance, 10000);
	say_events("still", instance, 10);
	say("read", read(fd, &info, sizeof(info)));
	say("signal", info.ssi_signo);
	say_events("none", instance, 10);
	say("by edges", add(instance, EPOLL_CTL_MOD, fd, EPOLLIN | EPOLLET));
	kill(getpid(), SIGUSR1);
	say_events("own", instance, 10);
	say_events("no new one", instance, 10);
	say("taken out", add(instance, EPOLL_CTL_DEL, fd, 0));
	say("and again", add(instance, EPOLL_CTL_DEL, fd, 0));
	say_events("none", instance, 10);
	say("put in", add(instance, EPOLL_CTL_ADD, dup(fd), EPOLLIN));
	say_events("what was there", instance, 10);
	wait(NULL);
}

/* ---- cancelled threads ---- */

static int ends[2];

static void cleanup(void *what)
{
	say(what, 0);
}

static void *waits(void *data)
{
	const char *what = data;
	char byte;

	pthread_cleanup_push(cleanup, data);
	/* (Where all threads change their group a sleep may end.) */
	while (strcmp(what, "sleeps") == 0)
		pause_us(1000000000);
	if (strcmp(what, "pauses") == 0)
		pause();
	else
		say("read", read(ends[0], &byte, 1));
	pthread_cleanup_pop(0);
	return NULL;
}

void part_cancel(void)
{
	static char names[][8] = { "sleeps", "pauses", "reads" };
	pthread_t threads[3];
	void *result;

	if (pipe(ends) < 0)
		exit(1);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, waits, names[i]);
	pause_us(1000);
	for (int i = 0; i < 3; i++) {
		pthread_cancel(threads[i]);
		pthread_join(threads[i], &result);
		say("cancelled", result == PTHREAD_CANCELED);
	}
	/* All threads change theirs. */
	pthread_create(&threads[0], NULL, waits, names[0]);
	pause_us(1000);
	say("same group", setgid(getgid()));
	pthread_cancel(threads[0]);
	pthread_join(threads[0], NULL);
}

/* ---- sessions, terminals, capabilities ---- */

static void on_terminal(const char *name)
{
	int fd;

	say("session", setsid() == getpid());
	fd = open(name, O_RDWR);
	say("its terminal", ioctl(fd, TIOCSCTTY, 0));
	say("by its name", open("/dev/tty", O_RDWR) >= 0);
	_exit(isatty(fd) ? 3 : 4);
}

static void say_capabilities(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, getpid() };
	struct __user_cap_data_struct data[2];

	say("capabilities", syscall(SYS_capget, &header, data));
	header.pid = getpid();
	say("the same", syscall(SYS_capset, &header, data));
	header.pid = getppid();
	say("not of others", syscall(SYS_capset, &header, data));
}

void part_sessions(void)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY), status = 0;
	pid_t pid;

	if (terminal < 0 || grantpt(terminal) < 0 || unlockpt(terminal) < 0)
		exit(1);
	pid = fork();
	if (pid == 0)
		on_terminal(ptsname(terminal));
	say("child", wait(&status) == pid);
	say("status", WEXITSTATUS(status));
	say_capabilities();
}

/* ---- what is left of a time, and files between looks ---- */

static void say_rests(void)
{
	struct timeval us = { 5, 0 };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	if (fork() == 0) {
		pause_us(2000000);
		_exit(write(ends[1], "xy", 2) != 2);
	}
	say("select", select(ends[0] + 1, &set, NULL, NULL, &us));
	say("leaves seconds", us.tv_sec);
	say("and us", us.tv_usec);
	wait(NULL);
	if (fork() == 0) {
		pause_us(1500000);
		kill(getppid(), SIGUSR2);
		_exit(0);
	}
	us.tv_sec = 7;
	say("select", select(0, NULL, NULL, NULL, &us));
	say("leaves seconds", us.tv_sec);
	say("and us", us.tv_usec);
	wait(NULL);
}

void part_rests(void)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	char byte;

	if (pipe(ends) < 0 || fd < 0)
		exit(1);
	handle(SIGUSR2, 0);
	say_rests();
	for (int i = 0; i < 1000; i++) {
		now();
		if (read(fd, &byte, 1) != 1)
			exit(1);
	}
	say("files between a thousand looks", 0);
}
