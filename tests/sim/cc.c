/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The congestion control agent and Mellanox's vendor class: what is set can be read back, part by
 * part; what is not theirs is refused; and the CC_Key keeps requests out.
 */
#include "sim/agents/cc.h"
#include "sim/agents/mlnx-agent.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/host/kernel.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"

/* A switch with 50 ports, so two blocks, and two hosts, the second not from Mellanox. */
static const char net[] =
	"vendid=0x2c9\ndevid=0xcb20\nsysimgguid=0x2c90300000010\n"
	"switchguid=0x2c90300000010(2c90300000010)\n"
	"Switch\t50 \"S-0002c90300000010\"\t\t# \"Edge\" base port 0 lid 7 lmc 0\n"
	"[1]\t\"H-0002c90300000020\"[1](2c90300000021) \t\t# \"H1\" lid 1 4xEDR\n"
	"[2]\t\"H-0002c90300000030\"[1](2c90300000031) \t\t# \"H2\" lid 2 4xEDR\n"
	"\n"
	"vendid=0x2c9\ndevid=0x1017\nsysimgguid=0x2c90300000023\ncaguid=0x2c90300000020\n"
	"Ca\t1 \"H-0002c90300000020\"\t\t# \"H1\"\n"
	"[1](2c90300000021) \t\"S-0002c90300000010\"[1]\t\t# lid 1 lmc 0 \"Edge\" lid 7 4xEDR\n"
	"\n"
	"vendid=0x66a\ndevid=0x1017\nsysimgguid=0x2c90300000033\ncaguid=0x2c90300000030\n"
	"Ca\t1 \"H-0002c90300000030\"\t\t# \"H2\"\n"
	"[1](2c90300000031) \t\"S-0002c90300000010\"[2]\t\t# lid 2 lmc 0 \"Edge\" lid 7 4xEDR\n";

enum {
	GET = MAD_METHOD_GET,
	SET = MAD_METHOD_SET,
	SILENCE = 0xffff,	/* in place of a status */
	NOT_OURS = 0xfffe,	/* expected instead of a status: it is left to a program */
	KEY_AT = 24,
	DATA_AT = 64,
	LOG_AT = 32,
	VENDOR_AT = 24,
};

struct question {
	uint8_t mgmt_class;	/* 0: congestion control */
	uint8_t version;	/* 0: 2, or 1 for other classes */
	uint8_t method;
	uint16_t attr;
	uint32_t modifier;
	uint64_t key;
};

/* The MAD contains the request's data before the call, and the whole response after it. */
static unsigned int ask(struct umadrig_fabric *fabric, const char *node, struct question what,
			uint8_t mad[MAD_SIZE])
{
	struct port *port = &fabric_node(fabric, node)->ports[1];
	uint8_t out[MAD_SIZE] = { 0 };
	unsigned int result;

	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = what.mgmt_class ? what.mgmt_class : MAD_CLASS_CONG_MGT;
	mad[MAD_CLASS_VERSION] = what.version ? what.version : what.mgmt_class ? 1 : 2;
	mad[MAD_METHOD] = what.method;
	put_be16(mad + MAD_ATTR_ID, what.attr);
	put_be32(mad + MAD_ATTR_MOD, what.modifier);
	put_be64(mad + KEY_AT, what.key);
	result = port_process_mad(port, &(struct kmod_source) { 0 }, mad, out);
	memcpy(mad, out, MAD_SIZE);
	if (result & KMOD_MAD_REPLY)
		return get_be16(out + MAD_STATUS);
	return result & KMOD_MAD_SUCCESS ? NOT_OURS : SILENCE;
}

/* ---- what it answers, and how ---- */

static const struct answered {
	const char *name;
	const char *node;
	struct question question;
	unsigned int status;
} answered[] = {
	{ "a switch's setting", "Edge", { .method = GET, .attr = 0x14 }, 0 },
	{ "on a CA", "H1", { .method = GET, .attr = 0x14 }, 0x0c },
	{ "a switch's ports", "Edge", { .method = GET, .attr = 0x15, .modifier = 1 }, 0 },
	{ "more than it has", "Edge", { .method = GET, .attr = 0x15, .modifier = 2 }, 0x1c },
	{ "those of a CA", "H1", { .method = GET, .attr = 0x15 }, 0x0c },
	{ "a CA's setting", "H1", { .method = GET, .attr = 0x16 }, 0 },
	{ "on a switch", "Edge", { .method = GET, .attr = 0x16 }, 0x0c },
	{ "a CA's table", "H1", { .method = GET, .attr = 0x17, .modifier = 1 }, 0 },
	{ "behind its end", "H1", { .method = GET, .attr = 0x17, .modifier = 2 }, 0x1c },
	{ "the log", "H1", { .method = GET, .attr = 0x13 }, 0 },
	{ "is only read", "H1", { .method = SET, .attr = 0x13 }, 0x0c },
	{ "so is the time", "H1", { .method = SET, .attr = 0x18 }, 0x0c },
	{ "no such attribute", "H1", { .method = GET, .attr = 0x19 }, 0x0c },
	{ "no such method", "H1", { .method = 0x12, .attr = 0x11 }, 0x08 },
	{ "another version", "H1", { .version = 1, .method = GET, .attr = 0x11 }, 0x04 },
	{ "a response", "H1", { .method = 0x81, .attr = 0x11 }, NOT_OURS },
	{ "vendor class: ClassPortInfo", "H1", { 0x0a, .method = GET, .attr = 1 }, 0 },
	{ "vendor class: general information", "H1", { 0x0a, .method = GET, .attr = 0x17 }, 0 },
	{ "which is only read", "H1", { 0x0a, .method = SET, .attr = 0x17 }, 0x0c },
	{ "vendor class: no counter groups", "Edge", { 0x0a, .method = GET, .attr = 0x90 }, 0x0c },
	{ "vendor class: a Send", "H1", { 0x0a, .method = 3, .attr = 1 }, NOT_OURS },
	{ "another vendor's", "H2", { 0x0a, .method = GET, .attr = 1 }, NOT_OURS },
	{ "another vendor class", "H1", { 0x0b, .method = GET, .attr = 1 }, NOT_OURS },
	{ "device management", "H1", { 0x06, .method = GET, .attr = 1 }, NOT_OURS },
};

static void test_answered(const void *data)
{
	const struct answered *row = data;
	struct rig rig = rig_open_text(net, ",clock=virtual");
	uint8_t mad[MAD_SIZE] = { 0 };

	g_assert_cmphex(ask(rig.fabric, row->node, row->question, mad), ==, row->status);
	rig_close(&rig);
}

/* ---- what is set ---- */

/* The bytes of a Set, and which of them count (according to Control_Map). */
static void test_parts(void)
{
	static const struct {
		const char *node;
		uint16_t attr;
		uint32_t modifier;
		uint32_t map;		/* Control_Map, and where it is */
		unsigned int map_at, map_size;
		unsigned int size;	/* size of the attribute */
		unsigned int kept[4][2];	/* from, to: unchanged bytes */
	} rows[] = {
		{ "Edge", 0x14, 0, 0x1f, 0, 4, 76, { { 0 } } },
		{ "Edge", 0x14, 0, 0x01, 0, 4, 76, { { 36, 76 } } },
		{ "Edge", 0x14, 0, 0x0a, 0, 4, 76, { { 4, 36 }, { 68, 70 }, { 74, 76 } } },
		{ "Edge", 0x14, 0, 0x14, 0, 4, 76, { { 4, 68 }, { 70, 74 } } },
		{ "Edge", 0x15, 1, 0, 0, 0, 192, { { 0 } } },
		{ "H1", 0x16, 0, 0xffff, 2, 2, 132, { { 0 } } },
		{ "H1", 0x16, 0, 0x8002, 2, 2, 132, { { 4, 12 }, { 20, 124 } } },
		{ "H1", 0x17, 1, 127, 0, 2, 132, { { 2, 4 } } },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig rig = rig_open_text(net, ",clock=virtual");
		struct question set = { .method = SET, .attr = rows[i].attr,
					.modifier = rows[i].modifier };
		struct question get = set;
		uint8_t mad[MAD_SIZE] = { 0 }, wanted[MAD_SIZE] = { 0 };

		get.method = GET;
		for (unsigned int at = 0; at < rows[i].size; at++)
			wanted[at] = mad[DATA_AT + at] = (uint8_t)(at + 1);
		for (unsigned int byte = 0; byte < rows[i].map_size; byte++)
			wanted[rows[i].map_at + byte] = mad[DATA_AT + rows[i].map_at + byte] =
				(uint8_t)(rows[i].map >> 8 * (rows[i].map_size - 1 - byte));
		for (unsigned int k = 0; k < 4; k++)
			memset(wanted + rows[i].kept[k][0], 0,
			       rows[i].kept[k][1] - rows[i].kept[k][0]);
		g_assert_cmphex(ask(rig.fabric, rows[i].node, set, mad), ==, 0);
		g_assert_cmpmem(mad + DATA_AT, 192, wanted, 192);
		memset(mad, 0xa5, sizeof(mad));
		g_assert_cmphex(ask(rig.fabric, rows[i].node, get, mad), ==, 0);
		g_assert_cmpmem(mad + DATA_AT, 192, wanted, 192);
		rig_close(&rig);
	}
}

/* A limit beyond the table is refused, and nothing is changed. */
static void test_limit(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	uint8_t mad[MAD_SIZE] = { 0 };

	put_be16(mad + DATA_AT, 128);
	put_be16(mad + DATA_AT + 4, 0xbeef);
	g_assert_cmphex(ask(rig.fabric, "H1", (struct question) { .method = SET, .attr = 0x17 },
			    mad), ==, 0x1c);
	g_assert_cmphex(ask(rig.fabric, "H1", (struct question) { .method = GET, .attr = 0x17 },
			    mad), ==, 0);
	g_assert_cmphex(get_be32(mad + DATA_AT), ==, 0);
	g_assert_cmphex(get_be32(mad + DATA_AT + 4), ==, 0);
	rig_close(&rig);
}

/* ---- time and log ---- */

static void test_time(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	static const struct { const char *node; unsigned int type, at; } rows[] = {
		{ "Edge", 1, 4 }, { "H1", 2, 8 },
	};

	/* In units of 1.024 us. */
	umadrig_step(rig.fabric, 1024 * INT64_C(5000000));
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		uint8_t mad[MAD_SIZE] = { 0 };
		struct question what = { .method = GET, .attr = 0x18 };

		g_assert_cmphex(ask(rig.fabric, rows[i].node, what, mad), ==, 0);
		g_assert_cmpuint(get_be32(mad + DATA_AT), ==, 5000000);
		what.attr = 0x13;
		g_assert_cmphex(ask(rig.fabric, rows[i].node, what, mad), ==, 0);
		g_assert_cmpuint(mad[LOG_AT], ==, rows[i].type);
		g_assert_cmpuint(get_be32(mad + LOG_AT + rows[i].at), ==, 5000000);
	}
	rig_close(&rig);
}

static void test_general_info(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	uint8_t mad[MAD_SIZE] = { 0 };

	umadrig_step(rig.fabric, 77 * NS_PER_S);
	g_assert_cmphex(ask(rig.fabric, "H1", (struct question) { 0x0a, .method = GET,
								  .attr = 0x17 }, mad), ==, 0);
	g_assert_cmphex(get_be16(mad + VENDOR_AT + 10), ==, 0x1017);
	g_assert_cmpuint(get_be32(mad + VENDOR_AT + 36), ==, 77);
	rig_close(&rig);
}

/* ---- the key ---- */

static void test_key(void)
{
	static const struct {
		const char *what;
		uint8_t method;
		uint64_t key;
		unsigned int seconds;		/* seconds that pass before */
		unsigned int status;
		uint64_t told;			/* CC_Key */
		unsigned int violations;
	} rows[] = {
		{ "who knows it is told", GET, 0x1234, 0, 0, 0x1234, 0 },
		{ "who does not is not", GET, 0, 0, 0, 0, 0 },
		{ "and may not write", SET, 0x99, 0, SILENCE, 0, 0 },
		{ "which is counted", GET, 0x1234, 1, 0, 0x1234, 1 },
		{ "who knows it ends the lease", GET, 0, 11, 0, 0, 1 },
		{ "once more", SET, 0x98, 0, SILENCE, 0, 0 },
		{ "before the lease ends", GET, 0, 9, 0, 0, 2 },
		{ "and after", GET, 0, 1, 0, 0x1234, 2 },
		{ "still nobody else writes", SET, 0, 0, SILENCE, 0, 0 },
	};
	struct rig rig = rig_open_text(net, ",clock=virtual");
	const struct mad_field *key = mad_field_must(MAD_CLASS_CONG_MGT, 0x12, "CC_Key");
	const struct mad_field *protect = mad_field_must(MAD_CLASS_CONG_MGT, 0x12,
							 "CC_KeyProtectBit");
	const struct mad_field *lease = mad_field_must(MAD_CLASS_CONG_MGT, 0x12,
						       "CC_KeyLeasePeriod");
	const struct mad_field *violations = mad_field_must(MAD_CLASS_CONG_MGT, 0x12,
							    "CC_KeyViolations");
	uint8_t mad[MAD_SIZE] = { 0 };

	mad_field_set(key, mad + DATA_AT, 0x1234);
	mad_field_set(protect, mad + DATA_AT, 1);
	mad_field_set(lease, mad + DATA_AT, 10);
	g_assert_cmphex(ask(rig.fabric, "H1", (struct question) { .method = SET, .attr = 0x12 },
			    mad), ==, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct question what = { .method = rows[i].method, .attr = 0x12,
					 .key = rows[i].key };

		memset(mad, 0, sizeof(mad));
		umadrig_step(rig.fabric, umadrig_now(rig.fabric) + rows[i].seconds * NS_PER_S);
		g_test_message("%s", rows[i].what);
		g_assert_cmphex(ask(rig.fabric, "H1", what, mad), ==, rows[i].status);
		if (rows[i].status == SILENCE)
			continue;
		g_assert_cmphex(mad_field_get(key, mad + DATA_AT), ==, rows[i].told);
		g_assert_cmpuint(mad_field_get(violations, mad + DATA_AT), ==,
				 rows[i].violations);
	}
	rig_close(&rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(answered); i++) {
		g_autofree char *path = g_strconcat("/cc/answered/", answered[i].name, NULL);

		g_test_add_data_func(path, &answered[i], test_answered);
	}
	g_test_add_func("/cc/parts", test_parts);
	g_test_add_func("/cc/limit", test_limit);
	g_test_add_func("/cc/time", test_time);
	g_test_add_func("/cc/general-info", test_general_info);
	g_test_add_func("/cc/key", test_key);
	return leak_end(g_test_run());
}
