/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Faults of a kernel: see harness/kernel/kernel-faults.h.
 */
#include "config.h"

#include "harness/kernel/kernel-faults.h"

#include <glib.h>
#include <string.h>

#include "harness/base/command.h"
#include "sim/kernels/built-kernel.h"
#include "sim/kernels/found-faults.h"

void kernel_faults_begin(void)
{
	built_kernel_set_crash_status(COMMAND_KERNEL_FAULT);
}

int kernel_faults_status(const char *name, int status)
{
	g_autofree char *faults = found_faults_take();

	if (!faults)
		return status;
	return command_error(name, COMMAND_KERNEL_FAULT, "the kernel has a fault: %.*s",
			     (int)strcspn(faults, "\n"), faults);
}
