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
#include <sys/file.h>

#include "lib/lockstep/descriptors.h"
#include "lib/lockstep/file-locks.h"
#include "lib/lockstep/system-call.h"

static int hooked_flock(int fd, int operation)
{
	long r;

	if (!session_is_on() || (operation & LOCK_NB))
		return (int)call_result(CALL_2(SYS_flock, fd, operation));
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

/* As libc has it: the kernel's own F_GETOWN cannot tell a group from an error. */
static long get_owner(int fd)
{
	struct f_owner_ex owner = { .pid = 0 };
	long r = CALL_3(SYS_fcntl, fd, F_GETOWN_EX, &owner);

	if (r < 0)
		return call_result(r);
	return owner.type == F_OWNER_PGRP ? -owner.pid : owner.pid;
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
	if (session_is_on() && command == F_SETLKW)
		return (int)call_result(lock_until_had(fd, F_SETLK, argument));
	if (session_is_on() && command == F_OFD_SETLKW)
		return (int)call_result(lock_until_had(fd, F_OFD_SETLK, argument));
	return (int)call_result(CALL_3(SYS_fcntl, fd, command, argument));
}

/* On 64-bit machines the last two are one function. */
const struct hook file_locks_hooks[] = {
	{ "flock", hooked_flock },
	{ "fcntl", hooked_fcntl },
	{ "fcntl64", hooked_fcntl },
	{ NULL, NULL },
};
