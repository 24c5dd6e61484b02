/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric's own subnet administration: which records a request selects, which status it gets,
 * and when the SA is there. tests/stock/own-sa.sh compares whole answers with OpenSM's.
 */
#include <errno.h>
#include <glib.h>
#include <string.h>

#include "sim/agents/sma.h"
#include "sim/console/console.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/host.h"
#include "sim/host/power.h"
#include "sim/run/open.h"
#include "sim/sa/sa-answer.h"
#include "sim/sa/sa.h"
#include "tests/rig/fabric-text.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"

/*
 * H1 (LID 1: the SM's) and H2 (2 and 3, LMC 1) on S1 (7); H3 (4), on S2 (8), has a slower link. S1
 * and S2 are on one cable.
 */
static const char net[] =
	"vendid=0x2c9\ndevid=0xcb20\nsysimgguid=0x10\nswitchguid=0x10(10)\n"
	"Switch\t4 \"S-0000000000000010\"\t\t# \"S1\" enhanced port 0 lid 7 lmc 0\n"
	"[1]\t\"H-0000000000000020\"[1](21) \t\t# \"H1\" lid 1 4xEDR\n"
	"[2]\t\"H-0000000000000030\"[1](31) \t\t# \"H2\" lid 2 4xEDR\n"
	"[3]\t\"S-0000000000000011\"[1]\t\t# \"S2\" lid 8 4xHDR\n"
	"\n"
	"vendid=0x2c9\ndevid=0xcb20\nsysimgguid=0x11\nswitchguid=0x11(11)\n"
	"Switch\t4 \"S-0000000000000011\"\t\t# \"S2\" enhanced port 0 lid 8 lmc 0\n"
	"[1]\t\"S-0000000000000010\"[3]\t\t# \"S1\" lid 7 4xHDR\n"
	"[2]\t\"H-0000000000000040\"[1](41) \t\t# \"H3\" lid 4 1xEDR\n"
	"\n"
	"vendid=0x2c9\ndevid=0x1017\nsysimgguid=0x20\ncaguid=0x20\n"
	"Ca\t1 \"H-0000000000000020\"\t\t# \"H1\"\n"
	"[1](21) \t\"S-0000000000000010\"[1]\t\t# lid 1 lmc 0 \"S1\" lid 7 4xEDR\n"
	"\n"
	"vendid=0x2c9\ndevid=0x1017\nsysimgguid=0x30\ncaguid=0x30\n"
	"Ca\t1 \"H-0000000000000030\"\t\t# \"H2\"\n"
	"[1](31) \t\"S-0000000000000010\"[2]\t\t# lid 2 lmc 1 \"S1\" lid 7 4xEDR\n"
	"\n"
	"vendid=0x2c9\ndevid=0x1017\nsysimgguid=0x40\ncaguid=0x40\n"
	"Ca\t1 \"H-0000000000000040\"\t\t# \"H3\"\n"
	"[1](41) \t\"S-0000000000000011\"[2]\t\t# lid 4 lmc 0 \"S2\" lid 8 1xEDR\n";

static struct umadrig_fabric *make(const char *options)
{
	return fabric_of_text(net, options);
}

static struct end_port *end_of(struct umadrig_fabric *fabric, uint16_t lid)
{
	return subnet_end_by_lid(fabric_subnet(fabric, 0), lid);
}

/* ---- requests ---- */

struct asked {
	uint8_t method;
	uint16_t attr_id;
	uint32_t modifier;
	uint64_t key;			/* SM_Key */
	uint64_t mask;
	struct { unsigned int at, size; uint64_t value; } bytes[5];	/* of the record */
};

static GByteArray *ask_from(struct umadrig_fabric *fabric, uint16_t lid, const struct asked *asked)
{
	struct sa_request request = {
		.subnet = fabric_subnet(fabric, 0), .from = end_of(fabric, lid),
	};
	uint8_t mad[MAD_SIZE] = { 0 };

	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_SUBN_ADM;
	mad[MAD_CLASS_VERSION] = 2;
	mad[MAD_METHOD] = asked->method;
	/* The records of MultiPathRecord come in segments. */
	if (asked->method == SA_GET_MULTI)
		mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	put_be64(mad + MAD_TID, 0x1234);
	put_be16(mad + MAD_ATTR_ID, asked->attr_id);
	put_be32(mad + MAD_ATTR_MOD, asked->modifier);
	put_be64(mad + SA_SM_KEY, asked->key);
	put_be64(mad + SA_COMP_MASK, asked->mask);
	for (size_t i = 0; i < G_N_ELEMENTS(asked->bytes) && asked->bytes[i].size; i++) {
		for (unsigned int n = 0; n < asked->bytes[i].size; n++)
			mad[SA_DATA + asked->bytes[i].at + n] = (uint8_t)
				(asked->bytes[i].value >> 8 * (asked->bytes[i].size - 1 - n));
	}
	return sa_answer(&request, mad, sizeof(mad));
}

/*
 * What is expected of H1's request: a status; of a table how many records, and of the first of them
 * some bytes.
 */
struct row {
	const char *what;
	struct asked asked;
	uint16_t status;
	unsigned int count;
	struct { unsigned int at, size; uint64_t value; } first[5];
};

static uint64_t value_at(const uint8_t *bytes, unsigned int size)
{
	uint64_t value = 0;

	while (size--)
		value = value << 8 | *bytes++;
	return value;
}

static void check_header(const struct row *row, const GByteArray *answer)
{
	const uint8_t *mad = answer->data;
	uint8_t method = row->asked.method == SA_SET ? SA_GET : row->asked.method;

	g_assert_cmpuint(mad[MAD_METHOD], ==, method | 0x80);
	g_assert_cmphex(get_be64(mad + MAD_TID), ==, 0x1234);
	g_assert_cmphex(get_be64(mad + SA_SM_KEY), ==, 0);
	if (row->asked.attr_id == SA_MULTI_PATH_RECORD)
		g_assert_cmphex(get_be16(mad + MAD_ATTR_ID), ==, SA_PATH_RECORD);
	else
		g_assert_cmphex(get_be16(mad + MAD_ATTR_ID), ==, row->asked.attr_id);
	g_assert_cmphex(get_be16(mad + MAD_STATUS), ==, row->status);
}

static void check_row(struct umadrig_fabric *fabric, const struct row *row)
{
	GByteArray *answer = ask_from(fabric, 1, &row->asked);
	bool is_table = row->asked.method == SA_GET_TABLE || row->asked.method == SA_GET_MULTI;
	unsigned int size;

	g_test_message("%s", row->what);
	g_assert_nonnull(answer);
	check_header(row, answer);
	size = get_be16(answer->data + SA_ATTR_OFFSET) * 8U;
	if (row->status || !is_table) {
		g_assert_cmpuint(answer->len, ==, MAD_SIZE);
		g_assert_cmpuint(answer->data[RMPP_FLAGS], ==, 0);
	} else {
		g_assert_cmpuint(answer->data[RMPP_FLAGS], ==, RMPP_FLAG_ACTIVE);
		g_assert_cmpuint(answer->len, ==, SA_DATA + row->count * size);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(row->first) && row->first[i].size; i++)
		g_assert_cmphex(value_at(answer->data + SA_DATA + row->first[i].at,
					 row->first[i].size), ==, row->first[i].value);
	g_byte_array_unref(answer);
}

static void check_rows(const struct row *rows, size_t count)
{
	struct umadrig_fabric *fabric = make("clock=virtual,sa=builtin");

	for (size_t i = 0; i < count; i++)
		check_row(fabric, &rows[i]);
	umadrig_fabric_close(fabric);
}

#define NONE { { 0, 0, 0 } }
#define C(number) SA_COMPONENT(number)
#define ASKED(what, id, ...) { .method = (what), .attr_id = (id), ##__VA_ARGS__ }

/* ---- masks ---- */

static const struct row by_mask[] = {
	{ "all nodes", ASKED(SA_GET_TABLE, SA_NODE_RECORD), SA_OK, 5, { { 0, 2, 7 } } },
	{ "bits that are no components select nothing",
	  { SA_GET_TABLE, SA_NODE_RECORD, .mask = C(40) | C(63) }, SA_OK, 5, { { 0, 2, 7 } } },
	{ "by LID", { SA_GET_TABLE, SA_NODE_RECORD, .mask = C(0), .bytes = { { 0, 2, 4 } } },
	  SA_OK, 1, { { 0, 2, 4 }, { 4 + 20, 8, 0x41 } } },
	{ "any LID of the LMC's range means the port",
	  { SA_GET_TABLE, SA_NODE_RECORD, .mask = C(0), .bytes = { { 0, 2, 3 } } },
	  SA_OK, 1, { { 0, 2, 2 } } },
	{ "by kind", { SA_GET_TABLE, SA_NODE_RECORD, .mask = C(4), .bytes = { { 6, 1, 2 } } },
	  SA_OK, 2, { { 0, 2, 7 } } },
	{ "what is not in the mask does not count",
	  { SA_GET_TABLE, SA_NODE_RECORD, .mask = 0, .bytes = { { 6, 1, 2 } } }, SA_OK, 5,
	  { { 0, 2, 7 } } },
	{ "components together",
	  { SA_GET_TABLE, SA_NODE_RECORD, .mask = C(0) | C(4),
	    .bytes = { { 0, 2, 1 }, { 6, 1, 2 } } },
	  SA_OK, 0, NONE },
	{ "a Get of one", { SA_GET, SA_NODE_RECORD, .mask = C(8), .bytes = { { 24, 8, 0x31 } } },
	  SA_OK, 1, { { 0, 2, 2 }, { 44, 2, 0x4832 } } },
	{ "a Get of none", { SA_GET, SA_NODE_RECORD, .mask = C(0), .bytes = { { 0, 2, 99 } } },
	  SA_NO_RECORDS, 0, { { 0, 2, 99 } } },
	{ "a Get of several", ASKED(SA_GET, SA_NODE_RECORD), SA_TOO_MANY_RECORDS, 0, NONE },

	{ "ports", ASKED(SA_GET_TABLE, SA_PORT_INFO_RECORD), SA_OK, 13, { { 0, 3, 0x700 } } },
	{ "a switch's", { SA_GET_TABLE, SA_PORT_INFO_RECORD, .mask = C(0) | C(1),
	  .bytes = { { 0, 2, 7 }, { 2, 1, 3 } } }, SA_OK, 1, { { 2, 1, 3 } } },
	{ "a field of four bits: ports that are down",
	  { SA_GET_TABLE, SA_PORT_INFO_RECORD, .mask = C(15), .bytes = { { 4 + 32, 1, 1 } } },
	  SA_OK, 3, { { 0, 2, 7 }, { 2, 1, 4 } } },
	{ "CapabilityMask as a whole",
	  { SA_GET_TABLE, SA_PORT_INFO_RECORD, .mask = C(7), .bytes = { { 4 + 20, 4, 2 } } },
	  SA_OK, 0, NONE },
	{ "CapabilityMask by bits: IsSM",
	  { SA_GET_TABLE, SA_PORT_INFO_RECORD, 0x80000000, .mask = C(7),
	    .bytes = { { 4 + 20, 4, 2 } } }, SA_OK, 1, { { 0, 2, 1 } } },

	{ "links", ASKED(SA_GET_TABLE, SA_LINK_RECORD), SA_OK, 8,
	  { { 0, 8, 0x0007010100010000 } } },
	{ "links to H2, by its second LID",
	  { SA_GET_TABLE, SA_LINK_RECORD, .mask = C(3), .bytes = { { 4, 2, 3 } } },
	  SA_OK, 1, { { 0, 8, 0x0007020100020000 } } },
	{ "links by port", { SA_GET, SA_LINK_RECORD, .mask = C(0) | C(1),
	  .bytes = { { 0, 2, 8 }, { 2, 1, 2 } } }, SA_OK, 1, { { 0, 8, 0x0008020100040000 } } },

	{ "switches", ASKED(SA_GET_TABLE, SA_SWITCH_INFO_RECORD), SA_OK, 2, { { 0, 2, 7 } } },
	{ "linear tables",
	  { SA_GET_TABLE, SA_LINEAR_RECORD, .mask = C(0), .bytes = { { 0, 2, 8 } } },
	  SA_OK, 1, { { 0, 2, 8 }, { 8, 5, 0xff01010102 } } },
	{ "no multicast tables", ASKED(SA_GET_TABLE, SA_MULTICAST_RECORD), SA_OK, 0, NONE },
	{ "GUIDs", { SA_GET, SA_GUID_INFO_RECORD, .mask = C(0), .bytes = { { 0, 2, 1 } } },
	  SA_OK, 1, { { 8, 8, 0x21 } } },
	{ "SLtoVL of a switch", { SA_GET_TABLE, SA_SL_TO_VL_RECORD, .mask = C(0),
	  .bytes = { { 0, 2, 7 } } }, SA_OK, 25, { { 0, 2, 7 } } },
	{ "VL arbitration", { SA_GET_TABLE, SA_VL_ARBITRATION_RECORD, .mask = C(0) | C(1),
	  .bytes = { { 0, 2, 7 }, { 2, 1, 1 } } }, SA_OK, 4, { { 2, 2, 0x0101 } } },
	{ "the SM", ASKED(SA_GET, SA_SM_INFO_RECORD), SA_OK, 1,
	  { { 0, 2, 1 }, { 4, 8, 0x21 }, { 24, 1, 3 } } },
	{ "an SM that does not sleep", { SA_GET_TABLE, SA_SM_INFO_RECORD, .mask = C(6),
	  .bytes = { { 24, 1, 2 } } }, SA_OK, 0, NONE },
	{ "ClassPortInfo", ASKED(SA_GET, SA_CLASS_PORT_INFO), SA_OK, 1, { { 0, 2, 0x0102 } } },
};

static void test_masks(void)
{
	check_rows(by_mask, G_N_ELEMENTS(by_mask));
}

/* ---- paths ---- */

/* PathRecord: SLID is component 5 at byte 42, DLID component 4 at byte 40. */
#define FROM_TO(from, to) { 42, 2, from }, { 40, 2, to }
#define BETWEEN (C(4) | C(5))

static const struct row of_paths[] = {
	{ "a path", { SA_GET, SA_PATH_RECORD, .mask = BETWEEN, .bytes = { FROM_TO(1, 4) } },
	  SA_OK, 1, { { 8, 8, 0xfe80000000000000 }, { 16, 8, 0x41 }, { 32, 8, 0x21 },
		      { 40, 4, 0x00040001 }, { 49, 3, 0x80ffff } } },
	{ "its slowest link, 25 Gb/s", { SA_GET, SA_PATH_RECORD, .mask = BETWEEN,
	  .bytes = { FROM_TO(1, 4) } }, SA_OK, 1, { { 54, 3, 0x858f92 } } },
	{ "100 Gb/s", { SA_GET, SA_PATH_RECORD, .mask = BETWEEN, .bytes = { FROM_TO(1, 2) } },
	  SA_OK, 1, { { 54, 3, 0x859092 } } },
	{ "to itself", { SA_GET, SA_PATH_RECORD, .mask = BETWEEN, .bytes = { FROM_TO(1, 1) } },
	  SA_OK, 1, { { 56, 1, 0x80 } } },
	{ "by GIDs", { SA_GET, SA_PATH_RECORD, .mask = C(2) | C(3),
	  .bytes = { { 8, 8, 0xfe80000000000000 }, { 16, 8, 0x41 }, { 24, 8, 0xfe80000000000000 },
		     { 32, 8, 0x21 } } }, SA_OK, 1, { { 40, 4, 0x00040001 } } },
	{ "of another subnet", { SA_GET, SA_PATH_RECORD, .mask = C(2),
	  .bytes = { { 8, 8, 0xfe80000000000001 }, { 16, 8, 0x41 } } }, SA_NO_RECORDS, 0, NONE },
	{ "GID and LID of two ports", { SA_GET, SA_PATH_RECORD, .mask = C(2) | C(4),
	  .bytes = { { 8, 8, 0xfe80000000000000 }, { 16, 8, 0x41 }, { 40, 2, 2 } } },
	  SA_REQ_INVALID, 0, NONE },
	{ "both LIDs of H2", { SA_GET_TABLE, SA_PATH_RECORD, .mask = C(5) | C(2),
	  .bytes = { { 42, 2, 1 }, { 8, 8, 0xfe80000000000000 }, { 16, 8, 0x31 } } },
	  SA_OK, 2, { { 40, 4, 0x00020001 }, { 57, 1, 0 } } },
	{ "one of them is enough", { SA_GET_TABLE, SA_PATH_RECORD, .mask = C(5) | C(2) | C(12),
	  .bytes = { { 42, 2, 1 }, { 8, 8, 0xfe80000000000000 }, { 16, 8, 0x31 }, { 49, 1, 1 } } },
	  SA_OK, 1, { { 40, 4, 0x00020001 } } },
	{ "all pairs of LIDs", ASKED(SA_GET_TABLE, SA_PATH_RECORD), SA_OK, 36, NONE },
	{ "from H1", { SA_GET_TABLE, SA_PATH_RECORD, .mask = C(5), .bytes = { { 42, 2, 1 } } },
	  SA_OK, 6, { { 40, 4, 0x00070001 } } },
	{ "an unknown LID", { SA_GET_TABLE, SA_PATH_RECORD, .mask = C(4),
	  .bytes = { { 40, 2, 99 } } }, SA_OK, 0, NONE },
	{ "raw packets", { SA_GET, SA_PATH_RECORD, .mask = BETWEEN | C(6),
	  .bytes = { FROM_TO(1, 4), { 44, 1, 0x80 } } }, SA_NO_RECORDS, 0, NONE },
	{ "a P_Key that both have", { SA_GET, SA_PATH_RECORD, .mask = BETWEEN | C(13),
	  .bytes = { FROM_TO(1, 4), { 50, 2, 0x7fff } } }, SA_OK, 1, { { 50, 2, 0x7fff } } },
	{ "one that none has", { SA_GET, SA_PATH_RECORD, .mask = BETWEEN | C(13),
	  .bytes = { FROM_TO(1, 4), { 50, 2, 0x8001 } } }, SA_NO_RECORDS, 0, NONE },
	{ "an SL", { SA_GET, SA_PATH_RECORD, .mask = BETWEEN | C(15),
	  .bytes = { FROM_TO(1, 4), { 53, 1, 3 } } }, SA_OK, 1, { { 53, 1, 3 } } },
	{ "half a ServiceID", { SA_GET, SA_PATH_RECORD, .mask = BETWEEN | C(0),
	  .bytes = { FROM_TO(1, 4) } }, SA_INSUFFICIENT_COMPONENTS, 0, NONE },

	/* Selectors (IBA vol 1, 15.2.5.16): MTU at 54 is 4096 (5), Rate at 55 25 Gb/s (15). */
#define SELECT(component, at, byte) { SA_GET, SA_PATH_RECORD, \
	.mask = BETWEEN | C(component) | C((component) + 1), \
	.bytes = { FROM_TO(1, 4), { at, 1, byte } } }
	{ "MTU > 2048", SELECT(16, 54, 0x04), SA_OK, 1, { { 54, 1, 0x85 } } },
	{ "MTU > 4096", SELECT(16, 54, 0x05), SA_NO_RECORDS, 0, NONE },
	{ "MTU < 2048", SELECT(16, 54, 0x44), SA_OK, 1, { { 54, 1, 0x83 } } },
	{ "MTU < 256", SELECT(16, 54, 0x41), SA_NO_RECORDS, 0, NONE },
	{ "MTU = 2048", SELECT(16, 54, 0x84), SA_OK, 1, { { 54, 1, 0x84 } } },
	{ "the largest MTU", SELECT(16, 54, 0xc1), SA_OK, 1, { { 54, 1, 0x85 } } },
	{ "no such MTU", SELECT(16, 54, 0x86), SA_REQ_INVALID, 0, { { 54, 1, 0x86 } } },
	{ "Rate > 20 Gb/s", SELECT(18, 55, 0x06), SA_OK, 1, { { 55, 1, 0x8f } } },
	{ "Rate > 25 Gb/s", SELECT(18, 55, 0x0f), SA_NO_RECORDS, 0, NONE },
	{ "Rate < 25 Gb/s: 20", SELECT(18, 55, 0x4f), SA_OK, 1, { { 55, 1, 0x86 } } },
	{ "Rate < 2.5 Gb/s", SELECT(18, 55, 0x42), SA_NO_RECORDS, 0, NONE },
	{ "Rate = 25 Gb/s", SELECT(18, 55, 0x8f), SA_OK, 1, { { 55, 1, 0x8f } } },
	{ "Rate = 20 Gb/s", SELECT(18, 55, 0x86), SA_NO_RECORDS, 0, NONE },
	{ "no such rate", SELECT(18, 55, 0x81), SA_REQ_INVALID, 0, NONE },
	{ "a life time > 17", SELECT(20, 56, 0x11), SA_OK, 1, { { 56, 1, 0x92 } } },
	{ "a life time > 18", SELECT(20, 56, 0x12), SA_NO_RECORDS, 0, NONE },
	{ "the shortest life time", SELECT(20, 56, 0xc0), SA_OK, 1, { { 56, 1, 0x92 } } },
	{ "a selector without a value", { SA_GET, SA_PATH_RECORD, .mask = BETWEEN | C(16),
	  .bytes = { FROM_TO(1, 4), { 54, 1, 0x05 } } }, SA_OK, 1, { { 54, 1, 0x85 } } },

	{ "MultiPathRecord", { SA_GET_MULTI, SA_MULTI_PATH_RECORD, .mask = C(19) | C(20),
	  .bytes = { { 15, 2, 0x0101 }, { 24, 8, 0xfe80000000000000 }, { 32, 8, 0x21 },
		     { 40, 8, 0xfe80000000000000 }, { 48, 8, 0x31 } } },
	  SA_OK, 2, { { 40, 4, 0x00020001 } } },
	{ "no counts", ASKED(SA_GET_MULTI, SA_MULTI_PATH_RECORD), SA_INSUFFICIENT_COMPONENTS, 0,
	  NONE },
	{ "of twelve ports", { SA_GET_MULTI, SA_MULTI_PATH_RECORD, .mask = C(19) | C(20),
	  .bytes = { { 15, 2, 0x0606 } } }, SA_INVALID_GID, 0, NONE },
	{ "of none", { SA_GET_MULTI, SA_MULTI_PATH_RECORD, .mask = C(19) | C(20) }, SA_REQ_INVALID,
	  0, NONE },
	{ "of half a service", { SA_GET_MULTI, SA_MULTI_PATH_RECORD,
				 .mask = C(19) | C(20) | C(16) },
	  SA_INSUFFICIENT_COMPONENTS, 0, NONE },
	{ "in one packet", ASKED(SA_GET, SA_MULTI_PATH_RECORD), SA_REQ_INVALID, 0, NONE },
	{ "of an unknown port", { SA_GET_MULTI, SA_MULTI_PATH_RECORD, .mask = C(19) | C(20),
	  .bytes = { { 15, 2, 0x0101 } } }, SA_INVALID_GID, 0, NONE },
	{ "GetMulti is for that alone", ASKED(SA_GET_MULTI, SA_PATH_RECORD), SA_BAD_METHOD_ATTR, 0,
	  NONE },
};

static void test_paths(void)
{
	check_rows(of_paths, G_N_ELEMENTS(of_paths));
}

/* Paths are read from the fabric when they are asked for. */
static void test_changes(void)
{
	struct umadrig_fabric *fabric = make("clock=virtual,sa=builtin");
	const struct row ok = { "before", { SA_GET, SA_PATH_RECORD, .mask = BETWEEN,
			        .bytes = { FROM_TO(1, 4) } }, SA_OK, 1, NONE };
	struct row none = ok;
	struct node *s1 = end_of(fabric, 7)->port->node;
	struct port *cable = &s1->ports[3];
	struct row reversible = ok;

	none.what = "after";
	none.status = SA_NO_RECORDS;
	reversible.asked.mask |= C(11);
	reversible.asked.bytes[2].at = 49;
	reversible.asked.bytes[2].size = 1;
	reversible.asked.bytes[2].value = 0x80;
	check_row(fabric, &ok);
	cable->state = PORT_INIT;
	check_row(fabric, &none);
	cable->state = PORT_ACTIVE;
	/* The way back goes nowhere: the path is there, but not reversible. */
	cable->peer->node->sw->lft[1] = 255;
	check_row(fabric, &(struct row){ "one way", ok.asked, SA_OK, 1, { { 49, 1, 0 } } });
	reversible.status = SA_NO_RECORDS;
	check_row(fabric, &reversible);
	/* It goes round in circles. */
	s1->sw->lft[4] = 3;
	cable->peer->node->sw->lft[4] = 1;
	check_row(fabric, &none);
	umadrig_fabric_close(fabric);
}

/* ---- who may see what ---- */

static const struct row without_key[] = {
	{ "P_Keys need the SM_Key", ASKED(SA_GET_TABLE, SA_P_KEY_RECORD), SA_REQ_INVALID, 0, NONE },
	{ "with it", ASKED(SA_GET_TABLE, SA_P_KEY_RECORD, .key = 1), SA_OK, 10,
	  { { 8, 2, 0xffff } } },
	{ "an attribute that no SA has", ASKED(SA_GET, 0x7777), SA_BAD_METHOD_ATTR, 0, NONE },
	{ "a Set of what is only read", ASKED(SA_SET, SA_NODE_RECORD), SA_BAD_METHOD_ATTR, 0,
	  NONE },
	{ "a Set of ClassPortInfo", ASKED(SA_SET, SA_CLASS_PORT_INFO), SA_REQ_INVALID, 0, NONE },
	{ "a reserved component", ASKED(SA_GET_TABLE, SA_NODE_RECORD, .mask = C(1),
					.bytes = { { 2, 2, 0xffff } }), SA_OK, 5, NONE },
	{ "a table of ClassPortInfo", ASKED(SA_GET_TABLE, SA_CLASS_PORT_INFO), SA_REQ_INVALID, 0,
	  NONE },
};

static void test_keys(void)
{
	struct umadrig_fabric *fabric = make("clock=virtual,sa=builtin");
	const struct asked wrong = { SA_GET_TABLE, SA_NODE_RECORD, .key = 2 };
	struct row m_key = { "the M_Key", { SA_GET, SA_PORT_INFO_RECORD, .mask = C(0),
			     .bytes = { { 0, 2, 4 } } }, SA_OK, 1, { { 4, 8, 0 } } };

	for (size_t i = 0; i < G_N_ELEMENTS(without_key); i++)
		check_row(fabric, &without_key[i]);
	/* A request with a wrong SM_Key is discarded. */
	g_assert_null(ask_from(fabric, 1, &wrong));
	end_of(fabric, 4)->m_key = 5;
	end_of(fabric, 4)->m_key_protect = 2;
	check_row(fabric, &m_key);
	m_key.asked.key = 1;
	m_key.first[0].size = 8;
	m_key.first[0].at = 4;
	m_key.first[0].value = 5;
	check_row(fabric, &m_key);
	umadrig_fabric_close(fabric);
}

/* IBA vol 1, 15.4.1.2: who has no partition with a port does not learn of it. */
static void test_partitions(void)
{
	struct umadrig_fabric *fabric = make("clock=virtual,sa=builtin");
	struct row nodes = { "nodes", ASKED(SA_GET_TABLE, SA_NODE_RECORD), SA_OK, 4, NONE };
	struct row path = { "path", { SA_GET, SA_PATH_RECORD, .mask = BETWEEN,
			    .bytes = { FROM_TO(1, 4) } }, SA_NO_RECORDS, 0, NONE };

	end_of(fabric, 4)->pkeys[0] = 0x8001;
	check_row(fabric, &nodes);
	check_row(fabric, &path);
	end_of(fabric, 1)->pkeys[1] = 0x0001;
	nodes.count = 5;
	check_row(fabric, &nodes);
	path.status = SA_OK;
	path.first[0].at = 50;
	path.first[0].size = 2;
	path.first[0].value = 0x0001;
	check_row(fabric, &path);
	/* Two limited members are none. */
	end_of(fabric, 4)->pkeys[0] = 0x0001;
	nodes.count = 4;
	check_row(fabric, &nodes);
	umadrig_fabric_close(fabric);
}

/* ---- its life ---- */

static uint8_t sm_info(struct umadrig_fabric *fabric, uint8_t method, uint8_t *out)
{
	const struct kmod_source source = { .slid = 2 };
	uint8_t in[MAD_SIZE] = { 1, MAD_CLASS_SUBN_LID, 1, method };

	put_be16(in + MAD_ATTR_ID, ATTR_SM_INFO);
	sma_process(end_of(fabric, 1)->port, &source, in, out);
	return (uint8_t)get_be16(out + MAD_STATUS);
}

static void test_sm_info(void)
{
	struct umadrig_fabric *fabric = make("clock=virtual,sa=builtin");
	uint8_t out[MAD_SIZE];

	g_assert_true(end_of(fabric, 1)->cap_mask & CAP_IS_SM);
	g_assert_cmphex(sm_info(fabric, MAD_METHOD_GET, out), ==, 0);
	g_assert_cmphex(get_be64(out + SMP_DATA), ==, 0x21);
	g_assert_cmphex(get_be64(out + SMP_DATA + 8), ==, 0);
	g_assert_cmphex(get_be32(out + SMP_DATA + 16), ==, 1);
	g_assert_cmphex(out[SMP_DATA + 20], ==, 0x03);
	/* Those that watch a master see that it works. */
	umadrig_step(fabric, 25 * NS_PER_S);
	sm_info(fabric, MAD_METHOD_GET, out);
	g_assert_cmphex(get_be32(out + SMP_DATA + 16), ==, 3);
	/* Another SM tells it to do something. */
	g_assert_cmphex(sm_info(fabric, MAD_METHOD_SET, out), ==, MAD_STATUS_BAD_METHOD_ATTR);
	g_assert_null(fabric_subnet(fabric, 0)->sa);
	g_assert_false(end_of(fabric, 1)->cap_mask & CAP_IS_SM);
	umadrig_fabric_close(fabric);
}

static void set_sm_lid(struct umadrig_fabric *fabric, uint16_t sm_lid)
{
	const struct kmod_source source = { .slid = 2 };
	uint8_t in[MAD_SIZE] = { 1, MAD_CLASS_SUBN_LID, 1, MAD_METHOD_SET }, out[MAD_SIZE];
	struct port *port = end_of(fabric, 4)->port;

	put_be16(in + MAD_ATTR_ID, ATTR_PORT_INFO);
	put_be32(in + MAD_ATTR_MOD, 1);
	g_assert_cmpint(sma_read(port, ATTR_PORT_INFO, 1, in + SMP_DATA), ==, 0);
	in[SMP_DATA + 32] = 0;			/* no change of state */
	in[SMP_DATA + 33] = 0;
	put_be16(in + SMP_DATA + 18, sm_lid);
	sma_process(port, &source, in, out);
	g_assert_cmphex(get_be16(out + MAD_STATUS), ==, 0);
}

/* Whoever makes itself the subnet's SM ends it, for good. */
static void test_gives_way(void)
{
	struct umadrig_fabric *fabric = make("clock=virtual,sa=builtin");

	set_sm_lid(fabric, 1);
	g_assert_nonnull(fabric_subnet(fabric, 0)->sa);
	set_sm_lid(fabric, 2);
	g_assert_null(fabric_subnet(fabric, 0)->sa);
	umadrig_fabric_close(fabric);

	fabric = make("clock=virtual,sa=builtin");
	node_remove(end_of(fabric, 2)->port->node);
	g_assert_nonnull(fabric_subnet(fabric, 0)->sa);
	node_remove(end_of(fabric, 1)->port->node);
	g_assert_null(fabric_subnet(fabric, 0)->sa);
	umadrig_fabric_close(fabric);
}

static void open_issm(struct umadrig_fabric *fabric, const char *node)
{
	g_assert_cmpint(umadrig_issm_open(umadrig_port(fabric, node, 1)), ==, 0);
}

static void test_issm(void)
{
	struct umadrig_fabric *fabric = make("clock=virtual,sa=builtin");

	open_issm(fabric, "H2");
	g_assert_null(fabric_subnet(fabric, 0)->sa);
	g_assert_false(end_of(fabric, 1)->cap_mask & CAP_IS_SM);
	umadrig_fabric_close(fabric);

	/* On the very port. */
	fabric = make("clock=virtual,sa=builtin");
	open_issm(fabric, "H1");
	g_assert_null(fabric_subnet(fabric, 0)->sa);
	g_assert_true(end_of(fabric, 1)->cap_mask & CAP_IS_SM);
	umadrig_fabric_close(fabric);
}

static void refused(const char *options, const char *why)
{
	char message[512] = "";

	g_assert_null(fabric_parse(net, options, message, sizeof(message)));
	g_test_message("%s", message);
	g_assert_nonnull(strstr(message, why));
}

static void test_options(void)
{
	struct umadrig_fabric *fabric = make("clock=virtual,sa=none");

	g_assert_null(fabric_subnet(fabric, 0)->sa);
	g_assert_cmpint(sa_start(fabric_subnet(fabric, 0)), ==, 0);
	g_assert_cmpint(sa_start(fabric_subnet(fabric, 0)), ==, -EEXIST);
	sa_end(fabric_subnet(fabric, 0));
	sa_end(fabric_subnet(fabric, 0));
	umadrig_fabric_close(fabric);
	refused("clock=virtual,sa=builtin,state=cold", "state=active");
	refused("clock=virtual,sa=mine", "expected builtin or none");
}

/* Has a fabric of the text (NULL: the two hosts that there are without one) an SA of its own? */
static bool answers_itself(const char *text, const char *options)
{
	char message[512] = "";
	struct umadrig_fabric *fabric;
	bool ret;

	fabric = text ? fabric_parse(text, options, message, sizeof(message)) :
			fabric_open(options, false, message, sizeof(message));
	if (!fabric)
		g_error("%s: %s", options, message);
	ret = fabric_subnet(fabric, 0)->sa;
	umadrig_fabric_close(fabric);
	return ret;
}

/* Warm fabrics have one without being asked to, but where a script plays the other side. */
static void test_default(void)
{
	static const char decided[] = "Hca 1 \"H1\"\n[1] \"H2\"[1]\n\nHca 1 \"H2\"\n"
				      "[1] \"H1\"[1]\n\ndo sa none\n";

	g_assert_true(answers_itself(net, "clock=virtual"));
	g_assert_true(answers_itself(net, "clock=virtual,state=active"));
	g_assert_true(answers_itself(NULL, "generate:fat-tree:4,4,clock=virtual"));
	g_assert_false(answers_itself(net, "clock=virtual,sa=none"));
	g_assert_false(answers_itself(net, "clock=virtual,state=cold"));
	g_assert_false(answers_itself(NULL, ",clock=virtual"));
	g_assert_true(answers_itself(NULL, ",clock=virtual,sa=builtin"));
	g_assert_false(answers_itself(decided, "clock=virtual"));
}

/* An SM that is switched off is a program's; the fabric's own is none. */
static void test_sm_off(void)
{
	struct umadrig_fabric *fabric = make("clock=virtual");
	char *text = NULL;

	g_assert_cmpint(umadrig_console(fabric, "sm off", &text), ==, -ENOENT);
	g_clear_pointer(&text, free);
	g_assert_nonnull(fabric_subnet(fabric, 0)->sa);
	umadrig_fabric_close(fabric);
}

/* ---- over the wire ---- */

/* A request of H3, whose answer has 'segments' segments; some packets are lost on the way. */
static void test_wire(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual,sa=builtin,fault=drop 10%");
	int fd = rig_open_port(&rig, "H3", "sim0", 1);
	struct umad_backend_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT, .qpn = 1,
		.mgmt_class = MAD_CLASS_SUBN_ADM, .mgmt_class_version = 2, .rmpp_version = 1,
	};
	const struct rig_get get = {
		.mgmt_class = MAD_CLASS_SUBN_ADM, .method = SA_GET_TABLE, .attr = SA_PATH_RECORD,
		.dlid = 1, .tid = 9, .timeout_ms = 10000, .retries = 3,
	};
	uint8_t umad[RIG_HEADER + SA_DATA + 36 * 64];
	long size;

	g_assert_cmpint(rig.backend->register_agent(fd, &reg), ==, 0);
	rig_send(&rig, fd, reg.id, &get);
	g_assert_cmpint(rig.backend->poll(fd, 100000), >, 0);
	size = rig.backend->recv(fd, umad, sizeof(umad));
	g_assert_cmpint(size, ==, sizeof(umad));
	g_assert_cmphex(get_be16(umad + RIG_HEADER + MAD_STATUS), ==, 0);
	g_assert_cmphex(get_be16(umad + RIG_HEADER + SA_ATTR_OFFSET), ==, 8);
	rig.backend->close(fd);
	rig_close(&rig);
}

/* A program of the SM's host that has registered gets the requests, and nobody else. */
static void test_program(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual,sa=builtin");
	int fd = rig_open_port(&rig, "H1", "sim0", 1);
	int other = rig_open_port(&rig, "H3", "sim0", 1);
	uint32_t agent = rig_register(&rig, other, MAD_CLASS_SUBN_ADM, 0);
	const struct rig_get get = {
		.mgmt_class = MAD_CLASS_SUBN_ADM, .attr = SA_NODE_RECORD, .dlid = 1, .tid = 9,
		.timeout_ms = 100,
	};
	uint8_t umad[RIG_UMAD];

	rig_send(&rig, other, agent, &get);
	g_assert_cmpint(rig_recv(&rig, other, umad, 1000), ==, RIG_UMAD);
	g_assert_cmphex(get_be16(umad + RIG_HEADER + MAD_STATUS), ==, SA_TOO_MANY_RECORDS);
	rig_register(&rig, fd, MAD_CLASS_SUBN_ADM, 1 << SA_GET);
	rig_send(&rig, other, agent, &get);
	g_assert_cmpint(rig_recv(&rig, fd, umad, 1000), ==, RIG_UMAD);
	g_assert_cmpint(rig_recv(&rig, other, umad, 1000), ==, RIG_HEADER + MAD_HDR_SIZE);
	g_assert_cmpuint(rig_get_u32(umad, RIG_STATUS), ==, ETIMEDOUT);
	rig.backend->close(fd);
	rig.backend->close(other);
	rig_close(&rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/sa/masks", test_masks);
	g_test_add_func("/sa/paths", test_paths);
	g_test_add_func("/sa/changes", test_changes);
	g_test_add_func("/sa/keys", test_keys);
	g_test_add_func("/sa/partitions", test_partitions);
	g_test_add_func("/sa/sm-info", test_sm_info);
	g_test_add_func("/sa/gives-way", test_gives_way);
	g_test_add_func("/sa/issm", test_issm);
	g_test_add_func("/sa/options", test_options);
	g_test_add_func("/sa/default", test_default);
	g_test_add_func("/sa/sm-off", test_sm_off);
	g_test_add_func("/sa/wire", test_wire);
	g_test_add_func("/sa/program", test_program);
	return leak_end(g_test_run());
}
