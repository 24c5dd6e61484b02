/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What is said of fault rules that are none, as text and in C.
 */
#include "tests/sim/fault-mistakes.h"

#include <string.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/fault.h"
#include "tests/rig/rig.h"

static const struct mistake {
	const char *text;
	const char *said;
} mistakes[] = {
	{ "drop 1 overrun unread", "'unread': overrun or unread is given twice" },
	{ "delay overrun", "'overrun' is for drop only" },
	{ "drop often", "unknown word 'often': expected a number of packets, all, a rate" },
	{ "drop 5x", "unknown word '5x'" },
	{ "drop 0", "'0': a number of packets is at least 1; all of them are 'all'" },
	{ "drop -1", "unknown word '-1'" },
	{ "drop 5% 1/20", "'1/20': a rate is given twice" },
	{ "drop 1/20 1/20", "a rate is given twice" },
	{ "drop 3 5% 3", "'3': the number of packets is given twice" },
	{ "drop 3 all", "'all': the number of packets is given twice" },
	{ "delay by 1ms by 2ms", "'2ms': a time is given twice" },
	{ "drop class=1 class=1", "'class=1': class is given twice" },
	{ "drop tid=7 tid.low=7", "'tid.low=7': tid.low is given twice" },
	{ "drop tid.high=7 tid=7", "'7': a TID is given twice" },
	{ "drop rmpp=ack rmpp=data", "rmpp= is given twice" },
	{ "corrupt bits=1 bits=2", "bits= is given twice" },
	{ "corrupt mended mended", "'mended': it is given twice" },
	{ "corrupt packet packet", "'packet': it is given twice" },
	{ "drop from H1 to H1", "'to': from, to or on is given twice" },
	{ "drop on H1 from H1", "'from': from, to or on is given twice" },
	{ "drop 0%", "'0%': a rate is more than 0%" },
	{ "drop 101%", "'101%': a rate is more than 0% and at most 100%" },
	{ "drop %", "'%': expected a rate, such as 5% or 0.1%" },
	{ "drop 5.%", "'5.%': expected a rate" },
	{ "drop .5%", "'.5%': expected a rate" },
	{ "drop 0.00000001%", "'0.00000001%': a rate is at most 100%, with 6 digits" },
	{ "drop 2/1", "'2/1': a rate is more than 0 and at most 1" },
	{ "drop 0/1", "'0/1': a rate is more than 0" },
	{ "drop 1/0", "'1/0': a rate is more than 0" },
	{ "drop 1/x", "'1/x': expected a rate, such as 1/20" },
	{ "drop class=256", "'class=256': expected a number from 1 to 255" },
	{ "drop class=", "'class=': expected a number" },
	{ "drop dropped", "'dropped': whether a MAD is lost is not known while it is on its way; "
	  "'umadrig show CAPTURE dropped' finds" },
	{ "drop unanswered", "'unanswered': whether an answer comes is not known while" },
	{ "drop 1 SubnGet(NodeInfo) trip>1ms", "'trip>1ms': how long an answer takes is not" },
	{ "drop 5% trip<=2us", "'trip<=2us': how long an answer takes is not known while" },
	{ "drop retry>0", "'retry>0': a rule does not keep what was sent before; 'after N'" },
	{ "drop retry=1", "'retry=1': a rule does not keep what was sent before; 'after N'" },
	{ "drop changed", "'changed': a rule does not keep what was said before" },
	{ "drop frame=7", "'frame=7': a MAD on its way is no frame of a file yet; 'after N'" },
	{ "drop frame>=7", "'frame>=7': a MAD on its way is no frame of a file yet; 'after N'" },
	{ "drop trap=128", "'trap=128': the number of a trap comes after 'where': where trap=128" },
	{ "drop SubnGet(PortInfo) { LinkState=Down }", "the fields of an attribute come after" },
	{ "drop from=H1", "'from=H1': of a cable a rule says 'from S1[3]'; who sent" },
	{ "drop to=H1", "'to=H1': of a cable a rule says 'to S1[3]'; for whom" },
	{ "drop port=H1[1]", "'port=H1[1]': of a cable a rule says 'on S1[3]'; between" },
	{ "drop not SubnGet(NodeInfo)", "'not': what is not meant comes after 'where'" },
	{ "drop class=1 or class=4", "'or': alternatives come after 'where'" },
	{ "drop class=1 and tid=4", "'and': the words of a rule have to fit all together" },
	{ "drop 1s~2s", "'1s~2s': a rule is in force from when it is given: 'after 1s fault add" },
	{ "drop ~2s", "'~2s': a rule is in force from when it is given" },
	{ "drop SubnGet", "'SubnGet': a rule has a method with brackets: write SubnGet()" },
	{ "drop SA", "'SA': a rule has a class as 'class=SA'" },
	{ "drop tid>3", "'tid>3': a rule compares with one '=' only, and after 'where' in all" },
	{ "drop tid!=3", "'tid!=3': a rule compares with one '=' only" },
	{ "drop tid==3", "'tid==3': a rule compares with one '=' only" },
	{ "drop lid=4", "other fields come after 'where': where lid=4" },
	{ "drop rmpp=nack", "'rmpp=nack': expected data, ack, stop, abort or none" },
	{ "drop tid=x", "'tid=x': expected a number of 64 bits" },
	{ "drop 2ms", "unknown word '2ms'" },
	{ "drop by 2ms", "'by' is for delay, duplicate and reorder only" },
	{ "drop mended", "'mended' is for corrupt only" },
	{ "drop bits=3", "'bits' is for corrupt only" },
	{ "drop at 3", "'at' is for corrupt only" },
	{ "drop packet", "'packet' is for corrupt only" },
	{ "drop 1 from", "expected a port such as S1[3] after 'from'" },
	{ "drop", "say how many packets: 'drop 1', 'drop all' or 'drop 5%'" },
	{ "delay", "delay needs a time, as in 'delay all by 2ms'" },
	{ "delay all", "delay needs a time, as in 'delay all by 2ms'" },
	{ "delay by 4000000000s", "nor longer than a century" },
	{ "corrupt bits=8-7", "'bits=8-7': expected a bit, or the first and the last" },
	{ "corrupt bits=2040-2048", "the bits to flip are past the end of the MAD" },
	{ "corrupt bits=2048", "are past the end of the MAD" },
	{ "corrupt flips=9 bits=0-7", "more bits to flip than there are" },
	{ "drop on S1[1x]", "'S1[1x]': expected a node, such as S1, or a port" },
	{ "drop on S1[+1]", "'S1[+1]': expected a node, such as S1, or a port" },
	{ "drop on S1[4294967297]", "'S1[4294967297]': expected a port from 0 to 255" },
	{ "drop 1 from \"S1\"[1x]", "expected a node, such as S1, or a port" },
	{ "delay 1 by 1.0000000001s", "expected a time that is no finer than a nanosecond" },
	{ "drop on [1]", "expected a node, such as S1, or a port, such as S1[3]" },
	{ "drop on H1[0]", "'H1[0]': expected a port from 1 to 255" },
	{ "drop on H1[x]", "'H1[x]': expected a node, such as S1, or a port" },
	{ "drop on ]", "there is no node ']'" },
	{ "lie", "lie needs a field or a kind of them, as in 'lie NodeInfo.LocalPort=255'" },
	{ "lie 5%", "lie needs a field or a kind of them" },
	{ "lie any by 2ms", "'by' is for delay, duplicate and reorder only" },
	{ "lie any status", "'status': what the lie is about is given twice" },
	{ "lie stats 5%", "unknown word 'stats': did you mean 'status'?" },
	{ "drop any 5%", "'any' is for lie only" },
	{ "drop NodeInfo.LocalPort=2", "'NodeInfo.LocalPort=2' is for lie only" },
	{ "lie NodInfo.LocalPort=1",
	  "there is no attribute or header 'NodInfo': did you mean 'NodeInfo'?" },
	{ "lie NodeInfo.LocalPrt=1",
	  "NodeInfo has no field 'LocalPrt': did you mean 'LocalPort'?" },
	{ "lie MAD.Stats=1", "MAD has no field 'Stats': did you mean 'Status'?" },
	{ "lie NodeInfo.LocalPort=256",
	  "'256' does not fit into NodeInfo.LocalPort, which has 8 bits: at most 255" },
	{ "lie PortInfo.LMC=+8",
	  "'+8' does not fit into PortInfo.LMC, which has 3 bits: at most 7" },
	{ "lie NodeInfo.LocalPort=-0", "'-0' changes nothing" },
	{ "lie NodeInfo.LocalPort=x", "'x': expected a number, +1, -1 or random" },
	{ "lie PortInfo.LinkState=Up",
	  "'Up': expected a number, +1, -1, one of its names or random" },
	{ "lie NodeInfo.LocalPort 5%", "'NodeInfo.LocalPort': a field has a value" },
	{ "lie NodeDescription.NodeDesc=1",
	  "NodeDescription.NodeDesc is no number: write NodeDescription.NodeDesc=random" },
	{ "lie MAD.Method=1", "MAD.Method is needed to get the answer where it goes" },
	{ "lie DirectedRoute.HopCount=1", "DirectedRoute.HopCount is needed" },
	{ "drop on H9[1]", "there is no node 'H9'" },
	{ "drop on H1[2]", "there is no port H1[2], the last is 1" },
};

void test_mistakes(void)
{
	struct rig rig = rig_open(",clock=virtual");

	for (size_t i = 0; i < G_N_ELEMENTS(mistakes); i++) {
		g_autofree char *front = g_strdup_printf("fault=%s: ", mistakes[i].text);
		char message[512] = "";

		g_assert_cmpint(umadrig_fault_add_text(rig.fabric, mistakes[i].text, message,
						       sizeof(message)), <, 0);
		if (!g_str_has_prefix(message, front) || !strstr(message, mistakes[i].said))
			g_error("fault=%s: '%s' does not say '%s'", mistakes[i].text, message,
				mistakes[i].said);
	}
	g_assert_null(rig.fabric->faults);
	rig_close(&rig);
}

/* The spelling with colons is refused with what to write; a mistake in it has its own error. */
void test_colons(void)
{
	static const struct { const char *text, *said; } rows[] = {
		{ "drop:5%", ": write 'drop 5%'" },
		{ "drop:1/20:class=0x81@S1[3]", ": write 'drop 1/20 class=0x81 on S1[3]'" },
		{ "drop:skip=2", ": write 'drop all skip=2'" },
		{ "drop@S1", ": write 'drop all on S1'" },
		{ "delay:2ms:3:leaving@H1[1]", ": write 'delay by 2ms 3 from H1[1]'" },
		{ "corrupt:1:arriving@H2 HCA-1[1]", ": write 'corrupt 1 to \"H2 HCA-1[1]\"'" },
		{ "drop:1@\"H2 HCA-1\"[1]", ": write 'drop 1 on \"H2 HCA-1\"[1]'" },
		{ "corrupt:1:skip=2:rmpp=data:seg=4:mended",
		  ": write 'corrupt 1 skip=2 rmpp=data seg=4 mended'" },
		{ "drop:5x", "fault=drop all 5x: unknown word '5x'" },
		{ "drop:2ms", "'by' is for delay, duplicate and reorder only" },
		{ "drop:", ": write 'drop all'" },
		{ "drop@", "after 'on'" },
		{ "lose:5%", "first" },
		{ ":", "first" },
		{ "@", "first" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct umadrig_fault fault;
		char message[512] = "";

		g_assert_cmpint(fault_text_parse(rows[i].text, &fault, message, sizeof(message)),
				==, -EINVAL);
		if (!strstr(message, rows[i].said))
			g_error("fault=%s: '%s' does not say '%s'", rows[i].text, message,
				rows[i].said);
	}
}

/* What text cannot express. */
void test_objections(void)
{
	static const struct { struct umadrig_fault fault; const char *said; } rows[] = {
		{ { .act = (enum umadrig_fault_act)9 }, "no such action" },
		{ { .way = (enum umadrig_fault_way)9 }, "no such way" },
		{ { .port = 1 }, "a port without its node" },
		{ { .denominator = 3 }, "a chance of zero" },
		{ { .numerator = 3 }, "a chance of more than one" },
		{ { .rmpp_type = 5 }, "an RMPP type is one of" },
		{ { .act = UMADRIG_FAULT_DELAY, .time_ns = -1 }, "a time must not be negative" },
		{ { .act = UMADRIG_FAULT_DELAY }, "no time is given" },
		{ { .act = UMADRIG_FAULT_LIE }, "what the lie is about is not given" },
		{ { .act = UMADRIG_FAULT_LIE, .lie = "nonsense" }, "there is no kind of lie" },
		{ { .lie = "any" }, "a field to lie about without a lie" },
	};
	struct rig rig = rig_open(",clock=virtual");

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char message[256] = "";

		g_assert_cmpint(umadrig_fault_add(rig.fabric, &rows[i].fault, message,
						  sizeof(message)),
				==, -EINVAL);
		g_assert_nonnull(strstr(message, rows[i].said));
	}
	rig_close(&rig);
}
