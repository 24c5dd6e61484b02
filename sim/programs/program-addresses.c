/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where programs lie in memory: see sim/programs/program-addresses.h.
 */
#include "sim/programs/program-addresses.h"

#include <errno.h>
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "lib/base/mapping-base.h"
#include "sim/process/kernel-mapped.h"

/* What is in force already need not be allowed. '*ret_before': what was in force. */
static int fix(int *ret_before)
{
	*ret_before = personality(0xffffffff);
	if (*ret_before >= 0 && (*ret_before & ADDR_NO_RANDOMIZE))
		return 0;
	if (*ret_before >= 0 && personality((unsigned long)*ret_before | ADDR_NO_RANDOMIZE) >= 0)
		return 0;
	return -errno;
}

/*
 * By the size of the stack the kernel chooses where mappings begin, and libc how much of them the
 * stack of a thread is. A hard limit that is lower stays.
 */
static void fix_stack(void)
{
	struct rlimit limit;
	struct stat st;

	if (getrlimit(RLIMIT_STACK, &limit) < 0)
		return;
	limit.rlim_cur = MIN(limit.rlim_max, (rlim_t)MAPPING_BASE_STACK);
	if (mapping_base_applies(limit.rlim_cur, limit.rlim_max))
		limit.rlim_cur = mapping_base_limit(
			stat(MAPPING_BASE_CACHE, &st) < 0 ? 0 : (uint64_t)st.st_size,
			kernel_mapped_size(), getauxval(AT_PAGESZ));
	setrlimit(RLIMIT_STACK, &limit);
}

int program_addresses_fix(void)
{
	int before, ret = fix(&before);

	fix_stack();
	/* setarch -L: mappings go upwards, as they did before Linux 2.6.8. */
	if (ret == 0 && before & ADDR_COMPAT_LAYOUT)
		personality(((unsigned long)before | ADDR_NO_RANDOMIZE) & ~ADDR_COMPAT_LAYOUT);
	return ret;
}

int program_addresses_check(void)
{
	int before, ret = fix(&before);

	if (ret == 0)
		personality((unsigned long)before);
	return ret;
}

void program_addresses_warn(const char *name)
{
	static bool is_said;
	int ret = program_addresses_check();

	if (ret < 0 && !__atomic_exchange_n(&is_said, true, __ATOMIC_RELAXED))
		fprintf(stderr, "%s: %s%s%s", name, PROGRAM_ADDRESSES_VARY(g_strerror(-ret)));
}
