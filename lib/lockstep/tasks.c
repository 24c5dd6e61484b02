/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Numbers of processes and threads: see lib/lockstep/tasks.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <termios.h>
#include <unistd.h>

#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/proc-file.h"
#include "lib/lockstep/processes.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tasks.h"
#include "lib/words/number.h"

/* ---- between programs and the kernel ---- */

int tasks_to_kernel(int number)
{
	for (uint32_t i = 0; number >= LOCKSTEP_FIRST_TID && i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->virtual_tid == (uint32_t)number && lockstep_is_thread(slot))
			return slot->tid;
	}
	return processes_to_kernel(number);
}

int tasks_to_virtual(int number)
{
	for (uint32_t i = 0; number > 0 && i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->virtual_tid && (slot->tid == number || slot->stands_for == number) &&
		    lockstep_is_thread(slot))
			return (int)slot->virtual_tid;
	}
	return processes_to_virtual(number);
}

int tasks_of_pidfd(int fd)
{
	char path[64], text[1024];
	uint64_t pid;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	return proc_file_read(path, text, sizeof(text)) > 0 &&
	       number_after(text, "\nPid:", 10, &pid) == 0 ? (int)pid : 0;
}

bool tasks_is_first_argument(long call)
{
	switch (call) {
	case SYS_get_robust_list:
	case SYS_migrate_pages:
	case SYS_move_pages:
	case SYS_prlimit64:
	case SYS_sched_getattr:
	case SYS_sched_getparam:
	case SYS_sched_getscheduler:
	case SYS_sched_rr_get_interval:
	case SYS_sched_setattr:
	case SYS_sched_setparam:
	case SYS_sched_setscheduler:
		return true;
	}
	return false;
}

/* ---- process groups ---- */

PUBLIC pid_t getpgid(pid_t pid)
{
	long r;

	if (!session_is_on())
		return (pid_t)call_result(CALL_1(SYS_getpgid, pid));
	r = CALL_1(SYS_getpgid, processes_to_kernel(pid));
	return (pid_t)(r < 0 ? call_result(r) : processes_group_to_virtual((int)r));
}

PUBLIC pid_t getpgrp(void)
{
	return getpgid(0);
}

PUBLIC int setpgid(pid_t pid, pid_t group)
{
	if (session_is_on()) {
		pid = processes_to_kernel(pid);
		group = group == 0 ? 0 : processes_group_to_kernel(group);
	}
	return (int)call_result(CALL_2(SYS_setpgid, pid, group));
}

PUBLIC int setpgrp(void)
{
	return setpgid(0, 0);
}

PUBLIC pid_t getsid(pid_t pid)
{
	long r;

	if (!session_is_on())
		return (pid_t)call_result(CALL_1(SYS_getsid, pid));
	r = CALL_1(SYS_getsid, processes_to_kernel(pid));
	return (pid_t)(r < 0 ? call_result(r) : processes_group_to_virtual((int)r));
}

PUBLIC pid_t setsid(void)
{
	long r = CALL_0(SYS_setsid);

	return (pid_t)(r < 0 || !session_is_on() ? call_result(r) :
						   processes_group_to_virtual((int)r));
}

/* ---- of terminals ---- */

static pid_t ask_terminal(int fd, unsigned long what)
{
	int group = 0;
	long r = CALL_3(SYS_ioctl, fd, what, &group);

	if (r < 0)
		return (pid_t)call_result(r);
	return session_is_on() ? processes_group_to_virtual(group) : group;
}

PUBLIC pid_t tcgetpgrp(int fd)
{
	return ask_terminal(fd, TIOCGPGRP);
}

PUBLIC pid_t tcgetsid(int fd)
{
	return ask_terminal(fd, TIOCGSID);
}

PUBLIC int tcsetpgrp(int fd, pid_t group)
{
	int number = session_is_on() ? processes_group_to_kernel(group) : group;

	return (int)call_result(CALL_3(SYS_ioctl, fd, TIOCSPGRP, &number));
}

/* ---- limits ---- */

static int task(int number)
{
	return session_is_on() ? tasks_to_kernel(number) : number;
}

PUBLIC int prlimit(pid_t pid, enum __rlimit_resource what, const struct rlimit *limit,
		   struct rlimit *ret_before)
{
	return (int)call_result(CALL_4(SYS_prlimit64, task(pid), what, limit, ret_before));
}

PUBLIC int prlimit64(pid_t pid, enum __rlimit_resource what, const struct rlimit64 *limit,
		     struct rlimit64 *ret_before)
{
	return (int)call_result(CALL_4(SYS_prlimit64, task(pid), what, limit, ret_before));
}

/* ---- capabilities ---- */

/* The header that the kernel is to see; it may write its version into the program's. */
static long of_capabilities(long call, cap_user_header_t header, void *data)
{
	struct __user_cap_header_struct meant;
	long r;

	if (!header || !session_is_on())
		return CALL_2(call, header, data);
	meant = (struct __user_cap_header_struct){ header->version, task(header->pid) };
	r = CALL_2(call, &meant, data);
	header->version = meant.version;
	return r;
}

PUBLIC int capget(cap_user_header_t header, cap_user_data_t ret_data)
{
	return (int)call_result(of_capabilities(SYS_capget, header, ret_data));
}

PUBLIC int capset(cap_user_header_t header, const cap_user_data_t data)
{
	return (int)call_result(of_capabilities(SYS_capset, header, data));
}

/* ---- descriptors of processes ---- */

PUBLIC int pidfd_open(pid_t pid, unsigned int flags)
{
	return (int)call_result(CALL_2(SYS_pidfd_open, task(pid), flags));
}
