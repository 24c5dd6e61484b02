/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What answers say of nodes beside the topology: forwarding tables, P_Keys, SMInfo, firmware.
 */
#ifndef UMADRIG_SIM_SURVEY_SURVEY_FACTS_H
#define UMADRIG_SIM_SURVEY_SURVEY_FACTS_H

#include "sim/facts/facts.h"
#include "sim/survey/survey-map.h"

struct survey_facts {
	GHashTable *nodes;		/* index in the map + 1: struct facts_node * */
	uint16_t sm_lid;
};

struct survey_facts *survey_facts_new(void);
/* NULL is allowed. */
void survey_facts_free(struct survey_facts *facts);

/* Is this an attribute of SMPs that says such a thing? */
bool survey_facts_has(uint16_t attribute);
/*
 * An SMP of the node at 'index'; 'num': the end port that answered, of a node that is no switch.
 * The node's NodeInfo need not be known yet.
 */
void survey_facts_smp(struct survey_facts *facts, int index, bool is_switch, unsigned int num,
		      const uint8_t *mad);
/* A record of SA about the node at 'index'; 'num': its port with the record's LID. */
void survey_facts_record(struct survey_facts *facts, int index, uint16_t attribute,
			 const uint8_t *record);
/* Mellanox's GeneralInfo (vendstat): the whole MAD. */
void survey_facts_general_info(struct survey_facts *facts, int index, const uint8_t *mad);
/* PortInfo.MasterSMLID. */
void survey_facts_sm_lid(struct survey_facts *facts, uint16_t lid);

/*
 * All that is known of nodes becomes part of 'into', which has the node at index i of the map at
 * places[i]; -1: it does not have it.
 */
void survey_facts_give(const struct survey_facts *facts, const struct survey_map *map,
		       const int *places, struct fabric_facts *into);

#endif
