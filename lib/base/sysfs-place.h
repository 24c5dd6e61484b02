/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where simulated devices are in /sys: the fabric server writes a tree that begins there
 * (sim/server/sysfs-view.h), --sysfs mounts it, and the filter's supervisor shows it.
 *
 * All paths here are relative to /sys.
 */
#ifndef UMADRIG_LIB_BASE_SYSFS_PLACE_H
#define UMADRIG_LIB_BASE_SYSFS_PLACE_H

#include <stdbool.h>

/*
 * The root port that all adapters of a host are behind. Real machines have devices on the same bus
 * (pci0000:00), but hardly one of this number; it would be hidden.
 */
#define SYSFS_PCI_BUS "devices/pci0000:00"
#define SYSFS_ROOT_PORT "0000:00:1e.7"
/* The bus behind it. */
#define SYSFS_CARDS_BUS 0x1e

#define SYSFS_PCI_DEVICES "bus/pci/devices"
#define SYSFS_PCI_DRIVERS "bus/pci/drivers"
#define SYSFS_DRIVER "mlx5_core"

/* Is it a directory in which ours stand beside what the machine has? */
bool sysfs_place_is_shared(const char *path);

/* One with something of ours directly in it, which the machine's therefore lacks? */
bool sysfs_place_holds_ours(const char *path);

/* Is it ours, whether it exists or not: the machine's own is never shown in its place? */
bool sysfs_place_is_ours(const char *path);

#endif
