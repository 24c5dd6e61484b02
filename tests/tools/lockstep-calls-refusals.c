/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What would take a program out of the session's order, and what it gets instead. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

/* It would end the program at its next call. */
static struct sock_filter deadly = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
static struct sock_fprog program = { .len = 1, .filter = &deadly };

/*
 * As sshd(8) does it for those whom it does not know yet: nothing is written to any file, and its
 * first line of ours is to one.
 */
bool row_seccomp(void)
{
	const struct rlimit nothing = { 0, 0 };
	int64_t from = now();
	pid_t pid = fork();

	if (pid == 0) {
		setrlimit(RLIMIT_FSIZE, &nothing);
		if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != -1 || errno != EFAULT ||
		    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0 ||
		    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
			_exit(1);
		sleep(2);
		_exit(0);
	}
	return reap(pid) && passed(from, 2 * S);
}

bool row_ptrace(void)
{
	return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == -1 && errno == EPERM &&
	       ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == -1 && errno == EPERM &&
	       syscall(SYS_ptrace, PTRACE_ATTACH, getppid(), NULL, NULL) == -1 && errno == EPERM;
}

bool row_rings(void)
{
	static char params[256];
	unsigned long context = 0;

	return syscall(SYS_io_uring_setup, 8, params) == -1 && errno == ENOSYS &&
	       syscall(SYS_io_setup, 8, &context) == -1 && errno == ENOSYS;
}

/* fork(2) into namespaces of its own. Who may not make them is told so, and has no child. */
static bool forks(unsigned long flags)
{
	int64_t from = now();
	pid_t pid = (pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);

	if (pid == 0) {
		sleep(1);
		_exit(syscall(SYS_getpid) != getpid());
	}
	return (pid == -1 && errno == EPERM && wait(NULL) == -1) ||
	       (pid > 0 && reap(pid) && passed(from, S));
}

bool row_clone_namespaces(void)
{
	return forks(CLONE_NEWIPC) && forks(CLONE_NEWUTS | CLONE_NEWNS) &&
	       syscall(SYS_clone, CLONE_NEWPID | CLONE_NEWIPC | SIGCHLD, NULL, NULL, NULL,
		       NULL) == -1 && errno == EPERM;
}
