/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * udev's database of devices: see sim/server/sysfs-udev.h.
 *
 * A line of a file begins with what it is: S a link in /dev, I when udev has seen the device (in
 * microseconds), E a property, G a tag, Q one that it has now, V the format.
 */
#include "config.h"

#include "sim/server/sysfs-udev.h"

#include <stdio.h>

#include "kmod-stub/kmod.h"
#include "lib/base/umad-command.h"
#include "sim/fabric/node.h"
#include "sim/server/sysfs-card.h"
#include "sim/server/udev-message.h"

enum { VENDOR_MELLANOX_PCI = 0x15b3 };

void sysfs_udev_put_base(struct sysfs_tree *tree)
{
	sysfs_tree_put(tree, "udev", "control", "%s", "");
	sysfs_tree_directory(tree, UDEV_DATABASE);
}

static void device_name(const struct node *node, char *name, size_t size)
{
	g_snprintf(name, size, "+infiniband:%s", node->device_name);
}

/* The names that the hardware database has for numbers are left out: they change with it. */
void sysfs_udev_put_device(struct sysfs_tree *tree, const struct node *node, int64_t at_ns)
{
	char name[128];

	device_name(node, name, sizeof(name));
	sysfs_tree_put(tree, UDEV_DATABASE, name,
		       "I:%" G_GINT64_FORMAT "\n"
		       "E:ID_RDMA_INFINIBAND=1\nE:ID_RDMA_ROCE=1\n"
		       "E:ID_BUS=pci\nE:ID_VENDOR_ID=0x%04x\nE:ID_MODEL_ID=0x%04x\n"
		       "E:SYSTEMD_WANTS=rdma-ndd.service rdma-hw.target "
		       "rdma-load-modules@infiniband.service rdma-load-modules@roce.service\n"
		       "G:systemd\nQ:systemd\nV:1\n",
		       at_ns / NS_PER_US, VENDOR_MELLANOX_PCI, sysfs_card_device_id(node));
}

void sysfs_udev_take_away_device(struct sysfs_tree *tree, const struct node *node)
{
	g_autofree char *path = NULL;
	char name[128];

	device_name(node, name, sizeof(name));
	path = g_build_filename(UDEV_DATABASE, name, NULL);
	sysfs_tree_take_away(tree, path);
}

/* ---- character devices ---- */

static void minor_name(unsigned int minor, char *name, size_t size)
{
	g_snprintf(name, size, "c%u:%u", UMAD_MAJOR, minor);
}

void sysfs_udev_put_umad(struct sysfs_tree *tree, unsigned int minor, const struct node *node,
			 unsigned int num, int64_t at_ns)
{
	char name[32];

	minor_name(minor, name, sizeof(name));
	sysfs_tree_put(tree, UDEV_DATABASE, name,
		       "I:%" G_GINT64_FORMAT "\n"
		       "E:SYSTEMD_ALIAS=/sys/subsystem/rdma/devices/%s:%u/umad\n"
		       "G:systemd\nQ:systemd\nV:1\n",
		       at_ns / NS_PER_US, node->device_name, num);
}

/* No rule says anything of it. */
void sysfs_udev_put_issm(struct sysfs_tree *tree, unsigned int minor)
{
	char name[32];

	minor_name(minor, name, sizeof(name));
	sysfs_tree_put(tree, UDEV_DATABASE, name, "%s", "");
}

void sysfs_udev_put_uverbs(struct sysfs_tree *tree, unsigned int minor, const struct node *node,
			   const char *address, int64_t at_ns)
{
	g_autofree char *tag = g_strdup(address);
	char name[32];

	minor_name(minor, name, sizeof(name));
	g_strdelimit(tag, ":.", '_');
	sysfs_tree_put(tree, UDEV_DATABASE, name,
		       "S:infiniband/by-ibdev/uverbs-%s\nS:infiniband/by-path/pci-%s\n"
		       "I:%" G_GINT64_FORMAT "\n"
		       "E:ID_PATH=pci-%s\nE:ID_PATH_TAG=pci-%s\nV:1\n",
		       node->device_name, address, at_ns / NS_PER_US, address, tag);
}

void sysfs_udev_take_away(struct sysfs_tree *tree, unsigned int minor)
{
	g_autofree char *path = NULL;
	char name[32];

	minor_name(minor, name, sizeof(name));
	path = g_build_filename(UDEV_DATABASE, name, NULL);
	sysfs_tree_take_away(tree, path);
}
