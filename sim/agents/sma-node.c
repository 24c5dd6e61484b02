/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The subnet management agent's attributes of a node: NodeDescription, NodeInfo, SwitchInfo and
 * GUIDInfo (IBA vol 1, 14.2.5.2 to 14.2.5.5). See sim/agents/sma.h.
 */
#include <glib.h>
#include <string.h>

#include "sim/agents/sma.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/load-touch.h"
#include "sim/fabric/node.h"
#include "sim/fabric/partition.h"
#include "sim/fabric/port.h"
#include "sim/fabric/route.h"
#include "sim/fabric/switch.h"

enum {
	GUIDS_PER_BLOCK = 8,
	NODE_INFO_USED = 40,
	NO_PORT = 255,
	MULTICAST_LID_FIRST = 0xc000,
};

/* ---- fields, looked up once ---- */

#define NODE_INFO(F)                                                                       \
	F(BaseVers) F(ClassVers) F(NodeType) F(NumPorts) F(SystemGuid) F(Guid) F(PortGuid) \
	F(PartCap) F(DevId) F(Revision) F(LocalPort) F(VendorId)

#define SWITCH_INFO(F)                                                                     \
	F(LinearFdbCap) F(McastFdbCap) F(LinearFdbTop) F(DefPort) F(DefMcastPrimPort)      \
	F(DefMcastNotPrimPort) F(LifeTime) F(StateChange) F(PartEnforceCap)                \
	F(InboundPartEnf) F(OutboundPartEnf) F(EnhancedPort0) F(MulticastFDBTop)

#define MEMBER(name) const struct mad_field *name;
static struct { NODE_INFO(MEMBER) } node_info;
static struct { SWITCH_INFO(MEMBER) } switch_info;

/* Runs before anything else, so that it takes no fabric's lock and costs no request anything. */
__attribute__((constructor)) static void look_up_fields(void)
{
#define IN_NODE_INFO(name) node_info.name = mad_field_must(0x01, ATTR_NODE_INFO, #name);
#define IN_SWITCH_INFO(name) switch_info.name = mad_field_must(0x01, ATTR_SWITCH_INFO, #name);
	NODE_INFO(IN_NODE_INFO)
	SWITCH_INFO(IN_SWITCH_INFO)
}

enum mad_status sma_get_node_description(const struct sma_request *request, uint8_t *data)
{
	const char *description = node_description(request->port->node);

	if (request->modifier)
		return MAD_STATUS_BAD_FIELD;
	memcpy(data, description, strnlen(description, SMP_DATA_SIZE));
	return MAD_STATUS_OK;
}

/* IBA 1.3, 14.2.5.2: an SMP may write it like the node's administrator. */
enum mad_status sma_set_node_description(const struct sma_request *request, const uint8_t *data)
{
	g_autofree char *description = g_strndup((const char *)data, SMP_DATA_SIZE);

	if (request->modifier)
		return MAD_STATUS_BAD_FIELD;
	node_set_description(request->port->node, description);
	return MAD_STATUS_OK;
}

/*
 * NodeInfo of an end port, with which nearly every sweep of a subnet begins. Only its GUIDs may
 * change, by commands: those that it was made from are kept with it. LocalPort is the port where
 * the request came in.
 */
struct node_info {
	uint64_t node_guid, sys_image_guid, guid;
	uint8_t local_port;
	uint8_t bytes[NODE_INFO_USED];
};

static bool is_up_to_date(const struct node_info *info, const struct end_port *end)
{
	const struct node *node = end->port->node;

	return info && info->guid == end->guid && info->node_guid == node->node_guid &&
	       info->sys_image_guid == node->sys_image_guid;
}

static void encode_node_info(struct end_port *end)
{
	const struct node *node = end->port->node;
	struct node_info *info = end->node_info;
	uint8_t *data;

	if (!info)
		info = end->node_info = g_new(struct node_info, 1);
	*info = (struct node_info) {
		.node_guid = node->node_guid,
		.sys_image_guid = node->sys_image_guid,
		.guid = end->guid,
	};
	data = info->bytes;
	mad_field_set(node_info.BaseVers, data, 1);
	mad_field_set(node_info.ClassVers, data, 1);
	mad_field_set(node_info.NodeType, data, (uint64_t)node->kind);
	mad_field_set(node_info.NumPorts, data, node->port_count);
	mad_field_set(node_info.SystemGuid, data, node->sys_image_guid);
	mad_field_set(node_info.Guid, data, node->node_guid);
	mad_field_set(node_info.PortGuid, data, end->guid);
	mad_field_set(node_info.PartCap, data, end->attr.pkey_count);
	mad_field_set(node_info.DevId, data, node->device_id);
	mad_field_set(node_info.Revision, data, node->revision);
	mad_field_set(node_info.VendorId, data, node->vendor_id);
}

enum mad_status sma_get_node_info(const struct sma_request *request, uint8_t *data)
{
	struct end_port *end = request->end;
	struct node_info *info;

	if (request->modifier)
		return MAD_STATUS_BAD_FIELD;
	if (!is_up_to_date(end->node_info, end))
		encode_node_info(end);
	info = end->node_info;
	if (info->local_port != request->port->num) {
		info->local_port = request->port->num;
		mad_field_set(node_info.LocalPort, info->bytes, info->local_port);
	}
	memcpy(data, info->bytes, NODE_INFO_USED);
	return MAD_STATUS_OK;
}

/* The highest LID with an entry. Tables that are not in use yet need not be allocated for that. */
static uint16_t linear_top(const struct node *node)
{
	const struct umadrig_fabric *fabric = node->fabric;

	return fabric->lfts_ready && node->sw->lft_size == 0 ? fabric->lid_top : node->sw->lft_top;
}

enum mad_status sma_get_switch_info(const struct sma_request *request, uint8_t *data)
{
	const struct node *node = request->port->node;

	if (!node->sw)
		return MAD_STATUS_BAD_METHOD_ATTR;
	if (request->modifier)
		return MAD_STATUS_BAD_FIELD;
	mad_field_set(switch_info.LinearFdbCap, data, node->sw->lft_cap);
	mad_field_set(switch_info.McastFdbCap, data, node->sw->mft_cap);
	mad_field_set(switch_info.LinearFdbTop, data, linear_top(node));
	mad_field_set(switch_info.DefPort, data, node->sw->default_port);
	mad_field_set(switch_info.DefMcastPrimPort, data, node->sw->mcast_primary_port);
	mad_field_set(switch_info.DefMcastNotPrimPort, data, node->sw->mcast_secondary_port);
	mad_field_set(switch_info.LifeTime, data, node->sw->life_time);
	mad_field_set(switch_info.StateChange, data, node->sw->state_change);
	mad_field_set(switch_info.PartEnforceCap, data, PARTITION_KEYS);
	mad_field_set(switch_info.InboundPartEnf, data, 1);
	mad_field_set(switch_info.OutboundPartEnf, data, 1);
	mad_field_set(switch_info.EnhancedPort0, data, node->enhanced_port0);
	mad_field_set(switch_info.MulticastFDBTop, data, node->sw->mft_top);
	return MAD_STATUS_OK;
}

/* A port of the switch, or none. */
static bool is_egress(const struct node *node, unsigned int num)
{
	return num <= node->port_count || num == NO_PORT;
}

enum mad_status sma_set_switch_info(const struct sma_request *request, const uint8_t *data)
{
	struct node *node = request->port->node;
	struct switch_part *sw = node->sw;
	uint64_t top = mad_field_get(switch_info.LinearFdbTop, data);
	uint64_t port = mad_field_get(switch_info.DefPort, data);
	uint64_t primary = mad_field_get(switch_info.DefMcastPrimPort, data);
	uint64_t secondary = mad_field_get(switch_info.DefMcastNotPrimPort, data);
	uint64_t mft_top = mad_field_get(switch_info.MulticastFDBTop, data);

	if (!sw)
		return MAD_STATUS_BAD_METHOD_ATTR;
	if (request->modifier || top >= sw->lft_cap || !is_egress(node, (unsigned int)port) ||
	    !is_egress(node, (unsigned int)primary) || !is_egress(node, (unsigned int)secondary) ||
	    (mft_top && (mft_top < MULTICAST_LID_FIRST - 1 ||
			 mft_top > MULTICAST_LID_FIRST - 1U + sw->mft_cap)))
		return MAD_STATUS_BAD_FIELD;
	if (top != sw->lft_top)
		load_touch(node->fabric);
	/* The table must keep its contents: it is computed with the old top. */
	switch_lft(node, 0);
	sw->lft_computed = false;
	sw->lft_top = (uint16_t)top;
	sw->default_port = (uint8_t)port;
	sw->mcast_primary_port = (uint8_t)primary;
	sw->mcast_secondary_port = (uint8_t)secondary;
	sw->mft_top = (uint16_t)mft_top;
	sw->life_time = (uint8_t)mad_field_get(switch_info.LifeTime, data);
	/* IBA vol 1, table 143: writing a one acknowledges the change. */
	if (mad_field_get(switch_info.StateChange, data))
		sw->state_change = false;
	return MAD_STATUS_OK;
}

enum mad_status sma_get_guid_info(const struct sma_request *request, uint8_t *data)
{
	const struct kmod_port_attr *attr = &port_speaker(request->port)->attr;
	size_t first = (size_t)request->modifier * GUIDS_PER_BLOCK;

	if (first >= attr->gid_count)
		return MAD_STATUS_BAD_FIELD;
	for (size_t i = first; i < attr->gid_count && i < first + GUIDS_PER_BLOCK; i++)
		memcpy(data + (i - first) * 8, attr->gids[i] + 8, 8);
	return MAD_STATUS_OK;
}

/* IBA vol 1, 14.2.5.5: the port's own GUID, the very first, is read-only. */
enum mad_status sma_set_guid_info(const struct sma_request *request, const uint8_t *data)
{
	struct end_port *end = port_speaker(request->port);
	size_t first = (size_t)request->modifier * GUIDS_PER_BLOCK;

	if (first >= end->attr.gid_count)
		return MAD_STATUS_BAD_FIELD;
	for (size_t i = first; i < end->attr.gid_count && i < first + GUIDS_PER_BLOCK; i++) {
		uint64_t guid = get_be64(data + (i - first) * 8);

		if (i == 0)
			continue;
		/* An entry without a GUID is not a GID, whatever the subnet's prefix. */
		put_be64(end->gids[i], guid ? end->gid_prefix : 0);
		put_be64(end->gids[i] + 8, guid);
	}
	return MAD_STATUS_OK;
}
