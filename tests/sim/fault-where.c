/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Filters in rules of faults: each word of filters selects MADs on their way, or is refused with
 * its reason.
 */
#include <string.h>

#include "kmod-stub/packet.h"
#include "sim/fabric/fault.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"

/* The MADs on which all rules are tried. */
enum {
	REQUEST,	/* SubnGet(PortInfo) by LID, H1 to H2 */
	ANSWER,		/* its answer, status 0x1c, LinkState Active */
	ROUTED,		/* SubnGetResp(PortInfo) by route, H2 to H1, LinkState Down */
	FIRST,		/* SubnAdmGetTableResp(PathRecord), H2 to H1, segment 1, with a GRH */
	SEGMENT,	/* ... segment 2 */
	TRAP,		/* SubnTrap(Notice) 128, H2 to H1 */
	ROUTE,		/* SubnGet(NodeInfo) by route, H1 to H2 */
	MADS,
};

enum { LID_H1 = 1, LID_H2 = 2, HOPS = 3 };

/* H1[1] - [1]S1[2] - [1]S2[2] - [1]H2 */
static const char topology[] =
	"caguid=0x2c900001110\nHca 1 \"H1\"\n[1] \"S1\"[1]\n\n"
	"caguid=0x2c900002220\nHca 1 \"H2\"\n[1] \"S2\"[2]\n\n"
	"Switch 4 \"S1\"\n[1] \"H1\"[1]\n[2] \"S2\"[1]\n\n"
	"Switch 4 \"S2\"\n[1] \"S1\"[2]\n[2] \"H2\"[1]\n";

static bool is_from_h2(unsigned int which)
{
	return which != REQUEST && which != ROUTE;
}

static void fill_route(uint8_t *mad, bool is_returning)
{
	static const uint8_t initial[] = { 0, 1, 2, 2 }, back[] = { 0, 1, 1, 1 };

	mad[SMP_HOP_CNT] = HOPS;
	mad[SMP_HOP_PTR] = is_returning ? HOPS : 1;
	put_be16(mad + MAD_STATUS, is_returning ? SMP_DIRECTION : 0);
	memcpy(mad + SMP_INITIAL_PATH, initial, sizeof(initial));
	if (is_returning)
		memcpy(mad + SMP_RETURN_PATH, back, sizeof(back));
	memset(mad + SMP_DR_SLID, 0xff, 4);
}

static void fill(unsigned int which, uint8_t *mad)
{
	static const struct { uint8_t mgmt_class, method; uint16_t attribute; } heads[] = {
		[REQUEST] = { MAD_CLASS_SUBN_LID, 0x01, 0x15 },
		[ANSWER] = { MAD_CLASS_SUBN_LID, 0x81, 0x15 },
		[ROUTED] = { MAD_CLASS_SUBN_DR, 0x81, 0x15 },
		[FIRST] = { MAD_CLASS_SUBN_ADM, 0x92, 0x35 },
		[SEGMENT] = { MAD_CLASS_SUBN_ADM, 0x92, 0x35 },
		[TRAP] = { MAD_CLASS_SUBN_LID, 0x05, 0x02 },
		[ROUTE] = { MAD_CLASS_SUBN_DR, 0x01, 0x11 },
	};

	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = heads[which].mgmt_class;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = heads[which].method;
	put_be16(mad + MAD_ATTR_ID, heads[which].attribute);
	put_be64(mad + MAD_TID, UINT64_C(0x100000007));
	if (which == ANSWER) {
		put_be16(mad + MAD_STATUS, 0x1c);
		mad[SMP_DATA + 32] = 4;		/* LinkState */
	} else if (which == ROUTED) {
		mad[SMP_DATA + 32] = 1;
	} else if (which == TRAP) {
		mad[SMP_DATA] = 0x81;
		put_be16(mad + SMP_DATA + 4, 128);
	} else if (which == FIRST || which == SEGMENT) {
		mad[RMPP_TYPE] = RMPP_TYPE_DATA;
		mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE | (which == FIRST ? RMPP_FLAG_FIRST : 0);
		put_be32(mad + RMPP_SEGMENT, which == FIRST ? 1 : 2);
		put_be16(mad + SA_DATA + 40, 9);	/* DLID */
	}
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_DR)
		fill_route(mad, which == ROUTED);
}

static void send_one(struct umadrig_fabric *fabric, unsigned int which)
{
	bool from_h2 = is_from_h2(which), is_smp;
	struct packet_addr addr = {
		.slid = from_h2 ? LID_H2 : LID_H1, .dlid = from_h2 ? LID_H1 : LID_H2,
		.pkey = PKEY_DEFAULT,
	};
	struct packet packet = { 0 };
	uint8_t mad[MAD_SIZE];

	fill(which, mad);
	is_smp = mad_class_is_smp(mad[MAD_CLASS]);
	addr.src_qp = addr.dest_qp = is_smp ? 0 : 1;
	addr.qkey = is_smp ? 0 : QKEY_GSI;
	addr.vl = is_smp ? 15 : 0;
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_DR)
		addr.slid = addr.dlid = LID_PERMISSIVE;
	if (which == FIRST || which == SEGMENT) {
		addr.has_grh = true;
		addr.sgid[0] = 0xfe;
		addr.sgid[1] = 0x80;
		addr.sgid[15] = 7;
	}
	packet_build(&packet, &addr);
	memcpy(packet_mad(&packet), mad, MAD_SIZE);
	g_assert_cmpint(umadrig_inject(umadrig_port(fabric, from_h2 ? "H2" : "H1", 1), packet.bytes,
				       packet_size(&packet)), ==, 0);
}

/* Which of them a rule drops, as digits in a string. */
static char *dropped_by(struct umadrig_fabric *fabric, const char *rule)
{
	GString *fit = g_string_new(NULL);
	char message[512] = "";
	int id = umadrig_fault_add_text(fabric, rule, message, sizeof(message));

	if (id < 0)
		g_error("%s", message);
	for (unsigned int i = 0; i < MADS; i++) {
		int64_t before = umadrig_fault_hits(fabric, id);

		send_one(fabric, i);
		if (umadrig_fault_hits(fabric, id) > before)
			g_string_append_printf(fit, "%u", i);
	}
	umadrig_fault_remove(fabric, id);
	return g_string_free(fit, false);
}

static const struct {
	const char *rule, *fit;
} fits[] = {
	/* on any cable of their way */
	{ "where SubnGet(PortInfo)", "0" },
	{ "where SubnGet", "06" },
	{ "where Subn(PortInfo)", "012" },
	{ "where Subn", "01256" },
	{ "where SUBN_DR", "26" },
	{ "where SA", "34" },
	{ "where SubnTrap(0x2)", "5" },
	{ "where SubnGet(PortInfo) dlid=2", "0" },
	{ "where SubnGet(PortInfo) and dlid=3", "" },
	{ "where status!=0", "1" },
	{ "where mad.status!=0", "12" },
	{ "where status>=0x1c status<=0x1c", "1" },
	{ "where status<0x1c status>0", "" },
	{ "where tid.low==7 class=SA", "34" },
	{ "where not status=0", "1" },
	{ "where SubnGet or SubnTrap", "056" },
	{ "where slid=0xffff", "26" },
	{ "where seg=2", "4" },
	{ "where seg!=2", "3" },
	{ "where flags={FIRST}", "3" },
	{ "where rmpp=DATA", "34" },
	{ "where hop_cnt=3 hop_ptr=1", "26" },	/* on the last cable of its way back, too */
	{ "where path={1, 2, 2}", "26" },
	{ "where bytes[16..17]=0x35", "34" },
	{ "where grh=yes", "34" },
	{ "where sgid=fe80::7", "34" },
	{ "where sgid!=\"fe80::7\"", "" },
	{ "where dqp=0 vl=15", "01256" },
	{ "where SubnGetResp(PortInfo) { LinkState=Down }", "2" },
	{ "where SubnGetResp(PortInfo) { LinkState!=Down }", "1" },
	{ "where Subn(PortInfo) linkstate=Active", "1" },
	{ "where SA(PathRecord) { DLID=9, SLID=0 }", "3" },
	{ "where trap=128", "5" },
	{ "where trap>128", "" },
	/* ends: by LID and GID, name of a port, a node, description, GUID */
	{ "where from=1", "0" },
	{ "where to=2", "0" },
	{ "where port=1", "01345" },
	{ "where from=fe80::7", "34" },
	{ "where from=H1", "06" },
	{ "where from=H1[1]", "06" },
	{ "where from=\"H2\"", "12345" },
	{ "where to=H2[1]", "06" },
	{ "where from!=H1", "12345" },
	{ "where port=H2 SubnGet", "06" },
	{ "where from=S1", "" },
	{ "where port=S2", "" },
	{ "where from=0x2c900001110", "06" },	/* of the node */
	{ "where to=0x2c900001111", "12345" },	/* of its port */
	/* beside the other words of rules */
	{ "SubnGetResp(PortInfo) where LinkState=Down", "2" },
	{ "where \"LinkState=Down or LinkState=Active\" SubnGetResp(PortInfo)", "12" },
	{ "class=0x03 where seg=1 or seg=2", "34" },
	{ "where \"SubnGet\" from H2[1]", "" },
	{ "from H1[1] where not SubnGet(PortInfo)", "6" },
	{ "where \"from=\\\"H1\\\"\" attr=0x11", "6" },
};

static void test_fits(void)
{
	struct rig rig = rig_open_text(topology, ",clock=virtual");

	for (size_t i = 0; i < G_N_ELEMENTS(fits); i++) {
		g_autofree char *rule = g_strdup_printf("drop all %s", fits[i].rule);
		g_autofree char *fit = dropped_by(rig.fabric, rule);

		if (strcmp(fit, fits[i].fit) != 0)
			g_error("'%s': expected '%s', found '%s'", rule, fits[i].fit, fit);
	}
	rig_close(&rig);
}

/* On each cable of a directed route, both ways, it is known who has asked whom. */
static void test_route(void)
{
	static const char *const cables[] = { "H1[1]", "S1[2]", "S2[2]" };
	static const char *const backs[] = { "H2[1]", "S2[1]", "S1[1]" };

	for (unsigned int i = 0; i < G_N_ELEMENTS(cables); i++) {
		struct rig rig = rig_open_text(topology, ",clock=virtual");
		g_autofree char *out = g_strdup_printf("drop all from %s where from=H1 to=H2 "
						       "SubnGet(NodeInfo)", cables[i]);
		g_autofree char *back = g_strdup_printf("drop all from %s where from=H2 to=H1 "
							"SubnGetResp(PortInfo)", backs[i]);
		char message[512] = "";
		int one = umadrig_fault_add_text(rig.fabric, out, message, sizeof(message));
		int other = umadrig_fault_add_text(rig.fabric, back, message, sizeof(message));

		g_assert_cmpstr(message, ==, "");
		send_one(rig.fabric, ROUTE);
		send_one(rig.fabric, ROUTED);
		umadrig_step(rig.fabric, 1000000000);
		g_assert_cmpint(umadrig_fault_hits(rig.fabric, one), ==, 1);
		g_assert_cmpint(umadrig_fault_hits(rig.fabric, other), ==, 1);
		rig_close(&rig);
	}
}

static const struct {
	const char *rule, *says;
} mistakes[] = {
	{ "where dropped", "where: 'dropped': whether a MAD is lost is not known while it is" },
	{ "where not unanswered", "where: 'unanswered': whether an answer comes is not known" },
	{ "where SA or trip>1ms", "where: 'trip': how long an answer takes is not known" },
	{ "where retry>0", "where: 'retry': a rule does not keep what was sent before" },
	{ "where changed", "where: 'changed': a rule does not keep what was said before" },
	{ "where frame=7", "where: 'frame': a MAD on its way is no frame of a file yet" },
	{ "where 1s~2s", "where: '1s~2s': a rule is in force from when it is given" },
	{ "where ~2s", "where: '~2s': a rule is in force from when it is given" },
	{ "where", "expected a filter behind 'where', such as SubnGetResp(PortInfo) LinkState=D" },
	{ "where \"SA\" where SubnGet", "'where': it is given twice" },
	{ "where SubnGte", "where: there is no method or class 'SubnGte', and no field" },
	{ "where dlidd=5", "where: there is no header field 'dlidd' here: did you mean dlid?" },
	{ "where SubnGet(PortInfo) LinkStat=1", "where: there is no field LinkStat in PortInfo" },
	{ "SubnGet(PortInfo) where LinkState=Dwon", "where: LinkState has no value called 'Dwon'" },
	{ "where LinkState=Down", "where: LinkState is a field of PortInfo: write "
				  "SubnGetResp(PortInfo) LinkState=Down" },
	{ "where from=H9", "where: there is no node or port H9" },
	{ "where to=H1[2]", "where: there is no node or port H1[2]" },
	{ "where port=0x123456", "where: there is no node or port 0x123456" },
	{ "where icrc=wrong", "where: 'icrc' cannot be compared here" },
	{ "where { LinkState=Down }", "where: fields in braces need an attribute before them" },
	{ "where \"sgid=fe80", "where: expected a GID as an IPv6 address" },
};

static void test_mistakes(void)
{
	struct rig rig = rig_open_text(topology, ",clock=virtual");

	for (size_t i = 0; i < G_N_ELEMENTS(mistakes); i++) {
		g_autofree char *rule = g_strdup_printf("drop all %s", mistakes[i].rule);
		char message[512] = "";

		g_assert_cmpint(umadrig_fault_add_text(rig.fabric, rule, message, sizeof(message)),
				<, 0);
		if (!strstr(message, mistakes[i].says))
			g_error("'%s': expected '%s', found '%s'", rule, mistakes[i].says, message);
	}
	g_assert_false(fault_at(rig.fabric, 0, &(struct fault_count){ 0 }));
	rig_close(&rig);
}

/* From C: the members of the struct. */
static void test_struct(void)
{
	struct rig rig = rig_open_text(topology, ",clock=virtual");
	struct umadrig_fault fault = {
		.act = UMADRIG_FAULT_DROP, .method = 0x81, .attribute = 0x15,
		.where = "LinkState=Down", .where_class = MAD_CLASS_SUBN_LID,
	};
	char message[512];
	int id = umadrig_fault_add(rig.fabric, &fault, message, sizeof(message));

	g_assert_cmpint(id, >, 0);
	send_one(rig.fabric, ANSWER);
	g_assert_cmpint(umadrig_fault_hits(rig.fabric, id), ==, 0);
	send_one(rig.fabric, ROUTED);
	g_assert_cmpint(umadrig_fault_hits(rig.fabric, id), ==, 1);
	fault.where_class = 0;
	g_assert_cmpint(umadrig_fault_add(rig.fabric, &fault, message, sizeof(message)), ==,
			-EINVAL);
	g_assert_nonnull(strstr(message, "LinkState is a field of PortInfo"));
	rig_close(&rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/fault-where/fits", test_fits);
	g_test_add_func("/fault-where/route", test_route);
	g_test_add_func("/fault-where/mistakes", test_mistakes);
	g_test_add_func("/fault-where/struct", test_struct);
	return leak_end(g_test_run());
}
