/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* From MADs to what they say: see sim/survey/survey.h. */
#include "config.h"

#include "sim/survey/survey.h"

#include <string.h>

#include "lib/base/wire.h"
#include "sim/capture/identity.h"
#include "sim/survey/node-info.h"
#include "sim/survey/survey-attribute.h"
#include "sim/survey/survey-facts.h"
#include "sim/survey/survey-map.h"
#include "sim/survey/survey-parts.h"
#include "sim/survey/survey-route.h"
#include "sim/survey/survey-table.h"

/* Fields of attributes that are looked at, by byte (IBA vol 1, 14.2.5 and 15.2.5). */
enum {
	SWITCH_INFO_FLAGS = 16,
	SWITCH_INFO_ENHANCED_PORT0 = 0x08,
	PORT_INFO_LID = 16,
	PORT_INFO_SM_LID = 18,
	PORT_INFO_LOCAL_PORT = 28,
	PORT_INFO_WIDTH_ACTIVE = 31,
	PORT_INFO_STATE = 32,		/* low 4 bits */
	PORT_INFO_LMC = 34,		/* low 3 bits */
	PORT_INFO_SPEED_ACTIVE = 35,	/* high 4 bits */
	PORT_INFO_VL_CAP = 37,		/* high 4 bits */
	PORT_INFO_SPEED_EXT2 = 56,	/* bits 5 and 6 */
	PORT_INFO_SPEED_EXT_ACTIVE = 62,	/* high 4 bits */
	EXT_PORT_INFO_SPEED_ACTIVE = 15,
	EXT_PORT_INFO_FDR10 = 1,
	RECORD_DATA = 4,		/* behind LID and port of a record */
	NODE_RECORD_DESCRIPTION = 44,
	STATE_DOWN = 1,
	SPEED_NDR = 8,
	SPEED_XDR = 32,
};

struct survey *survey_new(void)
{
	struct survey *survey = g_new0(struct survey, 1);

	survey->map = survey_map_new();
	survey->facts = survey_facts_new();
	survey->routes = survey_routes_new(survey->map);
	survey->tables = survey_tables_new(survey_record, survey);
	return survey;
}

void survey_free(struct survey *survey)
{
	if (!survey)
		return;
	survey_tables_free(survey->tables);
	survey_routes_free(survey->routes);
	survey_facts_free(survey->facts);
	survey_map_free(survey->map);
	g_free(survey);
}

const struct survey_counts *survey_get_counts(const struct survey *survey)
{
	return &survey->counts;
}

/* ---- what attributes say ---- */

static struct survey_node *node_at(struct survey *survey, int index)
{
	return survey_map_node(survey->map, survey_map_resolve(survey->map, index));
}

/* Bytes of which a line of text is made: up to the first zero, without what ends lines. */
static void take_description(struct survey *survey, int index, const uint8_t *data)
{
	struct survey_node *node = node_at(survey, index);

	memcpy(node->description, data, TOPOLOGY_DESCRIPTION_MAX);
	node->description[TOPOLOGY_DESCRIPTION_MAX] = '\0';
	for (char *c = node->description; *c; c++)
		if (g_ascii_iscntrl(*c))
			*c = ' ';
	node->described = true;
}

static void take_switch_info(struct survey *survey, int index, const uint8_t *data)
{
	struct survey_node *node = node_at(survey, index);

	node->switch_info = true;
	node->enhanced_port0 = data[SWITCH_INFO_FLAGS] & SWITCH_INFO_ENHANCED_PORT0;
}

static uint8_t speed_ext_active(const uint8_t *data)
{
	uint8_t speed = data[PORT_INFO_SPEED_EXT_ACTIVE] >> 4;

	/* XDR shows as NDR to those who do not know the other field. */
	if (speed == SPEED_NDR && data[PORT_INFO_SPEED_EXT2] >> 5 & 1)
		return SPEED_XDR;
	return speed;
}

static void take_port_info(struct survey *survey, int index, unsigned int num, const uint8_t *data)
{
	struct survey_port *port = survey_map_port(survey->map, index, num);
	const struct survey_node *node = node_at(survey, index);
	bool is_end_port = !num || (node->identified && node->kind != TOPOLOGY_SWITCH);

	port->state = data[PORT_INFO_STATE] & 15;
	port->width_active = data[PORT_INFO_WIDTH_ACTIVE];
	port->speed_active = data[PORT_INFO_SPEED_ACTIVE] >> 4;
	port->speed_ext_active = speed_ext_active(data);
	port->vl_cap = data[PORT_INFO_VL_CAP] >> 4;
	if (is_end_port)
		survey_map_set_lid(survey->map, index, num, get_be16(data + PORT_INFO_LID),
				   data[PORT_INFO_LMC] & TOPOLOGY_LMC_MAX);
	if (is_end_port)
		survey_facts_sm_lid(survey->facts, get_be16(data + PORT_INFO_SM_LID));
	if (num && (data[PORT_INFO_STATE] & 15) == STATE_DOWN)
		survey_map_unlink(survey->map, index, num);
}

/* ---- subnet management ---- */

/* The port of a PortInfo; SURVEY_PORT_NONE: it cannot be told. */
static unsigned int port_meant(const struct survey_node *node, const uint8_t *mad)
{
	unsigned int num = mad[MAD_ATTR_MOD + 3];

	if (!node->identified && !num)
		return SURVEY_PORT_NONE;
	return num || node->kind == TOPOLOGY_SWITCH ? num : mad[SMP_DATA + PORT_INFO_LOCAL_PORT];
}

/* An answer of the node at 'index', which NodeInfo may show to be another one: its index. */
static int take_smp(struct survey *survey, int index, const uint8_t *mad)
{
	const uint8_t *data = mad + SMP_DATA;
	const struct survey_node *node = node_at(survey, index);
	unsigned int num;

	switch (get_be16(mad + MAD_ATTR_ID)) {
	case ATTR_NODE_INFO:
		return survey_map_identify(survey->map, index, data);
	case ATTR_NODE_DESCRIPTION:
		take_description(survey, index, data);
		break;
	case ATTR_SWITCH_INFO:
		take_switch_info(survey, index, data);
		break;
	case ATTR_PORT_INFO:
		num = port_meant(node, mad);
		if (num != SURVEY_PORT_NONE)
			take_port_info(survey, index, num, data);
		break;
	case ATTR_MLNX_EXT_PORT_INFO:
		num = mad[MAD_ATTR_MOD + 3];
		if (num && num != SURVEY_PORT_NONE)
			survey_map_port(survey->map, index, num)->fdr10 =
				data[EXT_PORT_INFO_SPEED_ACTIVE] & EXT_PORT_INFO_FDR10;
		break;
	default:	/* numbers of the wire */
		break;
	}
	return index;
}

static bool is_of_interest(const uint8_t *mad)
{
	static const uint16_t attributes[] = {
		ATTR_NODE_INFO, ATTR_NODE_DESCRIPTION, ATTR_SWITCH_INFO, ATTR_PORT_INFO,
		ATTR_MLNX_EXT_PORT_INFO,
	};

	for (size_t i = 0; i < G_N_ELEMENTS(attributes); i++)
		if (get_be16(mad + MAD_ATTR_ID) == attributes[i])
			return true;
	return false;
}

/* The cable by which a route comes to the node: NodeInfo and PortInfo say where it comes in. */
static void take_cable(struct survey *survey, const struct survey_place *place, const uint8_t *mad)
{
	uint16_t attribute = get_be16(mad + MAD_ATTR_ID);
	unsigned int num = 0;

	if (attribute == ATTR_NODE_INFO)
		num = mad[SMP_DATA + NODE_INFO_LOCAL_PORT];
	else if (attribute == ATTR_PORT_INFO)
		num = mad[SMP_DATA + PORT_INFO_LOCAL_PORT];
	if (num && place->before)
		survey_map_link(survey->map, place->before->node, place->exit_port, place->node,
				num);
}

/* The end port at the end of a route; 1 where its cable is not known. */
static unsigned int port_at_end(struct survey *survey, const struct survey_place *place)
{
	const struct survey_place *before = place->before;
	const struct survey_port *exit;
	const struct survey_node *node = node_at(survey, place->node);

	if (before) {
		exit = survey_map_port(survey->map, before->node, place->exit_port);
		return exit->peer >= 0 ? exit->peer_port : 1;
	}
	for (unsigned int num = 1; num < node->port_space; num++)
		if (node->ports[num].peer >= 0)
			return num;
	return 1;
}

/* Tables and the like, which say nothing of the topology. */
static void take_facts_by_route(struct survey *survey, const struct capture_mad *captured)
{
	const struct survey_place *place = survey_route_answer(survey->routes, captured);

	if (place)
		survey_facts_smp(survey->facts, survey_map_resolve(survey->map, place->node),
				 node_at(survey, place->node)->kind == TOPOLOGY_SWITCH,
				 port_at_end(survey, place), captured->mad);
}

static void take_by_route(struct survey *survey, const struct capture_mad *captured)
{
	struct survey_place *place = survey_route_answer(survey->routes, captured);
	int node;

	if (!place) {
		survey->counts.unasked++;
		return;
	}
	node_at(survey, place->node)->by_route = true;
	node = take_smp(survey, place->node, captured->mad);
	if (node < 0) {
		survey->counts.impossible++;
		return;
	}
	place->node = node;
	node_at(survey, node)->by_route = true;
	take_cable(survey, place, captured->mad);
	survey->counts.used++;
}

/* The LID may be any of the port's: it is its base unless that is known. */
static void take_source_lid(struct survey *survey, int node, unsigned int num, uint16_t lid)
{
	const struct survey_port *port = survey_map_port(survey->map, node, num);

	if (lid < port->lid || lid >= port->lid + (1U << port->lmc))
		survey_map_set_lid(survey->map, node, num, lid, 0);
}

static void take_by_lid(struct survey *survey, const struct capture_mad *captured)
{
	const uint8_t *mad = captured->mad;
	uint8_t num;
	int before = survey_map_lid_owner(survey->map, captured->addr.slid, &num), node;

	if (before < 0)
		return;
	node = take_smp(survey, before, mad);
	if (node < 0) {
		survey->counts.impossible++;
		return;
	}
	survey->counts.used++;
	if (get_be16(mad + MAD_ATTR_ID) != ATTR_NODE_INFO)
		return;
	num = node_at(survey, node)->kind == TOPOLOGY_SWITCH ? 0 :
	      mad[SMP_DATA + NODE_INFO_LOCAL_PORT];
	take_source_lid(survey, node, num, captured->addr.slid);
}

/* The same by LID; and firmware, which is asked for by LID alone. */
static void take_facts_by_lid(struct survey *survey, const struct capture_mad *captured)
{
	uint8_t num;
	int node = survey_map_lid_owner(survey->map, captured->addr.slid, &num);

	if (node < 0)
		return;
	node = survey_map_resolve(survey->map, node);
	if (captured->mad[MAD_CLASS] == MLNX_CLASS)
		survey_facts_general_info(survey->facts, node, captured->mad);
	else
		survey_facts_smp(survey->facts, node,
				 node_at(survey, node)->kind == TOPOLOGY_SWITCH,
				 num == SURVEY_PORT_NONE ? 1 : num, captured->mad);
}

/* Whoever asked along routes also sends by LID, and is the node that has it. */
static void take_asker(struct survey *survey, const struct capture_mad *captured)
{
	uint16_t lid = captured->addr.slid;
	uint8_t num, lid_num;
	int node = survey_route_asker(survey->routes, captured, &num), owner;

	if (node < 0 || !lid || lid > TOPOLOGY_LID_MAX)
		return;
	owner = survey_map_lid_owner(survey->map, lid, &lid_num);
	if (survey_map_node(survey->map, owner)->identified)
		survey_map_merge(survey->map, node, owner);
	else
		take_source_lid(survey, node, num, lid);
}

/* ---- subnet administration ---- */

static void take_node_record(struct survey *survey, const uint8_t *record)
{
	const uint8_t *info = record + RECORD_DATA;
	uint16_t lid = get_be16(record);
	uint8_t num;
	int node = survey_map_lid_owner(survey->map, lid, &num);

	if (node < 0)
		node = survey_map_add(survey->map);
	node = survey_map_identify(survey->map, node, info);
	if (node < 0) {
		survey->counts.impossible++;
		return;
	}
	take_description(survey, node, record + NODE_RECORD_DESCRIPTION);
	num = node_at(survey, node)->kind == TOPOLOGY_SWITCH ? 0 : info[NODE_INFO_LOCAL_PORT];
	take_source_lid(survey, node, num, lid);
}

static void take_port_info_record(struct survey *survey, const uint8_t *record)
{
	uint8_t num;
	int node = survey_map_lid_owner(survey->map, get_be16(record), &num);

	if (node >= 0 && record[2] != SURVEY_PORT_NONE)
		take_port_info(survey, node, record[2], record + RECORD_DATA);
}

static void take_switch_info_record(struct survey *survey, const uint8_t *record)
{
	uint8_t num;
	int node = survey_map_lid_owner(survey->map, get_be16(record), &num);

	if (node >= 0)
		take_switch_info(survey, node, record + RECORD_DATA);
}

/* From LID, from port, to port, to LID. */
static void take_link_record(struct survey *survey, const uint8_t *record)
{
	uint8_t num;
	int from = survey_map_lid_owner(survey->map, get_be16(record), &num);
	int to = survey_map_lid_owner(survey->map, get_be16(record + 4), &num);

	if (from >= 0 && to >= 0)
		survey_map_link(survey->map, from, record[2], to, record[3]);
}

static void take_facts_record(struct survey *survey, uint16_t attribute, const uint8_t *record)
{
	uint8_t num;
	int node = survey_map_lid_owner(survey->map, get_be16(record), &num);

	if (node >= 0)
		survey_facts_record(survey->facts, survey_map_resolve(survey->map, node), attribute,
				    record);
}

void survey_record(void *ctx, uint16_t attribute, const uint8_t *record)
{
	struct survey *survey = ctx;

	switch (attribute) {
	case SA_NODE_RECORD:
		take_node_record(survey, record);
		break;
	case SA_PORT_INFO_RECORD:
		take_port_info_record(survey, record);
		break;
	case SA_SWITCH_INFO_RECORD:
		take_switch_info_record(survey, record);
		break;
	case SA_LINK_RECORD:
		take_link_record(survey, record);
		break;
	case SA_LINEAR_TABLE_RECORD:
	case SA_SM_INFO_RECORD:
	case SA_PKEY_TABLE_RECORD:
		take_facts_record(survey, attribute, record);
		break;
	default:	/* numbers of the wire */
		break;
	}
}

static void take_table(struct survey *survey, const struct capture_mad *captured)
{
	static const uint16_t attributes[] = {
		SA_NODE_RECORD, SA_PORT_INFO_RECORD, SA_SWITCH_INFO_RECORD, SA_LINK_RECORD,
		SA_LINEAR_TABLE_RECORD, SA_SM_INFO_RECORD, SA_PKEY_TABLE_RECORD,
	};

	for (size_t i = 0; i < G_N_ELEMENTS(attributes); i++) {
		if (get_be16(captured->mad + MAD_ATTR_ID) != attributes[i])
			continue;
		survey_table_take(survey->tables, captured);
		survey->counts.used++;
	}
}

/* ---- MADs ---- */

/* A second record of umadrig's own captures, at the port where a MAD was dropped. */
static bool is_drop(const struct capture_mad *mad)
{
	return mad->direction == CAPTURE_INBOUND && mad->comment &&
	       strstr(mad->comment, "dropped: ");
}

/* NodeInfo of the port that asks, which does not ask itself along a cable. */
static void take_identity(struct survey *survey, const struct capture_mad *captured,
			  const struct capture_interface *interface)
{
	uint8_t num, info[NODE_INFO_SIZE] = { 0 };
	int node = survey_route_asker(survey->routes, captured, &num);
	struct capture_identity identity;

	if (node < 0 || node_at(survey, node)->identified || !interface ||
	    !capture_identity_parse(interface->comment, &identity))
		return;
	info[NODE_INFO_TYPE] = (uint8_t)identity.node_type;
	info[NODE_INFO_PORTS] = (uint8_t)identity.port_count;
	put_be64(info + NODE_INFO_SYSTEM_GUID, identity.system_guid);
	put_be64(info + NODE_INFO_GUID, identity.node_guid);
	put_be64(info + NODE_INFO_PORT_GUID, identity.port_guid);
	put_be16(info + NODE_INFO_DEVICE, (uint16_t)identity.device_id);
	put_be32(info + NODE_INFO_REVISION, identity.revision);
	info[NODE_INFO_LOCAL_PORT] = (uint8_t)identity.port_num;
	put_be24(info + NODE_INFO_VENDOR, identity.vendor_id);
	node = survey_map_identify(survey->map, node, info);
	num = identity.node_type == TOPOLOGY_SWITCH ? 0 : (uint8_t)identity.port_num;
	if (identity.lid && !survey_map_port(survey->map, node, num)->lid)
		survey_map_set_lid(survey->map, node, num, (uint16_t)identity.lid,
				   (uint8_t)identity.lmc);
}

static void take_directed(struct survey *survey, const struct capture_mad *captured,
			  const struct capture_interface *interface)
{
	const uint8_t *mad = captured->mad;
	uint16_t status = get_be16(mad + MAD_STATUS);

	if (!mad_is_response(mad)) {
		survey_route_request(survey->routes, captured,
				     interface ? interface->description : NULL);
		take_identity(survey, captured, interface);
	} else if (mad[MAD_METHOD] == MAD_METHOD_GET_RESP && !(status & ~SMP_DIRECTION) &&
		   is_of_interest(mad)) {
		take_by_route(survey, captured);
	} else if (mad[MAD_METHOD] == MAD_METHOD_GET_RESP && !(status & ~SMP_DIRECTION) &&
		   survey_facts_has(get_be16(mad + MAD_ATTR_ID))) {
		take_facts_by_route(survey, captured);
	}
}

/* An answer by LID without an error. */
static void take_answer(struct survey *survey, const struct capture_mad *captured)
{
	const uint8_t *mad = captured->mad;
	uint16_t attribute = get_be16(mad + MAD_ATTR_ID);
	bool is_get = mad[MAD_METHOD] == MAD_METHOD_GET_RESP;

	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_ADM)
		take_table(survey, captured);
	else if (mad[MAD_CLASS] == MAD_CLASS_SUBN_LID && is_get && is_of_interest(mad))
		take_by_lid(survey, captured);
	else if (is_get && (mad[MAD_CLASS] == MAD_CLASS_SUBN_LID ? survey_facts_has(attribute) :
			    mad[MAD_CLASS] == MLNX_CLASS && attribute == MLNX_GENERAL_INFO))
		take_facts_by_lid(survey, captured);
}

void survey_take(struct survey *survey, const struct capture_mad *captured,
		 const struct capture_interface *interface)
{
	const uint8_t *mad = captured->mad;

	survey->counts.mads++;
	if (captured->icrc_wrong || captured->vcrc_wrong) {
		survey->counts.wrong_crc++;
		return;
	}
	if (mad[MAD_BASE_VERSION] != 1 || is_drop(captured))
		return;
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_DR) {
		take_directed(survey, captured, interface);
		return;
	}
	take_asker(survey, captured);
	if (mad_is_response(mad) && !get_be16(mad + MAD_STATUS))
		take_answer(survey, captured);
}
