/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where programs lie in memory: see sim/programs/program-addresses.h.
 */
#include "sim/programs/program-addresses.h"

#include <errno.h>
#include <sys/personality.h>

int program_addresses_fix(void)
{
	int now = personality(0xffffffff);

	if (now >= 0 && personality((unsigned long)now | ADDR_NO_RANDOMIZE) >= 0)
		return 0;
	return -errno;
}
