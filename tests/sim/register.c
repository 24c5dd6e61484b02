/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Registers of Mellanox devices: every way to ask for one leads to the same answer, what is wrong
 * with a request is said, and what registers say follows the fabric.
 *
 * Offsets and numbers are written out here once more, as in mstflint's tables.
 */
#include "sim/agents/device-register.h"

#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/host/kernel.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"

/* A switch with a free port, an NDR host, an EDR host, and one of another vendor. */
static const char net[] =
	"vendid=0x2c9\ndevid=0xd2f2\nsysimgguid=0x2c90300000010\n"
	"switchguid=0x2c90300000010(2c90300000010)\n"
	"Switch\t4 \"S-0002c90300000010\"\t\t# \"Edge\" enhanced port 0 lid 7 lmc 0\n"
	"[1]\t\"H-0002c90300000020\"[1](2c90300000021) \t\t# \"H1\" lid 1 4xNDR\n"
	"[2]\t\"H-0002c90300000030\"[1](2c90300000031) \t\t# \"H2\" lid 2 4xEDR\n"
	"[3]\t\"H-0002c90300000040\"[1](2c90300000041) \t\t# \"H3\" lid 3 4xEDR\n"
	"\n"
	"vendid=0x2c9\ndevid=0x1021\nsysimgguid=0x2c90300000023\ncaguid=0x2c90300000020\n"
	"Ca\t1 \"H-0002c90300000020\"\t\t# \"H1\"\n"
	"[1](2c90300000021) \t\"S-0002c90300000010\"[1]\t\t# lid 1 lmc 0 \"Edge\" lid 7 4xNDR\n"
	"\n"
	"vendid=0x2c9\ndevid=0x1017\nsysimgguid=0x2c90300000033\ncaguid=0x2c90300000030\n"
	"Ca\t1 \"H-0002c90300000030\"\t\t# \"H2\"\n"
	"[1](2c90300000031) \t\"S-0002c90300000010\"[2]\t\t# lid 2 lmc 0 \"Edge\" lid 7 4xEDR\n"
	"\n"
	"vendid=0x66a\ndevid=0x1017\nsysimgguid=0x2c90300000043\ncaguid=0x2c90300000040\n"
	"Ca\t1 \"H-0002c90300000040\"\t\t# \"H3\"\n"
	"[1](2c90300000041) \t\"S-0002c90300000010\"[3]\t\t# lid 3 lmc 0 \"Edge\" lid 7 4xEDR\n";

enum {
	SILENCE = 0xffff,	/* in place of a status */
	SMP_AT = 64, VENDOR_AT = 32,
	GET = MAD_METHOD_GET, SET = MAD_METHOD_SET,
	SMP = MAD_CLASS_SUBN_LID, VENDOR = 0x0a,

	TLVS = 20,		/* in front of the register */
	PTYS = 0x5004,
};

/* The MAD has the request's data before the call, and the whole response after it. */
static unsigned int send_mad(struct umadrig_fabric *fabric, const char *node, uint8_t mgmt_class,
			     uint8_t method, uint16_t attr, uint32_t modifier,
			     uint8_t mad[MAD_SIZE])
{
	struct node *to = fabric_node(fabric, node);
	struct port *port = &to->ports[to->sw ? 0 : 1];
	uint8_t out[MAD_SIZE] = { 0 };
	unsigned int result;

	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = mgmt_class;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = method;
	put_be16(mad + MAD_STATUS, 0);
	put_be16(mad + MAD_ATTR_ID, attr);
	put_be32(mad + MAD_ATTR_MOD, modifier);
	result = port_process_mad(port, &(struct kmod_source) { 0 }, mad, out);
	memcpy(mad, out, MAD_SIZE);
	return result & KMOD_MAD_REPLY ? get_be16(out + MAD_STATUS) : SILENCE;
}

/* ---- ways to ask ---- */

/* The TLVs of a query, in front of a register of 'size' bytes. */
static void put_tlvs(uint8_t *at, unsigned int id, unsigned int mgmt_class, unsigned int method,
		     size_t size)
{
	memset(at, 0, TLVS);
	put_be32(at, 1u << 27 | 4u << 16);
	put_be32(at + 4, id << 16 | method << 8 | mgmt_class);
	put_be32(at + 16, 3u << 27 | (uint32_t)(size / 4 + 1) << 16);
}

static unsigned int tlv_status(const uint8_t *at)
{
	return get_be32(at) >> 8 & 0x7f;
}

static uint8_t *by_tlvs(struct umadrig_fabric *fabric, const char *node, bool vendor,
			uint8_t mad[MAD_SIZE], const uint8_t *asked, size_t size)
{
	uint8_t *at = mad + (vendor ? VENDOR_AT : SMP_AT);

	put_tlvs(at, PTYS, vendor ? VENDOR : SMP, 1, size);
	memcpy(at + TLVS, asked, size);
	g_assert_cmphex(send_mad(fabric, node, vendor ? VENDOR : SMP, SET, 0xff52, 0, mad), ==, 0);
	g_assert_cmpuint(tlv_status(at), ==, REGISTER_OK);
	g_assert_cmpuint(get_be32(at + 4) & 1u << 15, !=, 0);
	return at + TLVS;
}

/* A word of configuration space, read or written. */
static uint32_t config_word(struct umadrig_fabric *fabric, const char *node, uint8_t mgmt_class,
			    uint8_t method, uint32_t address, uint32_t value)
{
	uint8_t mad[MAD_SIZE] = { 0 };
	uint8_t *data = mad + (mgmt_class == SMP ? SMP_AT + 8 : VENDOR_AT);
	uint32_t modifier = (address >> 16) << 24 | 1u << 16 | (address & 0xffff);

	put_be32(data, value);
	g_assert_cmphex(send_mad(fabric, node, mgmt_class, method,
				 mgmt_class == SMP ? 0xff50 : 0x50, modifier, mad), ==, 0);
	return get_be32(data);
}

/* Through the command interface, as mstflint 4.31 does: its places are those of a ConnectX-7. */
static void by_command(struct umadrig_fabric *fabric, const char *node, uint8_t mgmt_class,
		       uint8_t *tlvs, size_t size)
{
	uint32_t pointer = config_word(fabric, node, mgmt_class, GET, 0, 0), control;

	g_assert_cmpuint(pointer >> 24, ==, 1);
	pointer &= 0xffffff;
	g_assert_cmpuint(config_word(fabric, node, mgmt_class, GET, 0xe5660, 0), ==, 0);
	g_assert_cmpuint(config_word(fabric, node, mgmt_class, GET, 0xe5660, 0), ==, 1);
	for (uint32_t i = 0; i < size; i += 4)
		config_word(fabric, node, mgmt_class, SET, pointer + i, get_be32(tlvs + i));
	config_word(fabric, node, mgmt_class, SET, pointer + 0x3fc, 0x9001u << 16 | 1);
	control = config_word(fabric, node, mgmt_class, GET, pointer + 0x3fc, 0);
	g_assert_cmphex(control, ==, 0x9001u << 16);
	for (uint32_t i = 0; i < size; i += 4)
		put_be32(tlvs + i, config_word(fabric, node, mgmt_class, GET, pointer + i, 0));
	config_word(fabric, node, mgmt_class, SET, 0xe5660, 0);
	g_assert_cmpuint(config_word(fabric, node, mgmt_class, GET, 0xe5660, 0), ==, 0);
	config_word(fabric, node, mgmt_class, SET, 0xe5660, 0);
}

static void test_ways(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	uint8_t asked[0x44] = { 0, 1, 0, 1 }, smp[MAD_SIZE] = { 0 }, vendor[MAD_SIZE] = { 0 };
	uint8_t gmp[MAD_SIZE] = { 0 }, command[TLVS + sizeof(asked)] = { 0 };
	const uint8_t *register_at;

	register_at = by_tlvs(rig.fabric, "H1", true, vendor, asked, sizeof(asked));
	g_assert_cmpuint(get_be32(register_at + 4) & 0xffff, ==, 4000);
	/* An SMP has room for 44 bytes of it. */
	g_assert_cmpmem(by_tlvs(rig.fabric, "H1", false, smp, asked, 44), 44, register_at, 44);

	memcpy(gmp + VENDOR_AT + 4, asked, sizeof(asked));
	g_assert_cmphex(send_mad(rig.fabric, "H1", VENDOR, GET, 0x51, PTYS, gmp), ==, 0);
	g_assert_cmpmem(gmp + VENDOR_AT + 4, sizeof(asked), register_at, sizeof(asked));

	for (int i = 0; i < 2; i++) {
		put_tlvs(command, PTYS, SMP, 1, sizeof(asked));
		memcpy(command + TLVS, asked, sizeof(asked));
		by_command(rig.fabric, "H1", i ? VENDOR : SMP, command, sizeof(command));
		g_assert_cmpuint(tlv_status(command), ==, REGISTER_OK);
		g_assert_cmpmem(command + TLVS, sizeof(asked), register_at, sizeof(asked));
	}
	rig_close(&rig);
}

/* Records are masked: vendstat -R and -W. */
static void test_records(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	uint32_t mailbox = config_word(rig.fabric, "H1", VENDOR, GET, 0, 0) & 0xffffff;
	uint8_t mad[MAD_SIZE] = { 0 };

	put_be32(mad + VENDOR_AT, 0xf0014);
	put_be32(mad + VENDOR_AT + 8, 0xff);
	put_be32(mad + VENDOR_AT + 12, 0xf0014);
	put_be32(mad + VENDOR_AT + 20, 0xffffffff);
	g_assert_cmphex(send_mad(rig.fabric, "H1", VENDOR, GET, 0x50, 0x00820000, mad), ==, 0);
	g_assert_cmphex(get_be32(mad + VENDOR_AT + 4), ==, 0x18);
	g_assert_cmphex(get_be32(mad + VENDOR_AT + 16), ==, 0x218);

	config_word(rig.fabric, "H1", VENDOR, SET, mailbox, 0x12345678);
	memset(mad, 0, sizeof(mad));
	put_be32(mad + VENDOR_AT, mailbox);
	put_be32(mad + VENDOR_AT + 4, 0xffff0000);
	put_be32(mad + VENDOR_AT + 8, 0x00ff0000);
	g_assert_cmphex(send_mad(rig.fabric, "H1", VENDOR, SET, 0x50, 0x00810000, mad), ==, 0);
	g_assert_cmphex(config_word(rig.fabric, "H1", VENDOR, GET, mailbox, 0), ==, 0x12ff5678);
	rig_close(&rig);
}

/* The second block of a register, and none behind its end. */
static void test_blocks(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	uint8_t mad[MAD_SIZE] = { 0 };

	mad[VENDOR_AT + 4 + 1] = 1;			/* PPCNT of port 1: group 0x21 */
	mad[VENDOR_AT + 4 + 3] = 0x21;
	put_be16(mad + VENDOR_AT, 1);
	g_assert_cmphex(send_mad(rig.fabric, "H1", VENDOR, GET, 0x51, 0x5008, mad), ==, 0);
	mad[VENDOR_AT + 4 + 1] = 1;
	mad[VENDOR_AT + 4 + 3] = 0x21;
	put_be16(mad + VENDOR_AT, 2);
	g_assert_cmphex(send_mad(rig.fabric, "H1", VENDOR, GET, 0x51, 0x5008, mad), ==, 0x1c);
	rig_close(&rig);
}

/* ---- what is wrong ---- */

static const struct wrong {
	const char *name, *node;
	uint8_t mgmt_class, method;
	uint16_t attr;
	uint32_t modifier;
	uint32_t words[2];		/* of the TLVs; 0: a right query */
	uint32_t register_word;		/* the TLV of the register; 0: a right one */
	unsigned int status;		/* of the MAD */
	unsigned int tlv;		/* and in the TLV */
} wrongs[] = {
	{ "a right one", "H1", SMP, SET, 0xff52, 0, { 0 }, 0, 0, REGISTER_OK },
	{ "another vendor", "H3", SMP, SET, 0xff52, 0, { 0 }, 0, 0x0c, 0 },
	{ "another vendor's class", "H3", VENDOR, SET, 0xff52, 0, { 0 }, 0, SILENCE, 0 },
	{ "Get of an SMP", "H1", SMP, GET, 0xff52, 0, { 0 }, 0, 0x0c, 0 },
	{ "a modifier", "H1", SMP, SET, 0xff52, 1, { 0 }, 0, 0x1c, 0 },
	{ "no operation", "H1", VENDOR, SET, 0xff52, 0, { 2u << 27 | 4u << 16, 0 }, 0, 0x1c, 0 },
	{ "an operation's length", "H1", VENDOR, SET, 0xff52, 0, { 1u << 27 | 5u << 16, 0 }, 0,
	  0x1c, 0 },
	{ "a write", "H1", VENDOR, SET, 0xff52, 0, { 0, 0x5004020a }, 0, 0, REGISTER_BAD_METHOD },
	{ "another class", "H1", VENDOR, SET, 0xff52, 0, { 0, 0x50040104 }, 0, 0,
	  REGISTER_BAD_CLASS },
	{ "an unknown register", "H1", VENDOR, SET, 0xff52, 0, { 0, 0x1234010a }, 0, 0,
	  REGISTER_UNKNOWN },
	{ "a switch's register of an HCA", "H1", VENDOR, SET, 0xff52, 0, { 0, 0x9001010a }, 0, 0,
	  REGISTER_UNKNOWN },
	{ "and of a switch", "Edge", VENDOR, SET, 0xff52, 0, { 0, 0x9001010a }, 0, 0,
	  REGISTER_OK },
	{ "no register", "H1", VENDOR, SET, 0xff52, 0, { 0 }, 2u << 27 | 4u << 16, 0,
	  REGISTER_BAD_TLV },
	{ "a register without a header", "H1", VENDOR, SET, 0xff52, 0, { 0 }, 3u << 27, 0,
	  REGISTER_BAD_TLV },
	{ "more than fits", "H1", VENDOR, SET, 0xff52, 0, { 0 }, 3u << 27 | 53u << 16, 0,
	  REGISTER_BAD_TLV },
	{ "as much as fits", "H1", VENDOR, SET, 0xff52, 0, { 0 }, 3u << 27 | 52u << 16, 0,
	  REGISTER_OK },
	{ "an unknown one by GMP", "H1", VENDOR, GET, 0x51, 0x1234, { 0 }, 0, 0x14, 0 },
	{ "Set by GMP", "H1", VENDOR, SET, 0x51, PTYS, { 0 }, 0, 0x0c, 0 },
	{ "nothing at that address", "H1", VENDOR, GET, 0x50, 0x10010, { 0 }, 0, 0x1c, 0 },
	{ "which is not written", "H1", VENDOR, SET, 0x50, 0x0f010014, { 0 }, 0, 0x1c, 0 },
	{ "no words", "H1", VENDOR, GET, 0x50, 0x0f000014, { 0 }, 0, 0x1c, 0 },
	{ "too many words", "H1", SMP, GET, 0xff50, 0x000f8000, { 0 }, 0, 0x1c, 0 },
	{ "a record of what is not there", "H1", VENDOR, GET, 0x50, 0x00810000, { 0x10 }, 0, 0x1c,
	  0 },
	{ "a record that is not written", "H1", VENDOR, SET, 0x50, 0x00810000, { 0xf0014 }, 0,
	  0x1c, 0 },
	{ "too many records", "H1", VENDOR, GET, 0x50, 0x00930000, { 0xf0014 }, 0, 0x1c, 0 },
	{ "another way", "H1", VENDOR, GET, 0x50, 0x00410000, { 0 }, 0, 0x1c, 0 },
	{ "GeneralInfo: no such part", "H1", SMP, GET, 0xff17, 3, { 0 }, 0, 0x1c, 0 },
	{ "GeneralInfo of another vendor", "H3", SMP, GET, 0xff17, 0, { 0 }, 0, 0x0c, 0 },
};

static void test_wrong(const void *data)
{
	const struct wrong *row = data;
	struct rig rig = rig_open_text(net, ",clock=virtual");
	uint8_t mad[MAD_SIZE] = { 0 };
	uint8_t *at = mad + (row->mgmt_class == SMP ? SMP_AT : VENDOR_AT);

	if (row->attr == 0xff52) {
		put_tlvs(at, PTYS, row->mgmt_class, 1, 24);
		at[TLVS + 1] = 1;
		at[TLVS + 3] = 1;
	}
	for (int i = 0; i < 2; i++)
		if (row->words[i])
			put_be32(at + 4 * i, row->words[i]);
	if (row->register_word)
		put_be32(at + 16, row->register_word);
	g_assert_cmphex(send_mad(rig.fabric, row->node, row->mgmt_class, row->method, row->attr,
				 row->modifier, mad), ==, row->status);
	if (row->attr == 0xff52 && row->status == 0)
		g_assert_cmpuint(tlv_status(at), ==, row->tlv);
	rig_close(&rig);
}

/* ---- what registers say ---- */

#define PORT(num) (uint32_t)(num) << 16

static const struct said {
	const char *name, *node;
	const char *command;		/* before; NULL: none */
	unsigned int seconds;		/* pass after it */
	unsigned int id;
	uint32_t asked[3];		/* the first words */
	struct {
		unsigned int word, low, width;
		uint32_t value;
	} fields[6];			/* up to one without a width */
	unsigned int text_at;
	const char *text;
	enum register_status status;
} said[] = {
	{ "MGIR", "H1", NULL, 77, 0x9020, { 0 },
	  { { 0, 0, 16, 0x1021 }, { 4, 16, 8, 1 }, { 8, 0, 16, 0x218 }, { 4, 11, 5, 4 },
	    { 0x1c, 0, 32, 77 } }, 0x30, "umadrig", 0 },
	{ "MSGI", "Edge", NULL, 0, 0x9021, { 0 }, { { 0 } }, 0x40, "Quantum-2, simulated", 0 },
	{ "MSGI: serial number", "Edge", NULL, 0, 0x9021, { 0 }, { { 0 } }, 0,
	  "SIM0002C90300000010", 0 },
	{ "MSCI", "Edge", NULL, 0, 0x902a, { 0 }, { { 4, 0, 32, 1 } }, 0, NULL, 0 },
	{ "MSCI: a second", "Edge", NULL, 0, 0x902a, { 1 }, { { 0 } }, 0, NULL,
	  REGISTER_BAD_PARAMETER },
	{ "SPZR", "Edge", NULL, 0, 0x6002, { 0 },
	  { { 0, 1, 1, 1 }, { 8, 0, 32, 0x2c903 }, { 0x1c, 0, 32, 0x10 } }, 0x30, "Edge", 0 },
	{ "SPZR: a capability that was set", "H2",
	  "capability set H-0002c90300000030[1] 0x80000", 0, 0x6002, { 0 },
	  { { 4, 19, 1, 1 }, { 0x14, 0, 32, 0x31 } }, 0, NULL, 0 },
	{ "PTYS of NDR", "H1", NULL, 0, PTYS, { PORT(1) | 1 },
	  { { 0x28, 0, 16, 0x80 }, { 0x28, 16, 16, 4 }, { 4, 0, 16, 4000 },
	    { 0x2c, 4, 20, 10000 }, { 4, 28, 4, 1 } }, 0, NULL, 0 },
	{ "PTYS of EDR", "H2", NULL, 0, PTYS, { PORT(1) | 1 },
	  { { 0x28, 0, 16, 0x20 }, { 0x10, 0, 16, 0x37 }, { 4, 0, 16, 1000 } }, 0, NULL, 0 },
	{ "PTYS, degraded", "Edge", "link degrade S-0002c90300000010[1] 1x HDR", 0, PTYS,
	  { PORT(1) | 1 },
	  { { 0x28, 0, 16, 0x40 }, { 0x28, 16, 16, 1 }, { 4, 0, 16, 500 },
	    { 0x1c, 0, 16, 0xf7 } }, 0, NULL, 0 },
	{ "PTYS, down", "Edge", "link down S-0002c90300000010[1]", 0, PTYS, { PORT(1) | 1 },
	  { { 0x28, 0, 32, 0 }, { 4, 0, 16, 0 }, { 4, 28, 4, 4 } }, 0, NULL, 0 },
	{ "PTYS of Ethernet", "H1", NULL, 0, PTYS, { PORT(1) | 4 },
	  { { 0x28, 0, 32, 0 }, { 0, 0, 3, 4 } }, 0, NULL, 0 },
	{ "PTYS of port 0", "Edge", NULL, 0, PTYS, { PORT(0) | 1 }, { { 0 } }, 0, NULL,
	  REGISTER_BAD_PARAMETER },
	{ "PTYS of a port too many", "Edge", NULL, 0, PTYS, { PORT(5) | 1 }, { { 0 } }, 0, NULL,
	  REGISTER_BAD_PARAMETER },
	{ "PAOS, up", "Edge", NULL, 0, 0x5006, { PORT(1) },
	  { { 0, 0, 4, 1 }, { 0, 8, 4, 1 }, { 4, 4, 4, 5 }, { 4, 16, 3, 4 } }, 0, NULL, 0 },
	{ "PAOS, down", "Edge", NULL, 0, 0x5006, { PORT(4) },
	  { { 0, 0, 4, 2 }, { 0, 8, 4, 1 }, { 4, 4, 4, 2 }, { 4, 16, 3, 1 } }, 0, NULL, 0 },
	{ "PMLP", "Edge", NULL, 0, 0x5002, { PORT(2) },
	  { { 0, 0, 8, 4 }, { 4, 0, 8, 1 }, { 16, 24, 4, 3 } }, 0, NULL, 0 },
	{ "PLIB", "Edge", NULL, 0, 0x500a, { PORT(3) }, { { 0, 0, 10, 3 } }, 0, NULL, 0 },
	{ "PPLM", "H1", NULL, 0, 0x5023, { PORT(1) }, { { 12, 0, 24, 4 } }, 0, NULL, 0 },
	{ "PMTU", "H1", NULL, 0, 0x5003, { PORT(1) },
	  { { 4, 16, 16, 4096 }, { 12, 16, 16, 4096 } }, 0, NULL, 0 },
	{ "PDDR: operation", "H1", NULL, 0, 0x5031, { PORT(1), 0 },
	  { { 12, 24, 8, 3 }, { 12, 8, 8, 7 }, { 0x1c, 0, 16, 0x80 }, { 0x1c, 16, 16, 4 },
	    { 0x24, 16, 16, 2 } }, 0, NULL, 0 },
	{ "PDDR: nothing is wrong", "Edge", NULL, 0, 0x5031, { PORT(1), 1 },
	  { { 12, 0, 16, 0 } }, 0x14, "No issue was observed", 0 },
	{ "PDDR: degraded", "H1", "link degrade S-0002c90300000010[1] 1x", 0, 0x5031,
	  { PORT(1), 1 }, { { 12, 0, 16, 34 } }, 0x14, "Speed degradation", 0 },
	{ "PDDR: what a degraded cable can", "H1", "link degrade S-0002c90300000010[1] 1x", 0,
	  0x5031, { PORT(1), 0 }, { { 0x18, 16, 16, 1 } }, 0, NULL, 0 },
	{ "PDDR: unplugged", "Edge", "link down S-0002c90300000010[1]", 0, 0x5031,
	  { PORT(1), 1 }, { { 12, 0, 16, 1024 } }, 0x14, "Cable is unplugged", 0 },
	{ "PDDR: nobody at the other end", "Edge", "node off H-0002c90300000020", 0, 0x5031,
	  { PORT(1), 1 }, { { 12, 0, 16, 2 } }, 0, NULL, 0 },
	{ "PDDR: module", "Edge", NULL, 0, 0x5031, { PORT(2), 3 },
	  { { 12, 28, 4, 3 }, { 12, 8, 8, 0 }, { 0xa0, 0, 10, 0x37 } }, 0x2c,
	  "SIM-4xEDR       ", 0 },
	{ "PDDR: an OSFP", "Edge", NULL, 0, 0x5031, { PORT(1), 3 },
	  { { 12, 8, 8, 8 } }, 0x44, "SIM000000-001   ", 0 },
	{ "PDDR: at its other end", "H1", NULL, 0, 0x5031, { PORT(1), 3 }, { { 0 } }, 0x44,
	  "SIM000000-001   ", 0 },
	{ "PDDR: no module", "Edge", NULL, 0, 0x5031, { PORT(4), 3 }, { { 12, 28, 4, 4 } }, 0,
	  NULL, 0 },
	{ "PDDR: another page", "Edge", NULL, 0, 0x5031, { PORT(1), 9 }, { { 0 } }, 0, NULL,
	  REGISTER_BAD_PARAMETER },
	{ "PPCNT: as performance management has them", "H1",
	  "counter H-0002c90300000020[1] SymbolErrorCounter +513/s for 1s", 1, 0x5008,
	  { PORT(1) | 0x20 }, { { 8, 16, 16, 513 } }, 0, NULL, 0 },
	{ "PPCNT: extended", "H1",
	  "counter H-0002c90300000020[1] PortRcvData +4000000000/s for 2s", 2, 0x5008,
	  { PORT(1) | 0x21 }, { { 0x70, 0, 32, 1 }, { 0x74, 0, 32, 0xdcd65000 } }, 0,
	  NULL, 0 },
	{ "PPCNT: multicast, the last of them", "H1",
	  "counter H-0002c90300000020[1] PortMulticastRcvPkts +9/s for 1s", 1, 0x5008,
	  { PORT(1) | 0x21 }, { { 0xb4, 0, 32, 9 } }, 0, NULL, 0 },
	{ "PPCNT: packets", "H1", "counter H-0002c90300000020[1] PortDLIDMappingErrors +8/s for 1s",
	  1, 0x5008, { PORT(1) | 0x25 }, { { 0x44, 0, 32, 8 } }, 0, NULL, 0 },
	{ "PPCNT: what a bad cable counts", "H1",
	  "link degrade H-0002c90300000020[1] ber=2e-9", 10, 0x5008, { PORT(1) | 0x16 },
	  { { 0xc, 0, 32, 10000 }, { 0x68, 0, 4, 2 }, { 0x68, 8, 8, 9 }, { 0x70, 8, 8, 9 },
	    { 0x1c, 0, 32, 8000 } }, 0, NULL, 0 },
	{ "PPCNT: a rate of one", "Edge", "link degrade H-0002c90300000020[1] ber=1e-12", 0,
	  0x5008, { PORT(1) | 0x16 }, { { 0x68, 0, 4, 1 }, { 0x68, 8, 8, 12 } }, 0, NULL, 0 },
	{ "PPCNT: a good cable", "Edge", NULL, 0, 0x5008, { PORT(1) | 0x16 },
	  { { 0x68, 0, 4, 15 }, { 0x68, 8, 8, 255 } }, 0, NULL, 0 },
	{ "PPCNT: link", "H1", "link degrade H-0002c90300000020[1] 1x", 0, 0x5008,
	  { PORT(1) | 0x12 }, { { 0xcc, 0, 32, 1 } }, 0, NULL, 0 },
	{ "PPCNT: another group", "H1", NULL, 0, 0x5008, { PORT(1) | 1 }, { { 0 } }, 0, NULL,
	  REGISTER_BAD_PARAMETER },
	{ "MCIA: QSFP28", "H2", NULL, 0, 0x9014, { 0, 0x50000000, 1 },
	  { { 0, 0, 8, 0 }, { 16, 24, 8, 0x11 } }, 0, NULL, 0 },
	{ "MCIA: part", "H2", NULL, 0, 0x9014, { 0, 0x500000a8, 16 }, { { 0 } }, 16,
	  "SIM-4xEDR       ", 0 },
	{ "MCIA: OSFP, part", "H1", NULL, 0, 0x9014, { 0, 0x50000094, 16 }, { { 0 } }, 16,
	  "SIM-4xNDR       ", 0 },
	{ "MCIA: unplugged", "Edge", NULL, 0, 0x9014, { 3 << 16, 0x50000000, 1 },
	  { { 0, 0, 8, 3 } }, 0, NULL, 0 },
	{ "MCIA: another page", "H2", NULL, 0, 0x9014, { 0, 0x50030080, 1 },
	  { { 0, 0, 8, 9 } }, 0, NULL, 0 },
	{ "MCIA: behind the end", "H2", NULL, 0, 0x9014, { 0, 0x500000ff, 2 },
	  { { 0, 0, 8, 9 } }, 0, NULL, 0 },
	{ "MCIA: no such module", "H2", NULL, 0, 0x9014, { 1 << 16, 0x50000000, 1 }, { { 0 } }, 0,
	  NULL, REGISTER_BAD_PARAMETER },
	{ "MCIA: too much at once", "H2", NULL, 0, 0x9014, { 0, 0x50000000, 129 }, { { 0 } }, 0,
	  NULL, REGISTER_BAD_PARAMETER },
	{ "PMAOS", "Edge", NULL, 0, 0x5012, { 0 }, { { 0, 0, 4, 1 } }, 0, NULL, 0 },
	{ "PMAOS, unplugged", "Edge", NULL, 0, 0x5012, { 3 << 16 }, { { 0, 0, 4, 2 } }, 0, NULL,
	  0 },
	{ "MTCAP", "H1", NULL, 0, 0x9009, { 0 }, { { 0, 0, 7, 1 }, { 12, 0, 32, 1 } }, 0, NULL,
	  0 },
	{ "MTMP", "H1", NULL, 0, 0x900a, { 0 }, { { 4, 0, 16, 360 } }, 0x18, "asic0", 0 },
	{ "MTMP of a module", "Edge", NULL, 0, 0x900a, { 64 }, { { 4, 0, 16, 0 } }, 0, NULL, 0 },
	{ "MTMP, unplugged", "Edge", NULL, 0, 0x900a, { 67 }, { { 0 } }, 0, NULL,
	  REGISTER_BAD_PARAMETER },
	{ "MFCR", "Edge", NULL, 0, 0x9001, { 0 }, { { 4, 16, 10, 0xf } }, 0, NULL, 0 },
	{ "MFSM", "Edge", NULL, 0, 0x9003, { 3 << 24 }, { { 4, 0, 16, 6000 } }, 0, NULL, 0 },
	{ "MFSM: no such fan", "Edge", NULL, 0, 0x9003, { 4 << 24 }, { { 0 } }, 0, NULL,
	  REGISTER_BAD_PARAMETER },
	{ "MVCR", "Edge", NULL, 0, 0x900c, { 0 }, { { 4, 0, 16, 1200 } }, 16, "board", 0 },
	{ "FORE", "Edge", NULL, 0, 0x9007, { 0 }, { { 0, 0, 32, 0 }, { 4, 0, 32, 0 } }, 0, NULL,
	  0 },
	{ "MSPS", "Edge", NULL, 0, 0x900d, { 0 },
	  { { 0, 28, 4, 5 }, { 0x54, 0, 4, 2 }, { 8, 0, 28, 300 } }, 0x60, "SIM000000-1", 0 },
	{ "MGPIR", "Edge", NULL, 0, 0x9100, { 0 }, { { 4, 0, 8, 4 } }, 0, NULL, 0 },
	{ "MCAM", "H1", NULL, 0, 0x907f, { 0 },
	  { { 8, 0, 5, 0x1f }, { 16, 0, 1, 1 }, { 20, 1, 1, 0 }, { 8, 31, 1, 1 } }, 0, NULL, 0 },
	{ "MCAM: fans of a switch", "Edge", NULL, 0, 0x907f, { 0 }, { { 20, 1, 1, 1 } }, 0, NULL,
	  0 },
	{ "MCAM: no such group", "H1", NULL, 0, 0x907f, { 4 }, { { 0 } }, 0, NULL,
	  REGISTER_BAD_PARAMETER },
	{ "PCAM", "H1", NULL, 0, 0x507f, { 0 }, { { 20, 4, 1, 1 }, { 20, 5, 1, 0 } }, 0, NULL, 0 },
	{ "MCQS", "H1", NULL, 0, 0x9060, { 0 }, { { 0, 31, 1, 1 }, { 4, 0, 16, 1 } }, 0, NULL, 0 },
	{ "MCQI", "H1", NULL, 0, 0x9061, { 0, 0, 1 }, { { 12, 0, 32, 124 } }, 0, NULL, 0 },
	{ "MCQI: what waits", "H1", NULL, 0, 0x9061, { 1u << 31, 0, 1 }, { { 0 } }, 0, NULL,
	  REGISTER_BAD_PARAMETER },
	{ "MCDA", "H1", NULL, 0, 0x9063, { 0 }, { { 0 } }, 0, NULL, REGISTER_BAD_PARAMETER },
	{ "MQIS", "H1", NULL, 0, 0x9064, { 2, 0, 8 },
	  { { 4, 0, 16, 22 }, { 8, 0, 16, 8 } }, 16, "ConnectX", 0 },
	{ "MQIS: the rest", "H1", NULL, 0, 0x9064, { 2, 0, 20 << 16 | 8 },
	  { { 8, 0, 16, 2 } }, 16, "d", 0 },
	{ "SLTP", "H1", NULL, 0, 0x5027, { PORT(1) }, { { 0, 24, 4, 4 }, { 0, 28, 1, 0 } }, 0,
	  NULL, 0 },
};

static void check_said(const struct said *row, const uint8_t *data)
{
	for (size_t i = 0; i < G_N_ELEMENTS(row->fields) && row->fields[i].width; i++)
		g_assert_cmphex(register_bits(data, row->fields[i].word, row->fields[i].low,
					      row->fields[i].width), ==, row->fields[i].value);
	if (row->text)
		g_assert_cmpmem(data + row->text_at, strlen(row->text), row->text,
				strlen(row->text));
}

static void test_said(const void *data)
{
	const struct said *row = data;
	struct rig rig = rig_open_text(net, ",clock=virtual");
	uint8_t contents[DEVICE_REGISTER_SIZE_MAX] = { 0 };
	g_autofree char *text = NULL;
	size_t size = 0;

	if (row->command && umadrig_console(rig.fabric, row->command, &text) < 0)
		g_error("%s: %s", row->command, text);
	umadrig_step(rig.fabric, umadrig_now(rig.fabric) + row->seconds * NS_PER_S);
	for (size_t i = 0; i < G_N_ELEMENTS(row->asked); i++)
		put_be32(contents + 4 * i, row->asked[i]);
	g_assert_cmpuint(device_register_get(fabric_node(rig.fabric, row->node), row->id, contents,
					     contents, &size), ==, row->status);
	if (row->status == REGISTER_OK) {
		g_assert_cmpuint(size, <=, sizeof(contents));
		check_said(row, contents);
	}
	rig_close(&rig);
}

/* ---- MCIA's memory ---- */

/* Its checksums are right: SFF-8636, 6.3.24 and 6.3.30; CMIS 5.0, 8.3.15. */
static void test_checksums(void)
{
	static const struct {
		const char *node;
		unsigned int from, at;
	} rows[] = { { "H2", 128, 191 }, { "H2", 192, 223 }, { "H1", 128, 222 } };
	struct rig rig = rig_open_text(net, ",clock=virtual");

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		uint8_t mcia[DEVICE_REGISTER_SIZE_MAX] = { 0 };
		unsigned int sum = 0;
		size_t size;

		put_be32(mcia + 4, 0x50000080);
		put_be32(mcia + 8, 128);
		g_assert_cmpuint(device_register_get(fabric_node(rig.fabric, rows[i].node), 0x9014,
						     mcia, mcia, &size), ==, REGISTER_OK);
		for (unsigned int at = rows[i].from; at < rows[i].at; at++)
			sum += mcia[16 + at - 128];
		g_assert_cmphex(mcia[16 + rows[i].at - 128], ==, sum & 0xff);
		g_assert_cmpuint(sum, !=, 0);
	}
	rig_close(&rig);
}

/* Who has the command interface keeps it until it is given back, or the device loses power. */
static void test_power(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	g_autofree char *out = NULL, *in = NULL;

	g_assert_cmpuint(config_word(rig.fabric, "H1", VENDOR, GET, 0xe5660, 0), ==, 0);
	g_assert_cmpuint(config_word(rig.fabric, "H1", VENDOR, GET, 0xe5660, 0), ==, 1);
	umadrig_console(rig.fabric, "node off H-0002c90300000020", &out);
	umadrig_console(rig.fabric, "node on H-0002c90300000020", &in);
	g_assert_cmpuint(config_word(rig.fabric, "H1", VENDOR, GET, 0xe5660, 0), ==, 0);
	rig_close(&rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/register/ways", test_ways);
	g_test_add_func("/register/records", test_records);
	g_test_add_func("/register/blocks", test_blocks);
	for (size_t i = 0; i < G_N_ELEMENTS(wrongs); i++) {
		g_autofree char *path = g_strconcat("/register/wrong/", wrongs[i].name, NULL);

		g_test_add_data_func(path, &wrongs[i], test_wrong);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(said); i++) {
		g_autofree char *path = g_strconcat("/register/said/", said[i].name, NULL);

		g_test_add_data_func(path, &said[i], test_said);
	}
	g_test_add_func("/register/checksums", test_checksums);
	g_test_add_func("/register/power", test_power);
	return leak_end(g_test_run());
}
