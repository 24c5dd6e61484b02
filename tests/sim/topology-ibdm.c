/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ibdm's system topologies. A row is a model in an IBNL file and a topology (given), and the
 * resulting fabric and messages (then).
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "sim/topology/load.h"
#include "tests/rig/topology-dump.h"

#define SAYS_MAX 7

/* A box with two leaves and a spine; a leaf's variant 12x has one wide connector. */
#define BOX \
	"# a box\n" \
	"SYSTEM LEAF, LEAF:4x\n" \
	"NODE SW 8 MT43132 U1\n" \
	"   1 -> P1\n" \
	"   2-5G->P2\n" \
	"   8 -12x-> UP\n" \
	"SYSTEM LEAF:12x\n" \
	"NODE SW 8 MT43132 U1\n" \
	"   1 -12x-> W1\n" \
	"   8 -12x-> UP\n" \
	"SYSTEM SPINE\n" \
	"NODE SW 8 MT43132 U1\n" \
	"   1 -> U2 1\n" \
	"   2 -> D1\n" \
	"   3 -> D2\n" \
	"NODE SW 8 MT43132 U2\n" \
	"   1 -> U1 1\n" \
	"TOPSYSTEM Box,BOX-2\n" \
	"U1=isBma\n" \
	"SUBSYSTEM LEAF leaf1\n" \
	"   P1 -> L1/P1\n" \
	"   P2 -> L1/P2\n" \
	"   W1 -> L1/P1-12x\n" \
	"   UP -4x-10G-> spine D1\n" \
	"SUBSYSTEM LEAF leaf2\n" \
	"   P1 -> L2/P1\n" \
	"   P2 -> L2/P2\n" \
	"   UP -> spine D2\n" \
	"SUBSYSTEM SPINE spine\n" \
	"   D1 -> leaf1 UP\n" \
	"   D2 -> leaf2 UP\n"

#define LEAF_IDS " ids 2c9,a87c,0:"
#define SPINE(name, links) "switch " name LEAF_IDS links "\n"

static const struct row {
	const char *name;
	const char *ibnl;		/* NULL: no file */
	const char *given;
	const char *nodes;		/* NULL: nothing was loaded */
	const char *says[SAYS_MAX];
} rows[] = {
	{ "boxes of one device", NULL,
	  "# two of them\n"
	  "MTS800 SW1\n"
	  "   P1 -4x-5G-> Cougar H1 P1\n"
	  "   P2 -> MT23108 H1 P2\n"
	  "\n"
	  "MTS2400 SW2\n"
	  "\tP24 -12x-> Buffalo SW1 P8\n",
	  "switch SW1/8 200000 ids 2c9,a87c,0: 1>H1.1@4xDDR 2>H1.2 8>SW2.24@12x?\n"
	  "ca H1/2 100000 ids 2c9,5a44,0: 1>SW1.1@4xDDR 2>SW1.2\n"
	  "switch SW2/24 200001 ids 2c9,b924,0: 24>SW1.8@12x?\n", { NULL } },
	{ "a cable told at both ends", NULL,
	  "MTS800 A\n P1 -> MTS800 B P2\n\nMTS800 B\n P2 -4x-> MTS800 A P1\n",
	  "switch A/8 200000 ids 2c9,a87c,0: 1>B.2@4x?\n"
	  "switch B/8 200001 ids 2c9,a87c,0: 2>A.1@4x?\n", { NULL } },
	{ "a socket with two cables", NULL,
	  "MTS800 A\n P1 -> MTS800 B P2\n P1 -> MTS800 B P3\n",
	  "switch A/8 200000 ids 2c9,a87c,0: 1>B.2\n"
	  "switch B/8 200001 ids 2c9,a87c,0: 2>A.1\n",
	  { "3 error port 1 already leads to 'B' (line 2)" } },
	{ "ends that contradict each other", NULL,
	  "MTS800 A\n P1 -> MTS800 B P2\n\nMTS800 B\n P2 -> MTS800 A P3\n",
	  "switch A/8 200000 ids 2c9,a87c,0: 3>B.2\n"
	  "switch B/8 200001 ids 2c9,a87c,0: 2>A.3\n",
	  { "2 error 'A'[1] leads to 'B'[2], which says that it leads to 'A'[3]" } },
	{ "a box of boards", BOX,
	  "BOX-2 X\n L1/P1 -> Cougar H1 P1\n L2/P2 -> Cougar H2 P2\n",
	  "switch X/leaf1/U1/8 200000" LEAF_IDS " 1>H1.1 8>X/spine/U1.2@12xQDR\n"
	  "switch X/leaf2/U1/8 200001" LEAF_IDS " 2>H2.2@?xDDR 8>X/spine/U1.3@12x?\n"
	  "switch X/spine/U1/8 200002" LEAF_IDS
	  " 1>X/spine/U2.1 2>X/leaf1/U1.8@12xQDR 3>X/leaf2/U1.8@12x?\n"
	  "switch X/spine/U2/8 200003" LEAF_IDS " 1>X/spine/U1.1\n"
	  "ca H1/2 100000 ids 2c9,5a44,0: 1>X/leaf1/U1.1\n"
	  "ca H2/2 100003 ids 2c9,5a44,0: 2>X/leaf2/U1.2@?xDDR\n", { NULL } },
	{ "boards removed and exchanged, told after the first cable", BOX,
	  "Cougar H1\n P1 -> Box X L1/P1-12x\n\nBox X CFG: leaf1=12x, leaf2=R\n",
	  "ca H1/2 100000 ids 2c9,5a44,0: 1>X/leaf1/U1.1@12x?\n"
	  "switch X/leaf1/U1/8 200000" LEAF_IDS " 1>H1.1@12x? 8>X/spine/U1.2@12xQDR\n"
	  "switch X/spine/U1/8 200001" LEAF_IDS " 1>X/spine/U2.1 2>X/leaf1/U1.8@12xQDR\n"
	  "switch X/spine/U2/8 200002" LEAF_IDS " 1>X/spine/U1.1\n", { NULL } },
	{ "sockets that are not there", BOX,
	  "Box X CFG: leaf2=R, leaf9\n L2/P1 -> Cougar H1 P1\n L1/P1 -> Cougar H1 P3\n",
	  "switch X/leaf1/U1/8 200000" LEAF_IDS " 8>X/spine/U1.2@12xQDR\n"
	  "switch X/spine/U1/8 200001" LEAF_IDS " 1>X/spine/U2.1 2>X/leaf1/U1.8@12xQDR\n"
	  "switch X/spine/U2/8 200002" LEAF_IDS " 1>X/spine/U1.1\n"
	  "ca H1/2 100000 ids 2c9,5a44,0:\n",
	  { "1 error 'leaf9' names no board", "2 error 'X' has no socket L2/P1",
	    "3 error 'H1' has no socket P3" } },
	{ "a variant that is not there", BOX,
	  "Box X CFG: leaf1=8x,leaf2=R,spine=R\n P1 -> MTS800 S P1\n\nMTS800 S\n",
	  "switch S/8 200000 ids 2c9,a87c,0:\n",
	  { "1 error no board LEAF:8x for leaf1 of 'X'", "2 error 'X' has no socket P1" } },
	{ "a model that nobody knows", NULL,
	  "MTS800 S\n P1 -> Warp9 W P1\n P2 -> Cougar H P1\n P3 -> Warp9 V P1\n",
	  "switch S/8 200000 ids 2c9,a87c,0: 2>H.1\n"
	  "ca H/2 100000 ids 2c9,5a44,0: 1>S.2\n",
	  { "2 error unknown system 'Warp9'" } },
	{ "two kinds of one name", NULL,
	  "MTS800 S\n P1 -> Cougar S P1\n",
	  "switch S/8 200000 ids 2c9,a87c,0:\n",
	  { "2 error 'S' is another kind of system in line 1" } },
	{ "lines that are none", NULL,
	  "MTS800\nMTS800 S\n P1 -9x-> Cougar H P1\n P1 -> Cougar H\n -> Cougar H P1\n",
	  "switch S/8 200000 ids 2c9,a87c,0:\n",
	  { "1 error 'MTS800' not understood", "3 error 'P1 -9x-> Cougar H P1' not understood",
	    "4 error 'P1 -> Cougar H' not understood",
	    "5 error '-> Cougar H P1' not understood" } },
	{ "a box in itself", "SYSTEM A\nSUBSYSTEM A a\nTOPSYSTEM Box\nSUBSYSTEM A a\n",
	  "Box X\n P1 -> MTS800 S P1\n\nMTS800 S\n",
	  "switch S/8 200000 ids 2c9,a87c,0:\n",
	  { "1 error nests boards without end", "2 error 'X' has no socket P1" } },
	{ "a damaged model",
	  "NODE SW 8 MT1 U0\nTOPSYSTEM Box\nNODE SW 999 MT43132 U1\n   1 -> P1\n"
	  "NODE CA 1 MT43132 U1\n   1 -> P1\n   2 -> P2\n   1 -> U9 1\nNODE CA 1 MT1 U1\n",
	  "Box X\n P1 -> MTS800 S P1\n P1 -> MTS800 S P2\n",
	  "ca X/1 100000 ids 2c9,a87c,0: 1>S.1\nswitch S/8 200000 ids 2c9,a87c,0: 1>X.1\n",
	  { "3 error port 1 already leads to 'S'", "1 error begin with SYSTEM",
	    "3 error write: NODE SW|CA", "4 error write: PORT", "7 error there is no '2'",
	    "8 error there is no 'U9'", "9 error has a part of this name already" } },
};

static void test_row(const void *data)
{
	const struct row *row = data;
	g_autofree char *directory = g_dir_make_tmp("umadrig-ibnl-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(directory, "box.ibnl", NULL);
	GArray *diagnostics;
	struct topology *topology;

	if (row->ibnl)
		g_assert_true(g_file_set_contents(path, row->ibnl, -1, NULL));
	g_setenv("UMADRIG_IBNL", directory, true);
	topology = topology_parse(row->given, strlen(row->given), "given/file", &diagnostics);

	g_autofree char *got = topology ? topology_dump(topology) : NULL;

	topology_check_says(row->says, SAYS_MAX, diagnostics);
	g_assert_cmpstr(got, ==, row->nodes);
	topology_diagnostics_free(diagnostics);
	topology_free(topology);
	g_remove(path);
	g_rmdir(directory);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/topology-ibdm/%s", rows[i].name);

		g_test_add_data_func(path, &rows[i], test_row);
	}
	return g_test_run();
}
