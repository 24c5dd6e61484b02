/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What is known of a fabric: see sim/facts/facts.h. */
#include "sim/facts/facts.h"

#include <string.h>

#include "lib/base/wire.h"

#define LFT_BLOCKS_MAX ((TOPOLOGY_LID_MAX + 1U) / FACTS_BLOCK_SIZE)

/* ---- of a node ---- */

struct facts_node *facts_node_new(void)
{
	return g_new0(struct facts_node, 1);
}

void facts_node_free(struct facts_node *node)
{
	if (!node)
		return;
	g_free(node->lft);
	if (node->pkeys)
		g_hash_table_unref(node->pkeys);
	g_free(node);
}

static void merge_pkeys(struct facts_node *into, const struct facts_node *from)
{
	GHashTableIter iter;
	gpointer key, value;

	if (!from->pkeys)
		return;
	g_hash_table_iter_init(&iter, from->pkeys);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		unsigned int place = GPOINTER_TO_UINT(key) - 1;

		if (!into->pkeys || !g_hash_table_contains(into->pkeys, key))
			facts_node_take_pkeys(into, place >> 16, place & 0xffff, value);
	}
}

void facts_node_merge(struct facts_node *into, const struct facts_node *from)
{
	if (!into->lft && from->lft) {
		into->lft = g_memdup2(from->lft, from->lft_size);
		into->lft_size = from->lft_size;
	}
	merge_pkeys(into, from);
	if (!into->has_firmware && from->has_firmware) {
		into->has_firmware = true;
		memcpy(into->firmware, from->firmware, sizeof(into->firmware));
		memcpy(into->psid, from->psid, sizeof(into->psid));
	}
	if (!into->has_sm && from->has_sm) {
		into->has_sm = true;
		into->sm_state = from->sm_state;
		into->sm_priority = from->sm_priority;
	}
}

void facts_node_take_lft(struct facts_node *node, unsigned int block, const uint8_t *ports)
{
	size_t end = (size_t)(block + 1) * FACTS_BLOCK_SIZE;

	if (block >= LFT_BLOCKS_MAX)
		return;
	if (end > node->lft_size) {
		node->lft = g_realloc(node->lft, end);
		memset(node->lft + node->lft_size, FACTS_NO_PORT, end - node->lft_size);
		node->lft_size = end;
	}
	memcpy(node->lft + end - FACTS_BLOCK_SIZE, ports, FACTS_BLOCK_SIZE);
}

void facts_node_take_pkeys(struct facts_node *node, unsigned int port, unsigned int block,
			   const uint8_t *bytes)
{
	unsigned int key = (port << 16 | (block & 0xffff)) + 1;

	if (!node->pkeys)
		node->pkeys = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	g_hash_table_replace(node->pkeys, GUINT_TO_POINTER(key),
			     g_memdup2(bytes, FACTS_BLOCK_SIZE));
}

uint8_t facts_node_way(const struct facts_node *node, uint16_t lid)
{
	return lid < node->lft_size ? node->lft[lid] : FACTS_NO_PORT;
}

static int compare_keys(gconstpointer a, gconstpointer b)
{
	const uint16_t one = *(const uint16_t *)a, other = *(const uint16_t *)b;

	return (one > other) - (one < other);
}

/* Adds the P_Keys of a block that are none of 0, which has no partition. */
static void add_keys(GArray *keys, const uint8_t *bytes)
{
	for (unsigned int i = 0; i < FACTS_BLOCK_SIZE; i += 2) {
		uint16_t pkey = get_be16(bytes + i);

		if (pkey & 0x7fff)
			g_array_append_val(keys, pkey);
	}
}

char *facts_node_pkeys(const struct facts_node *node, unsigned int port)
{
	g_autoptr(GArray) keys = g_array_new(false, false, sizeof(uint16_t));
	GString *out;
	GHashTableIter iter;
	gpointer key, value;
	bool any = false;

	if (!node->pkeys)
		return NULL;
	g_hash_table_iter_init(&iter, node->pkeys);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		if ((GPOINTER_TO_UINT(key) - 1) >> 16 != port)
			continue;
		any = true;
		add_keys(keys, value);
	}
	if (!any)
		return NULL;
	g_array_sort(keys, compare_keys);
	out = g_string_new(keys->len ? NULL : "none");
	for (guint i = 0; i < keys->len; i++)
		g_string_append_printf(out, "%s0x%04x", i ? ", " : "",
				       g_array_index(keys, uint16_t, i));
	return g_string_free(out, false);
}

/* ---- of a fabric ---- */

static void free_node(gpointer node)
{
	facts_node_free(node);
}

struct fabric_facts *fabric_facts_new(struct topology *topology)
{
	struct fabric_facts *facts = g_new0(struct fabric_facts, 1);

	facts->topology = topology;
	facts->nodes = g_ptr_array_new_with_free_func(free_node);
	for (guint i = 0; i < topology->nodes->len; i++)
		g_ptr_array_add(facts->nodes, facts_node_new());
	return facts;
}

void fabric_facts_free(struct fabric_facts *facts)
{
	if (!facts)
		return;
	topology_free(facts->topology);
	g_ptr_array_unref(facts->nodes);
	g_free(facts);
}

struct facts_node *facts_node(const struct fabric_facts *facts, int index)
{
	return facts->nodes->pdata[index];
}
