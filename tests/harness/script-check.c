/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Invalid scripts: the messages and their places.
 */
#include "config.h"

#include "tests/harness/script-check.h"

#include <string.h>

#include "tests/rig/leak.h"
#include "harness/script/check/check.h"
#include "harness/script/parse/parse.h"
#include "harness/script/verb-table.h"

/* Brackets, blocks, and lines of verbs. */
static const struct row lines[] = {
	{ "a parenthesis that is never closed",
	  S "0 fd = umad_open_port($CA\n" "+0 umad_poll(fd) = 0\n",
	  { "2:22: no ')' closes this: expected ',' or ')' before line 3" } },
	{ "a brace that is never closed",
	  S "on sim {\n" "0~1ms > nothing\n",
	  { "2:8: this '{' is never closed" } },
	{ "a brace that is closed by something else",
	  S "0 umad_poll({1, 2)\n",
	  { "2:18: expected ',' or '}' for the '{' in column 13, found ')'" } },
	{ "a bracket that is not closed",
	  S "data d = {1}\n" "0 > VendGet() bytes[3=1\n" "0 > SubnAdmGet() data=d[1\n"
	  "+0 > VendGet()\n",
	  { "3:22: expected ']' for the '[' in column 20, found '='",
	    "4:24: no ']' closes this: expected ']' before line 5" } },
	{ "names that are not closed",
	  S "define x(a, b = VendGet()\n" "each (a, b {\n" "1 2\n" "} do {\n"
	  "0~1ms > nothing\n" "}\n",
	  { "2:15: expected ',' or ')' for the '(' in column 9, found '='",
	    "3:12: expected ',' or ')' for the '(' in column 6, found '{'" } },
	{ "rows that are not closed",
	  S "each (a) {\n" "1\n" "do {\n" "0~$a*1ms > nothing\n" "}\n",
	  { "2:10: no '}' closes this before 'do' in line 4" } },
	{ "a block that is not closed before the next scenario",
	  S "on sim {\n" "0~1ms > nothing\n" "scenario \"t\"\n" "on sim {\n" "0~1ms > nothing\n"
	  "}\n",
	  { "2:8: no '}' closes this before 'scenario' in line 4" } },
	{ "a brace too many",
	  S "0~1ms > nothing\n" "}\n",
	  { "3:1: expected an event (which begins with its time) or a directive, found '}'" } },
	{ "something behind the end",
	  S "0 > same same\n",
	  { "2:10: expected the end of the line, found 'same'" } },
	{ "a define that is none",
	  S "define x = 5\n" "0~1ms > nothing\n",
	  { "2:12: expected a MAD, such as VendGet(0x0010), found a number" } },
	{ "a define twice",
	  S "define x = VendGet()\n" "define x = VendSet()\n" "0 > x\n",
	  { "3:8: x is already defined, in line 2" } },
	{ "too few values for a define",
	  S "define x(a, b) = VendGet() tid.low=$a modifier=$b\n" "0 > x(1)\n",
	  { "3:5: x takes 2 values, not 1" } },
	{ "a define of itself",
	  S "define x = x()\n" "0 > x\n",
	  { "3:5: there is no method or define 'x': a method begins with its class, as SubnGet "
	    "('umadrig fields' lists them)" } },
	{ "a row that is too short",
	  S "each (a, b) {\n" "1\n" "} do {\n" "0~1ms > nothing\n" "}\n",
	  { "3:1: expected 2 values in the row, found 1" } },
	{ "each in each",
	  S "each (a) {\n" "1\n" "} do {\n" "each (b) {\n" "2\n" "} do {\n" "0~1ms > nothing\n"
	  "}\n" "}\n",
	  { "5:1: 'each' cannot be inside another block, or outside a scenario" } },
	{ "a cell that is no MAD",
	  S "each (mad) {\n" "5\n" "} do {\n" "0 < $mad\n" "}\n",
	  { "3:1: expected a MAD, such as VendGet(0x0010), found a number" } },
	{ "a scenario in a block",
	  S "on sim {\n" "scenario \"t\"\n" "}\n",
	  { "3:1: 'scenario' cannot be inside a block" } },
	{ "a scenario without events",
	  S,
	  { "1:10: this scenario has no events" } },
	{ "needs what",
	  S "needs frobnicator\n" "0~1ms > nothing\n",
	  { "2:7: there is no need 'frobnicator': a script may need sim, hw, peer, ib, wire, "
	    "ib_umad, root, ports N, program X, module X, kernel>=N" } },
	{ "a kernel without a version",
	  S "needs kernel>=six\n" "0~1ms > nothing\n",
	  { "2:15: expected a version, such as 6.14, found 'six'" } },
	{ "a tolerance with a typo in its second half",
	  "tolerance hw -4ms +25ms per-tri +8ms\n" S "0~1ms > nothing\n",
	  { "1:29: expected 'per-try', found 'tri'" } },
	{ "an answer in braces that is none",
	  S "0 peer answers VendGet(0x0010) class=0x32 with { {1} }\n",
	  { "2:51: expected the fields of an answer, found a number" } },
	{ "words that stand alone in a fault",
	  S "0 fault drop (1 + 1) all (3)\n",
	  { "2:22: 'count' is given twice" } },
	{ "a sum of what is no number",
	  S "0 > VendGet(0x0010) class=1 + \"a\"\n",
	  { "2:31: expected a number or a time, found a string" } },
	{ "a word for a time",
	  S "+1ms*x > nothing\n",
	  { "2:2: expected a time, such as 100ms" } },
	{ "a row that begins with 'do'",
	  S "each (a, b) {\ndo 1\n} do {\n0~1ms > nothing\n}\n",
	  { "2:13: no '}' closes this before 'do' in line 3" } },
	{ "tags of rows with a row in their line",
	  S "each (a) {\ntags t 1\n} do {\n0~1ms > nothing\n}\n",
	  { "3:8: expected the end of the line, found a number" } },
	{ "a tolerance of the simulator",
	  S "tolerance sim -1ms +1ms\n" "0~1ms > nothing\n",
	  { "2:11: expected 'hw' (the simulator is exact), found 'sim'" } },
	{ "an include that is not there",
	  "include \"nosuch.inc\"\n" "scenario \"s\"\n" "0~1ms > nothing\n",
	  { "1:9: nosuch.inc: no such file" } },
	{ "a file that includes itself",
	  "include \".\"\n" "scenario \"s\"\n" "0~1ms > nothing\n",
	  { "1:9: .: is a directory, not a script" } },
	{ "a peer that does what",
	  S "0 peer sleeps\n",
	  { "2:8: expected 'listens', 'answers', 'withholds' or 'sends', found "
	    "'sleeps'" } },
	{ "a peer that listens to nothing",
	  S "0 peer listens class=0x32\n",
	  { "2:3: 'peer listens' needs class= and methods={...}" } },
	{ "a peer that answers an answer",
	  S "0 peer answers VendGetResp(1) class=0x32\n",
	  { "2:16: a response cannot be answered: only its segments can (rmpp=DATA)" } },
	{ "a peer that answers in another class",
	  S "0 peer answers VendGet(1) class=0x32 with PerfGetResp(PortCounters)\n",
	  { "2:43: this is no answer: its class is another one" } },
	{ "a peer that answers by nothing",
	  S "0 peer answers VendGet(1) class=0x32 with\n",
	  { "2:42: expected a MAD, such as VendGet(0x0010), found the end of the line" } },
	{ "a peer that answers by nothing, in braces",
	  S "0 peer answers VendGet(1) class=0x32 with { }\n",
	  { "2:45: expected a MAD, such as VendGet(0x0010), found '}'" } },
	{ "answers that are not closed",
	  S "0 peer answers VendGet(1) class=0x32 with { VendGetResp(1)\n" "0~1ms > nothing\n",
	  { "2:43: no '}' closes this: expected ',' or '}' before line 3" } },
	{ "an answer from a port",
	  S "0 peer answers VendGet(1) class=0x32 with VendGetResp(1) from=peer\n",
	  { "2:58: there is no header field 'from' here ('Fields' in scenario-language.md lists "
	    "them)" } },
	{ "a peer that sends in no class",
	  S "0 peer sends VendGet(1)\n",
	  { "2:14: Vend is the prefix of the classes 0x30 to 0x4f: give class=" } },
	{ "a peer that sends a broken MAD",
	  S "0 peer sends VendGet(1) class=0x32 mut=version:7\n",
	  { "2:40: only what arrives ('<') can be broken: for what leaves there is 'fault "
	    "corrupt'" } },
	{ "a peer that captures what it is asked",
	  S "0 peer answers VendGet(1) class=0x32 tid=?t\n",
	  { "2:42: a request that is answered may come often: nothing of it can be captured" } },
	{ "a check of a port's nothing",
	  S "0 check port(self) == Active\n" "0 check port(self, port=1) == Active\n",
	  { "2:9: expected a port and a field: port(\"H1[1]\", LinkState)",
	    "3:9: expected a port and a field: port(\"H1[1]\", LinkState)" } },
	{ "a check of nobody's port",
	  S "0 check port(sm, LinkState) == Active\n" "0 check node(sm, NodeType) == CA\n"
	  "0 check port(\"H3[1]\", LinkState) == Active\n",
	  { "2:14: expected the port at an end of the cable: self, peer or \"S1[3]\"",
	    "3:14: expected a node: self, peer or a name in quotes, found 'sm'",
	    "4:14: there is no node H3: the default fabric has H1 and H2 ('topology' names "
	    "another)" } },
	{ "a check with values that the field has not",
	  S "0 check port(self, LMC) == 9\n" "0 check port(self, Lid) == one\n"
	  "0 check node(self, NodeDesc) == 1\n" "0 check node(self, NodeDesc) > \"H\"\n",
	  { "2:28: 0x9 does not fit into LMC, which has 3 bits",
	    "3:28: expected a number, found 'one'",
	    "4:33: expected a text in quotes, found a number",
	    "5:32: a text is compared by '==' only" } },
	{ "a peer that withholds a request",
	  S "0 peer answers VendSet(1) class=0x32\n" "0 peer withholds VendSet(1)\n",
	  { "3:18: the peer withholds answers, and this is a request: did you mean "
	    "VendGetResp?" } },
	{ "a peer that withholds what it does not answer",
	  S "0 peer withholds all VendGetResp(1)\n" "0 peer answers VendGet(1) class=0x32\n",
	  { "2:3: there is nothing to withhold: no line above says what the peer answers ('peer "
	    "answers ...')" } },
	{ "a peer that withholds some of its answers",
	  S "0 peer answers VendGet(1) class=0x32\n" "0 peer withholds few VendGetResp(1)\n",
	  { "3:18: expected a number or 'all', found 'few'" } },
	{ "a peer that withholds them for a time",
	  S "0 peer answers VendGet(1) class=0x32\n"
	  "0 peer withholds 2 VendGetResp(1) after 1ms\n",
	  { "3:41: expected a number, found a time" } },
	{ "a name in what is ignored",
	  S "ignore > VendGet() tid=$t\n" "0~1ms > nothing\n",
	  { "2:24: a pattern to ignore takes values, not names" } },
	{ "a topology that is not there",
	  S "topology \"nosuch.net\"\n" "0~1ms > nothing\n",
	  { "2:10: nosuch.net: no such file" } },
	{ "a capture that is not there",
	  S "replay \"nosuch.pcap\" answer\n" "0~1ms > nothing\n",
	  { "2:8: nosuch.pcap: no such file" } },
	{ "topologies that are not there, and another error",
	  S "topology \"nosuch.net\"\n" "0~1ms > nothing\n"
	  "scenario \"t\"\n" "topology \"none.net\"\n" "0 > Frob()\n",
	  { "2:10: nosuch.net: no such file", "5:10: none.net: no such file",
	    "6:5: there is no method or define 'Frob': a method begins with its class, as SubnGet "
	    "('umadrig fields' lists them)" } },
	{ "a topology that is none",
	  S "topology \"/proc/version\"\n" "0~1ms > nothing\n",
	  { "2:10: /proc/version: no fabric found: it is text without a node in it; ibsim net "
	    "files, ibnetdiscover dumps, OpenSM subnet lists, profiles of mock-ib and ibdm "
	    "topologies can be read" } },
	{ "a topology of no known shape",
	  S "topology \"generate:tree:8\"\n" "0~1ms > nothing\n",
	  { "2:10: generate:tree:8: no such shape 'tree'; write "
	    "fat-tree:HCAS[,RADIX[,LEVELS]] or torus:XxYxZ,HOSTS or "
	    "dragonfly+:GROUPS,LEAVES,SPINES,HOSTS[,CABLES] or "
	    "rail:NODES,RAILS,RADIX[,PODS]" } },
	{ "ports that a generated topology has not",
	  S "topology \"generate:fat-tree:16,4\" self=\"host0 HCA-1[1]\" "
	  "peer=\"host-2 HCA-1[2]\"\n"
	  "0~1ms > nothing\n",
	  { "2:40: there is no node host0 HCA-1 in generate:fat-tree:16,4: did you mean host-0 "
	    "HCA-1? It has 36, which 'umadrig "
	    "topology --generate fat-tree:16,4' lists",
	    "2:62: host-2 HCA-1 has no port 2: it has port 1 only" } },
	{ "ends that are no ports",
	  S "topology \"generate:fat-tree:16,4\" self=\"H1\"\n" "0~1ms > nothing\n",
	  { "2:40: 'H1' is not a port: expected \"NODE[N]\", such as \"H1[1]\"" } },
	{ "nodes and ports that the default fabric has not",
	  S "0 link down \"S1[1]\"\n" "0 power off \"S1\"\n" "0 fault drop to \"H1[2]\"\n"
	  "0 < VendGet() class=0x32 from=\"H3[1]\"\n",
	  { "2:13: there is no node S1: the default fabric has H1 and H2 ('topology' names "
	    "another)",
	    "3:13: there is no node S1: the default fabric has H1 and H2 ('topology' names "
	    "another)",
	    "4:17: H1 has no port 2: it has port 1 only",
	    "5:31: there is no node H3: the default fabric has H1 and H2 ('topology' names "
	    "another)" } },
	{ "a host that is not there",
	  S "0 run on \"H3[1]\" true\n",
	  { "2:10: there is no node H3: the default fabric has H1 and H2 ('topology' names "
	    "another)" } },
	{ "counters with typos",
	  S "0 check counter(\"H1[0]\", PortRcvErors) == 0\n"
	  "0 check counter(self, XmitPkt) == 0\n" "0 check counter(self, OpCode) == 0\n",
	  { "2:17: H1 has no port 0: it has port 1 only",
	    "2:26: no port has a counter PortRcvErors: did you mean PortRcvErrors? 'umadrig "
	    "fields PortCounters PortCountersExtended' lists them",
	    "3:23: no port has a counter XmitPkt: did you mean PortXmitPkts? 'umadrig fields "
	    "PortCounters PortCountersExtended' lists them",
	    "4:23: no port has a counter OpCode: there are PortXmitPkts, PortRcvPkts, "
	    "PortXmitDiscards, PortRcvErrors, ... 'umadrig fields PortCounters "
	    "PortCountersExtended' lists them" } },
	{ "commands with typos",
	  S "0 do Unlnk H1\n" "0 do node of H1\n" "0 do Route 1\n" "0 do node off H3\n"
	  "0 do Unlink H3 = -ENOENT\n" "0 do fault add drop 5% on H1[7]\n",
	  { "2:6: there is no command 'Unlnk': did you mean 'unlink'?",
	    "3:6: 'node' what? There is 'node off', 'node on', 'node temperature'",
	    "4:6: expected: Route FROM TO",
	    "5:15: there is no node H3: the default fabric has H1 and H2 ('topology' names "
	    "another)",
	    "7:27: H1 has no port 7: it has port 1 only" } },
	{ "a command on a name with blanks",
	  S "0 do Unlink \"no such[1]\"\n",
	  { "2:13: there is no node no such: the default fabric has H1 and H2 ('topology' names "
	    "another)" } },
	{ "a call started that does not wait",
	  S "0 start x = umad_open_port($CA)\n" "0 end x = 0\n",
	  { "2:13: umad_open_port() returns at once: only umad_recv() and umad_poll() can be "
	    "started" } },
	{ "a call that never ends",
	  S "0 fd = umad_open_port($CA)\n" "0 start x = umad_recv(fd)\n",
	  { "3:3: no line waits for the end of this call: add 'end ... = ...'" } },
	{ "an end of what was not started",
	  S "0 end x = 0\n",
	  { "2:3: no line above starts a call x" } },
	{ "two ends of one call",
	  S "0 fd = umad_open_port($CA)\n" "0 start x = umad_poll(fd)\n" "0 end x = 0\n"
	  "0 end x = 0\n",
	  { "5:3: more calls end than were started" } },
	{ "a wait that holds up the script",
	  S "0 fd = umad_open_port($CA)\n" "0 umad_poll(fd, timeout=1s)\n",
	  { "3:25: a call that waits must be started: 'start r = umad_poll(...)', and later "
	    "'end r = ...'" } },
	{ "a call started with no name",
	  S "0 start umad_recv(3)\n",
	  { "2:18: expected '=' and the call, found '('" } },
	{ "a check of what",
	  S "0 check weather() == 1\n",
	  { "2:9: expected counter(PORT, NAME), port(PORT, FIELD) or node(NODE, FIELD) after "
	    "'check', found 'weather'" } },
	{ "a counter of no port",
	  S "0 check counter(PortRcvErrors) == 1\n",
	  { "2:9: expected a port and a name: counter(\"H1[1]\", PortRcvErrors)" } },
	{ "a counter that is not compared",
	  S "0 check counter(self, PortRcvErrors) = 1\n",
	  { "2:38: expected '==', '<', '>' or '>=' and a value, found '='" } },
	{ "a counter in a window",
	  S "0~1s check counter(self, PortRcvErrors) == x\n",
	  { "2:44: expected a number, found 'x'" } },
	{ "a note of a number",
	  S "0 note 7\n",
	  { "2:8: expected a text in quotes, found a number" } },
	{ "a note of a name that is not bound",
	  S "0 note $what\n",
	  { "2:8: '$what' is not defined" } },
	{ "a note of two texts",
	  S "0 note \"a\" \"b\"\n",
	  { "2:12: expected the end of the line, found a string" } },
	{ "a note in a window",
	  S "0~1ms note \"a\"\n",
	  { "2:1: expected a point in time, such as +1ms" } },
	{ "something nested too deeply",
	  S "0 > x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x("
	  "x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(0))))))))))))))))))))))\n",
	  { "2:69: this is nested too deeply (32 levels at most)" } },
	{ "several errors in one file",
	  S "0 fd = umad_opn_port($CA)\n" "+5 > VendGte()\n" "+1ms > VendGet() modifer=1\n",
	  { "2:8: there is no call umad_opn_port(): did you mean umad_open_port()?",
	    "3:2: a time needs a unit (ns, us, ms, s): did you mean 5ms?",
	    "4:18: there is no header field 'modifer' here: did you mean modifier?" } },
	{ NULL, NULL, { NULL } },
};

char *script_check_said(const struct diagnostic *diagnostic)
{
	g_assert_true(diagnostic->is_error);
	if (diagnostic->place.line == 0)
		return g_strdup(diagnostic->message);
	return g_strdup_printf("%u:%u: %s", diagnostic->place.line, diagnostic->place.column,
			       diagnostic->message);
}

static void test_wrong(const void *data)
{
	const struct row *row = data;
	struct script *script = script_parse(row->given, strlen(row->given), "t.mad", script_verbs);
	struct plan *plan;
	g_autofree char *text = NULL;
	guint i;

	plan = script_check(script);
	plan_diagnose_objections(plan);
	g_assert_cmpuint(script->diagnostics->errors, >, 0);
	/* Sorts them. */
	text = diagnostics_text(script->diagnostics);
	for (i = 0; i < script->diagnostics->list->len; i++) {
		g_autofree char *actual = script_check_said(script->diagnostics->list->pdata[i]);

		g_assert_cmpuint(i, <, SAYS_MAX);
		g_assert_cmpstr(actual, ==, row->says[i]);
	}
	g_assert_true(i == SAYS_MAX || !row->says[i]);
	plan_free(plan);
	script_free(script);
}

/* The whole of a message: place, line, caret under the right character. */
static void test_caret(void)
{
	static const char given[] = "scenario \"\xc3\xa4\xc3\xb6\"\n"
				    "\t0 > VendGet() modifer=1\n"
				    "0 fd = umad_open_port(\"\xc3\xbc\", x=1)\n";
	struct script *script = script_parse(given, strlen(given), "dir/t.mad", script_verbs);
	struct plan *plan;
	g_autofree char *text = NULL;

	plan = script_check(script);
	g_assert_cmpuint(script->diagnostics->errors, >, 0);
	text = diagnostics_text(script->diagnostics);
	g_assert_cmpstr(text, ==,
			"dir/t.mad:2:16: error: there is no header field 'modifer' here: did you "
			"mean modifier?\n"
			"    2 | \t0 > VendGet() modifer=1\n"
			"      | \t              ^~~~~~~\n"
			"dir/t.mad:3:28: error: umad_open_port() has no argument x: it "
			"takes ca, port\n"
			"    3 | 0 fd = umad_open_port(\"\xc3\xbc\", x=1)\n"
			"      |                            ^\n");
	plan_free(plan);
	script_free(script);
}

static void add_rows(const struct row *rows)
{
	for (; rows->name; rows++) {
		g_autofree char *path = g_strdup_printf("/script-check/%s", rows->name);

		g_test_add_data_func(path, rows, test_wrong);
	}
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	add_rows(script_check_directives);
	add_rows(script_check_mads);
	add_rows(lines);
	g_test_add_func("/script-check/the caret", test_caret);
	script_check_sizes();
	return leak_end(g_test_run());
}
