/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The console, verb by verb: what a line does, what it prints, and how it is refused.
 */
#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "sim/console/console.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/run/assembly.h"
#include "sim/topology/lid.h"
#include "sim/topology/load.h"
#include "tests/rig/leak.h"

/* H1[1] LID 1, H1[2] 2, H2 3, S1 4, S2 5. */
static const char net[] =
	"Hca 2 \"H1\"\n[1] \"S1\"[1]\n[2] \"S2\"[1]\n\nHca 1 \"H2\"\n[1] \"S1\"[2]\n\n"
	"Switch 4 \"S1\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n[3] \"S2\"[2]\n\n"
	"Switch 4 \"S2\"\n[1] \"H1\"[2]\n[2] \"S1\"[3]\n";

/* ---- a server ---- */

struct served {
	uint64_t disconnected;
	bool has_quit;
};

static void list(void *ctx, GString *out, struct json_writer *json)
{
	(void)ctx;
	if (json)
		json_verbatim(json, "[1]");
	else
		g_string_append(out, "Client 1: nobody\n");
}

static int disconnect(void *ctx, uint64_t number)
{
	((struct served *)ctx)->disconnected = number;
	return number == 1 ? 0 : -ENOENT;
}

static void quit(void *ctx)
{
	((struct served *)ctx)->has_quit = true;
}

static const struct console_server server = { list, disconnect, quit };

/* ---- rows ---- */

/*
 * Given lines that succeed, when one more is executed, then it returns this, and its text or error
 * contains that; and the text of another line a second later contains this. 's' before the line: on
 * a server.
 */
static const struct row {
	const char *given;	/* separated by ; */
	const char *line;
	int ret;
	const char *says;
	const char *then, *shows;
} rows[] = {
	/* Words. */
	{ "", "", 0, "", NULL, NULL },
	{ "", "   # Unlink \"S1\"", 0, "", "Dump S1", "[1]\t\"H1\"[1]" },
	{ "", "\tdump   H2  # and a note", 0, "dumped 1 nodes", NULL, NULL },
	{ "", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 "
	  "31 32 33", -EINVAL, "more than 32 words; put names", NULL, NULL },
	{ "", "unlinc S1", -EINVAL, "no command 'unlinc': did you mean 'unlink'?", NULL, NULL },
	{ "", "xyzzy", -EINVAL, "no command 'xyzzy'; Help lists them", NULL, NULL },
	{ "", "fault", -EINVAL, "'fault' what? There is 'fault add', 'fault drop'", NULL, NULL },
	{ "", "Route 1", -EINVAL, "expected: Route FROM TO", NULL, NULL },
	{ "", "Unlink S9", -ENOENT, "there is no node 'S9'; Dump lists them", NULL, NULL },
	{ "", "Unlink S1[9]", -ENOENT, "there is no port S1[9]; it has 0 to 4", NULL, NULL },
	{ "", "Unlink \"H2\"[0]", -ENOENT, "there is no port H2[0]; it has 1 to 1", NULL, NULL },
	{ "", "Unlink \"S1\"[x]", -EINVAL, "expected a node, such as S1, or",
	  NULL, NULL },
	{ "", "Unlink S1[1x]", -EINVAL, "'S1[1x]': expected a node, such as S1, or", NULL, NULL },
	{ "", "Unlink S1[+1]", -EINVAL, "'S1[+1]': expected a node, such as S1, or", NULL, NULL },
	{ "", "Unlink S1[4294967297]", -EINVAL, "expected a port from 0 to 255", NULL, NULL },
	{ "", "Guid S1 +1", -EINVAL, "expected a GUID", NULL, NULL },
	{ "", "Unlink \"S1\"[2]3", -EINVAL, "expected a node", NULL, NULL },
	{ "", "Unlink \"S1", -ENOENT, "there is no node '\"S1'", NULL, NULL },

	/* Answers as JSON: tests/python has more. */
	{ "", "json fault add drop 5%", 0, "{\"id\": 1}", NULL, NULL },
	{ "", "json sa", 0, "{\"sa\": \"none\", \"subnets\": []}", NULL, NULL },
	{ "", "json Unlink H2", 0, "null", "Dump H2", "Down/Polling" },
	{ "", "json report", 0, "[\"ends ", NULL, NULL },
	{ "", "JSON json Dump", -EINVAL, "'json' is given twice", NULL, NULL },
	{ "", "json", -EINVAL, "expected: json COMMAND...", NULL, NULL },
	{ "", "json Unlink S9", -ENOENT, "there is no node 'S9'; Dump lists them", NULL, NULL },

	/* ibsim's verbs, in their order. */
	{ "", "START", 0, "# console.net: started", NULL, NULL },
	{ "", "Dump", 0, "#  dumped 4 nodes", NULL, NULL },
	{ "", "Dump \"S1\"", 0, "Switch 4 \"S1\"", NULL, NULL },
	{ "", "Dump S9", -ENOENT, "there is no node 'S9'", NULL, NULL },
	{ "", "Route 1 5", 0, "[3] -> \"S2\"[2]\nTo node \"S2\" port 0 lid 5", NULL, NULL },
	{ "", "Route 1 1", 0, "From node \"H1\" port 1 lid 1\nTo node", NULL, NULL },
	{ "", "Route 1 77", -ENOENT, "no port has LID 77", NULL, NULL },
	{ "", "Route 0x 2", -EINVAL, "'0x': expected a LID, a number up to 49151", NULL, NULL },
	{ "", "Route one 2", -ENOENT, "there is no node 'one'", NULL, NULL },
	{ "", "Route H1 2", -EINVAL, "PORT", NULL, NULL },
	{ "Unlink S1[3];Unlink S2[1]", "Route 1 5", -EHOSTUNREACH,
	  "the link at S1[3] is Down/Polling", NULL, NULL },
	{ "", "Link S1[4] S2[4]", 0, "", "Dump S1", "[4]\t\"S2\"[4]\t 4xSDR Init/LinkUp" },
	{ "", "Link S1[1] S2[4]", -EBUSY, "S1[1] is linked with H1[1]; Unlink it first", NULL,
	  NULL },
	{ "", "Link S1[0] S2[4]", -EINVAL, "port 0 has no socket", NULL, NULL },
	{ "", "Link S1 S2[4]", -EINVAL, "which port of S1? Write \"S1\"[PORT]", NULL, NULL },
	{ "Unlink S1[3]", "ReLink S2[2]", 0, "", "Dump S1",
	  "[3]\t\"S2\"[2]\t 4xSDR Init/LinkUp" },
	{ "", "ReLink S1[4]", -ENXIO, "there is no cable at S1[4]; Link lays one", NULL, NULL },
	{ "", "Unlink H2", 0, "", "Dump S1", "[2]\t\t\t 4xSDR Down/Polling" },
	{ "", "Unlink S2[4]", -ENXIO, "there is no cable at S2[4]", NULL, NULL },
	{ "PerformanceSet S1[1] PortCounters.VL15Dropped=5", "Clear S1[1]", 0, "",
	  "counters S1[1]", "VL15Dropped: 0\n" },
	{ "", "Clear S9[1]", -ENOENT, "there is no node 'S9'", NULL, NULL },
	{ "", "Guid H1 0xabc", 0, "", "Dump H1", "nodeguid abc\t" },
	{ "", "Guid H1[2] abd", 0, "", "Dump H1", "abd\t[2]" },
	{ "", "Guid S1 5", 0, "", "Dump S1", "5\t[0]" },
	{ "", "Guid H1 0", -EINVAL, "expected a GUID", NULL, NULL },
	{ "", "Guid S1[1] 5", -EINVAL, "a switch's ports have the node's GUID", NULL, NULL },
	{ "", "Error H1[1] 20 16", 0, "", "Dump H1", "# err_rate 20\t# err_attr 16" },
	{ "Error H1[1] 20", "Error H1[1] 30", 0, "", "fault list",
	  "2\tError H1[1]\tmatched 0 acted 0" },
	{ "Error H1 20", "Error H1 0", 0, "", "fault list", "" },
	{ "", "Error H1 101", -EINVAL, "a rate in percent, a number up to 100", NULL, NULL },
	{ "", "Error S1[4] 5", -ENOENT, "there is no cable at S1[4]", NULL, NULL },
	{ "", "PerformanceSet S1[2] PortCountersExtended.PortXmitData=4294967296", 0,
	  "S1[2] PortCountersExtended.PortXmitData has been set to 4294967296",
	  "counters S1[2] PortCountersExtended", "PortXmitData: 4294967296\n" },
	{ "PerformanceSet S1[2] PortCounters.SymbolErrorCounter=7",
	  "counters S1[2] PortCountersExtended", 0, "SymbolErrorCounter: 7\n", NULL, NULL },
	{ "PerformanceSet S1[2] PortCountersExtended.SymbolErrorCounter=7", "counters S1[2]", 0,
	  "SymbolErrorCounter: 0\n", NULL, NULL },
	{ "", "PerformanceSet S1[2] PortCounters", -EINVAL, "expected ATTRIBUTE.FIELD=VALUE", NULL,
	  NULL },
	{ "", "PerformanceSet S1[2] PortCounters.LinkDownedCounter=256", -EINVAL,
	  "LinkDownedCounter has room for 255", NULL, NULL },
	{ "", "PerformanceSet S1[2] Foo.Bar=1", -ENOENT, "there is no attribute 'Foo'", NULL,
	  NULL },
	{ "", "PerformanceSet H2 SWPortVLCongestion.SWPortVLCongestion0=1", -EOPNOTSUPP,
	  "H2[1] does not know", NULL, NULL },
	{ "", "Baselid H2 64 2", 0, "", "Dump H2", "lid 64 lmc 2" },
	{ "", "Baselid S1[0] 9", 0, "", "Route 1 9", "To node \"S1\" port 0 lid 9" },
	{ "", "Baselid H2 65 2", -EINVAL, "LID 65 is not a multiple of 4", NULL, NULL },
	{ "", "Baselid S1[1] 9", -EINVAL, "a switch's LID is its port 0's", NULL, NULL },
	{ "", "Baselid H2 9 8", -EINVAL, "expected an LMC, a number up to 7", NULL, NULL },
	{ "", "capability set H2[1] 0x80000", 0, "", NULL, NULL },
	{ "", "capability clear S1[0] 0x10000", 0, "", NULL, NULL },
	{ "", "capability set H2 2", -EINVAL, "0x2 says that issmN is open", NULL, NULL },
	{ "", "capability set H2 all", -EINVAL, "expected the bits, a number", NULL, NULL },
	{ "", "capability set S1[1] 0x80000", -EINVAL, "only port 0 of a switch has", NULL, NULL },
	{ "", "Verbose", 0, "simulator verbose level is 0", NULL, NULL },
	{ "Verbose 1", "Verbose", 0, "simulator verbose level is 1", "Verbose 0",
	  "simulator verbose level is 0" },
	{ "", "Verbose 2", -EINVAL, "expected 0 or 1", NULL, NULL },
	{ "Unlink S1[1];ReLink S1[1]", "Wait 20ms", 0, "", "Dump S1", "[1]\t\"H1\"[1]" },
	{ "", "Wait 1.5", 0, "", NULL, NULL },
	{ "", "Wait 1.0000000001s", -EINVAL, "expected a time that is no finer than a nanosecond",
	  NULL, NULL },
	{ "", "Wait 1.0000000001", -EINVAL, "expected a time that is no finer than a nanosecond",
	  NULL, NULL },
	{ "", "after 1.0000000001s Dump", -EINVAL,
	  "expected a time that is no finer than a nanosecond", NULL, NULL },
	{ "", "link degrade S1[1] ber=0x1p-40", -EINVAL, "expected a width", NULL, NULL },
	{ "", "Wait soon", -EINVAL, "expected seconds, or a time such as 200ms", NULL, NULL },
	{ "", "Attached", -EOPNOTSUPP, "this fabric has no server", NULL, NULL },
	{ "s", "Attached", 0, "Client 1: nobody", NULL, NULL },
	{ "s", "X 1", 0, "", NULL, NULL },
	{ "s", "X 2", -ENOENT, "there is no client 2; Attached lists them", NULL, NULL },
	{ "s", "X me", -EINVAL, "expected the number of a client", NULL, NULL },
	{ "", "X 1", -EOPNOTSUPP, "this fabric has no server", NULL, NULL },
	{ "", "Help", 0, "  Baselid \"NODE\"[PORT] LID [LMC]", NULL, NULL },
	{ "", "help FAULT", 0, "  fault remove ID|RULE|all", NULL, NULL },
	{ "", "? Un", 0, "  Unlink \"NODE\"[[PORT]]", NULL, NULL },
	{ "", "Help xyzzy", -EINVAL, "there is no command 'xyzzy'", NULL, NULL },
	{ "", "Quit", -EOPNOTSUPP, "this fabric has no server", NULL, NULL },
	{ "s", "Quit", 0, "", NULL, NULL },
	{ "", "!/nowhere/at/all", -ENOENT, "No such file", NULL, NULL },
	{ "", "!", -EINVAL, "which file? Write !FILE", NULL, NULL },

	/* umadrig's own. */
	{ "", "link down S1[2]", 0, "", "Dump H2", "Down/Polling" },
	{ "link down S1[2]", "link up H2", 0, "", "Dump H2", "Init/LinkUp" },
	{ "", "link sideways S1[2]", -ENOENT, "there is no node 'sideways'", NULL, NULL },
	{ "", "link error H2 integrity", 0, "", "counters H2", "LocalLinkIntegrityErrors: 1\n" },
	{ "", "link error S1[2] OVERRUN", 0, "", "counters S1[2]",
	  "ExcessiveBufferOverrunErrors: 1\n" },
	{ "", "link error S1[2] watchdog", 0, "", "counters S1[2] PortVLXmitFlowCtlUpdateErrors",
	  "PortVLXmitFlowCtlUpdateErrors0: 1\n" },
	{ "", "link error S1[2] noise", -EINVAL, "expected integrity, overrun or watchdog", NULL,
	  NULL },
	{ "", "link error S1[0] overrun", -EINVAL, "port 0 of S1 has no link", NULL, NULL },
	{ "", "node off S2", 0, "", "Dump S2", "# has no power" },
	{ "node off S2", "NODE ON S2", 0, "", "Dump S2", "lid 0 lmc 0 smlid 0  4xSDR Active" },
	{ "", "node off S2[1]", -EINVAL, "expected a node, without a port", NULL, NULL },
	{ "node off S2", "counters S2[1]", -EIO, "S2 has no power; 'node on' turns it on", NULL,
	  NULL },
	{ "", "device remove H2", 0, "", "Dump H2", "# has no power" },
	{ "", "node temperature S1 120", 0, "", NULL, NULL },
	{ "", "node temperature S1 201", -EINVAL, "expected degrees Celsius", NULL, NULL },
	{ "", "node temperature S1 0", -EINVAL, "expected degrees Celsius, from 1 on", NULL, NULL },
	{ "", "node temperature S1[1] 50", -EINVAL, "expected a node, without a port", NULL, NULL },
	{ "node off S1", "node temperature S1 50", -EIO, "S1 has no power", NULL, NULL },
	{ "", "device fatal H2", 0, "", "Dump H2", "# has no power" },
	{ "", "device fatal S1", -EINVAL, "S1 is no host's device", NULL, NULL },
	{ "", "device remove S1", -EINVAL, "S1 is no host's device", NULL, NULL },
	{ "", "sm off", -ENOENT, "no port says IsSM", NULL, NULL },
	{ "", "sa", 0, "none\n", NULL, NULL },
	{ "", "sa builtin", 0, "", "sa", "builtin H1[1] LID 1\n" },
	{ "sa builtin", "SA BUILTIN", 0, "", "sa", "builtin H1[1] LID 1\n" },
	{ "sa builtin", "sa none", 0, "", "sa", "none\n" },
	{ "", "sa yes", -EINVAL, "expected builtin or none", NULL, NULL },
	{ "", "fault add drop 5% class=0x81 on S1[3]", 0, "1\n", "fault list",
	  "1\tdrop 5% class=0x81 on S1[3]\tmatched 0 acted 0" },
	{ "", "fault add \"drop all on S1[3]\"", 0, "1\n", "fault list", "drop all on S1[3]" },
	{ "", "fault add drop all on S9", -ENOENT, "there is no node 'S9'", NULL, NULL },
	{ "", "fault add smash", -EINVAL, "expected drop, delay, duplicate", NULL, NULL },
	{ "fault drop all on H2;fault drop all on H1", "fault remove 1", 0, "", "fault list",
	  "2\tdrop all on H1" },
	{ "fault drop all on H2;fault drop all on H1", "fault remove drop all on H1", 0, "",
	  "fault list",
	  "1\tdrop all on H2" },
	{ "fault drop all on H2;fault drop all on H1", "fault remove ALL", 0, "", "fault list",
	  "" },
	{ "", "fault remove 1", -ENOENT, "there is no rule '1'; 'fault list' has them", NULL,
	  NULL },
	{ "", "counters S1[1]", 0, "# S1[1]\nSymbolErrorCounter: 0\n", NULL, NULL },
	{ "", "counters S1[1] PortRcvErrorDetails", 0, "PortLoopingErrors: 0\n", NULL, NULL },
	{ "", "counters S1[1] PortInfo", -ENOENT, "there is no attribute 'PortInfo'", NULL, NULL },
	{ "", "counters S1", -EINVAL, "which port of S1?", NULL, NULL },
	{ "", "vf list", 0, "", NULL, NULL },
	{ "", "vf list H1", -EINVAL, "H1 has no virtual functions: the fabric's option vfs=N:NODE",
	  NULL, NULL },
	{ "", "vf count H1 1", -EINVAL, "H1 has no virtual functions", NULL, NULL },
	{ "", "vf port H1 0 1", -EINVAL, "H1 has no virtual functions", NULL, NULL },
	{ "", "load add H1[1] H2 1G", 0, "1\n", "load list",
	  "1 H1[1] to H2[1]: 1000000000 of 1000000000 b/s in packets of 4096\n" },
	{ "", "load add H1[1]:H2:100G:size=64", 0, "1\n", "load list",
	  "b/s in packets of 64; the link of H1[1] is full\n" },
	{ "load add H1[1] H2 1G;Unlink H2[1]", "load list", 0,
	  ": 0 of 1000000000 b/s in packets of 4096; the link of S1[2] is not Active\n", NULL,
	  NULL },
	{ "load add H1[1] H2 1G;Baselid H2 0", "load list", 0, "; H2[1] has no LID\n", NULL, NULL },
	{ "load add H1[1] H2 1G;load remove 1", "load list", 0, "", NULL, NULL },
	{ "load add all next 1G", "load remove ALL", 0, "", "load list", "" },
	{ "", "load remove 1", -ENOENT, "there is no load 1; 'load list' has them", NULL, NULL },
	{ "load add H1[1] H2 1G", "load remove 0", -ENOENT, "there is no load 0; 'load list' has",
	  NULL, NULL },
	{ "", "load remove x", -EINVAL, "the number of a load, or 'all'", NULL, NULL },
	{ "", "load add H1[1] H2", -EINVAL, "expected FROM, TO and a rate", NULL, NULL },
	{ "", "load add H1[1x] H2 1G", -EINVAL, "'H1[1x]': expected a node, such as S1, or a port",
	  NULL, NULL },
	{ "", "load add H1[+1] H2 1G", -EINVAL, "'H1[+1]': expected a node, such as S1, or a port",
	  NULL, NULL },
	{ "", "load add H1[4294967297] H2 1G", -EINVAL, "expected a port from 0 to 255", NULL,
	  NULL },
	{ "", "load add H1[1] H2 1.0000000001G", -EINVAL, "expected a rate in bits per second",
	  NULL, NULL },
	{ "", "load add H1[1] H9 1G", -ENOENT, "there is no node 'H9'", NULL, NULL },
	{ "", "counter S1[1] SymbolErrorCounter +10/s for 60s", 0, "", NULL, NULL },
	{ "", "counter S1[1] SymbolErrorCounter +0.5/250ms", 0, "", NULL, NULL },
	{ "counter S1[1] SymbolErrorCounter +1/s", "counter S1[1] SymbolErrorCounter stop", 0, "",
	  NULL, NULL },
	{ "", "counter S1[1] SymbolErrorCounter stop", -ENOENT, "was not told to move", NULL,
	  NULL },
	{ "", "counter S1[1] SymbolErrorCounter 10/s", -EINVAL, "expected a rate, such as +10/s",
	  NULL, NULL },
	{ "", "counter S1[1] SymbolErrorCounter +10", -EINVAL, "expected a rate", NULL, NULL },
	{ "", "counter S1[1] SymbolErrorCounter +1/year", -EINVAL, "expected a rate", NULL, NULL },
	{ "", "counter S1[1] SymbolErrorCounter +1/s 60s", -EINVAL, "expected 'for' and a time",
	  NULL, NULL },
	{ "", "counter S1[1] SymbolErrorCounter +1/s for ever", -EINVAL, "expected a time", NULL,
	  NULL },
	{ "", "counter S1[1] Colour +1/s", -ENOENT, "there is no counter 'Colour'", NULL, NULL },
	{ "", "counter S1 SymbolErrorCounter +1/s", -EINVAL, "which port of S1?", NULL, NULL },
	{ "", "link degrade S1[2] 1x SDR ber=1e-12", 0, "", "Dump H2", "1xSDR" },
	{ "link degrade S1[2] 1x", "link restore S1[2]", 0, "", "Dump H2", "4xSDR" },
	{ "", "link degrade S1[2] slow", -EINVAL, "'slow': expected a width (1x 2x", NULL, NULL },
	{ "", "link degrade S1[2] ber=1", -EINVAL, "ber= up to 0.001", NULL, NULL },
	{ "", "link degrade S1[4] 1x", -ENXIO, "there is no cable at S1[4]", NULL, NULL },
	{ "", "link restore S1[4]", -ENXIO, "there is no cable at S1[4]", NULL, NULL },
	{ "", "after 500ms Unlink H2", 0, "1\n", "Dump H2", "Down" },
	{ "", "after 10s Unlink H2", 0, "1\n", "schedule list", "1\tUnlink H2\tat 10.000s\n" },
	{ "", "every 10s json Dump", -EINVAL, "'json' cannot be done later", NULL, NULL },
	{ "", "after 10s Unlnk H2", -EINVAL, "did you mean", NULL, NULL },
	{ "", "every 999us Unlink H2", -EINVAL, "expected a time of 1ms or more", NULL, NULL },
	{ "", "link flap S1[2] down 1us every 2us", -EINVAL, "a time of 1ms or more", NULL, NULL },
	{ "", "every 1s link flap S1[2] down 1ms every 2ms", -EINVAL,
	  "'link flap' cannot be done later", NULL, NULL },
	{ "", "after soon Unlink H2", -EINVAL, "expected a time, such as 60s", NULL, NULL },
	{ "", "link flap S1[2] down 5s every 60s times 3", 0, "1\n", "schedule list",
	  "1\tlink down S1[2]\tat 60.000s, every 60.000s, 3 times\n" },
	{ "", "link flap S1[2] down 5s every 5s", -EINVAL, "is not less than 5s", NULL, NULL },
	{ "", "link flap S1[2] up 5s every 6s", -EINVAL, "down TIME every TIME", NULL, NULL },
	{ "every 9s Unlink H2", "schedule remove 1", 0, "", "schedule list", "" },
	{ "", "schedule remove 1", -ENOENT, "there is no entry 1; 'schedule list'", NULL, NULL },
	/* Properties: what had to hold a second later. */
	{ "", "always all-active within 500ms", 0, "1\n", "property list",
	  "1\talways all-active within 0.5s\tholds\n" },
	{ "Unlink H2;always all-active within 500ms", "ReLink H2", 0, "", "property list",
	  "\tbroken at 0.500s\tH2[1] is not Active, for 0.5s\n" },
	{ "Unlink H2;always all-active within 2s", "ReLink H2", 0, "", "property list",
	  "\tholds\n" },
	{ "Unlink H2;ReLink H2;always all-active within 500ms", "Unlink H2", 0, "",
	  "property list", "\tholds\n" },
	{ "always unique-lids within 0", "Baselid H2[1] 1", 0, "", "property list",
	  "\tbroken at 0.000s\t" },
	{ "always unique-lids", "Baselid H2[1] 1", 0, "", "property end", "\tholds\n" },
	{ "", "never unique-lids", 0, "1\n", "property list",
	  "\tnever unique-lids\tbroken at 0.000s\tit is so\n" },
	{ "always every-way-leads within 100ms", "Unlink H2", 0, "", "property list",
	  "\tbroken at 0.100s\tH1[1] to LID " },
	{ "always every-way-leads within 100ms;Unlink H2", "ReLink H2", 0, "", "property list",
	  "is not Active, for 0.1s" },
	{ "", "sometimes \"report = active 6\"", 0, "1\n", "property end", "\tholds\n" },
	{ "", "sometimes report = ends 5", 0, "1\n", "property list", "\tmet at 0.000s\n" },
	{ "Unlink H2", "never report = links 2", 0, "1\n", "property list", "\tholds\n" },
	{ "Unlink H2;never report = links 4", "ReLink H2", 0, "", "property list", "\tbroken at " },
	{ "Unlink H2;finally report = ends 5 within 100ms", "heal", 0, "", "property list",
	  "\tmet at 0.100s\n" },
	{ "Unlink H2;finally report = ends 6 within 100ms", "heal", 0, "", "property list",
	  "\tbroken at 0.100s\tthe answer is 'ends 5" },
	{ "Unlink H2", "finally report = ends 5", 0, "1\n", "property list", "\tholds\n" },
	{ "Unlink H2", "finally all-active", 0, "1\n", "property end", "\tmet at " },
	{ "", "finally all-inactive", -EINVAL, "expected all-active, unique-lids, every-way-leads, "
	  "one-master, every-request-ends, alive, no-credit-loop, memory-bounded, "
	  "log-has, program, or \"COMMAND = PATTERN\", not 'all-inactive'", NULL, NULL },
	{ "", "always memory-bounded 64M", -EINVAL, "this fabric knows of no programs", NULL,
	  NULL },
	{ "", "always program true", -EINVAL, "this fabric knows of no programs", NULL, NULL },
	{ "", "always program", -EINVAL, "expected: program 'COMMAND' [every TIME]", NULL, NULL },
	{ "", "always program 'true", -EINVAL, "expected: program 'COMMAND'", NULL, NULL },
	{ "", "always program '' every 5s", -EINVAL, "expected: program 'COMMAND'", NULL, NULL },
	{ "", "always program 'x = y' every 5", -EINVAL, "'5': expected a time", NULL, NULL },
	{ "", "always program true every 1us", -EINVAL, "'1us': expected a time of 1ms", NULL,
	  NULL },
	{ "", "start true", -EOPNOTSUPP, "this fabric knows of no programs: 'umadrig exec' with "
	  "clock=virtual", NULL, NULL },
	{ "", "after 1s start true", -EINVAL, "this fabric knows of no programs", NULL, NULL },
	{ "", "when all-active do start true", -EINVAL, "this fabric knows of no programs", NULL,
	  NULL },
	{ "", "always memory-bounded", -EINVAL, "expected a number from 1", NULL, NULL },
	{ "", "always memory-bounded -1", -EINVAL, "'-1': expected a number from 1", NULL, NULL },
	{ "", "always all-active now", -EINVAL, "'all-active' takes nothing after it: 'now'", NULL,
	  NULL },
	{ "", "always all-active within soon", -EINVAL, "'soon': expected a time", NULL, NULL },
	{ "", "always Unlink H2 = x", -EINVAL, "'Unlink' is no question to the fabric", NULL,
	  NULL },
	{ "", "always Dump H7 = x", -EINVAL, "H7", NULL, NULL },
	{ "", "always report = (", -EINVAL, "'(': ", NULL, NULL },
	{ "", "never log-has x.log", -EINVAL, "expected: log-has FILE PATTERN", NULL, NULL },
	{ "", "never log-has x.log [", -EINVAL, "'[': ", NULL, NULL },
	{ "", "never log-has /nowhere/x.log .", 0, "1\n", "property end", "\tholds\n" },
	{ "always one-master", "property remove 1", 0, "", "property list", "" },
	{ "always one-master;never one-master", "property remove all", 0, "", "property list", "" },
	{ "always one-master", "property remove 2", -ENOENT, "there is no property 2", NULL, NULL },
	{ "fault drop 100%;Unlink H2;every 100ms Unlink H1[1]", "heal", 0, "", "Dump H2", "Init" },
	{ "node off S2;link degrade S1[2] 1x", "heal", 0, "", "Dump S1[2]", " 4x" },

	/* Triggers: nothing is on its way here. */
	{ "", "when SubnSet(PortInfo) from S1[2] after 3 do heal", 0, "1\n", "when list",
	  "1\tSubnSet(PortInfo) from S1[2] after 3\theal\t0 times\tof 0\n" },
	{ "when all do link down H2[1]", "fault list", 0, "", "when list", "\t0 times\tof 0\n" },
	{ "when all do link down H2[1]", "fault remove all", 0, "", "when list", "1\tall\t" },
	{ "", "when all-active do link down H2[1]", 0, "1\n", "Dump H2", "Down" },
	{ "when report = links 3 do link up H2[1]", "link down H2[1]", 0, "", "when list",
	  "1\treport = links 3\tlink up H2[1]\t1 times\n" },
	{ "when report = links 3 do link up H2[1]", "link down H2[1]", 0, "", "Dump H2", "Init" },
	{ "when all-active do node off H2", "property list", 0, "", "when remove 1", "" },
	{ "", "when SubnSet(PortInf) do link down H2[1]", -EINVAL,
	  "when SubnSet(PortInf): ", NULL, NULL },
	{ "", "when all from S9 do link down H2[1]", -ENOENT, "there is no node 'S9'", NULL, NULL },
	{ "", "when all do link down", -EINVAL, "link down", NULL, NULL },
	{ "", "when all do", -EINVAL, "expected: when", NULL, NULL },
	{ "", "when unanswered do heal", -EINVAL, "when unanswered: 'unanswered': whether an answer"
	  " comes is not known while a MAD is on its way; 'always every-request-ends'", NULL,
	  NULL },
	{ "", "when trip>1ms do heal", -EINVAL, "'umadrig show CAPTURE \"trip>1ms\"' finds", NULL,
	  NULL },
	{ "", "when 3 retry>0 do heal", -EINVAL, "a rule does not keep what was sent before", NULL,
	  NULL },
	{ "", "when changed do heal", -EINVAL, "conditions such as all-active wait", NULL, NULL },
	{ "", "when dropped do heal", -EINVAL, "'umadrig show CAPTURE dropped' finds", NULL, NULL },
	{ "", "when frame=7 do heal", -EINVAL, "no frame of a file yet", NULL, NULL },
	{ "", "when trap=128 do heal", -EINVAL, "after 'where': where trap=128", NULL, NULL },
	{ "", "when where trap=128 do heal", 0, "1\n", "when list", "1\twhere trap=128\t" },
	{ "", "when SubnTrap(Notice) from=H1 do heal", -EINVAL, "a rule says 'from S1[3]'", NULL,
	  NULL },
	{ "", "when SubnTrap do heal", -EINVAL, "write SubnTrap()", NULL, NULL },
	{ "", "when SubnTrap() do heal", 0, "1\n", NULL, NULL },
	{ "", "when do link down H2[1]", -EINVAL, "expected: when EVENT do COMMAND", NULL, NULL },
	{ "", "when all do when all do heal", -EINVAL, "'when' cannot be done later", NULL, NULL },
	{ "when all do heal", "when remove 2", -ENOENT, "there is no entry 2; 'when list'", NULL,
	  NULL },
	{ "when all do heal", "when remove all", 0, "", "when list", "" },
	{ "", "signal opensm KILL", -EOPNOTSUPP, "this fabric knows of no programs", NULL, NULL },
	{ "", "signal opensm STOP", -EOPNOTSUPP, "this fabric knows of no programs", NULL, NULL },
	{ "", "signal opensm WINCH", -EINVAL, "'WINCH': expected KILL, TERM", NULL, NULL },

	{ "", "capture start /nowhere/x.pcapng", -EIO, "/nowhere/x.pcapng", NULL, NULL },
	{ "", "capture stop", -ENOENT, "nothing is being captured", NULL, NULL },
	{ "", "report", 0, "\n", NULL, NULL },
	{ "", "multicast 0xc000", 0, "\n", NULL, NULL },
	{ "", "multicast 5", -EINVAL, "5", NULL, NULL },
	{ "", "topology", 0, "# \"S1\" ", NULL, NULL },
	{ "", "topology dot", 0, "graph", NULL, NULL },
	{ "", "topology json", 0, "\"nodes\"", NULL, NULL },
	{ "", "topology xml", -EINVAL, "no format 'xml': ibnetdiscover, dot or json", NULL, NULL },
	{ "", "tables", 0, "\nlft 0x", NULL, NULL },
	{ "Baselid H2 40", "tables", 0, "40=", NULL, NULL },
	{ "", "tables", 0, "[1] 0xffff # H1[1]\n", NULL, NULL },
	{ "node off H1", "tables", 0, "[1] 0xffff # H2[1]\n", "tables", "# S1\n" },
	{ "", "tables S1", -EINVAL, "tables", NULL, NULL },
	{ "s", "clients", 0, "Client 1: nobody", NULL, NULL },
	{ "s", "kill 4711", -ENOENT, "there is no client 4711", NULL, NULL },
};

static struct umadrig_fabric *open_fabric(void)
{
	struct topology *topology = topology_parse(net, strlen(net), "console.net", NULL);
	struct umadrig_options options = { .virtual_clock = true, .seed = 1, .first_hi_tid = 1 };
	struct umadrig_fabric *fabric;
	char message[512] = "";

	topology_assign_lids(topology);
	fabric = fabric_new(topology, &options, message, sizeof(message));
	if (!fabric)
		g_error("%s", message);
	topology_free(topology);
	return fabric;
}

static void test_row(gconstpointer data)
{
	const struct row *row = data;
	struct umadrig_fabric *fabric = open_fabric();
	struct served served = { 0 };
	bool on_server = *row->given == 's';
	struct console console = {
		.fabric = fabric, .out = g_string_new(NULL),
		.server = on_server ? &server : NULL, .server_ctx = &served,
	};
	g_auto(GStrv) given = g_strsplit(on_server ? "" : row->given, ";", -1);
	const char *said;
	int ret;

	for (char **line = given; *line; line++) {
		if (console_run(&console, *line) < 0)
			g_error("%s: %s", *line, console.error);
	}
	g_string_truncate(console.out, 0);
	ret = console_run(&console, row->line);
	said = ret < 0 ? console.error : console.out->str;
	if (ret != row->ret || !said || !strstr(said, row->says) ||
	    (!*row->says && *said && ret == 0))
		g_error("'%s': %d, not %d: %s", row->line, ret, row->ret, said);
	g_assert_cmpuint(served.has_quit, ==, on_server && strcmp(row->line, "Quit") == 0);
	umadrig_step(fabric, umadrig_now(fabric) + NS_PER_S);
	g_string_truncate(console.out, 0);
	if (row->then && console_run(&console, row->then) < 0)
		g_error("%s: %s", row->then, console.error);
	if (row->then && (!strstr(console.out->str, row->shows) ||
			  (!*row->shows && console.out->len)))
		g_error("'%s', then '%s': '%s'", row->line, row->then, console.out->str);
	console_clear(&console);
	g_string_free(console.out, true);
	fabric_free(fabric);
}

/* !FILE, and the files that it names, in the same directory; errors name the file and the line. */
static void test_file(void)
{
	static const struct {
		const char *name, *text;
		int ret;
		const char *says;
	} files[] = {
		{ "inner", "Baselid H2 40\n", 0, "" },
		{ "outer", "# a note\n!inner\n\nRoute 1 40\n", 0, "lid 40" },
		{ "wrong", "!inner\nUnlink \"S9\"\nBaselid H2 41\n", -ENOENT,
		  "wrong:2: there is no node 'S9'" },
		{ "itself", "!itself\n", -ELOOP, "does it run itself?" },
		{ "missing", "!nowhere\n", -ENOENT, "missing:1: " },
	};
	g_autofree char *directory = g_dir_make_tmp("umadrig-test-XXXXXX", NULL);
	struct umadrig_fabric *fabric = open_fabric();
	struct console console = { .fabric = fabric, .out = g_string_new(NULL) };

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path = g_build_filename(directory, files[i].name, NULL);
		g_autofree char *line = g_strconcat("!", path, NULL);

		g_assert_true(g_file_set_contents(path, files[i].text, -1, NULL));
		g_string_truncate(console.out, 0);
		g_assert_cmpint(console_run(&console, line), ==, files[i].ret);
		g_assert_nonnull(strstr(files[i].ret < 0 ? console.error : console.out->str,
					files[i].says));
	}
	g_assert_cmpint(console_run(&console, "!"), ==, -EINVAL);
	/* A file ends at its first error. */
	g_assert_cmpuint(fabric_node(fabric, "H2")->ports[1].end->attr.lid, ==, 40);
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path = g_build_filename(directory, files[i].name, NULL);

		g_assert_cmpint(g_unlink(path), ==, 0);
	}
	g_assert_cmpint(g_rmdir(directory), ==, 0);
	console_clear(&console);
	g_string_free(console.out, true);
	fabric_free(fabric);
}

/* Every verb that Help lists is in some row, and fails without arguments if it needs any. */
static void test_all_verbs(void)
{
	struct umadrig_fabric *fabric = open_fabric();
	struct console console = { .fabric = fabric, .out = g_string_new(NULL) };
	g_auto(GStrv) lines = NULL;
	unsigned int verbs = 0;

	g_assert_cmpint(console_run(&console, "Help"), ==, 0);
	lines = g_strsplit(console.out->str, "\n", -1);
	for (char **line = lines; *line; line++) {
		/* Two blanks, then the verb; its arguments are in capitals, quotes or brackets. */
		size_t length = strlen(*line) > 2 ? strspn(*line + 2, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
					"abcdefghijklmnopqrstuvwxyz") : 0;
		bool is_there = false;

		for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
			is_there |= g_ascii_strncasecmp(rows[i].line, *line + 2, length) == 0;
		if (length && (*line)[2] != ' ' && !is_there)
			g_error("no row has the verb of '%s'", *line);
		verbs += length > 0 && (*line)[2] != ' ';
	}
	g_assert_cmpuint(verbs, >, 25);
	console_clear(&console);
	g_string_free(console.out, true);
	fabric_free(fabric);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *line = g_strdelimit(g_strdup(rows[i].line), "/", '-');
		g_autofree char *path = g_strdup_printf("/console/%zu %s", i, line);

		g_test_add_data_func(path, &rows[i], test_row);
	}
	g_test_add_func("/console/files", test_file);
	g_test_add_func("/console/all-verbs", test_all_verbs);
	return leak_end(g_test_run());
}
