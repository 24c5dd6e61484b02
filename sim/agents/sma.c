/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The subnet management agent: the answers of a node's firmware on QP0 (IBA vol 1, 14.2.5), from
 * the live state of the fabric.
 *
 * Which requests are answered, and with which status, follows the software SMAs of Linux's HCA
 * drivers rather than the IBA specification; comments say where the two differ. The attributes
 * themselves are in sim/agents/sma-node.c, sim/agents/sma-port.c, sim/agents/sma-device.c,
 * sim/agents/sma-table.c, sim/agents/sma-virtual.c and sim/agents/sma-register.c.
 */
#include "sim/agents/sma.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/node-change.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/trap.h"
#include "sim/time/event-queue.h"

enum {
	SM_MASTER = 3,			/* SMInfo.SMState */
	SWEEP_SECONDS = 10,		/* between two sweeps of a subnet that does not change */
};

static const struct mad_field *sm_guid, *sm_activity, *sm_state;

__attribute__((constructor)) static void look_up_fields(void)
{
	sm_guid = mad_field_must(MAD_CLASS_SUBN_LID, ATTR_SM_INFO, "SmInfoGuid");
	sm_activity = mad_field_must(MAD_CLASS_SUBN_LID, ATTR_SM_INFO, "SmActivity");
	sm_state = mad_field_must(MAD_CLASS_SUBN_LID, ATTR_SM_INFO, "SmState");
}

/* ---- attributes ---- */

static const struct attribute {
	uint16_t id;
	sma_get_fn *get;
	sma_set_fn *set;	/* NULL: it is read-only */
	struct port *(*selected)(const struct sma_request *request);	/* NULL: not by modifier */
	sma_exchange_fn *exchange;	/* instead of 'set', if a Get does not answer a Set */
} attributes[] = {
	{ ATTR_NODE_INFO, sma_get_node_info, NULL, NULL, NULL },
	{ ATTR_PORT_INFO, sma_get_port_info, sma_set_port_info, sma_selected_port_info, NULL },
	{ ATTR_LINEAR_TABLE, sma_get_linear_table, sma_set_linear_table, NULL, NULL },
	{ ATTR_NODE_DESCRIPTION, sma_get_node_description, sma_set_node_description, NULL, NULL },
	{ ATTR_SWITCH_INFO, sma_get_switch_info, sma_set_switch_info, NULL, NULL },
	{ ATTR_GUID_INFO, sma_get_guid_info, sma_set_guid_info, NULL, NULL },
	{ ATTR_P_KEY_TABLE, sma_get_p_key_table, sma_set_p_key_table, NULL, NULL },
	{ ATTR_SL_TO_VL, sma_get_sl_to_vl, sma_set_sl_to_vl, NULL, NULL },
	{ ATTR_VL_ARBITRATION, sma_get_vl_arbitration, sma_set_vl_arbitration, NULL, NULL },
	{ ATTR_MULTICAST_TABLE, sma_get_multicast_table, sma_set_multicast_table, NULL, NULL },
	{ ATTR_HIERARCHY_INFO, sma_get_hierarchy_info, sma_set_hierarchy_info, NULL, NULL },
	{ ATTR_PORT_INFO_EXTENDED, sma_get_port_info_extended, sma_set_port_info_extended,
	  sma_selected_port, NULL },
	{ ATTR_VENDOR_DIAG, sma_get_vendor_diag, NULL, NULL, NULL },
	{ ATTR_LED_INFO, sma_get_led_info, sma_set_led_info, sma_selected_port, NULL },
	{ ATTR_MLNX_GENERAL_INFO, sma_get_general_info, NULL, NULL, NULL },
	{ ATTR_MLNX_CONFIG_SPACE, sma_get_config_space, NULL, NULL, sma_exchange_config_space },
	{ ATTR_MLNX_ACCESS_REGISTER, sma_get_register, NULL, NULL, sma_exchange_register },
	{ ATTR_MLNX_EXT_PORT_INFO, sma_get_mlnx_ext_port_info, sma_set_mlnx_ext_port_info,
	  sma_selected_port, NULL },
	{ ATTR_MLNX_EXTENDED_NODE_INFO, sma_get_mlnx_extended_node_info, NULL, NULL, NULL },
	{ ATTR_VIRTUALIZATION_INFO, sma_get_virtualization_info, sma_set_virtualization_info,
	  NULL, NULL },
	{ ATTR_VPORT_INFO, sma_get_vport_info, sma_set_vport_info, NULL, NULL },
	{ ATTR_VNODE_INFO, sma_get_vnode_info, NULL, NULL, NULL },
	{ ATTR_VPORT_STATE, sma_get_vport_state, NULL, NULL, NULL },
	{ ATTR_VNODE_DESCRIPTION, sma_get_vnode_description, NULL, NULL, NULL },
	{ ATTR_VPORT_GUID_INFO, sma_get_vport_guid_info, sma_set_vport_guid_info, NULL, NULL },
	{ ATTR_VPORT_P_KEY_TABLE, sma_get_vport_p_key_table, sma_set_vport_p_key_table, NULL,
	  NULL },
};

static const struct attribute *find_attribute(uint16_t id)
{
	for (size_t i = 0; i < G_N_ELEMENTS(attributes); i++) {
		if (attributes[i].id == id)
			return &attributes[i];
	}
	return NULL;
}

int sma_read_modified(struct port *port, unsigned int id, uint32_t modifier, uint8_t *data)
{
	const struct attribute *attribute = id <= UINT16_MAX ? find_attribute((uint16_t)id) : NULL;
	struct sma_request request = {
		.port = port, .end = port_speaker(port), .modifier = modifier,
		.m_key = port_speaker(port)->m_key, .wants_all = true,
	};

	memset(data, 0, SMP_DATA_SIZE);
	if (!attribute || attribute->get(&request, data) != MAD_STATUS_OK)
		return -EOPNOTSUPP;
	return 0;
}

int sma_read(struct port *port, unsigned int id, unsigned int num, uint8_t *data)
{
	bool of_port = id == ATTR_PORT_INFO || id == ATTR_PORT_INFO_EXTENDED ||
		       id == ATTR_MLNX_EXT_PORT_INFO;

	return sma_read_modified(port, id, of_port ? num : 0, data);
}

/* ---- requests ---- */

/* Turns 'out', a copy of the request, into the response. The data stay as the caller left them. */
static unsigned int answer(uint8_t *out, enum mad_status status)
{
	out[MAD_METHOD] = MAD_METHOD_GET_RESP;
	put_be16(out + MAD_STATUS, (uint16_t)(out[MAD_CLASS] == MAD_CLASS_SUBN_DR ?
					      SMP_DIRECTION | status : status));
	return KMOD_MAD_SUCCESS | KMOD_MAD_REPLY;
}

/* What is no usual Get or Set: not supported, unless it is the Set of an attribute for that. */
static enum mad_status exchange(const struct sma_request *request,
				const struct attribute *attribute, uint8_t *out)
{
	if (!attribute || !attribute->exchange)
		return MAD_STATUS_BAD_METHOD_ATTR;
	return attribute->exchange(request, out + SMP_DATA);
}

/* A Set is answered like a Get after it. */
static unsigned int answer_attribute(const struct sma_request *request,
				     const struct attribute *attribute, uint8_t *out)
{
	bool is_set = out[MAD_METHOD] == MAD_METHOD_SET;
	enum mad_status status = MAD_STATUS_OK, got;
	uint8_t data[SMP_DATA_SIZE] = { 0 };

	if (!attribute || (is_set && !attribute->set))
		return answer(out, exchange(request, attribute, out));
	if (is_set) {
		status = attribute->set(request, out + SMP_DATA);
		node_changed(request->port->node);
	}
	got = attribute->get(request, data);
	/* An attribute that is not supported is returned as it came. */
	if (got == MAD_STATUS_BAD_METHOD_ATTR)
		return answer(out, got);
	if (is_set && attribute->id == ATTR_PORT_INFO && status == MAD_STATUS_OK)
		sma_echo_reregister(request, out + SMP_DATA, data);
	memcpy(out + SMP_DATA, data, sizeof(data));
	return answer(out, status == MAD_STATUS_OK ? got : status);
}

void sma_fill_sm_info(const struct end_port *end, uint8_t *data)
{
	int64_t now_ns = end->port->node->fabric->queue.now_ns;

	mad_field_set(sm_guid, data, end->guid);
	mad_field_set(sm_activity, data, (uint64_t)(now_ns / (SWEEP_SECONDS * NS_PER_S)) + 1);
	mad_field_set(sm_state, data, SM_MASTER);
}

/* The fabric's own SA stands for a master. One that is told what to do by another SM is over. */
static unsigned int answer_own_sm_info(const struct end_port *end, uint8_t *out)
{
	if (out[MAD_METHOD] == MAD_METHOD_SET) {
		fabric_sa_give_way(end->subnet);
		return answer(out, MAD_STATUS_BAD_METHOD_ATTR);
	}
	memset(out + SMP_DATA, 0, SMP_DATA_SIZE);
	sma_fill_sm_info(end, out + SMP_DATA);
	return answer(out, MAD_STATUS_OK);
}

/*
 * SMInfo belongs to the subnet manager, if one runs on the port: the kernel then passes the request
 * to its agent.
 */
static unsigned int answer_sm_info(const struct end_port *end, uint8_t *out)
{
	if (end->cap_mask & CAP_SM_DISABLED)
		return KMOD_MAD_SUCCESS | KMOD_MAD_CONSUMED;
	if (fabric_sa_is_on(end))
		return answer_own_sm_info(end, out);
	if (end->cap_mask & CAP_IS_SM)
		return KMOD_MAD_SUCCESS;
	return answer(out, MAD_STATUS_BAD_METHOD_ATTR);
}

/*
 * The fabric's own SA hears traps for its subscribers, and represses them, as a subnet manager does
 * (IBA vol 1, 13.4.9). A program of that host which has registered for them gets them first.
 */
static unsigned int answer_trap(const struct end_port *end, uint16_t slid, uint8_t *out)
{
	uint64_t m_key;

	if (!fabric_sa_is_on(end) || get_be16(out + MAD_ATTR_ID) != ATTR_NOTICE ||
	    (end->kmod && kmod_port_takes(end->kmod, out)) ||
	    !end->subnet->sa->heard(end->subnet, slid, out + SMP_DATA, &m_key))
		return KMOD_MAD_SUCCESS;
	put_be64(out + SMP_MKEY, m_key);
	out[MAD_METHOD] = MAD_METHOD_TRAP_REPRESS;
	return KMOD_MAD_SUCCESS | KMOD_MAD_REPLY;
}

/* The lease is over: the subnet's manager has forgotten the port, or is gone. */
static void lease_fire(struct event *event)
{
	struct end_port *end = container_of(event, struct end_port, m_key_lease_end);

	end->m_key_protect = 0;
}

/*
 * IBA vol 1, 14.2.4.2: the first violation starts the lease, which runs until a request has the
 * right key.
 */
static void note_violation(struct end_port *end, uint16_t slid, const uint8_t *mad)
{
	struct umadrig_fabric *fabric = end->port->node->fabric;

	if (end->m_key_violations < UINT16_MAX)
		end->m_key_violations++;
	trap_m_key(end, slid, mad);
	if (!end->m_key_lease || !end->m_key_protect || event_is_armed(&end->m_key_lease_end))
		return;
	end->m_key_lease_end.kind = EVENT_TIMER;
	end->m_key_lease_end.fire = lease_fire;
	event_queue_arm(&fabric->queue, &end->m_key_lease_end,
			fabric->queue.now_ns + end->m_key_lease * NS_PER_S);
}

/* As m_key_allows(), of a requester that does not know the M_Key. */
__attribute__((noinline)) static bool allows_stranger(struct end_port *end, uint16_t slid,
						      const uint8_t *mad)
{
	if (mad[MAD_METHOD] == MAD_METHOD_GET && end->m_key_protect < 2)
		return true;
	note_violation(end, slid, mad);
	return false;
}

/*
 * IBA vol 1, 14.2.4: a requester that does not know the M_Key may read at protection levels 0 and
 * 1; its other requests are neither answered nor carried out, and the same goes for TrapRepress.
 */
static inline bool m_key_allows(const struct sma_request *request, struct end_port *end,
				uint16_t slid, const uint8_t *mad)
{
	if (sma_knows_m_key(request, end)) {
		if (event_is_armed(&end->m_key_lease_end))
			event_queue_disarm(&end->port->node->fabric->queue, &end->m_key_lease_end);
		return true;
	}
	return allows_stranger(end, slid, mad);
}

/*
 * What is about another port of an HCA needs the M_Keys of both, as with Linux's software SMAs: a
 * violation of either counts there.
 */
static bool m_keys_allow(const struct sma_request *request, const struct attribute *attribute,
			 struct end_port *end, uint16_t slid, const uint8_t *mad)
{
	struct end_port *other = end;
	struct port *selected;
	bool allowed;

	if (attribute && attribute->selected && !request->port->node->sw) {
		selected = attribute->selected(request);
		other = selected ? port_speaker(selected) : end;
	}
	allowed = m_key_allows(request, end, slid, mad);
	return (other == end || m_key_allows(request, other, slid, mad)) && allowed;
}

unsigned int sma_answer(struct port *port, uint16_t slid, const uint8_t *in, uint8_t *out)
{
	const struct attribute *attribute;
	struct end_port *end;
	uint16_t attr_id;
	struct sma_request request;

	/* A response is never answered, whatever is wrong with it. */
	if (in[MAD_METHOD] & MAD_METHOD_RESPONSE)
		return KMOD_MAD_SUCCESS;
	end = port_speaker(port);
	attr_id = get_be16(in + MAD_ATTR_ID);
	request = (struct sma_request) {
		.port = port,
		.end = end,
		.modifier = get_be32(in + MAD_ATTR_MOD),
		.m_key = get_be64(in + SMP_MKEY),
	};
	if (out != in)
		mad_copy(out, in);
	/* An HCA's kernel has already dropped other base versions. */
	if (in[MAD_BASE_VERSION] != 1 || in[MAD_CLASS_VERSION] != 1)
		return answer(out, MAD_STATUS_BAD_VERSION);

	switch (in[MAD_METHOD]) {
	case MAD_METHOD_GET:
	case MAD_METHOD_SET:
		/* IBA vol 1, 14.4.1: SMs ask each other for SM_Keys, in SMInfo, not for M_Keys. */
		if (attr_id == ATTR_SM_INFO)
			return answer_sm_info(end, out);
		attribute = find_attribute(attr_id);
		if (!m_keys_allow(&request, attribute, end, slid, in))
			return KMOD_MAD_FAILURE;
		return answer_attribute(&request, attribute, out);
	case MAD_METHOD_TRAP_REPRESS:
		if (attr_id != ATTR_NOTICE)
			return answer(out, MAD_STATUS_BAD_METHOD_ATTR);
		if (!m_key_allows(&request, end, slid, in))
			return KMOD_MAD_FAILURE;
		trap_repress(end, get_be64(in + MAD_TID));
		return KMOD_MAD_SUCCESS | KMOD_MAD_CONSUMED;
	case MAD_METHOD_TRAP:
		return answer_trap(end, slid, out);
	case MAD_METHOD_REPORT:
		return KMOD_MAD_SUCCESS;
	default:	/* numbers from the wire, not an enum of ours */
		return answer(out, MAD_STATUS_BAD_METHOD);
	}
}
