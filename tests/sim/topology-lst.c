/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * OpenSM subnet lists. A row is a file (given), and the resulting topology and messages (then).
 */
#include "config.h"

#include <string.h>

#include "sim/topology/load.h"
#include "tests/rig/topology-dump.h"

#define SAYS_MAX 6

#define GUIDS(node, port) " SystemGUID:00000000000000f0 NodeGUID:" node " PortGUID:" port
#define SW(node, pn) "{ SW Ports:08" GUIDS(node, node) " VenID:000002C9 DevID:B924 Rev:000000A1 " \
	"{leaf {1}} LID:0012 PN:" pn " }"
#define CA(kind, node, port, lid, pn) "{ " kind " Ports:02" GUIDS(node, port) " VenID:0002C9 " \
	"DevID:5A440000 Rev:000000A0 {h " node "} LID:" lid " PN:" pn " }"
#define A1 "00000000000000a1"
#define C1 "00000000000000c1"
#define C2 "00000000000000c2"
#define C3 "00000000000000c3"
#define E1 "00000000000000e1"
#define E2 "00000000000000e2"
/* A switch that is called a CA. */
#define FAKE(node, lid, pn) "{ CA Ports:18" GUIDS(node, node) " VenID:000002C9 DevID:B9240000 " \
	"Rev:000000A1 {sw " node "} LID:" lid " PN:" pn " }"
#define REST " PHY=4x LOG=ACT SPD=10\n"

#define SWITCH_OUT "switch S-00000000000000a1/8 a1 'leaf {1}' ids 2c9,b924,f0 lid 18:"
#define CA_OUT "ca H-00000000000000c1/2 c1 'h 00000000000000c1' ids 2c9,5a44,f0:"

static const struct row {
	const char *name;
	const char *given;
	const char *nodes;		/* NULL: nothing was loaded */
	const char *says[SAYS_MAX];
} rows[] = {
	{ "half a line", SW(A1, "0a") "\n",
	  NULL, { "1 error not understood", "0 fatal no node is left" } },
	{ "a switch and an SM's adapter",
	  SW(A1, "03") " " CA("CA-SM", C1, C3, "0005", "02") REST
	  CA("CA-SM", C1, C3, "0005", "02") " " SW(A1, "03") REST,
	  SWITCH_OUT " 3>H-00000000000000c1.2@4xQDR\n"
	  CA_OUT " 2>S-00000000000000a1.3@4xQDR(c3)=5\n", { NULL } },
	{ "speeds",
	  SW(A1, "01") " " SW(A1, "02") " PHY=12x LOG=INI SPD=2.5\n"
	  SW(A1, "02") " " SW(A1, "01") " PHY=12x LOG=INI SPD=2.5\n"
	  SW(A1, "03") " " SW(A1, "04") " PHY=1x LOG=ACT SPD=FDR10\n"
	  SW(A1, "04") " " SW(A1, "03") " PHY=1x LOG=ACT SPD=FDR10\n"
	  SW(A1, "05") " " SW(A1, "06") " PHY=4x LOG=ACT SPD=25\n"
	  SW(A1, "06") " " SW(A1, "05") " PHY=4x LOG=ACT SPD=25\n"
	  SW(A1, "07") " " SW(A1, "08") " PHY=4x LOG=ACT\n"
	  SW(A1, "08") " " SW(A1, "07") " PHY=4x LOG=ACT SPD=7\n",
	  SWITCH_OUT " 1>S-00000000000000a1.2@12xSDR 2>S-00000000000000a1.1@12xSDR"
	  " 3>S-00000000000000a1.4@1xFDR10 4>S-00000000000000a1.3@1xFDR10"
	  " 5>S-00000000000000a1.6@4xEDR 6>S-00000000000000a1.5@4xEDR"
	  " 7>S-00000000000000a1.8@4x? 8>S-00000000000000a1.7@4x?\n",
	  { "8 warning 'SPD=7' not understood" } },
	{ "one end only",
	  SW(A1, "03") " " CA("CA", C1, C2, "0005", "01") REST,
	  SWITCH_OUT " 3>H-00000000000000c1.1@4xQDR\n"
	  CA_OUT " 1>S-00000000000000a1.3@4xQDR(c2)=5\n",
	  { "1 warning which has no line for that port" } },
	/*
	 * Two ports with the same port GUID and LID: a switch. The other node has the same device
	 * ID.
	 */
	{ "switches called CAs",
	  FAKE(E1, "0021", "01") " " FAKE(E2, "0022", "18") REST
	  FAKE(E2, "0022", "18") " " FAKE(E1, "0021", "01") REST
	  FAKE(E1, "0021", "02") " " CA("CA", C1, C2, "0005", "01") REST
	  CA("CA", C1, C2, "0005", "01") " " FAKE(E1, "0021", "02") REST,
	  "switch S-00000000000000e1/24 e1 'sw 00000000000000e1' ids 2c9,b924,f0 lid 33: "
	  "1>S-00000000000000e2.24@4xQDR 2>H-00000000000000c1.1@4xQDR\n"
	  "switch S-00000000000000e2/24 e2 'sw 00000000000000e2' ids 2c9,b924,f0 lid 34: "
	  "24>S-00000000000000e1.1@4xQDR\n"
	  CA_OUT " 1>S-00000000000000e1.2@4xQDR(c2)=5\n",
	  { "1 warning 2 nodes given as CAs" } },
	/* Nothing shows what they are: they stay as the file says. */
	{ "a CA of 24 ports",
	  FAKE(E1, "0021", "01") " " CA("CA", C1, C2, "0005", "01") REST
	  CA("CA", C1, C2, "0005", "01") " " FAKE(E1, "0021", "01") REST,
	  "ca H-00000000000000e1/24 e1 'sw 00000000000000e1' ids 2c9,b924,f0: "
	  "1>H-00000000000000c1.1@4xQDR(e1)=33\n"
	  CA_OUT " 1>H-00000000000000e1.1@4xQDR(c2)=5\n",
	  { "1 warning given as a CA with 24 ports" } },
	/* Both ports of an adapter have their own GUID. */
	{ "an adapter with two cables",
	  CA("CA", C1, C2, "0005", "01") " "
	  CA("CA", C1, C3, "0006", "02") REST
	  CA("CA", C1, C3, "0006", "02") " "
	  CA("CA", C1, C2, "0005", "01") REST,
	  CA_OUT " 1>H-00000000000000c1.2@4xQDR(c2)=5 2>H-00000000000000c1.1@4xQDR(c3)=6\n",
	  { NULL } },
	{ "damage",
	  SW(A1, "09") " " SW(A1, "01") REST
	  "{ XX Ports:08 }" REST
	  CA("SW", A1, A1, "0012", "02") " " SW(A1, "01") REST
	  CA("CA", C1, C2, "ffff", "01") " " SW(A1, "01") REST,
	  SWITCH_OUT " 1>H-00000000000000c1.1@4xQDR\n"
	  CA_OUT " 1>S-00000000000000a1.1@4xQDR(c2)\n",
	  { "1 error which has ports 1 to 8", "2 error not understood",
	    "3 error another kind or number of ports", "4 warning LID 0xffff",
	    "4 warning which has no line for that port" } },
};

static void test_row(const void *data)
{
	const struct row *row = data;
	GArray *diagnostics;
	struct topology *topology = topology_parse(row->given, strlen(row->given), "given",
						   &diagnostics);
	char *got = topology ? topology_dump(topology) : NULL;

	topology_check_says(row->says, SAYS_MAX, diagnostics);
	/* A switch's port 0 has its GUID, which the dump leaves out. */
	g_assert_cmpstr(got, ==, row->nodes);
	if (topology && topology_node(topology, 0)->kind == TOPOLOGY_SWITCH)
		g_assert_cmphex(topology_node(topology, 0)->ports[0].guid, ==,
				topology_node(topology, 0)->node_guid);
	g_free(got);
	topology_diagnostics_free(diagnostics);
	topology_free(topology);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *path = g_strdup_printf("/topology-lst/%s", rows[i].name);

		g_test_add_data_func(path, &rows[i], test_row);
		g_free(path);
	}
	return g_test_run();
}
