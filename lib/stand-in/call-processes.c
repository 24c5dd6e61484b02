/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-processes.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/stand-in/call-past.h"
#include "lib/stand-in/call-processes.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-children.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-trace.h"
#include "lib/stand-in/foreign-view.h"

/* ---- numbers ---- */

long call_processes_getpid(void)
{
	return getpid();
}

long call_processes_getppid(void)
{
	return getppid();
}

long call_processes_gettid(void)
{
	return gettid();
}

/* The kernel is to know the address, too, and would return its own number. */
long call_processes_set_tid_address(void)
{
	foreign_self->cleared_at = foreign_argument(0);
	return gettid();
}

long call_processes_getpgid(void)
{
	return foreign_call_result(getpgid((pid_t)foreign_argument(0)));
}

long call_processes_getpgrp(void)
{
	return foreign_call_result(getpgrp());
}

long call_processes_setpgid(void)
{
	return foreign_call_result(setpgid((pid_t)foreign_argument(0), (pid_t)foreign_argument(1)));
}

long call_processes_getsid(void)
{
	return foreign_call_result(getsid((pid_t)foreign_argument(0)));
}

/* The foreign process as well, for its terminal; it gets the session's number. */
long call_processes_setsid(void)
{
	pid_t session = setsid();

	return session < 0 ? foreign_call_result(session) : foreign_trace_make_call(session);
}

/* ---- capabilities ---- */

/* The number of the process that the header has; -1: its memory cannot be read. */
static int number_in_header(struct __user_cap_header_struct *ret)
{
	return foreign_memory_get(foreign_argument(0), ret, sizeof(*ret)) < 0 ? -1 : ret->pid;
}

/*
 * The kernel is to have it of the calling thread, whose number it does not know: 0 is that, too.
 * The program finds this in its header.
 */
static bool set_self(struct __user_cap_header_struct *header)
{
	header->pid = 0;
	return foreign_memory_put(foreign_argument(0), header, sizeof(*header)) == 0;
}

static bool is_self(int number)
{
	return number == gettid() || number == getpid();
}

long call_processes_capget(void)
{
	struct __user_cap_header_struct header;
	int number = number_in_header(&header);

	if (number > 0 && !(is_self(number) && set_self(&header)))
		return call_past_go_on();
	return CALL_GOES_ON;
}

long call_processes_capset(void)
{
	struct __user_cap_header_struct header;
	int number = number_in_header(&header);

	if (number > 0 && !(is_self(number) && set_self(&header)))
		return -EPERM;
	return foreign_view_changes();
}

/* ---- children ---- */

/* For the kernel the foreign process is a child of this one, too, and would be waited for. */
static bool has_children(void)
{
	return foreign_children_are_there() || !foreign.is_child;
}

/*
 * Of what stands for them all ended children tell their parent by SIGCHLD: those of clone(2) that
 * would not are waited for like others.
 */
static int wait_options(uint64_t argument)
{
	unsigned int options = (unsigned int)argument;

	return (int)(options & __WCLONE ? (options & ~__WCLONE) | __WALL : options);
}

long call_processes_wait4(void)
{
	struct rusage usage;
	int status = 0;
	pid_t ret;

	memset(&usage, 0, sizeof(usage));
	if (!has_children())
		return -ECHILD;
	ret = wait4((pid_t)foreign_argument(0), &status, wait_options(foreign_argument(2)),
		    &usage);
	if (ret > 0) {
		if (WIFEXITED(status) || WIFSIGNALED(status))
			foreign_children_ended(ret);
		if ((foreign_argument(1) &&
		     foreign_memory_put(foreign_argument(1), &status, sizeof(status)) < 0) ||
		    (foreign_argument(3) &&
		     foreign_memory_put(foreign_argument(3), &usage, sizeof(usage)) < 0))
			return -EFAULT;
	}
	return foreign_call_restarting(ret);
}

/* waitid(2) of a process by a descriptor of the foreign program's. */
static int wait_by_descriptor(int number, siginfo_t *info, int options)
{
	struct foreign_descriptor descriptor;
	int child, ret = -1;

	foreign_descriptor_get(number, &descriptor);
	if (descriptor.fd < 0) {
		errno = number < 0 ? EINVAL : EBADF;
		return -1;
	}
	child = foreign_children_of_pidfd(descriptor.fd);
	errno = ECHILD;
	if (child)
		ret = waitid(P_PID, (id_t)child, info, options);
	else if (has_children())
		ret = waitid(P_PIDFD, (id_t)descriptor.fd, info, options);
	foreign_descriptor_put(&descriptor);
	return ret;
}

static bool has_ended(const siginfo_t *info)
{
	return info->si_code == CLD_EXITED || info->si_code == CLD_KILLED ||
	       info->si_code == CLD_DUMPED;
}

long call_processes_waitid(void)
{
	struct rusage usage;
	siginfo_t info;
	int ret, options = wait_options(foreign_argument(3));

	memset(&info, 0, sizeof(info));
	memset(&usage, 0, sizeof(usage));
	if (foreign_argument(0) != P_PIDFD && !has_children())
		return -ECHILD;
	if (foreign_argument(0) == P_PIDFD)
		ret = wait_by_descriptor((int)foreign_argument(1), &info, options);
	else
		ret = waitid((idtype_t)foreign_argument(0), (id_t)foreign_argument(1), &info,
			     options);
	if (ret == 0) {
		if (info.si_pid != 0 && has_ended(&info) && !(options & WNOWAIT))
			foreign_children_ended(info.si_pid);
		if ((foreign_argument(2) &&
		     foreign_memory_put(foreign_argument(2), &info, sizeof(info)) < 0) ||
		    (foreign_argument(4) &&
		     foreign_memory_put(foreign_argument(4), &usage, sizeof(usage)) < 0))
			return -EFAULT;
	}
	return foreign_call_restarting(ret);
}

long call_processes_pidfd_open(void)
{
	int fd = (int)syscall(SYS_pidfd_open, foreign_argument(0), foreign_argument(1));

	return foreign_call_descriptor(fd, true);
}
