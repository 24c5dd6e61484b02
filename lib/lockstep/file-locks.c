/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Locks on files: see lib/lockstep/file-locks.h.
 *
 * They are tried only; a thread that waits tries again before time moves. Processes that wait for
 * each other's are named when nothing can happen any more: the kernel does not see them wait, and
 * so does not fail with EDEADLK.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/file.h>

#include "lib/lockstep/descriptors.h"
#include "lib/lockstep/file-locks.h"
#include "lib/lockstep/looks.h"
#include "lib/lockstep/processes.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tasks.h"
#include "lib/lockstep/turn.h"

static int hooked_flock(int fd, int operation)
{
	long r;

	if (!session_is_on() || (operation & LOCK_NB)) {
		r = CALL_2(SYS_flock, fd, operation);
		if (r == 0 || r == -EWOULDBLOCK)
			looks_tried(r == 0);
		return (int)call_result(r);
	}
	descriptors_begin_tries();
	do
		r = CALL_2(SYS_flock, fd, operation | LOCK_NB);
	while (r == -EWOULDBLOCK && (r = descriptors_await_try(fd)) == 0);
	return (int)call_result(r);
}

/* 'command': the one that does not wait. */
static long lock_until_had(int fd, int command, void *lock)
{
	long r;

	descriptors_begin_tries();
	for (;;) {
		pthread_testcancel();
		r = CALL_3(SYS_fcntl, fd, command, lock);
		if (r != -EAGAIN && r != -EACCES)
			return r;
		r = descriptors_await_try(fd);
		if (r < 0)
			return r;
	}
}

/* ---- the owner, who gets SIGIO ---- */

static void translate(struct f_owner_ex *owner, int (*group)(int), int (*task)(int))
{
	if (owner->pid != 0)
		owner->pid = owner->type == F_OWNER_PGRP ? group(owner->pid) : task(owner->pid);
}

static long get_owner_ex(int fd, struct f_owner_ex *ret)
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

		if (slot->state == LOCKSTEP_FREE || slot->state == LOCKSTEP_DEAD || slot->pid <= 0)
			continue;
		if (type == F_OWNER_PGRP ? slot->is_main &&
						   CALL_1(SYS_getpgid, slot->pid) == number :
		    slot->pid == number || slot->tid == number)
			turn_expect_signals(slot->pid);
	}
}

static long set_owner_ex(int fd, const struct f_owner_ex *owner)
{
	struct f_owner_ex own = *owner;

	if (session_is_on())
		translate(&own, processes_group_to_kernel, tasks_to_kernel);
	expect_signals(own.type, own.pid);
	return CALL_3(SYS_fcntl, fd, F_SETOWN_EX, &own);
}

/* Of a process, or, if it is negative, of a group. */
static long set_owner(int fd, int number)
{
	if (session_is_on())
		number = number < 0 ? -processes_group_to_kernel(-number) :
				      processes_to_kernel(number);
	expect_signals(number < 0 ? F_OWNER_PGRP : F_OWNER_PID, number < 0 ? -number : number);
	return CALL_3(SYS_fcntl, fd, F_SETOWN, number);
}

/* As libc has it: the kernel's own F_GETOWN cannot tell a group from an error. */
static long get_owner(int fd)
{
	struct f_owner_ex owner = { .pid = 0 };
	long r = get_owner_ex(fd, &owner);

	if (r < 0)
		return call_result(r);
	return owner.type == F_OWNER_PGRP ? -owner.pid : owner.pid;
}

/* Who has the lock that is in the way; an open file description has no number. */
static long get_lock(int fd, int command, struct flock *lock)
{
	long r = CALL_3(SYS_fcntl, fd, command, lock);

	if (r == 0 && lock->l_type != F_UNLCK && lock->l_pid > 0)
		lock->l_pid = processes_to_virtual(lock->l_pid);
	return r;
}

/* In virtual time: what is not as the kernel has it. */
static long call(int fd, int command, void *argument)
{
	switch (command) {
	case F_SETLKW:
		return lock_until_had(fd, F_SETLK, argument);
	case F_OFD_SETLKW:
		return lock_until_had(fd, F_OFD_SETLK, argument);
	case F_GETLK:
	case F_OFD_GETLK:
		return get_lock(fd, command, argument);
	case F_NOTIFY:
	case F_SETLEASE:
		expect_signals(F_OWNER_PID, session_pid());
		break;
	case F_SETOWN:
		return set_owner(fd, (int)(intptr_t)argument);
	case F_SETOWN_EX:
		return set_owner_ex(fd, argument);
	case F_GETOWN_EX:
		return get_owner_ex(fd, argument);
	}
	return CALL_3(SYS_fcntl, fd, command, argument);
}

static int hooked_fcntl(int fd, int command, ...)
{
	va_list args;
	void *argument;

	va_start(args, command);
	argument = va_arg(args, void *);
	va_end(args);
	if (command == F_GETOWN)
		return (int)get_owner(fd);
	return (int)call_result(session_is_on() ? call(fd, command, argument) :
						  CALL_3(SYS_fcntl, fd, command, argument));
}

/* On 64-bit machines the last two are one function. */
const struct hook file_locks_hooks[] = {
	{ "flock", hooked_flock },
	{ "fcntl", hooked_fcntl },
	{ "fcntl64", hooked_fcntl },
	{ NULL, NULL },
};
