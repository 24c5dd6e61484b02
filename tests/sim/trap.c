/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Traps: what an end port reports to its SM, with which contents, in which order, how often and
 * until when.
 */
#include <errno.h>
#include <glib.h>
#include <string.h>

#include "sim/agents/sma.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/forward.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/trap.h"
#include "sim/host/issm-path.h"
#include "sim/run/assembly.h"
#include "sim/topology/lid.h"
#include "sim/topology/load.h"
#include "tests/rig/leak.h"

/* Two hosts at a switch: H1 1 (the SM is there), H2 2, S1 3. */
static const char net[] =
	"Hca 1 \"H1\"\n[1] \"S1\"[1]\n\nHca 1 \"H2\"\n[1] \"S1\"[2]\n\n"
	"Switch 4 \"S1\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n";

struct world {
	struct umadrig_fabric *fabric;
	struct end_port *h2, *s1;
	GPtrArray *heard;	/* of MADs: the traps that arrived at the SM */
	GArray *heard_ns;
};

/* umadrig_tap_fn */
static void hear(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	struct world *world = ctx;
	const uint8_t *mad = bytes + size - MAD_SIZE;

	if (outbound || mad[MAD_METHOD] != MAD_METHOD_TRAP)
		return;
	g_ptr_array_add(world->heard, g_memdup2(mad, MAD_SIZE));
	g_array_append_val(world->heard_ns, at_ns);
}

static struct world world_open(void)
{
	struct topology *topology = topology_parse(net, strlen(net), "trap.net", NULL);
	struct umadrig_options options = { .virtual_clock = true, .seed = 1, .first_hi_tid = 1 };
	struct world world = { 0 };
	char message[512] = "";

	topology_assign_lids(topology);
	world.fabric = fabric_new(topology, &options, message, sizeof(message));
	if (!world.fabric)
		g_error("%s", message);
	topology_free(topology);
	world.h2 = fabric_node(world.fabric, "H2")->ports[1].end;
	world.s1 = fabric_node(world.fabric, "S1")->ports[0].end;
	world.heard = g_ptr_array_new_with_free_func(g_free);
	world.heard_ns = g_array_new(false, false, sizeof(int64_t));
	return world;
}

/* The SM is at H1, and receives; ports may send a trap every 16.8 ms. */
static void world_listen(struct world *world)
{
	struct end_port *sm = fabric_node(world->fabric, "H1")->ports[1].end;

	sm->tap = hear;
	sm->tap_ctx = world;
	world->h2->subnet_timeout = world->s1->subnet_timeout = 12;
}

static void world_close(struct world *world)
{
	fabric_free(world->fabric);
	g_ptr_array_unref(world->heard);
	g_array_unref(world->heard_ns);
}

static void run_ms(struct world *world, int64_t ms)
{
	int64_t until_ns = world->fabric->queue.now_ns + ms * NS_PER_MS;

	while (event_queue_fire(&world->fabric->queue, until_ns))
		;
	world->fabric->queue.now_ns = until_ns;
}

static const uint8_t *notice(const struct world *world, unsigned int i)
{
	g_assert_cmpuint(i, <, world->heard->len);
	return (const uint8_t *)g_ptr_array_index(world->heard, i) + SMP_DATA;
}

/* ---- causes ---- */

static void send_gsi(struct world *world, uint16_t pkey, uint32_t qkey, bool has_grh)
{
	struct packet_addr addr = {
		.slid = 1, .dlid = 2, .sl = 5, .pkey = pkey, .src_qp = 1, .dest_qp = 1,
		.qkey = qkey, .has_grh = has_grh, .hop_limit = 1,
		.sgid = { 0xfe, 0x80, [15] = 0x11 }, .dgid = { 0xfe, 0x80, [15] = 0x22 },
	};
	struct packet *packet = packet_new(&world->fabric->pool);

	packet_build(packet, &addr);
	memset(packet_mad(packet), 0, MAD_SIZE);
	packet_mad(packet)[MAD_CLASS] = 4;
	fabric_transmit(&fabric_node(world->fabric, "H1")->ports[1], packet);
}

static void wrong_m_key(struct world *world, uint8_t mgmt_class)
{
	struct kmod_source source = { .slid = 1 };
	uint8_t in[MAD_SIZE] = { 0 }, out[MAD_SIZE];

	world->h2->m_key = 5;
	world->h2->m_key_protect = 2;
	in[MAD_BASE_VERSION] = 1;
	in[MAD_CLASS] = mgmt_class;
	in[MAD_CLASS_VERSION] = 1;
	in[MAD_METHOD] = MAD_METHOD_GET;
	put_be16(in + MAD_ATTR_ID, 0x15);
	put_be32(in + MAD_ATTR_MOD, 7);
	put_be64(in + SMP_MKEY, 0x1234);
	if (mgmt_class == MAD_CLASS_SUBN_DR) {
		put_be16(in + SMP_DR_SLID, 0xffff);
		in[SMP_HOP_CNT] = 33;
		for (uint8_t i = 1; i <= 33; i++)
			in[SMP_RETURN_PATH + i] = i;
	}
	sma_process(world->h2->port, &source, in, out);
}

static void cause_link_state(struct world *world)
{
	trap_link_state(world->s1);
}

static void cause_integrity(struct world *world)
{
	g_assert_cmpint(umadrig_link_error(world->fabric, "S1", 2, UMADRIG_LINK_INTEGRITY), ==, 0);
}

static void cause_overrun(struct world *world)
{
	g_assert_cmpint(umadrig_link_error(world->fabric, "H2", 1, UMADRIG_BUFFER_OVERRUN), ==, 0);
}

static void cause_watchdog(struct world *world)
{
	g_assert_cmpint(umadrig_link_error(world->fabric, "H2", 1, UMADRIG_FLOW_CONTROL_WATCHDOG),
			==, 0);
}

static void cause_is_sm(struct world *world)
{
	world->h2->issm_open = true;
	world->h2->cap_mask = 0;
	end_port_set_is_sm(world->h2);
	/* Without a change there is no trap. */
	end_port_set_is_sm(world->h2);
	world->h2->issm_open = false;
}

static void cause_capability(struct world *world)
{
	world->h2->cap_mask = CAP_IS_SM;
	for (int i = 0; i < 2; i++)
		g_assert_cmpint(umadrig_port_set_capability(world->fabric, "H2", 1, 0x80000, true),
				==, 0);
}

static void cause_capability_clear(struct world *world)
{
	world->h2->cap_mask = 0x90002;
	for (int i = 0; i < 2; i++)
		g_assert_cmpint(umadrig_console(world->fabric, "capability clear H2[1] 0x10000",
						NULL), ==, 0);
}

static void cause_description(struct world *world)
{
	g_assert_cmpint(umadrig_node_set_description(world->fabric, "H2", "new"), ==, 0);
	world->h2->cap_mask = 0x1234;
}

static void cause_system_guid(struct world *world)
{
	g_assert_cmpint(umadrig_node_set_system_guid(world->fabric, "H2",
						     UINT64_C(0x1122334455667788)), ==, 0);
}

static void cause_m_key(struct world *world)
{
	wrong_m_key(world, MAD_CLASS_SUBN_LID);
}

static void cause_m_key_dr(struct world *world)
{
	wrong_m_key(world, MAD_CLASS_SUBN_DR);
}

static void cause_p_key(struct world *world)
{
	send_gsi(world, 0x8007, QKEY_GSI, false);
}

static void cause_p_key_grh(struct world *world)
{
	static const uint8_t alias[16] = { 0xfe, 0x80, [15] = 0x22 };

	memcpy(world->h2->gids[1], alias, sizeof(alias));
	send_gsi(world, 0x8007, QKEY_GSI, true);
}

/* S1's port 1, which leads to H1, is only in the default partition, and lets nothing else in. */
static void cause_switch_p_key(struct world *world)
{
	fabric_node(world->fabric, "S1")->ports[1].enforce_inbound = true;
	send_gsi(world, 0x8007, QKEY_GSI, false);
}

static void cause_switch_p_key_grh(struct world *world)
{
	fabric_node(world->fabric, "S1")->ports[1].enforce_inbound = true;
	send_gsi(world, 0x8007, QKEY_GSI, true);
}

static void cause_q_key(struct world *world)
{
	send_gsi(world, PKEY_DEFAULT, 0x0badbee5, false);
}

/* ---- their contents ---- */

static const struct row {
	const char *name;
	void (*cause)(struct world *world);
	uint8_t type;		/* with the generic bit */
	uint8_t producer;
	uint16_t number, issuer;
	const char *details;	/* hexadecimal; followed by zeros */
} rows[] = {
	{ "link state", cause_link_state, 0x81, 2, 128, 3, "0003" },
	{ "link integrity", cause_integrity, 0x81, 2, 129, 3, "0000 0003 02" },
	{ "buffer overrun", cause_overrun, 0x81, 1, 130, 2, "0000 0002 01" },
	{ "watchdog", cause_watchdog, 0x81, 1, 131, 2, "0000 0002 01" },
	{ "IsSM", cause_is_sm, 0x84, 1, 144, 2, "0000 0002 00 00 00000002 0000" },
	{ "capability", cause_capability, 0x84, 1, 144, 2, "0000 0002 00 00 00080002 0000" },
	{ "capability, cleared", cause_capability_clear, 0x84, 1, 144, 2,
	  "0000 0002 00 00 00080002 0000" },
	{ "description", cause_description, 0x84, 1, 144, 2,
	  "0000 0002 00 01 (cap_mask) 0001" },
	{ "system GUID", cause_system_guid, 0x84, 1, 145, 2, "0000 0002 0000 1122334455667788" },
	{ "M_Key", cause_m_key, 0x82, 1, 256, 2,
	  "0000 0001 0000 01 00 0015 00000007 0000000000001234 00 00" },
	{ "M_Key, directed", cause_m_key_dr, 0x82, 1, 256, 2,
	  "0000 0001 ffff 01 00 0015 00000007 0000000000001234 00 e1"
	  "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e" },
	{ "P_Key", cause_p_key, 0x82, 1, 257, 2, "0000 0001 0002 00008007 50000001 00000001" },
	{ "P_Key with GRH", cause_p_key_grh, 0x82, 1, 257, 2,
	  "0000 0001 0002 00008007 50000001 00000001"
	  "fe800000000000000000000000000011 fe800000000000000000000000000022" },
	{ "a switch's P_Key", cause_switch_p_key, 0x82, 2, 259, 3,
	  "003f 0001 0002 8007 50000001 00000001"
	  "00000000000000000000000000000000 00000000000000000000000000000000 0003 01" },
	{ "a switch's P_Key with GRH", cause_switch_p_key_grh, 0x82, 2, 259, 3,
	  "00ff 0001 0002 8007 50000001 00000001"
	  "fe800000000000000000000000000011 fe800000000000000000000000000022 0003 01" },
	{ "Q_Key", cause_q_key, 0x82, 1, 258, 2, "0000 0001 0002 0badbee5 50000001 00000001" },
};

static void unhex(const char *text, uint8_t bytes[54])
{
	size_t size = 0;

	memset(bytes, 0, 54);
	for (; *text; text++) {
		if (*text == ' ')
			continue;
		g_assert_cmpuint(size, <, 54);
		bytes[size++] = (uint8_t)(g_ascii_xdigit_value(text[0]) << 4 |
					  g_ascii_xdigit_value(text[1]));
		text++;
	}
}

static void test_words(gconstpointer data)
{
	const struct row *row = data;
	struct world world = world_open();
	g_auto(GStrv) parts = g_strsplit(row->details, "(cap_mask)", 2);
	g_autofree char *cap_mask = g_strdup_printf("%08x", world.h2->cap_mask);
	g_autofree char *details = g_strjoinv(cap_mask, parts);
	uint8_t expected[54];
	const uint8_t *got;

	unhex(details, expected);
	world_listen(&world);
	row->cause(&world);
	run_ms(&world, 1);
	g_assert_cmpuint(world.heard->len, ==, 1);
	got = notice(&world, 0);
	g_assert_cmphex(got[0], ==, row->type);
	g_assert_cmpuint(get_be24(got + 1), ==, row->producer);
	g_assert_cmpuint(get_be16(got + 4), ==, row->number);
	g_assert_cmpuint(get_be16(got + 6), ==, row->issuer);
	if (row->number == 144)
		put_be16(expected + 12, world.h2->cap_mask2);
	g_assert_cmpmem(got + 10, 54, expected, 54);
	world_close(&world);
}

/* ---- their order ---- */

static void repress(struct world *world, unsigned int heard)
{
	struct kmod_source source = { .slid = 1 };
	uint8_t in[MAD_SIZE], out[MAD_SIZE];

	memcpy(in, g_ptr_array_index(world->heard, heard), MAD_SIZE);
	in[MAD_METHOD] = MAD_METHOD_TRAP_REPRESS;
	sma_process(world->h2->port, &source, in, out);
}

static unsigned int number(const struct world *world, unsigned int i)
{
	return get_be16(notice(world, i) + 4);
}

/* Several at once take turns, one per interval, until each is repressed; a new one goes first. */
static void test_turns(void)
{
	static const int64_t interval_ns = INT64_C(4096) << 12;
	struct world world = world_open();

	world_listen(&world);
	cause_description(&world);
	cause_q_key(&world);
	cause_overrun(&world);
	run_ms(&world, 110);
	g_assert_cmpuint(world.heard->len, ==, 7);
	for (unsigned int i = 0; i < 7; i++) {
		static const unsigned int numbers[] = { 144, 130, 258 };

		g_assert_cmpuint(number(&world, i), ==, numbers[i % 3]);
		g_assert_cmpint(g_array_index(world.heard_ns, int64_t, i), ==, i * interval_ns);
	}
	repress(&world, 0);
	repress(&world, 1);
	g_ptr_array_set_size(world.heard, 0);
	cause_system_guid(&world);
	run_ms(&world, 60);
	g_assert_cmpuint(world.heard->len, ==, 4);
	g_assert_cmpuint(number(&world, 0), ==, 145);
	g_assert_cmpuint(number(&world, 1), ==, 258);
	g_assert_cmpuint(number(&world, 2), ==, 145);
	repress(&world, 0);
	repress(&world, 1);
	g_assert_cmpuint(world.fabric->queue.count, ==, 0);
	world_close(&world);
}

/* Trap 256 is repeated until a sender with the M_Key represses it. */
static void test_m_key_repressed(void)
{
	struct world world = world_open();

	world_listen(&world);
	cause_m_key(&world);
	run_ms(&world, 1);
	repress(&world, 0);
	run_ms(&world, 60);
	/* Its key was 0: that is another violation, and the same trap. */
	g_assert_cmpuint(world.h2->m_key_violations, ==, 2);
	g_assert_cmpuint(world.heard->len, ==, 4);
	for (unsigned int i = 0; i < 4; i++)
		g_assert_cmpuint(number(&world, i), ==, 256);
	g_assert_cmphex(notice(&world, 0)[16], ==, MAD_METHOD_GET);
	g_assert_cmphex(notice(&world, 1)[16], ==, MAD_METHOD_TRAP_REPRESS);
	put_be64((uint8_t *)g_ptr_array_index(world.heard, 3) + SMP_MKEY, 5);
	repress(&world, 3);
	run_ms(&world, 1000);
	g_assert_cmpuint(world.heard->len, ==, 4);
	world_close(&world);
}

/* Another change before the SM knows makes one trap; a TrapRepress with the old TID is too late. */
static void test_changes_add_up(void)
{
	struct world world = world_open();

	world_listen(&world);
	trap_local_change(world.h2, TRAP_CHANGE_LINK_SPEED_ENABLED);
	run_ms(&world, 1);
	cause_description(&world);
	repress(&world, 0);
	run_ms(&world, 20);
	g_assert_cmpuint(world.heard->len, ==, 2);
	g_assert_cmphex(get_be16(notice(&world, 0) + 20), ==, 4);
	g_assert_cmphex(get_be16(notice(&world, 1) + 20), ==, 5);
	repress(&world, 1);
	run_ms(&world, 1000);
	g_assert_cmpuint(world.heard->len, ==, 2);
	world_close(&world);
}

/* Violations are counted whether a trap reports them or not. */
static void test_violations(void)
{
	struct world world = world_open();

	world.h2->sm_lid = 0;
	cause_p_key(&world);
	cause_p_key(&world);
	cause_q_key(&world);
	cause_m_key(&world);
	run_ms(&world, 1000);
	g_assert_cmpuint(world.heard->len, ==, 0);
	g_assert_cmpuint(world.h2->p_key_violations, ==, 2);
	g_assert_cmpuint(world.h2->q_key_violations, ==, 1);
	g_assert_cmpuint(world.h2->m_key_violations, ==, 1);
	/* The counters stop at their highest value. */
	world.h2->p_key_violations = UINT16_MAX;
	cause_p_key(&world);
	run_ms(&world, 1);
	g_assert_cmpuint(world.h2->p_key_violations, ==, UINT16_MAX);
	world_close(&world);
}

/* IBA vol 1, 10.9.3: the key, and whether the receiver, with this one in its table, accepts it. */
static void test_p_key_match(void)
{
	static const struct {
		uint16_t sent, own;
		bool is_taken;
	} cases[] = {
		{ 0x8001, 0x8001, true }, { 0x0001, 0x8001, true }, { 0x8001, 0x0001, true },
		{ 0x0001, 0x0001, false }, { 0x8002, 0x8001, false }, { 0x8000, 0x8000, false },
		{ 0x0000, 0x8000, false }, { 0x8001, 0x0000, false },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct world world = world_open();

		world.h2->pkeys[0] = 0;
		world.h2->pkeys[7] = cases[i].own;
		send_gsi(&world, cases[i].sent, QKEY_GSI, false);
		run_ms(&world, 1);
		g_assert_cmpuint(world.h2->p_key_violations, ==, !cases[i].is_taken);
		world_close(&world);
	}
}

/* What was set is lost with the power. */
static void test_capability_after_power_up(void)
{
	static const char *const lines[] = {
		"capability set H2[1] 0x80000", "capability clear H2[1] 0x10000", "node off H2",
		"node on H2",
	};
	struct world world = world_open();
	uint32_t before = world.h2->cap_mask;

	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_assert_cmpint(umadrig_console(world.fabric, lines[i], NULL), ==, 0);
		if (i == 1)
			g_assert_cmphex(world.h2->cap_mask, ==, before ^ 0x90000);
	}
	g_assert_cmphex(world.h2->cap_mask, ==, before);
	world_close(&world);
}

static void test_bad_arguments(void)
{
	static const struct {
		const char *node;
		unsigned int port;
		enum umadrig_link_error error;
		int ret;
	} cases[] = {
		{ "S1", 5, UMADRIG_LINK_INTEGRITY, -ENOENT },
		{ "S1", 0, UMADRIG_LINK_INTEGRITY, -ENOENT },
		{ "S9", 1, UMADRIG_LINK_INTEGRITY, -ENOENT },
		{ "S1", 1, UMADRIG_FLOW_CONTROL_WATCHDOG + 1, -EINVAL },
	};
	struct world world = world_open();

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		g_assert_cmpint(umadrig_link_error(world.fabric, cases[i].node, cases[i].port,
						   cases[i].error), ==, cases[i].ret);
	for (unsigned int num = 1; num < 6; num += 4)
		g_assert_cmpint(umadrig_port_set_capability(world.fabric, "S1", num, 0x80000, true),
				==, -ENOENT);
	g_assert_cmpint(umadrig_port_set_capability(world.fabric, "S9", 1, 0x80000, true), ==,
			-ENOENT);
	g_assert_cmpint(umadrig_port_set_capability(world.fabric, "H2", 1, CAP_IS_SM, true), ==,
			-EINVAL);
	g_assert_cmpint(umadrig_port_set_capability(world.fabric, "S1", 0, 0x80000, true), ==, 0);
	g_assert_cmpint(umadrig_node_set_description(world.fabric, "S9", ""), ==, -ENOENT);
	g_assert_cmpint(umadrig_node_set_system_guid(world.fabric, "S9", 1), ==, -ENOENT);
	world_close(&world);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/trap/words/%s", rows[i].name);

		g_test_add_data_func(path, &rows[i], test_words);
	}
	g_test_add_func("/trap/turns", test_turns);
	g_test_add_func("/trap/m-key-repressed", test_m_key_repressed);
	g_test_add_func("/trap/changes-add-up", test_changes_add_up);
	g_test_add_func("/trap/violations", test_violations);
	g_test_add_func("/trap/p-key-match", test_p_key_match);
	g_test_add_func("/trap/capability-after-power-up", test_capability_after_power_up);
	g_test_add_func("/trap/bad-arguments", test_bad_arguments);
	return leak_end(g_test_run());
}
