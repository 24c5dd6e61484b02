/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Packets: building and parsing are inverse; both CRCs are those of real hardware.
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "tests/rig/leak.h"
#include "kmod-stub/packet.h"
#include "kmod-stub/wire-crc.h"

static void test_crc_check_values(void)
{
	static const uint8_t digits[] = "123456789";

	g_assert_cmphex(~wire_crc32(WIRE_CRC32_INIT, digits, 9), ==, 0xcbf43926);
	g_assert_cmphex(wire_crc16(digits, 9), ==, 0x0a3d);
}

/* LRH f002ffff0048ffff, a SubnGet(NodeInfo) of TID 0x1234: CRCs 60 11 8b d1 and 5f 8f. */
static void test_seal(void)
{
	static const uint8_t crcs[] = { 0x60, 0x11, 0x8b, 0xd1, 0x5f, 0x8f };
	struct packet_addr addr = {
		.vl = 15, .slid = LID_PERMISSIVE, .dlid = LID_PERMISSIVE, .pkey = PKEY_DEFAULT,
	};
	struct packet_pool pool = { 0 };
	struct packet *packet = packet_new(&pool);
	uint8_t *mad;

	packet_build(packet, &addr);
	mad = packet_mad(packet);
	memset(mad, 0, MAD_SIZE);
	memcpy(mad, "\x01\x81\x01\x01", 4);
	put_be64(mad + MAD_TID, 0x1234);
	put_be16(mad + MAD_ATTR_ID, 0x0011);
	g_assert_cmpuint(packet_size(packet), ==, 284);
	/* Before it is sealed it has no CRCs that could be wrong. */
	g_assert_true(packet_crc_ok(packet));
	packet_seal(packet);
	packet->bytes[289] ^= 1;
	packet_seal(packet);
	g_assert_false(packet_crc_ok(packet));
	packet->bytes[289] ^= 1;
	g_assert_cmpuint(packet_size(packet), ==, 290);
	g_assert_cmpmem(packet->bytes + 284, 6, crcs, 6);
	g_assert_true(packet_crc_ok(packet));
	for (unsigned int byte = 0; byte < 290; byte++) {
		packet->bytes[byte] ^= 0x10;
		g_assert_false(packet_crc_ok(packet));
		packet->bytes[byte] ^= 0x10;
	}
	packet_free(&pool, packet);
	packet_free(&pool, NULL);
	packet_pool_clear(&pool);
}

/* What changes on the way is not in the ICRC: the VL, and with a GRH the LRH and the hop limit. */
static void test_icrc_ignores_what_changes(void)
{
	static const struct { bool grh; unsigned int byte; uint8_t mask; bool ignored; } rows[] = {
		{ false, LRH_VL, 0xf0, true },
		{ false, LRH_VL, 0x0f, false },
		{ false, LRH_DLID, 0xff, false },
		{ false, LRH_SIZE + 4, 0xff, true },		/* BTH Resv8a */
		{ true, LRH_DLID, 0xff, true },
		{ true, LRH_SIZE + GRH_HOPLIMIT, 0xff, true },
		{ true, LRH_SIZE + GRH_SGID, 0xff, false },
		{ true, LRH_SIZE, 0xf0, false },		/* IPVer */
		{ true, LRH_SIZE + 1, 0xff, true },		/* TClass, FlowLabel */
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct packet_addr addr = { .has_grh = rows[i].grh, .hop_limit = 3 };
		struct packet packet;
		uint32_t before;

		packet_build(&packet, &addr);
		memset(packet_mad(&packet), 0x5a, MAD_SIZE);
		before = wire_icrc(packet.bytes, packet_size(&packet));
		packet.bytes[rows[i].byte] ^= rows[i].mask;
		g_test_message("row %zu", i);
		g_assert_cmpint(wire_icrc(packet.bytes, packet_size(&packet)) == before, ==,
				rows[i].ignored);
	}
}

static void test_round_trip(void)
{
	for (unsigned int grh = 0; grh < 2; grh++) {
		struct packet_addr in = {
			.slid = 0x1234, .dlid = 0x4321, .sl = 5, .vl = 3, .pkey = 0x8001,
			.src_qp = 0x123456, .dest_qp = 1, .qkey = QKEY_GSI, .psn = 0xabcdef,
		}, out;
		struct packet packet;

		if (grh) {
			in.has_grh = true;
			in.traffic_class = 0xa5;
			in.flow_label = 0x54321;
			in.hop_limit = 64;
			memset(in.sgid, 0x11, 16);
			memset(in.dgid, 0x22, 16);
		}
		packet_build(&packet, &in);
		memset(packet_mad(&packet), 0, MAD_SIZE);
		g_assert_cmpuint(packet.mad_at, ==, grh ? 68 : 28);
		g_assert_cmpuint(get_be16(packet.bytes + LRH_PKTLEN), ==, grh ? 82 : 72);
		g_assert_true(packet_parse(&packet, packet_size(&packet), &out));
		g_assert_cmpmem(&in, sizeof(in), &out, sizeof(out));
		g_assert_cmpuint(packet_has_grh(&packet), ==, grh);
		g_assert_cmpuint(packet_slid(&packet), ==, 0x1234);
		g_assert_cmpuint(packet_dlid(&packet), ==, 0x4321);
		g_assert_cmpuint(packet_src_qp(&packet), ==, 0x123456);
		g_assert_cmpuint(packet_dest_qp(&packet), ==, 1);
	}
}

static void test_parse_refuses(void)
{
	static const struct {
		const char *why;
		unsigned int byte;
		uint8_t value;
		size_t size;
	} rows[] = {
		{ "raw packet", LRH_SL, 0, 284 },
		{ "not UD SEND-only", LRH_SIZE, 101, 284 },
		{ "cut short", LRH_VL, 0, 283 },
		{ "GRH promised, no room", LRH_SL, LRH_LNH_GRH, 284 },
		{ "GRH promised, another protocol behind it", LRH_SL, LRH_LNH_GRH, 324 },
	};

	struct packet_addr out;
	struct packet packet;

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct packet_addr addr = { 0 };

		g_test_message("%s", rows[i].why);
		memset(packet.bytes, 0, sizeof(packet.bytes));
		packet_build(&packet, &addr);
		packet.bytes[rows[i].byte] = rows[i].value;
		g_assert_false(packet_parse(&packet, rows[i].size, &out));
	}
	/* With a GRH there is more of it. */
	packet_build(&packet, &(struct packet_addr){ .has_grh = true });
	g_assert_true(packet_parse(&packet, 324, &out));
	g_assert_false(packet_parse(&packet, 323, &out));
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/packet/crc-check-values", test_crc_check_values);
	g_test_add_func("/packet/seal", test_seal);
	g_test_add_func("/packet/icrc-ignores-what-changes", test_icrc_ignores_what_changes);
	g_test_add_func("/packet/round-trip", test_round_trip);
	g_test_add_func("/packet/parse-refuses", test_parse_refuses);
	return leak_end(g_test_run());
}
