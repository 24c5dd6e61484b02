/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/lockstep/priorities.h. */
#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/priorities.h"
#include "lib/lockstep/processes.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tasks.h"

enum { NICE_MIN = -20, NICE_MAX = 19 };

/* ---- whose ---- */

/* A thread, by the session's number of it or of its process; 0: the calling one. */
static bool is_called(const struct lockstep_slot *slot, int number)
{
	if (number == 0)
		return slot == lockstep_self;
	if (number >= LOCKSTEP_FIRST_TID)
		return slot->virtual_tid == (uint32_t)number;
	return slot->is_main && slot->virtual_pid == (uint32_t)number;
}

static bool is_meant(const struct lockstep_slot *slot, int which, int who)
{
	switch (which) {
	case PRIO_PROCESS:
		return is_called(slot, who);
	case PRIO_PGRP:
		return getpgid((pid_t)slot->virtual_pid) == (who ? who : getpgrp());
	}
	return who == 0 || who == (int)getuid();
}

/* NULL: it is none of the session, or there is no session. */
static struct lockstep_slot *slot_of(int number)
{
	for (uint32_t i = 0; session_is_on() && i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (lockstep_is_thread(slot) && is_called(slot, number))
			return slot;
	}
	return NULL;
}

/* ---- how nice ---- */

/* getpriority(2): the right, or the limit, to become less nice than now. */
static bool may_have(int nice)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = { { 0, 0, 0 } };
	struct rlimit limit = { 0, 0 };

	if (CALL_2(SYS_capget, &header, data) == 0 && data[0].effective >> CAP_SYS_NICE & 1)
		return true;
	return CALL_4(SYS_prlimit64, 0, RLIMIT_NICE, NULL, &limit) == 0 &&
	       (rlim_t)(20 - nice) <= limit.rlim_cur;
}

/* The kernel's is from 1 to 40, so that no priority is an error. */
static int ask_kernel(int which, int who)
{
	long r = CALL_2(SYS_getpriority, which, who);

	return (int)(r < 0 ? call_result(r) : 20 - r);
}

PUBLIC int getpriority(__priority_which_t which, id_t who)
{
	int least = NICE_MAX + 1;

	if (!session_is_on() || (int)which < PRIO_PROCESS || (int)which > PRIO_USER)
		return ask_kernel((int)which, (int)who);
	for (uint32_t i = 0; i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (lockstep_is_thread(slot) && slot->nice < least &&
		    is_meant(slot, (int)which, (int)who))
			least = slot->nice;
	}
	return least > NICE_MAX ? (int)call_result(-ESRCH) : least;
}

PUBLIC int setpriority(__priority_which_t which, id_t who, int priority)
{
	long r = -ESRCH;

	if (!session_is_on() || (int)which < PRIO_PROCESS || (int)which > PRIO_USER)
		return (int)call_result(CALL_3(SYS_setpriority, which, who, priority));
	priority = priority < NICE_MIN ? NICE_MIN : priority > NICE_MAX ? NICE_MAX : priority;
	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (!lockstep_is_thread(slot) || !is_meant(slot, (int)which, (int)who))
			continue;
		if (priority < slot->nice && !may_have(priority)) {
			r = -EACCES;
			continue;
		}
		slot->nice = priority;
		r = r == -ESRCH ? 0 : r;
	}
	return (int)call_result(r);
}

PUBLIC int nice(int increment)
{
	int now = getpriority(PRIO_PROCESS, 0);

	increment = increment < -40 ? -40 : increment > 40 ? 40 : increment;
	if (setpriority(PRIO_PROCESS, 0, now + increment) < 0)
		return (int)call_result(errno == EACCES ? -EPERM : -errno);
	return getpriority(PRIO_PROCESS, 0);
}

/* ---- policies ---- */

static bool has_no_priority(int policy)
{
	return policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE;
}

static int in_kernel(int number)
{
	return session_is_on() ? tasks_to_kernel(number) : number;
}

/* NULL: the kernel is to be asked. */
static struct lockstep_slot *slot_without_priority(int number)
{
	struct lockstep_slot *slot = slot_of(number);

	return slot && slot->policy != PRIORITIES_ARE_THE_KERNELS ? slot : NULL;
}

PUBLIC int sched_getscheduler(pid_t pid)
{
	const struct lockstep_slot *slot = slot_without_priority(pid);

	return slot ? slot->policy : (int)call_result(CALL_1(SYS_sched_getscheduler,
							     in_kernel(pid)));
}

PUBLIC int sched_setscheduler(pid_t pid, int policy, const struct sched_param *parameter)
{
	const struct sched_param none = { .sched_priority = 0 };
	struct lockstep_slot *slot = slot_of(pid);
	long r = 0;

	if (!slot || !has_no_priority(policy)) {
		r = CALL_3(SYS_sched_setscheduler, in_kernel(pid), policy, parameter);
		if (slot && r == 0)
			slot->policy = PRIORITIES_ARE_THE_KERNELS;
		return (int)call_result(r);
	}
	if (!parameter || parameter->sched_priority != 0)
		return (int)call_result(-EINVAL);
	if (slot->policy == PRIORITIES_ARE_THE_KERNELS)
		r = CALL_3(SYS_sched_setscheduler, in_kernel(pid), SCHED_OTHER, &none);
	else if (slot->policy == SCHED_IDLE && !may_have(slot->nice))
		r = -EPERM;
	if (r == 0)
		slot->policy = policy;
	return (int)call_result(r);
}

PUBLIC int sched_getparam(pid_t pid, struct sched_param *parameter)
{
	if (!parameter || !slot_without_priority(pid))
		return (int)call_result(CALL_2(SYS_sched_getparam, in_kernel(pid), parameter));
	parameter->sched_priority = 0;
	return 0;
}

PUBLIC int sched_setparam(pid_t pid, const struct sched_param *parameter)
{
	if (!parameter || !slot_without_priority(pid))
		return (int)call_result(CALL_2(SYS_sched_setparam, in_kernel(pid), parameter));
	return (int)call_result(parameter->sched_priority == 0 ? 0 : -EINVAL);
}

PUBLIC int sched_rr_get_interval(pid_t pid, struct timespec *ret)
{
	return (int)call_result(CALL_2(SYS_sched_rr_get_interval, in_kernel(pid), ret));
}
