/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric's hosts: their devices, numbers of agents, issm files, and ports that are removed or
 * have packets put in.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "tests/rig/fabric-rig.h"
#include "tests/rig/leak.h"

/* Given CAs by description, when hosts are made, then the host and name of each device. */
static void test_hosts(void)
{
	static const char text[] =
		"Hca 1 \"a\"\t# \"node1 HCA-1\"\n[1] \"S\"[1]\n\n"
		"Hca 1 \"b\"\t# \"node1 HCA-2\"\n[1] \"S\"[2]\n\n"
		"Hca 1 \"c\"\t# \"node2 mlx5_3\"\n[1] \"S\"[3]\n\n"
		"Hca 1 \"d\"\t# \"node2 mlx5_3\"\n[1] \"S\"[4]\n\n"
		"Hca 1 \"e\"\t# \"ConnectX\"\n[1] \"S\"[5]\n\n"
		"Hca 1 \"f\"\t# \"node3 HCA-1\"\n[1] \"S\"[6]\n\n"
		"Switch 8 \"S\"\n[1] \"a\"[1]\n[2] \"b\"[1]\n[3] \"c\"[1]\n"
		"[4] \"d\"[1]\n[5] \"e\"[1]\n[6] \"f\"[1]\n";
	static const struct {
		const char *host, *node, *device;
		unsigned int devices;
	} rows[] = {
		{ "node1", "a", "sim0", 2 },
		{ "node1", "b", "sim1", 2 },
		{ "node2", "c", "mlx5_3", 2 },
		{ "node2", "d", "sim0", 2 },	/* no two devices of a host have the same name */
		{ "e", "e", "sim0", 1 },
		{ "ConnectX", "e", "sim0", 1 },	/* the node's description finds its host too */
		{ "S", "S", "sim0", 1 },	/* a program may run on a switch too */
	};
	struct rig rig = rig_open_text(text, ",clock=virtual,host=node2");

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char (*names)[UMAD_BACKEND_NAME_SIZE];
		size_t count;

		g_assert_cmpint(umadrig_host_enter(rig.fabric, rows[i].host), ==, 0);
		g_assert_cmpint(rig.backend->list_cas(&names, &count), ==, 0);
		g_assert_cmpuint(count, ==, rows[i].devices);
		free(names);
		g_assert_cmpstr(fabric_node(rig.fabric, rows[i].node)->device_name, ==,
				rows[i].device);
	}
	g_assert_cmpint(umadrig_host_enter(rig.fabric, NULL), ==, 0);
	g_assert_cmpstr(rig.fabric->default_host->name, ==, "node2");
	/* A host's name is that of its node, unless it has several. */
	g_assert_null(fabric_node(rig.fabric, "node2"));
	g_assert_true(fabric_node(rig.fabric, "node3") == fabric_node(rig.fabric, "f"));
	rig_close(&rig);
}

/* Devices are found by name even if a host has many. */
static void test_many_devices(void)
{
	enum { COUNT = 40 };
	g_autoptr(GString) text = g_string_new(NULL), ports = g_string_new(NULL);
	struct umad_backend_ca ca;
	size_t header_size;
	struct rig rig;

	for (unsigned int i = 0; i < COUNT; i++) {
		g_string_append_printf(text, "Hca 1 \"c%u\"\t# \"big mlx5_%u\"\n", i, i);
		g_string_append_printf(text, "[1] \"S\"[%u]\n\n", i + 1);
		g_string_append_printf(ports, "[%u] \"c%u\"[1]\n", i + 1, i);
	}
	g_string_append_printf(text, "Switch %u \"S\"\n%s", COUNT, ports->str);
	rig = rig_open_text(text->str, ",clock=virtual,host=big");
	for (unsigned int i = 0; i <= COUNT; i++) {
		g_autofree char *name = g_strdup_printf("mlx5_%u", i);
		g_autofree char *id = g_strdup_printf("c%u", i);
		int fd = rig.backend->open(name, 1, &header_size);

		g_assert_cmpint(rig.backend->get_ca(name, &ca), ==, i < COUNT ? 0 : -ENOENT);
		if (i == COUNT) {
			g_assert_cmpint(fd, ==, -EINVAL);
			break;
		}
		g_assert_cmphex(ca.node_guid, ==, fabric_node(rig.fabric, id)->node_guid);
		free(ca.port_nums);
		g_assert_cmpint(rig.backend->close(fd), ==, 0);
	}
	rig_close(&rig);
}

/* All devices of a host share one numbering of agents; other hosts have their own. */
static void test_hi_tid(void)
{
	static const char text[] =
		"Hca 1 \"a\"\t# \"n HCA-1\"\n[1] \"c\"[1]\n\n"
		"Hca 1 \"b\"\t# \"n HCA-2\"\n[1] \"d\"[1]\n\n"
		"Hca 1 \"c\"\n[1] \"a\"[1]\n\nHca 1 \"d\"\n[1] \"b\"[1]\n";
	static const struct {
		const char *host, *device;
		uint32_t hi_tid;
	} rows[] = {
		{ "n", "sim0", 7 }, { "n", "sim1", 8 }, { "n", "sim0", 9 }, { "c", "sim0", 7 },
	};
	struct rig rig = rig_open_text(text, ",clock=virtual,hi-tid=7");

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig_get get = { .mgmt_class = 0x32, .dlid = 99, .timeout_ms = 1, .tid = 5 };
		int fd = rig_open_port(&rig, rows[i].host, rows[i].device, 1);
		uint8_t umad[RIG_UMAD];

		rig_send(&rig, fd, rig_register(&rig, fd, 0x32, 0), &get);
		g_assert_cmpint(rig_recv(&rig, fd, umad, 10), >, 0);
		g_assert_cmphex(get_be64(umad + RIG_HEADER + MAD_TID), ==,
				(uint64_t)rows[i].hi_tid << 32 | 5);
		rig.backend->close(fd);
	}
	rig_close(&rig);
}

static void test_removal(void)
{
	struct run run = run_begin(",clock=virtual", 0x32);
	struct umad_backend_ca ca;
	uint8_t umad[RIG_UMAD] = { 0 };
	size_t header_size;

	g_assert_cmpint(umadrig_port_remove(umadrig_port(run.rig.fabric, "H1", 1)), ==, 0);
	g_assert_cmpint(run.rig.backend->recv(run.fd, umad, sizeof(umad)), ==, -EIO);
	g_assert_cmpint(run.rig.backend->send(run.fd, umad, sizeof(umad)), ==, -EIO);
	g_assert_cmpint(run.rig.backend->poll(run.fd, -1), ==, 0x8 /* POLLERR */);
	g_assert_cmpint(run.rig.backend->get_ca("sim0", &ca), ==, -ENOENT);
	g_assert_cmpint(run.rig.backend->open("sim0", 1, &header_size), ==, -EINVAL);
	g_assert_cmpint(umadrig_port_remove(umadrig_port(run.rig.fabric, "H1", 1)), ==, 0);
	run_end(&run);
}

static void test_injection(void)
{
	struct run run = run_begin(",clock=virtual,latency=1ms", 0x32);
	struct umadrig_port *h1 = umadrig_port(run.rig.fabric, "H1", 1);
	struct umadrig_port *h2 = umadrig_port(run.rig.fabric, "H2", 1);
	GString *at_h1 = g_string_new(NULL), *at_h2 = g_string_new(NULL);
	struct packet_addr addr = {
		.slid = 2, .dlid = 1, .pkey = 0xffff, .src_qp = 1, .dest_qp = 1, .qkey = QKEY_GSI,
	};
	struct packet packet;
	uint8_t *mad;

	packet_build(&packet, &addr);
	mad = packet_mad(&packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = 0x32;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = MAD_METHOD_GET;
	umadrig_tap(h1, write_down, at_h1);
	umadrig_tap(h2, write_down, at_h2);

	/*
	 * Sent by H2's HCA: arrives one latency later, is answered 0x000c by H1's kernel, and is
	 * back after another latency.
	 */
	g_assert_cmpint(umadrig_inject(h2, packet.bytes, packet_size(&packet)), ==, 0);
	g_assert_cmpint(umadrig_next(run.rig.fabric), ==, 1000000);
	umadrig_step(run.rig.fabric, 2000000);
	g_assert_true(g_str_has_prefix(at_h1->str, "1000000 < 284 "));
	g_assert_nonnull(strstr(at_h1->str, "\n1000000 > 284 "));
	g_assert_true(g_str_has_prefix(at_h2->str, "0 > 284 "));
	g_assert_nonnull(strstr(at_h2->str, "\n2000000 < 284 "));

	/* Delivered to H1 now: it left H2 one latency ago. */
	g_string_truncate(at_h1, 0);
	g_string_truncate(at_h2, 0);
	g_assert_cmpint(umadrig_deliver(h1, h2, packet.bytes, packet_size(&packet)), ==, 0);
	g_assert_true(g_str_has_prefix(at_h1->str, "2000000 < 284 "));
	g_assert_true(g_str_has_prefix(at_h2->str, "1000000 > 284 "));

	g_assert_cmpint(umadrig_inject(h2, packet.bytes, 13), ==, -EINVAL);
	g_assert_cmpint(umadrig_deliver(h1, h2, packet.bytes, 1000), ==, -EINVAL);
	umadrig_tap(h1, NULL, NULL);
	umadrig_tap(h2, NULL, NULL);
	g_string_free(at_h1, true);
	g_string_free(at_h2, true);
	run_end(&run);
}

static bool is_sm(struct rig *rig)
{
	struct umad_backend_port port;

	g_assert_cmpint(rig->backend->get_port("H1", 1, UMAD_BACKEND_PORT_STATE, &port), ==, 0);
	return port.attr.cap_mask & CAP_IS_SM;
}

/* IsSM is set while issmN is open, through the file layer or through the path that replaces it. */
static void test_issm(void)
{
	struct rig rig = rig_open(",clock=virtual");
	struct umadrig_port *h1 = umadrig_port(rig.fabric, "H1", 1);
	char path[64];
	FILE *file;

	g_assert_false(is_sm(&rig));
	g_assert_cmpint(umadrig_issm_open(h1), ==, 0);
	g_assert_cmpint(umadrig_issm_open(h1), ==, -EAGAIN);
	g_assert_true(is_sm(&rig));
	umadrig_issm_close(h1);
	g_assert_false(is_sm(&rig));

	g_assert_cmpint(rig.backend->issm_path("H1", 1, path, 5), ==, -ENAMETOOLONG);
	g_assert_cmpint(rig.backend->issm_path("H1", 2, path, sizeof(path)), ==, -EINVAL);
	g_assert_cmpint(rig.backend->issm_path("H1", 1, path, sizeof(path)), ==, 0);
	g_assert_false(is_sm(&rig));
	file = fopen(path, "r");
	g_assert_nonnull(file);
	g_assert_true(is_sm(&rig));
	fclose(file);
	g_assert_false(is_sm(&rig));
	rig_close(&rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/fabric/hosts", test_hosts);
	g_test_add_func("/fabric/many devices", test_many_devices);
	g_test_add_func("/fabric/agent numbers", test_hi_tid);
	g_test_add_func("/fabric/removal", test_removal);
	g_test_add_func("/fabric/injection", test_injection);
	g_test_add_func("/fabric/issm", test_issm);
	return leak_end(g_test_run());
}
