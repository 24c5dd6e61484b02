/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Processors: programs in virtual time are on a machine that has one, whatever this one has. How
 * many threads they start, and how many arenas malloc makes, depends on it.
 *
 * What the session runs on is the server's choice: one thread runs at a time, and a turn that goes
 * to another processor costs twice as much as one that stays.
 */
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/processors.h"
#include "lib/lockstep/system-call.h"

NEXT_DECLARE(pthread_getaffinity_np);
NEXT_DECLARE(pthread_setaffinity_np);
NEXT_DECLARE(sched_getaffinity);
NEXT_DECLARE(sched_getcpu);
NEXT_DECLARE(sched_setaffinity);
NEXT_DECLARE(sysconf);

void processors_begin(void)
{
	cpu_set_t set;

	if (lockstep->processor < 0 || lockstep->processor >= CPU_SETSIZE)
		return;
	CPU_ZERO(&set);
	CPU_SET((unsigned int)lockstep->processor, &set);
	/* Where that is not allowed (any more) the kernel's choice is good enough. */
	CALL_3(SYS_sched_setaffinity, 0, sizeof(set), &set);
}

static int hooked_get_nprocs(void)
{
	return 1;
}

/* An errno. As the kernel does it, a set is made of whole longs. */
static int get_affinity(size_t size, cpu_set_t *set)
{
	if (size < sizeof(long) || size % sizeof(long) != 0)
		return EINVAL;
	memset(set, 0, size);
	CPU_SET_S(0, size, set);
	return 0;
}

/* An errno. There must be a processor in it. */
static int set_affinity(size_t size, const cpu_set_t *set)
{
	return size > 0 && CPU_ISSET_S(0, size, set) ? 0 : EINVAL;
}

/* libc has these in two versions each, of which a hook would find any. */
PUBLIC int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	return lockstep ? (int)call_result(pid < 0 ? -ESRCH : -get_affinity(size, set)) :
	       NEXT(sched_getaffinity)(pid, size, set);
}

PUBLIC int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	return lockstep ? (int)call_result(pid < 0 ? -ESRCH : -set_affinity(size, set)) :
	       NEXT(sched_setaffinity)(pid, size, set);
}

PUBLIC int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set)
{
	return lockstep ? get_affinity(size, set) :
	       NEXT(pthread_getaffinity_np)(thread, size, set);
}

PUBLIC int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
	return lockstep ? set_affinity(size, set) :
	       NEXT(pthread_setaffinity_np)(thread, size, set);
}

PUBLIC long sysconf(int name)
{
	if (lockstep && (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF))
		return 1;
	return NEXT(sysconf)(name);
}

PUBLIC int sched_getcpu(void)
{
	return lockstep ? 0 : NEXT(sched_getcpu)();
}

const struct hook processors_hooks[] = {
	{ "get_nprocs", hooked_get_nprocs },
	{ "get_nprocs_conf", hooked_get_nprocs },
	{ NULL, NULL },
};
