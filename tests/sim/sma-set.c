/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What can be written to the subnet management agent, what it then returns, and what it refuses.
 */
#include <glib.h>
#include <string.h>

#include "sim/fabric/link.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/run/assembly.h"
#include "sim/time/clock.h"
#include "tests/rig/leak.h"
#include "tests/rig/sma-rig.h"

/* ---- fields ---- */

/* Attributes are read, changed and written, as an SM does; the response has the new values. */
static const struct row {
	const char *name;
	const char *node;
	unsigned int port;	/* through which the request comes */
	uint16_t attr;
	uint32_t modifier;
	const char *write;
	unsigned int status;
	const char *then;	/* at once */
	const char *later;	/* a second later; NULL: the same */
} rows[] = {
	{ "LID", "H1 HCA-1", 1, 0x15, 1, "Lid=8 LMC=3 SMLid=1 SMSL=2", 0,
	  "Lid=8 LMC=3 SMLid=1 SMSL=2", NULL },
	{ "LID 0", "H1 HCA-1", 1, 0x15, 1, "Lid=0 SMLid=1", 0, "Lid=0 SMLid=1", NULL },
	{ "LID 0 with LMC", "H1 HCA-1", 1, 0x15, 1, "LMC=1", 0x1c, "LMC=0", NULL },
	{ "last LID", "H1 HCA-1", 1, 0x15, 1, "Lid=0xbfff", 0, "Lid=0xbfff", NULL },
	{ "multicast LID", "H1 HCA-1", 1, 0x15, 1, "Lid=0xc000", 0x1c, "Lid=0", NULL },
	{ "LID not a multiple", "H1 HCA-1", 1, 0x15, 1, "Lid=9 LMC=1", 0x1c, "Lid=0 LMC=0", NULL },
	{ "SM LID", "H1 HCA-1", 1, 0x15, 1, "SMLid=0xc000", 0x1c, "SMLid=0", NULL },
	{ "all or nothing", "H1 HCA-1", 1, 0x15, 1, "Lid=5 GidPrefix=0x77 NeighborMTU=6", 0x1c,
	  "Lid=0 GidPrefix=0xfe80000000000000", NULL },
	{ "prefix, timeouts", "H1 HCA-1", 1, 0x15, 1,
	  "GidPrefix=0x77 SubnetTimeout=9 MkeyLeasePeriod=60", 0,
	  "GidPrefix=0x77 SubnetTimeout=9 MkeyLeasePeriod=60", NULL },
	{ "read only", "H1 HCA-1", 1, 0x15, 1, "CapMask=0 LinkWidthActive=1 MtuCap=1 GuidCap=1", 0,
	  "LinkWidthActive=2 MtuCap=5 GuidCap=8", NULL },
	{ "MTU", "H1 HCA-1", 1, 0x15, 1, "NeighborMTU=4", 0, "NeighborMTU=4", NULL },
	{ "no MTU", "H1 HCA-1", 1, 0x15, 1, "NeighborMTU=0", 0x1c, "NeighborMTU=5", NULL },
	{ "VLs", "H1 HCA-1", 1, 0x15, 1, "OperVLs=2 VLHighLimit=3 VLStallCount=1 HoqLife=2", 0,
	  "OperVLs=2 VLHighLimit=3 VLStallCount=1 HoqLife=2", NULL },
	{ "VLs: no change", "H1 HCA-1", 1, 0x15, 1, "OperVLs=0", 0, "OperVLs=4", NULL },
	{ "VLs: too many", "H1 HCA-1", 1, 0x15, 1, "OperVLs=5", 0x1c, "OperVLs=4", NULL },
	{ "reregister", "H1 HCA-1", 1, 0x15, 1, "ClientReregister=1", 0, "ClientReregister=1",
	  "ClientReregister=0" },
	{ "modifier", "H1 HCA-1", 1, 0x15, 2, "Lid=0", 0x1c, "Lid=0", NULL },
	{ "another port of a CA is only read", "H2 HCA-1", 2, 0x15, 1, "Lid=4", 0, "Lid=0", NULL },

	{ "Init to Armed", "H1 HCA-1", 1, 0x15, 1, "LinkState=3 PhysLinkState=0", 0,
	  "LinkState=3 PhysLinkState=5", NULL },
	{ "Init to Active", "H1 HCA-1", 1, 0x15, 1, "LinkState=4 PhysLinkState=0", 0x1c,
	  "LinkState=2", NULL },
	{ "to Init", "H1 HCA-1", 1, 0x15, 1, "LinkState=2 PhysLinkState=0", 0x1c, "LinkState=2",
	  NULL },
	{ "Armed and Polling", "H1 HCA-1", 1, 0x15, 1, "LinkState=3 PhysLinkState=2", 0x1c,
	  "LinkState=2", NULL },
	{ "Down to Armed", "Edge", 1, 0x15, 3, "LinkState=3 PhysLinkState=0", 0x1c, "LinkState=1",
	  NULL },
	{ "down, and up again", "Edge", 1, 0x15, 1, "LinkState=1 PhysLinkState=0", 0,
	  "LinkState=1 PhysLinkState=2", "LinkState=2 PhysLinkState=5" },
	{ "disabled", "Edge", 1, 0x15, 1, "LinkState=0 PhysLinkState=3", 0,
	  "LinkState=1 PhysLinkState=3", NULL },
	{ "LinkUp is not to be ordered", "Edge", 1, 0x15, 1, "LinkState=0 PhysLinkState=5", 0x1c,
	  "LinkState=2 PhysLinkState=5", NULL },
	{ "1x", "Edge", 1, 0x15, 1, "LinkWidthEnabled=1 LinkState=1 PhysLinkState=0", 0,
	  "LinkWidthEnabled=1 LinkWidthActive=2", "LinkWidthActive=1 LinkState=2" },
	{ "12x", "Edge", 1, 0x15, 1, "LinkWidthEnabled=8", 0x1c, "LinkWidthEnabled=3", NULL },
	{ "all widths", "Edge", 1, 0x15, 1, "LinkWidthEnabled=255", 0, "LinkWidthEnabled=3", NULL },
	{ "SDR", "Edge", 1, 0x15, 1,
	  "LinkSpeedEnabled=1 LinkSpeedExtEnabled=30 LinkState=1 PhysLinkState=0", 0,
	  "LinkSpeedEnabled=1 LinkSpeedExtEnabled=0",
	  "LinkSpeedActive=1 LinkSpeedExtActive=0 LinkState=2" },
	{ "HDR", "Edge", 1, 0x15, 1, "LinkSpeedExtEnabled=4", 0x1c, "LinkSpeedExtEnabled=3", NULL },
	{ "sleep by default", "Edge", 1, 0x15, 1, "LinkDownDefState=1", 0, "LinkDownDefState=1",
	  NULL },
	{ "disabled by default", "Edge", 1, 0x15, 1, "LinkDownDefState=3", 0x1c,
	  "LinkDownDefState=2", NULL },
	{ "port 0", "Edge", 1, 0x15, 0, "Lid=3 SMLid=1 LinkState=1 PhysLinkState=0", 0,
	  "Lid=3 SMLid=1 LinkState=4", NULL },
	{ "LMC of a base port 0", "Edge", 1, 0x15, 0, "Lid=4 LMC=1", 0x1c, "Lid=0 LMC=0", NULL },
	{ "an external port has no LID", "Edge", 1, 0x15, 1, "Lid=3 NeighborMTU=4", 0,
	  "Lid=0 NeighborMTU=4", NULL },

	{ "SwitchInfo", "Edge", 1, 0x12, 0,
	  "LinearFdbTop=7 LifeTime=4 StateChange=1 DefMcastPrimPort=255", 0,
	  "LinearFdbTop=7 LifeTime=4 StateChange=0 DefMcastPrimPort=255 LinearFdbCap=49152", NULL },
	{ "StateChange stays", "Edge", 1, 0x12, 0, "StateChange=0", 0, "StateChange=1", NULL },
	{ "top beyond the table", "Edge", 1, 0x12, 0, "LinearFdbTop=49152 LifeTime=1", 0x1c,
	  "LinearFdbTop=0 LifeTime=18", NULL },
	{ "multicast by a port it has not", "Edge", 1, 0x12, 0, "DefMcastPrimPort=5", 0x1c,
	  "DefMcastPrimPort=0", NULL },
	{ "SwitchInfo of a CA", "H1 HCA-1", 1, 0x12, 0, "LifeTime=1", 0x0c, "LifeTime=1", NULL },

	{ "GUIDs", "H1 HCA-1", 1, 0x14, 0, "GUID0=5 GUID1=6 GUID7=7", 0,
	  "GUID0=0x2c90300000021 GUID1=6 GUID7=7", NULL },
	{ "GUIDs beyond", "H1 HCA-1", 1, 0x14, 1, "GUID1=6", 0x1c, "GUID1=0", NULL },
	{ "P_Keys", "H1 HCA-1", 1, 0x16, 0, "P_Key0=0x7fff P_Key31=0x8001", 0,
	  "P_Key0=0x7fff P_Key31=0x8001", NULL },
	{ "P_Keys beyond", "H1 HCA-1", 1, 0x16, 1, "P_Key0=1", 0x1c, "P_Key0=0", NULL },
	{ "P_Keys of port 0", "Edge", 1, 0x16, 0, "P_Key1=0x8001", 0, "P_Key1=0x8001", NULL },
	{ "P_Keys of external ports", "Edge", 1, 0x16, 0x20000, "P_Key31=1", 0,
	  "P_Key0=0xffff P_Key1=0 P_Key31=1", NULL },
	{ "P_Keys of no port", "Edge", 1, 0x16, 0x50000, "P_Key1=1", 0x1c, "P_Key1=0", NULL },
	{ "partition enforcement", "Edge", 1, 0x15, 2, "PartEnforceInb=1 PartEnforceOutb=1", 0,
	  "PartEnforceInb=1 PartEnforceOutb=1", NULL },
	{ "partition enforcement of a host", "H1 HCA-1", 1, 0x15, 1,
	  "PartEnforceInb=1 PartEnforceOutb=1", 0, "PartEnforceInb=0 PartEnforceOutb=0", NULL },
	{ "no traps of groups", "H1 HCA-1", 1, 0x15, 1, "McastPkeyTrapSuppressionEnabled=1", 0,
	  "McastPkeyTrapSuppressionEnabled=1", NULL },
	{ "SL to VL", "H1 HCA-1", 1, 0x17, 0, "VLforSL1=15 VLforSL9=3", 0,
	  "VLforSL0=0 VLforSL1=15 VLforSL2=2 VLforSL8=0 VLforSL9=3", NULL },
	{ "SL to VL of fewer VLs", "H1 HCA-1", 1, 0x17, 0, "VLforSL0=0", 0,
	  "VLforSL7=7 VLforSL8=0 VLforSL15=7", NULL },
	{ "SL to VL of a switch", "Edge", 1, 0x17, 0x0104, "VLforSL0=1", 0, "VLforSL0=1", NULL },
	{ "SL to VL of none", "Edge", 1, 0x17, 0x0105, "VLforSL0=1", 0x1c, "VLforSL0=0", NULL },
	{ "SL to VL from none", "Edge", 1, 0x17, 0x0501, "VLforSL0=1", 0x1c, "VLforSL0=0", NULL },
	{ "VL arbitration", "H1 HCA-1", 1, 0x18, 0x10000, "VL7=2 Weight7=9 VL8=1 Weight8=1", 0,
	  "VL6=6 Weight6=64 VL7=2 Weight7=9 VL8=0 Weight8=0", NULL },
	{ "VL arbitration, high", "Edge", 1, 0x18, 0x30002, "Weight0=9", 0, "Weight0=9 Weight1=0",
	  NULL },
	{ "VL arbitration beyond", "Edge", 1, 0x18, 0x20002, "Weight0=9", 0x1c, "Weight0=0", NULL },
	{ "VL arbitration of none", "Edge", 1, 0x18, 0x10005, "Weight0=9", 0x1c, "Weight0=0",
	  NULL },

	{ "FDR10 off", "H2 HCA-1", 1, 0xff90, 1, "StateChangeEnable=1 LinkSpeedEnabled=0", 0,
	  "StateChangeEnable=0 LinkSpeedEnabled=0 LinkSpeedSupported=1 LinkSpeedActive=1", NULL },
	{ "FDR10 stays", "H2 HCA-1", 1, 0xff90, 1, "StateChangeEnable=0 LinkSpeedEnabled=0", 0,
	  "LinkSpeedEnabled=1", NULL },
	{ "FDR10 where there is none", "H1 HCA-1", 1, 0xff90, 1,
	  "StateChangeEnable=1 LinkSpeedEnabled=1", 0x1c, "LinkSpeedEnabled=0", NULL },

	{ "LED", "H1 HCA-1", 1, 0x31, 1, "LedMask=1", 0, "LedMask=1", NULL },
	{ "LED of a switch's port", "Edge", 1, 0x31, 4, "LedMask=1", 0, "LedMask=1", NULL },
	{ "LED of no port", "Edge", 1, 0x31, 5, "LedMask=1", 0x1c, "LedMask=0", NULL },
	{ "hierarchy", "Edge", 1, 0x1e, 2,
	  "TemplateGUID=3 ActiveLevels=2 Level0Data=7 Level1Data=0xffffffff Level2Data=9 "
	  "MaxActiveIndex=4 MaxSupportedIndex=5", 0,
	  "TemplateGUID=3 ActiveLevels=2 Level0Data=7 Level1Data=0xffffffff Level2Data=0 "
	  "MaxActiveIndex=0 MaxSupportedIndex=0", NULL },
	{ "hierarchy of 13 levels", "H1 HCA-1", 1, 0x1e, 1, "ActiveLevels=13 Level12Data=1", 0,
	  "ActiveLevels=13 Level12Data=1", NULL },
	{ "hierarchy of 14 levels", "H1 HCA-1", 1, 0x1e, 1, "ActiveLevels=14", 0x1c,
	  "ActiveLevels=0", NULL },
	{ "no hierarchy", "H1 HCA-1", 1, 0x1e, 1, "TemplateGUID=3 Level0Data=7", 0,
	  "TemplateGUID=0 Level0Data=0", NULL },
	{ "a second hierarchy", "H1 HCA-1", 1, 0x1e, 0x101, "ActiveLevels=1", 0x1c,
	  "ActiveLevels=0", NULL },
	{ "VendorDiag", "Edge", 1, 0x30, 0, "NextIndex=1", 0x0c, "NextIndex=1", NULL },
	{ "error correction", "H1 HCA-1", 1, 0x33, 1, "EDRFECModeEnabled=1", 0,
	  "CapMask=1 FECModeActive=2 FDRFECModeSupported=3 FDRFECModeEnabled=3 "
	  "EDRFECModeSupported=5 EDRFECModeEnabled=1 HDRFECModeSupported=0", NULL },
	{ "error correction: no change", "H1 HCA-1", 1, 0x33, 1, "EDRFECModeEnabled=0", 0,
	  "EDRFECModeEnabled=5", NULL },
	{ "error correction that it has not", "H1 HCA-1", 1, 0x33, 1,
	  "EDRFECModeEnabled=2 FDRFECModeEnabled=1", 0x1c,
	  "EDRFECModeEnabled=5 FDRFECModeEnabled=3", NULL },
	{ "error correction of no port", "H1 HCA-1", 1, 0x33, 2, "EDRFECModeEnabled=1", 0x1c,
	  "EDRFECModeEnabled=0", NULL },
	{ "error correction of old devices", "H2 HCA-1", 1, 0x33, 1, "EDRFECModeEnabled=1", 0x0c,
	  "EDRFECModeEnabled=1", NULL },
	{ "XDR where there is none", "H1 HCA-1", 1, 0x15, 1, "LinkSpeedExtEnabled2=1", 0x1c,
	  "LinkSpeedExtEnabled2=0", NULL },
	{ "NodeInfo", "H1 HCA-1", 1, 0x11, 0, "NumPorts=2", 0x0c, "NumPorts=2", NULL },
};

static void test_row(gconstpointer data)
{
	const struct row *row = data;
	struct umadrig_fabric *fabric = open_fabric();
	struct port *port = port_of(fabric, row->node, row->port);
	uint8_t block[SMP_DATA_SIZE] = { 0 };
	unsigned int status;

	ask(port, GET, row->attr, row->modifier, 0, block);
	each_field(row->attr, row->write, block, true, row->name);
	if (row->attr == 0x15 && !strstr(row->write, "LinkState"))
		each_field(row->attr, "LinkState=0 PhysLinkState=0", block, true, row->name);
	status = ask(port, SET, row->attr, row->modifier, 0, block);
	if (status != row->status)
		g_error("%s: status 0x%02x, not 0x%02x", row->name, status, row->status);
	each_field(row->attr, row->then, block, false, row->name);
	settle(fabric);
	if (row->status != MAD_STATUS_BAD_METHOD_ATTR) {
		ask(port, GET, row->attr, row->modifier, 0, block);
		each_field(row->attr, row->later ? row->later : row->then, block, false, row->name);
	}
	fabric_free(fabric);
}

/* ---- the other end ---- */

static void set_port(struct port *through, uint32_t num, const char *what)
{
	uint8_t data[SMP_DATA_SIZE] = { 0 };

	ask(through, GET, 0x15, num, 0, data);
	each_field(0x15, "LinkState=0 PhysLinkState=0", data, true, what);
	each_field(0x15, what, data, true, what);
	g_assert_cmphex(ask(through, SET, 0x15, num, 0, data), ==, 0);
}

static void test_peer(void)
{
	struct umadrig_fabric *fabric = open_fabric();
	struct port *edge = port_of(fabric, "Edge", 1), *host = port_of(fabric, "H1 HCA-1", 1);

	fabric_node(fabric, "Edge")->sw->state_change = false;
	set_port(host, 1, "LinkState=3");
	g_assert_cmpuint(edge->state, ==, PORT_INIT);
	set_port(edge, 1, "PhysLinkState=3");
	/* The response has yet to leave. */
	g_assert_true(port_is_linked(edge));
	settle(fabric);
	g_assert_cmpuint(edge->phys_state, ==, PORT_PHYS_DISABLED);
	g_assert_cmpuint(host->state, ==, PORT_DOWN);
	g_assert_cmpuint(host->phys_state, ==, PORT_PHYS_POLLING);
	g_assert_true(fabric_node(fabric, "Edge")->sw->state_change);

	set_port(edge, 1, "PhysLinkState=2");
	settle(fabric);
	g_assert_true(port_is_linked(edge));
	g_assert_cmpuint(host->state, ==, PORT_INIT);
	g_assert_cmpuint(edge->state, ==, PORT_INIT);

	/* A polling end wakes a sleeping one, but two sleeping ends stay asleep. */
	set_port(host, 1, "LinkDownDefState=1");
	set_port(edge, 1, "PhysLinkState=1");
	settle(fabric);
	g_assert_cmpuint(host->phys_state, ==, PORT_PHYS_SLEEP);
	g_assert_false(port_is_linked(edge));
	set_port(edge, 1, "PhysLinkState=2");
	settle(fabric);
	g_assert_true(port_is_linked(edge));

	/* A fabric may end while links train. */
	set_port(edge, 1, "LinkState=1");
	set_port(edge, 2, "LinkState=1");
	fabric_free(fabric);
}

/* ---- traps ---- */

struct heard {
	unsigned int count;
	uint64_t tid;
	uint8_t mad[MAD_SIZE];
};

/* umadrig_tap_fn */
static void hear(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	struct heard *heard = ctx;
	const uint8_t *mad = bytes + size - MAD_SIZE;

	(void)at_ns;
	if (outbound || mad[MAD_METHOD] != MAD_METHOD_TRAP)
		return;
	heard->count++;
	heard->tid = get_be64(mad + MAD_TID);
	memcpy(heard->mad, mad, MAD_SIZE);
}

static void test_link_trap(void)
{
	struct umadrig_fabric *fabric = open_fabric();
	struct port *edge = port_of(fabric, "Edge", 1), *host = port_of(fabric, "H1 HCA-1", 1);
	struct kmod_source source = { 0 };
	struct heard heard = { 0 };
	uint8_t data[SMP_DATA_SIZE] = { 0 }, repress[MAD_SIZE], out[MAD_SIZE];

	host->end->tap = hear;
	host->end->tap_ctx = &heard;
	/* No port knows an SM yet. */
	set_port(edge, 2, "LinkState=1");
	settle(fabric);
	g_assert_cmpuint(heard.count, ==, 0);

	set_port(host, 1, "Lid=1 SMLid=1");
	set_port(edge, 0, "Lid=7 SMLid=1 SubnetTimeout=16");
	ask(edge, GET, 0x12, 0, 0, data);
	each_field(0x12, "LinearFdbTop=7", data, true, "top");
	g_assert_cmphex(ask(edge, SET, 0x12, 0, 0, data), ==, 0);
	memset(data, 255, sizeof(data));
	data[1] = 1;
	g_assert_cmphex(ask(edge, SET, 0x19, 0, 0, data), ==, 0);

	/* Down, and up again 10 ms later: a trap at once, and then every 268 ms. */
	set_port(edge, 2, "LinkState=1");
	settle(fabric);
	g_assert_cmpuint(heard.count, ==, 4);
	each_field(0x02, "NoticeIsGeneric=1 NoticeType=1 NoticeProducerType=2 NoticeTrapNumber=128 "
		   "NoticeIssuerLID=7", heard.mad + SMP_DATA, false, "notice");
	g_assert_cmphex(get_be16(heard.mad + SMP_DATA + 10), ==, 7);

	/* Another TID represses nothing. */
	memcpy(repress, heard.mad, MAD_SIZE);
	repress[MAD_METHOD] = MAD_METHOD_TRAP_REPRESS;
	put_be64(repress + MAD_TID, heard.tid + 1);
	sma_process(edge, &source, repress, out);
	settle(fabric);
	g_assert_cmpuint(heard.count, >, 4);
	heard.count = 0;
	put_be64(repress + MAD_TID, heard.tid);
	sma_process(edge, &source, repress, out);
	settle(fabric);
	g_assert_cmpuint(heard.count, ==, 0);

	/* If it is never repressed, the trap is not repeated for ever. */
	set_port(edge, 2, "PhysLinkState=3");
	for (int i = 0; i < 60; i++)
		settle(fabric);
	g_assert_cmpuint(heard.count, ==, 64);
	g_assert_cmpuint(fabric->queue.count, ==, 0);
	fabric_free(fabric);
}

/* ---- tables ---- */

static void test_forwarding_tables(void)
{
	struct umadrig_fabric *fabric = open_fabric();
	struct port *edge = port_of(fabric, "Edge", 1);
	uint8_t data[SMP_DATA_SIZE], none[SMP_DATA_SIZE] = { 0 };

	memset(data, 255, sizeof(data));
	data[3] = 2;
	g_assert_cmphex(ask(edge, SET, 0x19, 1, 0, data), ==, 0);
	g_assert_cmpuint(fabric_node(fabric, "Edge")->sw->lft[67], ==, 2);
	g_assert_cmpuint(fabric_node(fabric, "Edge")->sw->lft_size, ==, 128);
	memset(data, 0, sizeof(data));
	g_assert_cmphex(ask(edge, GET, 0x19, 1, 0, data), ==, 0);
	g_assert_cmpuint(data[3], ==, 2);
	g_assert_cmphex(ask(edge, SET, 0x19, 768, 0, data), ==, 0x1c);
	g_assert_cmphex(ask(port_of(fabric, "H1 HCA-1", 1), SET, 0x19, 0, 0, data), ==, 0x0c);

	memset(data, 0, sizeof(data));
	g_assert_cmphex(ask(edge, GET, 0x1b, 3, 0, data), ==, 0);
	g_assert_cmpmem(data, sizeof(data), none, sizeof(none));
	put_be16(data + 2, 0x0016);
	g_assert_cmphex(ask(edge, SET, 0x1b, 3, 0, data), ==, 0);
	memset(data, 0, sizeof(data));
	g_assert_cmphex(ask(edge, GET, 0x1b, 3, 0, data), ==, 0);
	g_assert_cmphex(get_be16(data + 2), ==, 0x0016);
	/* Four ports need no second part; the table ends with block 31. */
	g_assert_cmphex(ask(edge, SET, 0x1b, UINT32_C(0x10000003), 0, data), ==, 0x1c);
	g_assert_cmphex(ask(edge, SET, 0x1b, 32, 0, data), ==, 0x1c);
	fabric_free(fabric);
}

/* What is enabled on a port takes effect when its link trains again, and needs both ends. */
static void test_retrained(void)
{
	static const struct {
		const char *node;	/* at the other end of Edge's port */
		unsigned int num;
		uint16_t attr;
		const char *write, *before, *after;
	} cases[] = {
		{ "H2 HCA-1", 2, 0xff90, "StateChangeEnable=1 LinkSpeedEnabled=0",
		  "LinkSpeedActive=1", "LinkSpeedActive=0" },
		{ "H1 HCA-1", 1, 0x33, "EDRFECModeEnabled=1", "FECModeActive=2",
		  "FECModeActive=0" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct umadrig_fabric *fabric = open_fabric();
		struct port *edge = port_of(fabric, "Edge", 0);
		struct port *host = port_of(fabric, cases[i].node, 1);
		uint8_t data[SMP_DATA_SIZE] = { 0 };

		ask(host, GET, cases[i].attr, 1, 0, data);
		each_field(cases[i].attr, cases[i].write, data, true, cases[i].node);
		g_assert_cmphex(ask(host, SET, cases[i].attr, 1, 0, data), ==, 0);
		ask(edge, GET, cases[i].attr, cases[i].num, 0, data);
		each_field(cases[i].attr, cases[i].before, data, false, cases[i].node);
		set_port(edge, cases[i].num, "LinkState=1");
		settle(fabric);
		ask(edge, GET, cases[i].attr, cases[i].num, 0, data);
		each_field(cases[i].attr, cases[i].after, data, false, cases[i].node);
		fabric_free(fabric);
	}
}

/* Told twice in one instant to go down, a link trains for 10 ms as after once. */
static void test_down_twice_at_once(void)
{
	struct umadrig_fabric *fabric = open_fabric();
	struct port *edge = port_of(fabric, "Edge", 1);

	link_set_phys(edge, PORT_PHYS_POLLING);
	link_set_phys(edge, PORT_PHYS_POLLING);
	clock_step(fabric->clock, fabric->queue.now_ns + 9 * NS_PER_MS, false);
	g_assert_cmpint(edge->state, ==, PORT_DOWN);
	settle(fabric);
	g_assert_cmpint(edge->state, ==, PORT_INIT);
	fabric_free(fabric);
}

/* Widths that have nothing in common keep a link down, until they have again. */
static void test_enabled_again(void)
{
	struct umadrig_fabric *fabric = open_fabric();
	struct port *edge = port_of(fabric, "Edge", 1), *host = edge->peer;

	set_port(host, 1, "LinkWidthEnabled=2 LinkState=0 PhysLinkState=0");
	set_port(edge, 1, "LinkWidthEnabled=1 LinkState=1 PhysLinkState=0");
	clock_step(fabric->clock, fabric->queue.now_ns + NS_PER_S, false);
	g_assert_cmpuint(edge->state, ==, PORT_DOWN);
	set_port(edge, 1, "LinkWidthEnabled=2 LinkState=0 PhysLinkState=0");
	clock_step(fabric->clock, fabric->queue.now_ns + NS_PER_S, false);
	g_assert_cmpuint(edge->state, ==, PORT_INIT);
	g_assert_cmpuint(host->state, ==, PORT_INIT);
	g_assert_cmpuint(host->width_active, ==, 2);
	fabric_free(fabric);
}

/* Neither does a link come up with what its bad cable cannot carry; a good one brings it up. */
static void test_enabled_beyond_cable(void)
{
	struct umadrig_fabric *fabric = open_fabric();
	struct port *edge = port_of(fabric, "Edge", 1);

	g_assert_cmpint(link_degrade(edge, 1, 0), ==, 0);
	set_port(edge, 1, "LinkWidthEnabled=2 LinkState=1 PhysLinkState=0");
	clock_step(fabric->clock, fabric->queue.now_ns + NS_PER_S, false);
	g_assert_cmpuint(edge->state, ==, PORT_DOWN);
	g_assert_cmpint(link_restore(edge), ==, 0);
	clock_step(fabric->clock, fabric->queue.now_ns + NS_PER_S, false);
	g_assert_cmpuint(edge->state, ==, PORT_INIT);
	g_assert_cmpuint(edge->width_active, ==, 2);
	fabric_free(fabric);
}

static void test_node_description(void)
{
	struct umadrig_fabric *fabric = open_fabric();
	struct port *host = port_of(fabric, "H1 HCA-1", 1);
	uint8_t data[SMP_DATA_SIZE];

	/* All 64 bytes may be used, without a terminator. */
	memset(data, 'x', sizeof(data));
	g_assert_cmphex(ask(host, SET, 0x10, 0, 0, data), ==, 0);
	memset(data, 0, sizeof(data));
	g_assert_cmphex(ask(host, GET, 0x10, 0, 0, data), ==, 0);
	for (size_t i = 0; i < sizeof(data); i++)
		g_assert_cmpuint(data[i], ==, 'x');
	g_assert_cmphex(ask(host, SET, 0x10, 1, 0, data), ==, 0x1c);
	memset(data, 0, sizeof(data));
	memcpy(data, "node1 mlx5_0", 13);
	g_assert_cmphex(ask(host, SET, 0x10, 0, 0, data), ==, 0);
	g_assert_cmpstr((const char *)data, ==, "node1 mlx5_0");
	/* The node is found by the name in its file. */
	g_assert_true(port_of(fabric, "H1 HCA-1", 1) == host);
	fabric_free(fabric);
}

/* The prefix belongs to the subnet: all GIDs of the port have it. */
static void test_gids_follow_prefix(void)
{
	struct umadrig_fabric *fabric = open_fabric();
	struct port *host = port_of(fabric, "H1 HCA-1", 1);
	uint8_t data[SMP_DATA_SIZE] = { 0 };

	put_be64(data + 8, 77);
	g_assert_cmphex(ask(host, SET, 0x14, 0, 0, data), ==, 0);
	g_assert_cmphex(get_be64(host->end->gids[1]), ==, UINT64_C(0xfe80000000000000));
	set_port(host, 1, "GidPrefix=0x1122334455667788");
	g_assert_cmphex(get_be64(host->end->gids[0]), ==, UINT64_C(0x1122334455667788));
	g_assert_cmphex(get_be64(host->end->gids[1]), ==, UINT64_C(0x1122334455667788));
	g_assert_cmphex(get_be64(host->end->gids[2]), ==, 0);
	fabric_free(fabric);
}

/* ---- M_Key ---- */

static void test_m_key(void)
{
	struct umadrig_fabric *fabric = open_fabric();
	struct port *host = port_of(fabric, "H1 HCA-1", 1);
	uint8_t data[SMP_DATA_SIZE] = { 0 };

	set_port(host, 1, "Mkey=5 ProtectBits=2 MkeyLeasePeriod=10");
	g_assert_cmphex(ask(host, GET, 0x11, 0, 4, data), ==, SILENCE);
	g_assert_cmphex(ask(host, SET, 0x15, 1, 4, data), ==, SILENCE);
	g_assert_cmpuint(host->end->m_key_violations, ==, 2);

	/* A manager with the key renews the lease; otherwise the protection ends with it. */
	settle(fabric);
	g_assert_cmphex(ask(host, GET, 0x15, 1, 5, data), ==, 0);
	for (int i = 0; i < 10; i++)
		settle(fabric);
	g_assert_cmpuint(host->end->m_key_protect, ==, 2);
	g_assert_cmphex(ask(host, GET, 0x11, 0, 4, data), ==, SILENCE);
	for (int i = 0; i < 10; i++)
		settle(fabric);
	g_assert_cmpuint(host->end->m_key_protect, ==, 0);
	g_assert_cmphex(ask(host, GET, 0x15, 1, 4, data), ==, 0);
	each_field(0x15, "Mkey=5 MkeyViolations=3", data, false, "lease");

	/* Only a 0 clears the counter. */
	each_field(0x15, "LinkState=0 PhysLinkState=0 MkeyViolations=1", data, true, "counter");
	g_assert_cmphex(ask(host, SET, 0x15, 1, 5, data), ==, 0);
	each_field(0x15, "MkeyViolations=3", data, false, "counter");
	each_field(0x15, "LinkState=0 PhysLinkState=0 MkeyViolations=0", data, true, "counter");
	g_assert_cmphex(ask(host, SET, 0x15, 1, 5, data), ==, 0);
	each_field(0x15, "MkeyViolations=0", data, false, "counter");
	fabric_free(fabric);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/sma-set/field/%s", rows[i].name);

		g_test_add_data_func(path, &rows[i], test_row);
	}
	g_test_add_func("/sma-set/peer", test_peer);
	g_test_add_func("/sma-set/link-trap", test_link_trap);
	g_test_add_func("/sma-set/forwarding-tables", test_forwarding_tables);
	g_test_add_func("/sma-set/gids-follow-prefix", test_gids_follow_prefix);
	g_test_add_func("/sma-set/m-key", test_m_key);
	g_test_add_func("/sma-set/retrained", test_retrained);
	g_test_add_func("/sma-set/down-twice-at-once", test_down_twice_at_once);
	g_test_add_func("/sma-set/enabled-again", test_enabled_again);
	g_test_add_func("/sma-set/enabled-beyond-cable", test_enabled_beyond_cable);
	g_test_add_func("/sma-set/node-description", test_node_description);
	return leak_end(g_test_run());
}
