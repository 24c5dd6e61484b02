/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-past.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/lockstep/stand-in-door.h"
#include "lib/stand-in/call-past.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-memory.h"

enum { NUMBERS = 1024 };

static void say_once(const char *what)
{
	static uint64_t said[NUMBERS / 64];
	unsigned int number = (unsigned int)foreign_self->call.data.nr % NUMBERS;

	if (said[number / 64] >> (number % 64) & 1)
		return;
	said[number / 64] |= UINT64_C(1) << (number % 64);
	dprintf(2, "umadrig: process %d makes the system call %u past libc, which virtual time "
		"does not know: %s\n", getpid(), number, what);
}

long call_past_go_on(void)
{
	say_once("it is made in real time");
	return CALL_GOES_ON;
}

long call_past_refuse(void)
{
	say_once("it fails with ENOSYS");
	return -ENOSYS;
}

long call_past_of_process(void)
{
	if (foreign_argument(0) == 0)
		return CALL_GOES_ON;
	return call_past_go_on();
}

long call_past_prlimit(void)
{
	struct rlimit new_limit, old;
	uint64_t new_at = foreign_argument(2);
	int pid = umadrig_session_process((int)foreign_argument(0));
	long ret;

	if (foreign_argument(0) == 0 || pid == 0)
		return CALL_GOES_ON;
	if (new_at && foreign_memory_get(new_at, &new_limit, sizeof(new_limit)) < 0)
		return -EFAULT;
	ret = CALL_4(SYS_prlimit64, pid, foreign_argument(1), new_at ? &new_limit : NULL, &old);
	if (ret == 0 && foreign_argument(3) &&
	    foreign_memory_put(foreign_argument(3), &old, sizeof(old)) < 0)
		ret = -EFAULT;
	return ret;
}
