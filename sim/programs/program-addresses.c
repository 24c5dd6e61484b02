/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where programs lie in memory: see sim/programs/program-addresses.h.
 */
#include "sim/programs/program-addresses.h"

#include <errno.h>
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/personality.h>

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

int program_addresses_fix(void)
{
	int before;

	return fix(&before);
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
