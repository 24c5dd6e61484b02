/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Routes of two fabrics: given forwarding tables, which pairs of ports have another way.
 * tests/harness/diff-fabric.sh has all other changes.
 */
#include <string.h>

#include "sim/facts/facts-compare.h"
#include "sim/facts/facts-tables.h"
#include "sim/topology/load.h"

enum { WAYS_MAX = 4, NO_TABLE = 1 };

static const char fabric[] =
	"Switch 8 \"S1\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n[5] \"S2\"[5]\n[6] \"S2\"[6]\n\n"
	"Switch 8 \"S2\"\n[1] \"H3\"[1]\n[5] \"S1\"[5]\n[6] \"S1\"[6]\n\n"
	"Hca 1 \"H1\"\n[1] \"S1\"[1]\n\n"
	"Hca 1 \"H2\"\n[1] \"S1\"[2]\n\nHca 1 \"H3\"\n[1] \"S2\"[1]\n";

/* The ports to H1, H2 and H3, which have the LIDs 101, 102 and 103; 0: no table at all. */
struct tables {
	uint8_t s1[3], s2[3];
};

static const struct row {
	const char *name;
	struct tables a, b;
	uint64_t pairs;
	const char *ways[WAYS_MAX];
} rows[] = {
	{ "equal", { { 1, 2, 5 }, { 5, 6, 1 } }, { { 1, 2, 5 }, { 5, 6, 1 } }, 6, { NULL } },
	{ "another port", { { 1, 2, 5 }, { 5, 6, 1 } }, { { 1, 2, 6 }, { 5, 6, 1 } }, 6,
	  { "H1[1] to H3[1]: S1[5], S2[1] -> S1[6], S2[1]",
	    "H2[1] to H3[1]: S1[5], S2[1] -> S1[6], S2[1]" } },
	{ "behind the first switch", { { 1, 2, 5 }, { 5, 6, 1 } }, { { 1, 2, 5 }, { 6, 6, 1 } }, 6,
	  { "H3[1] to H1[1]: S2[5], S1[1] -> S2[6], S1[1]" } },
	{ "no way", { { 1, 2, 5 }, { 5, 6, 1 } }, { { 1, 255, 5 }, { 5, 6, 1 } }, 6,
	  { "H1[1] to H2[1]: S1[2] -> S1, which knows no way",
	    "H3[1] to H2[1]: S2[6], S1[2] -> S2[6], S1, which knows no way" } },
	{ "a circle in both", { { 1, 2, 5 }, { 5, 6, 5 } }, { { 1, 2, 5 }, { 5, 6, 5 } }, 6,
	  { NULL } },
	{ "a port that a switch does not have", { { 1, 2, 77 }, { 5, 6, 1 } },
	  { { 1, 2, 5 }, { 5, 6, 1 } }, 6,
	  { "H1[1] to H3[1]: S1[77] -> S1[5], S2[1]", "H2[1] to H3[1]: S1[77] -> S1[5], S2[1]" } },
	/* From H3 nothing is known, and to it no more than that S1 is the same. */
	{ "a table that is not known", { { 1, 2, 5 }, { 5, 6, 1 } }, { { 1, 2, 5 }, { 0 } }, 2,
	  { NULL } },
};

static void put_table(struct fabric_facts *facts, const char *id, const uint8_t *ports)
{
	int index = topology_find(facts->topology, id);
	uint8_t block[FACTS_BLOCK_SIZE];

	if (!ports[0])
		return;
	memset(block, FACTS_NO_PORT, sizeof(block));
	memcpy(block + 101 % FACTS_BLOCK_SIZE, ports, 3);
	facts_node_take_lft(facts_node(facts, index), 101 / FACTS_BLOCK_SIZE, block);
	/* Far beyond the last LID: no table has it. */
	facts_node_take_lft(facts_node(facts, index), 0xffffffff, block);
}

static struct fabric_facts *make(const struct tables *tables)
{
	static const char *const hosts[] = { "H1", "H2", "H3" };
	struct topology *topology = topology_parse(fabric, strlen(fabric), "fabric", NULL);
	struct fabric_facts *facts = fabric_facts_new(topology);

	for (unsigned int i = 0; i < G_N_ELEMENTS(hosts); i++)
		topology_node(topology, topology_find(topology, hosts[i]))->ports[1].lid =
			(uint16_t)(101 + i);
	put_table(facts, "S1", tables->s1);
	put_table(facts, "S2", tables->s2);
	return facts;
}

static void check(const struct row *row, struct facts_changes *changes)
{
	unsigned int count = 0;

	g_assert_cmpint(changes->pairs, ==, row->pairs);
	for (guint i = 0; i < changes->list->len; i++) {
		const struct facts_change *change = changes->list->pdata[i];
		g_autofree char *way = g_strdup_printf("%s: %s -> %s", change->at, change->a,
						       change->b);

		g_assert_cmpint(change->kind, ==, FACTS_ROUTE);
		g_assert_cmpint(count, <, WAYS_MAX);
		g_assert_cmpstr(way, ==, row->ways[count++]);
	}
	g_assert_true(count == WAYS_MAX || !row->ways[count]);
	g_assert_cmpint(changes->counts[FACTS_ROUTE], ==, count);
}

static void test_row(gconstpointer data)
{
	const struct row *row = data;
	struct fabric_facts *a = make(&row->a), *b = make(&row->b);
	struct facts_changes *changes = facts_compare(a, b, 100), *few = facts_compare(a, b, 1);

	check(row, changes);
	/* All are counted, if they are listed or not. */
	g_assert_cmpint(few->counts[FACTS_ROUTE], ==, changes->counts[FACTS_ROUTE]);
	g_assert_cmpint(few->list->len, <=, 1);
	facts_changes_free(few);
	facts_changes_free(changes);
	fabric_facts_free(a);
	fabric_facts_free(b);
}

/* A node of which no NodeInfo is known is the one that has its cable. */
static void test_made_up(void)
{
	struct fabric_facts *a = make(&rows[0].a), *b = make(&rows[0].a);
	int h2 = topology_find(b->topology, "H2");
	struct facts_changes *changes;

	topology_node(b->topology, h2)->node_guid = 0x100000f;
	topology_node(b->topology, h2)->description = topology_node(b->topology, h2)->id;
	changes = facts_compare(a, b, 100);
	g_assert_cmpint(changes->counts[FACTS_NODE_GONE], ==, 1);
	facts_changes_free(changes);
	facts_node(b, h2)->is_made_up = true;
	changes = facts_compare(a, b, 100);
	g_assert_cmpint(facts_changes_count(changes), ==, 0);
	facts_changes_free(changes);
	changes = facts_compare(b, a, 100);
	g_assert_cmpint(facts_changes_count(changes), ==, 0);
	facts_changes_free(changes);
	fabric_facts_free(a);
	fabric_facts_free(b);
}

/* ---- what a server says ---- */

static const struct line {
	const char *text;
	unsigned int wrong;		/* the line; 0: none */
} lines[] = {
	{ "", 0 },
	{ "\n", 0 },
	{ "lft 0x200000 1=1 2..3=5 # S1\n", 0 },
	{ "lft 0x200000\n", 0 },
	{ "lft 0x777 1=1\n", 0 },
	{ "pkeys 0x100000[1]\npkeys 0x100001[1] 0xffff 0x12 # H2[1]", 0 },
	{ "sm 0x100000[1] 101\n", 0 },
	{ "lft 0x200000 0..49151=255\n", 0 },
	{ "\nlft 0x200000 1\n", 2 },
	{ "lft 0x200000 1=\n", 1 },
	{ "lft 0x200000 1=256\n", 1 },
	{ "lft 0x200000 3..2=1\n", 1 },
	{ "lft 0x200000 1..=1\n", 1 },
	{ "lft 0x200000 49152=1\n", 1 },
	{ "lft 0x200000 1..49152=1\n", 1 },
	{ "lft 0x200000 1=1,2=1\n", 1 },
	{ "lft S1 1=1\n", 1 },
	{ "lft\n", 1 },
	{ "pkeys 0x100000 0xffff\n", 1 },
	{ "pkeys 0x100000[255] 0xffff\n", 1 },
	{ "pkeys 0x100000[1 0xffff\n", 1 },
	{ "pkeys 0x100000[1] 0x10000\n", 1 },
	{ "pkeys 0x100000[1] default\n", 1 },
	{ "sm 0x100000[1]\n", 1 },
	{ "sm 0x100000[1] 65535\n", 1 },
	{ "sm 0x100000[1] 1 2\n", 1 },
	{ "mft 0x200000 1\n", 1 },
};

static void test_lines(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
		struct fabric_facts *facts = make(&rows[0].a);

		if (facts_read_tables(facts, lines[i].text) != lines[i].wrong)
			g_error("'%s'", lines[i].text);
		fabric_facts_free(facts);
	}
}

/* What the tables say is what the facts have then; P_Keys in whole blocks, and behind one. */
static void test_tables(void)
{
	struct fabric_facts *facts = make(&(struct tables){ { 0 }, { 0 } });
	const struct facts_node *s1 = facts_node(facts, topology_find(facts->topology, "S1"));
	const struct facts_node *h1 = facts_node(facts, topology_find(facts->topology, "H1"));
	g_autofree char *keys = NULL, *none = NULL, *unknown = NULL;
	GString *text = g_string_new("pkeys 0x100000[1]");

	for (unsigned int i = 1; i <= 33; i++)
		g_string_append_printf(text, " 0x%x", i);
	g_string_append(text, "\npkeys 0x200000[0]\nlft 0x200000 1..63=4 65=7\n"
			"sm 0x100000[1] 102\nsm 0x200000[0] 103\n");
	g_assert_cmpint(facts_read_tables(facts, text->str), ==, 0);
	g_string_free(text, true);
	g_assert_cmpint(facts_node_way(s1, 0), ==, FACTS_NO_PORT);
	g_assert_cmpint(facts_node_way(s1, 1), ==, 4);
	g_assert_cmpint(facts_node_way(s1, 63), ==, 4);
	g_assert_cmpint(facts_node_way(s1, 64), ==, FACTS_NO_PORT);
	g_assert_cmpint(facts_node_way(s1, 65), ==, 7);
	g_assert_cmpint(facts_node_way(s1, 0xbfff), ==, FACTS_NO_PORT);
	keys = facts_node_pkeys(h1, 1);
	g_assert_true(g_str_has_prefix(keys, "0x0001, 0x0002, "));
	g_assert_true(g_str_has_suffix(keys, ", 0x0020, 0x0021"));
	none = facts_node_pkeys(s1, 0);
	g_assert_cmpstr(none, ==, "none");
	unknown = facts_node_pkeys(h1, 2);
	g_assert_null(unknown);
	g_assert_cmpint(facts->sm_lid, ==, 102);
	fabric_facts_free(facts);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/facts/%s", rows[i].name);

		g_test_add_data_func(path, &rows[i], test_row);
	}
	g_test_add_func("/facts/made-up", test_made_up);
	g_test_add_func("/facts/tables", test_tables);
	g_test_add_func("/facts/tables/lines", test_lines);
	return g_test_run();
}
