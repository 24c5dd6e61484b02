/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Real umad and issm devices out of sight, in a mount namespace of the program's own: what does not
 * come through our library (a raw open, a child that cleaned its environment) then finds none.
 *
 * Everything else in /dev/infiniband (uverbs, rdma_cm) stays: only MADs are simulated.
 */
#include "config.h"

#include "harness/exec/exec.h"

#define DEVICES "/dev/infiniband"

static gboolean is_hidden(const char *name)
{
	return g_str_has_prefix(name, "umad") || g_str_has_prefix(name, "issm");
}

static gboolean has_hidden(void)
{
	GDir *dir = g_dir_open(DEVICES, 0, NULL);
	gboolean found = FALSE;
	const char *name;

	while (dir && !found && (name = g_dir_read_name(dir)) != NULL)
		found = is_hidden(name);
	if (dir)
		g_dir_close(dir);
	return found;
}

char *exec_hide_devices(void)
{
	int ret;

	if (!has_hidden())
		return NULL;
	ret = exec_mount_enter();
	if (ret == 0)
		ret = exec_mount_cover(DEVICES, is_hidden);
	if (ret == 0)
		return NULL;
	return g_strdup_printf("the real devices in " DEVICES " cannot be hidden (%s): what opens them "
			       "without libibumad reaches the real fabric", g_strerror(-ret));
}
