/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The owner of a file: see lib/lockstep/file-owner.h. */
#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/lockstep/file-owner.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/processes.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tasks.h"
#include "lib/lockstep/turn.h"

static void translate(struct f_owner_ex *owner, int (*group)(int), int (*task)(int))
{
	if (owner->pid != 0)
		owner->pid = owner->type == F_OWNER_PGRP ? group(owner->pid) : task(owner->pid);
}

long file_owner_get_ex(int fd, struct f_owner_ex *ret)
{
	long r = CALL_3(SYS_fcntl, fd, F_GETOWN_EX, ret);

	if (r == 0 && session_is_on())
		translate(ret, processes_group_to_virtual, tasks_to_virtual);
	return r;
}

/* It gets SIGIO, or what F_SETSIG says, when the kernel finds that the file is ready. */
static void expect_signals(int type, int number)
{
	for (uint32_t i = 0; session_is_on() && number > 0 && i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (!lockstep_is_alive(slot) || slot->pid <= 0)
			continue;
		if (type == F_OWNER_PGRP ? slot->is_main &&
						   CALL_1(SYS_getpgid, slot->pid) == number :
		    slot->pid == number || slot->tid == number)
			turn_expect_signals(slot->pid);
	}
}

long file_owner_set_ex(int fd, const struct f_owner_ex *owner)
{
	struct f_owner_ex own = *owner;

	if (session_is_on())
		translate(&own, processes_group_to_kernel, tasks_to_kernel);
	expect_signals(own.type, own.pid);
	return CALL_3(SYS_fcntl, fd, F_SETOWN_EX, &own);
}

/* Of a process, or, if it is negative, of a group. */
long file_owner_set(int fd, int number)
{
	if (session_is_on())
		number = number < 0 ? -processes_group_to_kernel(-number) :
				      processes_to_kernel(number);
	expect_signals(number < 0 ? F_OWNER_PGRP : F_OWNER_PID, number < 0 ? -number : number);
	return CALL_3(SYS_fcntl, fd, F_SETOWN, number);
}

int file_owner_get(int fd)
{
	struct f_owner_ex owner = { .pid = 0 };
	long r = file_owner_get_ex(fd, &owner);

	if (r < 0)
		return (int)call_result(r);
	return owner.type == F_OWNER_PGRP ? -owner.pid : owner.pid;
}

/* ---- by ioctl(2) ---- */

/* There the kernel has owners of sockets alone, and judges the file before the number. */
static long set_by_ioctl(int fd, unsigned long request, const int *number)
{
	int before = 0;
	long r = CALL_3(SYS_ioctl, fd, FIOGETOWN, &before);

	return r < 0 || !number ? CALL_3(SYS_ioctl, fd, request, number) :
				  file_owner_set(fd, *number);
}

static long get_by_ioctl(int fd, unsigned long request, int *ret)
{
	long r = CALL_3(SYS_ioctl, fd, request, ret);

	if (r == 0 && *ret)
		*ret = *ret < 0 ? -processes_group_to_virtual(-*ret) : tasks_to_virtual(*ret);
	return r;
}

/* The foreground of a terminal, and its session. */
static long get_of_terminal(int fd, unsigned long request, int *ret)
{
	long r = CALL_3(SYS_ioctl, fd, request, ret);

	if (r == 0)
		*ret = processes_group_to_virtual(*ret);
	return r;
}

static long call(int fd, unsigned long request, void *argument)
{
	switch (request) {
	case FIOSETOWN:
	case SIOCSPGRP:
		return set_by_ioctl(fd, request, argument);
	case FIOGETOWN:
	case SIOCGPGRP:
		return get_by_ioctl(fd, request, argument);
	case TIOCGPGRP:
	case TIOCGSID:
		return get_of_terminal(fd, request, argument);
	case TIOCSPGRP:
		return argument ? tcsetpgrp(fd, *(const int *)argument) < 0 ? -errno : 0 :
				  CALL_3(SYS_ioctl, fd, request, argument);
	}
	return CALL_3(SYS_ioctl, fd, request, argument);
}

static int hooked_ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *argument;

	va_start(args, request);
	argument = va_arg(args, void *);
	va_end(args);
	return (int)call_result(session_is_on() ? call(fd, request, argument) :
						  CALL_3(SYS_ioctl, fd, request, argument));
}

const struct hook file_owner_hooks[] = {
	{ "ioctl", hooked_ioctl },
	{ NULL, NULL },
};
