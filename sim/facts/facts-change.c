/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What two fabrics differ in: see sim/facts/facts-change.h. */
#include "sim/facts/facts-change.h"

static const struct {
	const char *name, *word;
} kinds[] = {
	[FACTS_NODE_GONE] = { "node gone", "node-gone" },
	[FACTS_NODE_NEW] = { "node new", "node-new" },
	[FACTS_NODE_RENAMED] = { "node renamed", "node-renamed" },
	[FACTS_NODE_DEVICE] = { "device", "device" },
	[FACTS_CABLE_MOVED] = { "cable moved", "cable-moved" },
	[FACTS_CABLE_GONE] = { "cable gone", "cable-gone" },
	[FACTS_CABLE_NEW] = { "cable new", "cable-new" },
	[FACTS_WIDTH] = { "width", "width" },
	[FACTS_SPEED] = { "speed", "speed" },
	[FACTS_LID] = { "LID", "lid" },
	[FACTS_FIRMWARE] = { "firmware", "firmware" },
	[FACTS_PKEYS] = { "P_Keys", "pkeys" },
	[FACTS_SM] = { "SM", "sm" },
	[FACTS_ROUTE] = { "route", "route" },
};

_Static_assert(G_N_ELEMENTS(kinds) == FACTS_KINDS, "each kind has its name");

const char *facts_kind_name(enum facts_kind kind)
{
	return kinds[kind].name;
}

const char *facts_kind_word(enum facts_kind kind)
{
	return kinds[kind].word;
}

static void free_change(gpointer data)
{
	struct facts_change *change = data;

	g_free(change->at);
	g_free(change->a);
	g_free(change->b);
	g_free(change);
}

void facts_changes_add(struct facts_changes *changes, enum facts_kind kind, uint64_t guid, char *at,
		       char *a, char *b)
{
	struct facts_change *change = g_new(struct facts_change, 1);

	*change = (struct facts_change){ .kind = kind, .at = at, .a = a, .b = b, .guid = guid };
	g_ptr_array_add(changes->list, change);
	facts_changes_count_one(changes, kind);
}

struct facts_changes *facts_changes_new(size_t routes_max)
{
	struct facts_changes *changes = g_new0(struct facts_changes, 1);

	changes->list = g_ptr_array_new_with_free_func(free_change);
	changes->gaps = g_ptr_array_new_with_free_func(g_free);
	changes->routes_max = routes_max;
	return changes;
}

void facts_changes_free(struct facts_changes *changes)
{
	if (!changes)
		return;
	g_ptr_array_unref(changes->list);
	g_ptr_array_unref(changes->gaps);
	g_free(changes);
}

uint64_t facts_changes_count(const struct facts_changes *changes)
{
	uint64_t count = 0;

	for (unsigned int kind = 0; kind < FACTS_KINDS; kind++)
		count += changes->counts[kind];
	return count;
}
