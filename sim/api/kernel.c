/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h's word about built kernels: see sim/kernels/built-kernel.h.
 */
#include <glib.h>
#include <string.h>

#include "sim/api/umadrig.h"
#include "sim/kernels/found-faults.h"

/* As malloc(3) has it: whoever frees it may know nothing of GLib. */
char *umadrig_kernel_faults(void)
{
	g_autofree char *faults = found_faults_take();

	return faults ? strdup(faults) : NULL;
}
