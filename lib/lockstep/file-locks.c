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
#include "lib/lockstep/file-owner.h"
#include "lib/lockstep/looks.h"
#include "lib/lockstep/processes.h"
#include "lib/lockstep/system-call.h"
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
		turn_expect_signals(session_pid());
		break;
	case F_SETOWN:
		return file_owner_set(fd, (int)(intptr_t)argument);
	case F_SETOWN_EX:
		return file_owner_set_ex(fd, argument);
	case F_GETOWN_EX:
		return file_owner_get_ex(fd, argument);
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
		return file_owner_get(fd);
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
