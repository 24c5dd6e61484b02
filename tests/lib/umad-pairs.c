/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * tests/lib/umad-pairs.c: which device has the SMI and which the GSI, on made-up sysfs trees.
 *
 * On a "planarized" HCA an SMI device and a GSI device share a port GUID; the GSI's port has
 * IsSMDisabled (bit 10 of the capability mask).
 */
#include <errno.h>
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <infiniband/umad.h>

#include "tests/rig/leak.h"
#include "tests/rig/umad-tree.h"

/* As on a real one: mlx5_0 has the GSI, smi1 has the SMI with a port for each plane. */
#define PLANARIZED "mlx5_0/1:4,5,IB,400 smi1/1:2,5,IB smi1/2:4,5,IB"
#define PLANARIZED_GUID "mlx5_0/1=abc smi1/1=abc smi1/2=abc"

struct row {
	const char *ports;
	const char *guids;		/* CA/PORT=HEX, if they differ from the tree's */
	const char *pairs;		/* SMI:PORT/GSI:PORT of each, in order */
};

static const struct row rows[] = {
	{ "", "", "" },
	{ "a/1:4,5,IB", "", "a:1/a:1" },
	{ "b/1:4,5,IB a/1:4,5,IB", "", "a:1/a:1 b:1/b:1" },
	{ "a/1:4,5,IB,400", "", ":0/a:1" },
	/* One pair for a CA, however many ports it has; the first active one is preferred. */
	{ "a/1:1,2,IB a/2:2,5,IB a/3:4,5,IB", "", "a:3/a:3" },
	{ "a/1:1,2,IB a/2:2,5,IB", "", "a:2/a:2" },
	{ "a/1:1,2,IB", "", "a:0/a:0" },
	{ "sw=2/0:4,5,IB", "", "sw:0/sw:0" },
	/* RoCE has no SMI, and a GUID of zero belongs to no device. */
	{ "a/1:4,5,Eth b/1:4,5,IB", "", "b:1/b:1" },
	{ "a/1:4,5,Eth a/2:4,5,IB", "", "a:2/a:2" },
	{ "a/1:4,5,IB b/1:4,5,IB", "a/1=0", "b:1/b:1" },
	{ PLANARIZED, PLANARIZED_GUID, "smi1:2/mlx5_0:1" },
	{ PLANARIZED " other/1:4,5,IB", PLANARIZED_GUID, "smi1:2/mlx5_0:1 other:1/other:1" },
};

static void set_guids(const char *guids)
{
	char **words = g_strsplit(guids, " ", -1);

	for (char **word = words; *word; word++) {
		char ca[32], path[64];
		unsigned int portnum, guid;

		if (sscanf(*word, "%31[^/]/%u=%x", ca, &portnum, &guid) != 3)
			continue;
		g_snprintf(path, sizeof(path), "infiniband/%s/ports/%u/gids/0", ca, portnum);
		umad_tree_put(path, "fe80:0000:0000:0000:0000:0000:0000:%04x\n", guid);
	}
	g_strfreev(words);
}

static char *pairs_text(const struct umad_ca_pair *pairs, int count)
{
	GString *text = g_string_new("");

	for (int i = 0; i < count; i++)
		g_string_append_printf(text, "%s%s:%u/%s:%u", i ? " " : "", pairs[i].smi_name,
				       pairs[i].smi_preferred_port, pairs[i].gsi_name,
				       pairs[i].gsi_preferred_port);
	return g_string_free(text, false);
}

static void test_pairs(gconstpointer data)
{
	const struct row *row = data;
	struct umad_ca_pair pairs[8];
	char *text;
	int count;

	umad_tree_begin();
	umad_tree_add(row->ports);
	set_guids(row->guids);
	memset(pairs, 0xff, sizeof(pairs));
	count = umad_get_smi_gsi_pairs(pairs, G_N_ELEMENTS(pairs));
	text = pairs_text(pairs, count);
	g_assert_cmpstr(text, ==, row->pairs);
	g_free(text);
	umad_tree_end();
}

static void test_max(void)
{
	struct umad_ca_pair pairs[3];

	umad_tree_begin();
	umad_tree_add("a/1:4,5,IB b/1:4,5,IB c/1:4,5,IB");
	memset(pairs, 0xff, sizeof(pairs));
	g_assert_cmpint(umad_get_smi_gsi_pairs(pairs, 2), ==, 2);
	g_assert_cmpstr(pairs[1].gsi_name, ==, "b");
	g_assert_cmphex((uint8_t)pairs[2].gsi_name[0], ==, 0xff);
	g_assert_cmpint(umad_get_smi_gsi_pairs(pairs, 0), ==, 0);
	g_assert_cmpint(umad_get_smi_gsi_pairs(NULL, 0), ==, 0);
	g_assert_cmpint(umad_get_smi_gsi_pairs(NULL, 1), ==, -1);
	umad_tree_end();
}

/* The pair for a name and a port: as above, or "" where there is none. */
struct by_name_row {
	const char *ports, *guids;
	const char *name;
	unsigned int portnum, enforce_smi;
	const char *pair;
};

static const struct by_name_row by_name_rows[] = {
	{ "", "", NULL, 0, 0, "" },
	{ "a/1:4,5,IB b/1:4,5,IB", "", NULL, 0, 0, "a:1/a:1" },
	{ "a/1:4,5,IB b/1:4,5,IB", "", "b", 0, 0, "b:1/b:1" },
	{ "a/1:4,5,IB b/1:4,5,IB", "", "c", 0, 0, "" },
	{ "a/1:1,2,IB b/1:4,5,IB", "", NULL, 1, 0, "b:1/b:1" },
	{ "a/1:4,5,IB b/1:4,5,IB b/2:4,5,IB", "", NULL, 2, 0, "b:2/b:2" },
	{ "a/1:4,5,IB", "", "a", 2, 0, "" },
	{ "a/1:4,5,IB", "", "a", 200, 0, "" },
	/* A port that is down is found only by name and number. */
	{ "a/1:1,2,IB a/2:1,2,IB", "", "a", 2, 0, "a:2/a:2" },
	{ "a/1:1,2,IB a/2:1,2,IB", "", NULL, 2, 0, "" },
	{ "a/1:1,2,IB a/2:1,2,IB", "", "a", 0, 0, "" },
	/* The one port of a CA need not be named. */
	{ "a/1:1,2,IB", "", "a", 0, 0, "a:1/a:1" },
	{ "sw=2/0:4,5,IB", "", "sw", 0, 0, "sw:0/sw:0" },
	{ "sw=2/0:4,5,IB", "", NULL, 0, 0, "sw:0/sw:0" },
	{ "a/1:4,5,IB,400", "", "a", 0, 0, ":0/a:1" },
	{ "a/1:4,5,IB,400 b/1:4,5,IB", "", NULL, 0, 1, "b:1/b:1" },
	{ "a/1:4,5,IB,400", "", "a", 1, 1, "" },
	{ "a/1:4,5,Eth", "", "a", 1, 0, "" },
	/* Either name finds the pair; the port asked for is that device's. */
	{ PLANARIZED, PLANARIZED_GUID, "mlx5_0", 1, 1, "smi1:2/mlx5_0:1" },
	{ PLANARIZED, PLANARIZED_GUID, "smi1", 1, 1, "smi1:1/mlx5_0:1" },
	{ PLANARIZED, PLANARIZED_GUID, "smi1", 0, 1, "smi1:2/mlx5_0:1" },
	{ PLANARIZED, PLANARIZED_GUID, "mlx5_0", 2, 0, "" },
};

static void test_by_name(gconstpointer data)
{
	const struct by_name_row *row = data;
	struct umad_ca_pair pair;
	char *text;
	int r;

	umad_tree_begin();
	umad_tree_add(row->ports);
	set_guids(row->guids);
	memset(&pair, 0xff, sizeof(pair));
	r = umad_get_smi_gsi_pair_by_ca_name(row->name, (uint8_t)row->portnum, &pair,
					     row->enforce_smi);
	if (row->pair[0] == '\0') {
		static const struct umad_ca_pair none;

		g_assert_cmpint(r, ==, 1);
		g_assert_cmpint(errno, ==, ENODEV);
		g_assert_cmpmem(&pair, sizeof(pair), &none, sizeof(none));
	} else {
		g_assert_cmpint(r, ==, 0);
		text = pairs_text(&pair, 1);
		g_assert_cmpstr(text, ==, row->pair);
		g_free(text);
	}
	g_assert_cmpint(umad_get_smi_gsi_pair_by_ca_name(row->name, 0, NULL, 0), ==, -1);
	umad_tree_end();
}

int main(int argc, char **argv)
{
	char name[64];

	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_snprintf(name, sizeof(name), "/umad-pairs/all/%zu", i);
		g_test_add_data_func(name, &rows[i], test_pairs);
	}
	g_test_add_func("/umad-pairs/max", test_max);
	for (size_t i = 0; i < G_N_ELEMENTS(by_name_rows); i++) {
		g_snprintf(name, sizeof(name), "/umad-pairs/by-name/%zu", i);
		g_test_add_data_func(name, &by_name_rows[i], test_by_name);
	}
	return leak_end(g_test_run());
}
