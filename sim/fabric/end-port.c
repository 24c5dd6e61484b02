/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Making end ports, and their state after power-up. See sim/fabric/end-port.h.
 */
#include "sim/fabric/end-port.h"

#include <glib.h>
#include <string.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/link.h"
#include "sim/fabric/load-touch.h"
#include "sim/fabric/node-change.h"
#include "sim/fabric/node.h"
#include "sim/fabric/subnet.h"
#include "sim/fabric/trap.h"
#include "sim/fabric/virtual-function.h"
#include "sim/topology/topology.h"

enum {
	SUBNET_TIMEOUT = 18,
	GID_MULTICAST = 0xff,		/* its first byte */
};

static const uint64_t SA_WELL_KNOWN_GUID = UINT64_C(0x0200000000000002);

/* PortInfo.CapabilityMask bits of the fabric's end ports. */
enum {
	CAP_TRAP = 1 << 3,
	CAP_SL_MAPPING = 1 << 6,
	CAP_LED_INFO = 1 << 9,
	CAP_SYSTEM_IMAGE_GUID = 1 << 11,
	CAP_PKEY_SWITCH_EXTERNAL_PORT_TRAP = 1 << 12,
	CAP_EXTENDED_SPEEDS = 1 << 14,
	CAP_CAPABILITY_MASK_2 = 1 << 15,
	CAP_VENDOR_CLASS = 1 << 20,
	CAP_DR_NOTICE = 1 << 21,
	CAP_CAPABILITY_MASK_NOTICE = 1 << 22,
	CAP_CLIENT_REREGISTRATION = 1 << 25,
	CAP_OTHER_LOCAL_CHANGES_NOTICE = 1 << 26,
	CAP_MULTICAST_PKEY_TRAP_SUPPRESSION = 1 << 29,
	CAP_MULTICAST_FDB_TOP = 1 << 30,
	CAP_HIERARCHY_INFO = INT32_MIN,		/* bit 31 */
	CAP_ALL_HAVE = CAP_TRAP | CAP_SL_MAPPING | CAP_LED_INFO | CAP_SYSTEM_IMAGE_GUID |
		       CAP_CAPABILITY_MASK_2 | CAP_DR_NOTICE | CAP_CAPABILITY_MASK_NOTICE |
		       CAP_CLIENT_REREGISTRATION | CAP_OTHER_LOCAL_CHANGES_NOTICE |
		       CAP_MULTICAST_PKEY_TRAP_SUPPRESSION | CAP_HIERARCHY_INFO,
};

/* What a node's kernel and firmware serve, before its programs do. */
static uint32_t served(const struct node *node)
{
	return CAP_COMMUNICATION_MANAGEMENT |
	       (node->vendor_id == VENDOR_MELLANOX ? CAP_VENDOR_CLASS : 0);
}

void end_port_reset(struct end_port *end)
{
	struct umadrig_fabric *fabric = end->port->node->fabric;

	if (event_is_armed(&end->m_key_lease_end))
		event_queue_disarm(&fabric->queue, &end->m_key_lease_end);
	trap_clear(end);
	end->multicast_trap_suppression = 0;
	end->cap_mask = (end->cap_mask & ~CAP_SERVED) | served(end->port->node);
	end->gid_prefix = GID_PREFIX_LINK_LOCAL;
	memset(end->gids, 0, sizeof(end->gids));
	put_be64(end->gids[0], end->gid_prefix);
	put_be64(end->gids[0] + 8, end->guid);
	memset(end->pkeys, 0, sizeof(end->pkeys));
	end->pkeys[0] = PKEY_DEFAULT;
	end->m_key = 0;
	end->m_key_protect = 0;
	end->m_key_lease = 0;
	end->m_key_violations = end->p_key_violations = end->q_key_violations = 0;
	end->sm_lid = 0;
	end->sm_sl = 0;
	end->subnet_timeout = SUBNET_TIMEOUT;
}

void end_port_init(struct end_port *end, struct port *port, const struct topology_port *said)
{
	const struct node *node = port->node;

	port->end = end;
	port->pkey_count = PKEY_COUNT;
	end->port = port;
	end->guid = said->guid ? said->guid : node->node_guid + port->num;
	end->cap_mask = CAP_ALL_HAVE;
	if (node->sw)
		end->cap_mask |= CAP_PKEY_SWITCH_EXTERNAL_PORT_TRAP | CAP_MULTICAST_FDB_TOP;
	end_port_reset(end);
	end->attr = (struct kmod_port_attr) {
		.has_smi = true,
		.is_switch = node->kind == TOPOLOGY_SWITCH,
		.port_num = port->num,
		.port_count = node->port_count,
		.pkeys = end->pkeys,
		.pkey_count = PKEY_COUNT,
		.gids = (const uint8_t (*)[16])end->gids,
		.gid_count = GID_COUNT,
	};
}

/*
 * IBA vol 1, 4.1.1: the GUID and each alias are valid with the subnet's prefix, and always with the
 * default one. Linux: every port accepts the SA's well-known GUID.
 */
bool end_port_takes_gid(const struct end_port *end, const uint8_t *gid)
{
	uint64_t prefix = get_be64(gid), guid = get_be64(gid + 8);

	if (gid[0] == GID_MULTICAST || guid == SA_WELL_KNOWN_GUID)
		return true;
	for (size_t i = 0; i < GID_COUNT; i++) {
		if (get_be64(end->gids[i] + 8) == guid && guid != 0 &&
		    (get_be64(end->gids[i]) == prefix || prefix == GID_PREFIX_LINK_LOCAL))
			return true;
	}
	return false;
}

void end_port_set_speeds(struct end_port *end, uint8_t widths, uint8_t ext_speeds)
{
	static const struct {
		uint8_t speeds;
		uint16_t cap;
	} caps[] = {
		{ LINK_SPEEDS_EXT_1 | LINK_SPEED_XDR, CAP2_PORT_INFO_EXTENDED },
		{ LINK_SPEED_HDR, CAP2_LINK_SPEED_HDR },
		{ LINK_SPEED_NDR, CAP2_LINK_SPEED_NDR },
		{ LINK_SPEED_XDR, CAP2_LINK_SPEED_XDR | CAP2_EXTENDED_SPEEDS_2 },
	};
	enum { WIDTH_2X = 16 };

	end->cap_mask2 = CAP2_SET_NODE_DESCRIPTION;
	if (widths & WIDTH_2X)
		end->cap_mask2 |= CAP2_LINK_WIDTH_2X;
	if (ext_speeds)
		end->cap_mask |= CAP_EXTENDED_SPEEDS;
	for (size_t i = 0; i < G_N_ELEMENTS(caps); i++) {
		if (ext_speeds & caps[i].speeds)
			end->cap_mask2 |= caps[i].cap;
	}
}

void end_port_set_capability(struct end_port *end, uint32_t bits, bool set)
{
	uint32_t cap_mask;

	end = port_speaker(end->port);
	cap_mask = set ? end->cap_mask | bits : end->cap_mask & ~bits;
	if (cap_mask == end->cap_mask)
		return;
	end->cap_mask = cap_mask;
	node_changed(end->port->node);
	trap_local_change(end, TRAP_CHANGE_CAPABILITY_MASK);
}

void end_port_set_gid_prefix(struct end_port *end, uint64_t gid_prefix)
{
	end->gid_prefix = gid_prefix;
	for (size_t i = 0; i < end->attr.gid_count; i++) {
		if (get_be64(end->gids[i] + 8))
			put_be64(end->gids[i], gid_prefix);
	}
}

/* ---- LIDs ---- */

/* All planes of an HCA have the vport's LIDs, and so has the GSI device. */
static void share_lid(const struct planes *planes)
{
	const struct kmod_port_attr *attr = &planes->vport->attr;

	for (unsigned int num = 1; num <= planes->hca->port_count; num++) {
		planes->hca->ports[num].end->attr.lid = attr->lid;
		planes->hca->ports[num].end->attr.lmc = attr->lmc;
	}
	planes->gsi->ends->attr.lid = attr->lid;
	planes->gsi->ends->attr.lmc = attr->lmc;
}

void end_port_set_lid(struct end_port *end, uint16_t lid, uint8_t lmc)
{
	end = port_speaker(end->port);
	load_touch(end->port->node->fabric);
	subnet_leave_lids(end);
	node_changed(end->port->node);
	end->attr.lid = lid;
	end->attr.lmc = lmc;
	if (end->port->node->planes)
		share_lid(end->port->node->planes);
	if (end->port->node->functions)
		functions_share(end->port->node);
	subnet_enter_lids(end);
}
