/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-priorities.h. */
#include <errno.h>
#include <sched.h>
#include <sys/resource.h>

#include "lib/stand-in/call-priorities.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-memory.h"

/* The kernel's answer is from 1 to 40. */
void call_priorities_getpriority(void)
{
	int ret;

	errno = 0;
	ret = getpriority((__priority_which_t)foreign_argument(0), (id_t)foreign_argument(1));
	foreign_call_answer(errno ? -errno : 20 - ret);
}

void call_priorities_setpriority(void)
{
	foreign_call_answer_of(setpriority((__priority_which_t)foreign_argument(0),
					   (id_t)foreign_argument(1), (int)foreign_argument(2)));
}

void call_priorities_getscheduler(void)
{
	foreign_call_answer_of(sched_getscheduler((pid_t)foreign_argument(0)));
}

/* False: the call has been answered. */
static bool get_parameter(unsigned int argument, struct sched_param *ret)
{
	if (foreign_argument(argument) &&
	    foreign_memory_get(foreign_argument(argument), ret, sizeof(*ret)) == 0)
		return true;
	foreign_call_answer(foreign_argument(argument) ? -EFAULT : -EINVAL);
	return false;
}

void call_priorities_setscheduler(void)
{
	struct sched_param parameter;

	if (get_parameter(2, &parameter))
		foreign_call_answer_of(sched_setscheduler((pid_t)foreign_argument(0),
							  (int)foreign_argument(1), &parameter));
}

void call_priorities_getparam(void)
{
	struct sched_param parameter = { .sched_priority = 0 };
	int ret;

	if (!foreign_argument(1)) {
		foreign_call_answer(-EINVAL);
		return;
	}
	ret = sched_getparam((pid_t)foreign_argument(0), &parameter);
	foreign_call_answer_with(ret, foreign_argument(1), &parameter, sizeof(parameter));
}

void call_priorities_setparam(void)
{
	struct sched_param parameter;

	if (get_parameter(1, &parameter))
		foreign_call_answer_of(sched_setparam((pid_t)foreign_argument(0), &parameter));
}
