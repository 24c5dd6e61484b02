/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-machine.h. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "lib/base/syslog-action.h"
#include "lib/stand-in/call-machine.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-memory.h"

enum { RANDOM_MAX = 256 };	/* getrandom(2): so much comes whole */

long call_machine_getrandom(void)
{
	uint8_t bytes[RANDOM_MAX];
	size_t size = (size_t)foreign_argument(1);
	size_t done = 0;
	ssize_t n = 0;

	while (done < size && n >= 0) {
		size_t part = size - done < sizeof(bytes) ? size - done : sizeof(bytes);

		n = getrandom(bytes, part, (unsigned int)foreign_argument(2));
		if (n > 0 && foreign_memory_put(foreign_argument(0) + done, bytes, (size_t)n) < 0)
			return -EFAULT;
		done += n > 0 ? (size_t)n : 0;
	}
	return foreign_call_result(n < 0 ? -1 : (long)done);
}

long call_machine_getcpu(void)
{
	unsigned int cpu = 0, node = 0;
	int ret = getcpu(&cpu, &node);

	if (foreign_argument(1))
		foreign_memory_put(foreign_argument(1), &node, sizeof(node));
	return foreign_call_with(ret, foreign_argument(0), &cpu, sizeof(cpu));
}

/*
 * Its text is no longer than that, whatever room there is. One action returns no length of a text.
 */
long call_machine_syslog(void)
{
	enum { TEXT_MAX = 1 << 16 };
	static __thread char bytes[TEXT_MAX];
	int size = (int)foreign_argument(2);
	int n = klogctl((int)foreign_argument(0), foreign_argument(1) ? bytes : NULL,
			size < TEXT_MAX ? size : TEXT_MAX);

	if (n > 0 && foreign_argument(1) && (int)foreign_argument(0) != SYSLOG_SIZE_BUFFER)
		return foreign_call_with(n, foreign_argument(1), bytes, (size_t)n);
	return foreign_call_result(n);
}

long call_machine_getrusage(void)
{
	struct rusage usage;
	int ret;

	memset(&usage, 0, sizeof(usage));
	ret = getrusage((__rusage_who_t)(int)foreign_argument(0), &usage);
	return foreign_call_with(ret, foreign_argument(1), &usage, sizeof(usage));
}

long call_machine_sysinfo(void)
{
	struct sysinfo info;
	int ret;

	memset(&info, 0, sizeof(info));
	ret = sysinfo(&info);
	return foreign_call_with(ret, foreign_argument(0), &info, sizeof(info));
}

/* Of the calling thread or another one of the session: they have the same. */
long call_machine_sched_getaffinity(void)
{
	cpu_set_t set;
	int ret;

	CPU_ZERO(&set);
	if (foreign_argument(1) < sizeof(uint64_t) || foreign_argument(1) % sizeof(uint64_t))
		return -EINVAL;
	ret = sched_getaffinity((pid_t)foreign_argument(0), sizeof(set), &set);
	return foreign_call_with(ret < 0 ? -1 : (long)sizeof(uint64_t), foreign_argument(2), &set,
				 sizeof(uint64_t));
}

/* As much of a set as one can have here: the kernel takes larger and smaller ones. */
long call_machine_sched_setaffinity(void)
{
	uint64_t size = foreign_argument(1) < sizeof(cpu_set_t) ? foreign_argument(1) :
								  sizeof(cpu_set_t);
	cpu_set_t set;

	CPU_ZERO(&set);
	if (foreign_memory_get(foreign_argument(2), &set, (size_t)size) < 0)
		return -EFAULT;
	return foreign_call_result(sched_setaffinity((pid_t)foreign_argument(0), (size_t)size,
						     &set));
}
