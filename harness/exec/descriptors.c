/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The limit on this process's descriptors.
 */
#include "config.h"

#include <sys/resource.h>

#include "harness/base/command.h"
#include "harness/exec/exec.h"
#include "sim/server/account.h"

void exec_raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

bool exec_descriptors_suffice(GError **error)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_max >= SERVER_DESCRIPTORS_LEAST)
		return true;
	g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "a fabric server for programs needs %d "
		    "descriptors at least, and may have %lu (ulimit -n)",
		    SERVER_DESCRIPTORS_LEAST, (unsigned long)limit.rlim_max);
	return false;
}
