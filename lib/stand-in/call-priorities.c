/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-priorities.h. */
#include <errno.h>
#include <sched.h>
#include <sys/resource.h>

#include "lib/stand-in/call-priorities.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-memory.h"

/* The kernel's answer is from 1 to 40. */
long call_priorities_getpriority(void)
{
	int ret;

	errno = 0;
	ret = getpriority((__priority_which_t)foreign_argument(0), (id_t)foreign_argument(1));
	return errno ? -errno : 20 - ret;
}

long call_priorities_setpriority(void)
{
	return foreign_call_result(setpriority((__priority_which_t)foreign_argument(0),
					       (id_t)foreign_argument(1),
					       (int)foreign_argument(2)));
}

long call_priorities_getscheduler(void)
{
	return foreign_call_result(sched_getscheduler((pid_t)foreign_argument(0)));
}

static long get_parameter(unsigned int argument, struct sched_param *ret)
{
	return foreign_argument(argument) ?
	       foreign_memory_get(foreign_argument(argument), ret, sizeof(*ret)) : -EINVAL;
}

long call_priorities_setscheduler(void)
{
	struct sched_param parameter;
	long err = get_parameter(2, &parameter);

	if (err < 0)
		return err;
	return foreign_call_result(sched_setscheduler((pid_t)foreign_argument(0),
						      (int)foreign_argument(1), &parameter));
}

long call_priorities_getparam(void)
{
	struct sched_param parameter = { .sched_priority = 0 };
	int ret;

	if (!foreign_argument(1))
		return -EINVAL;
	ret = sched_getparam((pid_t)foreign_argument(0), &parameter);
	return foreign_call_with(ret, foreign_argument(1), &parameter, sizeof(parameter));
}

long call_priorities_setparam(void)
{
	struct sched_param parameter;
	long err = get_parameter(1, &parameter);

	if (err < 0)
		return err;
	return foreign_call_result(sched_setparam((pid_t)foreign_argument(0), &parameter));
}
