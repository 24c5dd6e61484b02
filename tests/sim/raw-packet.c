/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Hand-made packets: where each kind of damage is detected, what is counted, and what is delivered.
 */
#include "sim/fabric/fabric.h"
#include "tests/rig/leak.h"
#include "sim/fabric/raw-packet.h"
#include "tests/rig/rig.h"

enum { WHOLE = 28 + MAD_SIZE + 6, GRH_WHOLE = WHOLE + GRH_SIZE };

/* H1 and H2 at one switch; H2 sends, H1 has LID 1. */
static const char net[] =
	"Switch 2 \"S1\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n\nHca 1 \"H1\"\n[1] \"S1\"[1]\n\n"
	"Hca 1 \"H2\"\n[1] \"S1\"[2]\n";

/* A changed byte of the packet, before or after the CRCs are computed. */
struct damage {
	int at;			/* negative: from the end of the packet */
	uint8_t value;		/* value to XOR */
	bool mended;
};

/*
 * Given a valid MAD from H2 to H1 and damage to it (and its size), when it leaves H2 or arrives at
 * H1, then these ports count this, and H1 sees that many packets, answered by its kernel or not.
 */
static const struct row {
	const char *name;
	bool grh;
	struct damage damage[2];
	size_t size;		/* 0: as it is */
	unsigned int switch_errors, host_errors;
	unsigned int seen;	/* at H1, after it has crossed the switch */
	bool answered;
} rows[] = {
	{ .name = "nothing", .seen = 1, .answered = true },
	{ .name = "nothing, GRH", .grh = true, .seen = 1, .answered = true },
	{ .name = "without CRCs", .size = WHOLE - 6, .seen = 1, .answered = true },
	{ .name = "a bit of the MAD", .damage = { { 100, 4, false } }, .switch_errors = 1 },
	{ .name = "a bit of the MAD, mended", .damage = { { 100, 4, true } }, .seen = 1,
	  .answered = true },
	{ .name = "VCRC", .damage = { { -1, 1, false } }, .switch_errors = 1 },
	{ .name = "LVer", .damage = { { 0, 1, true } }, .switch_errors = 1 },
	{ .name = "PktLen", .damage = { { 5, 1, true } }, .switch_errors = 1 },
	{ .name = "cut off", .size = 100, .switch_errors = 1 },
	{ .name = "a LRH and CRCs", .size = 14, .switch_errors = 1 },
	{ .name = "no transport (LNH)", .damage = { { 1, 2, true } }, .seen = 1 },
	{ .name = "opcode", .damage = { { 8, 1, true } }, .seen = 1 },
	{ .name = "TVer", .damage = { { 9, 1, true } }, .seen = 1 },
	{ .name = "GRH: IPVer", .grh = true, .damage = { { 8, 0x20, true } }, .seen = 1 },
	{ .name = "GRH: NxtHdr", .grh = true, .damage = { { 14, 1, true } }, .seen = 1 },
	{ .name = "GRH: PayLen", .grh = true, .damage = { { 13, 4, true } }, .seen = 1 },
	/* The VCRC after it is then recomputed: only the destination HCA checks the ICRC. */
	{ .name = "ICRC", .damage = { { -3, 1, true } }, .host_errors = 1, .seen = 1 },
	{ .name = "no such QP", .damage = { { 15, 4, true } }, .seen = 1 },
};

struct seen {
	unsigned int in, out;
};

static void count(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	struct seen *seen = ctx;

	(void)at_ns;
	(void)bytes;
	(void)size;
	*(outbound ? &seen->out : &seen->in) += 1;
}

static void build(const struct row *row, struct packet *packet, const struct packet_addr *addr)
{
	uint8_t *mad;

	packet_build(packet, addr);
	mad = packet_mad(packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = 0x32;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = MAD_METHOD_GET;
	packet_seal(packet);
	for (size_t i = 0; i < G_N_ELEMENTS(row->damage); i++) {
		const struct damage *damage = &row->damage[i];
		size_t size = packet_size(packet);
		uint8_t *byte = packet->bytes + (damage->at < 0 ? (int)size : 0) + damage->at;

		*byte ^= damage->value;
		if (!damage->mended)
			continue;
		if (damage->at < 0) {
			raw_packet_restamp(packet);
			continue;
		}
		packet->sealed = false;
		packet_seal(packet);
	}
}

static void run(const struct row *row, bool inject)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	struct umadrig_fabric *fabric = rig.fabric;
	struct umadrig_port *h1, *h2;
	struct packet packet = { .next = NULL };
	struct packet_addr addr = {
		.pkey = 0xffff, .src_qp = 1, .dest_qp = 1, .qkey = QKEY_GSI, .has_grh = row->grh,
		.hop_limit = 64,
	};
	struct seen seen = { 0, 0 };
	size_t size;
	int status;

	h1 = umadrig_port(fabric, "H1", 1);
	h2 = umadrig_port(fabric, "H2", 1);
	addr.slid = umadrig_port_lid(h2);
	addr.dlid = umadrig_port_lid(h1);
	umadrig_port_gid(h2, 0, addr.sgid);
	umadrig_port_gid(h1, 0, addr.dgid);
	build(row, &packet, &addr);
	g_assert_cmpuint(packet_size(&packet), ==, row->grh ? GRH_WHOLE : WHOLE);
	size = row->size ? row->size : packet_size(&packet);
	umadrig_tap(h1, count, &seen);
	status = inject ? umadrig_inject(h2, packet.bytes, size) :
			  umadrig_deliver(h1, h2, packet.bytes, size);
	g_assert_cmpint(status, ==, 0);
	umadrig_step(fabric, NS_PER_MS);

	/* Delivered without the switch, H1 detects what the switch would have. */
	g_assert_cmpint(umadrig_counter(fabric, "S1", 2, "PortRcvErrors"), ==,
			inject ? row->switch_errors : 0);
	g_assert_cmpint(umadrig_counter(fabric, "H1", 1, "PortRcvErrors"), ==,
			row->host_errors + (inject ? 0 : row->switch_errors));
	g_assert_cmpint(umadrig_counter(fabric, "H1", 1, "PortRcvPkts"), ==, row->seen);
	g_assert_cmpuint(seen.in, ==, row->seen);
	g_assert_cmpuint(seen.out, ==, row->answered ? 1 : 0);
	umadrig_tap(h1, NULL, NULL);
	rig_close(&rig);
}

static void test_row(gconstpointer data)
{
	run(data, true);
	run(data, false);
}

/* Packets that no wire could carry are refused. */
static void test_sizes(void)
{
	uint8_t bytes[512] = { 0 };
	struct rig rig = rig_open(",clock=virtual");
	struct umadrig_fabric *fabric = rig.fabric;
	struct umadrig_port *h1 = umadrig_port(fabric, "H1", 1);

	g_assert_cmpint(umadrig_deliver(h1, NULL, bytes, 13), ==, -EINVAL);
	g_assert_cmpint(umadrig_deliver(h1, NULL, bytes, 14), ==, 0);
	g_assert_cmpint(umadrig_deliver(h1, NULL, bytes, 330), ==, 0);
	g_assert_cmpint(umadrig_deliver(h1, NULL, bytes, 331), ==, -EINVAL);
	g_assert_cmpint(umadrig_inject(h1, bytes, 331), ==, -EINVAL);
	g_assert_cmpint(umadrig_counter(fabric, "H1", 1, "PortRcvErrors"), ==, 2);

	/* Only an LRH, valid as far as the link layer checks: nothing beyond it is read. */
	for (unsigned int lnh = LRH_LNH_IBA; lnh <= LRH_LNH_GRH; lnh++) {
		struct packet packet = { .mad_at = LRH_SIZE, .sealed = true };

		packet.bytes[LRH_SL] = (uint8_t)lnh;
		put_be16(packet.bytes + LRH_PKTLEN, 3);
		raw_packet_restamp(&packet);
		g_assert_cmpint(umadrig_deliver(h1, NULL, packet.bytes, 14), ==, 0);
	}
	g_assert_cmpint(umadrig_counter(fabric, "H1", 1, "PortRcvErrors"), ==, 2);
	g_assert_cmpint(umadrig_counter(fabric, "H1", 1, "PortRcvPkts"), ==, 2);
	rig_close(&rig);
}

/* What has no payload, and says how many bytes of it are padding. */
static void test_padding(void)
{
	const struct packet_addr addr = { .pkey = 0xffff, .src_qp = 70, .dest_qp = 70 };

	for (unsigned int count = 0; count < 4; count++) {
		struct packet packet = { .next = NULL };
		enum counter counter;

		packet_build(&packet, &addr);
		packet.mad_size = 0;
		put_be16(packet.bytes + LRH_PKTLEN, (packet.mad_at + ICRC_SIZE) / 4);
		packet.bytes[LRH_SIZE + BTH_PADCNT] |= (uint8_t)(count << BTH_PADCNT_SHIFT);
		packet_seal(&packet);
		g_assert_cmpstr(raw_packet_datagram_objection(&packet, &counter), ==, count == 0 ?
				NULL : "its padding (PadCnt) is longer than its payload");
	}
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/raw-packet/%s", rows[i].name);

		g_test_add_data_func(path, &rows[i], test_row);
	}
	g_test_add_func("/raw-packet/sizes", test_sizes);
	g_test_add_func("/raw-packet/padding", test_padding);
	return leak_end(g_test_run());
}
