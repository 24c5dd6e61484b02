/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Topologies: what the readers make of valid files and of damaged ones.
 *
 * A row is a file (given) and the resulting topology (then): one line per node, and the diagnostics
 * as "LINE SEVERITY part of the message". There must be exactly these diagnostics.
 */
#include "config.h"

#include <string.h>

#include "sim/topology/load.h"
#include "tests/rig/topology-dump.h"

#define SAYS_MAX 8

struct row {
	const char *name;
	const char *given;
	const char *nodes;		/* NULL: nothing was loaded */
	const char *says[SAYS_MAX];
};

static void check_text(const struct row *row, const char *text, size_t size)
{
	GArray *diagnostics;
	struct topology *topology = topology_parse(text, size, "given", &diagnostics);

	if (topology) {
		char *got = topology_dump(topology);

		g_assert_cmpstr(got, ==, row->nodes);
		g_free(got);
	} else {
		g_assert_null(row->nodes);
		g_assert_cmpuint(diagnostics->len, >, 0);
		g_assert_cmpint(g_array_index(diagnostics, struct topology_diagnostic,
					      diagnostics->len - 1).severity, ==, TOPOLOGY_FATAL);
	}
	topology_check_says(row->says, SAYS_MAX, diagnostics);
	topology_diagnostics_free(diagnostics);
	topology_free(topology);
}

static void test_row(gconstpointer data)
{
	const struct row *row = data;

	check_text(row, row->given, strlen(row->given));
}

/* ---- ibnetdiscover ---- */

#define HEAD "#\n# Topology file: generated on Sat Nov 21 09:00:00 2026\n#\n"
#define S1 "S-0000000000000a01"
#define S2 "S-0000000000000a02"
#define H1 "H-0000000000000c01"
#define H2 "H-0000000000000c05"

static const struct row ibnetdiscover_rows[] = {
	{ "everything", HEAD
	  "# Initiated from node 0000000000000c01 port 0000000000000c02\n\n"
	  "vendid=0x2c9\ndevid=0xd2f0\nsysimgguid=0xa00\nswitchguid=0xa01(a0f)\n"
	  "Switch\t36 \"" S1 "\"\t\t# \"leaf # 1;a:b[c] \"x\"\" enhanced port 0 lid 8 lmc 0\n"
	  "[1]\t\"" H1 "\"[2](c03) \t\t# \"node1 mlx5_0\" lid 4 4xHDR s=4 w=2 v=4 e=4\n"
	  "[36]\t\"R-0000000000000d01\"[1](d02) \t\t# \"router\" lid 9 1xFDR10\n"
	  "\nvendid=0x2c9\ndevid=0x101b\ncaguid=0xc01\n"
	  "Ca\t2 \"" H1 "\"\t\t# \"node1 mlx5_0\"\n"
	  "[2](c03) \t\"" S1 "\"[1]\t\t# lid 4 lmc 2 \"leaf # 1;a:b[c] \"x\"\" lid 8 4xHDR\n"
	  "\nrtguid=0xd01\n"
	  "Rt\t2 \"R-0000000000000d01\"\t\t# \"router\"\n"
	  "[1](d02) \t\"" S1 "\"[36]\t\t# lid 9 lmc 0 \"leaf\" lid 8 1xFDR10\n",
	  "switch " S1 "/36 a01 'leaf # 1;a:b[c] \"x\"' enhanced ids 2c9,d2f0,a00 lid 8:"
	  " 1>" H1 ".2@4xHDRv4 36>R-0000000000000d01.1@1xFDR10\n"
	  "ca " H1 "/2 c01 'node1 mlx5_0' dev mlx5_0 ids 2c9,101b,0: 2>" S1 ".1@4xHDR(c03)=4+2\n"
	  "router R-0000000000000d01/2 d01 'router': 1>" S1 ".36@1xFDR10(d02)=9\n", { 0 } },

	{ "every rate", HEAD
	  "Switch\t10 \"" S1 "\"\t# \"s\" base port 0 lid 1 lmc 0\n"
	  "[1]\t\"" S1 "\"[2]\t# \"s\" lid 1 1xSDR\n[2]\t\"" S1 "\"[1]\t# \"s\" lid 1 1xSDR\n"
	  "[3]\t\"" S1 "\"[4]\t# \"s\" lid 1 2xDDR\n[4]\t\"" S1 "\"[3]\t# \"s\" lid 1 2xDDR\n"
	  "[5]\t\"" S1 "\"[6]\t# \"s\" lid 1 8xFDR\n[6]\t\"" S1 "\"[5]\t# \"s\" lid 1 8xFDR\n"
	  "[7]\t\"" S1 "\"[8]\t# \"s\" lid 1 12xNDR\n[8]\t\"" S1 "\"[7]\t# \"s\" lid 1 12xNDR\n"
	  "[9]\t\"" S1 "\"[10]\t# \"s\" lid 1 4xXDR\n[10]\t\"" S1 "\"[9]\t# \"s\" lid 1 4xXDR\n",
	  "switch " S1 "/10 a01 's' lid 1: 1>" S1 ".2@1xSDR 2>" S1 ".1@1xSDR 3>" S1 ".4@2xDDR 4>" S1
	  ".3@2xDDR 5>" S1 ".6@8xFDR 6>" S1 ".5@8xFDR 7>" S1 ".8@12xNDR 8>" S1 ".7@12xNDR 9>" S1
	  ".10@4xXDR 10>" S1 ".9@4xXDR\n", { 0 } },

	{ "grouping", HEAD
	  "Chassis 1 (guid 0xa00)\n\n# Spine Nodes\n\n"
	  "sysimgguid=0xa00\t\t# Chassis 1 slot 3\n"
	  "switchguid=0xa01(a01)\t# ISR2012 Spine 1 Chip 1\n"
	  "Switch\t24 \"" S1 "\"\t\t# \"spine\" base port 0 lid 5 lmc 0\n"
	  "[19][ext 4]\t\"" H1 "\"[1][ext 2](c02) \t\t# \"h\" lid 2 4xSDR\n"
	  "\n# Chassis Switches\n\nswitchguid=0xa01(a01)\t# ISR2012 Spine 1 Chip 1\n"
	  "Switch\t24 \"" S1 "\"\t\t# \"spine\" base port 0 lid 5 lmc 0\n"
	  "[19][ext 4]\t\"" H1 "\"[1](c02) \t\t# \"h\" lid 2 4xSDR\n"
	  "\n# Chassis CAs\n\nNon-Chassis Nodes\n\ncaguid=0xc01\nCa\t1 \"" H1 "\"\t\t# \"h\"\n"
	  "[1](c02) \t\"" S1 "\"[19][ext 4]\t\t# lid 2 lmc 0 \"spine\" lid 5 4xSDR\n",
	  "switch " S1 "/24 a01 'spine' ids 0,0,a00 lid 5: 19>" H1 ".1@4xSDR\n"
	  "ca " H1 "/1 c01 'h': 1>" S1 ".19@4xSDR(c02)=2\n", { 0 } },

	{ "2007: no port GUID, no rate", HEAD "# Max of 3 hops discovered\n"
	  "switchguid=0xa01\nSwitch\t8 \"" S1 "\"\t\t# \"s\" port 0 lid 3 lmc 0\n"
	  "[4]\t\"" H1 "\"[1]\n\ncaguid=0xc01\nCa\t2 \"" H1 "\"\t\t# \"h\"\n"
	  "[1]\t\"" S1 "\"[4]\t\t# lid 1 lmc 0\n",
	  "switch " S1 "/8 a01 's' lid 3: 4>" H1 ".1\nca " H1 "/2 c01 'h': 1>" S1 ".4=1\n", { 0 } },

	{ "through a terminal",
	  "\xef\xbb\xbf[root@host /]# ibnetdiscover\r\n#\r\n# Topology file: generated on x\r\n\r\n"
	  "switchguid=0xa01(a01)\r\nSwitch  8 \"" S1 "\"         # \"s\" base port 0 lid 3 lmc "
	  "0\r\n"
	  "[4]     \"" H1 "\"[1](c02)     # \"h\" lid 1 4xEDR\r\n \r\n"
	  "caguid=0xc01\r\nCa      2 \"" H1 "\"          # \"h\"\r\n"
	  "[1](c02)    \"" S1 "\"[4]      # lid 1 lmc 0 \"s\" lid 3 4xEDR",
	  "switch " S1 "/8 a01 's' lid 3: 4>" H1 ".1@4xEDR\n"
	  "ca " H1 "/2 c01 'h': 1>" S1 ".4@4xEDR(c02)=1\n",
	  { "1 warning a byte order mark, a shell prompt or banner, CR LF line ends, blanks for "
	    "tabs, "
	    "no newline" } },

	{ "tabs lost", HEAD
	  "switchguid=0xa01(a01)\nSwitch8 \"" S1 "\"# \"s\" base port 0 lid 3 lmc 0\n"
	  "[4]\"" H1 "\"[1](c02) # \"h\" lid 1 4xEDR\n\n"
	  "sysimgguid=0xc00# Chassis 1\ncaguid=0xc01\nCa2 \"" H1 "\"# \"h\"\n"
	  "[1](c02) \"" S1 "\"[4]# lid 1 lmc 0 \"s\" lid 3 4xEDR\n\n"
	  "caguid=0xc05\nCa2\"" H2 "\"# \"g\"\n"
	  "\nCa2 none\n",
	  "switch " S1 "/8 a01 's' lid 3: 4>" H1 ".1@4xEDR\n"
	  "ca " H1 "/2 c01 'h' ids 0,0,c00: 1>" S1 ".4@4xEDR(c02)=1\n"
	  "ca " H2 "/2 c05 'g':\n",
	  { "0 warning blanks for tabs",
	    "5 warning 3 headers without the tab",
	    "16 warning 'Ca2 none' not understood" } },

	{ "a director's switches with their system's GUID", HEAD
	  "switchguid=0xa00(a01)\nSwitch\t8 \"" S1 "\"\t# \"s\" base port 0 lid 3 lmc 0\n"
	  "[1]\t\"" S2 "\"[1]\t# \"t\" lid 4 4xEDR\n\n"
	  "sysimgguid=0xaff\nswitchguid=0xa00(a02)\n"
	  "Switch\t8 \"" S2 "\"\t# \"t\" base port 0 lid 4 lmc 0\n"
	  "[1]\t\"" S1 "\"[1]\t# \"s\" lid 3 4xEDR\n\n"
	  "switchguid=0xa10(a03)\nSwitch\t8 \"S-0000000000000a03\"\t# \"u\" base port 0 lid 5"
	  " lmc 0\n\n"
	  "switchguid=0xa04(a0f)\nSwitch\t8 \"S-0000000000000a04\"\t# \"v\" base port 0 lid 6"
	  " lmc 0\n",
	  "switch " S1 "/8 a01 's' ids 0,0,a00 lid 3: 1>" S2 ".1@4xEDR\n"
	  "switch " S2 "/8 a02 't' ids 0,0,aff lid 4: 1>" S1 ".1@4xEDR\n"
	  "switch S-0000000000000a03/8 a03 'u' ids 0,0,a10 lid 5:\n"
	  "switch S-0000000000000a04/8 a04 'v' lid 6:\n",
	  { "5 warning 3 switches have their system's GUID" } },

	{ "switches that are given another GUID", HEAD
	  "switchguid=0xb00(a01)\nSwitch\t8 \"" S1 "\"\t# \"s\" base port 0 lid 3 lmc 0\n\n"
	  "switchguid=0xb01(a02)\nSwitch\t8 \"" S2 "\"\t# \"t\" base port 0 lid 4 lmc 0\n",
	  "switch " S1 "/8 b00 's' lid 3:\nswitch " S2 "/8 b01 't' lid 4:\n", { 0 } },

	{ "dangling peer", HEAD
	  "Switch\t8 \"" S1 "\"\t# \"s\" base port 0 lid 3 lmc 0\n"
	  "[1]\t\"" H1 "\"[1]\t# \"h\" lid 1 4xEDR\n"
	  "[2]\t\"" H2 "\"[1]\t# \"gone\" lid 2 4xEDR\n\nCa\t1 \"" H1 "\"\t# \"h\"\n"
	  "[1]\t\"" S1 "\"[1]\t# lid 1 lmc 0 \"s\" lid 3 4xEDR\n",
	  "switch " S1 "/8 a01 's' lid 3: 1>" H1 ".1@4xEDR\n"
	  "ca " H1 "/1 c01 'h': 1>" S1 ".1@4xEDR=1\n",
	  { "6 error '" S1 "'[2] leads to '" H2 "'[1], which is not in the file; the link was "
	    "left out" } },

	{ "missing mirror", HEAD
	  "Switch\t8 \"" S1 "\"\t# \"s\" base port 0 lid 3 lmc 0\n"
	  "[1]\t\"" H1 "\"[1](c02)\t# \"h\" lid 1 4xEDR\n"
	  "\nCa\t1 \"" H1 "\"\t# \"h\"\n",
	  "switch " S1 "/8 a01 's' lid 3: 1>" H1 ".1@4xEDR\n"
	  "ca " H1 "/1 c01 'h': 1>" S1 ".1@4xEDR(c02)\n",
	  { "5 warning which has no line for that port; the link is kept; add the line" } },

	{ "contradicted", HEAD
	  "Switch\t8 \"" S1 "\"\t# \"s\" base port 0 lid 3 lmc 0\n[1]\t\"" H1 "\"[1]\n"
	  "[2]\t\"" H1 "\"[1]\n"
	  "[3]\t\"" S1 "\"[3]\n\nCa\t1 \"" H1 "\"\t# \"h\"\n[1]\t\"" S1 "\"[2]\n",
	  "switch " S1 "/8 a01 's' lid 3: 2>" H1 ".1\nca " H1 "/1 c01 'h': 1>" S1 ".2\n",
	  { "5 error which says that it leads to '" S1 "'[2] (line 10); the link was left out",
	    "7 error to itself" } },

	{ "two lines for a port", HEAD
	  "Switch\t8 \"" S1 "\"\t# \"s\" base port 0 lid 3 lmc 0\n[1]\t\"" H1 "\"[1]\n"
	  "[1]\t\"" H1 "\"[1]\n"
	  "[1]\t\"" S2 "\"[1]\n\nCa\t1 \"" H1 "\"\t# \"h\"\n[1]\t\"" S1 "\"[1]\n",
	  "switch " S1 "/8 a01 's' lid 3: 1>" H1 ".1\nca " H1 "/1 c01 'h': 1>" S1 ".1\n",
	  { "6 warning the same as line 5",
	    "7 error port 1 already leads to '" H1 "' (line 5)" } },

	{ "ports that are none", HEAD
	  "Switch\t2 \"" S1 "\"\t# \"s\" base port 0 lid 3 lmc 0\n[3]\t\"" H1 "\"[1]\n"
	  "[0]\t\"" H1 "\"[1]\n"
	  "[1]\t\"" H1 "\"[2]\n[2]\tpeer\n\nCa\t1 \"" H1 "\"\t# \"h\"\n",
	  "switch " S1 "/2 a01 's' lid 3:\nca " H1 "/1 c01 'h':\n",
	  { "5 error port 3 of '" S1 "', which has ports 1 to 2", "6 error port 0 of",
	    "7 error a port that it does not have", "8 error without a peer in quotes" } },

	{ "ids and GUIDs twice", HEAD
	  "caguid=0xc01\nCa\t1 \"" H1 "\"\t# \"h\"\n"
	  "[1](c02)\t\"" H2 "\"[1]\t# lid 1 lmc 0 \"g\" lid 2 4xEDR\n"
	  "\ncaguid=0xc01\nCa\t1 \"" H2 "\"\t# \"g\"\n"
	  "[1](c02)\t\"" H1 "\"[1]\t# lid 2 lmc 0 \"h\" lid 1 4xEDR\n"
	  "\ncaguid=0xc01\nCa\t1 \"" H1 "\"\t# \"h\"\n\nCa\t2 \"" H1 "\"\t# \"h\"\n"
	  "[1]\t\"" H2 "\"[1]\n",
	  "ca " H1 "/1 c01 'h': 1>" H2 ".1@4xEDR(c02)=1\n"
	  "ca " H2 "/1 100000 'g': 1>" H1 ".1@4xEDR=2\n",
	  { "9 warning has the GUID 0xc01 of '" H1 "' (line 5)", "10 warning the port GUID 0xc02",
	    "13 error is already the node of line 5; its port lines were added",
	    "15 error is already the node of line 5, of another kind" } },

	{ "GUIDs that are none", HEAD
	  "sysimgguid=0x1111111111host1\ncaguid=0x1111111111host1\n"
	  "Ca\t1 \"H-001111111111host1\"\t# \"h\"\n"
	  "[1](1111111111host1)\t\"" H2 "\"[1]\t# lid 1 lmc 0 \"g\" lid 2 4xEDR\n\n"
	  "vendid=0x1000000\n"
	  "caguid=0x0\nCa\t1 \"" H2 "\"\t# \"g\"\n"
	  "[1](c06)\t\"H-001111111111host1\"[1]\t# lid 2 lmc 0 \"h\" lid 1 4xEDR\n",
	  "ca H-001111111111host1/1 100000 'h': 1>" H2 ".1@4xEDR=1\n"
	  "ca " H2 "/1 c05 'g': 1>H-001111111111host1.1@4xEDR(c06)=2\n",
	  { "4 warning sysimgguid '0x1111111111host1' is not",
	    "5 warning GUID '0x1111111111host1' is not",
	    "7 warning port GUID '1111111111host1' is not", "9 warning vendid '0x1000000'",
	    "10 warning GUID '0x0'" } },

	{ "LIDs that are none", HEAD
	  "Switch\t8 \"" S1 "\"\t# \"s\" base port 0 lid  lmc 9\n"
	  "[1]\t\"" H1 "\"[1]\t# \"h\" lid 65335 4xEDR\n"
	  "[2]\t\"" H1 "\"[2]\t# \"h\" lid -4 4xEDR\n\nCa\t3 \"" H1 "\"\t# \"h\"\n"
	  "[1]\t\"" S1 "\"[1]\t# lid 65335 lmc 0 \"s\" lid  4xEDR\n"
	  "[2]\t\"" S1 "\"[2]\t# lid -4 lmc 0 \"s\" lid 9 4xEDR\n",
	  "switch " S1 "/8 a01 's': 1>" H1 ".1@4xEDR 2>" H1 ".2@4xEDR\n"
	  "ca " H1 "/3 c01 'h': 1>" S1 ".1@4xEDR 2>" S1 ".2@4xEDR\n",
	  { "4 warning expected a number after 'lid'", "4 warning LMC out of range",
	    "5 warning the peer's LID",
	    "6 warning the peer's LID", "9 warning LID 65335 is not a unicast LID",
	    "9 warning the peer's LID",
	    "10 warning LID -4 is not a unicast LID" } },

	{ "LIDs that clash", HEAD
	  "Switch\t8 \"" S1 "\"\t# \"s\" base port 0 lid 6 lmc 0\n"
	  "[1]\t\"" H1 "\"[1]\t# \"h\" lid 4 4xEDR\n"
	  "[2]\t\"" H1 "\"[2]\t# \"h\" lid 0 4xEDR\n[3]\t\"" H1 "\"[3]\t# \"h\" lid 5 4xEDR\n\n"
	  "Ca\t3 \"" H1 "\"\t# \"h\"\n"
	  "[1]\t\"" S1 "\"[1]\t# lid 4 lmc 2 \"s\" lid 6 4xEDR\n"
	  "[2]\t\"" S1 "\"[2]\t# lid 0 lmc 0 \"s\" lid 6 4xEDR\n"
	  "[3]\t\"" S1 "\"[3]\t# lid 5 lmc 1 \"s\" lid 6 4xEDR\n",
	  "switch " S1 "/8 a01 's' lid 6: 1>" H1 ".1@4xEDR 2>" H1 ".2@4xEDR 3>" H1 ".3@4xEDR\n"
	  "ca " H1 "/3 c01 'h': 1>" S1 ".1@4xEDR+2 2>" S1 ".2@4xEDR 3>" S1 ".3@4xEDR=5\n",
	  { "10 warning LID 6 of '" H1 "' is already used by '" S1 "'[0]",
	    "11 warning LID 0 (1 end port in all)",
	    "12 warning LID 5 cannot have LMC 1" } },

	/* One GUID and one LID at several ports: planes of one port. With other LIDs it is not. */
	{ "planes that are not said", HEAD
	  "Ca\t3 \"" H1 "\"\t# \"h\"\n"
	  "[1](c01)\t\"" H2 "\"[1]\t# lid 4 lmc 1 \"g\" lid 6 1xXDR\n"
	  "[3](c01)\t\"" H2 "\"[2]\t# lid 4 lmc 1 \"g\" lid 6 1xXDR\n\n"
	  "Ca\t2 \"" H2 "\"\t# \"g\"\n"
	  "[1](c05)\t\"" H1 "\"[1]\t# lid 6 lmc 0 \"h\" lid 4 1xXDR\n"
	  "[2](c05)\t\"" H1 "\"[3]\t# lid 7 lmc 0 \"h\" lid 4 1xXDR\n",
	  "ca " H1 "/3 c01 'h' planes: 1>" H2 ".1@1xXDR(c01)=4+1 2(c01)=4+1 3>" H2
	  ".2@1xXDR(c01)=4+1\n"
	  "ca " H2 "/2 c05 'g': 1>" H1 ".1@1xXDR(c05)=6 2>" H1 ".3@1xXDR=7\n",
	  { "6 warning LID 6 of '" H2 "', whose own record says 7",
	    "10 warning port 2 of '" H2 "' has the port GUID 0xc05" } },

	{ "planes that are said", HEAD
	  "planes=2\nCa\t2 \"" H1 "\"\t# \"h\"\n"
	  "[2](c02)\t\"" S1 "\"[1]\t# lid 4 lmc 0 \"s\" lid 6 1xXDR\n\n"
	  "planes=3\nCa\t2 \"" H2 "\"\t# \"g\"\n\n"
	  "planes=two\nplanes=1\nplanes=2\n"
	  "Switch\t2 \"" S1 "\"\t# \"s\" base port 0 lid 6 lmc 0\n"
	  "[1]\t\"" H1 "\"[2]\t# \"h\" lid 4 1xXDR\n",
	  "ca " H1 "/2 c01 'h' planes: 1(c02)=4 2>" S1 ".1@1xXDR(c02)=4\n"
	  "ca " H2 "/2 c05 'g':\n"
	  "switch " S1 "/2 a01 's' lid 6: 1>" H1 ".2@1xXDR\n",
	  { "8 warning planes=3, and '" H2 "' is a CA with 2 ports",
	    "11 warning planes 'two' is not",
	    "12 warning planes '1' is not", "13 warning planes=2, and '" S1 "' is no CA" } },

	{ "rates that are none", HEAD
	  "Switch\t8 \"" S1 "\"\t# \"s\" base port 0 lid 6 lmc 0\n"
	  "[1]\t\"" S2 "\"[1]\t# \"t\" lid 7 3xEDR\n"
	  "[2]\t\"" S2 "\"[2]\t# \"t\" lid 7 4x??? s=2\n"
	  "[3]\t\"" S2 "\"[3]\t# \"t\" lid 7 4xSDR w=1 s=q v=9 w=3\n"
	  "\nSwitch\t8 \"" S2 "\"\t# \"t\" base port 0 lid 7 lmc 0\n"
	  "[1]\t\"" S1 "\"[1]\t# \"s\" lid 6 4xEDR\n"
	  "[2]\t\"" S1 "\"[2]\t# \"s\" lid 6\n[3]\t\"" S1 "\"[3]\t# \"s\" lid 8 1xSDR\n",
	  "switch " S1 "/8 a01 's' lid 6: 1>" S2 ".1@4xEDR 2>" S2 ".2@4xDDR 3>" S2 ".3@4xSDR\n"
	  "switch " S2 "/8 a02 't' lid 7: 1>" S1 ".1@4xEDR 2>" S1 ".2@4xDDR 3>" S1 ".3@1xSDR\n",
	  { "5 warning rate '3xEDR': unknown width", "6 warning rate '4x??" "?': unknown",
	    "7 warning w=1 contradicts the rate 4xSDR", "7 warning expected a number after s=",
	    "7 warning v=9 is not a VLCap", "7 warning w=3 is not a LinkWidthActive",
	    "7 warning different rates, 4xSDR here and 1xSDR in line 12",
	    "12 warning LID 8 of '" S1 "'" } },

	{ "headers that are none", HEAD
	  "[1]\t\"" S1 "\"[1]\nSwitch\tmany \"" S1 "\"\n[1]\t\"" H1 "\"[1]\nCa\t0 \"" H2 "\"\n"
	  "Switch\t300 \"" S2 "\"\n"
	  "Ca\t1 \"" H1 "\"\t# \"h\"\nwhat is this?\n",
	  "switch " S2 "/254 a02:\nca " H1 "/1 c01 'h':\n",
	  { "4 error belongs to no node", "5 error header 'many", "7 error with 0 ports",
	    "8 warning with 300 ports; it gets 254",
	    "10 warning 'what is this?' not understood" } },

	{ "empty lines inside", HEAD
	  "Switch\t8 \"" S1 "\"\t# \"s\" base port 0 lid 6 lmc 0\n[1]\t\"" H1 "\"[1]\n \t \n"
	  "# note\n[2]\t\"" H1 "\"[2]\n"
	  "[3]\t\"" H1 "\"[3]\nCa\t3 \"" H1 "\"\t# \"h\"\n[1]\t\"" S1 "\"[1]\n[2]\t\"" S1 "\"[2]\n"
	  "[3]\t\"" S1 "\"[3]\n",
	  "switch " S1 "/8 a01 's' lid 6: 1>" H1 ".1 2>" H1 ".2 3>" H1 ".3\n"
	  "ca " H1 "/3 c01 'h': 1>" S1 ".1 2>" S1 ".2 3>" S1 ".3\n",
	  { "8 warning after the end of a record; added to '" S1 "' (line 4)" } },

	{ "descriptions", HEAD
	  "Ca\t1 \"" H1 "\"\t# "
	  "\"0123456789012345678901234567890123456789012345678901234567890123456789\"\n"
	  "\nCa\t1 \"" H2 "\"\t# \"caf\xe9\x01\"\n",
	  "ca " H1 "/1 c01 '0123456789012345678901234567890123456789012345678901234567890123':\n"
	  "ca " H2 "/1 c05 'caf\xe9\x01':\n",
	  { "4 warning description of 70 bytes; cut to 64",
	    "6 warning description is not UTF-8" } },

	{ "the peer's GUID", HEAD
	  "Switch\t1 \"" S1 "\"\t# \"s\" base port 0 lid 6 lmc 0\n[1]\t\"" H1 "\"[1](c03)\n\n"
	  "Ca\t1 \"" H1 "\"\t# \"h\"\n[1](c02)\t\"" S1 "\"[1]\n",
	  "switch " S1 "/1 a01 's' lid 6: 1>" H1 ".1\nca " H1 "/1 c01 'h': 1>" S1 ".1(c02)\n",
	  { "5 warning port GUID 0xc03 of '" H1 "', whose own record says 0xc02" } },
};

/* ---- ibsim ---- */

static const struct row ibsim_rows[] = {
	{ "bare", "Switch\t8 \"S1\"\n[1]\t\"A\"[1]\n[2]\t\"B\"\n\nHca\t2 \"A\"\n[1]\t\"S1\"[1]\n\n"
	  "Ca 2 \"B\"\n"
	  "[1] \"S1\"[2]\n\nRt 1 \"R\"\n",
	  "switch S1/8 200000: 1>A.1 2>B.1\nca A/2 100000: 1>S1.1\nca B/2 100003: 1>S1.2\n"
	  "router R/1 300000:\n",
	  { 0 } },

	{ "ids and GUIDs",
	  "vendid=0x2c9\ndevid=0x5a44\nsysimgguid=0x77\ncaguid=0x1000\nHca 1 \"A\"\nHca 1 \"B\"\n"
	  "hcaguids=+0x10\nHca 1 \"C\"\nswitchguids=0x2000(2000) one\n"
	  "Switch 4 \"S\" # \"top\" enhanced port 0 lid 3 lmc 1\n"
	  "switchguid=+2\nSwitch 4 \"T\" # some text lid 5 lmc 0\nrtguid=0x5\nRt 1 \"R\"\n",
	  "ca A/1 1000 ids 2c9,5a44,77:\nca B/1 1002 ids 0,5a44,0:\nca C/1 1010 ids 0,5a44,0:\n"
	  "switch S/4 2000 'top' enhanced ids 0,5a44,0 lid 3:\n"
	  "switch T/4 2002 'some text' ids 0,5a44,0 lid 5:\n"
	  "router R/1 5 ids 0,5a44,0:\n",
	  { "10 warning LID 3 cannot have LMC 1" } },

	{ "enabled",
	  "Hca 3 \"A\"\n[1] \"B\"[1] w=2 s=4\n[2] \"B\"[2] w=3 s=7 e=63\n[3] \"B\"[3] w=4\n\n"
	  "width=3\nspeed=7\nextspeed=7\n"
	  "Hca 3 \"B\"\n[1] \"A\"[1] s=0 e=0\n[2] \"A\"[2]\n[3] \"A\"[3]\n",
	  "ca A/3 100000: 1>B.1@4xQDR/2,4,0 2>B.2@4xHDR/3,7,63\n"
	  "ca B/3 100004: 1>A.1@4xQDR/3,4,0 2>A.2@4xHDR/3,7,7\n",
	  { "4 error with no width or no speed that both have enabled" } },

	{ "options that are none", "Hca 1 \"A\"\n[1] \"B\"[1] w=99 s=8 e=64 slow\n\nHca 1 \"B\"\n"
	  "[1] \"A\"[1] # \"a w=99 b\" lid 1 4xDDR\n"
	  "width=0\nspeed\n",
	  "ca A/1 100000: 1>B.1@4xDDR\nca B/1 100002: 1>A.1@4xDDR\n",
	  { "2 error w=99 is outside 1 to 31", "2 error s=8 is outside 0 to 7",
	    "2 error e=64 is outside 0 to 63",
	    "2 warning 'slow' not understood", "6 error w=0 is outside 1 to 31",
	    "7 error 'speed' without a number" } },

	{ "a bare rate", "Hca 1 \"A\"\n[1] \"B\"[1] 4xDDR\n\nHca 1 \"B\"\n[1] \"A\"[1]\n",
	  "ca A/1 100000: 1>B.1@4xDDR\nca B/1 100002: 1>A.1@4xDDR\n", { 0 } },

	{ "a blank before the peer's port", "Hca 2 \"A\"\n[1] \"B\" [1]\n[2] \"B\" [2]\n\n"
	  "Hca 2 \"B\"\n[1] \"A\"[1]\n[2] \"A\"[2]\n",
	  "ca A/2 100000: 1>B.1 2>B.2\nca B/2 100003: 1>A.1 2>A.2\n",
	  { "3 warning ibsim would read port 1" } },

	{ "modules and aliases",
	  "module=\"m\"\nSwitch 4 \"S\"\n[1] \"H\"[1]\n@[2] \"up\"\n[2] \"n#T\"[1]\n"
	  "[3] \"n@side\"\n\nHca 1 \"H\"\n[1] \"S\"[1]\n\n"
	  "module=\"n\"\nSwitch 4 \"T\"\n[1] \"m@up\"\n@[2] \"side\"\n[2] \"m#S\"[3]\n"
	  "[3] \"@nowhere\"\n@[4] \"side\"\n",
	  "switch m#S/4 200000 'S': 1>m#H.1 2>n#T.1 3>n#T.2\nca m#H/1 100000 'H': 1>m#S.1\n"
	  "switch n#T/4 200001 'T': 1>m#S.2 2>m#S.3\n",
	  { "16 error an alias that no line defines", "17 error alias 'n@side' is already used" } },

	{ "directives that are none",
	  "module m\nmodule=\"\"\ninclude one\ninclude \"no such file\"\ndo \"link A\"\npdebug=1\n"
	  "noise\nHca 1 \"A\"\n"
	  "@[9] \"x\"\n@[1] x\n",
	  "ca A/1 100000:\n",
	  { "1 error module without a name", "3 error include without a file name",
	    "4 error no file 'no such file'",
	    "7 warning 'noise' not understood; skipped",
	    "9 error port 9 of 'A'", "10 error alias without a name" } },

	{ "the same node twice",
	  "Hca 1 \"A\"\n[1] \"B\"[1]\n\nHca 1 \"B\"\n[1] \"A\"[1]\n\nHca 1 \"A\"\n[1] \"B\"[1]\n\n"
	  "Switch 1 \"A\"\n[1] \"B\"[1]\n",
	  "ca A/1 100000: 1>B.1\nca B/1 100002: 1>A.1\n",
	  { "7 error 'A' is already the node of line 1; its port lines",
	    "10 error of another kind" } },

	{ "a header right after port lines", "Switch 4 \"S\"\n[1] \"A\"[1]\nHca 1 \"A\"\n"
	  "[1] \"S\"[1]\n",
	  "switch S/4 200000: 1>A.1\nca A/1 100000: 1>S.1\n", { 0 } },
};

/* ---- neither of them ---- */

static const struct row other_rows[] = {
	{ "empty", "", NULL, { "0 fatal it is empty; ibsim net files, ibnetdiscover dumps, "
	  "OpenSM subnet lists, profiles of mock-ib and ibdm topologies can be read" } },
	{ "comments only", "# nothing\n\n", NULL, { "0 fatal text without a node" } },
	{ "a heading only", HEAD, NULL, { "0 fatal the heading of an ibnetdiscover dump" } },
	{ "a subnet list", "{ CA Ports:02 SystemGUID:0000000000000001 NodeGUID:0000000000000001 } "
	  "{ } PHY=4x\n", NULL,
	  { "1 error not understood", "0 fatal no node is left" } },
	{ "a node list", "Switch\t: 0x0000000000000a01 ports 36 \"s\" base port 0 lid 1 lmc 0\n",
	  NULL,
	  { "0 fatal a list of nodes" } },
	{ "a ports report", "CA     5  1 0x0000000000000c02 4x QDR - SW     1  3 "
	  "0x0000000000000a01 ( 'a' - 'b' )\n", NULL,
	  { "0 fatal a ports report" } },
	{ "a difference", "< [1]\t\"" S1 "\"[1]\n"
	  "> [1]\t\"" S1 "\"[2]\n", NULL, { "0 fatal ibnetdiscover --diff" } },
	{ "routes", "dump_ucast_routes: Switch 0x0000000000000a01\n", NULL,
	  { "0 fatal OpenSM's routes" } },
	{ "tables", "Unicast lids [0x0-0x9] of switch Lid 1 guid 0x1 (s):\n", NULL,
	  { "0 fatal forwarding tables" } },
	{ "a pcap", "\xd4\xc3\xb2\xa1", NULL,
	  { "0 fatal a packet capture (pcap; 'umadrig topology --from-capture'" } },
	{ "only bad headers", "Switch 0 \"S\"\n", NULL, { "1 error with 0 ports",
	  "0 fatal no node is left" } },
};

static void add_rows(const char *group, const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *path = g_strdup_printf("/topology/%s/%s", group, rows[i].name);

		g_test_add_data_func(path, &rows[i], test_row);
		g_free(path);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add_rows("ibnetdiscover", ibnetdiscover_rows, G_N_ELEMENTS(ibnetdiscover_rows));
	add_rows("ibsim", ibsim_rows, G_N_ELEMENTS(ibsim_rows));
	add_rows("other", other_rows, G_N_ELEMENTS(other_rows));
	return g_test_run();
}
