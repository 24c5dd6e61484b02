/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The subnet management agent: what each kind of node answers, field by field, and which requests
 * it does not answer.
 */
#include <glib.h>
#include <string.h>

#include "lib/base/wire.h"
#include "sim/agents/sma.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/host/device.h"
#include "sim/run/assembly.h"
#include "sim/topology/lid.h"
#include "sim/topology/load.h"
#include "tests/rig/leak.h"

/*
 * A switch with an EDR host, an FDR10 host with two ports (the second has no cable) and a free
 * port.
 */
static const char net[] =
	"vendid=0x2c9\ndevid=0xcb20\nsysimgguid=0x2c90300000010\n"
	"switchguid=0x2c90300000010(2c90300000010)\n"
	"Switch\t3 \"S-0002c90300000010\"\t\t# \"Edge\" enhanced port 0 lid 7 lmc 0\n"
	"[1]\t\"H-0002c90300000020\"[1](2c90300000021) \t\t# \"H1 HCA-1\" lid 1 4xEDR\n"
	"[2]\t\"H-0002c90300000030\"[1](2c90300000031) \t\t# \"H2 HCA-1\" lid 2 4xFDR10\n"
	"\n"
	"vendid=0x2c9\ndevid=0x1017\nsysimgguid=0x2c90300000023\ncaguid=0x2c90300000020\n"
	"Ca\t1 \"H-0002c90300000020\"\t\t# \"H1 HCA-1\"\n"
	"[1](2c90300000021) \t\"S-0002c90300000010\"[1]\t\t# lid 1 lmc 0 \"Edge\" lid 7 4xEDR\n"
	"\n"
	"vendid=0x66a\ndevid=0x1003\nsysimgguid=0x2c90300000033\ncaguid=0x2c90300000030\n"
	"Ca\t2 \"H-0002c90300000030\"\t\t# \"H2 HCA-1\"\n"
	"[1](2c90300000031) \t\"S-0002c90300000010\"[2]\t\t# lid 2 lmc 0 \"Edge\" lid 7 4xFDR10\n";

/* A switch with two fast hosts. */
static const char fast_net[] =
	"Hca 1 \"N\"\n[1] \"S\"[1] # 4xNDR\n\nHca 1 \"X\"\n[1] \"S\"[2] # 4xXDR\n\n"
	"Switch 4 \"S\"\n[1] \"N\"[1] # 4xNDR\n[2] \"X\"[1] # 4xXDR\n";

static struct umadrig_fabric *open_text(const char *text, bool cold)
{
	struct topology *topology = topology_parse(text, strlen(text), "sma.net", NULL);
	struct umadrig_options options = { .virtual_clock = true, .cold = cold, .seed = 1 };
	struct umadrig_fabric *fabric;
	char message[512] = "";

	g_assert_nonnull(topology);
	topology_assign_lids(topology);
	fabric = fabric_new(topology, &options, message, sizeof(message));
	if (!fabric)
		g_error("%s", message);
	topology_free(topology);
	return fabric;
}

static struct umadrig_fabric *open_fabric(bool cold)
{
	return open_text(net, cold);
}

static struct port *port_of(struct umadrig_fabric *fabric, const char *node, unsigned int num)
{
	struct node *found = fabric_node(fabric, node);

	g_assert_nonnull(found);
	g_assert_cmpuint(num, <=, found->port_count);
	return &found->ports[num];
}

/* ---- requests ---- */

struct ask {
	uint8_t mgmt_class;	/* 0: directed route */
	uint8_t version;	/* 0: 1 */
	uint8_t method;		/* 0: Get */
	uint16_t attr;
	uint32_t modifier;
	uint64_t m_key;
};

/*
 * Asks through 'port'; the response is in 'out', which begins as garbage. Returns the result bits.
 */
static unsigned int ask(struct port *port, const struct ask *what, uint8_t out[MAD_SIZE])
{
	struct kmod_source source = { .slid = LID_PERMISSIVE };
	uint8_t in[MAD_SIZE];

	memset(in, 0, sizeof(in));
	memset(out, 0xa5, MAD_SIZE);
	in[MAD_BASE_VERSION] = 1;
	in[MAD_CLASS] = what->mgmt_class ? what->mgmt_class : MAD_CLASS_SUBN_DR;
	in[MAD_CLASS_VERSION] = what->version ? what->version : 1;
	in[MAD_METHOD] = what->method ? what->method : MAD_METHOD_GET;
	in[SMP_HOP_PTR] = 2;
	in[SMP_HOP_CNT] = 1;
	put_be64(in + MAD_TID, UINT64_C(0x123456789abcdef0));
	put_be16(in + MAD_ATTR_ID, what->attr);
	put_be32(in + MAD_ATTR_MOD, what->modifier);
	put_be64(in + SMP_MKEY, what->m_key);
	memset(in + SMP_DATA, 0x5a, SMP_DATA_SIZE);
	in[SMP_INITIAL_PATH + 1] = 1;
	in[SMP_RETURN_PATH + 1] = 2;
	return sma_process(port, &source, in, out);
}

enum { ANSWERED = KMOD_MAD_SUCCESS | KMOD_MAD_REPLY };

/* ---- fields ---- */

struct field_row {
	const char *node;
	unsigned int port;	/* through which the request comes */
	uint16_t attr;
	uint32_t modifier;
	const char *field, *value;
};

static const struct field_row field_rows[] = {
	{ "H1 HCA-1", 1, 0x11, 0, "BaseVers", "1" },
	{ "H1 HCA-1", 1, 0x11, 0, "ClassVers", "1" },
	{ "H1 HCA-1", 1, 0x11, 0, "NodeType", "CA" },
	{ "H1 HCA-1", 1, 0x11, 0, "NumPorts", "1" },
	{ "H1 HCA-1", 1, 0x11, 0, "SystemGuid", "0x0002c90300000023" },
	{ "H1 HCA-1", 1, 0x11, 0, "Guid", "0x0002c90300000020" },
	{ "H1 HCA-1", 1, 0x11, 0, "PortGuid", "0x0002c90300000021" },
	{ "H1 HCA-1", 1, 0x11, 0, "PartCap", "32" },
	{ "H1 HCA-1", 1, 0x11, 0, "DevId", "0x1017" },
	{ "H1 HCA-1", 1, 0x11, 0, "VendorId", "0x0002c9" },
	{ "H1 HCA-1", 1, 0x11, 0, "LocalPort", "1" },
	{ "H2 HCA-1", 2, 0x11, 0, "LocalPort", "2" },
	{ "Edge", 2, 0x11, 0, "NodeType", "Switch" },
	{ "Edge", 2, 0x11, 0, "LocalPort", "2" },
	{ "Edge", 0, 0x11, 0, "LocalPort", "0" },
	{ "Edge", 2, 0x11, 0, "PortGuid", "0x0002c90300000010" },
	{ "H1 HCA-1", 1, 0x10, 0, "NodeDesc", "H1 HCA-1" },
	{ "Edge", 1, 0x10, 0, "NodeDesc", "Edge" },

	{ "Edge", 1, 0x12, 0, "LinearFdbCap", "49152" },
	{ "Edge", 1, 0x12, 0, "LinearFdbTop", "7" },
	{ "Edge", 1, 0x12, 0, "EnhancedPort0", "true" },
	{ "Edge", 1, 0x12, 0, "StateChange", "false" },
	{ "Edge", 1, 0x12, 0, "PartEnforceCap", "32" },
	{ "Edge", 1, 0x12, 0, "InboundPartEnf", "true" },
	{ "Edge", 1, 0x12, 0, "OutboundPartEnf", "true" },

	{ "H1 HCA-1", 1, 0x14, 0, "GUID0", "0x0002c90300000021" },
	{ "H1 HCA-1", 1, 0x14, 0, "GUID1", "0x0000000000000000" },
	{ "Edge", 2, 0x14, 0, "GUID0", "0x0002c90300000010" },

	{ "H1 HCA-1", 1, 0x16, 0, "P_Key0", "0xffff" },
	{ "H1 HCA-1", 1, 0x16, 0, "P_Key1", "0x0000" },
	/* The high half is a port on switches only. */
	{ "H1 HCA-1", 1, 0x16, 0x10000, "P_Key0", "0xffff" },

	{ "H1 HCA-1", 1, 0x15, 1, "GidPrefix", "0xfe80000000000000" },
	{ "H1 HCA-1", 1, 0x15, 1, "Lid", "1" },
	{ "H1 HCA-1", 1, 0x15, 0, "Lid", "1" },
	{ "H1 HCA-1", 1, 0x15, 1, "LMC", "0" },
	{ "H1 HCA-1", 1, 0x15, 1, "LocalPort", "1" },
	{ "H1 HCA-1", 1, 0x15, 1, "LinkState", "Active" },
	{ "H1 HCA-1", 1, 0x15, 1, "PhysLinkState", "LinkUp" },
	{ "H1 HCA-1", 1, 0x15, 1, "LinkWidthActive", "4X" },
	{ "H1 HCA-1", 1, 0x15, 1, "LinkSpeedActive", "QDR" },
	{ "H1 HCA-1", 1, 0x15, 1, "LinkSpeedExtActive", "EDR" },
	{ "H1 HCA-1", 1, 0x15, 1, "LinkSpeedExtSupported", "FDR|EDR" },
	{ "H1 HCA-1", 1, 0x15, 1, "MtuCap", "4096" },
	{ "H1 HCA-1", 1, 0x15, 1, "NeighborMTU", "4096" },
	{ "H1 HCA-1", 1, 0x15, 1, "VLCap", "VL0-7" },
	{ "H1 HCA-1", 1, 0x15, 1, "OperVLs", "VL0-7" },
	{ "H1 HCA-1", 1, 0x15, 1, "GuidCap", "8" },
	{ "H1 HCA-1", 1, 0x15, 1, "Mkey", "0x0000000000000000" },
	/* The SM may declare that it supports extended speeds. */
	{ "H1 HCA-1", 1, 0x15, 0x80000001, "Lid", "1" },
	/*
	 * A CA also answers for its other port; LocalPort is the one that the request came in by.
	 */
	{ "H2 HCA-1", 1, 0x15, 2, "LinkState", "Down" },
	{ "H2 HCA-1", 1, 0x15, 2, "PhysLinkState", "Polling" },
	{ "H2 HCA-1", 1, 0x15, 2, "LocalPort", "1" },
	{ "H2 HCA-1", 2, 0x15, 0, "LinkState", "Down" },
	/* On a switch 0 is port 0, which has the LID; external ports have none. */
	{ "Edge", 1, 0x15, 0, "Lid", "7" },
	{ "Edge", 1, 0x15, 0, "LocalPort", "1" },
	{ "Edge", 1, 0x15, 1, "Lid", "0" },
	{ "Edge", 1, 0x15, 1, "SMLid", "0" },
	{ "Edge", 1, 0x15, 1, "CapMask", "0x00000000" },
	{ "Edge", 1, 0x15, 1, "GidPrefix", "0x0000000000000000" },
	{ "Edge", 1, 0x15, 1, "GuidCap", "0" },
	{ "Edge", 1, 0x15, 1, "LinkState", "Active" },
	{ "Edge", 1, 0x15, 1, "LinkSpeedExtActive", "EDR" },
	{ "Edge", 1, 0x15, 3, "LinkState", "Down" },

	/* FDR10 is QDR to PortInfo. */
	{ "H2 HCA-1", 1, 0x15, 1, "LinkSpeedActive", "QDR" },
	{ "H2 HCA-1", 1, 0x15, 1, "LinkSpeedExtActive", "0" },
	{ "H2 HCA-1", 1, 0xff90, 1, "LinkSpeedActive", "0x01" },
	{ "Edge", 1, 0xff90, 2, "LinkSpeedActive", "0x01" },
	{ "Edge", 1, 0xff90, 1, "LinkSpeedActive", "0x00" },
};

static void check_field(struct umadrig_fabric *fabric, const struct field_row *row)
{
	struct ask what = { .attr = row->attr, .modifier = row->modifier };
	const struct mad_field *field = mad_field_must(0x81, row->attr, row->field);
	uint8_t out[MAD_SIZE];
	char value[80];

	g_assert_cmpuint(ask(port_of(fabric, row->node, row->port), &what, out), ==, ANSWERED);
	g_assert_cmphex(get_be16(out + MAD_STATUS), ==, SMP_DIRECTION);
	mad_field_format_value(field, out + SMP_DATA, value, sizeof(value));
	if (strcmp(value, row->value) != 0)
		g_error("%s[%u] attribute 0x%04x modifier 0x%x: %s is %s, not %s", row->node,
			row->port, row->attr, row->modifier, row->field, value, row->value);
}

static void test_fields(void)
{
	struct umadrig_fabric *fabric = open_fabric(false);

	for (size_t i = 0; i < G_N_ELEMENTS(field_rows); i++)
		check_field(fabric, &field_rows[i]);
	fabric_free(fabric);
}

/* HDR and beyond: their bits in CapabilityMask2, XDR's fields, and the rate that programs see. */
static void test_fast_links(void)
{
	static const struct {
		const char *node;
		unsigned int port;
		const char *field, *value;
	} rows[] = {
		{ "N", 1, "LinkSpeedExtActive", "NDR" },
		{ "N", 1, "LinkSpeedExtSupported", "FDR|EDR|HDR|NDR" },
		{ "N", 1, "LinkSpeedExtActive2", "0" },
		{ "N", 1, "LinkSpeedExtSupported2", "0" },
		{ "N", 1, "CapabilityMask2", "0x0423" },
		{ "X", 1, "LinkSpeedExtActive", "NDR" },
		{ "X", 1, "LinkSpeedExtSupported", "FDR|EDR|HDR|NDR" },
		{ "X", 1, "LinkSpeedExtEnabled", "FDR|EDR|HDR|NDR" },
		{ "X", 1, "LinkSpeedExtActive2", "XDR" },
		{ "X", 1, "LinkSpeedExtSupported2", "XDR" },
		{ "X", 1, "LinkSpeedExtEnabled2", "XDR" },
		{ "X", 1, "CapabilityMask2", "0x1c23" },
		{ "S", 0, "CapabilityMask2", "0x1c23" },
		{ "S", 1, "LinkSpeedExtActive2", "0" },
		{ "S", 2, "LinkSpeedExtActive2", "XDR" },
	};
	struct umadrig_fabric *fabric = open_text(fast_net, false);
	struct port_attr attr;

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct ask what = { .attr = 0x15, .modifier = rows[i].port };
		uint8_t out[MAD_SIZE];
		char value[80];

		g_assert_cmpuint(ask(port_of(fabric, rows[i].node, rows[i].node[0] != 'S'), &what,
				     out), ==, ANSWERED);
		mad_field_format_value(mad_field_must(0x81, 0x15, rows[i].field), out + SMP_DATA,
				       value, sizeof(value));
		if (strcmp(value, rows[i].value) != 0)
			g_error("%s[%u]: %s is %s, not %s", rows[i].node, rows[i].port,
				rows[i].field, value, rows[i].value);
	}
	device_port_attr(port_of(fabric, "N", 1)->end, &attr);
	g_assert_cmpstr(attr.rate, ==, "400 Gb/sec (4X NDR)");
	device_port_attr(port_of(fabric, "X", 1)->end, &attr);
	g_assert_cmpstr(attr.rate, ==, "800 Gb/sec (4X XDR)");
	fabric_free(fabric);
}

static bool cap_extended_speeds(struct umadrig_fabric *fabric, const char *node, unsigned int num)
{
	struct ask what = { .attr = 0x15, .modifier = num };
	uint8_t out[MAD_SIZE];

	g_assert_cmpuint(ask(port_of(fabric, node, num), &what, out), ==, ANSWERED);
	return mad_field_get(mad_field_must(0x81, 0x15, "CapMask"), out + SMP_DATA) & 1 << 14;
}

static void test_extended_speeds(void)
{
	struct umadrig_fabric *fabric = open_fabric(false);

	g_assert_true(cap_extended_speeds(fabric, "H1 HCA-1", 1));
	g_assert_true(cap_extended_speeds(fabric, "Edge", 0));
	g_assert_false(cap_extended_speeds(fabric, "H2 HCA-1", 1));
	fabric_free(fabric);
}

static void test_linear_table(void)
{
	struct umadrig_fabric *fabric = open_fabric(false);
	struct ask what = { .attr = 0x19, .modifier = 0 };
	uint8_t out[MAD_SIZE], expected[SMP_DATA_SIZE];

	memset(expected, 255, sizeof(expected));
	expected[1] = 1;
	expected[2] = 2;
	expected[7] = 0;
	g_assert_cmpuint(ask(port_of(fabric, "Edge", 1), &what, out), ==, ANSWERED);
	g_assert_cmpmem(out + SMP_DATA, SMP_DATA_SIZE, expected, SMP_DATA_SIZE);

	/* The last block of the table has none of our LIDs, and reading it does not create it. */
	what.modifier = 767;
	memset(expected, 255, sizeof(expected));
	g_assert_cmpuint(ask(port_of(fabric, "Edge", 1), &what, out), ==, ANSWERED);
	g_assert_cmpmem(out + SMP_DATA, SMP_DATA_SIZE, expected, SMP_DATA_SIZE);
	g_assert_cmpuint(fabric_node(fabric, "Edge")->sw->lft_size, ==, 64);
	fabric_free(fabric);
}

static void test_cold(void)
{
	struct umadrig_fabric *fabric = open_fabric(true);
	struct ask port_info = { .attr = 0x15, .modifier = 1 }, table = { .attr = 0x19 };
	struct ask switch_info = { .attr = 0x12 };
	uint8_t out[MAD_SIZE];

	ask(port_of(fabric, "H1 HCA-1", 1), &port_info, out);
	g_assert_cmpuint(mad_field_get(mad_field_must(0x81, 0x15, "LinkState"), out + SMP_DATA), ==,
			 PORT_INIT);
	g_assert_cmpuint(mad_field_get(mad_field_must(0x81, 0x15, "Lid"), out + SMP_DATA), ==, 0);
	ask(port_of(fabric, "Edge", 1), &table, out);
	g_assert_cmpuint(out[SMP_DATA + 1], ==, 255);
	ask(port_of(fabric, "Edge", 1), &switch_info, out);
	g_assert_cmpuint(mad_field_get(mad_field_must(0x81, 0x12, "LinearFdbTop"), out + SMP_DATA),
			 ==, 0);
	fabric_free(fabric);
}

/* ---- status and result ---- */

static const struct {
	const char *node;
	unsigned int port;
	struct ask ask;
	unsigned int result;
	uint16_t status;	/* where there is an answer */
} verdict_rows[] = {
	{ "H1 HCA-1", 1, { .attr = 0x11 }, ANSWERED, 0x8000 },
	{ "H1 HCA-1", 1, { .attr = 0x11, .mgmt_class = 0x01 }, ANSWERED, 0x0000 },
	/* Modifiers */
	{ "H1 HCA-1", 1, { .attr = 0x10, .modifier = 1 }, ANSWERED, 0x801c },
	{ "H1 HCA-1", 1, { .attr = 0x11, .modifier = 1 }, ANSWERED, 0x801c },
	{ "Edge", 1, { .attr = 0x12, .modifier = 1 }, ANSWERED, 0x801c },
	{ "H1 HCA-1", 1, { .attr = 0x14, .modifier = 1 }, ANSWERED, 0x801c },
	{ "H1 HCA-1", 1, { .attr = 0x15, .modifier = 2 }, ANSWERED, 0x801c },
	{ "H1 HCA-1", 1, { .attr = 0x15, .modifier = 0x101 }, ANSWERED, 0x801c },
	{ "Edge", 1, { .attr = 0x15, .modifier = 4 }, ANSWERED, 0x801c },
	{ "H1 HCA-1", 1, { .attr = 0x16, .modifier = 1 }, ANSWERED, 0x801c },
	{ "Edge", 1, { .attr = 0x16, .modifier = 0 }, ANSWERED, 0x8000 },
	{ "Edge", 1, { .attr = 0x16, .modifier = 0x10000 }, ANSWERED, 0x8000 },
	{ "Edge", 1, { .attr = 0x16, .modifier = 0x10001 }, ANSWERED, 0x801c },
	{ "Edge", 1, { .attr = 0x16, .modifier = 0x40000 }, ANSWERED, 0x801c },
	{ "Edge", 1, { .attr = 0x19, .modifier = 768 }, ANSWERED, 0x801c },
	{ "Edge", 1, { .attr = 0x19, .modifier = UINT32_MAX }, ANSWERED, 0x801c },
	{ "Edge", 1, { .attr = 0xff90, .modifier = 4 }, ANSWERED, 0x801c },
	/* What only switches have, what no node has, what only some vendors have. */
	{ "H1 HCA-1", 1, { .attr = 0x12 }, ANSWERED, 0x800c },
	{ "H1 HCA-1", 1, { .attr = 0x19 }, ANSWERED, 0x800c },
	{ "H1 HCA-1", 1, { .attr = 0x00ff }, ANSWERED, 0x800c },
	{ "H1 HCA-1", 1, { .attr = 0x00ff, .mgmt_class = 1 }, ANSWERED, 0x000c },
	{ "H2 HCA-1", 1, { .attr = 0xff90, .modifier = 2 }, ANSWERED, 0x800c },
	/* Methods and versions */
	{ "H1 HCA-1", 1, { .attr = 0x11, .method = 0x02 }, ANSWERED, 0x800c },
	{ "H1 HCA-1", 1, { .attr = 0x11, .method = 0x03 }, ANSWERED, 0x8008 },
	{ "H1 HCA-1", 1, { .attr = 0x11, .method = 0x12 }, ANSWERED, 0x8008 },
	{ "H1 HCA-1", 1, { .attr = 0x11, .version = 2 }, ANSWERED, 0x8004 },
	{ "H1 HCA-1", 1, { .attr = 0x02, .method = 0x05 }, KMOD_MAD_SUCCESS, 0 },
	{ "H1 HCA-1", 1, { .attr = 0x02, .method = 0x06 }, KMOD_MAD_SUCCESS, 0 },
	{ "H1 HCA-1", 1, { .attr = 0x02, .method = 0x07 },
	  KMOD_MAD_SUCCESS | KMOD_MAD_CONSUMED, 0 },
	{ "H1 HCA-1", 1, { .attr = 0x11, .method = 0x07 }, ANSWERED, 0x800c },
	{ "H1 HCA-1", 1, { .attr = 0x11, .method = 0x81 }, KMOD_MAD_SUCCESS, 0 },
	{ "H1 HCA-1", 1, { .attr = 0x11, .method = 0x86 }, KMOD_MAD_SUCCESS, 0 },
	{ "H1 HCA-1", 1, { .attr = 0x11, .method = 0x81, .version = 9 }, KMOD_MAD_SUCCESS, 0 },
	{ "H1 HCA-1", 1, { .attr = 0x30 }, ANSWERED, 0x8000 },
	{ "H1 HCA-1", 1, { .attr = 0x30, .modifier = 1 }, ANSWERED, 0x801c },
	{ "H1 HCA-1", 1, { .attr = 0x31 }, ANSWERED, 0x8000 },
	{ "H1 HCA-1", 1, { .attr = 0x33, .modifier = 1 }, ANSWERED, 0x8000 },
	/* Only PortInfo's modifier has the bit that declares the SM's support. */
	{ "H1 HCA-1", 1, { .attr = 0x31, .modifier = 0x80000001 }, ANSWERED, 0x801c },
	{ "H1 HCA-1", 1, { .attr = 0x33, .modifier = 0x80000001 }, ANSWERED, 0x801c },
	{ "H1 HCA-1", 1, { .attr = 0x1e, .modifier = 1 }, ANSWERED, 0x8000 },
	{ "Edge", 1, { .attr = 0x1e, .modifier = 3 }, ANSWERED, 0x8000 },
	{ "H1 HCA-1", 1, { .attr = 0x1e, .modifier = 0x101 }, ANSWERED, 0x801c },
	/*
	 * Not in CapabilityMask: traps are sent, but no notices are kept to be read later (IBA vol
	 * 1, 13.4.10).
	 */
	{ "H1 HCA-1", 1, { .attr = 0x02 }, ANSWERED, 0x800c },
	{ "H1 HCA-1", 1, { .attr = 0x02, .method = 0x02 }, ANSWERED, 0x800c },
	{ "H1 HCA-1", 1, { .attr = 0x1c, .modifier = 1 }, ANSWERED, 0x800c },
	{ "H1 HCA-1", 1, { .attr = 0x1d }, ANSWERED, 0x800c },
	{ "Edge", 1, { .attr = 0x1a }, ANSWERED, 0x800c },
	/* No SM runs. */
	{ "H1 HCA-1", 1, { .attr = 0x20 }, ANSWERED, 0x800c },
	{ "H1 HCA-1", 1, { .attr = 0x20, .method = 0x02 }, ANSWERED, 0x800c },
};

static void test_verdicts(void)
{
	struct umadrig_fabric *fabric = open_fabric(false);

	for (size_t i = 0; i < G_N_ELEMENTS(verdict_rows); i++) {
		uint8_t out[MAD_SIZE];
		unsigned int want = verdict_rows[i].result, status = verdict_rows[i].status;
		unsigned int result = ask(port_of(fabric, verdict_rows[i].node,
						  verdict_rows[i].port), &verdict_rows[i].ask, out);

		if (result != want ||
		    (result & KMOD_MAD_REPLY && get_be16(out + MAD_STATUS) != status))
			g_error("row %zu: result %u status 0x%04x, not %u 0x%04x", i, result,
				get_be16(out + MAD_STATUS), want, status);
	}
	fabric_free(fabric);
}

/* A response equals its request except for method, status and data. */
static void test_answer_keeps(void)
{
	struct umadrig_fabric *fabric = open_fabric(false);
	struct ask good = { .attr = 0x11, .m_key = 77 }, unknown = { .attr = 0xff };
	uint8_t out[MAD_SIZE];

	ask(port_of(fabric, "H1 HCA-1", 1), &good, out);
	g_assert_cmpuint(out[MAD_METHOD], ==, MAD_METHOD_GET_RESP);
	g_assert_cmphex(get_be64(out + MAD_TID), ==, UINT64_C(0x123456789abcdef0));
	g_assert_cmpuint(out[SMP_HOP_PTR], ==, 2);
	g_assert_cmpuint(out[SMP_HOP_CNT], ==, 1);
	g_assert_cmpuint(get_be64(out + SMP_MKEY), ==, 77);
	g_assert_cmpuint(out[SMP_INITIAL_PATH + 1], ==, 1);
	g_assert_cmpuint(out[SMP_RETURN_PATH + 1], ==, 2);
	/* After the 40 bytes of NodeInfo nothing of the request's data is left. */
	g_assert_cmpuint(out[SMP_DATA + 40], ==, 0);

	ask(port_of(fabric, "H1 HCA-1", 1), &unknown, out);
	g_assert_cmphex(out[SMP_DATA], ==, 0x5a);
	fabric_free(fabric);
}

static void test_sm_info(void)
{
	struct umadrig_fabric *fabric = open_fabric(false);
	struct port *port = port_of(fabric, "H1 HCA-1", 1);
	struct ask what = { .attr = 0x20 };
	uint8_t out[MAD_SIZE];

	port->end->cap_mask |= CAP_IS_SM;
	g_assert_cmpuint(ask(port, &what, out), ==, KMOD_MAD_SUCCESS);
	port->end->cap_mask |= 1 << 10;
	g_assert_cmpuint(ask(port, &what, out), ==, KMOD_MAD_SUCCESS | KMOD_MAD_CONSUMED);
	fabric_free(fabric);
}

static void test_m_key(void)
{
	static const struct {
		uint8_t protect;
		uint8_t method;
		uint64_t m_key;
		unsigned int result;
		uint64_t shown;
	} rows[] = {
		{ 0, 0x01, 5, ANSWERED, 5 },
		{ 0, 0x01, 0, ANSWERED, 5 },
		{ 1, 0x01, 5, ANSWERED, 5 },
		{ 1, 0x01, 4, ANSWERED, 0 },
		{ 2, 0x01, 5, ANSWERED, 5 },
		{ 2, 0x01, 4, KMOD_MAD_FAILURE, 0 },
		{ 3, 0x01, 4, KMOD_MAD_FAILURE, 0 },
		{ 0, 0x02, 4, KMOD_MAD_FAILURE, 0 },
	};
	struct umadrig_fabric *fabric = open_fabric(false);
	struct port *port = port_of(fabric, "H1 HCA-1", 1);

	port->end->m_key = 5;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct ask what = {
			.attr = 0x15, .modifier = 1, .method = rows[i].method,
			.m_key = rows[i].m_key,
		};
		uint8_t out[MAD_SIZE];

		port->end->m_key_protect = rows[i].protect;
		g_assert_cmpuint(ask(port, &what, out), ==, rows[i].result);
		if (rows[i].result == ANSWERED)
			g_assert_cmpuint(get_be64(out + SMP_DATA), ==, rows[i].shown);
	}
	fabric_free(fabric);
}

/* PortInfo of a port, asked at another one of the HCA: both ports' keys are needed. */
static void test_m_key_of_other_port(void)
{
	static const struct {
		uint64_t here, there;	/* M_Keys of the ports */
		uint8_t protect;	/* of the other port */
		uint8_t method;
		uint64_t m_key;
		unsigned int result;
		uint64_t shown;
		unsigned int violations[2];	/* here, there */
	} rows[] = {
		{ 0, 6, 2, 0x01, 6, ANSWERED, 6, { 0, 0 } },
		{ 0, 6, 2, 0x01, 0, KMOD_MAD_FAILURE, 0, { 0, 1 } },
		{ 0, 6, 1, 0x01, 0, ANSWERED, 0, { 0, 0 } },
		{ 0, 6, 0, 0x02, 0, KMOD_MAD_FAILURE, 0, { 0, 1 } },
		{ 0, 6, 0, 0x02, 6, ANSWERED, 6, { 0, 0 } },
		{ 5, 6, 2, 0x01, 5, KMOD_MAD_FAILURE, 0, { 0, 1 } },
		{ 5, 6, 2, 0x01, 6, KMOD_MAD_FAILURE, 0, { 1, 0 } },
		{ 5, 6, 2, 0x01, 7, KMOD_MAD_FAILURE, 0, { 1, 1 } },
		{ 5, 5, 2, 0x01, 5, ANSWERED, 5, { 0, 0 } },
	};
	struct umadrig_fabric *fabric = open_fabric(false);
	struct end_port *here = port_of(fabric, "H2 HCA-1", 1)->end;
	struct end_port *there = port_of(fabric, "H2 HCA-1", 2)->end;

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct ask what = {
			.attr = 0x15, .modifier = 2, .method = rows[i].method,
			.m_key = rows[i].m_key,
		};
		uint8_t out[MAD_SIZE];

		here->m_key = rows[i].here;
		there->m_key = rows[i].there;
		here->m_key_protect = 2;
		there->m_key_protect = rows[i].protect;
		here->m_key_violations = there->m_key_violations = 0;
		g_assert_cmpuint(ask(here->port, &what, out), ==, rows[i].result);
		if (rows[i].result == ANSWERED)
			g_assert_cmpuint(get_be64(out + SMP_DATA), ==, rows[i].shown);
		g_assert_cmpuint(here->m_key_violations, ==, rows[i].violations[0]);
		g_assert_cmpuint(there->m_key_violations, ==, rows[i].violations[1]);
	}
	fabric_free(fabric);
}

/* ConnectX-6 and 7 have 0xa651e848; doc/fidelity.md says why ours differs. */
static void test_capabilities(void)
{
	enum { VENDOR_CLASS = 1 << 20, VENDORS = 0xa671ca48, OTHERS = 0xa6618a48 };
	struct umadrig_fabric *fabric = open_fabric(false);
	struct end_port *end = port_of(fabric, "H1 HCA-1", 1)->end;

	g_assert_cmphex(end->cap_mask, ==, (uint32_t)VENDORS);
	end_port_reset(end);
	g_assert_cmphex(end->cap_mask, ==, (uint32_t)VENDORS);
	/* No Mellanox: it answers nothing of class 0x0a; and no extended speeds. */
	g_assert_cmphex(port_of(fabric, "H2 HCA-1", 1)->end->cap_mask, ==, (uint32_t)OTHERS);
	fabric_free(fabric);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/sma/fields", test_fields);
	g_test_add_func("/sma/fast-links", test_fast_links);
	g_test_add_func("/sma/extended-speeds", test_extended_speeds);
	g_test_add_func("/sma/linear-table", test_linear_table);
	g_test_add_func("/sma/cold", test_cold);
	g_test_add_func("/sma/verdicts", test_verdicts);
	g_test_add_func("/sma/answer-keeps", test_answer_keeps);
	g_test_add_func("/sma/sm-info", test_sm_info);
	g_test_add_func("/sma/m-key", test_m_key);
	g_test_add_func("/sma/m-key-of-other-port", test_m_key_of_other_port);
	g_test_add_func("/sma/capabilities", test_capabilities);
	return leak_end(g_test_run());
}
