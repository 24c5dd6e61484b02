/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Filters of captures: what matches, what does not, and the messages about invalid ones.
 */
#include <arpa/inet.h>
#include <glib.h>
#include <string.h>

#include "harness/capture/filter.h"
#include "lib/base/wire.h"
#include "tests/rig/leak.h"

/* The MADs on which all rows are tried. */
enum {
	REQUEST,	/* SubnGet(PortInfo) by LID from H1[1], 3 to 5, in frame 10 at 1.5 s */
	ANSWER,		/* its answer, status 0x1c, frame 11 at 1.6 s */
	ROUTED,		/* SubnGetResp(PortInfo) by route, LinkState Down, frame 12 at 2 s */
	SEGMENT,	/* SubnAdmGetTableResp(PathRecord), segment 2, with a GRH, at 3 s */
	FIRST,		/* the same transfer's first segment */
	ROCE,		/* PerfGet(PortCounters) over IPv4 */
	MADS,
};

static struct capture_mad mads[MADS];

static struct capture_mad *set_up(unsigned int which, uint8_t mgmt_class, uint8_t method,
				  uint16_t attr, int64_t time_ms)
{
	struct capture_mad *mad = &mads[which];

	mad->frame = 10 + which;
	mad->time_ns = time_ms * 1000000;
	mad->addr = (struct packet_addr){ .slid = 3, .dlid = 5, .pkey = PKEY_DEFAULT,
					  .qkey = QKEY_GSI, .src_qp = 1, .dest_qp = 1 };
	mad->mad[MAD_BASE_VERSION] = 1;
	mad->mad[MAD_CLASS] = mgmt_class;
	mad->mad[MAD_CLASS_VERSION] = 1;
	mad->mad[MAD_METHOD] = method;
	put_be16(mad->mad + MAD_ATTR_ID, attr);
	put_be64(mad->mad + MAD_TID, UINT64_C(0x100000007));
	return mad;
}

static void make_mads(void)
{
	struct capture_mad *mad = set_up(REQUEST, MAD_CLASS_SUBN_LID, 0x01, 0x15, 1500);

	mad->interface_name = (char *)"H1[1]";
	mad->direction = CAPTURE_OUTBOUND;
	mad = set_up(ANSWER, MAD_CLASS_SUBN_LID, 0x81, 0x15, 1600);
	mad->addr.slid = 5;
	mad->addr.dlid = 3;
	mad->interface_name = (char *)"H 2[1]";
	mad->direction = CAPTURE_OUTBOUND;
	put_be16(mad->mad + MAD_STATUS, 0x1c);
	mad = set_up(ROUTED, MAD_CLASS_SUBN_DR, 0x81, 0x15, 2000);
	mad->addr.slid = mad->addr.dlid = LID_PERMISSIVE;
	put_be16(mad->mad + MAD_STATUS, SMP_DIRECTION);
	mad->mad[SMP_HOP_CNT] = 2;
	mad->mad[SMP_INITIAL_PATH + 1] = 1;
	mad->mad[SMP_INITIAL_PATH + 2] = 7;
	mad->mad[SMP_DATA + 32] = 1;		/* LinkState */
	for (unsigned int i = SEGMENT; i <= FIRST; i++) {
		mad = set_up(i, MAD_CLASS_SUBN_ADM, 0x92, 0x35, 3000);
		mad->mad[RMPP_TYPE] = RMPP_TYPE_DATA;
		mad->mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE | (i == FIRST ? RMPP_FLAG_FIRST : 0);
		put_be32(mad->mad + RMPP_SEGMENT, i == FIRST ? 1 : 2);
		put_be16(mad->mad + SA_DATA + 40, 9);	/* DLID */
		mad->addr.has_grh = true;
		mad->addr.sgid[0] = 0xfe;
		mad->addr.sgid[1] = 0x80;
		mad->addr.sgid[15] = 1;
	}
	mad = set_up(ROCE, MAD_CLASS_PERF, 0x01, 0x12, 4000);
	mad->transport = CAPTURE_ROCE_V2;
	mad->addr.slid = mad->addr.dlid = 0;
	memset(mad->addr.sgid + 10, 0xff, 2);
	inet_pton(AF_INET, "10.0.0.1", mad->addr.sgid + 12);
}

/* The MADs that match, as digits in a string. */
static char *fitting(const struct filter *filter, const struct mad_ends *ends)
{
	GString *fit = g_string_new(NULL);

	for (unsigned int i = 0; i < MADS; i++) {
		if (filter_keeps(filter, ends, &mads[i]))
			g_string_append_printf(fit, "%u", i);
	}
	return g_string_free(fit, false);
}

static const struct {
	const char *text, *fit;
} fits[] = {
	{ "", "012345" },
	{ "SubnGet(PortInfo)", "0" },
	{ "Subn(PortInfo)", "012" },
	{ "Subn", "012" },
	{ "SUBN_DR", "2" },
	{ "SA", "34" },
	{ "SubnGet(0x15)", "0" },
	{ "SubnGet(PortInfo) dlid=5", "0" },
	{ "SubnGet(PortInfo) dlid=6", "" },
	{ "status!=0", "1" },		/* the direction bit is not an error */
	{ "mad.status!=0", "12" },
	{ "status>=0x1c status<=0x1c", "1" },
	{ "not status=0", "1" },
	{ "SubnGet or SubnGetResp", "012" },
	{ "SubnGet or SubnGetResp and status!=0", "01" },
	{ "not Subn", "345" },
	{ "1s~2s", "01" },
	{ "2s~", "2345" },
	{ "~1.6s", "0" },
	{ "0~1.6s", "0" },
	{ "not 1s~3s", "345" },
	{ "frame=12", "2" },
	{ "frame>12 frame<15", "34" },
	{ "slid!=3", "12" },		/* RoCE has none */
	{ "not slid=3", "125" },
	{ "seg=2", "3" },
	{ "seg!=2", "4" },		/* MADs without RMPP have none */
	{ "flags={FIRST}", "4" },
	{ "rmpp=DATA", "34" },
	{ "newwin=0", "" },
	{ "paylen=0", "34" },
	{ "hop_cnt=2", "2" },
	{ "path={1,7}", "2" },
	{ "path!={1,7}", "" },
	{ "tid.low=7 class=PERF", "5" },
	{ "bytes[16..17]=0x35", "34" },
	{ "grh=yes", "34" },
	{ "sgid=fe80::1", "34" },
	{ "sgid=\"fe80::1\"", "34" },
	{ "sgid=10.0.0.1", "5" },
	{ "sgid!=10.0.0.1", "34" },
	{ "SubnGetResp(PortInfo) { LinkState=Down }", "2" },
	{ "SubnGetResp(PortInfo) LinkState=Down", "2" },
	{ "SubnGetResp(PortInfo) { LinkState!=Down }", "1" },
	{ "Subn(PortInfo) linkstate=1", "2" },
	{ "SA(PathRecord) DLID=9", "4" },	/* the second segment begins elsewhere */
	{ "SA(PathRecord) not { DLID=9 }", "3" },
	{ "port=H1[1]", "0134" },
	{ "from=H1[1]", "034" },
	{ "to=H1[1]", "1" },
	{ "from!=H1[1]", "125" },
	{ "from=\"H 2[1]\"", "1" },
	{ "port=5", "0134" },
	{ "from=5", "1" },
	{ "to=0x5", "034" },
	{ "from=10.0.0.1", "5" },
	{ "from=fe80::1", "34" },
	{ "infiniband.lrh.dlid=5", "034" },
	{ "\n SubnGet\n dlid=5 ", "0" },
};

/* A trap that was lost, and the request of the table, which was not. */
static void test_dropped_and_traps(void)
{
	static const struct {
		const char *text;
		bool trap, request;
	} rows[] = {
		{ "dropped", true, false },
		{ "not dropped", false, true },
		{ "SubnGet or dropped", true, true },
		{ "trap=128", true, false },
		{ "trap>=128 trap<129 dropped", true, false },
		{ "trap=129", false, false },
		{ "trap!=128", false, false },		/* others are no traps */
		{ "not trap=128", false, true },
	};
	struct capture_mad trap = mads[REQUEST];

	trap.mad[MAD_METHOD] = 0x05;
	put_be16(trap.mad + MAD_ATTR_ID, 0x02);
	trap.mad[SMP_DATA] = 0x81;		/* generic, urgent */
	put_be16(trap.mad + SMP_DATA + 4, 128);
	trap.direction = CAPTURE_INBOUND;
	trap.comment = "dropped: no route";
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *message = NULL;
		struct filter *filter = filter_parse(rows[i].text, &message);

		g_assert_null(message);
		if (filter_keeps(filter, NULL, &trap) != rows[i].trap ||
		    filter_keeps(filter, NULL, &mads[REQUEST]) != rows[i].request)
			g_error("'%s' fits what it should not, or the other way round",
				rows[i].text);
		filter_free(filter);
	}
	/* A vendor's trap has a number that means something else. */
	trap.mad[SMP_DATA] = 0x01;
	{
		char *message = NULL;
		struct filter *filter = filter_parse("trap=128", &message);

		g_assert_false(filter_keeps(filter, NULL, &trap));
		filter_free(filter);
	}
}

static void test_fits(void)
{
	struct mad_ends *ends = mad_ends_new();

	mad_ends_learn(ends, &mads[REQUEST]);
	mad_ends_learn(ends, &mads[ANSWER]);
	for (size_t i = 0; i < G_N_ELEMENTS(fits); i++) {
		char *message = NULL;
		struct filter *filter = filter_parse(fits[i].text, &message);
		g_autofree char *fit = filter ? fitting(filter, ends) : NULL;
		bool ends_by_name = strstr(fits[i].text, "H1[1]") || strstr(fits[i].text, "H 2");

		if (g_strcmp0(fit, fits[i].fit) != 0)
			g_error("'%s': expected '%s', found '%s' %s", fits[i].text, fits[i].fit,
				fit, message ? message : "");
		g_assert_cmpint(filter_names_ports(filter), ==, ends_by_name);
		filter_free(filter);
	}
	mad_ends_free(ends);
}

/* Places refer to the text as given, whatever the values of ends are. */
static void test_errors(void)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{ "SubnGte(PortInfo)", "1:1: error: there is no method or class 'SubnGte', and no "
		  "field follows it with a value: did you mean SubnGet?" },
		{ "SubnGet(PortInf)", "1:9: error: SubnGet has no attribute PortInf: did you mean "
		  "PortInfo?" },
		{ "SubnGet(PortInfo) dlidd=5", "1:19: error: there is no field dlidd in PortInfo" },
		{ "dlidd=5", "1:1: error: there is no header field 'dlidd' here: did you mean "
		  "dlid?" },
		{ "LinkState=Down", "1:1: error: LinkState is a field of PortInfo: write "
		  "SubnGetResp(PortInfo) LinkState=Down" },
		{ "LinkState!=4", "LinkState is a field of PortInfo: write SubnGetResp(PortInfo) "
		  "LinkState=..." },
		{ "from=H1[1] dlidd=5", "1:12: error: there is no header field 'dlidd'" },
		{ "SubnGet(PortInfo) { LinkStat=1 }", "there is no field LinkStat in PortInfo: did "
		  "you mean LinkState?" },
		{ "SubnGet(PortInfo) LinkState=Dwon", "1:29: error: LinkState has no value called "
		  "'Dwon': did you mean Down?" },
		{ "rmpp=DTA", "rmpp has no value called 'DTA': did you mean DATA?" },
		{ "dlid=0x10000", "1:6: error: 0x10000 does not fit into dlid, which has 16 bits" },
		{ "dlid", "1:1: error: there is no method or class 'dlid'" },
		{ "dlid=", "1:6: error: a value is missing here" },
		{ "path<{1}", "path is no number: it can be compared with = and != only" },
		{ "port>5", "port takes = or !=" },
		{ "from=", "1:6: error: expected a port here, such as H1[1], a LID or a GID" },
		{ "1s", "1:1: error: a time is written from~to, such as 1s~2s" },
		{ "2s~1s", "this time ends before it begins" },
		{ "SubnGet or", "1:11: error: something has to follow here" },
		{ "or", "there is no method or class 'or'" },
		{ "not", "1:4: error: something has to follow here" },
		{ "{ LinkState=Down }", "fields in braces need an attribute before them" },
		{ "SubnGet(PortInfo) { LinkState=Down", "1:19: error: this '{' is never closed" },
		{ "icrc=wrong", "'icrc' cannot be compared here" },
		{ "dlid=5 # six", "1:8: error: '#' means nothing in a filter" },
		{ "bytes[250..256]=0", "expected bytes from 0 to 255" },
		{ "bytes=0", "expected a range, such as bytes[24..27]=" },
		{ "dlid=?x", "expected a constant number, found" },
		{ "status", "there is no method or class 'status'" },
		{ "sgid=fe80", "expected a GID as an IPv6 address" },
		{ ")", "expected a method, a field with a value, or a time such as 1s~2s, found "
		  "')'" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *message = NULL;
		struct filter *filter = filter_parse(rows[i].text, &message);

		if (filter || !strstr(message, rows[i].says))
			g_error("'%s': expected '%s', found '%s'", rows[i].text, rows[i].says,
				message);
		g_free(message);
	}
}

static void test_likely(void)
{
	static const char *const filters[] = {
		"SubnGet", "SubnGte(PortInfo)", "dlid=5", "1s~2s", "SA", "not SubnGet", "Subn",
		"seg<5", "status!=0",
	};
	static const char *const files[] = {
		"a.pcap", "-", "/tmp/Subn.pcapng", "capture (1).pcap",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(filters); i++)
		g_assert_true(filter_is_likely(filters[i]));
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++)
		g_assert_false(filter_is_likely(files[i]));
}

/* A port that answers along a route is at its end, for every later request along it too. */
static void test_routes(void)
{
	struct mad_ends *ends = mad_ends_new();
	struct capture_mad request = mads[ROUTED], answer = mads[ROUTED], other;

	request.mad[MAD_METHOD] = 0x01;
	put_be16(request.mad + MAD_STATUS, 0);
	request.interface_name = (char *)"H1[1]";
	request.direction = CAPTURE_OUTBOUND;
	answer.interface_name = (char *)"S1[0]";
	answer.direction = CAPTURE_OUTBOUND;
	other = request;
	put_be64(other.mad + MAD_TID, 99);
	g_assert_null(mad_ends_destination(ends, &request));
	mad_ends_learn(ends, &request);
	g_assert_cmpstr(mad_ends_source(ends, &request), ==, "H1[1]");
	g_assert_null(mad_ends_destination(ends, &request));
	mad_ends_learn(ends, &answer);
	g_assert_cmpstr(mad_ends_destination(ends, &request), ==, "S1[0]");
	g_assert_cmpstr(mad_ends_destination(ends, &answer), ==, "H1[1]");
	g_assert_cmpstr(mad_ends_destination(ends, &other), ==, "S1[0]");
	other.mad[SMP_INITIAL_PATH + 2] = 8;
	g_assert_null(mad_ends_destination(ends, &other));
	g_assert_true(mad_ends_known(ends, "S1[0]") == mad_ends_source(ends, &answer));
	mad_ends_free(ends);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	make_mads();
	g_test_add_func("/filter/fits", test_fits);
	g_test_add_func("/filter/dropped-and-traps", test_dropped_and_traps);
	g_test_add_func("/filter/errors", test_errors);
	g_test_add_func("/filter/likely", test_likely);
	g_test_add_func("/filter/routes", test_routes);
	return leak_end(g_test_run());
}
