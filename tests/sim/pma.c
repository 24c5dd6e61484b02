/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The performance management agent: packets are counted where they cross a cable, errors where they
 * occur, and each attribute reports them with counters of its own.
 */
#include <stdio.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port-counters.h"
#include "sim/fabric/port.h"
#include "sim/fabric/route.h"
#include "tests/rig/leak.h"
#include "sim/agents/pma.h"
#include "tests/rig/rig.h"

enum {
	PORT_COUNTERS = 0x0012,
	EXTENDED = 0x001d,
	WORDS = 72,		/* LRH 8, BTH 12, DETH 8, MAD 256, ICRC 4 octets: in words of 4 */
	WORDS_GRH = 82,		/* and 40 octets of GRH */
};

/* Two hosts on a switch with an enhanced port 0; port 3 has a cable that leads nowhere. */
static const char net[] =
	"vendid=0x2c9\ndevid=0xcb20\nsysimgguid=0x2c90300000010\n"
	"switchguid=0x2c90300000010(2c90300000010)\n"
	"Switch\t3 \"S-0002c90300000010\"\t\t# \"Edge\" enhanced port 0 lid 7 lmc 0\n"
	"[1]\t\"H-0002c90300000020\"[1](2c90300000021) \t\t# \"H1 HCA-1\" lid 1 4xEDR\n"
	"[2]\t\"H-0002c90300000030\"[1](2c90300000031) \t\t# \"H2 HCA-1\" lid 2 4xEDR\n"
	"\n"
	"vendid=0x2c9\ndevid=0x1017\nsysimgguid=0x2c90300000023\ncaguid=0x2c90300000020\n"
	"Ca\t1 \"H-0002c90300000020\"\t\t# \"H1 HCA-1\"\n"
	"[1](2c90300000021) \t\"S-0002c90300000010\"[1]\t\t# lid 1 lmc 0 \"Edge\" lid 7 4xEDR\n"
	"\n"
	"vendid=0x2c9\ndevid=0x1017\nsysimgguid=0x2c90300000033\ncaguid=0x2c90300000030\n"
	"Ca\t2 \"H-0002c90300000030\"\t\t# \"H2 HCA-1\"\n"
	"[1](2c90300000031) \t\"S-0002c90300000010\"[2]\t\t# lid 2 lmc 0 \"Edge\" lid 7 4xEDR\n";

/* ---- traffic ---- */

/* A packet from H1, of a class that is never answered. All zero: to H2 on SL 0, once. */
struct sent {
	unsigned int count;
	uint16_t dlid;
	uint8_t sl;
	bool has_grh;
	bool is_smp;		/* then on VL 15 */
	uint8_t path[4];	/* and by a directed route with this many hops */
};

static void send(struct umadrig_fabric *fabric, const struct sent *sent)
{
	struct packet_addr addr = {
		.slid = sent->path[0] ? LID_PERMISSIVE : 1,
		.dlid = sent->path[0] ? LID_PERMISSIVE : sent->dlid ? sent->dlid : 2,
		.sl = sent->sl, .vl = sent->is_smp ? 15 : 0, .pkey = 0xffff,
		.src_qp = !sent->is_smp, .dest_qp = !sent->is_smp,
		.qkey = sent->is_smp ? 0 : QKEY_GSI, .has_grh = sent->has_grh,
	};
	struct packet packet = { 0 };
	uint8_t *mad;

	packet_build(&packet, &addr);
	mad = packet_mad(&packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = sent->path[0] ? MAD_CLASS_SUBN_DR :
			 sent->is_smp ? MAD_CLASS_SUBN_LID : MAD_CLASS_SUBN_ADM;
	mad[MAD_CLASS_VERSION] = 1;
	/* A report without a subscriber: no agent takes it or answers it. */
	mad[MAD_METHOD] = MAD_METHOD_REPORT;
	put_be64(mad + MAD_TID, 1);
	if (sent->path[0]) {
		put_be16(mad + SMP_DR_SLID, LID_PERMISSIVE);
		put_be16(mad + SMP_DR_DLID, LID_PERMISSIVE);
		mad[SMP_HOP_PTR] = 1;
		mad[SMP_HOP_CNT] = sent->path[0];
		memcpy(mad + SMP_INITIAL_PATH + 1, sent->path + 1, sent->path[0]);
	}
	for (unsigned int i = 0; i < (sent->count ? sent->count : 1); i++) {
		g_assert_cmpint(umadrig_inject(umadrig_port(fabric, "H1 HCA-1", 1), packet.bytes,
					       packet_size(&packet)), ==, 0);
		umadrig_step(fabric, umadrig_now(fabric) + NS_PER_MS);
	}
}

/* ---- requests ---- */

struct ask {
	uint8_t method;		/* 0: Get */
	uint8_t version;	/* 0: 1 */
	uint16_t attr;
	uint32_t modifier;
	unsigned int port;
};

enum { ANSWERED = KMOD_MAD_SUCCESS | KMOD_MAD_REPLY };

/*
 * Asks the node directly, which changes no counter; 'data' is the request's, then the response's.
 */
static unsigned int ask(struct umadrig_fabric *fabric, const char *node, const struct ask *what,
			uint8_t data[PMA_DATA_SIZE], unsigned int *ret_status)
{
	uint8_t in[MAD_SIZE] = { 0 }, out[MAD_SIZE] = { 0 };
	unsigned int result;

	in[MAD_BASE_VERSION] = 1;
	in[MAD_CLASS] = MAD_CLASS_PERF;
	in[MAD_CLASS_VERSION] = what->version ? what->version : 1;
	in[MAD_METHOD] = what->method ? what->method : MAD_METHOD_GET;
	put_be16(in + MAD_ATTR_ID, what->attr);
	put_be32(in + MAD_ATTR_MOD, what->modifier);
	memcpy(in + PMA_DATA, data, PMA_DATA_SIZE);
	in[PMA_DATA + 1] = (uint8_t)what->port;
	result = pma_process(fabric_node(fabric, node), in, out);
	if (result & KMOD_MAD_REPLY) {
		g_assert_cmphex(out[MAD_METHOD], ==, MAD_METHOD_GET_RESP);
		memcpy(data, out + PMA_DATA, PMA_DATA_SIZE);
	}
	*ret_status = get_be16(out + MAD_STATUS);
	return result;
}

static const struct mad_field *field_of(uint16_t attr, const char *name)
{
	return mad_field_must(MAD_CLASS_PERF, attr, name);
}

/* The present value of a field. */
static uint64_t get(struct umadrig_fabric *fabric, const char *node, unsigned int port,
		    uint16_t attr, const char *name)
{
	struct ask what = { .attr = attr, .port = port };
	uint8_t data[PMA_DATA_SIZE] = { 0 };
	unsigned int status;

	g_assert_cmpuint(ask(fabric, node, &what, data, &status), ==, ANSWERED);
	g_assert_cmphex(status, ==, 0);
	return mad_field_get(field_of(attr, name), data);
}

/* "Field=1 Field=2": the contents of a Set. */
static void set(struct umadrig_fabric *fabric, const char *node, unsigned int port, uint16_t attr,
		const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	struct ask what = { .method = MAD_METHOD_SET, .attr = attr, .port = port };
	uint8_t data[PMA_DATA_SIZE] = { 0 };
	unsigned int status;

	for (size_t i = 0; words[i]; i++) {
		char *value = strchr(words[i], '=');

		*value++ = '\0';
		mad_field_set(field_of(attr, words[i]), data, g_ascii_strtoull(value, NULL, 0));
	}
	g_assert_cmpuint(ask(fabric, node, &what, data, &status), ==, ANSWERED);
	g_assert_cmphex(status, ==, 0);
}

/*
 * "H1[1] PortXmitData=72; Edge[2] ...": expects these values of counters of nodes (by the beginning
 * of their description), from the agent and from umadrig_counter().
 */
static void check_counters(struct umadrig_fabric *fabric, const char *text)
{
	g_auto(GStrv) ports = g_strsplit(text, "; ", -1);

	for (size_t p = 0; ports[p]; p++) {
		g_auto(GStrv) words = g_strsplit(ports[p], " ", -1);
		g_auto(GStrv) where = g_strsplit_set(words[0], "[]", -1);
		g_autofree char *node = g_str_has_prefix(where[0], "H") ?
					g_strconcat(where[0], " HCA-1", NULL) : g_strdup(where[0]);
		unsigned int port = (unsigned int)g_ascii_strtoull(where[1], NULL, 10);

		for (size_t i = 1; words[i]; i++) {
			char *value = strchr(words[i], '=');
			int64_t wanted = g_ascii_strtoll(value + 1, NULL, 10), got;

			*value = '\0';
			got = umadrig_counter(fabric, node, port, words[i]);
			if (got != wanted)
				g_error("%s %s is %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT,
					words[0], words[i], got, wanted);
		}
	}
}

/* ---- what is counted where ---- */

static void cut(struct umadrig_fabric *fabric)
{
	g_assert_cmpint(umadrig_port_remove(umadrig_port(fabric, "H2 HCA-1", 1)), ==, 0);
}

static void no_route(struct umadrig_fabric *fabric)
{
	switch_lft(fabric_node(fabric, "Edge"), 64)[2] = 255;
}

static void route_back(struct umadrig_fabric *fabric)
{
	switch_lft(fabric_node(fabric, "Edge"), 64)[2] = 1;
}

static void link_in_init(struct umadrig_fabric *fabric)
{
	fabric_node(fabric, "Edge")->ports[2].state = PORT_INIT;
}

static const struct counted {
	const char *name;
	const char *fault;
	void (*before)(struct umadrig_fabric *fabric);
	struct sent sent;
	const char *counters;
} counted[] = {
	{ "nothing", NULL, NULL, { .dlid = 1 },	/* its own LID: loops back in the HCA */
	  "H1[1] PortXmitData=0 PortXmitPkts=0 PortRcvData=0 PortRcvPkts=0; "
	  "Edge[1] PortRcvPkts=0" },
	{ "one packet", NULL, NULL, { 0 },
	  "H1[1] PortXmitData=72 PortXmitPkts=1 PortRcvData=0 PortRcvPkts=0 PortUnicastXmitPkts=1 "
	  "PortMulticastXmitPkts=0; Edge[1] PortRcvData=72 PortRcvPkts=1 PortUnicastRcvPkts=1 "
	  "PortXmitPkts=0; Edge[2] PortXmitData=72 PortXmitPkts=1; H2[1] PortRcvData=72 "
	  "PortRcvPkts=1; Edge[0] PortRcvPkts=0; Edge[255] PortRcvPkts=1 PortXmitData=72" },
	{ "seven with a GRH", NULL, NULL, { .count = 7, .has_grh = true },
	  "H1[1] PortXmitData=574 PortXmitPkts=7; H2[1] PortRcvData=574 PortRcvPkts=7" },
	{ "to the switch", NULL, NULL, { .dlid = 7, .count = 2 },
	  "H1[1] PortXmitPkts=2; Edge[1] PortRcvPkts=2; Edge[0] PortRcvPkts=2 PortRcvData=144; "
	  "Edge[2] PortXmitPkts=0; Edge[255] PortRcvPkts=4" },
	{ "by SL and VL", NULL, NULL, { .count = 3, .sl = 5 },
	  "H1[1] XmtDataSL5=216 XmtDataSL0=0 PortXmitData=216; H2[1] RcvDataSL5=216 RcvDataSL0=0 "
	  "PortVLOpPackets5=3 PortVLOpData5=216 PortVLOpPackets0=0 PortVLOpPackets15=0" },
	{ "plain ones are SL 0, VL 0", NULL, NULL, { .count = 3 },
	  "H1[1] XmtDataSL0=216 XmtDataSL5=0; H2[1] RcvDataSL0=216 PortVLOpPackets0=3 "
	  "PortVLOpData0=216 PortVLOpPackets2=0 PortOpRcvPkts=3 PortOpRcvData=216" },
	{ "SMPs are on VL 15", NULL, NULL, { .count = 2, .is_smp = true },
	  "H2[1] PortVLOpPackets15=2 PortVLOpData15=144 PortVLOpPackets0=0 PortRcvPkts=2" },
	{ "by directed route", NULL, NULL, { .is_smp = true, .path = { 2, 1, 2 } },
	  "H1[1] PortXmitPkts=1 PortUnicastXmitPkts=1; Edge[1] PortRcvPkts=1; "
	  "Edge[2] PortXmitPkts=1; H2[1] PortRcvPkts=1" },
	{ "lost on the cable", "drop all from \"H1 HCA-1[1]\"", NULL, { 0 },
	  "H1[1] PortXmitPkts=1; Edge[1] PortRcvPkts=0 PortRcvErrors=0; H2[1] PortRcvPkts=0" },
	{ "twice on the cable", "duplicate 1 to \"H2 HCA-1[1]\"", NULL, { .count = 2 },
	  "Edge[2] PortXmitPkts=2; H2[1] PortRcvPkts=3" },
	{ "damaged", "corrupt 2 to \"H2 HCA-1[1]\"", NULL, { .count = 5 },
	  "H1[1] PortXmitPkts=5; Edge[1] PortRcvPkts=5 PortRcvErrors=0; Edge[2] PortXmitPkts=5; "
	  "H2[1] PortRcvPkts=3 PortRcvErrors=2 PortLocalPhysicalErrors=2 "
	  "PortMalformedPktErrors=0" },
	{ "no route", NULL, no_route, { .count = 4 },
	  "Edge[1] PortRcvPkts=4 PortRcvSwitchRelayErrors=4 PortDLIDMappingErrors=4 "
	  "PortLoopingErrors=0 PortRcvErrors=0; Edge[2] PortXmitPkts=0" },
	{ "a LID beyond the table", NULL, NULL, { .dlid = 4000 },
	  "Edge[1] PortRcvSwitchRelayErrors=1 PortDLIDMappingErrors=1" },
	{ "a route back", NULL, route_back, { .count = 3 },
	  "Edge[1] PortRcvPkts=3 PortRcvSwitchRelayErrors=3 PortLoopingErrors=3 PortXmitPkts=0; "
	  "H1[1] PortRcvPkts=0" },
	{ "a directed route may turn back", NULL, NULL, { .is_smp = true, .path = { 2, 1, 1 } },
	  "Edge[1] PortRcvPkts=1 PortXmitPkts=1 PortRcvSwitchRelayErrors=0; H1[1] PortRcvPkts=1" },
	{ "a link that is not Active", NULL, link_in_init, { .count = 2 },
	  "Edge[2] PortXmitPkts=0 PortXmitDiscards=2 PortInactiveDiscards=2; H2[1] PortRcvPkts=0" },
	{ "SMPs pass there", NULL, link_in_init, { .count = 2, .is_smp = true },
	  "Edge[2] PortXmitPkts=2 PortXmitDiscards=0; H2[1] PortRcvPkts=2" },
	{ "no cable", NULL, NULL, { .is_smp = true, .path = { 2, 1, 3 } },
	  "Edge[3] PortXmitPkts=0 PortXmitDiscards=1 PortInactiveDiscards=1" },
	{ "pulled out", NULL, cut, { .count = 2 },
	  "Edge[2] LinkDownedCounter=1 PortXmitDiscards=2 PortXmitPkts=0; "
	  "Edge[255] LinkDownedCounter=1" },
};

static void test_counted(const void *data)
{
	const struct counted *row = data;
	struct rig rig = rig_open_text(net, ",clock=virtual");
	char message[256] = "";

	if (row->fault)
		g_assert_cmpint(umadrig_fault_add_text(rig.fabric, row->fault, message,
						       sizeof(message)),
				==, 1);
	g_assert_cmpstr(message, ==, "");
	if (row->before)
		row->before(rig.fabric);
	send(rig.fabric, &row->sent);
	check_counters(rig.fabric, row->counters);
	rig_close(&rig);
}

/* A port's responses contain its counters, whatever else it has counted. */
static void test_sums(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	uint64_t sum_sl = 0, sum_vl = 0;

	for (unsigned int i = 0; i < 20; i++)
		send(rig.fabric, &(struct sent) { .count = i % 3 + 1, .sl = i % 16,
						  .is_smp = i % 7 == 0, .has_grh = i % 5 == 0 });
	for (unsigned int lane = 0; lane < COUNTER_LANES; lane++) {
		char name[32];

		g_snprintf(name, sizeof(name), "RcvDataSL%u", lane);
		sum_sl += (uint64_t)umadrig_counter(rig.fabric, "H2 HCA-1", 1, name);
		g_snprintf(name, sizeof(name), "PortVLOpData%u", lane);
		sum_vl += (uint64_t)umadrig_counter(rig.fabric, "H2 HCA-1", 1, name);
	}
	g_assert_cmpint(umadrig_counter(rig.fabric, "H2 HCA-1", 1, "PortRcvPkts"), ==, 39);
	g_assert_cmpuint(sum_sl, ==, 39 * WORDS + 7 * (WORDS_GRH - WORDS));
	g_assert_cmpuint(sum_vl, ==, sum_sl);
	rig_close(&rig);
}

/* ---- Get and Set ---- */

/*
 * Each attribute has its own counters; a Set writes those that CounterSelect names, and no others.
 */
static void test_set(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	struct umadrig_fabric *f = rig.fabric;
	const char *h1 = "H1 HCA-1";

	send(f, &(struct sent) { .count = 3 });
	set(f, h1, 1, PORT_COUNTERS, "CounterSelect=0x1000");
	g_assert_cmpuint(get(f, h1, 1, PORT_COUNTERS, "PortXmitData"), ==, 0);
	g_assert_cmpuint(get(f, h1, 1, PORT_COUNTERS, "PortXmitPkts"), ==, 3);
	g_assert_cmpuint(get(f, h1, 1, EXTENDED, "PortXmitData"), ==, 3 * WORDS);
	send(f, &(struct sent) { .count = 2 });
	g_assert_cmpuint(get(f, h1, 1, PORT_COUNTERS, "PortXmitData"), ==, 2 * WORDS);
	g_assert_cmpuint(get(f, h1, 1, EXTENDED, "PortXmitData"), ==, 5 * WORDS);

	/* A counter counts on from the value written, and stops at the end of its field. */
	set(f, h1, 1, PORT_COUNTERS,
	    "CounterSelect=0x4004 LinkDownedCounter=254 PortXmitPkts=0xfffffffe");
	g_assert_cmpuint(get(f, h1, 1, PORT_COUNTERS, "PortXmitPkts"), ==, 0xfffffffe);
	send(f, &(struct sent) { .count = 5 });
	g_assert_cmpuint(get(f, h1, 1, PORT_COUNTERS, "PortXmitPkts"), ==, 0xffffffff);
	g_assert_cmpuint(get(f, h1, 1, PORT_COUNTERS, "LinkDownedCounter"), ==, 254);
	g_assert_cmpuint(get(f, h1, 1, EXTENDED, "PortXmitPkts"), ==, 10);

	/* CounterSelect2: its bits follow those of CounterSelect. */
	set(f, h1, 1, PORT_COUNTERS, "CounterSelect2=1 PortXmitWait=7 QP1Dropped=8");
	g_assert_cmpuint(get(f, h1, 1, PORT_COUNTERS, "PortXmitWait"), ==, 7);
	g_assert_cmpuint(get(f, h1, 1, PORT_COUNTERS, "QP1Dropped"), ==, 0);
	set(f, h1, 1, EXTENDED, "CounterSelect2=0x2001 SymbolErrorCounter=5 QP1Dropped=6 "
	    "PortXmitWait=9");
	g_assert_cmpuint(get(f, h1, 1, EXTENDED, "SymbolErrorCounter"), ==, 5);
	g_assert_cmpuint(get(f, h1, 1, EXTENDED, "QP1Dropped"), ==, 6);
	g_assert_cmpuint(get(f, h1, 1, EXTENDED, "PortXmitWait"), ==, 0);
	g_assert_cmpuint(get(f, h1, 1, EXTENDED, "PortXmitPkts"), ==, 10);

	/* All ports at once: each is set, the sum is returned. */
	set(f, "Edge", 255, PORT_COUNTERS, "CounterSelect=0xffff PortRcvErrors=2");
	g_assert_cmpuint(get(f, "Edge", 3, PORT_COUNTERS, "PortRcvErrors"), ==, 2);
	g_assert_cmpuint(get(f, "Edge", 0, PORT_COUNTERS, "PortRcvErrors"), ==, 2);
	g_assert_cmpuint(get(f, "Edge", 255, PORT_COUNTERS, "PortRcvErrors"), ==, 8);
	g_assert_cmpuint(get(f, "Edge", 1, PORT_COUNTERS, "PortRcvPkts"), ==, 0);
	set(f, "Edge", 255, PORT_COUNTERS, "CounterSelect=0x8 PortRcvErrors=0xffff");
	g_assert_cmpuint(get(f, "Edge", 255, PORT_COUNTERS, "PortRcvErrors"), ==, 0xffff);
	rig_close(&rig);
}

/* Every counter of every attribute can be written, read back, and reset to 0. */
/* Everything that can be counted, a thousand times. */
static void count_all(struct port_counters *counters)
{
	counters->xmit_data += 1000;
	counters->xmit_pkts += 1000;
	counters->rcv_data += 1000;
	counters->rcv_pkts += 1000;
	for (unsigned int what = COUNTER_RARE; what < COUNTER_XMIT_DATA_SL; what++)
		port_counters_add(counters, what, 1);
	for (unsigned int what = COUNTER_XMIT_DATA_SL; what < COUNTER_END; what++)
		port_counters_add(counters, what,
				  (what - COUNTER_XMIT_DATA_SL) % COUNTER_LANES != 0);
}

static void test_every_counter(void)
{
	const struct mad_class_info *info = mad_class_find(MAD_CLASS_PERF);
	struct rig rig = rig_open_text(net, ",clock=virtual");
	struct node *edge = fabric_node(rig.fabric, "Edge");
	unsigned int counters = 0;
	uint64_t value;

	for (const struct mad_attribute *a = info->attributes; a->name; a++) {
		if (!pma_counters_find(fabric_node(rig.fabric, "Edge"), a->id))
			continue;
		for (const struct mad_field *field = a->fields; field->name; field++) {
			g_autofree char *name = g_strconcat(a->name, ".", field->name, NULL);
			int64_t most = (int64_t)MIN(mad_field_max(field), (uint64_t)INT64_MAX);

			if (strstr(field->name, "Select") || strcmp(field->name, "OpCode") == 0)
				continue;
			counters++;
			if (umadrig_counter_set(rig.fabric, "Edge", 2, name, (uint64_t)most))
				g_error("%s cannot be set", name);
			g_assert_cmpint(umadrig_counter(rig.fabric, "Edge", 2, name), ==, most);
			if (most < INT64_MAX)
				g_assert_cmpint(umadrig_counter_set(rig.fabric, "Edge", 2, name,
								    (uint64_t)most + 1), ==,
						-ERANGE);
			/* It stays at its end, even at 2^64 - 1. */
			g_assert_cmpint(pma_counter_set(edge, 2, name, mad_field_max(field)), ==,
					0);
			count_all(&edge->ports[2].counters);
			g_assert_cmpint(pma_counter_get(edge, 2, name, &value), ==, 0);
			g_assert_cmpuint(value, ==, mad_field_max(field));
			g_assert_cmpint(umadrig_counter(rig.fabric, "Edge", 2, name), ==, most);
			g_assert_cmpint(umadrig_counter(rig.fabric, "Edge", 255, name), ==, most);
			g_assert_cmpint(umadrig_counter_set(rig.fabric, "Edge", 2, name, 0), ==, 0);
			g_assert_cmpint(umadrig_counter(rig.fabric, "Edge", 2, name), ==, 0);
		}
	}
	g_assert_cmpuint(counters, ==, 18 + 22 + 6 + 4 + 2 + 2 + 4 * 16 + 41 + 16 + 2 + 2 * 16 + 1 +
			 15 + 2 * 16);
	rig_close(&rig);
}

/* ---- sampling ---- */

/* What sampling reports at a time in milliseconds: status and first counter. */
static void check_sample(struct umadrig_fabric *fabric, int64_t at_ms, unsigned int status,
			 uint64_t packets, uint64_t words)
{
	umadrig_step(fabric, at_ms * NS_PER_MS);
	g_assert_cmpuint(get(fabric, "Edge", 2, 0x11, "SampleStatus"), ==, status);
	g_assert_cmpuint(get(fabric, "Edge", 2, 0x11, "Tag"), ==, 0x1234);
	g_assert_cmpuint(get(fabric, "Edge", 2, 0x11, "Counter0"), ==, packets);
	g_assert_cmpuint(get(fabric, "Edge", 2, 0x11, "Counter14"), ==, words);
	g_assert_cmpuint(get(fabric, "Edge", 2, 0x11, "Counter7"), ==, 0);
	g_assert_cmpuint(get(fabric, "Edge", 2, 0x1e, "Counter14"), ==, words);
	g_assert_cmpuint(get(fabric, "Edge", 2, 0x1e, "SampleStatus"), ==, status);
	g_assert_cmpuint(get(fabric, "Edge", 2, 0x10, "SampleStatus"), ==, status);
}

/* A packet each millisecond; from 100 ms on 50 ms are sampled. Ticks are 4 ns. */
static void test_samples(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	struct umadrig_fabric *f = rig.fabric;
	const char *asked = "PortSelect=2 SampleStart=25000000 SampleInterval=12500000 Tag=0x1234 "
			    "CounterSelect0=3 CounterSelect14=1";

	g_assert_cmpuint(get(f, "Edge", 2, 0x10, "SampleStatus"), ==, 0);
	g_assert_cmpuint(get(f, "Edge", 2, 0x10, "PortSelect"), ==, 2);
	g_assert_cmpuint(get(f, "Edge", 2, 0x10, "Tick"), ==, 3);	/* of 1 ns, at 10 Gb/s */
	g_assert_cmpuint(get(f, "Edge", 2, 0x10, "CounterWidth"), ==, 4);
	g_assert_cmpuint(get(f, "Edge", 2, 0x10, "CounterMasks1to9"), ==, 0111111111);
	set(f, "Edge", 2, 0x10, asked);
	check_sample(f, 0, 1, 0, 0);
	send(f, &(struct sent) { .count = 90 });
	check_sample(f, 99, 1, 0, 0);
	check_sample(f, 100, 2, 0, 0);
	send(f, &(struct sent) { .count = 20 });
	check_sample(f, 120, 2, 20, 20 * WORDS);
	/* A different request is ignored meanwhile. */
	set(f, "Edge", 2, 0x10, "PortSelect=1 Tag=7 SampleInterval=1");
	g_assert_cmpuint(get(f, "Edge", 2, 0x10, "SampleInterval"), ==, 12500000);
	send(f, &(struct sent) { .count = 60 });
	check_sample(f, 181, 0, 50, 50 * WORDS);
	send(f, &(struct sent) { .count = 5 });
	check_sample(f, 190, 0, 50, 50 * WORDS);

	/* All ports together: in through one, out through the other. */
	set(f, "Edge", 255, 0x10, "SampleInterval=2500000 Tag=0x1234 CounterSelect0=4 "
	    "CounterSelect14=1");
	umadrig_step(f, 191 * NS_PER_MS);
	send(f, &(struct sent) { .count = 3 });
	check_sample(f, 300, 0, 3, 3 * WORDS);
	rig_close(&rig);
}

/* ---- what it answers, and how ---- */

static const struct answered {
	const char *name;
	const char *node;
	struct ask ask;
	unsigned int result;
	unsigned int status;
} answered[] = {
	{ "a port", "H2 HCA-1", { .attr = PORT_COUNTERS, .port = 2 }, ANSWERED, 0 },
	{ "port 0 of a switch", "Edge", { .attr = PORT_COUNTERS }, ANSWERED, 0 },
	{ "all ports", "H2 HCA-1", { .attr = EXTENDED, .port = 255 }, ANSWERED, 0 },
	{ "port 0 of a CA", "H2 HCA-1", { .attr = PORT_COUNTERS }, ANSWERED, 0x1c },
	{ "no such port", "Edge", { .attr = EXTENDED, .port = 4 }, ANSWERED, 0x1c },
	{ "a modifier", "Edge", { .attr = EXTENDED, .modifier = 1, .port = 1 }, ANSWERED, 0x1c },
	{ "what there is not", "Edge", { .attr = 0x00ff, .port = 1 }, ANSWERED, 0x0c },
	{ "a switch's on a CA", "H1 HCA-1", { .attr = 0x30, .port = 1 }, ANSWERED, 0x0c },
	{ "a switch's", "Edge", { .attr = 0x30, .port = 1 }, ANSWERED, 0 },
	{ "Set of what is only read", "Edge", { .method = MAD_METHOD_SET, .attr = 1 }, ANSWERED,
	  0x0c },
	{ "ClassPortInfo", "Edge", { .attr = 1 }, ANSWERED, 0 },
	{ "its modifier", "Edge", { .attr = 1, .modifier = 1 }, ANSWERED, 0x1c },
	{ "another sampling mechanism", "Edge", { .attr = 0x10, .modifier = 1, .port = 1 },
	  ANSWERED, 0x1c },
	{ "sampling at no port", "Edge", { .attr = 0x10, .port = 9 }, ANSWERED, 0x1c },
	{ "Set of a result", "Edge", { .method = MAD_METHOD_SET, .attr = 0x11 }, ANSWERED, 0x0c },
	{ "no such method", "Edge", { .method = 0x15, .attr = 1 }, ANSWERED, 0x08 },
	{ "another class version", "Edge", { .version = 2, .attr = 1 }, ANSWERED, 0x04 },
	{ "a response", "Edge", { .method = 0x81, .attr = 1 }, KMOD_MAD_SUCCESS, 0 },
	{ "a trap", "Edge", { .method = 0x05, .attr = 2 }, KMOD_MAD_SUCCESS, 0 },
};

static void test_answered(const void *data)
{
	const struct answered *row = data;
	struct rig rig = rig_open_text(net, ",clock=virtual");
	uint8_t payload[PMA_DATA_SIZE] = { 0 };
	unsigned int status;

	g_assert_cmphex(ask(rig.fabric, row->node, &row->ask, payload, &status), ==, row->result);
	g_assert_cmphex(status, ==, row->status);
	rig_close(&rig);
}

/* Counted by opcode: there are no packets with another opcode than that of MADs. */
static void test_opcode(void)
{
	static const struct { uint8_t opcode; unsigned int packets; } rows[] = {
		{ 0, 2 }, { BTH_UD_SEND_ONLY, 2 }, { 0x04, 0 },
	};
	struct rig rig = rig_open_text(net, ",clock=virtual");

	send(rig.fabric, &(struct sent) { .count = 2 });
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct ask what = { .attr = 0x17, .port = 1 };
		uint8_t data[PMA_DATA_SIZE] = { rows[i].opcode };
		unsigned int status;

		g_assert_cmpuint(ask(rig.fabric, "H2 HCA-1", &what, data, &status), ==, ANSWERED);
		g_assert_cmphex(data[0], ==, rows[i].opcode);
		g_assert_cmpuint(mad_field_get(field_of(0x17, "PortOpRcvPkts"), data), ==,
				 rows[i].packets);
	}
	rig_close(&rig);
}

/*
 * Over the fabric: when the agent answers, the request has crossed the cable, the response has not.
 */
static void test_asked(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	int fd = rig_open_port(&rig, "H1 HCA-1", "sim0", 1);
	uint32_t agent = rig_register(&rig, fd, MAD_CLASS_PERF, 0);
	static const struct { uint16_t dlid; unsigned int port, rcv, xmit; } rows[] = {
		{ 2, 1, 1, 0 }, { 2, 1, 2, 1 }, { 7, 1, 3, 2 }, { 7, 0, 2, 1 }, { 7, 2, 2, 2 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig_get what = { .mgmt_class = MAD_CLASS_PERF, .attr = PORT_COUNTERS,
					.dlid = rows[i].dlid, .tid = 1, .timeout_ms = 100 };
		uint8_t umad[RIG_UMAD], *data = umad + RIG_HEADER + PMA_DATA;

		rig_fill(umad, agent, &what);
		data[1] = (uint8_t)rows[i].port;
		g_assert_cmpint(rig.backend->send(fd, umad, sizeof(umad)), ==, sizeof(umad));
		g_assert_cmpint(rig_recv(&rig, fd, umad, 1000), ==, RIG_UMAD);
		g_assert_cmphex(get_be16(umad + RIG_HEADER + MAD_STATUS), ==, 0);
		g_assert_cmpuint(mad_field_get(field_of(PORT_COUNTERS, "PortRcvPkts"), data), ==,
				 rows[i].rcv);
		g_assert_cmpuint(mad_field_get(field_of(PORT_COUNTERS, "PortXmitPkts"), data), ==,
				 rows[i].xmit);
	}
	rig.backend->close(fd);
	rig_close(&rig);
}

/* ---- by name ---- */

static void test_names(void)
{
	static const struct { const char *node; unsigned int port; const char *name; int64_t is; }
	rows[] = {
		{ "H1 HCA-1", 1, "PortXmitPkts", 1 },
		{ "H1 HCA-1", 1, "portxmitpkts", 1 },
		{ "H1 HCA-1", 1, "PortCounters.PortXmitPkts", 1 },
		{ "H1 HCA-1", 1, "PortVLOpPackets0", 0 },
		{ "H1 HCA-1", 255, "PortXmitPkts", 1 },
		{ "H1 HCA-1", 0, "PortXmitPkts", -ENOENT },
		{ "H1 HCA-1", 2, "PortXmitPkts", -ENOENT },
		{ "H9", 1, "PortXmitPkts", -ENOENT },
		{ "H1 HCA-1", 1, "PortXmitPackets", -EINVAL },
		{ "H1 HCA-1", 1, "PortSelect", -EINVAL },
		{ "H1 HCA-1", 1, "PortRcvErrorDetails.PortXmitPkts", -EINVAL },
		{ "H1 HCA-1", 1, "NodeInfo.PortXmitPkts", -EINVAL },
		{ "H1 HCA-1", 1, "", -EINVAL },
	};
	struct rig rig = rig_open_text(net, ",clock=virtual");

	send(rig.fabric, &(struct sent) { 0 });
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_assert_cmpint(umadrig_counter(rig.fabric, rows[i].node, rows[i].port,
						rows[i].name), ==, rows[i].is);
		if (rows[i].is < 0)
			g_assert_cmpint(umadrig_counter_set(rig.fabric, rows[i].node, rows[i].port,
							    rows[i].name, 0), ==, rows[i].is);
	}
	rig_close(&rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(counted); i++) {
		g_autofree char *path = g_strconcat("/pma/counted/", counted[i].name, NULL);

		g_test_add_data_func(path, &counted[i], test_counted);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(answered); i++) {
		g_autofree char *path = g_strconcat("/pma/answered/", answered[i].name, NULL);

		g_test_add_data_func(path, &answered[i], test_answered);
	}
	g_test_add_func("/pma/sums", test_sums);
	g_test_add_func("/pma/set", test_set);
	g_test_add_func("/pma/every-counter", test_every_counter);
	g_test_add_func("/pma/samples", test_samples);
	g_test_add_func("/pma/opcode", test_opcode);
	g_test_add_func("/pma/asked", test_asked);
	g_test_add_func("/pma/names", test_names);
	return leak_end(g_test_run());
}
