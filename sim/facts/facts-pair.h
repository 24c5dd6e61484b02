/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Two fabrics side by side: which node of one is which of the other.
 */
#ifndef UMADRIG_SIM_FACTS_FACTS_PAIR_H
#define UMADRIG_SIM_FACTS_FACTS_PAIR_H

#include "sim/facts/facts.h"

/* A fabric, and by index of its nodes the index in the other one; -1: it has no such node. */
struct facts_side {
	const struct fabric_facts *facts;
	int *same;
	GHashTable *names;		/* of descriptions: how many nodes have it */
};

struct facts_pair {
	struct facts_side a, b;
};

/*
 * By GUIDs; a node whose GUID is made up is the one that has its cable in the other fabric. To be
 * cleared with facts_pair_clear(). Both must outlive it.
 */
void facts_pair_make(const struct fabric_facts *a, const struct fabric_facts *b,
		     struct facts_pair *ret);
void facts_pair_clear(struct facts_pair *pair);

static inline struct topology_node *facts_side_node(const struct facts_side *side, int index)
{
	return topology_node(side->facts->topology, index);
}

static inline int facts_side_count(const struct facts_side *side)
{
	return (int)side->facts->topology->nodes->len;
}

/* "leaf-0", with its GUID where others are called so, too; to be freed. */
char *facts_side_name(const struct facts_side *side, int index);
/* "leaf-0[4]"; to be freed. */
char *facts_side_port(const struct facts_side *side, int index, unsigned int num);

#endif
