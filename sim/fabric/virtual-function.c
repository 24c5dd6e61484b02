/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Virtual functions of an HCA: see sim/fabric/virtual-function.h. */
#include "sim/fabric/virtual-function.h"

#include <glib.h>

#include "kmod-stub/packet.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/node-change.h"
#include "sim/fabric/subnet.h"

enum {
	GUIDS_AT = 8,			/* of a GID: behind its prefix */
	GID_MULTICAST = 0xff,		/* the first byte of one */
};

static struct end_port *physical_end(const struct functions *functions)
{
	return functions->pf->ports[1].end;
}

/* ---- states and addresses ---- */

uint8_t function_state(const struct virtual_function *function)
{
	const struct functions *functions = function->node->functions;

	if (!function_is_enabled(function))
		return PORT_DOWN;
	switch (function->policy) {
	case FUNCTION_DOWN:
		return PORT_DOWN;
	case FUNCTION_UP:
		return function->state;
	case FUNCTION_FOLLOW:
		return functions->pf->ports[1].state == PORT_ACTIVE ? function->state : PORT_DOWN;
	}
	return PORT_DOWN;
}

/* An SM learns of it when it reads VirtualizationInfo next. */
static void changed(struct virtual_function *function, uint8_t state_before)
{
	if (function_state(function) != state_before)
		function->node->functions->state_changed = true;
	node_changed(function->node->functions->pf);
}

/*
 * A vport that comes up is in Init, for an SM to bring it up. In a warm fabric that has been done.
 */
void function_set_policy(struct virtual_function *function, enum function_policy policy)
{
	uint8_t before = function_state(function);

	function->policy = policy;
	if (policy == FUNCTION_DOWN || before == PORT_DOWN)
		function->state = function->node->fabric->options.cold ? PORT_INIT : PORT_ACTIVE;
	changed(function, before);
}

void function_set_state(struct virtual_function *function, enum port_state state)
{
	uint8_t before = function_state(function);

	function->state = (uint8_t)state;
	changed(function, before);
}

void function_set_port_guid(struct virtual_function *function, uint64_t guid)
{
	struct end_port *end = function->node->ends;

	end->guid = guid;
	put_be64(end->gids[0] + GUIDS_AT, guid);
	function->node->functions->state_changed = true;
	node_changed(function->node->functions->pf);
}

void function_set_node_guid(struct virtual_function *function, uint64_t guid)
{
	function->node->node_guid = guid;
	function->node->functions->state_changed = true;
	node_changed(function->node->functions->pf);
}

/* One that was Active before is in Init, as one that comes up. */
void functions_enable(struct functions *functions, unsigned int enabled)
{
	bool is_cold = functions->pf->fabric->options.cold;

	functions->enabled = enabled;
	for (unsigned int i = 0; i < functions->count; i++)
		functions->at[i].state = is_cold ? PORT_INIT : PORT_ACTIVE;
	functions->state_changed = true;
	node_changed(functions->pf);
	functions_share(functions->pf);
}

/* The LID by which the vport is reached: its own, or that of the vport that it names. */
static void share_lid(struct virtual_function *function)
{
	const struct functions *functions = function->node->functions;
	struct kmod_port_attr *attr = &function->node->ends->attr;
	const struct kmod_port_attr *physical = &physical_end(functions)->attr;
	uint16_t of = function->lid_of;

	attr->lmc = 0;
	if (function->lid) {
		attr->lid = function->lid;
	} else if (of && functions->at[of - 1].lid) {
		attr->lid = functions->at[of - 1].lid;
	} else {
		attr->lid = physical->lid;
		attr->lmc = physical->lmc;
	}
}

void function_set_lid(struct virtual_function *function, uint16_t lid, uint16_t lid_of)
{
	struct functions *functions = function->node->functions;

	g_assert(lid_of <= functions->count);
	function->lid = lid;
	function->lid_of = lid_of;
	if (lid > functions->pf->fabric->lid_top)
		functions->pf->fabric->lid_top = lid;
	/* Others may have named this one. */
	node_changed(functions->pf);
}

/* An entry without a GUID is not a GID; the first one is there always. */
static void share_prefix(struct end_port *end, uint64_t gid_prefix)
{
	end->gid_prefix = gid_prefix;
	for (size_t i = 0; i < end->attr.gid_count; i++) {
		if (i == 0 || get_be64(end->gids[i] + GUIDS_AT))
			put_be64(end->gids[i], gid_prefix);
	}
}

void functions_share(struct node *pf)
{
	const struct functions *functions = pf->functions;
	const struct end_port *physical = physical_end(functions);

	for (unsigned int i = 0; i < functions->count; i++) {
		struct node *node = functions->at[i].node;

		share_lid(&functions->at[i]);
		share_prefix(node->ends, physical->gid_prefix);
		node->ends->sm_lid = physical->sm_lid;
		node->ends->sm_sl = physical->sm_sl;
		node->ends->subnet = physical->subnet;
		node->removed = pf->removed || functions->at[i].is_unbound ||
				!function_is_enabled(&functions->at[i]);
		node->changed = pf->fabric->changes;
	}
}

/* ---- receiving ---- */

bool functions_have_lid(const struct functions *functions, uint16_t lid)
{
	for (unsigned int i = 0; i < functions->count; i++) {
		if (functions->at[i].lid == lid)
			return true;
	}
	return false;
}

static bool has_guid(const struct end_port *end, uint64_t guid)
{
	for (size_t i = 0; i < end->attr.gid_count; i++) {
		if (get_be64(end->gids[i] + GUIDS_AT) == guid)
			return true;
	}
	return false;
}

bool functions_have_guid(const struct functions *functions, uint64_t guid)
{
	for (unsigned int i = 0; guid && i < functions->count; i++) {
		if (has_guid(functions->at[i].node->ends, guid))
			return true;
	}
	return false;
}

struct end_port *functions_end_by_lid(const struct subnet *subnet, uint16_t lid)
{
	const GPtrArray *pfs = subnet->fabric->pfs;

	for (guint i = 0; pfs && lid && i < pfs->len; i++) {
		const struct node *pf = g_ptr_array_index(pfs, i);

		if (pf->ports[1].end->subnet == subnet && functions_have_lid(pf->functions, lid))
			return pf->ports[1].end;
	}
	return NULL;
}

static struct port *receiver_by_gid(const struct functions *functions, uint64_t guid)
{
	if (has_guid(physical_end(functions), guid))
		return &functions->pf->ports[1];
	for (unsigned int i = 0; guid && i < functions->count; i++) {
		if (has_guid(functions->at[i].node->ends, guid))
			return &functions->at[i].node->ports[1];
	}
	return NULL;
}

struct port *functions_receiver(struct port *in, const struct packet *packet)
{
	const struct functions *functions = in->node->functions;
	const uint8_t *dgid = packet->bytes + LRH_SIZE + GRH_DGID;
	struct port *found = NULL;

	if (packet_has_grh(packet) && dgid[0] != GID_MULTICAST)
		found = receiver_by_gid(functions, get_be64(dgid + GUIDS_AT));
	for (unsigned int i = 0; !packet_has_grh(packet) && !found && i < functions->count; i++) {
		if (functions->at[i].lid && functions->at[i].lid == packet_dlid(packet))
			found = &functions->at[i].node->ports[1];
	}
	if (found)
		return found;
	/* What a vport has sent to the LID that it shares is for the physical function. */
	return port_physical(in);
}
