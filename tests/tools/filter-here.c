/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * filter-here: can the system calls of a program be stopped and answered on this machine? Exits
 * with 0 if they can, with 1 if they cannot (and writes which step is denied), with 2 if that
 * cannot be found out. Nothing in here is umadrig's: tests are skipped by what it says, and must
 * not be where it is umadrig that fails.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CAN, CANNOT, UNKNOWN };
enum { PATIENCE_MS = 20000 };

#ifndef SECCOMP_ADDFD_FLAG_SEND		/* Linux 5.14 */
#define SECCOMP_ADDFD_FLAG_SEND (1UL << 1)
#endif

/* What a step returned: 'ret' below 0 is errno. */
static int lacks(const char *step, long ret)
{
	if (ret >= 0)
		return CAN;
	printf("%s: %s\n", step, strerror(errno));
	return CANNOT;
}

/* No end of file tells of the program's end: it has the same descriptors. */
static int is_readable(int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };

	return poll(&wait, 1, PATIENCE_MS) == 1;
}

/* Stops getpriority(2), with a letter for argument; the listener, or -errno, goes out. */
static void be_program(int out)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpriority, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { sizeof(code) / sizeof(*code), code };
	volatile char letter = 'u';
	int listener;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
				SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
	if (listener < 0)
		listener = -errno;
	if (write(out, &listener, sizeof(listener)) == sizeof(listener) && listener >= 0)
		syscall(SYS_getpriority, &letter);
	_exit(0);
}

/* The letter is read and written, and standard error given in answer to the call. */
static int answer(int listener)
{
	struct seccomp_notif call;
	struct seccomp_notif_addfd gift;
	struct iovec here, there;
	char letter = 0;
	int ret;

	if (!is_readable(listener))
		return UNKNOWN;
	memset(&call, 0, sizeof(call));
	ret = lacks("the call is not received", ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call));
	if (ret != CAN)
		return ret;
	here = (struct iovec){ &letter, 1 };
	there = (struct iovec){ (void *)(uintptr_t)call.data.args[0], 1 };
	ret = lacks("process_vm_readv(2)",
		    process_vm_readv((pid_t)call.pid, &here, 1, &there, 1, 0));
	if (ret == CAN)
		ret = lacks("process_vm_writev(2)",
			    process_vm_writev((pid_t)call.pid, &here, 1, &there, 1, 0));
	if (ret != CAN)
		return ret;
	gift = (struct seccomp_notif_addfd){
		.id = call.id, .flags = SECCOMP_ADDFD_FLAG_SEND, .srcfd = STDERR_FILENO,
	};
	ret = lacks("a descriptor in answer to a call",
		    ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &gift));
	return ret == CAN && letter != 'u' ? UNKNOWN : ret;
}

int main(void)
{
	int ends[2], listener = 0, ret = UNKNOWN;
	pid_t pid;

	if (pipe(ends) < 0)
		return UNKNOWN;
	/* The listener is a descriptor of both; their memory is not. */
	pid = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		be_program(ends[1]);
	if (pid < 0)
		return UNKNOWN;
	if (is_readable(ends[0]) &&
	    read(ends[0], &listener, sizeof(listener)) == sizeof(listener)) {
		errno = listener < 0 ? -listener : 0;
		ret = lacks("seccomp(2) with a listener", listener);
		if (ret == CAN)
			ret = answer(listener);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return ret;
}
