/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Congestion control: see sim/agents/cc.h.
 *
 * Tables are kept as they came, because nothing here looks into them.
 */
#include "sim/agents/cc.h"

#include <glib.h>
#include <string.h>

#include "sim/agents/gs-agent.h"
#include "sim/agents/sma.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port-counters.h"
#include "sim/fabric/port.h"

enum {
	CC_KEY = 24,			/* in the MAD */
	CC_LOG = 32,			/* of the log: the rest of the MAD */
	CC_DATA = 64,			/* of all other attributes */
	CC_DATA_SIZE = 192,
	CLASS_VERSION = 2,

	ATTR_CONGESTION_INFO = 0x0011,
	ATTR_CONGESTION_KEY_INFO = 0x0012,
	ATTR_CONGESTION_LOG = 0x0013,
	ATTR_SWITCH_SETTING = 0x0014,
	ATTR_SWITCH_PORT_SETTING = 0x0015,
	ATTR_CA_SETTING = 0x0016,
	ATTR_CONTROL_TABLE = 0x0017,
	ATTR_TIMESTAMP = 0x0018,

	LOG_SWITCH = 1,
	LOG_CA = 2,
	LOG_SWITCH_TIMESTAMP = 4,
	LOG_CA_TIMESTAMP = 8,

	SWITCH_SETTING_SIZE = 76,
	PORTS_PER_BLOCK = 48,		/* of 4 bytes each */
	PORT_BLOCKS = 256 / PORTS_PER_BLOCK + 1,
	CA_SETTING_HEAD = 4,		/* Port_Control, Control_Map; then 16 SLs */
	CA_SETTING_PER_SL = 8,
	CA_SETTING_SIZE = CA_SETTING_HEAD + COUNTER_LANES * CA_SETTING_PER_SL,
	TABLE_BLOCKS = 2,		/* ControlTableCap */
	TABLE_BLOCK_ENTRIES = 64,
	TABLE_HEAD = 4,			/* CCTI_Limit and 2 bytes; then the entries */
	TABLE_BLOCK_SIZE = TABLE_BLOCK_ENTRIES * 2,
	TIMESTAMP_NS = 1024,		/* 1.024 us */
};

/* What a manager has set at a port. */
struct cc_agent {
	struct end_port *end;
	uint64_t key;
	bool protect;
	uint16_t lease_s, violations;
	struct event lease_end;
	uint8_t switch_setting[SWITCH_SETTING_SIZE];
	uint8_t ports[PORT_BLOCKS][CC_DATA_SIZE];
	uint8_t ca_setting[CA_SETTING_SIZE];
	uint16_t table_limit;
	uint8_t table[TABLE_BLOCKS][TABLE_BLOCK_SIZE];
};

/* ---- fields, looked up once ---- */

#define KEY_INFO(F) F(CC_Key) F(CC_KeyProtectBit) F(CC_KeyLeasePeriod) F(CC_KeyViolations)

#define MEMBER(name) const struct mad_field *name;
static struct { KEY_INFO(MEMBER) } key_info;
static const struct mad_field *control_table_cap;

__attribute__((constructor)) static void look_up_fields(void)
{
#define IN_KEY_INFO(name) \
	key_info.name = mad_field_must(MAD_CLASS_CONG_MGT, ATTR_CONGESTION_KEY_INFO, #name);
	KEY_INFO(IN_KEY_INFO)
	control_table_cap = mad_field_must(MAD_CLASS_CONG_MGT, ATTR_CONGESTION_INFO,
					   "ControlTableCap");
}

/* ---- the key ---- */

/* The lease has expired: the owner of the key is gone, and others may read it. */
static void lease_fire(struct event *event)
{
	struct cc_agent *agent = container_of(event, struct cc_agent, lease_end);

	agent->protect = false;
}

static struct cc_agent *agent_of(struct end_port *end)
{
	if (!end->cc) {
		end->cc = g_new0(struct cc_agent, 1);
		end->cc->end = end;
		end->cc->lease_end.kind = EVENT_TIMER;
		end->cc->lease_end.fire = lease_fire;
	}
	return end->cc;
}

void cc_reset(struct end_port *end)
{
	if (end->cc)
		event_queue_disarm(&end->port->node->fabric->queue, &end->cc->lease_end);
	g_clear_pointer(&end->cc, g_free);
}

static bool knows_key(const struct cc_agent *agent, const uint8_t *mad)
{
	return agent->key == 0 || get_be64(mad + CC_KEY) == agent->key;
}

/* A requester that does not know the key may only read. The first violation starts the lease. */
static bool key_allows(struct cc_agent *agent, const uint8_t *mad)
{
	struct event_queue *queue = &agent->end->port->node->fabric->queue;

	if (knows_key(agent, mad)) {
		event_queue_disarm(queue, &agent->lease_end);
		return true;
	}
	if (mad[MAD_METHOD] == MAD_METHOD_GET)
		return true;
	if (agent->violations < UINT16_MAX)
		agent->violations++;
	if (agent->lease_s && !event_is_armed(&agent->lease_end))
		event_queue_arm(queue, &agent->lease_end,
				queue->now_ns + agent->lease_s * NS_PER_S);
	return false;
}

static void get_key_info(const struct cc_agent *agent, bool is_known, uint8_t *data)
{
	if (is_known || !agent->protect)
		mad_field_set(key_info.CC_Key, data, agent->key);
	mad_field_set(key_info.CC_KeyProtectBit, data, agent->protect);
	mad_field_set(key_info.CC_KeyLeasePeriod, data, agent->lease_s);
	mad_field_set(key_info.CC_KeyViolations, data, agent->violations);
}

/* Violations are cleared by writing 0, like those of an SMA. */
static void set_key_info(struct cc_agent *agent, const uint8_t *data)
{
	agent->key = mad_field_get(key_info.CC_Key, data);
	agent->protect = mad_field_get(key_info.CC_KeyProtectBit, data);
	agent->lease_s = (uint16_t)mad_field_get(key_info.CC_KeyLeasePeriod, data);
	if (mad_field_get(key_info.CC_KeyViolations, data) == 0)
		agent->violations = 0;
}

/* ---- settings ---- */

/* Control_Map selects the parts to be changed. */
static void set_switch_setting(struct cc_agent *agent, const uint8_t *data)
{
	static const struct { uint8_t from, size; } parts[] = {
		{ 4, 32 },	/* Victim_Mask */
		{ 36, 32 },	/* Credit_Mask */
		{ 68, 2 },	/* Threshold, Packet_Size */
		{ 70, 4 },	/* CS_Threshold, CS_ReturnDelay */
		{ 74, 2 },	/* Marking_Rate */
	};
	uint32_t control_map = get_be32(data);

	put_be32(agent->switch_setting, control_map);
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		if (control_map >> i & 1)
			memcpy(agent->switch_setting + parts[i].from, data + parts[i].from,
			       parts[i].size);
	}
}

/* Here Control_Map selects SLs. */
static void set_ca_setting(struct cc_agent *agent, const uint8_t *data)
{
	uint16_t control_map = get_be16(data + 2);

	memcpy(agent->ca_setting, data, CA_SETTING_HEAD);
	for (unsigned int sl = 0; sl < COUNTER_LANES; sl++) {
		size_t at = CA_SETTING_HEAD + sl * CA_SETTING_PER_SL;

		if (control_map >> sl & 1)
			memcpy(agent->ca_setting + at, data + at, CA_SETTING_PER_SL);
	}
}

static enum mad_status set_table(struct cc_agent *agent, unsigned int block, const uint8_t *data)
{
	uint16_t limit = get_be16(data);

	if (limit >= TABLE_BLOCKS * TABLE_BLOCK_ENTRIES)
		return MAD_STATUS_BAD_FIELD;
	agent->table_limit = limit;
	memcpy(agent->table[block], data + TABLE_HEAD, TABLE_BLOCK_SIZE);
	return MAD_STATUS_OK;
}

/* ---- attributes ---- */

static uint32_t timestamp(const struct cc_agent *agent)
{
	return (uint32_t)(agent->end->port->node->fabric->queue.now_ns / TIMESTAMP_NS);
}

static void get_log(const struct cc_agent *agent, uint8_t *data)
{
	bool is_switch = agent->end->attr.is_switch;

	data[0] = is_switch ? LOG_SWITCH : LOG_CA;
	put_be32(data + (is_switch ? LOG_SWITCH_TIMESTAMP : LOG_CA_TIMESTAMP), timestamp(agent));
}

/* The number of blocks of an attribute (AttributeModifier); 0: there is no such attribute. */
static unsigned int block_count(const struct end_port *end, uint16_t attr_id)
{
	bool is_switch = end->attr.is_switch;

	switch (attr_id) {
	case ATTR_CONGESTION_INFO:
	case ATTR_CONGESTION_KEY_INFO:
	case ATTR_CONGESTION_LOG:
	case ATTR_TIMESTAMP:
		return 1;
	case ATTR_SWITCH_SETTING:
		return is_switch;
	case ATTR_SWITCH_PORT_SETTING:
		return is_switch ? end->port->node->port_count / PORTS_PER_BLOCK + 1U : 0;
	case ATTR_CA_SETTING:
		return !is_switch;
	case ATTR_CONTROL_TABLE:
		return is_switch ? 0 : TABLE_BLOCKS;
	default:	/* numbers from the wire */
		return 0;
	}
}

static enum mad_status set_attribute(struct cc_agent *agent, uint16_t attr_id, unsigned int block,
				     const uint8_t *data)
{
	switch (attr_id) {
	case ATTR_CONGESTION_KEY_INFO:
		set_key_info(agent, data);
		return MAD_STATUS_OK;
	case ATTR_SWITCH_SETTING:
		set_switch_setting(agent, data);
		return MAD_STATUS_OK;
	case ATTR_SWITCH_PORT_SETTING:
		memcpy(agent->ports[block], data, CC_DATA_SIZE);
		return MAD_STATUS_OK;
	case ATTR_CA_SETTING:
		set_ca_setting(agent, data);
		return MAD_STATUS_OK;
	case ATTR_CONTROL_TABLE:
		return set_table(agent, block, data);
	default:	/* numbers from the wire: the others are only read */
		return MAD_STATUS_BAD_METHOD_ATTR;
	}
}

static void get_attribute(const struct cc_agent *agent, uint16_t attr_id, unsigned int block,
			  bool is_known, uint8_t *out)
{
	uint8_t *data = out + CC_DATA;

	memset(out + CC_LOG, 0, MAD_SIZE - CC_LOG);
	switch (attr_id) {
	case ATTR_CONGESTION_INFO:
		if (!agent->end->attr.is_switch)
			mad_field_set(control_table_cap, data, TABLE_BLOCKS);
		return;
	case ATTR_CONGESTION_KEY_INFO:
		get_key_info(agent, is_known, data);
		return;
	case ATTR_CONGESTION_LOG:
		get_log(agent, out + CC_LOG);
		return;
	case ATTR_SWITCH_SETTING:
		memcpy(data, agent->switch_setting, SWITCH_SETTING_SIZE);
		return;
	case ATTR_SWITCH_PORT_SETTING:
		memcpy(data, agent->ports[block], CC_DATA_SIZE);
		return;
	case ATTR_CA_SETTING:
		memcpy(data, agent->ca_setting, CA_SETTING_SIZE);
		return;
	case ATTR_CONTROL_TABLE:
		put_be16(data, agent->table_limit);
		memcpy(data + TABLE_HEAD, agent->table[block], TABLE_BLOCK_SIZE);
		return;
	case ATTR_TIMESTAMP:
		put_be32(data, timestamp(agent));
		return;
	default:	/* numbers from the wire: block_count() has no others */
		return;
	}
}

unsigned int cc_process(struct port *port, const uint8_t *in, uint8_t *out)
{
	struct end_port *end = port_speaker(port);
	struct cc_agent *agent;
	uint16_t attr_id = get_be16(in + MAD_ATTR_ID);
	uint32_t block = get_be32(in + MAD_ATTR_MOD);
	enum mad_status status = MAD_STATUS_OK;
	unsigned int result, count;

	if (!gs_is_request(in, CLASS_VERSION, out, &result))
		return result;
	if (attr_id == ATTR_CLASS_PORT_INFO)
		return gs_answer_class_port_info(out, CC_DATA, 0);
	count = block_count(end, attr_id);
	if (count == 0)
		return gs_answer(out, MAD_STATUS_BAD_METHOD_ATTR);
	if (block >= count)
		return gs_answer(out, MAD_STATUS_BAD_FIELD);
	agent = agent_of(end);
	if (!key_allows(agent, in))
		return KMOD_MAD_FAILURE;
	if (in[MAD_METHOD] == MAD_METHOD_SET)
		status = set_attribute(agent, attr_id, block, in + CC_DATA);
	/* A request that fails is returned as it came. */
	if (status == MAD_STATUS_OK)
		get_attribute(agent, attr_id, block, knows_key(agent, in), out);
	return gs_answer(out, status);
}
