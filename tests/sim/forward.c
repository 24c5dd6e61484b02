/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Forwarding: the ports that a packet to a group reaches, the virtual lanes it travels on, and the
 * packets that pass switches with partition enforcement.
 */
#include <glib.h>
#include <string.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/forward-switch.h"
#include "sim/fabric/forward.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/partition.h"
#include "sim/fabric/port-counters.h"
#include "sim/fabric/port.h"
#include "sim/fabric/switch.h"
#include "sim/run/assembly.h"
#include "sim/topology/lid.h"
#include "sim/topology/load.h"
#include "tests/rig/leak.h"

/*
 *	H1-[1]S1[3]-[3]S2[1]-H3
 *	H2-[2]S1[4]-[4]S2[18]-H4	LIDs: H1 1 ... H4 4, S1 5, S2 6
 */
static const char net[] =
	"Hca 1 \"H1\"\n[1] \"S1\"[1]\n\nHca 1 \"H2\"\n[1] \"S1\"[2]\n\n"
	"Hca 1 \"H3\"\n[1] \"S2\"[1]\n\nHca 1 \"H4\"\n[1] \"S2\"[18]\n\n"
	"Switch 8 \"S1\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n[3] \"S2\"[3]\n[4] \"S2\"[4]\n\n"
	"Switch 20 \"S2\"\n[1] \"H3\"[1]\n[3] \"S1\"[3]\n[4] \"S1\"[4]\n[18] \"H4\"[1]\n";

struct world {
	struct umadrig_fabric *fabric;
	GString *told;		/* the hosts that got a packet, and causes of drops: "H2 H4" */
};

struct tap {
	struct world *world;
	const char *who;
};

/* umadrig_tap_fn */
static void note_arrival(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	const struct tap *tap = ctx;

	(void)at_ns;
	(void)size;
	if (!outbound)
		g_string_append_printf(tap->world->told, "%s:%u ", tap->who, bytes[LRH_VL] >> 4);
}

static struct port *port_of(const struct world *world, const char *node, unsigned int num)
{
	struct node *found = fabric_node(world->fabric, node);

	g_assert_nonnull(found);
	g_assert_cmpuint(num, <=, found->port_count);
	return &found->ports[num];
}

static void world_open(struct world *world, struct tap taps[6])
{
	static const char *const ends[] = { "H1", "H2", "H3", "H4", "S1", "S2" };
	struct topology *topology = topology_parse(net, strlen(net), "forward.net", NULL);
	struct umadrig_options options = { .virtual_clock = true, .seed = 1, .first_hi_tid = 1 };
	char message[512] = "";

	topology_assign_lids(topology);
	world->fabric = fabric_new(topology, &options, message, sizeof(message));
	if (!world->fabric)
		g_error("%s", message);
	topology_free(topology);
	world->told = g_string_new(NULL);
	for (unsigned int i = 0; i < G_N_ELEMENTS(ends); i++) {
		struct end_port *end = port_of(world, ends[i], ends[i][0] == 'H')->end;

		taps[i] = (struct tap) { world, ends[i] };
		end->tap = note_arrival;
		end->tap_ctx = &taps[i];
		end->sm_lid = 0;	/* no SM to notify */
	}
}

static void world_close(struct world *world)
{
	fabric_free(world->fabric);
	g_string_free(world->told, true);
}

static void send(struct world *world, const char *from, uint16_t dlid, uint8_t sl, uint16_t p_key)
{
	struct port *port = port_of(world, from, from[0] == 'H');
	struct packet_addr addr = {
		.slid = port->end->attr.lid, .dlid = dlid, .sl = sl, .pkey = p_key,
		.src_qp = 1, .dest_qp = 1, .qkey = QKEY_GSI,
	};
	struct packet *packet = packet_new(&world->fabric->pool);

	packet_build(packet, &addr);
	memset(packet_mad(packet), 0, MAD_SIZE);
	packet_mad(packet)[MAD_CLASS] = 0x32;
	fabric_transmit(port, packet);
	while (event_queue_fire(&world->fabric->queue, NS_PER_S))
		;
}

static void expect(struct world *world, const char *name, const char *told)
{
	g_strchomp(world->told->str);
	if (strcmp(world->told->str, told) != 0)
		g_error("%s: '%s', not '%s'", name, world->told->str, told);
	g_string_truncate(world->told, 0);
}

/* ---- groups ---- */

static void set_group(struct world *world, const char *sw, uint16_t mlid, uint64_t ports)
{
	struct switch_part *part = fabric_node(world->fabric, sw)->sw;

	if (!part->mft)
		part->mft = g_new0(uint16_t, 2U * part->mft_cap);
	for (unsigned int position = 0; position < 2; position++)
		part->mft[position * part->mft_cap + mlid - 0xc000] =
			(uint16_t)(ports >> 16 * position);
}

#define P(num) (UINT64_C(1) << (num))

/*
 * The entries for MLID 0xc000 + n in both switches, the sender, and the hosts that get the packet.
 */
static const struct group {
	const char *name;
	uint16_t mlid;
	uint64_t s1, s2;
	const char *from, *told;
} groups[] = {
	{ "all", 0xc000, P(1) | P(2) | P(3), P(1) | P(3) | P(18), "H1", "H2:0 H3:0 H4:0" },
	{ "all, from the far end", 0xc000, P(1) | P(2) | P(3), P(1) | P(3) | P(18), "H4",
	  "H3:0 H1:0 H2:0" },
	{ "two", 0xc001, P(2) | P(4), P(4) | P(18), "H1", "H2:0 H4:0" },
	{ "only the sender", 0xc001, P(1), 0, "H1", "" },
	{ "the sender is not in it", 0xc3ff, P(2), 0, "H1", "H2:0" },
	{ "switches are members", 0xc002, P(0) | P(3), P(0) | P(1), "H2", "S1:0 S2:0 H3:0" },
	{ "a switch sends", 0xc002, P(0) | P(1) | P(3), P(0) | P(1), "S1", "H1:0 S2:0 H3:0" },
	{ "nobody", 0xc003, 0, 0, "H1", "" },
	{ "a port without a cable", 0xc004, P(2) | P(7), 0, "H1", "H2:0" },
	{ "beyond the table", 0xc400, 0, 0, "H1", "" },
	{ "the last multicast LID", 0xfffe, 0, 0, "H1", "" },
};

static void test_group(gconstpointer data)
{
	const struct group *row = data;
	struct tap taps[6];
	struct world world;

	world_open(&world, taps);
	if (row->s1)
		set_group(&world, "S1", row->mlid, row->s1);
	if (row->s2)
		set_group(&world, "S2", row->mlid, row->s2);
	send(&world, row->from, row->mlid, 0, PKEY_DEFAULT);
	expect(&world, row->name, row->told);
	g_assert_cmpuint(world.fabric->pool.used, ==, 0);
	world_close(&world);
}

/* MulticastFDBTop, and the two ports for packets without an entry (IBA vol 1, 18.2.4.3.3). */
static void test_group_without_entry(void)
{
	struct tap taps[6];
	struct world world;
	struct switch_part *s1;

	world_open(&world, taps);
	s1 = fabric_node(world.fabric, "S1")->sw;
	set_group(&world, "S1", 0xc005, P(1) | P(2));
	s1->mft_top = 0xc004;
	send(&world, "H1", 0xc005, 0, PKEY_DEFAULT);
	expect(&world, "above the top", "");
	s1->mft_top = 0xc005;
	send(&world, "H1", 0xc005, 0, PKEY_DEFAULT);
	expect(&world, "at the top", "H2:0");
	s1->mcast_primary_port = 2;
	s1->mcast_secondary_port = 1;
	send(&world, "H1", 0xc006, 0, PKEY_DEFAULT);
	expect(&world, "by the primary port", "H2:0");
	send(&world, "H2", 0xc006, 0, PKEY_DEFAULT);
	expect(&world, "from the primary port", "H1:0");
	s1->mcast_primary_port = 255;
	send(&world, "H1", 0xc006, 0, PKEY_DEFAULT);
	expect(&world, "port 255", "");
	world_close(&world);
}

/* Two cables between the switches, both in the group: the packet circulates, but not for ever. */
static void test_group_in_circles(void)
{
	struct tap taps[6];
	struct world world;

	world_open(&world, taps);
	set_group(&world, "S1", 0xc000, P(1) | P(3) | P(4));
	set_group(&world, "S2", 0xc000, P(3) | P(4));
	send(&world, "H1", 0xc000, 0, PKEY_DEFAULT);
	g_assert_true(g_str_has_prefix(world.told->str, "H1:0 H1:0 "));
	g_assert_cmpuint(world.fabric->dropped, >, 0);
	g_assert_cmpuint(world.fabric->pool.used, ==, 0);
	world_close(&world);
}

/* ---- lanes ---- */

/* "0123...": VL of each SL, hexadecimal. */
static void set_lanes(struct port *out, unsigned int ingress, const char *lanes)
{
	unsigned int count = out->node->sw ? out->node->port_count + 1U : 1;

	if (!out->sl_to_vl)
		out->sl_to_vl = g_malloc0(count * sizeof(*out->sl_to_vl));
	for (unsigned int sl = 0; sl < 16; sl++)
		out->sl_to_vl[ingress][sl / 2] |=
			(uint8_t)(g_ascii_xdigit_value(lanes[sl]) << (sl % 2 ? 0 : 4));
}

static void test_lanes(void)
{
	struct tap taps[6];
	struct world world;
	struct port *h1, *s1;

	world_open(&world, taps);
	h1 = port_of(&world, "H1", 1);
	s1 = port_of(&world, "S1", 2);
	send(&world, "H1", 2, 3, PKEY_DEFAULT);
	expect(&world, "SL 3 of 8 lanes", "H2:3");
	send(&world, "H1", 2, 11, PKEY_DEFAULT);
	expect(&world, "SL 11 of 8 lanes", "H2:3");
	h1->operational_vls = s1->operational_vls = 1;
	send(&world, "H1", 2, 11, PKEY_DEFAULT);
	expect(&world, "one lane", "H2:0");
	s1->operational_vls = 4;

	/* Each hop has its own table; a switch's also depends on the ingress port. */
	set_lanes(s1, 1, "7f65432100000000");
	set_lanes(s1, 3, "1111111111111111");
	send(&world, "H1", 2, 0, PKEY_DEFAULT);
	expect(&world, "by the switch's table", "H2:7");
	send(&world, "H3", 2, 0, PKEY_DEFAULT);
	expect(&world, "from another port", "H2:1");
	send(&world, "H1", 2, 1, PKEY_DEFAULT);
	expect(&world, "VL 15", "");
	g_assert_cmpuint(port_counters_total(&s1->counters, COUNTER_VL_MAPPING_ERRORS), ==, 1);
	s1->operational_vls = 2;
	send(&world, "H1", 2, 0, PKEY_DEFAULT);
	expect(&world, "a lane that is not in use", "");
	set_lanes(h1, 0, "f000000000000000");
	send(&world, "H1", 3, 0, PKEY_DEFAULT);
	expect(&world, "the sender itself has none", "");
	world_close(&world);
}

/* ---- partitions ---- */

static void test_enforcement(void)
{
	struct tap taps[6];
	struct world world;
	struct port *in, *out;
	struct end_port *h2;

	world_open(&world, taps);
	in = port_of(&world, "S1", 1);
	out = port_of(&world, "S1", 2);
	h2 = port_of(&world, "H2", 1)->end;
	h2->pkeys[1] = 0x8007;
	in->enforce_inbound = out->enforce_outbound = true;
	send(&world, "H1", 2, 0, PKEY_DEFAULT);
	expect(&world, "the default partition", "H2:0");
	send(&world, "H1", 2, 0, 0x8007);
	expect(&world, "not let in", "");
	g_assert_cmpuint(port_counters_total(&in->counters, COUNTER_RCV_CONSTRAINT_ERRORS), ==, 1);
	g_assert_cmpuint(in->p_key_violations, ==, 1);
	partition_table(in)[5] = 0x0007;
	send(&world, "H1", 2, 0, 0x8007);
	expect(&world, "not let out", "");
	g_assert_cmpuint(port_counters_total(&out->counters, COUNTER_XMIT_CONSTRAINT_ERRORS), ==,
			 1);
	g_assert_cmpuint(out->p_key_violations, ==, 1);
	partition_table(out)[31] = 0x8007;
	/* A limited member sends to a full one. */
	send(&world, "H1", 2, 0, 0x0007);
	expect(&world, "let pass", "H2:0");
	g_assert_cmpuint(h2->p_key_violations, ==, 0);
	/* The other direction is not checked. */
	send(&world, "H2", 1, 0, 0x8009);
	expect(&world, "the receiver alone objects", "H1:0");
	world_close(&world);
}

/* ---- directed routes ---- */

/*
 * IBA vol 1, 14.2.2.2: what S1, whose own LID is 5, does with an SMP that has come in by port 1.
 * The path names port 2 at hops 1 and 2, the return path port 3. H3 has LID 3 and is behind port 3.
 */
static const struct hop {
	const char *name;
	unsigned int ingress;
	bool returns;
	uint8_t count, pointer;
	uint16_t dr_slid, dr_dlid, dlid;
	int egress;		/* negative: it is dropped */
	uint8_t pointer_then;	/* where it lives */
} hops[] = {
	{ "first hop, own", 0, false, 2, 1, 0xffff, 0xffff, 0xffff, 2, 1 },
	{ "first hop", 1, false, 2, 0, 0xffff, 0xffff, 0xffff, 2, 1 },
	{ "in the middle", 1, false, 2, 1, 0xffff, 0xffff, 0xffff, 2, 2 },
	{ "at the end", 1, false, 2, 2, 0xffff, 0xffff, 0xffff, 0, 3 },
	{ "at the end, then by LID", 1, false, 2, 2, 0xffff, 3, 0xffff, 4, 3 },
	{ "at the end, then to the switch's LID", 1, false, 2, 2, 0xffff, 5, 0xffff, 0, 3 },
	{ "at the end, then to nobody's LID", 1, false, 2, 2, 0xffff, 99, 0xffff, -1, 0 },
	{ "at the end, then to a group", 1, false, 2, 2, 0xffff, 0xc000, 0xffff, -1, 0 },
	{ "at the end, then to LID 0", 1, false, 2, 2, 0xffff, 0, 0xffff, -1, 0 },
	{ "done", 1, false, 2, 3, 0xffff, 0xffff, 0xffff, 0, 3 },
	{ "beyond its end", 1, false, 2, 4, 0xffff, 0xffff, 0xffff, -1, 0 },
	{ "no hops", 1, false, 0, 0, 0xffff, 0xffff, 0xffff, 0, 1 },
	{ "no hops, then by LID", 1, false, 0, 0, 0xffff, 3, 0xffff, 4, 1 },
	{ "63 hops", 1, false, 63, 1, 0xffff, 0xffff, 0xffff, 2, 2 },
	{ "64 hops", 1, false, 64, 1, 0xffff, 0xffff, 0xffff, -1, 0 },
	{ "255 hops", 1, false, 255, 1, 0xffff, 0xffff, 0xffff, -1, 0 },
	{ "by port 0", 1, false, 9, 5, 0xffff, 0xffff, 0xffff, -1, 0 },
	{ "by a port that there is not", 1, false, 9, 6, 0xffff, 0xffff, 0xffff, -1, 0 },
	/* By LID first: the switch with that LID begins the path. */
	{ "by LID, then the path", 1, false, 2, 0, 1, 0xffff, 5, 2, 1 },
	{ "by LID, not there yet", 1, false, 2, 0, 1, 0xffff, 3, 4, 0 },
	{ "by LID, to a group", 1, false, 2, 0, 1, 0xffff, 0xc001, -1, 0 },

	{ "back, own", 0, true, 2, 2, 0xffff, 0xffff, 0xffff, 3, 2 },
	{ "back, from its end", 1, true, 2, 3, 0xffff, 0xffff, 0xffff, 3, 2 },
	{ "back, in the middle", 1, true, 2, 2, 0xffff, 0xffff, 0xffff, 3, 1 },
	{ "back, at its beginning", 1, true, 2, 1, 0xffff, 0xffff, 0xffff, 0, 0 },
	{ "back, then by LID", 1, true, 2, 1, 3, 0xffff, 0xffff, 4, 0 },
	{ "back, then to nobody's LID", 1, true, 2, 1, 99, 0xffff, 0xffff, -1, 0 },
	{ "back, done", 1, true, 2, 0, 0xffff, 0xffff, 0xffff, 0, 0 },
	{ "back, from beyond its end", 1, true, 2, 4, 0xffff, 0xffff, 0xffff, -1, 0 },
	{ "back, 64 hops", 1, true, 64, 3, 0xffff, 0xffff, 0xffff, -1, 0 },
};

static void test_hop(gconstpointer data)
{
	const struct hop *row = data;
	struct packet_addr addr = { .slid = 0xffff, .dlid = row->dlid, .vl = 15 };
	struct tap taps[6];
	struct world world;
	struct packet *packet;
	char why[DROP_WHY_SIZE] = "";
	uint8_t *mad;
	int egress;

	world_open(&world, taps);
	packet = packet_new(&world.fabric->pool);
	packet_build(packet, &addr);
	mad = packet_mad(packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_CLASS] = MAD_CLASS_SUBN_DR;
	put_be16(mad + MAD_STATUS, row->returns ? SMP_DIRECTION : 0);
	mad[SMP_HOP_CNT] = row->count;
	mad[SMP_HOP_PTR] = row->pointer;
	put_be16(mad + SMP_DR_SLID, row->dr_slid);
	put_be16(mad + SMP_DR_DLID, row->dr_dlid);
	mad[SMP_INITIAL_PATH + 1] = mad[SMP_INITIAL_PATH + 2] = 2;
	mad[SMP_INITIAL_PATH + 7] = 200;
	mad[SMP_RETURN_PATH + 1] = mad[SMP_RETURN_PATH + 2] = 3;
	egress = switch_decide(fabric_node(world.fabric, "S1"), row->ingress, packet, why);
	g_assert_cmpint(egress < 0 ? -1 : egress, ==, row->egress);
	g_assert_true(egress < 0 ? *why : !*why);
	if (egress >= 0)
		g_assert_cmpuint(mad[SMP_HOP_PTR], ==, row->pointer_then);
	/* The ingress port is the return path. */
	if (egress >= 0 && !row->returns && row->pointer > 0 && row->pointer <= row->count &&
	    row->ingress)
		g_assert_cmpuint(mad[SMP_RETURN_PATH + row->pointer], ==, row->ingress);
	packet_free(&world.fabric->pool, packet);
	world_close(&world);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(groups); i++) {
		g_autofree char *path = g_strdup_printf("/forward/group/%s", groups[i].name);

		g_test_add_data_func(path, &groups[i], test_group);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(hops); i++) {
		g_autofree char *path = g_strdup_printf("/forward/hop/%s", hops[i].name);

		g_test_add_data_func(path, &hops[i], test_hop);
	}
	g_test_add_func("/forward/group-without-entry", test_group_without_entry);
	g_test_add_func("/forward/group-in-circles", test_group_in_circles);
	g_test_add_func("/forward/lanes", test_lanes);
	g_test_add_func("/forward/enforcement", test_enforcement);
	return leak_end(g_test_run());
}
