/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Routers: packets with a GRH go from subnet to subnet, and answers come back; what a router does
 * not forward; paths and loads over routers.
 *
 * Subnet 1 (fec0::1) has A1 (LID 2) and A2 (3), 2 has B1 and B2, 3 has C1. R1 is between 1 and 2,
 * R2 between 2 and 3; R3 has a port in 3 only.
 */
#include <glib.h>
#include <string.h>

#include "kmod-stub/packet.h"
#include "sim/fabric/cable.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-load.h"
#include "sim/fabric/forward.h"
#include "sim/fabric/node.h"
#include "sim/fabric/raw-packet.h"
#include "sim/fabric/router.h"
#include "sim/fabric/subnet.h"
#include "sim/run/open.h"
#include "sim/sa/sa-answer.h"
#include "tests/rig/fabric-text.h"

static const char net[] =
	"Switch 8 \"S1\"\n[1] \"A1\"[1]\n[2] \"A2\"[1]\n[3] \"R1\"[1]\n\n"
	"Hca 1 \"A1\"\n[1] \"S1\"[1]\n\nHca 1 \"A2\"\n[1] \"S1\"[2]\n\n"
	"Switch 8 \"S2\"\n[1] \"B1\"[1]\n[2] \"B2\"[1]\n[3] \"R1\"[2]\n[4] \"R2\"[1]\n\n"
	"Hca 1 \"B1\"\n[1] \"S2\"[1]\n\nHca 1 \"B2\"\n[1] \"S2\"[2]\n\n"
	"Switch 8 \"S3\"\n[1] \"C1\"[1]\n[2] \"R2\"[2]\n[3] \"R3\"[1]\n\n"
	"Hca 1 \"C1\"\n[1] \"S3\"[1]\n\n"
	"Rt 2 \"R1\"\n[1] \"S1\"[3]\n[2] \"S2\"[3]\n\n"
	"Rt 2 \"R2\"\n[1] \"S2\"[4]\n[2] \"S3\"[2]\n\n"
	"Rt 2 \"R3\"\n[1] \"S3\"[3]\n";

static struct umadrig_fabric *make(void)
{
	return fabric_of_text(net, "clock=virtual");
}

static struct port *port_of(struct umadrig_fabric *fabric, const char *name, unsigned int num)
{
	return &fabric_find(fabric, name)->ports[num];
}

static void gid_of(const struct end_port *end, uint8_t *gid)
{
	memcpy(gid, end->gids[0], 16);
}

/* ---- packets ---- */

/* "A1 4>2 63": where it came to, from and to which LID, HopLimit; or why it was dropped. */
static GString *told;

static void note(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	(void)at_ns;
	if (outbound)
		return;
	g_assert_cmpuint(size, >=, LRH_SIZE + GRH_SIZE);
	g_string_append_printf(told, "%s %u>%u %u; ", (const char *)ctx,
			       get_be16(bytes + LRH_SLID), get_be16(bytes + LRH_DLID),
			       bytes[LRH_SIZE + GRH_HOPLIMIT]);
}

static bool note_drop(void *ctx, const struct umadrig_mad *mad)
{
	static const char dropped[] = "dropped: ";

	(void)ctx;
	/* The answer has come to a port where no program has asked. */
	if (mad->comment && strstr(mad->comment, "no agent for class"))
		return true;
	if (mad->comment && g_str_has_prefix(mad->comment, dropped))
		g_string_append_printf(told, "%s; ", mad->comment + strlen(dropped));
	return true;
}

struct sent {
	const char *from, *to;
	uint16_t dlid;
	uint8_t hop_limit;
	uint64_t sgid_prefix, dgid_prefix;	/* 0: the port's own */
	uint64_t guid;				/* of the DGID; 0: the port's own */
	const char *told;
};

/* PerfMgt Get(ClassPortInfo), which the destination's kernel answers. */
static struct packet *packet_of(struct umadrig_fabric *fabric, const struct sent *sent)
{
	struct end_port *from = port_of(fabric, sent->from, 1)->end;
	struct packet_addr addr = {
		.slid = from->attr.lid, .dlid = sent->dlid, .pkey = 0xffff, .src_qp = 1,
		.dest_qp = 1, .qkey = QKEY_GSI, .has_grh = true, .hop_limit = sent->hop_limit,
	};
	struct packet *packet = packet_new(&fabric->pool);
	uint8_t *mad;

	gid_of(from, addr.sgid);
	gid_of(port_of(fabric, sent->to, 1)->end, addr.dgid);
	if (sent->sgid_prefix)
		put_be64(addr.sgid, sent->sgid_prefix);
	if (sent->dgid_prefix)
		put_be64(addr.dgid, sent->dgid_prefix);
	if (sent->guid)
		put_be64(addr.dgid + 8, sent->guid);
	packet_build(packet, &addr);
	mad = packet_mad(packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_CLASS] = 0x04;
	mad[MAD_METHOD] = MAD_METHOD_GET;
	put_be16(mad + MAD_ATTR_ID, 1);
	return packet;
}

static void send(struct umadrig_fabric *fabric, const struct sent *sent, struct packet *packet)
{
	fabric_transmit(port_of(fabric, sent->from, 1), packet);
	umadrig_step(fabric, NS_PER_S);
}

#define UNKNOWN_PREFIX UINT64_C(0xfec0000000000009)

static const struct sent rows[] = {
	/* One router, and the answer's way back; then two; the counts are those of arrival. */
	{ "A1", "B1", 4, 64, 0, 0, 0, "B1 4>2 63; A1 4>2 254; " },
	{ "A1", "C1", 4, 64, 0, 0, 0, "C1 3>2 62; A1 4>2 253; " },
	{ "C1", "A2", 3, 3, 0, 0, 0, "A2 4>3 1; C1 3>2 253; " },
	/* HopLimit ends it at the first router, and at the second. */
	{ "A1", "B1", 4, 1, 0, 0, 0, "R1[1]: its HopLimit is 1; " },
	{ "A1", "C1", 4, 2, 0, 0, 0, "R2[1]: its HopLimit is 1; " },
	{ "A1", "B1", 4, 64, 0, GID_PREFIX_LINK_LOCAL, 0,
	  "R1[1]: no router forwards link-local GIDs (fe80::); " },
	{ "A1", "B1", 4, 64, GID_PREFIX_LINK_LOCAL, 0, 0,
	  "R1[1]: no router forwards link-local GIDs (fe80::); " },
	{ "A1", "B1", 4, 64, 0, UNKNOWN_PREFIX, 0,
	  "R1[1]: no subnet that it leads to has GID prefix 0xfec0000000000009; " },
	{ "A1", "B1", 4, 64, 0, 0, 0x77,
	  "R1[1]: no port of subnet 0xfec0000000000002 has GUID 0x0000000000000077; " },
	/* To the router's own GID: it is an end port like others. */
	{ "A1", "R1", 4, 64, 0, 0, 0, "A1 4>2 255; " },
	/* Past the router's LID a GRH moves nothing. */
	{ "A1", "B1", 3, 64, 0, 0, 0, "A2 2>3 64; A2[1]: its GRH is for another GID (DGID); " },
};

static struct umadrig_fabric *make_watched(void)
{
	static const char *const ends[] = { "A1", "A2", "B1", "B2", "C1" };
	struct umadrig_fabric *fabric = make();

	told = g_string_new(NULL);
	umadrig_watch(fabric, note_drop, NULL);
	for (size_t at = 0; at < G_N_ELEMENTS(ends); at++) {
		struct end_port *end = port_of(fabric, ends[at], 1)->end;

		end->tap = note;
		end->tap_ctx = (void *)ends[at];
	}
	return fabric;
}

static void expect(struct umadrig_fabric *fabric, const char *name, const char *wanted)
{
	if (strcmp(told->str, wanted) != 0)
		g_error("%s: '%s', not '%s'", name, told->str, wanted);
	g_string_free(told, true);
	umadrig_fabric_close(fabric);
}

static void test_packets(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *name = g_strdup_printf("row %zu", i);
		struct umadrig_fabric *fabric = make_watched();

		send(fabric, &rows[i], packet_of(fabric, &rows[i]));
		expect(fabric, name, rows[i].told);
	}
}

/* A router does not look at the ICRC, and it stays wrong; VL 15 it does not forward. */
static void test_spoilt(void)
{
	static const char *const why[] = { "B1 4>2 63; B1[1]: its ICRC is wrong; ",
					   "R1[1]: its ICRC is wrong; " };

	for (unsigned int by_vl15 = 0; by_vl15 < 2; by_vl15++) {
		struct umadrig_fabric *fabric = make_watched();
		struct packet *packet = packet_of(fabric, &rows[0]);

		if (by_vl15)
			packet->bytes[LRH_VL] |= 0xf0;
		packet_seal(packet);
		packet_mad(packet)[MAD_SIZE] ^= 1;
		packet->raw = true;
		raw_packet_restamp(packet);
		send(fabric, &rows[0], packet);
		expect(fabric, by_vl15 ? "VL 15" : "VL 0", why[by_vl15]);
	}
}

/* ---- ways ---- */

#define PREFIX(number) (UINT64_C(0xfec0000000000000) | (number))

static const struct end_port *toward(struct umadrig_fabric *fabric, unsigned int subnet,
				     uint64_t gid_prefix)
{
	return router_toward(fabric_subnet(fabric, subnet), gid_prefix);
}

static void test_ways(void)
{
	struct umadrig_fabric *fabric = make();

	g_assert_cmpuint(fabric->subnets->len, ==, 4);		/* R3's second port is alone */
	g_assert_cmphex(port_of(fabric, "C1", 1)->end->gid_prefix, ==, PREFIX(3));
	g_assert_cmphex(port_of(fabric, "R3", 2)->end->gid_prefix, ==, GID_PREFIX_LINK_LOCAL);
	g_assert_true(toward(fabric, 0, PREFIX(2)) == port_of(fabric, "R1", 1)->end);
	g_assert_true(toward(fabric, 0, PREFIX(3)) == port_of(fabric, "R1", 1)->end);
	g_assert_true(toward(fabric, 1, PREFIX(3)) == port_of(fabric, "R2", 1)->end);
	g_assert_true(toward(fabric, 2, PREFIX(1)) == port_of(fabric, "R2", 2)->end);
	g_assert_null(toward(fabric, 0, PREFIX(1)));
	g_assert_null(toward(fabric, 0, PREFIX(4)));
	g_assert_null(toward(fabric, 0, GID_PREFIX_LINK_LOCAL));
	/* A router whose link is down leads nowhere; another one does. */
	cable_pull(port_of(fabric, "R2", 1));
	g_assert_null(toward(fabric, 0, PREFIX(3)));
	g_assert_true(toward(fabric, 0, PREFIX(2)) == port_of(fabric, "R1", 1)->end);
	umadrig_fabric_close(fabric);
}

/* A short way is taken, though a longer one comes first in the file. */
static void test_shortest(void)
{
	static const char ring[] =
		"Hca 1 \"A\"\n[1] \"SA\"[1]\n\nHca 1 \"C\"\n[1] \"SC\"[1]\n\n"
		"Switch 4 \"SA\"\n[1] \"A\"[1]\n[2] \"R1\"[1]\n[3] \"R3\"[1]\n\n"
		"Switch 4 \"SB\"\n[2] \"R1\"[2]\n[3] \"R2\"[1]\n\n"
		"Switch 4 \"SC\"\n[1] \"C\"[1]\n[2] \"R2\"[2]\n[3] \"R3\"[2]\n\n"
		"Rt 2 \"R1\"\n[1] \"SA\"[2]\n[2] \"SB\"[2]\n\n"
		"Rt 2 \"R2\"\n[1] \"SB\"[3]\n[2] \"SC\"[2]\n\n"
		"Rt 2 \"R3\"\n[1] \"SA\"[3]\n[2] \"SC\"[3]\n";
	char message[512] = "";
	struct umadrig_fabric *fabric = fabric_parse(ring, "clock=virtual", message,
						     sizeof(message));
	const struct end_port *a = port_of(fabric, "A", 1)->end, *c = port_of(fabric, "C", 1)->end;

	g_assert_true(router_toward(a->subnet, c->gid_prefix) == port_of(fabric, "R3", 1)->end);
	cable_pull(port_of(fabric, "R3", 2));
	g_assert_true(router_toward(a->subnet, c->gid_prefix) == port_of(fabric, "R1", 1)->end);
	umadrig_fabric_close(fabric);
}

/* ---- PathRecord ---- */

enum { DGID = 8, SGID = 24, DLID = 40, SLID = 42, HOP_LIMIT = 47 };

/* From A1's SA: the path to a GID. The status of the answer, whose record is in 'record'. */
static uint16_t path_to(struct umadrig_fabric *fabric, const uint8_t *dgid, uint8_t *record)
{
	struct end_port *from = port_of(fabric, "A1", 1)->end;
	uint8_t header[64] = { 0 }, mad[MAD_SIZE] = { 1, MAD_CLASS_SUBN_ADM, 2, SA_GET };
	struct sa_request request = {
		.subnet = from->subnet, .from = from, .header = header,
	};
	GByteArray *answer;
	uint16_t status;

	put_be16(mad + MAD_ATTR_ID, SA_PATH_RECORD);
	put_be64(mad + SA_COMP_MASK, SA_COMPONENT(2) | SA_COMPONENT(3));
	memcpy(mad + SA_DATA + DGID, dgid, 16);
	gid_of(from, mad + SA_DATA + SGID);
	answer = sa_answer(&request, mad, sizeof(mad));
	status = get_be16(answer->data + MAD_STATUS);
	memcpy(record, answer->data + SA_DATA, 64);
	g_byte_array_unref(answer);
	return status;
}

static void test_path_record(void)
{
	struct umadrig_fabric *fabric = make();
	uint8_t gid[16], record[64];

	gid_of(port_of(fabric, "C1", 1)->end, gid);
	g_assert_cmphex(path_to(fabric, gid, record), ==, SA_OK);
	g_assert_cmpmem(record + DGID, 16, gid, 16);
	g_assert_cmpuint(get_be16(record + SLID), ==, 2);
	g_assert_cmpuint(get_be16(record + DLID), ==, 4);
	g_assert_cmpuint(record[HOP_LIMIT], ==, 0xff);
	/* In the subnet nothing is said of hops. */
	gid_of(port_of(fabric, "A2", 1)->end, gid);
	g_assert_cmphex(path_to(fabric, gid, record), ==, SA_OK);
	g_assert_cmpuint(get_be16(record + DLID), ==, 3);
	g_assert_cmpuint(record[HOP_LIMIT], ==, 0);
	/* Nobody leads there. */
	put_be64(gid, UNKNOWN_PREFIX);
	g_assert_cmphex(path_to(fabric, gid, record), !=, SA_OK);
	umadrig_fabric_close(fabric);
}

/* ---- loads ---- */

static uint64_t count(struct umadrig_fabric *fabric, const char *node, unsigned int num,
		      const char *name)
{
	int64_t value = umadrig_counter(fabric, node, num, name);

	g_assert_cmpint(value, >=, 0);
	return (uint64_t)value;
}

static void test_load(void)
{
	struct umadrig_fabric *fabric = make();
	char message[256] = "";
	const struct flow *flow;

	g_assert_cmpint(load_add(fabric, "A1:C1:1G", message, sizeof(message)), ==, 1);
	flow = load_flow(fabric, 0);
	g_assert_cmpint(flow->state, ==, FLOW_GOES);
	g_assert_cmpuint(flow->carried, ==, 1000000000);
	umadrig_step(fabric, NS_PER_S);
	/* In by one port, out by the other: 125,000,000 octets are so many words. */
	g_assert_cmpuint(count(fabric, "R1", 1, "PortRcvData"), ==, 31250000);
	g_assert_cmpuint(count(fabric, "R1", 2, "PortXmitData"), ==, 31250000);
	g_assert_cmpuint(count(fabric, "R2", 1, "PortRcvData"), ==, 31250000);
	g_assert_cmpuint(count(fabric, "C1", 1, "PortRcvData"), ==, 31250000);
	g_assert_cmpuint(count(fabric, "B1", 1, "PortRcvData"), ==, 0);
	/* None leads there any more. */
	cable_pull(port_of(fabric, "R2", 2));
	flow = load_flow(fabric, 0);
	g_assert_cmpint(flow->state, ==, FLOW_NO_ROUTE);
	g_assert_cmpuint(flow->carried, ==, 0);
	umadrig_fabric_close(fabric);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/router/packets", test_packets);
	g_test_add_func("/router/spoilt", test_spoilt);
	g_test_add_func("/router/ways", test_ways);
	g_test_add_func("/router/shortest", test_shortest);
	g_test_add_func("/router/PathRecord", test_path_record);
	g_test_add_func("/router/load", test_load);
	return g_test_run();
}
