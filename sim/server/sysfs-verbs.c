/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Verbs devices as files: see sim/server/sysfs-verbs.h.
 */
#include "config.h"

#include "sim/server/sysfs-verbs.h"

#include <stdio.h>

#include "lib/base/umad-command.h"
#include "lib/words/number.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/host/device.h"
#include "sim/server/sysfs-card.h"

/* Linux: the versions of the interface, and of mlx5's part of it. */
#define ABI_VERSION "6\n"
#define DRIVER_ABI_VERSION "1\n"

bool sysfs_verbs_has(const struct node *node)
{
	return !node->sw && (!node->planes || node_is_gsi(node));
}

void sysfs_verbs_put_base(struct sysfs_tree *tree)
{
	sysfs_tree_put(tree, VERBS_CLASS, "abi_version", ABI_VERSION);
}

/* ---- values ---- */

/* "1.2.3", of which each part may be missing. */
static uint64_t version_number(const char *text)
{
	enum { PARTS = 3, PART_BITS = 16 };
	uint64_t version = 0;

	for (int i = 0; i < PARTS; i++) {
		uint64_t part = 0;

		if (number_take(&text, 10, UINT16_MAX, &part) == 0 && *text == '.')
			text++;
		version = version << PART_BITS | part;
	}
	return version;
}

static unsigned int count_ports(const struct node *node)
{
	unsigned int count = 0;

	for (unsigned int num = 1; num <= node->port_count; num++)
		count += node->ports[num].end != NULL;
	return count;
}

/* Linux numbers those that follow otherwise; no host has so many. */
static bool is_shown(const struct sysfs_verbs *verbs, const struct node *node)
{
	return sysfs_verbs_has(node) && verbs->uverbs < UVERBS_MAX;
}

static void put_device(struct sysfs_tree *tree, const struct sysfs_verbs *verbs,
		       const struct node *node)
{
	const struct node *hca = node->planes ? node->planes->hca : node;
	const struct verbs_device now = {
		.index = verbs->index,
		.node_type = (uint64_t)node->kind,
		.uverbs = is_shown(verbs, node) ? verbs->uverbs + 1 : 0,
		.node_guid = hca->node_guid,
		.sys_image_guid = hca->sys_image_guid,
		.fw_ver = version_number(PACKAGE_VERSION),
		.vendor_id = node->vendor_id,
		.vendor_part_id = sysfs_card_device_id(node),
		.hw_ver = node->revision,
		.port_count = count_ports(node),
	};
	const struct verbs_device *values = &now;
	g_autofree char *path = g_build_filename(VERBS_VALUES, node->device_name, NULL);
	g_autoptr(GString) text = g_string_new(NULL);

#define PRINT(name) \
	g_string_append_printf(text, #name "=0x%" G_GINT64_MODIFIER "x\n", values->name);
	VERBS_DEVICE_VALUES(PRINT)
	sysfs_tree_put_bytes(tree, path, VERBS_VALUES_DEVICE, text->str, text->len);
}

void sysfs_verbs_read_port(struct end_port *end, struct verbs_port *values)
{
	struct port *port = end->port;
	const struct end_port *vport = port_speaker(port);
	const struct port *link = port->node->planes ? planes_first_up(port->node->planes) : port;
	struct device_rate rate = device_port_rate(port);
	struct port_attr attr;

	device_port_attr(end, &attr);
	*values = (struct verbs_port){
		.state = attr.state, .phys_state = attr.phys_state,
		.cap_mask = attr.cap_mask, .cap_mask2 = vport->cap_mask2,
		.is_ethernet = end->attr.link_is_ethernet,
		.lid = attr.lid, .lmc = attr.lmc, .sm_lid = attr.sm_lid, .sm_sl = attr.sm_sl,
		.subnet_timeout = vport->subnet_timeout,
		.mtu_max = link->mtu_cap, .mtu_active = link->neighbor_mtu,
		.vl_max = link->vl_cap,
		.width = rate.width, .speed = rate.speed,
		.gid_prefix = attr.gid_prefix,
		.gid_count = end->attr.gid_count, .pkey_count = end->attr.pkey_count,
		.pkey_violations = vport->p_key_violations,
		.qkey_violations = vport->q_key_violations,
		.gid_changes = values->gid_changes, .pkey_changes = values->pkey_changes,
		.reregistrations = vport->reregistrations,
	};
}

void sysfs_verbs_put_port(struct sysfs_tree *tree, const struct end_port *end,
			  const struct verbs_port *values)
{
	const struct port *port = end->port;
	g_autofree char *path = g_build_filename(VERBS_VALUES, port->node->device_name, NULL);
	g_autofree char *name = g_strdup_printf("%u", port->num);
	g_autoptr(GString) text = g_string_new(NULL);

	VERBS_PORT_VALUES(PRINT)
	sysfs_tree_put_bytes(tree, path, name, text->str, text->len);
#undef PRINT
}

/* ---- devices ---- */

void sysfs_verbs_put(struct sysfs_tree *tree, const struct sysfs_verbs *verbs, const char *card,
		     const struct node *node)
{
	g_autofree char *name = g_strdup_printf("uverbs%u", verbs->uverbs);
	g_autofree char *path = g_build_filename(card, "infiniband_verbs", name, NULL);
	const unsigned int minor = UVERBS_MINOR + verbs->uverbs;

	put_device(tree, verbs, node);
	if (!is_shown(verbs, node))
		return;
	sysfs_tree_put(tree, path, "ibdev", "%s\n", node->device_name);
	sysfs_tree_put(tree, path, "abi_version", DRIVER_ABI_VERSION);
	sysfs_tree_put(tree, path, "dev", "%u:%u\n", UMAD_MAJOR, minor);
	sysfs_tree_put(tree, path, "uevent", "MAJOR=%u\nMINOR=%u\nDEVNAME=infiniband/%s\n"
		       "DEVMODE=0666\n", UMAD_MAJOR, minor, name);
	sysfs_tree_link(tree, path, "device", card);
	sysfs_tree_link(tree, path, "subsystem", VERBS_CLASS);
	sysfs_tree_link(tree, VERBS_CLASS, name, path);
}

void sysfs_verbs_take_away(struct sysfs_tree *tree, const struct sysfs_verbs *verbs,
			   const char *card, const struct node *node)
{
	g_autofree char *name = g_strdup_printf("uverbs%u", verbs->uverbs);
	g_autofree char *link = g_build_filename(VERBS_CLASS, name, NULL);
	g_autofree char *path = g_build_filename(card, "infiniband_verbs", name, NULL);
	g_autofree char *values = g_build_filename(VERBS_VALUES, node->device_name, NULL);

	if (is_shown(verbs, node)) {
		sysfs_tree_take_away(tree, link);
		sysfs_tree_take_away(tree, path);
	}
	sysfs_tree_take_away(tree, values);
}
