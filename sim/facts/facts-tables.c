/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* A server's tables: see sim/facts/facts-tables.h. */
#include "sim/facts/facts-tables.h"

#include <string.h>

#include "lib/base/wire.h"
#include "lib/words/number.h"

enum {
	KEYS_PER_BLOCK = FACTS_BLOCK_SIZE / 2,
	BLOCK_MAX = 0xffff,
};

/* Who a line is about, and what it says after that. */
struct subject {
	int node;			/* -1: it is not there */
	unsigned int port;
	const char *rest;
};

/* Moves '*at' behind 'word', if that is there. */
static bool take(const char **at, const char *word)
{
	size_t size = strlen(word);

	if (strncmp(*at, word, size) != 0)
		return false;
	*at += size;
	return true;
}

static bool take_number(const char **at, unsigned int base, uint64_t max, uint64_t *ret)
{
	return number_take(at, base, max, ret) == 0;
}

/* "GUID" or "GUID[PORT]". */
static bool take_subject(GHashTable *by_guid, const char *at, bool has_port,
			 struct subject *ret)
{
	gpointer place;
	uint64_t guid, port = 0;

	if (!take_number(&at, 0, UINT64_MAX, &guid))
		return false;
	if (has_port && !(take(&at, "[") && take_number(&at, 10, TOPOLOGY_PORT_MAX, &port) &&
			  take(&at, "]")))
		return false;
	place = g_hash_table_lookup(by_guid, &guid);
	*ret = (struct subject){ GPOINTER_TO_INT(place) - 1, (unsigned int)port, at };
	return true;
}

/* " 1..3=4 7=2". A table without a way is one, too. */
static bool take_lft(struct facts_node *node, const char *at)
{
	uint8_t table[TOPOLOGY_LID_MAX + 1];
	uint64_t first, last = 0, port;

	memset(table, FACTS_NO_PORT, sizeof(table));
	while (take(&at, " ")) {
		if (!take_number(&at, 10, TOPOLOGY_LID_MAX, &first))
			return false;
		last = first;
		if (take(&at, "..") && !take_number(&at, 10, TOPOLOGY_LID_MAX, &last))
			return false;
		if (last < first || !take(&at, "=") ||
		    !take_number(&at, 10, FACTS_NO_PORT, &port))
			return false;
		memset(table + first, (int)port, last - first + 1);
	}
	if (*at)
		return false;
	for (unsigned int block = 0; block <= last / FACTS_BLOCK_SIZE; block++)
		facts_node_take_lft(node, block, table + (size_t)block * FACTS_BLOCK_SIZE);
	return true;
}

/* " 0x7fff 0xffff". No P_Key at all is known, too. */
static bool take_pkeys(struct facts_node *node, unsigned int port, const char *at)
{
	uint8_t block[FACTS_BLOCK_SIZE] = { 0 };
	unsigned int count = 0;
	uint64_t pkey;

	while (take(&at, " ")) {
		if (!take_number(&at, 0, UINT16_MAX, &pkey) ||
		    count / KEYS_PER_BLOCK > BLOCK_MAX)
			return false;
		put_be16(block + count++ % KEYS_PER_BLOCK * 2, (uint16_t)pkey);
		if (count % KEYS_PER_BLOCK == 0) {
			facts_node_take_pkeys(node, port, count / KEYS_PER_BLOCK - 1, block);
			memset(block, 0, sizeof(block));
		}
	}
	if (*at)
		return false;
	if (count % KEYS_PER_BLOCK || !count)
		facts_node_take_pkeys(node, port, count / KEYS_PER_BLOCK, block);
	return true;
}

static bool take_sm(struct fabric_facts *facts, const char *at)
{
	uint64_t lid;

	if (!take(&at, " ") || !take_number(&at, 10, TOPOLOGY_LID_MAX, &lid) || *at)
		return false;
	if (!facts->sm_lid)
		facts->sm_lid = (uint16_t)lid;
	return true;
}

static bool take_line(struct fabric_facts *facts, GHashTable *by_guid, const char *line)
{
	const char *at = line;
	struct subject subject;

	if (take(&at, "lft "))
		return take_subject(by_guid, at, false, &subject) && (subject.node < 0 ||
			take_lft(facts_node(facts, subject.node), subject.rest));
	if (take(&at, "pkeys "))
		return take_subject(by_guid, at, true, &subject) && (subject.node < 0 ||
			take_pkeys(facts_node(facts, subject.node), subject.port, subject.rest));
	if (take(&at, "sm "))
		return take_subject(by_guid, at, true, &subject) && (subject.node < 0 ||
			take_sm(facts, subject.rest));
	return !*line;
}

unsigned int facts_read_tables(struct fabric_facts *facts, const char *text)
{
	g_autoptr(GHashTable) by_guid = g_hash_table_new(g_int64_hash, g_int64_equal);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (guint i = facts->topology->nodes->len; i > 0; i--) {
		struct topology_node *node = topology_node(facts->topology, (int)i - 1);

		g_hash_table_insert(by_guid, &node->node_guid, GINT_TO_POINTER((int)i));
	}
	for (unsigned int i = 0; lines[i]; i++) {
		char *remark = strstr(lines[i], " #");

		if (remark)
			*remark = '\0';
		if (!take_line(facts, by_guid, lines[i]))
			return i + 1;
	}
	return 0;
}
