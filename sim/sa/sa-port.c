/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Records of ports, those of switches included: PortInfoRecord, P_KeyTableRecord,
 * SLtoVLMappingTableRecord and VLArbitrationTableRecord (IBA vol 1, 15.2.5.3, 15.2.5.4, 15.2.5.9
 * and 15.2.5.11).
 */
#include <string.h>

#include "sim/agents/sma.h"
#include "sim/fabric/partition.h"
#include "sim/fabric/route.h"
#include "sim/sa/sa-list.h"

enum {
	LID_COMPONENT = 0,

	/* PortInfoRecord: components, then bytes */
	OPTIONS_COMPONENT = 2,
	CAP_MASK_COMPONENT = 7,
	CAP_MASK_2_COMPONENT = 53,
	PORT_NUM = 2,
	OPTIONS = 3,
	PORT_INFO = 4,
	FULL_PORT_INFO = 0x80,		/* Options: as the port has it */
	MATCH_BITS = INT32_MIN,		/* AttributeModifier: these capabilities, or more */

	/* The others, in bytes */
	BLOCK_NUM = 2,
	P_KEY_PORT = 4,
	IN_PORT = 2,
	OUT_PORT = 3,
	TABLE = 8,
	P_KEYS_PER_BLOCK = 32,
	VL_BLOCKS = 4,
};

static const struct mad_field *m_key, *cap_mask, *cap_mask_2, *speed_active, *speed_supported,
	*speed_enabled, *speed_ext_active, *speed_ext_active_2;

__attribute__((constructor)) static void look_up_fields(void)
{
	m_key = mad_field_must(MAD_CLASS_SUBN_LID, ATTR_PORT_INFO, "Mkey");
	cap_mask = mad_field_must(MAD_CLASS_SUBN_LID, ATTR_PORT_INFO, "CapMask");
	cap_mask_2 = mad_field_must(MAD_CLASS_SUBN_LID, ATTR_PORT_INFO, "CapabilityMask2");
	speed_active = mad_field_must(MAD_CLASS_SUBN_LID, ATTR_PORT_INFO, "LinkSpeedActive");
	speed_supported = mad_field_must(MAD_CLASS_SUBN_LID, ATTR_PORT_INFO, "LinkSpeedSupported");
	speed_enabled = mad_field_must(MAD_CLASS_SUBN_LID, ATTR_PORT_INFO, "LinkSpeedEnabled");
	speed_ext_active = mad_field_must(MAD_CLASS_SUBN_LID, ATTR_PORT_INFO,
					  "LinkSpeedExtActive");
	speed_ext_active_2 = mad_field_must(MAD_CLASS_SUBN_LID, ATTR_PORT_INFO,
					    "LinkSpeedExtActive2");
}

/* Does one port of a node, which 'end' speaks for; 'port' is that to ask. */
typedef void port_fn(const struct sa_request *request, struct sa_table *table,
		     const struct end_port *end, struct port *port);

/* Calls 'offer' for each port of the nodes that the request's LID selects. */
static void for_ports(const struct sa_request *request, struct sa_table *table, port_fn *offer)
{
	struct sa_ends at = { 0 };
	struct end_port *end;

	sa_table_skip(table, SA_COMPONENT(LID_COMPONENT));
	while (!sa_table_is_done(table) && (end = sa_ends_next(request->subnet, &at))) {
		struct node *node = end->port->node;

		if (sa_other_lid(request, LID_COMPONENT, 0, end) || !sa_may_see(request, end))
			continue;
		if (!node->sw) {
			offer(request, table, end, end->port);
			continue;
		}
		for (unsigned int num = 0; num <= node->port_count; num++)
			offer(request, table, end, &node->ports[num]);
	}
}

/* ---- PortInfoRecord ---- */

/*
 * LocalPortNum is where the request came in, as it would from the SM: the port of a switch that
 * leads there.
 */
static struct port *towards_sm(const struct sa_request *request, struct port *port)
{
	struct node *node = port->node;
	uint8_t egress = node->sw ? switch_egress(node, request->from->sm_lid) : 0;

	if (!node->sw)
		return port;
	return &node->ports[egress <= node->port_count ? egress : 0];
}

/*
 * Programs that know of no extended speeds see QDR on a link that has one (IBA vol 1, 15.2.5.3),
 * unless they ask for all of PortInfo.
 */
static void show_qdr(const struct sa_request *request, uint8_t *info)
{
	enum { QDR = 4 };

	if (sa_has(request, OPTIONS_COMPONENT) && request->data[OPTIONS] & FULL_PORT_INFO)
		return;
	if (!mad_field_get(speed_ext_active, info) && !mad_field_get(speed_ext_active_2, info))
		return;
	mad_field_set(speed_active, info, mad_field_get(speed_active, info) | QDR);
	mad_field_set(speed_supported, info, mad_field_get(speed_supported, info) | QDR);
	mad_field_set(speed_enabled, info, mad_field_get(speed_enabled, info) | QDR);
}

/* Does the field lack a bit that the request has there? */
static bool lacks(const struct sa_request *request, const struct mad_field *field,
		  unsigned int component, const uint8_t *info)
{
	uint64_t wanted = mad_field_get(field, request->data + PORT_INFO);

	return sa_has(request, component) && (mad_field_get(field, info) & wanted) != wanted;
}

static void offer_port(const struct sa_request *request, struct sa_table *table,
		       const struct end_port *end, struct port *port)
{
	uint8_t record[SA_RECORD_MAX] = { 0 };
	uint8_t *info = record + PORT_INFO;

	put_be16(record, end->attr.lid);
	record[PORT_NUM] = port->num;
	if (sa_has(request, OPTIONS_COMPONENT))
		record[OPTIONS] = request->data[OPTIONS];
	sma_read(towards_sm(request, port), ATTR_PORT_INFO, port->num, info);
	if (request->modifier & (uint32_t)MATCH_BITS &&
	    (lacks(request, cap_mask, CAP_MASK_COMPONENT, info) ||
	     lacks(request, cap_mask_2, CAP_MASK_2_COMPONENT, info)))
		return;
	/* IBA vol 1, 15.2.5.3: only those learn the M_Key who know the SM_Key. */
	if (!request->is_trusted)
		mad_field_set(m_key, info, 0);
	if (!sa_table_matches(table, record))
		return;
	show_qdr(request, info);
	sa_table_add(table, record);
}

enum sa_status sa_list_ports(const struct sa_request *request, struct sa_table *table)
{
	sa_table_skip(table, SA_COMPONENT(OPTIONS_COMPONENT));
	if (request->modifier & (uint32_t)MATCH_BITS)
		sa_table_skip(table, SA_COMPONENT(CAP_MASK_COMPONENT) |
				     SA_COMPONENT(CAP_MASK_2_COMPONENT));
	for_ports(request, table, offer_port);
	return SA_OK;
}

/* ---- P_KeyTableRecord ---- */

static void offer_p_keys(const struct sa_request *request, struct sa_table *table,
			 const struct end_port *end, struct port *port)
{
	size_t count = port->end ? port->end->attr.pkey_count : PARTITION_KEYS;
	struct port *asked = port->end ? port : &port->node->ports[0];

	(void)request;
	if (!port->end && !port_is_linked(port))
		return;
	for (unsigned int i = 0; i * P_KEYS_PER_BLOCK < count; i++) {
		uint8_t record[SA_RECORD_MAX] = { 0 };
		uint32_t modifier = port->node->sw ? (uint32_t)port->num << 16 | i : i;

		put_be16(record, end->attr.lid);
		put_be16(record + BLOCK_NUM, (uint16_t)i);
		record[P_KEY_PORT] = port->num;
		sma_read_modified(asked, ATTR_P_KEY_TABLE, modifier, record + TABLE);
		sa_table_offer(table, record);
	}
}

enum sa_status sa_list_p_keys(const struct sa_request *request, struct sa_table *table)
{
	for_ports(request, table, offer_p_keys);
	return SA_OK;
}

/* ---- SLtoVLMappingTableRecord, VLArbitrationTableRecord ---- */

/* Offers a record with port numbers ('components'), which on a CA do not mean anything. */
static void offer_of_port(struct sa_table *table, const struct port *port, uint64_t components,
			  const uint8_t *record)
{
	uint64_t mask = table->mask;

	if (!port->node->sw)
		sa_table_skip(table, components);
	sa_table_offer(table, record);
	table->mask = mask;
}

static void offer_sl_to_vl(const struct sa_request *request, struct sa_table *table,
			   const struct end_port *end, struct port *port)
{
	unsigned int last = port->node->sw ? port->node->port_count : 0;

	(void)request;
	for (unsigned int in = 0; in <= last; in++) {
		uint8_t record[SA_RECORD_MAX] = { 0 }, data[SMP_DATA_SIZE];

		put_be16(record, end->attr.lid);
		if (port->node->sw) {
			record[IN_PORT] = (uint8_t)in;
			record[OUT_PORT] = port->num;
		}
		sma_read_modified(port->end ? port : &port->node->ports[0], ATTR_SL_TO_VL,
				  in << 8 | (port->node->sw ? port->num : 0), data);
		memcpy(record + TABLE, data, 8);
		offer_of_port(table, port, SA_COMPONENT(1) | SA_COMPONENT(2), record);
	}
}

enum sa_status sa_list_sl_to_vl(const struct sa_request *request, struct sa_table *table)
{
	for_ports(request, table, offer_sl_to_vl);
	return SA_OK;
}

static void offer_vl_arbitration(const struct sa_request *request, struct sa_table *table,
				 const struct end_port *end, struct port *port)
{
	(void)request;
	for (unsigned int block = 1; block <= VL_BLOCKS; block++) {
		uint8_t record[SA_RECORD_MAX] = { 0 };

		put_be16(record, end->attr.lid);
		record[2] = port->num;
		record[3] = (uint8_t)block;
		/* Of blocks beyond the port's tables nothing is read: they are all zero. */
		sma_read_modified(port->end ? port : &port->node->ports[0], ATTR_VL_ARBITRATION,
				  block << 16 | (port->node->sw ? port->num : 0), record + TABLE);
		offer_of_port(table, port, SA_COMPONENT(1), record);
	}
}

enum sa_status sa_list_vl_arbitration(const struct sa_request *request, struct sa_table *table)
{
	for_ports(request, table, offer_vl_arbitration);
	return SA_OK;
}
