/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Places in /sys: see lib/base/sysfs-place.h.
 */
#include "lib/base/sysfs-place.h"

#include <stddef.h>
#include <string.h>

static const char *const shared[] = {
	"class", "devices", SYSFS_PCI_BUS, "module", "bus", "bus/pci", SYSFS_PCI_DEVICES,
	SYSFS_PCI_DRIVERS,
};

/* Each with all below it; one that ends in ':' begins names. */
static const char *const ours[] = {
	"class/infiniband", "class/infiniband_mad", "class/infiniband_verbs",
	SYSFS_PCI_BUS "/" SYSFS_ROOT_PORT, SYSFS_PCI_DEVICES "/" SYSFS_ROOT_PORT,
	SYSFS_PCI_DEVICES "/0000:1e:",
	SYSFS_PCI_DRIVERS "/" SYSFS_DRIVER, "module/ib_core", "module/ib_umad",
	"module/ib_uverbs", "module/mlx5_core", "module/mlx5_ib",
};

bool sysfs_place_is_shared(const char *path)
{
	for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++)
		if (strcmp(path, shared[i]) == 0)
			return true;
	return false;
}

bool sysfs_place_holds_ours(const char *path)
{
	size_t length = strlen(path);

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (strncmp(path, ours[i], length) == 0 && ours[i][length] == '/' &&
		    !strchr(ours[i] + length + 1, '/'))
			return true;
	return false;
}

bool sysfs_place_is_ours(const char *path)
{
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++) {
		size_t length = strlen(ours[i]);

		if (strncmp(path, ours[i], length) == 0 &&
		    (ours[i][length - 1] == ':' || path[length] == '\0' || path[length] == '/'))
			return true;
	}
	return false;
}
