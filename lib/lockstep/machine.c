/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/lockstep/machine.h. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/machine.h"
#include "lib/lockstep/system-call.h"

#define GIB (UINT64_C(1) << 30)

uint32_t machine_processes(void)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		n += slot->is_main && lockstep_is_alive(slot);
	}
	return n;
}

void machine_no_usage(struct rusage *usage)
{
	if (usage)
		memset(usage, 0, sizeof(*usage));
}

/* A program has had its processor all the time, as clock(3) has it. */
static int hooked_getrusage(int who, struct rusage *usage)
{
	struct timespec ts;

	if (!session_is_on() || !usage)
		return (int)call_result(CALL_2(SYS_getrusage, who, usage));
	if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN && who != RUSAGE_THREAD)
		return (int)call_result(-EINVAL);
	machine_no_usage(usage);
	ts = clocks_timespec(lockstep->now);
	if (who != RUSAGE_CHILDREN)
		usage->ru_utime = (struct timeval){ ts.tv_sec, ts.tv_nsec / 1000 };
	return 0;
}

/* One of 16 GiB, of which 8 are free. */
static int hooked_sysinfo(struct sysinfo *ret)
{
	if (!session_is_on())
		return (int)call_result(CALL_1(SYS_sysinfo, ret));
	*ret = (struct sysinfo){
		.uptime = (CLOCKS_MONOTONIC_NS + lockstep->now) / NS_PER_SECOND,
		.totalram = 16 * GIB, .freeram = 8 * GIB, .mem_unit = 1,
		.procs = (unsigned short)machine_processes(),
	};
	return 0;
}

static int hooked_getcpu(unsigned int *cpu, unsigned int *node)
{
	if (!lockstep)
		return (int)call_result(CALL_3(SYS_getcpu, cpu, node, NULL));
	if (cpu)
		*cpu = 0;
	if (node)
		*node = 0;
	return 0;
}

/*
 * What the machine's kernel says is none of the session's: as without CAP_SYSLOG. Programs that can
 * be told what their simulated one says come to lib/raw/kmsg-device.c instead.
 */
static int hooked_klogctl(int type, char *text, int size)
{
	if (!session_is_on())
		return (int)call_result(CALL_3(SYS_syslog, type, text, size));
	return (int)call_result(-EPERM);
}

const struct hook machine_hooks[] = {
	{ "getrusage", hooked_getrusage },
	{ "sysinfo", hooked_sysinfo },
	{ "getcpu", hooked_getcpu },
	{ "klogctl", hooked_klogctl },
	{ NULL, NULL },
};
