/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: whatever MAD is put on a wire, by LID or by any path, it has an end: it is answered,
 * received or dropped, nothing stays on the wire, and no packet is lost or duplicated.
 *
 * Input: records of a head (port, DLID, QP and VL, GRH) and up to 256 bytes of MAD.
 */
#include "config.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "sim/fabric/fabric.h"
#include "sim/run/assembly.h"
#include "sim/topology/lid.h"
#include "sim/topology/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) do { if (!(condition)) abort(); } while (0)

enum { HEAD_SIZE = 6 };

/* H1 and H2 on S1, S1 and S2 by two cables, S2[3] and S2[4] on each other: a loop. */
static const char text[] =
	"Hca 1 \"H1\"\n[1] \"S1\"[1]\n\nHca 1 \"H2\"\n[1] \"S1\"[2]\n\n"
	"Switch 4 \"S1\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n[3] \"S2\"[1]\n[4] \"S2\"[2]\n\n"
	"Switch 4 \"S2\"\n[1] \"S1\"[3]\n[2] \"S1\"[4]\n[3] \"S2\"[4]\n[4] \"S2\"[3]\n";

static struct umadrig_fabric *make_fabric(bool cold)
{
	struct umadrig_options options = {
		.virtual_clock = true, .cold = cold, .seed = 1, .first_hi_tid = 1,
		.latency_ns = 1000,
	};
	struct topology *topology = topology_parse(text, strlen(text), "walk", NULL);
	struct umadrig_fabric *fabric;
	char message[512];

	topology_assign_lids(topology);
	fabric = fabric_new(topology, &options, message, sizeof(message));
	topology_free(topology);
	CHECK(fabric);
	return fabric;
}

/* One record: how much of the input it used. */
static size_t put_on_wire(struct umadrig_fabric *fabric, const uint8_t *data, size_t size)
{
	static const char *const nodes[] = { "H1", "H2", "S1", "S2" };
	const char *node = nodes[data[0] & 3];
	size_t mad_size = MIN(size - HEAD_SIZE, MAD_SIZE);
	struct packet_addr addr = {
		.slid = data[1],
		.dlid = get_be16(data + 2),
		.dest_qp = data[4] & 3,
		.src_qp = data[4] >> 2 & 1,
		.vl = data[4] & 8 ? 15 : 0,
		.sl = data[4] >> 4,
		.has_grh = data[5] & 1,
		.pkey = data[5] & 2 ? 0x7fff : 0xffff,
		.qkey = data[4] & 3 ? QKEY_GSI : 0,
	};
	struct packet packet = { 0 };

	packet_build(&packet, &addr);
	memset(packet_mad(&packet), 0, MAD_SIZE);
	memcpy(packet_mad(&packet), data + HEAD_SIZE, mad_size);
	CHECK(umadrig_inject(umadrig_port(fabric, node, node[0] == 'S' ? 0 : 1), packet.bytes,
			     packet_size(&packet)) == 0);
	return HEAD_SIZE + mad_size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct umadrig_fabric *fabric = make_fabric(size & 1);

	while (size > HEAD_SIZE) {
		size_t used = put_on_wire(fabric, data, size);

		data += used;
		size -= used;
	}
	umadrig_step(fabric, NS_PER_S);
	CHECK(umadrig_next(fabric) == INT64_MAX);
	CHECK(fabric->pool.used == 0);
	umadrig_fabric_close(fabric);
	return 0;
}
