/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What signals say of their sender: the numbers that programs see, and what the kernel says. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

/* What the handler has had last. */
static siginfo_t had;
static volatile sig_atomic_t times;

static void note(int sig, siginfo_t *info, void *context)
{
	if (context && info->si_signo == sig) {
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

static bool is_from(int code, pid_t pid)
{
	if (had.si_code != code || had.si_pid != pid)
		printf("# code %d of %d, not %d of %d\n", had.si_code, had.si_pid, code, pid);
	return had.si_code == code && had.si_pid == pid;
}

static pid_t signals_parent(int sig, bool is_thread)
{
	pid_t pid = fork();

	if (pid == 0) {
		sleep(1);
		_exit(is_thread ? tgkill(getppid(), getppid(), sig) : kill(getppid(), sig));
	}
	return pid;
}

bool row_siginfo(void)
{
	struct sigaction before, now_set, usual = { .sa_handler = SIG_DFL };
	struct sigaction bad = { .sa_sigaction = note, .sa_flags = SA_SIGINFO };
	int64_t from = now();
	pid_t pid;

	set_noting(SIGUSR1, &before);
	pid = signals_parent(SIGUSR1, false);
	if (pause() != -1 || times != 1 || !is_from(SI_USER, pid) || !reap(pid))
		return false;
	pid = signals_parent(SIGUSR1, true);
	if (pause() != -1 || times != 2 || !is_from(SI_TKILL, pid) || !reap(pid))
		return false;
	raise(SIGUSR1);
	if (times != 3 || !is_from(SI_TKILL, getpid()))
		return false;
	kill(getpid(), SIGUSR1);
	/* What it sees of its own handler is its own. */
	return times == 4 && is_from(SI_USER, getpid()) && passed(from, 2 * S) &&
	       sigaction(SIGKILL, &bad, NULL) == -1 && errno == EINVAL &&
	       sigaction(SIGUSR1, &usual, &now_set) == 0 && now_set.sa_sigaction == note &&
	       (now_set.sa_flags & SA_SIGINFO) && sigaction(SIGUSR1, NULL, &now_set) == 0 &&
	       now_set.sa_handler == SIG_DFL && sigaction(SIGUSR1, &before, NULL) == 0;
}

bool row_siginfo_child(void)
{
	struct sigaction before;
	int64_t from = now();
	pid_t pid;

	set_noting(SIGCHLD, &before);
	pid = ends_after(2, 7);
	if (pause() != -1 || times != 1 || !is_from(CLD_EXITED, pid) || had.si_status != 7 ||
	    !passed(from, 2 * S))
		return false;
	return waitpid(pid, NULL, 0) == pid && sigaction(SIGCHLD, &before, NULL) == 0;
}

static bool is_queued(int value)
{
	return is_from(SI_QUEUE, getpid()) && had.si_value.sival_int == value;
}

bool row_siginfo_queue(void)
{
	siginfo_t info = { .si_signo = SIGUSR1, .si_code = SI_QUEUE };
	struct sigaction before;
	bool ok;

	set_noting(SIGUSR1, &before);
	sigqueue(getpid(), SIGUSR1, (union sigval){ .sival_int = 5 });
	ok = times == 1 && is_queued(5);
	pthread_sigqueue(pthread_self(), SIGUSR1, (union sigval){ .sival_int = 6 });
	ok = ok && times == 2 && is_queued(6);
	info.si_pid = getpid();
	info.si_value.sival_int = 7;
	ok = ok && syscall(SYS_rt_sigqueueinfo, getpid(), SIGUSR1, &info) == 0 && times == 3 &&
	     is_queued(7);
	info.si_value.sival_int = 8;
	ok = ok && syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGUSR1, &info) == 0 &&
	     times == 4 && is_queued(8) &&
	     pthread_sigqueue(pthread_self(), 33, info.si_value) == EINVAL;
	return sigaction(SIGUSR1, &before, NULL) == 0 && ok;
}

bool row_siginfo_timers(void)
{
	const struct itimerspec soon = { { 0, 0 }, { 2, 0 } };
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM,
		.sigev_value.sival_ptr = &had,
	};
	struct sigaction before;
	int64_t from = now();
	timer_t timer;

	set_noting(SIGALRM, &before);
	alarm(1);
	if (pause() != -1 || times != 1 || !is_from(SI_KERNEL, 0) || !passed(from, S) ||
	    timer_create(CLOCK_MONOTONIC, &event, &timer) < 0)
		return false;
	timer_settime(timer, 0, &soon, NULL);
	return pause() == -1 && times == 2 && had.si_code == SI_TIMER &&
	       had.si_value.sival_ptr == &had && had.si_overrun == 0 && passed(from, 3 * S) &&
	       timer_delete(timer) == 0 && sigaction(SIGALRM, &before, NULL) == 0;
}

/* Records lie across the parts of a read. Linux before 6.10 takes whole records in a part alone. */
bool row_signalfd_readv(void)
{
	struct signalfd_siginfo infos[2];
	struct iovec parts[] = { { infos, 13 }, { (char *)infos + 13, sizeof(infos) - 13 } };
	struct iovec whole[] = { { infos, sizeof(*infos) }, { infos + 1, sizeof(*infos) } };
	sigset_t set;
	pid_t pid;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, 0);
	alarm(1);
	pid = signals_parent(SIGUSR1, false);
	sleep(2);
	if (readv(fd, parts, 2) != sizeof(infos) && readv(fd, whole, 2) != sizeof(infos))
		return false;
	return infos[0].ssi_signo == SIGUSR1 && infos[0].ssi_pid == (uint32_t)pid &&
	       infos[0].ssi_code == SI_USER && infos[1].ssi_signo == SIGALRM &&
	       infos[1].ssi_code == SI_KERNEL && infos[1].ssi_pid == 0 && reap(pid) &&
	       close(fd) == 0 && sigprocmask(SIG_UNBLOCK, &set, NULL) == 0;
}
