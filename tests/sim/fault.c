/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Faults: which packets a rule matches, what happens to them, and that chance depends only on the
 * seed. What is said of rules that are none: tests/sim/fault-mistakes.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/capture/capture.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/fault-action.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"
#include "tests/sim/fault-mistakes.h"

enum { SENDS_MAX = 8, GAP_MS = 20 };

/* What a test sends from H1 to H2; 0 means the usual value. */
struct sent {
	uint8_t mgmt_class;	/* 0x03: Subnet Administration */
	uint8_t method;		/* 0x12: GetTable, which the kernel does not answer */
	uint16_t attribute;
	uint32_t modifier;
	uint64_t tid;		/* its number, from 1 */
	uint8_t rmpp_type;
	uint32_t segment;
};

/* What arrived at H2, each as TID and time in microseconds: "1@1000 2@21000". */
static void note_arrival(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	GString *arrivals = ctx;
	const uint8_t *mad = bytes + size - MAD_SIZE;

	if (outbound)
		return;
	g_string_append_printf(arrivals, "%s%" G_GUINT64_FORMAT "@%" G_GINT64_FORMAT,
			       arrivals->len ? " " : "", get_be64(mad + MAD_TID),
			       at_ns / NS_PER_US);
}

static void send_one(struct umadrig_fabric *fabric, const struct sent *sent, unsigned int number)
{
	struct packet_addr addr = {
		.slid = 1, .dlid = 2, .pkey = 0xffff, .src_qp = 1, .dest_qp = 1, .qkey = QKEY_GSI,
	};
	struct packet packet = { 0 };
	uint8_t *mad;

	packet_build(&packet, &addr);
	mad = packet_mad(&packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = sent->mgmt_class ? sent->mgmt_class : MAD_CLASS_SUBN_ADM;
	mad[MAD_CLASS_VERSION] = 2;
	mad[MAD_METHOD] = sent->method ? sent->method : 0x12;
	put_be64(mad + MAD_TID, sent->tid ? sent->tid : number);
	put_be16(mad + MAD_ATTR_ID, sent->attribute ? sent->attribute : 0x0035);
	put_be32(mad + MAD_ATTR_MOD, sent->modifier);
	if (sent->rmpp_type) {
		mad[RMPP_VERSION] = 1;
		mad[RMPP_TYPE] = sent->rmpp_type;
		mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
		put_be32(mad + RMPP_SEGMENT, sent->segment);
	}
	g_assert_cmpint(umadrig_inject(umadrig_port(fabric, "H1", 1), packet.bytes,
				       packet_size(&packet)), ==, 0);
}

static int add_text(struct umadrig_fabric *fabric, const char *text)
{
	char message[512] = "";
	int id = umadrig_fault_add_text(fabric, text, message, sizeof(message));

	g_assert_cmpstr(message, ==, "");
	g_assert_cmpint(id, >, 0);
	return id;
}

/* ---- matching and acting ---- */

/*
 * Given rules, when packets leave H1 20 ms apart (latency 1 ms), then these arrive at H2 at these
 * times, and the first rule has acted this many times.
 */
static const struct crossing {
	const char *name;
	const char *rules;	/* separated by "; " */
	unsigned int count;	/* of packets */
	struct sent sent[SENDS_MAX];
	const char *arrive;
	int64_t hits;
} crossings[] = {
	/* which of those that match */
	{ "drop all", "drop 1/1", 3, { { 0 } }, "", 3 },
	{ "drop one", "drop 1", 3, { { 0 } }, "2@21000 3@41000", 1 },
	{ "drop two", "drop 2", 4, { { 0 } }, "3@41000 4@61000", 2 },
	{ "drop the third", "drop 1 skip=2", 4, { { 0 } }, "1@1000 2@21000 4@61000", 1 },
	{ "drop all but the first two", "drop all skip=2", 4, { { 0 } }, "1@1000 2@21000", 2 },
	{ "always", "drop 100%", 2, { { 0 } }, "", 2 },
	{ "always, but at most one", "drop 1/1 1", 3, { { 0 } }, "2@21000 3@41000", 1 },
	{ "always, behind one that is skipped", "drop 1/1 skip=1", 3, { { 0 } }, "1@1000", 2 },
	/* which cable */
	{ "a port", "drop all on H1[1]", 1, { { 0 } }, "", 1 },
	{ "the other end", "drop all on H2[1]", 1, { { 0 } }, "", 1 },
	{ "a node", "drop all on H2", 1, { { 0 } }, "", 1 },
	{ "leaving", "drop all from H1[1]", 1, { { 0 } }, "", 1 },
	{ "arriving", "drop all to H2[1]", 1, { { 0 } }, "", 1 },
	{ "the other way", "drop all to H1[1]", 1, { { 0 } }, "1@1000", 0 },
	{ "leaving the other end", "drop all from H2[1]", 1, { { 0 } }, "1@1000", 0 },
	/* which MADs */
	{ "class", "drop all class=0x03", 2, { { .mgmt_class = 0x32 }, { 0 } }, "1@1000", 1 },
	{ "method", "drop all method=0x92", 2, { { .method = 0x92 }, { 0 } }, "2@21000", 1 },
	{ "attribute", "drop all attr=0x11", 2, { { .attribute = 0x11 }, { 0 } }, "2@21000", 1 },
	{ "modifier", "drop all mod=7", 2, { { .modifier = 7 }, { 0 } }, "2@21000", 1 },
	{ "modifier 0", "drop all mod=0", 2, { { .modifier = 7 }, { 0 } }, "1@1000", 1 },
	{ "TID", "drop all tid=0x500000002", 3,
	  { { 0 }, { .tid = UINT64_C(0x500000002) }, { .tid = 2 } }, "1@1000 2@41000", 1 },
	{ "low TID", "drop all tid.low=2", 3,
	  { { 0 }, { .tid = UINT64_C(0x500000002) }, { .tid = 2 } }, "1@1000", 2 },
	{ "high TID", "drop all tid.high=5", 3,
	  { { 0 }, { .tid = UINT64_C(0x500000002) }, { .tid = 2 } }, "1@1000 2@41000", 1 },
	{ "high TID 0", "drop all tid.high=0", 2,
	  { { 0 }, { .tid = UINT64_C(0x500000002) } }, "21474836482@21000", 1 },
	{ "DATA", "drop all rmpp=data", 3,
	  { { .rmpp_type = 1, .segment = 1 }, { .rmpp_type = 2, .segment = 1 }, { 0 } },
	  "2@21000 3@41000", 1 },
	{ "ACK of a segment", "drop all rmpp=ack seg=4", 3,
	  { { .rmpp_type = 1, .segment = 4 }, { .rmpp_type = 2, .segment = 4 },
	    { .rmpp_type = 2, .segment = 5 } }, "1@1000 3@41000", 1 },
	{ "the second time that a segment comes", "drop 1 rmpp=data seg=2 skip=1", 4,
	  { { .rmpp_type = 1, .segment = 2 }, { .rmpp_type = 1, .segment = 3 },
	    { .rmpp_type = 1, .segment = 2 }, { .rmpp_type = 1, .segment = 2 } },
	  "1@1000 2@21000 4@61000", 1 },
	{ "ACK of segment 0", "drop all rmpp=ack seg=0", 2,
	  { { .rmpp_type = 2, .segment = 0 }, { .rmpp_type = 2, .segment = 1 } }, "2@21000", 1 },
	{ "ABORT", "drop all rmpp=abort", 2, { { .rmpp_type = 4, .segment = 3 }, { 0 } },
	  "2@21000", 1 },
	{ "no part of a transfer", "drop all rmpp=none", 2, { { .rmpp_type = 1 }, { 0 } },
	  "1@1000", 1 },
	{ "a class without RMPP has no segments", "drop all seg=1", 1,
	  { { .mgmt_class = 0x04, .rmpp_type = 1, .segment = 1 } }, "1@1000", 0 },
	{ "all at once", "drop all class=3 method=0x92 attr=0x11 tid.low=1 seg=2 rmpp=data", 2,
	  { { .method = 0x92, .attribute = 0x11, .tid = 1, .rmpp_type = 1, .segment = 2 },
	    { .method = 0x92, .attribute = 0x11, .tid = 1, .rmpp_type = 1, .segment = 3 } },
	  "1@21000", 1 },
	/* what happens to them */
	{ "delay", "delay by 5ms 1", 2, { { 0 } }, "1@6000 2@21000", 1 },
	{ "delay past the next", "delay by 25ms 1", 2, { { 0 } }, "2@21000 1@26000", 1 },
	{ "two delays", "delay all by 5ms; delay by 7ms 1", 2, { { 0 } }, "1@13000 2@26000", 2 },
	{ "duplicate", "duplicate 1", 2, { { 0 } }, "1@1000 1@1000 2@21000", 1 },
	{ "a later copy", "duplicate by 30ms 1", 3, { { 0 } },
	  "1@1000 2@21000 1@31000 3@41000", 1 },
	{ "two copies", "duplicate 1; duplicate by 2ms 1", 1, { { 0 } },
	  "1@1000 1@1000 1@3000", 1 },
	{ "a copy of what is lost", "duplicate by 2ms 1; drop 1", 1, { { 0 } }, "1@3000", 1 },
	{ "a copy of what is late", "delay all by 5ms; duplicate all by 2ms", 1, { { 0 } },
	  "1@6000 1@8000", 1 },
	{ "reorder", "reorder 1 by 50ms", 3, { { 0 } }, "2@21000 1@21000 3@41000", 1 },
	{ "reorder two", "reorder 2 by 50ms", 3, { { 0 } }, "3@41000 1@41000 2@41000", 2 },
	{ "reorder behind a late one", "reorder 1 by 50ms; delay by 5ms 1 skip=1", 2, { { 0 } },
	  "2@26000 1@26000", 1 },
	{ "the lost are not waited for", "reorder 1 by 50ms; drop 1 skip=1", 3, { { 0 } },
	  "3@41000 1@41000", 1 },
	{ "nobody to be behind of", "reorder 1 by 5ms", 2, { { 0 } }, "1@6000 2@21000", 1 },
	{ "nobody, for the usual time", "reorder 1", 2, { { 0 } }, "1@11000 2@21000", 1 },
	{ "damaged, and seen", "corrupt 1", 2, { { 0 } }, "2@21000", 1 },
	{ "damaged in the header, and seen", "corrupt 1 packet bits=0-7", 1, { { 0 } }, "", 1 },
	{ "damaged, and mended", "corrupt 1 mended bits=127", 2, { { .tid = 6 }, { 0 } },
	  "7@1000 2@21000", 1 },
	{ "eight bits of it", "corrupt 1 mended bits=120-127", 1, { { 0 } }, "254@1000", 1 },
	{ "a DLID that is not there", "corrupt 1 mended packet bits=16", 1, { { 0 } }, "", 1 },
	{ "no MAD any more", "corrupt 1 mended packet bits=64-71", 1, { { 0 } }, "", 1 },
	{ "lie", "lie tid.high=0 MAD.TransactionID=9 1", 3,
	  { { 0 }, { .method = 0x92 }, { .method = 0x92 } }, "1@1000 9@21000 3@41000", 1 },
	{ "lie about a request", "lie method=0x12 MAD.TransactionID=+5 all", 2,
	  { { 0 }, { .method = 0x92 } }, "6@1000 2@21000", 1 },
	{ "what is so is no lie", "lie MAD.TransactionID=2 1", 3,
	  { { .method = 0x92 }, { .method = 0x92 }, { .method = 0x92 } },
	  "2@1000 2@21000 3@41000", 1 },
	{ "who passes it on does not lie", "lie MAD.TransactionID=9 all from H2[1]", 1,
	  { { .method = 0x92 } }, "1@1000", 0 },
	{ "a lie that is lost", "lie MAD.TransactionID=9 1; drop 1", 2,
	  { { .method = 0x92 }, { .method = 0x92 } }, "2@21000", 1 },
	/* more than one rule */
	{ "each rule counts for itself", "drop 1; drop 1 skip=1", 3, { { 0 } }, "3@41000", 1 },
	{ "the dead are counted but not acted on", "drop 1; drop 1", 2, { { 0 } }, "2@21000", 1 },
	{ "a rule sees what came, not what others made of it",
	  "corrupt 1 mended bits=127; drop all tid.low=7", 2, { { .tid = 6 }, { .tid = 7 } },
	  "7@1000", 1 },
};

/* Where rules come from: a C program, as text or as a struct; the console; the fabric's options. */
enum way { WAY_TEXT, WAY_STRUCT, WAY_CONSOLE, WAY_OPTION, WAY_END };

static void add_rule(struct umadrig_fabric *fabric, enum way way, const char *rule, int id)
{
	g_autofree char *line = g_strconcat("fault add ", rule, NULL);
	struct umadrig_fault fault;
	char message[512] = "";

	switch (way) {
	case WAY_TEXT:
		g_assert_cmpint(add_text(fabric, rule), ==, id);
		break;
	case WAY_STRUCT:
		g_assert_cmpint(fault_text_parse(rule, &fault, message, sizeof(message)), ==, 0);
		g_assert_cmpint(umadrig_fault_add(fabric, &fault, message, sizeof(message)), ==,
				id);
		fault_text_clear(&fault);
		break;
	case WAY_CONSOLE:
		g_assert_cmpint(umadrig_console(fabric, line, NULL), ==, 0);
		break;
	case WAY_OPTION:	/* given twice */
	case WAY_END:
		break;
	}
}

static void cross(const struct crossing *row, enum way way)
{
	g_auto(GStrv) rules = g_strsplit(row->rules, "; ", -1);
	g_autofree char *faults = g_strjoinv(",fault=", rules);
	g_autofree char *spec = g_strconcat(",clock=virtual,latency=1ms", way == WAY_OPTION ?
					    ",fault=" : NULL, faults, NULL);
	struct rig rig = rig_open(spec);
	GString *arrivals = g_string_new(NULL);

	umadrig_tap(umadrig_port(rig.fabric, "H2", 1), note_arrival, arrivals);
	for (unsigned int i = 0; rules[i]; i++)
		add_rule(rig.fabric, way, rules[i], (int)i + 1);
	for (unsigned int i = 0; i < row->count; i++) {
		umadrig_step(rig.fabric, (int64_t)i * GAP_MS * NS_PER_MS);
		send_one(rig.fabric, &row->sent[i], i + 1);
	}
	umadrig_step(rig.fabric, NS_PER_S);
	g_assert_cmpstr(arrivals->str, ==, row->arrive);
	g_assert_cmpint(umadrig_fault_hits(rig.fabric, 1), ==, row->hits);
	umadrig_tap(umadrig_port(rig.fabric, "H2", 1), NULL, NULL);
	/* Every packet has been freed. */
	g_assert_cmpuint(rig.fabric->pool.used, ==, 0);
	rig_close(&rig);
	g_string_free(arrivals, true);
}

static void test_crossing(const void *data)
{
	for (enum way way = WAY_TEXT; way < WAY_END; way++)
		cross(data, way);
}

/* ---- where packets are dropped and counted ---- */

static void note_death(void *ctx, int64_t at_ns, const char *who, const char *text)
{
	GString *deaths = ctx;

	(void)at_ns;
	if (g_str_has_prefix(text, "drop "))
		g_string_append_printf(deaths, "%s|%s;", who, text + strspn(text + 4, " ") + 4);
}

/*
 * Given a rule, when one packet goes from H1 to H2, then it is dropped for this reason, and
 * counted.
 */
static const struct death {
	const char *name;
	struct umadrig_fault fault;
	const char *said;
	int64_t errors;		/* PortRcvErrors at H2 */
} deaths[] = {
	{ "a name", { .name = "lossy" }, "H2[1]|fault lossy;", 0 },
	{ "no name", { 0 }, "H2[1]|fault 1;", 0 },
	{ "CRCs left", { .name = "noise", .act = UMADRIG_FAULT_CORRUPT },
	  "H2[1]|fault noise: its CRCs are wrong;", 1 },
	{ "a flipped bit of the header",
	  { .name = "noise", .act = UMADRIG_FAULT_CORRUPT, .whole_packet = true, .bit_count = 1 },
	  "H2[1]|fault noise: its CRCs are wrong;", 1 },
	{ "the MAD all over",
	  { .name = "noise", .act = UMADRIG_FAULT_CORRUPT, .bit_count = 2048 },
	  "H2[1]|fault noise: its CRCs are wrong;", 1 },
	{ "mended: no MAD",
	  { .name = "noise", .act = UMADRIG_FAULT_CORRUPT, .whole_packet = true, .first_bit = 64,
	    .bit_count = 8, .crc_mended = true },
	  "H2[1]|fault noise: it carries no MAD any more;", 1 },
	{ "mended: for somebody else",
	  { .name = "noise", .act = UMADRIG_FAULT_CORRUPT, .whole_packet = true, .first_bit = 16,
	    .bit_count = 1, .crc_mended = true },
	  "H2[1]|H2[1]: LID 32770 is not its own;", 0 },
};

static void test_death(const void *data)
{
	const struct death *row = data;
	static const struct sent usual;
	struct rig rig = rig_open(",clock=virtual,latency=1ms");
	GString *said = g_string_new(NULL);
	char message[256];

	umadrig_trace(rig.fabric, note_death, said);
	g_assert_cmpint(umadrig_fault_add(rig.fabric, &row->fault, message, sizeof(message)), ==,
			1);
	send_one(rig.fabric, &usual, 1);
	umadrig_step(rig.fabric, NS_PER_S);
	g_assert_cmpstr(said->str, ==, row->said);
	g_assert_cmpint(umadrig_counter(rig.fabric, "H2", 1, "PortRcvErrors"), ==, row->errors);
	g_assert_cmpint(umadrig_counter(rig.fabric, "H1", 1, "PortRcvErrors"), ==, 0);
	umadrig_trace(rig.fabric, NULL, NULL);
	rig_close(&rig);
	g_string_free(said, true);
}

/* A packet that a rule delays is on the cable, and is lost with it. */
static void test_cut(void)
{
	static const struct sent usual;
	struct rig rig = rig_open(",clock=virtual,latency=1ms");
	GString *said = g_string_new(NULL);

	umadrig_trace(rig.fabric, note_death, said);
	add_text(rig.fabric, "delay by 10ms 2");
	send_one(rig.fabric, &usual, 1);
	umadrig_step(rig.fabric, NS_PER_MS);
	g_assert_cmpint(umadrig_link_set(rig.fabric, "H2", 1, false), ==, 0);
	umadrig_step(rig.fabric, NS_PER_S);
	g_assert_cmpstr(said->str, ==,
			"H2[1]|the link went down while it was on the cable;");
	umadrig_trace(rig.fabric, NULL, NULL);
	rig_close(&rig);
	g_string_free(said, true);
}

/* The capture shows the packet as it left, and as it was dropped. */
static void test_capture(void)
{
	static const struct sent usual;
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "fault-XXXXXX", NULL);
	struct rig rig = rig_open(",clock=virtual,latency=1ms");
	char message[512];
	struct capture *capture;

	g_assert_true(g_close(g_mkstemp(path), NULL));
	g_assert_cmpint(umadrig_capture_start(rig.fabric, path, NULL, message, sizeof(message)), ==,
			0);
	add_text(rig.fabric, "corrupt 1 bits=127");
	send_one(rig.fabric, &usual, 2);
	umadrig_step(rig.fabric, NS_PER_S);
	g_assert_cmpint(umadrig_capture_stop(rig.fabric), ==, 0);
	capture = capture_read(path, message, sizeof(message));
	g_assert_nonnull(capture);
	g_assert_cmpuint(capture->mad_count, ==, 2);
	g_assert_cmphex(get_be64(capture->mads[0].mad + MAD_TID), ==, 2);
	g_assert_true(capture->mads[0].icrc_ok && capture->mads[0].vcrc_ok);
	g_assert_cmphex(get_be64(capture->mads[1].mad + MAD_TID), ==, 3);
	g_assert_true(capture->mads[1].icrc_wrong && capture->mads[1].vcrc_wrong);
	g_assert_cmpstr(capture->mads[1].comment, ==,
			"dropped: fault corrupt 1 bits=127: its CRCs are wrong");
	g_assert_cmpstr(capture->mads[1].interface_name, ==, "H2[1]");
	capture_free(capture);
	rig_close(&rig);
	g_unlink(path);
}

/* ---- chance ---- */

enum { MANY = 10000 };

/* Which of 10,000 packets arrive, as a string of 0 and 1. */
static GString *crossed(const char *options, const char *rule)
{
	g_autofree char *spec = g_strconcat(",clock=virtual", options, NULL);
	struct rig rig = rig_open(spec);
	GString *result = g_string_new(NULL);
	GString *arrivals = g_string_new(NULL);
	static const struct sent usual;

	add_text(rig.fabric, rule);
	umadrig_tap(umadrig_port(rig.fabric, "H2", 1), note_arrival, arrivals);
	for (unsigned int i = 0; i < MANY; i++) {
		g_string_truncate(arrivals, 0);
		send_one(rig.fabric, &usual, i + 1);
		umadrig_step(rig.fabric, umadrig_now(rig.fabric));
		g_string_append_c(result, arrivals->len ? '1' : '0');
	}
	umadrig_tap(umadrig_port(rig.fabric, "H2", 1), NULL, NULL);
	rig_close(&rig);
	g_string_free(arrivals, true);
	return result;
}

/* Given a rate, the number of lost packets out of 10,000 is within five standard deviations. */
static void test_rate(void)
{
	static const struct { const char *rule; unsigned int least, most; } rows[] = {
		{ "drop 50%", 4750, 5250 },
		{ "drop 5%", 391, 609 },
		{ "drop 1/20", 391, 609 },
		{ "drop 0.1%", 1, 26 },
		{ "drop 2/3", 6431, 6902 },
		{ "corrupt 5%", 391, 609 },
		{ "drop 100%", MANY, MANY },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		GString *came = crossed("", rows[i].rule);
		unsigned int lost = 0;

		for (size_t n = 0; n < came->len; n++)
			lost += came->str[n] == '0';
		g_test_message("%s: %u of %d", rows[i].rule, lost, MANY);
		g_assert_cmpuint(lost, >=, rows[i].least);
		g_assert_cmpuint(lost, <=, rows[i].most);
		g_string_free(came, true);
	}
}

static void test_seed(void)
{
	GString *one = crossed(",seed=7", "drop 5%");
	GString *again = crossed(",seed=7", "drop 5%");
	GString *other = crossed(",seed=8", "drop 5%");

	g_assert_cmpstr(one->str, ==, again->str);
	g_assert_cmpstr(one->str, !=, other->str);
	g_string_free(one, true);
	g_string_free(again, true);
	g_string_free(other, true);
}

/* ---- rules come and go ---- */

static void test_removed(void)
{
	static const struct sent usual;
	struct rig rig = rig_open(",clock=virtual");
	GString *arrivals = g_string_new(NULL);
	int back, drop;

	umadrig_tap(umadrig_port(rig.fabric, "H2", 1), note_arrival, arrivals);
	back = add_text(rig.fabric, "reorder 1 by 1s");
	drop = add_text(rig.fabric, "drop all skip=1");
	g_assert_cmpint(back, !=, drop);
	send_one(rig.fabric, &usual, 1);
	send_one(rig.fabric, &usual, 2);
	umadrig_step(rig.fabric, NS_PER_MS);
	g_assert_cmpstr(arrivals->str, ==, "");
	/* The packet that it held back continues now. */
	g_assert_cmpint(umadrig_fault_remove(rig.fabric, back), ==, 0);
	umadrig_step(rig.fabric, NS_PER_MS);
	g_assert_cmpstr(arrivals->str, ==, "1@1000");
	g_assert_cmpint(umadrig_fault_hits(rig.fabric, back), ==, -ENOENT);
	g_assert_cmpint(umadrig_fault_remove(rig.fabric, back), ==, -ENOENT);
	g_assert_cmpint(umadrig_fault_hits(rig.fabric, drop), ==, 1);
	g_assert_cmpint(umadrig_fault_remove(rig.fabric, drop), ==, 0);
	g_assert_null(rig.fabric->faults);
	send_one(rig.fabric, &usual, 3);
	umadrig_step(rig.fabric, 2 * NS_PER_MS);
	g_assert_cmpstr(arrivals->str, ==, "1@1000 3@1000");
	g_assert_cmpint(add_text(rig.fabric, "drop all"), >, drop);
	umadrig_tap(umadrig_port(rig.fabric, "H2", 1), NULL, NULL);
	rig_close(&rig);
	g_string_free(arrivals, true);
}

/* Closing a fabric frees the packets that faults hold. */
static void test_closed(void)
{
	static const struct sent usual;
	struct rig rig = rig_open(",clock=virtual");

	add_text(rig.fabric, "duplicate all by 1s");
	add_text(rig.fabric, "reorder by 1s 1 skip=1");
	send_one(rig.fabric, &usual, 1);
	send_one(rig.fabric, &usual, 2);
	g_assert_cmpuint(rig.fabric->pool.used, >=, 3);
	rig_close(&rig);
}

/* ---- each action ---- */

/* "drop, delay or corrupt", of all actions. */
static char *all_actions(void)
{
	GString *text = g_string_new(fault_action_at(0)->word);
	const struct fault_action *action;

	for (unsigned int i = 1; (action = fault_action_at(i)); i++)
		g_string_append_printf(text, "%s%s", fault_action_at(i + 1) ? ", " : " or ",
				       action->word);
	return g_string_free(text, false);
}

static void test_no_action(void)
{
	static const char *const rules[] = { "", "lose 5%", "drops" };
	g_autofree char *words = all_actions();
	struct rig rig = rig_open(",clock=virtual");

	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
		g_autofree char *said = g_strdup_printf("fault=%s: expected %s first", rules[i],
							words);
		char message[512] = "";

		g_assert_cmpint(umadrig_fault_add_text(rig.fabric, rules[i], message,
						       sizeof(message)), ==, -EINVAL);
		g_assert_cmpstr(message, ==, said);
	}
	rig_close(&rig);
}

/* What an action does is shown by a row of the first table, which begins with it. */
static void test_shown(void)
{
	const struct fault_action *action;

	for (unsigned int i = 0; (action = fault_action_at(i)); i++) {
		size_t at = 0;

		while (at < G_N_ELEMENTS(crossings) &&
		       !g_str_has_prefix(crossings[at].rules, action->word))
			at++;
		if (at == G_N_ELEMENTS(crossings))
			g_error("no row of 'crossings' in tests/sim/fault.c begins with '%s'",
				action->word);
	}
}

int main(int argc, char **argv)
{
	int status;

	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(crossings); i++) {
		g_autofree char *path = g_strdup_printf("/fault/crossing/%s", crossings[i].name);

		g_test_add_data_func(path, &crossings[i], test_crossing);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(deaths); i++) {
		g_autofree char *path = g_strdup_printf("/fault/death/%s", deaths[i].name);

		g_test_add_data_func(path, &deaths[i], test_death);
	}
	g_test_add_func("/fault/cut", test_cut);
	g_test_add_func("/fault/capture", test_capture);
	g_test_add_func("/fault/chance/rate", test_rate);
	g_test_add_func("/fault/chance/seed", test_seed);
	g_test_add_func("/fault/rules/removed", test_removed);
	g_test_add_func("/fault/rules/closed", test_closed);
	g_test_add_func("/fault/mistakes", test_mistakes);
	g_test_add_func("/fault/colons", test_colons);
	g_test_add_func("/fault/objections", test_objections);
	g_test_add_func("/fault/actions/none", test_no_action);
	g_test_add_func("/fault/actions/shown", test_shown);
	status = g_test_run();
	return leak_end(status);
}
