/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Facts: what is known of a fabric. Its topology, and of its nodes what a topology does not have:
 * forwarding tables, P_Keys, firmware, subnet managers. What is not known is not there.
 */
#ifndef UMADRIG_SIM_FACTS_FACTS_H
#define UMADRIG_SIM_FACTS_FACTS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/topology/topology.h"

enum {
	FACTS_BLOCK_SIZE = 64,		/* of forwarding tables: ports; of P_Key tables: bytes */
	FACTS_PSID_SIZE = 16,
	FACTS_NO_PORT = 255,		/* in forwarding tables: there is no way */
};

/* Of a node, beside its struct topology_node. */
struct facts_node {
	bool is_made_up;		/* no NodeInfo was seen: its GUID is none */
	uint8_t *lft;			/* by LID the port; NULL: not known */
	size_t lft_size;
	GHashTable *pkeys;		/* (port << 16 | block) + 1: 64 bytes; NULL: not known */
	bool has_firmware;
	uint8_t firmware[3];
	char psid[FACTS_PSID_SIZE + 1];
	bool has_sm;			/* it has answered SMInfo */
	uint8_t sm_state;
	uint8_t sm_priority;
};

/* Never NULL; nothing is known of it. */
struct facts_node *facts_node_new(void);
void facts_node_free(struct facts_node *node);	/* NULL is allowed */
/* What 'from' knows, and 'into' does not, 'into' knows then. */
void facts_node_merge(struct facts_node *into, const struct facts_node *from);
/* A block of the forwarding table; one that no table has is ignored. */
void facts_node_take_lft(struct facts_node *node, unsigned int block, const uint8_t *ports);
/* A block of the P_Key table of a port: 32 P_Keys as on the wire. */
void facts_node_take_pkeys(struct facts_node *node, unsigned int port, unsigned int block,
			   const uint8_t *bytes);
/* The port by which the node sends to 'lid'; FACTS_NO_PORT: none. 'lft' is there. */
uint8_t facts_node_way(const struct facts_node *node, uint16_t lid);
/* The P_Keys of a port as "0x7fff, 0xffff", in order, to be freed; NULL: not known. */
char *facts_node_pkeys(const struct facts_node *node, unsigned int port);

struct fabric_facts {
	struct topology *topology;
	GPtrArray *nodes;		/* of struct facts_node *, by index in the topology */
	uint16_t sm_lid;		/* of the master SM, as ports say; 0: not known */
};

/* Takes the topology, which is freed with it. Never NULL. */
struct fabric_facts *fabric_facts_new(struct topology *topology);
void fabric_facts_free(struct fabric_facts *facts);	/* NULL is allowed */
struct facts_node *facts_node(const struct fabric_facts *facts, int index);

#endif
