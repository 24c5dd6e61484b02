/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The subnet management agent's attributes of virtual functions: VirtualizationInfo, VPortInfo,
 * VNodeInfo, VPortState, and the tables of vports. Their numbers and layouts are those of the
 * headers that NVIDIA publishes with its opensm and ibis; what these do not say is chosen, as
 * doc/fidelity.md lists. See sim/agents/sma.h.
 *
 * All are asked of the physical port. The modifier is the index of a vport, or of a block of states
 * in VPortState; of a vport's tables the upper half is the vport and the lower one the block.
 */
#include <glib.h>
#include <string.h>

#include "sim/agents/sma.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/node.h"
#include "sim/fabric/virtual-function.h"

enum {
	REVISION = 1,
	STATES_PER_BLOCK = 2 * SMP_DATA_SIZE,
	NO_CHANGE = 0,
	/* VPortInfo.CapabilityMask */
	VPORT_CAP_COMMUNICATION_MANAGEMENT = 1 << 0,
	VPORT_CAP_VENDOR_CLASS = 1 << 3,
	/* A P_KeyTable or GUIDInfo of one block. */
	P_KEY_SIZE = 2,
	GUID_SIZE = 8,
};

/* ---- fields, looked up once ---- */

#define VIRTUALIZATION_INFO(F) \
	F(VPortCap) F(VPortIndexTop) F(VirtualizationEnable) F(VPortStateChange) \
	F(VirtualizationRevision)
#define VPORT_INFO(F) \
	F(VPortState) F(LidRequired) F(GuidCap) F(CapMask) F(PkeyViolations) \
	F(QkeyViolations) F(VPortLid) F(LidByVPortIndex) F(VPortGuid)
#define VNODE_INFO(F) F(VPartitionCap) F(VLocalPort) F(VNumPorts) F(VNodeGuid)

#define MEMBER(name) const struct mad_field *name;
static struct { VIRTUALIZATION_INFO(MEMBER) } info;
static struct { VPORT_INFO(MEMBER) } vport_info;
static struct { VNODE_INFO(MEMBER) } vnode_info;

__attribute__((constructor)) static void look_up_fields(void)
{
#define IN_INFO(name) info.name = mad_field_must(0x01, ATTR_VIRTUALIZATION_INFO, #name);
#define IN_VPORT(name) vport_info.name = mad_field_must(0x01, ATTR_VPORT_INFO, #name);
#define IN_VNODE(name) vnode_info.name = mad_field_must(0x01, ATTR_VNODE_INFO, #name);
	VIRTUALIZATION_INFO(IN_INFO)
	VPORT_INFO(IN_VPORT)
	VNODE_INFO(IN_VNODE)
}

/* ---- what a request is about ---- */

/* NULL: the port has no vports. */
static struct functions *functions_of(const struct sma_request *request)
{
	return request->port->num == 1 ? request->port->node->functions : NULL;
}

/* The end port of a vport, of which 0 is the physical one. */
static enum mad_status find_vport(const struct sma_request *request, uint32_t index,
				  struct end_port **ret)
{
	const struct functions *functions = functions_of(request);

	if (!functions)
		return MAD_STATUS_BAD_METHOD_ATTR;
	if (index > functions->count)
		return MAD_STATUS_BAD_FIELD;
	*ret = index ? functions->at[index - 1].node->ends : request->port->end;
	return MAD_STATUS_OK;
}

/* The same for tables, which have one block. */
static enum mad_status find_table(const struct sma_request *request, struct end_port **ret)
{
	enum mad_status status = find_vport(request, request->modifier >> 16, ret);

	return status == MAD_STATUS_OK && request->modifier & 0xffff ? MAD_STATUS_BAD_FIELD :
								       status;
}

static uint8_t state_of(const struct end_port *end)
{
	const struct virtual_function *function = node_function(end->port->node);

	return function ? function_state(function) : end->port->state;
}

/* ---- VirtualizationInfo, VPortState ---- */

enum mad_status sma_get_virtualization_info(const struct sma_request *request, uint8_t *data)
{
	const struct functions *functions = functions_of(request);

	if (!functions)
		return MAD_STATUS_BAD_METHOD_ATTR;
	if (request->modifier)
		return MAD_STATUS_BAD_FIELD;
	mad_field_set(info.VPortCap, data, functions->count);
	mad_field_set(info.VPortIndexTop, data, functions->enabled);
	mad_field_set(info.VirtualizationEnable, data, functions->is_enabled);
	mad_field_set(info.VPortStateChange, data, functions->state_changed);
	mad_field_set(info.VirtualizationRevision, data, REVISION);
	return MAD_STATUS_OK;
}

/* VPortStateChange is cleared by writing 1, as the one of SwitchInfo. */
enum mad_status sma_set_virtualization_info(const struct sma_request *request, const uint8_t *data)
{
	struct functions *functions = functions_of(request);

	if (!functions)
		return MAD_STATUS_BAD_METHOD_ATTR;
	if (request->modifier)
		return MAD_STATUS_BAD_FIELD;
	functions->is_enabled = mad_field_get(info.VirtualizationEnable, data);
	if (mad_field_get(info.VPortStateChange, data))
		functions->state_changed = false;
	return MAD_STATUS_OK;
}

/* Four bits for each, the even one first. */
enum mad_status sma_get_vport_state(const struct sma_request *request, uint8_t *data)
{
	const struct functions *functions = functions_of(request);
	uint32_t first;

	if (!functions)
		return MAD_STATUS_BAD_METHOD_ATTR;
	if (request->modifier > functions->count / STATES_PER_BLOCK)
		return MAD_STATUS_BAD_FIELD;
	first = request->modifier * STATES_PER_BLOCK;
	for (uint32_t i = 0; i < STATES_PER_BLOCK && first + i <= functions->count; i++) {
		struct end_port *end = NULL;

		find_vport(request, first + i, &end);
		data[i / 2] |= (uint8_t)(state_of(end) << (i % 2 ? 0 : 4));
	}
	return MAD_STATUS_OK;
}

/* ---- VPortInfo ---- */

static void put_addresses(const struct virtual_function *function, uint8_t *data)
{
	mad_field_set(vport_info.LidRequired, data, function->node->functions->needs_lids);
	mad_field_set(vport_info.VPortLid, data, function->lid);
	mad_field_set(vport_info.LidByVPortIndex, data, function->lid_of);
}

enum mad_status sma_get_vport_info(const struct sma_request *request, uint8_t *data)
{
	struct end_port *end = NULL;
	enum mad_status status = find_vport(request, request->modifier, &end);
	uint16_t caps = 0;

	if (status != MAD_STATUS_OK)
		return status;
	if (end->cap_mask & CAP_COMMUNICATION_MANAGEMENT)
		caps |= VPORT_CAP_COMMUNICATION_MANAGEMENT;
	if (end->port->node->vendor_id == VENDOR_MELLANOX)
		caps |= VPORT_CAP_VENDOR_CLASS;
	mad_field_set(vport_info.VPortState, data, state_of(end));
	mad_field_set(vport_info.GuidCap, data, end->attr.gid_count);
	mad_field_set(vport_info.CapMask, data, caps);
	mad_field_set(vport_info.PkeyViolations, data, end->p_key_violations);
	mad_field_set(vport_info.QkeyViolations, data, end->q_key_violations);
	mad_field_set(vport_info.VPortGuid, data, end->guid);
	if (end->port->node->vport)
		put_addresses(node_function(end->port->node), data);
	else
		mad_field_set(vport_info.VPortLid, data, end->attr.lid);
	return MAD_STATUS_OK;
}

/* As of a port: what is up goes one step at a time. Down takes it back to Init. */
static bool may_become(uint8_t state, uint64_t wanted)
{
	if (wanted == NO_CHANGE || wanted == state)
		return true;
	if (state == PORT_DOWN)
		return false;
	return wanted == PORT_DOWN || (wanted == PORT_ARMED && state == PORT_INIT) ||
	       (wanted == PORT_ACTIVE && state == PORT_ARMED);
}

enum mad_status sma_set_vport_info(const struct sma_request *request, const uint8_t *data)
{
	uint64_t state = mad_field_get(vport_info.VPortState, data);
	uint64_t lid = mad_field_get(vport_info.VPortLid, data);
	uint64_t lid_of = mad_field_get(vport_info.LidByVPortIndex, data);
	struct end_port *end = NULL;
	enum mad_status status = find_vport(request, request->modifier, &end);
	struct virtual_function *function;
	uint8_t now;

	if (status != MAD_STATUS_OK)
		return status;
	/* Vport 0 is the physical port, which PortInfo sets. */
	function = node_function(end->port->node);
	if (!function)
		return MAD_STATUS_OK;
	now = function_state(function);
	if (!may_become(now, state) || lid > LID_UNICAST_MAX ||
	    lid_of > function->node->functions->count)
		return MAD_STATUS_BAD_FIELD;
	function_set_lid(function, (uint16_t)lid, (uint16_t)lid_of);
	if (state != NO_CHANGE && state != now)
		function_set_state(function, state == PORT_DOWN ? PORT_INIT :
						      (enum port_state)state);
	if (mad_field_get(vport_info.PkeyViolations, data) == 0)
		end->p_key_violations = 0;
	if (mad_field_get(vport_info.QkeyViolations, data) == 0)
		end->q_key_violations = 0;
	return MAD_STATUS_OK;
}

/* ---- VNodeInfo, VNodeDescription ---- */

enum mad_status sma_get_vnode_info(const struct sma_request *request, uint8_t *data)
{
	struct end_port *end = NULL;
	enum mad_status status = find_vport(request, request->modifier, &end);

	if (status != MAD_STATUS_OK)
		return status;
	mad_field_set(vnode_info.VPartitionCap, data, end->attr.pkey_count);
	mad_field_set(vnode_info.VLocalPort, data, end->port->num);
	mad_field_set(vnode_info.VNumPorts, data, end->port->node->port_count);
	mad_field_set(vnode_info.VNodeGuid, data, end->port->node->node_guid);
	return MAD_STATUS_OK;
}

enum mad_status sma_get_vnode_description(const struct sma_request *request, uint8_t *data)
{
	struct end_port *end = NULL;
	enum mad_status status = find_vport(request, request->modifier, &end);
	const char *description;

	if (status != MAD_STATUS_OK)
		return status;
	description = node_description(end->port->node);
	memcpy(data, description, MIN(strlen(description), SMP_DATA_SIZE));
	return MAD_STATUS_OK;
}

/* ---- tables ---- */

enum mad_status sma_get_vport_guid_info(const struct sma_request *request, uint8_t *data)
{
	struct end_port *end = NULL;
	enum mad_status status = find_table(request, &end);

	for (size_t i = 0; status == MAD_STATUS_OK && i < end->attr.gid_count; i++)
		memcpy(data + i * GUID_SIZE, end->gids[i] + GUID_SIZE, GUID_SIZE);
	return status;
}

/* The first one is the vport's own, which its host sets. */
enum mad_status sma_set_vport_guid_info(const struct sma_request *request, const uint8_t *data)
{
	struct end_port *end = NULL;
	enum mad_status status = find_table(request, &end);

	for (size_t i = 1; status == MAD_STATUS_OK && i < end->attr.gid_count; i++) {
		uint64_t guid = get_be64(data + i * GUID_SIZE);

		put_be64(end->gids[i], guid ? end->gid_prefix : 0);
		put_be64(end->gids[i] + GUID_SIZE, guid);
	}
	return status;
}

enum mad_status sma_get_vport_p_key_table(const struct sma_request *request, uint8_t *data)
{
	struct end_port *end = NULL;
	enum mad_status status = find_table(request, &end);

	for (size_t i = 0; status == MAD_STATUS_OK && i < end->attr.pkey_count; i++)
		put_be16(data + i * P_KEY_SIZE, end->pkeys[i]);
	return status;
}

enum mad_status sma_set_vport_p_key_table(const struct sma_request *request, const uint8_t *data)
{
	struct end_port *end = NULL;
	enum mad_status status = find_table(request, &end);

	for (size_t i = 0; status == MAD_STATUS_OK && i < end->attr.pkey_count; i++)
		end->pkeys[i] = get_be16(data + i * P_KEY_SIZE);
	return status;
}
