/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What answers say of nodes beside the topology: see sim/survey/survey-facts.h. */
#include "config.h"

#include "sim/survey/survey-facts.h"

#include <string.h>

#include "lib/base/wire.h"
#include "sim/survey/survey-attribute.h"

/* Fields that are looked at, by byte. */
enum {
	SM_INFO_STATE = 20,		/* low 4 bits; high 4: the priority */
	RECORD_BLOCK = 2,		/* of both tables' records, behind the LID */
	RECORD_PORT = 4,		/* of PKeyTableRecord */
	RECORD_TABLE = 8,
	SM_INFO_RECORD_DATA = 4,
	/* Of GeneralInfo, in the MAD: a vendor key, then hardware, then firmware. */
	GENERAL_FIRMWARE = 65,
	GENERAL_PSID = 80,
};

static void free_node(gpointer node)
{
	facts_node_free(node);
}

struct survey_facts *survey_facts_new(void)
{
	struct survey_facts *facts = g_new0(struct survey_facts, 1);

	facts->nodes = g_hash_table_new_full(NULL, NULL, NULL, free_node);
	return facts;
}

void survey_facts_free(struct survey_facts *facts)
{
	if (!facts)
		return;
	g_hash_table_unref(facts->nodes);
	g_free(facts);
}

static struct facts_node *node_at(struct survey_facts *facts, int index)
{
	gpointer key = GINT_TO_POINTER(index + 1);
	struct facts_node *node = g_hash_table_lookup(facts->nodes, key);

	if (!node) {
		node = facts_node_new();
		g_hash_table_insert(facts->nodes, key, node);
	}
	return node;
}

static void take_sm_info(struct facts_node *node, const uint8_t *data)
{
	node->has_sm = true;
	node->sm_state = data[SM_INFO_STATE] & 15;
	node->sm_priority = data[SM_INFO_STATE] >> 4;
}

bool survey_facts_has(uint16_t attribute)
{
	return attribute == ATTR_LINEAR_TABLE || attribute == ATTR_PKEY_TABLE ||
	       attribute == ATTR_SM_INFO;
}

void survey_facts_smp(struct survey_facts *facts, int index, bool is_switch, unsigned int num,
		      const uint8_t *mad)
{
	uint32_t modifier = get_be32(mad + MAD_ATTR_MOD);
	struct facts_node *node = node_at(facts, index);
	const uint8_t *data = mad + SMP_DATA;

	switch (get_be16(mad + MAD_ATTR_ID)) {
	case ATTR_LINEAR_TABLE:
		facts_node_take_lft(node, modifier, data);
		break;
	case ATTR_PKEY_TABLE:
		/* The port is in the modifier of a switch's; others mean the port that is asked. */
		if (is_switch)
			num = modifier >> 16 & 0xff;
		facts_node_take_pkeys(node, num, modifier & 0xffff, data);
		break;
	case ATTR_SM_INFO:
		take_sm_info(node, data);
		break;
	default:	/* numbers of the wire */
		break;
	}
}

void survey_facts_record(struct survey_facts *facts, int index, uint16_t attribute,
			 const uint8_t *record)
{
	struct facts_node *node = node_at(facts, index);

	switch (attribute) {
	case SA_LINEAR_TABLE_RECORD:
		facts_node_take_lft(node, get_be16(record + RECORD_BLOCK), record + RECORD_TABLE);
		break;
	case SA_PKEY_TABLE_RECORD:
		facts_node_take_pkeys(node, record[RECORD_PORT], get_be16(record + RECORD_BLOCK),
				      record + RECORD_TABLE);
		break;
	case SA_SM_INFO_RECORD:
		take_sm_info(node, record + SM_INFO_RECORD_DATA);
		break;
	default:	/* numbers of the wire */
		break;
	}
}

void survey_facts_general_info(struct survey_facts *facts, int index, const uint8_t *mad)
{
	struct facts_node *node = node_at(facts, index);

	node->has_firmware = true;
	memcpy(node->firmware, mad + GENERAL_FIRMWARE, sizeof(node->firmware));
	memcpy(node->psid, mad + GENERAL_PSID, FACTS_PSID_SIZE);
	for (char *c = node->psid; *c; c++)
		if (!g_ascii_isgraph(*c))
			*c = '\0';
}

void survey_facts_sm_lid(struct survey_facts *facts, uint16_t lid)
{
	if (lid && lid <= TOPOLOGY_LID_MAX)
		facts->sm_lid = lid;
}

void survey_facts_give(const struct survey_facts *facts, const struct survey_map *map,
		       const int *places, struct fabric_facts *into)
{
	int count = survey_map_count(map);

	/* First what a node has said as itself, then what was said before it was known as such. */
	for (int i = 0; i < 2 * count; i++) {
		int said = i % count, node = survey_map_resolve(map, said);
		const struct facts_node *known =
			g_hash_table_lookup(facts->nodes, GINT_TO_POINTER(said + 1));

		if (known && places[node] >= 0 && (node == said) == (i < count))
			facts_node_merge(facts_node(into, places[node]), known);
	}
	for (int i = 0; i < count; i++)
		if (places[i] >= 0 && !survey_map_node(map, i)->identified)
			facts_node(into, places[i])->is_made_up = true;
	into->sm_lid = facts->sm_lid;
}
