/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * exec --sysfs: shows the simulated devices in /sys/class/infiniband and infiniband_mad, in a mount
 * namespace of the program's own, for programs that read these without libibumad.
 *
 * Nothing can be created in sysfs, so /sys/class is covered and its other classes are bound back.
 * Links in those lead upwards and on into /sys/devices, as before. Other InfiniBand classes (verbs,
 * cm, srp) would list devices that are no longer there, and are left out.
 */
#include "config.h"

#include "harness/exec/exec.h"

#define CLASSES "/sys/class"

static bool is_hidden(const char *name)
{
	return g_str_has_prefix(name, "infiniband");
}

struct exec_mounts *exec_shown_sysfs(const char *view)
{
	static const char *const shown[] = { "infiniband", "infiniband_mad" };
	struct exec_mounts *mounts = exec_mounts_new();

	exec_mounts_cover(mounts, CLASSES, is_hidden);
	for (size_t i = 0; i < G_N_ELEMENTS(shown); i++) {
		g_autofree char *from = g_build_filename(view, shown[i], NULL);
		g_autofree char *path = g_build_filename(CLASSES, shown[i], NULL);

		exec_mounts_add(mounts, from, path);
	}
	return mounts;
}
