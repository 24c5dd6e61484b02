/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The door: a fabric through struct umad_backend, as libibumad sees it.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>

#include "tests/rig/leak.h"
#include "tests/rig/rig.h"

enum { NODE_INFO = 0x0011, CLASS_PORT_INFO = 0x0001 };

static const char virtual_clock[] = ",clock=virtual";

static void test_devices(void)
{
	struct rig rig = rig_open(virtual_clock);
	char (*names)[UMAD_BACKEND_NAME_SIZE] = NULL;
	struct umad_backend_port port;
	struct umad_backend_ca ca;
	size_t count = 0;

	g_assert_cmpint(rig.backend->list_cas(&names, &count), ==, 0);
	g_assert_cmpuint(count, ==, 1);
	g_assert_cmpstr(names[0], ==, "H1");
	free(names);
	g_assert_cmpint(rig.backend->get_ca("H1", &ca), ==, 0);
	g_assert_cmpuint(ca.node_type, ==, 1);
	g_assert_cmpuint(ca.port_count, ==, 1);
	g_assert_cmpuint(ca.port_nums[0], ==, 1);
	free(ca.port_nums);
	g_assert_cmpint(rig.backend->get_port("H1", 1, UMAD_BACKEND_PORT_STATE |
					      UMAD_BACKEND_PORT_PKEYS, &port), ==, 0);
	g_assert_cmpuint(port.attr.lid, ==, 1);
	g_assert_cmpuint(port.attr.sm_lid, ==, 2);
	g_assert_cmpuint(port.attr.state, ==, 4);
	g_assert_cmpuint(port.attr.phys_state, ==, 5);
	g_assert_cmpstr(port.attr.rate, ==, "40 Gb/sec (4X QDR)");
	g_assert_cmpuint(port.pkeys[0], ==, 0xffff);
	g_assert_cmpuint(port.attr.gid_prefix, ==, UINT64_C(0xfe80000000000000));
	g_assert_cmpstr(port.attr.link_layer, ==, "InfiniBand");
	free(port.pkeys);

	/* Another host's device is not visible until the thread enters that host. */
	g_assert_cmpint(rig.backend->get_ca("H2", &ca), ==, -ENOENT);
	g_assert_cmpint(rig.backend->get_port("H1", 2, UMAD_BACKEND_PORT_STATE, &port), ==,
			-ENOENT);
	g_assert_cmpint(umadrig_host_enter(rig.fabric, "H2"), ==, 0);
	g_assert_cmpint(rig.backend->get_port("H2", 1, UMAD_BACKEND_PORT_STATE, &port), ==, 0);
	g_assert_cmpuint(port.attr.lid, ==, 2);
	g_assert_cmpint(umadrig_host_enter(rig.fabric, "H3"), ==, -ENOENT);
	rig_close(&rig);
}

/* Given a request from H1, when it is sent, then what comes back, and when. */
static const struct asked {
	const char *name;
	const char *spec;
	struct rig_get get;
	long got;		/* bytes of the response, or -errno */
	uint16_t status;	/* of the MAD */
	uint32_t umad_status;
	int64_t at_ns;
} asked[] = {
	{ "own NodeInfo, no hop", ",clock=virtual",
	  { .mgmt_class = MAD_CLASS_SUBN_DR, .attr = NODE_INFO, .timeout_ms = 100 },
	  RIG_UMAD, 0x8000, 0, 0 },
	{ "peer's NodeInfo, one hop", ",clock=virtual,latency=1ms",
	  { .mgmt_class = MAD_CLASS_SUBN_DR, .attr = NODE_INFO, .path = { 1, 1 },
	    .timeout_ms = 100 },
	  RIG_UMAD, 0x8000, 0, 2000000 },
	{ "peer's NodeInfo by LID", ",clock=virtual,latency=1us",
	  { .mgmt_class = MAD_CLASS_SUBN_LID, .attr = NODE_INFO, .dlid = 2, .timeout_ms = 100 },
	  RIG_UMAD, 0, 0, 2000 },
	{ "own NodeInfo by LID goes through the HCA", ",clock=virtual,latency=1us",
	  { .mgmt_class = MAD_CLASS_SUBN_LID, .attr = NODE_INFO, .dlid = 1, .timeout_ms = 100 },
	  RIG_UMAD, 0, 0, 2000 },
	{ "a class that nobody serves", ",clock=virtual",
	  { .mgmt_class = 0x32, .attr = CLASS_PORT_INFO, .dlid = 2, .timeout_ms = 100 },
	  RIG_UMAD, 0x000c, 0, 0 },
	{ "a LID that nobody has", ",clock=virtual",
	  { .mgmt_class = 0x32, .attr = CLASS_PORT_INFO, .dlid = 7, .timeout_ms = 100,
	    .retries = 3 },
	  RIG_HEADER + MAD_HDR_SIZE, 0, ETIMEDOUT, 400000000 },
	{ "a cold fabric carries directed routes", ",clock=virtual,state=cold",
	  { .mgmt_class = MAD_CLASS_SUBN_DR, .attr = NODE_INFO, .path = { 1, 1 },
	    .timeout_ms = 100 },
	  RIG_UMAD, 0x8000, 0, 0 },
	{ "and nothing else", ",clock=virtual,state=cold",
	  { .mgmt_class = 0x32, .attr = CLASS_PORT_INFO, .dlid = 2, .timeout_ms = 10 },
	  RIG_HEADER + MAD_HDR_SIZE, 0, ETIMEDOUT, 10000000 },
	{ "the real clock", "",
	  { .mgmt_class = MAD_CLASS_SUBN_DR, .attr = NODE_INFO, .path = { 1, 1 },
	    .timeout_ms = 9999 },
	  RIG_UMAD, 0x8000, 0, -1 },
};

static void test_asked(const void *data)
{
	const struct asked *row = data;
	struct rig rig = rig_open(row->spec);
	int fd = rig_open_port(&rig, "H1", "H1", 1);
	uint32_t agent = rig_register(&rig, fd, row->get.mgmt_class, 0);
	uint8_t umad[RIG_UMAD];

	rig_send(&rig, fd, agent, &row->get);
	g_assert_cmpint(rig_recv(&rig, fd, umad, 20000), ==, row->got);
	g_assert_cmpuint(get_be16(umad + RIG_HEADER + MAD_STATUS), ==, row->status);
	g_assert_cmpuint(rig_get_u32(umad, RIG_STATUS), ==, row->umad_status);
	if (row->at_ns >= 0)
		g_assert_cmpint(umadrig_now(rig.fabric), ==, row->at_ns);
	g_assert_cmpint(rig.backend->recv(fd, umad, sizeof(umad)), ==, -EAGAIN);
	g_assert_cmpint(rig.backend->close(fd), ==, 0);
	g_assert_cmpint(rig.backend->close(fd), ==, -EBADF);
	rig_close(&rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/door/devices", test_devices);
	for (size_t i = 0; i < G_N_ELEMENTS(asked); i++) {
		g_autofree char *path = g_strdup_printf("/door/asked/%s", asked[i].name);

		g_test_add_data_func(path, &asked[i], test_asked);
	}
	return leak_end(g_test_run());
}
