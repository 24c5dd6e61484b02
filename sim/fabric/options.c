/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The options of a fabric: see sim/fabric/options.h.
 */
#include "sim/fabric/options.h"

#include <glib.h>

void options_clear(struct umadrig_options *options)
{
	g_clear_pointer(&options->switches, g_free);
	g_clear_pointer(&options->device, g_free);
	g_clear_pointer(&options->host, g_free);
	g_clear_pointer(&options->capture, g_free);
	g_clear_pointer(&options->report, g_free);
	g_clear_pointer(&options->faults, g_strfreev);
	g_clear_pointer(&options->loads, g_strfreev);
	g_clear_pointer(&options->quirks, g_strfreev);
	g_clear_pointer(&options->vfs, g_strfreev);
	g_clear_pointer(&options->kernels, g_strfreev);
	g_clear_pointer(&options->guest_directory, g_free);
}
