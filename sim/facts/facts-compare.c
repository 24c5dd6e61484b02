/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Two fabrics, compared: see sim/facts/facts-compare.h. */
#include "sim/facts/facts-compare.h"

#include "sim/facts/facts-cable.h"
#include "sim/facts/facts-part.h"
#include "sim/facts/facts-pair.h"
#include "sim/facts/facts-way.h"

struct facts_changes *facts_compare(const struct fabric_facts *a, const struct fabric_facts *b,
				    size_t routes_max)
{
	struct facts_changes *changes = facts_changes_new(routes_max);
	struct facts_pair pair;

	facts_pair_make(a, b, &pair);
	facts_compare_nodes(&pair, changes);
	facts_compare_cables(&pair, changes);
	facts_compare_ports(&pair, changes);
	facts_compare_sm(&pair, changes);
	facts_compare_ways(&pair, changes);
	facts_pair_clear(&pair);
	return changes;
}
