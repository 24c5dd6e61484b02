/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Quirks of nodes. See sim/fabric/quirk.h. */
#include "sim/fabric/quirk.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "lib/words/node-place.h"
#include "sim/fabric/cable.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/quirk-name.h"
#include "sim/topology/nvlink.h"

enum {
	/* Of an hgx-b200. */
	BOARD_DEVICES_ROCE = 8,		/* with more, the last two are RoCE */
	ROCE_DEVICES = 2,
};

/* Where a quirk is to be set, and how often it was. */
struct quirk_set {
	struct umadrig_fabric *fabric;
	enum quirk_kind kind;
	const char *text;
	struct node *node;		/* NULL: all of the host */
	struct umadrig_host *host;	/* NULL, too: all nodes */
	unsigned int num;		/* 0: all ports */
	unsigned int count;
	char *reterr;
	size_t reterr_size;
};

static int fail(const struct quirk_set *set, const char *format, ...) G_GNUC_PRINTF(2, 3);

static int fail(const struct quirk_set *set, const char *format, ...)
{
	g_autofree char *why = NULL;
	va_list args;

	va_start(args, format);
	why = g_strdup_vprintf(format, args);
	va_end(args);
	g_snprintf(set->reterr, set->reterr_size, "quirk=%s: %s", set->text, why);
	return -EINVAL;
}

/* ---- ports ---- */

/* What leaves the port as an answer to an SMP meets a fault, by directed route and by LID. */
static int add_faults(const struct quirk_set *set, const struct port *port, const char *action)
{
	static const unsigned int classes[] = { 0x81, 0x01 };
	char why[256];

	for (size_t i = 0; i < G_N_ELEMENTS(classes); i++) {
		g_autofree char *text = g_strdup_printf(
			"%s class=0x%02x method=0x81 from \"%s\"[%u]", action, classes[i],
			port->node->id, port->num);

		if (fault_add_text(set->fabric, text, why, sizeof(why)) < 0)
			return fail(set, "%s", why);
	}
	return 0;
}

/* As Linux shows a port of an Ethernet link layer: no subnet has given it anything. */
static void set_roce(struct end_port *end)
{
	struct port *port = end->port;

	end->no_issm |= !host_has_issm_without_qp0(node_host(port->node));

	cable_remove(port);
	end_port_set_lid(end, 0, 0);
	end->sm_lid = 0;
	end->cap_mask = CAP_COMMUNICATION_MANAGEMENT;
	end->cap_mask2 = 0;
	end->attr.link_is_ethernet = true;
	end->attr.has_smi = false;
	port->state = PORT_ACTIVE;
	port->phys_state = PORT_PHYS_LINK_UP;
}

static void set_guid_0(struct end_port *end)
{
	end->guid = 0;
	put_be64(end->gids[0] + 8, 0);
}

static int apply_to_port(struct quirk_set *set, enum quirk_kind kind, struct end_port *end)
{
	set->count++;
	switch (kind) {
	case QUIRK_SM_DISABLED:
		end->cap_mask |= CAP_SM_DISABLED;
		return 0;
	case QUIRK_ROCE:
		if (end->port->node->functions)
			return fail(set, "%s has virtual functions, which a RoCE port here has not",
				    end->port->node->id);
		set_roce(end);
		return 0;
	case QUIRK_ISSM_NONE:
		end->no_issm = true;
		return 0;
	case QUIRK_PORT_GUID_0:
		set_guid_0(end);
		return 0;
	case QUIRK_RATE_UNREADABLE:
		end->no_rate = true;
		return 0;
	case QUIRK_PORT_DOWN:
		if (cable_pull(end->port) < 0)
			return fail(set, "%s[%u] has no cable", end->port->node->id,
				    end->port->num);
		return 0;
	case QUIRK_SLOW_FIRMWARE:
		return add_faults(set, end->port, "delay all by 150ms");
	case QUIRK_LOSSY_FIRMWARE:
		return add_faults(set, end->port, "drop 25%");
	case QUIRK_HGX_B200:
	case QUIRK_SWITCH_MANAGEMENT:
	case QUIRK_PLANARIZED:
	case QUIRK_EXT_SPEEDS_ASKED:
	case QUIRK_COUNT:
		break;
	}
	return 0;
}

/* ---- nodes ---- */

/* Where no node is named, those that can have planes get them. */
static int apply_planes(struct quirk_set *set, struct node *node)
{
	if (node->kind != TOPOLOGY_CA || (node->port_count < 2 && !set->node))
		return 0;
	if (node->functions)
		return fail(set, "%s has virtual functions, which one with planes here has not",
			    node->id);
	if (set->num || node->port_count < 2)
		return fail(set, "its planes are an HCA's ports, of which there are 2 or more: "
			    "name such an HCA");
	if (!node->planes)
		planes_join(node);
	set->count++;
	return 0;
}

/* Of a CA the ports; and what a port of a switch does is its firmware's, too. */
static int apply_to_node(struct quirk_set *set, enum quirk_kind kind, struct node *node)
{
	bool is_ca = node->kind == TOPOLOGY_CA;

	if (set->num > node->port_count)
		return fail(set, "%s has no port %u", node->id, set->num);
	if (kind == QUIRK_PLANARIZED)
		return apply_planes(set, node);
	/* Of a planarized HCA the planes, which are in the host's list, too. */
	if (node_is_gsi(node) && kind != QUIRK_SWITCH_MANAGEMENT)
		return 0;
	if (kind == QUIRK_EXT_SPEEDS_ASKED || (kind == QUIRK_SWITCH_MANAGEMENT && is_ca)) {
		set->count++;
		node->ext_speeds_asked |= kind == QUIRK_EXT_SPEEDS_ASKED;
		node->switch_management |= kind == QUIRK_SWITCH_MANAGEMENT;
		return 0;
	}
	for (unsigned int num = 1; is_ca && num <= node->port_count; num++) {
		int ret;

		if (set->num && num != set->num)
			continue;
		ret = apply_to_port(set, kind, node->ports[num].end);
		if (ret < 0 || (kind == QUIRK_PORT_DOWN && !set->num))
			return ret;
	}
	return 0;
}

/* Without the SMI devices, which come behind all others. */
static unsigned int count_hcas(const struct umadrig_host *host)
{
	unsigned int count = 0;

	while (count < host->node_count && (!host->nodes[count]->planes ||
					    host->nodes[count]->planes->gsi == host->nodes[count]))
		count++;
	return count;
}

/* A board is several quirks of the HCAs of a host; its cables are as the topology has them. */
static int apply_board(struct quirk_set *set, struct umadrig_host *host)
{
	unsigned int hcas = count_hcas(host);
	int ret = 0;

	if (hcas < NVLINK_HCAS_LEAST)
		return 0;
	for (unsigned int i = 0; ret == 0 && i < NVLINK_BRIDGES; i++) {
		ret = apply_to_node(set, QUIRK_SWITCH_MANAGEMENT, host->nodes[i]);
		if (ret == 0 && i % 2)
			ret = apply_to_node(set, QUIRK_SM_DISABLED, host->nodes[i]);
	}
	for (unsigned int i = hcas - ROCE_DEVICES;
	     ret == 0 && hcas > BOARD_DEVICES_ROCE && i < hcas; i++)
		ret = apply_to_node(set, QUIRK_ROCE, host->nodes[i]);
	return ret;
}

static int apply_to_host(struct quirk_set *set, struct umadrig_host *host)
{
	int ret = 0;

	if (set->kind == QUIRK_HGX_B200)
		return apply_board(set, host);
	for (unsigned int i = 0; ret == 0 && i < host->node_count; i++)
		ret = apply_to_node(set, set->kind, host->nodes[i]);
	return ret;
}

static int apply(struct quirk_set *set)
{
	const struct umadrig_fabric *fabric = set->fabric;
	int ret = 0;

	if (set->host)
		return apply_to_host(set, set->host);
	if (set->node && set->kind != QUIRK_HGX_B200)
		return apply_to_node(set, set->kind, set->node);
	if (set->node)
		return apply_board(set, node_host(set->node));
	if (set->kind == QUIRK_HGX_B200) {
		for (guint i = 0; ret == 0 && i < fabric->hosts->len; i++)
			ret = apply_board(set, g_ptr_array_index(fabric->hosts, i));
		return ret;
	}
	for (guint i = 0; ret == 0 && i < fabric->nodes->len; i++)
		ret = apply_to_node(set, set->kind, g_ptr_array_index(fabric->nodes, i));
	return ret;
}

/* ---- where ---- */

static struct umadrig_host *find_host(const struct umadrig_fabric *fabric, const char *name)
{
	for (guint i = 0; i < fabric->hosts->len; i++) {
		struct umadrig_host *host = g_ptr_array_index(fabric->hosts, i);

		if (strcmp(host->name, name) == 0)
			return host;
	}
	return NULL;
}

/* "NODE", "NODE[2]", "HOST" */
static int find_where(struct quirk_set *set, const char *where)
{
	g_autofree char *name = NULL;
	struct node_place place;
	int err = node_place_parse(where, &place);

	if (err < 0)
		return fail(set, "'%s': expected %s", where, node_place_expected(err));
	if (place.has_port && place.port == 0)
		return fail(set, "'%s': expected a port from 1 to %d in the brackets", where,
			    TOPOLOGY_PORT_MAX);
	name = g_strndup(place.name, place.name_size);
	set->num = place.port;
	set->node = fabric_find(set->fabric, name);
	if (!set->node)
		set->host = find_host(set->fabric, name);
	if (!set->node && !set->host)
		return fail(set, "there is no node or host '%s'", name);
	return 0;
}

int quirk_add_text(struct umadrig_fabric *fabric, const char *text, char *reterr,
		   size_t reterr_size)
{
	struct quirk_set set = {
		.fabric = fabric, .text = text, .reterr = reterr, .reterr_size = reterr_size,
	};
	const char *where;
	int ret = quirk_parse(text, &set.kind, &where, reterr, reterr_size);

	if (ret == 0 && where)
		ret = find_where(&set, where);
	if (ret == 0)
		ret = apply(&set);
	if (ret < 0)
		return ret;
	if (set.count == 0 && set.kind == QUIRK_HGX_B200)
		return fail(&set, "it takes a host with %d HCAs or more, as in "
			    "generate:rail:2,14,8", NVLINK_HCAS_LEAST);
	if (set.count == 0)
		return fail(&set, "it is a quirk of a%s %s, and there is none",
			    strcmp(quirk_info(set.kind)->where, "HCA") == 0 ? "n" : "",
			    quirk_info(set.kind)->where);
	return 0;
}
