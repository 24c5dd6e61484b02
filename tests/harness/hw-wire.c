/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The simulated wire, between two ports that are sockets here: what goes in at one end comes out at
 * the other, at the time and in the form that the simulated cable determines.
 */
#include "harness/world/hw-wire.h"

#include <sys/socket.h>
#include <string.h>
#include <unistd.h>

#include "sim/capture/frame.h"
#include "kmod-stub/event.h"
#include "tests/rig/leak.h"
#include "sim/api/umadrig.h"

#define LATENCY_NS (1 * NS_PER_MS)

static const uint8_t macs[WORLD_ENDS][6] = { { 2, 0, 0, 0, 0, 1 }, { 2, 0, 0, 0, 0, 2 } };

struct rig {
	struct hw_wire *wire;
	int ports[WORLD_ENDS];		/* what the kernels of the two ports would write and read */
	unsigned int left;
	struct packet_addr left_addr;
	int arrived;			/* the TID of the last MAD that arrived at A; -1: none */
};

static void left(void *ctx, const struct packet_addr *addr, const uint8_t mad[MAD_SIZE])
{
	struct rig *rig = ctx;

	g_assert_cmpuint(mad[MAD_CLASS], ==, 0x32);
	rig->left++;
	rig->left_addr = *addr;
}

static void arrived(void *ctx, const uint8_t mad[MAD_SIZE])
{
	struct rig *rig = ctx;

	rig->arrived = mad[MAD_TID + 7];
}

static void rig_open(struct rig *rig)
{
	struct hw_wire_setup setup = {
		.latency_ns = LATENCY_NS, .seed = 1, .left = left, .arrived = arrived, .ctx = rig,
	};
	char *error = NULL;

	*rig = (struct rig) { .arrived = -1 };
	for (int end = 0; end < WORLD_ENDS; end++) {
		int pair[2];

		g_assert_cmpint(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair), ==,
				0);
		rig->ports[end] = pair[0];
		setup.fds[end] = pair[1];
		memcpy(setup.macs[end], macs[end], 6);
	}
	rig->wire = hw_wire_new(&setup, &error);
	g_assert_nonnull(rig->wire);
}

static void rig_close(struct rig *rig)
{
	hw_wire_free(rig->wire);
	close(rig->ports[WORLD_SELF]);
	close(rig->ports[WORLD_PEER]);
}

static struct packet_addr address(enum world_end from)
{
	struct packet_addr addr = {
		.pkey = PKEY_DEFAULT, .src_qp = 1, .dest_qp = 1, .qkey = QKEY_GSI,
		.has_grh = true, .hop_limit = 64, .sgid = "\xfe\x80", .dgid = "\xfe\x80",
	};

	addr.sgid[15] = (uint8_t)(1 + from);
	addr.dgid[15] = (uint8_t)(2 - from);
	return addr;
}

static void make_mad(uint8_t mad[MAD_SIZE], uint8_t tid)
{
	memset(mad, 0x5a, MAD_SIZE);
	mad[MAD_CLASS] = 0x32;
	mad[MAD_METHOD] = MAD_METHOD_GET;
	mad[MAD_TID + 7] = tid;
}

/* Makes the port at 'from' send a MAD. */
static void port_sends(struct rig *rig, enum world_end from, uint8_t tid)
{
	struct packet_addr addr = address(from);
	struct packet packet = { .next = NULL };
	uint8_t frame[FRAME_ROCE_SIZE];
	size_t size;

	packet_build(&packet, &addr);
	make_mad(packet_mad(&packet), tid);
	size = frame_write_roce_v2(frame, macs[!from], macs[from], &packet);
	g_assert_cmpint(send(rig->ports[from], frame, size, 0), ==, (ssize_t)size);
}

/* Reads what waits at the port at 'to'. Returns its TID, or -1 if there is nothing. */
static int port_gets(struct rig *rig, enum world_end to, struct capture_mad *ret)
{
	uint8_t frame[2048];
	struct frame_result result = { .check_crcs = true };
	ssize_t size = recv(rig->ports[to], frame, sizeof(frame), 0);

	if (size < 0)
		return -1;
	g_assert_cmpint(frame_read_ethernet(frame, (size_t)size, (size_t)size, &result), ==,
			CAUSE_NONE);
	*ret = result.mad;
	g_assert_true(ret->icrc_ok);
	g_assert_cmpmem(frame, 6, macs[to], 6);
	return ret->mad[MAD_TID + 7];
}

static void test_latency(void)
{
	struct capture_mad mad;
	struct rig rig;

	for (int from = 0; from < WORLD_ENDS; from++) {
		struct packet_addr want = address((enum world_end)from);

		rig_open(&rig);
		port_sends(&rig, (enum world_end)from, 9);
		g_assert_true(hw_wire_carry(rig.wire, 5));
		g_assert_cmpuint(rig.left, ==, from == WORLD_SELF);
		g_assert_cmpint(hw_wire_next_ns(rig.wire), ==, 5 + LATENCY_NS);
		g_assert_false(hw_wire_carry(rig.wire, 4 + LATENCY_NS));
		g_assert_cmpint(rig.arrived, ==, -1);
		g_assert_cmpint(port_gets(&rig, (enum world_end)!from, &mad), ==, -1);
		g_assert_true(hw_wire_carry(rig.wire, 5 + LATENCY_NS));
		g_assert_cmpint(port_gets(&rig, (enum world_end)!from, &mad), ==, 9);
		g_assert_cmpint(rig.arrived, ==, from == WORLD_PEER ? 9 : -1);
		g_assert_cmpmem(&mad.addr, sizeof(want), &want, sizeof(want));
		if (from == WORLD_SELF)
			g_assert_cmpmem(&rig.left_addr, sizeof(want), &want, sizeof(want));
		/* The simulated end does not answer MADs for which it has no agent. */
		g_assert_cmpint(hw_wire_next_ns(rig.wire), ==, TIME_NEVER);
		rig_close(&rig);
	}
}

static void test_faults(void)
{
	static const struct {
		const char *name;
		struct umadrig_fault fault;
		const char *arrivals;	/* of the MADs a, b: in the order of arrival at B */
	} rows[] = {
		{ "none", { .act = UMADRIG_FAULT_DROP, .skip = 5 }, "ab" },
		{ "drop", { .act = UMADRIG_FAULT_DROP, .count = 1 }, "b" },
		{ "what arrives at A is another way",
		  { .act = UMADRIG_FAULT_DROP, .way = UMADRIG_FAULT_ARRIVING }, "ab" },
		{ "duplicate", { .act = UMADRIG_FAULT_DUPLICATE, .skip = 1, .count = 1 }, "abb" },
		{ "reorder", { .act = UMADRIG_FAULT_REORDER, .count = 1 }, "ba" },
		{ "corrupt", { .act = UMADRIG_FAULT_CORRUPT, .count = 1, .flips = 1 }, "b" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct umadrig_fault fault = rows[i].fault;
		g_autoptr(GString) arrivals = g_string_new(NULL);
		struct capture_mad mad;
		char message[256];
		struct rig rig;
		int tid;

		g_test_message("%s", rows[i].name);
		rig_open(&rig);
		if (fault.way == UMADRIG_FAULT_EITHER_WAY)
			fault.way = UMADRIG_FAULT_LEAVING;
		g_assert_cmpint(hw_wire_fault(rig.wire, &fault, WORLD_SELF, message,
					      sizeof(message)),
				>, 0);
		port_sends(&rig, WORLD_SELF, 'a');
		port_sends(&rig, WORLD_SELF, 'b');
		hw_wire_carry(rig.wire, 0);
		hw_wire_carry(rig.wire, NS_PER_S);
		while ((tid = port_gets(&rig, WORLD_PEER, &mad)) >= 0)
			g_string_append_c(arrivals, (char)tid);
		g_assert_cmpstr(arrivals->str, ==, rows[i].arrivals);
		g_assert_cmpuint(rig.left, ==, 2);
		rig_close(&rig);
	}
}

/* Flipped bits with corrected CRCs arrive, in a frame whose ICRC is correct. */
static void test_mended(void)
{
	const struct umadrig_fault fault = {
		.act = UMADRIG_FAULT_CORRUPT, .way = UMADRIG_FAULT_LEAVING, .crc_mended = true,
		.first_bit = 8 * 200, .bit_count = 8,
	};
	struct capture_mad mad;
	struct rig rig;
	char message[256];

	rig_open(&rig);
	g_assert_cmpint(hw_wire_fault(rig.wire, &fault, WORLD_PEER, message, sizeof(message)), >,
			0);
	port_sends(&rig, WORLD_PEER, 3);
	hw_wire_carry(rig.wire, 0);
	hw_wire_carry(rig.wire, LATENCY_NS);
	g_assert_cmpint(port_gets(&rig, WORLD_SELF, &mad), ==, 3);
	g_assert_cmpuint(mad.mad[200], ==, 0x5a ^ 0xff);
	rig_close(&rig);
}

static void test_arrive(void)
{
	struct packet_addr addr = address(WORLD_PEER);
	struct capture_mad mad;
	uint8_t bytes[MAD_SIZE];
	struct rig rig;

	rig_open(&rig);
	make_mad(bytes, 4);
	/* Even if the script does not name one: on RoCE there is always a GRH. */
	addr.has_grh = false;
	addr.slid = 77;
	g_assert_cmpint(hw_wire_arrive(rig.wire, &addr, bytes), ==, 0);
	g_assert_cmpint(port_gets(&rig, WORLD_SELF, &mad), ==, 4);
	g_assert_cmpuint(mad.addr.sgid[15], ==, 2);
	g_assert_cmpuint(rig.left, ==, 0);
	rig_close(&rig);
}

/* A frame that carries no MAD is forwarded unchanged. */
static void test_others(void)
{
	static const uint8_t frame[60] = { 0x33, 0x33, [12] = 0x86, [13] = 0xdd, [14] = 0x60 };
	uint8_t got[128];
	struct rig rig;

	rig_open(&rig);
	g_assert_cmpint(send(rig.ports[WORLD_SELF], frame, sizeof(frame), 0), ==, sizeof(frame));
	g_assert_true(hw_wire_carry(rig.wire, 0));
	g_assert_cmpint(recv(rig.ports[WORLD_PEER], got, sizeof(got), 0), ==, sizeof(frame));
	g_assert_cmpmem(got, sizeof(frame), frame, sizeof(frame));
	g_assert_cmpuint(rig.left, ==, 0);
	rig_close(&rig);
}

static void test_errors(void)
{
	g_autofree char *error = NULL;

	g_assert_cmpint(hw_wire_socket("none-such0", &error), ==, -ENODEV);
	g_assert_cmpstr(error, ==, "no such network interface: 'none-such0'");
}

/* Rules of scripts have the ports' labels, or a device and a port. */
static void test_names(void)
{
	struct world world = {
		.ca = { "rxe0", "rxe1" }, .port = { 1, 2 }, .label = { "rxe0/1", "rxe1/2" },
	};

	g_assert_cmpint(world_end_named(&world, "rxe0/1", 0), ==, WORLD_SELF);
	g_assert_cmpint(world_end_named(&world, "rxe1/2", 0), ==, WORLD_PEER);
	g_assert_cmpint(world_end_named(&world, "rxe0", 1), ==, WORLD_SELF);
	g_assert_cmpint(world_end_named(&world, "rxe1", 2), ==, WORLD_PEER);
	g_assert_cmpint(world_end_named(&world, "rxe1", 0), ==, WORLD_PEER);
	g_assert_cmpint(world_end_named(&world, "rxe1", 1), ==, -ENOENT);
	g_assert_cmpint(world_end_named(&world, "rxe2", 0), ==, -ENOENT);
	g_assert_cmpint(world_end_named(&world, NULL, 0), ==, -ENOENT);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/hw-wire/latency", test_latency);
	g_test_add_func("/hw-wire/faults", test_faults);
	g_test_add_func("/hw-wire/mended", test_mended);
	g_test_add_func("/hw-wire/arrive", test_arrive);
	g_test_add_func("/hw-wire/others", test_others);
	g_test_add_func("/hw-wire/errors", test_errors);
	g_test_add_func("/hw-wire/names", test_names);
	return leak_end(g_test_run());
}
