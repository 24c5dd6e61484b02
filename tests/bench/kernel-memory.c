/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * kernel-memory FABRIC: what the kernels of a fabric's hosts take.
 *
 * A kernel begins with the first packet for its host. The first host asks each adapter for
 * NodeInfo, at QP0, and for PortCounters, at QP1: so all have begun, and each QP has had a packet.
 * Prints "PORTS BEFORE AFTER": how many ports have answered, and the resident memory of this
 * process, in kB, before the first question and after the last answer.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sim/api/umadrig.h"
#include "tests/rig/peak-memory.h"
#include "tests/rig/rig.h"

enum { NODE_INFO = 0x0011, PORT_COUNTERS = 0x0012, PERF_SELECT = 64 + 1, WAIT_MS = 1000 };

static void ask(struct rig *rig, int fd, uint32_t agent, const struct rig_get *get)
{
	uint8_t umad[RIG_UMAD];

	rig_fill(umad, agent, get);
	umad[RIG_HEADER + PERF_SELECT] = get->mgmt_class == MAD_CLASS_PERF;
	g_assert_cmpint(rig->backend->send(fd, umad, sizeof(umad)), ==, sizeof(umad));
	g_assert_cmpint(rig_recv(rig, fd, umad, WAIT_MS), ==, RIG_UMAD);
	g_assert_cmpuint(rig_get_u32(umad, RIG_STATUS), ==, 0);
}

/* The only port of each adapter. Returns how many. */
static unsigned int ask_all(struct rig *rig, int fd)
{
	uint32_t smp_agent = rig_register(rig, fd, MAD_CLASS_SUBN_LID, 0);
	uint32_t perf_agent = rig_register(rig, fd, MAD_CLASS_PERF, 0);
	unsigned int ports = 0;
	const char *node;

	for (unsigned int i = 0; (node = umadrig_node(rig->fabric, i)); i++) {
		const struct umadrig_port *port = umadrig_port(rig->fabric, node, 1);

		if (!port || umadrig_port(rig->fabric, node, 0))
			continue;
		ports++;
		ask(rig, fd, smp_agent, &(struct rig_get){
			.mgmt_class = MAD_CLASS_SUBN_LID, .attr = NODE_INFO, .tid = 2 * ports,
			.dlid = umadrig_port_lid(port), .timeout_ms = WAIT_MS });
		ask(rig, fd, perf_agent, &(struct rig_get){
			.mgmt_class = MAD_CLASS_PERF, .attr = PORT_COUNTERS, .tid = 2 * ports + 1,
			.dlid = umadrig_port_lid(port), .timeout_ms = WAIT_MS });
	}
	return ports;
}

/* The first adapter's. */
static const char *first_device(const struct rig *rig)
{
	const char *node;

	for (unsigned int i = 0; (node = umadrig_node(rig->fabric, i)); i++) {
		if (!umadrig_port(rig->fabric, node, 0))
			return umadrig_port_device(umadrig_port(rig->fabric, node, 1));
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct rig rig;
	unsigned int ports;
	long before;
	int fd;

	if (argc != 2) {
		fprintf(stderr, "usage: kernel-memory FABRIC\n");
		return 2;
	}
	rig = rig_open(argv[1]);
	before = rss_kb();
	fd = rig_open_port(&rig, NULL, first_device(&rig), 1);
	ports = ask_all(&rig, fd);
	printf("%u %ld %ld\n", ports, before, rss_kb());
	rig.backend->close(fd);
	rig_close(&rig);
	return 0;
}
