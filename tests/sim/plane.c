/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Planarized HCAs inside: what all planes share, what each has of its own, and by which of them
 * packets go.
 */
#include "config.h"

#include <stdlib.h>

#include "sim/agents/pma.h"
#include "sim/fabric/cable.h"
#include "sim/fabric/subnet.h"
#include "sim/host/device.h"
#include "sim/host/power.h"
#include "sim/run/open.h"
#include "sim/sa/path-walk.h"
#include "tests/rig/sma-rig.h"

enum { PLANES = 4 };

static struct umadrig_fabric *open_planes(void)
{
	return open_generated("rail:2,1,4,speed=XDR,planes=4");
}

static struct node *node_of(struct umadrig_fabric *fabric, const char *name)
{
	struct node *node = fabric_node(fabric, name);

	g_assert_nonnull(node);
	return node;
}

/* The GSI device's port of a host. */
static struct end_port *gsi_of(struct umadrig_fabric *fabric, const char *host)
{
	struct end_port *end = device_port(fabric_host(fabric, host), "mlx5_0", 1);

	g_assert_nonnull(end);
	return end;
}

/* ---- what is shared ---- */

/* A Set by one plane is a Set for all: LIDs, SM LID, P_Keys, GIDs, M_Key. */
static void test_vport(void)
{
	struct umadrig_fabric *fabric = open_planes();
	struct node *hca = node_of(fabric, "host-1 mlx5_0");
	struct end_port *gsi = gsi_of(fabric, "host-1");
	uint8_t data[SMP_DATA_SIZE] = { 0 };

	g_assert_cmpuint(ask(&hca->ports[3], GET, ATTR_PORT_INFO, 0, 0, data), ==, 0);
	each_field(ATTR_PORT_INFO, "Lid=64 LMC=1 SMLid=7 Mkey=5 LinkState=0 PhysLinkState=0", data,
		   true, "write");
	g_assert_cmpuint(ask(&hca->ports[3], SET, ATTR_PORT_INFO, 0, 0, data), ==, 0);
	for (unsigned int num = 1; num <= PLANES; num++) {
		memset(data, 0, sizeof(data));
		g_assert_cmpuint(ask(&hca->ports[num], GET, ATTR_PORT_INFO, num, 5, data), ==, 0);
		each_field(ATTR_PORT_INFO, "Lid=64 LMC=1 SMLid=7 Mkey=5", data, false, "a plane");
		g_assert_cmpuint(hca->ports[num].end->attr.lid, ==, 64);
	}
	g_assert_cmpuint(gsi->attr.lid, ==, 64);
	g_assert_cmpuint(gsi->attr.lmc, ==, 1);
	g_assert_true(subnet_end_by_lid(fabric_subnet(fabric, 0), 65) == hca->ports[1].end);
	g_assert_null(subnet_end_by_lid(fabric_subnet(fabric, 0), 4));

	memset(data, 0, sizeof(data));
	put_be16(data, 0x8001);
	g_assert_cmpuint(ask(&hca->ports[2], SET, ATTR_P_KEY_TABLE, 0, 5, data), ==, 0);
	g_assert_cmphex(gsi->attr.pkeys[0], ==, 0x8001);
	g_assert_cmphex(hca->ports[4].end->attr.pkeys[0], ==, 0x8001);
	fabric_free(fabric);
}

/* State and rate of a plane are its own; the kernel shows the best state, and all lanes. */
static void test_states(void)
{
	static const struct {
		unsigned int pulled;		/* planes 1 to ... */
		const char *gsi_rate;
		unsigned int state;
	} rows[] = {
		{ 0, "800 Gb/sec (4X XDR)", PORT_ACTIVE },
		{ 1, "600 Gb/sec (3X XDR)", PORT_ACTIVE },
		{ 3, "200 Gb/sec (1X XDR)", PORT_ACTIVE },
		{ 4, "10 Gb/sec (4X SDR)", PORT_DOWN },
	};
	struct umadrig_fabric *fabric = open_planes();
	struct node *hca = node_of(fabric, "host-0 mlx5_0");
	struct port_attr attr;

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		uint8_t data[SMP_DATA_SIZE] = { 0 };

		for (unsigned int num = 1; num <= rows[i].pulled; num++)
			cable_pull(&hca->ports[num]);
		settle(fabric);
		device_port_attr(gsi_of(fabric, "host-0"), &attr);
		g_assert_cmpstr(attr.rate, ==, rows[i].gsi_rate);
		g_assert_cmpuint(attr.state, ==, rows[i].state);
		/* A plane of the SMI device: the port's state, its own rate. */
		device_port_attr(hca->ports[1].end, &attr);
		g_assert_cmpstr(attr.rate, ==, rows[i].pulled ? "10 Gb/sec (4X SDR)" :
				"200 Gb/sec (1X XDR)");
		g_assert_cmpuint(attr.state, ==, rows[i].state);
		/* What an SM sees of it is its own. */
		g_assert_cmpuint(ask(&hca->ports[1], GET, ATTR_PORT_INFO, 1, 0, data), ==, 0);
		each_field(ATTR_PORT_INFO, rows[i].pulled ? "LinkState=1" : "LinkState=4", data,
			   false, "plane 1");
	}
	fabric_free(fabric);
}

/* HierarchyInfo says which plane a port is of: each has its own. */
static void test_hierarchy(void)
{
	struct umadrig_fabric *fabric = open_planes();
	struct node *hca = node_of(fabric, "host-0 mlx5_0");
	uint8_t data[SMP_DATA_SIZE];

	for (unsigned int num = 1; num <= PLANES; num++) {
		g_autofree char *text = g_strdup_printf("TemplateGUID=5 ActiveLevels=1 "
							"Level0Data=%u", num);

		memset(data, 0, sizeof(data));
		each_field(ATTR_HIERARCHY_INFO, text, data, true, "write");
		g_assert_cmpuint(ask(&hca->ports[num], SET, ATTR_HIERARCHY_INFO, 0, 0, data), ==,
				 0);
	}
	/* Of a CA the modifier selects no port: it is the one that the request came in by. */
	for (unsigned int num = 1; num <= PLANES; num++) {
		g_autofree char *text = g_strdup_printf("TemplateGUID=5 Level0Data=%u", num);

		memset(data, 0, sizeof(data));
		g_assert_cmpuint(ask(&hca->ports[num], GET, ATTR_HIERARCHY_INFO, num % 2, 0, data),
				 ==, 0);
		each_field(ATTR_HIERARCHY_INFO, text, data, false, "a plane");
	}
	fabric_free(fabric);
}

/* NVIDIA's SM is told that it is such an HCA; others have no such attribute. */
static void test_extended_node_info(void)
{
	struct umadrig_fabric *fabric = open_planes();
	uint8_t data[SMP_DATA_SIZE] = { 0 };

	g_assert_cmpuint(ask(&node_of(fabric, "host-0 mlx5_0")->ports[2], GET,
			     ATTR_MLNX_EXTENDED_NODE_INFO, 0, 0, data), ==, 0);
	each_field(ATTR_MLNX_EXTENDED_NODE_INFO, "NodeTypeExtended=2 AsicMaxPlanes=4", data, false,
		   "a planarized HCA");
	g_assert_cmpuint(data[15], ==, 2);
	g_assert_cmpuint(data[19], ==, 4);
	fabric_free(fabric);
	fabric = open_generated("rail:2,1,4,speed=XDR");
	g_assert_cmpuint(ask(&node_of(fabric, "host-0 mlx5_0")->ports[1], GET,
			     ATTR_MLNX_EXTENDED_NODE_INFO, 0, 0, data), ==,
			 MAD_STATUS_BAD_METHOD_ATTR);
	fabric_free(fabric);
}

/* ---- counters ---- */

/* PortXmitPkts as the PMA of a node's devices answers for PortSelect 'select'. */
static uint64_t asked(struct node *node, unsigned int select)
{
	uint8_t in[MAD_SIZE] = { 0 }, out[MAD_SIZE];

	in[MAD_BASE_VERSION] = in[MAD_CLASS_VERSION] = 1;
	in[MAD_CLASS] = MAD_CLASS_PERF;
	in[MAD_METHOD] = MAD_METHOD_GET;
	put_be16(in + MAD_ATTR_ID, 0x1d);
	in[PMA_DATA + 1] = (uint8_t)select;
	g_assert_cmpuint(pma_process(node, in, out), ==, KMOD_MAD_SUCCESS | KMOD_MAD_REPLY);
	if (get_be16(out + MAD_STATUS))
		return UINT64_MAX;
	return mad_field_get(mad_field_must(MAD_CLASS_PERF, 0x1d, "PortXmitPkts"), out + PMA_DATA);
}

/* The GSI device counts what all planes do, whatever PortSelect says; each plane what it does. */
static void test_counters(void)
{
	struct umadrig_fabric *fabric = open_planes();
	struct node *hca = node_of(fabric, "host-0 mlx5_0"), *gsi = hca->planes->gsi;
	uint64_t value;

	for (unsigned int num = 1; num <= PLANES; num++)
		hca->ports[num].counters.xmit_pkts = 10 * num;
	for (unsigned int num = 1; num <= PLANES; num++) {
		g_assert_cmpuint(asked(gsi, num), ==, 100);
		g_assert_cmpint(pma_counter_get(hca, num, "PortXmitPkts", &value), ==, 0);
		g_assert_cmpuint(value, ==, 10 * num);
	}
	g_assert_cmpuint(asked(gsi, PMA_ALL_PORTS), ==, 100);
	g_assert_cmpuint(asked(gsi, 0), ==, UINT64_MAX);
	g_assert_cmpuint(asked(gsi, PLANES + 1), ==, UINT64_MAX);
	fabric_free(fabric);
}

/* What a load has an HCA send goes by all planes alike; that of a plane by this one. */
static void test_load(void)
{
	static const struct {
		const char *load;
		unsigned int share[PLANES];	/* of each plane, in percent of the first's */
	} rows[] = {
		{ "load=host-0 mlx5_0:host-1 mlx5_0:400G", { 100, 100, 100, 100 } },
		{ "load=host-0 mlx5_0[1]:host-1 mlx5_0:100G", { 100, 0, 0, 0 } },
		{ "load=all:next:400G", { 100, 100, 100, 100 } },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *options = g_strdup_printf("rail:2,1,4,speed=XDR,planes=4,%s",
							   rows[i].load);
		struct umadrig_fabric *fabric = open_generated(options);
		struct node *hca = node_of(fabric, "host-0 mlx5_0");
		uint64_t first, value, all;

		settle(fabric);
		g_assert_cmpint(pma_counter_get(hca, 1, "PortXmitData", &first), ==, 0);
		g_assert_cmpuint(first, >, 0);
		for (unsigned int num = 1; num <= PLANES; num++) {
			pma_counter_get(hca, num, "PortXmitData", &value);
			g_assert_cmpuint(value, ==, first * rows[i].share[num - 1] / 100);
		}
		pma_counter_get(hca->planes->gsi, 1, "PortXmitData", &all);
		g_assert_cmpuint(all, ==, rows[i].share[1] ? PLANES * first : first);
		fabric_free(fabric);
	}
}

/* ---- ways ---- */

static void test_ways(void)
{
	struct umadrig_fabric *fabric = open_planes();
	struct node *hca = node_of(fabric, "host-0 mlx5_0");
	struct node *other = node_of(fabric, "host-1 mlx5_0");
	const struct planes *planes = hca->planes;
	struct path path;

	/* The switches of the planes have LIDs 1, 5, 7 and 9 (and 2, 6, 8, 10). */
	g_assert_cmpuint(planes_toward(planes, 4)->num, ==, 1);
	g_assert_cmpuint(planes_toward(planes, 1)->num, ==, 1);
	g_assert_cmpuint(planes_toward(planes, 7)->num, ==, 3);
	g_assert_cmpuint(planes_toward(planes, 10)->num, ==, 4);
	g_assert_true(path_walk(hca->planes->vport, other->planes->vport, 4, &path));
	g_assert_cmpuint(path_rate_code(path.rate), ==, 23);	/* 800 Gb/s */
	cable_pull(&hca->ports[1]);
	settle(fabric);
	g_assert_cmpuint(planes_toward(planes, 4)->num, ==, 2);
	g_assert_true(path_walk(hca->planes->vport, other->planes->vport, 4, &path));
	g_assert_cmpuint(path_rate_code(path.rate), ==, 22);	/* 600 Gb/s */
	fabric_free(fabric);
}

/* Two planes at switches that know each other: the nearest is the way, none leads in circles. */
static void test_joined_switches(void)
{
	struct umadrig_fabric *fabric = open_generated("fat-tree:4,4,2,ports=2,quirk=planarized");
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);
		struct path path;

		if (!node->planes)
			continue;
		for (unsigned int j = 0; j < fabric->nodes->len; j++) {
			struct node *to = g_ptr_array_index(fabric->nodes, j);

			if (to->planes && to != node)
				g_assert_true(path_walk(node->planes->vport, to->planes->vport,
							to->planes->vport->attr.lid, &path));
		}
	}
	fabric_free(fabric);
}

/* ---- coming and going ---- */

static void test_removed(void)
{
	struct umadrig_fabric *fabric = open_planes();
	struct umadrig_host *host = fabric_host(fabric, "host-0");
	struct node *hca = node_of(fabric, "host-0");
	char (*names)[UMAD_BACKEND_NAME_SIZE];
	size_t count;

	g_assert_cmpint(device_list(host, &names, &count), ==, 0);
	g_assert_cmpuint(count, ==, 2);
	free(names);
	node_remove(hca);
	g_assert_cmpint(device_list(host, &names, &count), ==, 0);
	g_assert_cmpuint(count, ==, 0);
	g_assert_null(device_port(host, "mlx5_0", 1));
	node_return(hca);
	settle(fabric);
	g_assert_nonnull(device_port(host, "smi0", PLANES));
	g_assert_cmpuint(gsi_of(fabric, "host-0")->attr.lid, ==, 0);
	g_assert_cmpuint(hca->ports[2].state, ==, PORT_INIT);
	fabric_free(fabric);
}

static void test_quirk(void)
{
	static const struct {
		const char *spec, *error;
	} rows[] = {
		{ "generate:rail:2,1,4,quirk=planarized", "there is none" },
		{ "generate:rail:2,1,4,quirk=planarized:host-0 mlx5_0", "2 or more" },
		{ "generate:rail:2,1,4,ports=2,quirk=planarized:host-0 mlx5_0[1]", "2 or more" },
	};
	struct umadrig_fabric *fabric;
	char message[512];

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		fabric = fabric_open(rows[i].spec, false, message, sizeof(message));
		g_assert_null(fabric);
		g_assert_nonnull(strstr(message, rows[i].error));
	}
	fabric = open_generated("rail:2,2,8,ports=2,quirk=planarized:host-1,"
			   "quirk=planarized:host-0 mlx5_1");
	g_assert_null(node_of(fabric, "host-0 mlx5_0")->planes);
	g_assert_nonnull(node_of(fabric, "host-1 mlx5_0")->planes);
	g_assert_cmpstr(node_of(fabric, "host-1 mlx5_1")->device_name, ==, "smi1");
	g_assert_cmpstr(node_of(fabric, "host-0 mlx5_1")->planes->gsi->device_name, ==, "mlx5_1");
	fabric_free(fabric);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/plane/vport", test_vport);
	g_test_add_func("/plane/states", test_states);
	g_test_add_func("/plane/hierarchy", test_hierarchy);
	g_test_add_func("/plane/extended-node-info", test_extended_node_info);
	g_test_add_func("/plane/counters", test_counters);
	g_test_add_func("/plane/load", test_load);
	g_test_add_func("/plane/ways", test_ways);
	g_test_add_func("/plane/joined-switches", test_joined_switches);
	g_test_add_func("/plane/removed", test_removed);
	g_test_add_func("/plane/quirk", test_quirk);
	return g_test_run();
}
