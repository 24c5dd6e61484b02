/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Calls that take the number of another process, or return one. */
#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

bool row_sigqueue(void)
{
	int64_t from = now();
	siginfo_t info;
	sigset_t set;
	pid_t pid;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	pid = fork();
	if (pid == 0)
		_exit(sigwaitinfo(&set, &info) == SIGUSR1 && info.si_value.sival_int == 78 &&
		      info.si_code == SI_QUEUE && info.si_pid == getppid() && passed(from, S) ? 0 :
		      1);
	sleep(1);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	return sigqueue(pid, 0, (union sigval){ .sival_int = 0 }) == 0 &&
	       sigqueue(pid, SIGUSR1, (union sigval){ .sival_int = 78 }) == 0 && reap(pid) &&
	       passed(from, S);
}

/* What the row has inherited has a constant number; a group that it makes has its leader's. */
bool row_process_group(void)
{
	int64_t from = now();
	int status;
	pid_t pid = ends_after(1000, 0);
	bool ok;

	ok = getpgrp() == 999 && getpgid(pid) == 999 && getsid(0) == 999 &&
	     setpgid(pid, 0) == 0 && getpgid(pid) == pid && setpgid(pid, pid) == 0;
	sleep(1);
	return ok && kill(-pid, SIGTERM) == 0 && waitpid(-pid, &status, 0) == pid &&
	       WTERMSIG(status) == SIGTERM && passed(from, S) && getpgid(pid) == -1 &&
	       errno == ESRCH;
}

static pid_t thread_number;

static void *sleeps(void *data)
{
	thread_number = gettid();
	sleep(2);
	return data;
}

bool row_task_numbers(void)
{
	struct sched_param parameter;
	struct rlimit mine, other;
	pid_t pid = ends_after(3, 0);
	pthread_t thread;
	int nice = getpriority(PRIO_PROCESS, 0), nicer;
	bool ok;

	/* Everybody may become nicer. */
	nicer = nice < 19 ? nice + 1 : nice;
	pthread_create(&thread, NULL, sleeps, NULL);
	sleep(1);
	errno = 0;
	ok = getrlimit(RLIMIT_NOFILE, &mine) == 0 && mine.rlim_cur > 1 &&
	     prlimit(pid, RLIMIT_NOFILE, &(struct rlimit){ mine.rlim_cur - 1, mine.rlim_max },
		     NULL) == 0 &&
	     prlimit(pid, RLIMIT_NOFILE, NULL, &other) == 0 &&
	     other.rlim_cur == mine.rlim_cur - 1 &&
	     sched_getscheduler(thread_number) == SCHED_OTHER &&
	     sched_getscheduler(pid) == SCHED_OTHER && sched_getparam(pid, &parameter) == 0 &&
	     setpriority(PRIO_PROCESS, (id_t)pid, nicer) == 0 &&
	     getpriority(PRIO_PROCESS, (id_t)pid) == nicer &&
	     getpriority(PRIO_PROCESS, 0) == nice && errno == 0;
	return pthread_join(thread, NULL) == 0 && reap(pid) && ok;
}

/* The kernel's word, past what this program sees: 20 less what it is nice. */
static long kernel_priority(void)
{
	long ret;
#if defined(__x86_64__)
	__asm__ volatile("syscall" : "=a"(ret) : "0"(SYS_getpriority), "D"(0L), "S"(0L)
			 : "rcx", "r11", "memory");
#else
	register long call __asm__("x8") = SYS_getpriority, which __asm__("x0") = 0,
			   who __asm__("x1") = 0;

	__asm__ volatile("svc 0" : "+r"(which) : "r"(call), "r"(who) : "memory");
	ret = which;
#endif
	return ret;
}

static void *is_as_nice(void *data)
{
	return getpriority(PRIO_PROCESS, 0) == 19 && nice(0) == 19 ? data : NULL;
}

bool row_priorities(void)
{
	const struct sched_param none = { .sched_priority = 0 }, one = { .sched_priority = 1 };
	const long before = kernel_priority();
	pthread_t thread;
	void *same;
	pid_t pid;
	bool ok;

	ok = getpriority(PRIO_PROCESS, 0) == 0 && setpriority(PRIO_PROCESS, 0, 5) == 0 &&
	     nice(40) == 19 && sched_setscheduler(0, SCHED_BATCH, &none) == 0 &&
	     sched_getscheduler(0) == SCHED_BATCH && kernel_priority() == before &&
	     sched_setscheduler(0, SCHED_BATCH, &one) < 0 && errno == EINVAL &&
	     setpriority(PRIO_PROCESS, 1999999, 1) < 0 && errno == ESRCH;
	pthread_create(&thread, NULL, is_as_nice, &same);
	pthread_join(thread, &same);
	pid = fork();
	if (pid == 0)
		_exit(getpriority(PRIO_PROCESS, 0) == 19 && getpriority(PRIO_PGRP, 0) <= 19 &&
		      sched_getscheduler(0) == SCHED_BATCH ? 0 : 1);
	return reap(pid) && same == &same && ok && getpriority(PRIO_USER, 0) <= 19 &&
	       getpriority(PRIO_PROCESS, (id_t)getpid()) == 19;
}

bool row_pidfd(void)
{
	int64_t from = now();
	siginfo_t info = { .si_pid = 0 };
	pid_t pid = ends_after(1000, 0);
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	bool ok;

	sleep(1);
	ok = fd >= 0 && syscall(SYS_pidfd_send_signal, fd, SIGTERM, NULL, 0) == 0 &&
	     waitid(P_PIDFD, (id_t)fd, &info, WEXITED) == 0 && info.si_pid == pid &&
	     info.si_status == SIGTERM && passed(from, S);
	close(fd);
	return ok;
}

bool row_setown(void)
{
	struct f_owner_ex owner;
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char path[] = "/tmp/lockstep-calls-XXXXXX";
	int ends[2], fd = mkstemp(path);
	pid_t pid = ends_after(1, 0);
	bool ok;

	unlink(path);
	if (fd < 0 || pipe(ends) < 0)
		return false;
	ok = fcntl(ends[0], F_SETOWN, pid) == 0 && fcntl(ends[0], F_GETOWN) == pid &&
	     fcntl(ends[0], F_GETOWN_EX, &owner) == 0 && owner.pid == pid &&
	     fcntl(ends[0], F_SETOWN_EX, &(struct f_owner_ex){ F_OWNER_PID, getpid() }) == 0 &&
	     fcntl(ends[0], F_GETOWN) == getpid() && reap(pid);
	pid = fork();
	if (pid == 0) {
		fcntl(fd, F_SETLK, &lock);
		sleep(2);
		_exit(0);
	}
	sleep(1);
	ok = ok && fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type == F_WRLCK && lock.l_pid == pid;
	close(ends[0]);
	close(ends[1]);
	close(fd);
	return reap(pid) && ok;
}

/* Of a socket, by ioctl(2): a process and a group, by the session's numbers. */
bool row_fiosetown(void)
{
	int fds[2], ends[2], got = 0, self = getpid(), group = -getpgrp();
	int64_t from = now();
	pid_t pid;
	bool ok;

	set_handler(SIGIO);
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, fds) < 0 || pipe(ends) < 0)
		return false;
	ok = ioctl(fds[0], FIOSETOWN, &group) == 0 && ioctl(fds[0], FIOGETOWN, &got) == 0 &&
	     got == group && ioctl(fds[0], SIOCSPGRP, &self) == 0 &&
	     ioctl(fds[0], SIOCGPGRP, &got) == 0 && got == self &&
	     fcntl(fds[0], F_GETOWN) == self && ioctl(ends[0], FIOSETOWN, &self) == -1 &&
	     errno == ENOTTY && fcntl(fds[0], F_SETFL, O_ASYNC) == 0;
	pid = fork();
	if (pid == 0) {
		sleep(3);
		_exit(send(fds[1], "x", 1, 0) != 1);
	}
	caught = 0;
	while (ok && caught != SIGIO)
		pause();
	for (int i = 0; i < 2; i++) {
		close(fds[i]);
		close(ends[i]);
	}
	return ok && passed(from, 3 * S) && reap(pid);
}
