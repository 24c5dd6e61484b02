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

#include <errno.h>

#include "harness/exec/exec.h"

#define CLASSES "/sys/class"

static bool is_hidden(const char *name)
{
	return g_str_has_prefix(name, "infiniband");
}

char *exec_show_sysfs(const char *view)
{
	static const char *const shown[] = { "infiniband", "infiniband_mad" };
	const char *what = "cannot make a mount namespace";
	int ret = exec_mount_enter();

	if (ret == 0) {
		what = "cannot mount anything over " CLASSES;
		ret = exec_mount_cover(CLASSES, is_hidden);
	}
	for (guint i = 0; ret == 0 && i < G_N_ELEMENTS(shown); i++) {
		g_autofree char *from = g_build_filename(view, shown[i], NULL);

		ret = exec_mount_bind(from, CLASSES, shown[i]);
	}
	if (ret == 0)
		return NULL;
	return g_strdup_printf("--sysfs: %s: %s.\n"
			       "It needs root, or the right to make user namespaces: sysctl "
			       "kernel.unprivileged_userns_clone=1, user.max_user_namespaces "
			       "above 0; in a container --cap-add SYS_ADMIN and no seccomp or "
			       "AppArmor profile that denies mount. Without --sysfs, only programs "
			       "that read /sys themselves do not work.",
			       what, g_strerror(-ret));
}
