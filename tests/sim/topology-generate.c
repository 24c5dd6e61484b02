/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Generated fabrics. A row is a spec (given) and the numbers of nodes and links (then); and every
 * generated fabric is connected, has LIDs, and each port has what its shape requires.
 */
#include "config.h"

#include <string.h>

#include "sim/topology/load.h"
#include "sim/topology/reader.h"

static const struct row {
	const char *spec;
	unsigned int switches, hosts, cables;
	const char *first_switch, *last_switch, *first_host;
	const char *rate;		/* NULL: 4xHDR */
	const char *last;		/* node; NULL: a host */
} rows[] = {
	/* Leaves half a radix each, as many spines; a cable from each leaf to each spine. */
	{ "fat-tree:8,4,2", 6, 8, 8 + 8, "leaf-0", "spine-1", "host-0 HCA-1", NULL, NULL },
	{ "fat-tree:100", 24, 100, 100 + 6 * 18, "leaf-0", "spine-17", "host-0 HCA-1", NULL, NULL },
	/* A full one of radix 4: 8 edge, 8 aggregation, 4 core switches; 16 cables a level. */
	{ "fat-tree:16,4", 20, 16, 3 * 16, "pod-0 edge-0", "core-1-1", "host-0 HCA-1", NULL, NULL },
	{ "fat-tree:1,4,2", 3, 1, 1 + 2, "leaf-0", "spine-1", "host-0 HCA-1", NULL, NULL },
	/* All unicast LIDs. */
	{ "fat-tree:45551,64,3", 3600, 45551, 45551 + 1424 * 32 + 1440 * 32, "pod-0 edge-0",
	  "core-31-22", "host-0 HCA-1", NULL, NULL },
	{ "torus:4x3x5,2", 60, 120, 3 * 60 + 120, "torus-0-0-0", "torus-3-2-4",
	  "host-0-0-0-0 HCA-1", NULL, NULL },
	{ "torus:2x2,1", 4, 4, 2 * 4 + 4, "torus-0-0-0", "torus-1-1-0", "host-0-0-0-0 HCA-1",
	  NULL, NULL },
	{ "torus:7,3", 7, 21, 7 + 21, "torus-0-0-0", "torus-6-0-0", "host-0-0-0-0 HCA-1",
	  NULL, NULL },
	/* 5 groups of 4 + 4: 16 cables in each, 4 between each two. */
	{ "dragonfly+:5,4,4,4", 40, 80, 80 + 5 * 16 + 10 * 4, "group-0 leaf-0", "group-4 spine-3",
	  "host-0-0-0 HCA-1", NULL, NULL },
	{ "dragonfly+:3,2,2,1,1", 12, 6, 6 + 3 * 4 + 3, "group-0 leaf-0", "group-2 spine-1",
	  "host-0-0-0 HCA-1", NULL, NULL },
	{ "dragonfly+:1,2,3,1", 5, 2, 2 + 6, "group-0 leaf-0", "group-0 spine-2",
	  "host-0-0-0 HCA-1", NULL, NULL },
	/* A leaf for each rail; 2 cables from each to each of 2 spines, or 1 to each of 4. */
	{ "rail:4,4,8", 4 + 2, 16, 16 + 16, "MF0;pod-0-leaf-0:MQM9700/U1",
	  "MF0;spine-1:MQM9700/U1", "host-0 mlx5_0", "4xNDR", "host-3 mlx5_3" },
	{ "rail:4,4,8,2", 8 + 4, 16, 16 + 32, "MF0;pod-0-leaf-0:MQM9700/U1",
	  "MF0;spine-3:MQM9700/U1", "host-0 mlx5_0", "4xNDR", "host-3 mlx5_3" },
	/* The reference architectures of four and of sixteen scalable units. */
	{ "rail:128,8,64", 32 + 16, 1024, 2 * 1024, "MF0;pod-0-leaf-0:MQM9700/U1",
	  "MF0;spine-15:MQM9700/U1", "host-0 mlx5_0", "4xNDR", "host-127 mlx5_7" },
	{ "rail:512,8,64,16", 128 + 128 + 64, 4096, 3 * 4096, "MF0;pod-0-leaf-0:MQM9700/U1",
	  "MF0;core-31-1:MQM9700/U1", "host-0 mlx5_0", "4xNDR", "host-511 mlx5_7" },
	{ "rail:3,2,4,2,names=plain,speed=EDR,width=2x", 4 + 2, 6, 6 + 8, "pod-0 leaf-0",
	  "spine-1", "host-0 HCA-1", "2xEDR", "host-2 HCA-2" },
	{ "fat-tree:8,4,2,names=vendor", 6, 8, 8 + 8, "MF0;leaf-0:MQM8700/U1",
	  "MF0;spine-1:MQM8700/U1", "host-0 mlx5_0", NULL, NULL },
	/* Hosts of 3, 3 and 2 adapters; with two ports each the 16 fill a tree of three levels. */
	{ "fat-tree:8,4,3,hcas=3,ports=2,speed=XDR", 20, 8, 3 * 16, "pod-0 edge-0", "core-1-1",
	  "host-0 HCA-1", "4xXDR", "host-2 HCA-2" },
	{ "torus:2x2,1,hcas=2,ports=2,aggregation=yes", 4, 8 + 4, 4 * 4 + 2 * 4 + 4,
	  "torus-0-0-0", "torus-1-1-0", "host-0-0-0-0 HCA-1", NULL,
	  "Mellanox Technologies Aggregation Node" },
	{ "dragonfly+:3,2,2,1,1,hcas=4,ports=2,names=vendor", 12, 24, 48 + 3 * 4 + 3,
	  "MF0;group-0-leaf-0:MQM8700/U1", "MF0;group-2-spine-1:MQM8700/U1",
	  "host-0-0-0 mlx5_0", NULL, "host-2-1-0 mlx5_3" },
};

/* ---- planes ---- */

/* The last character of a switch's name is the plane's number. */
static unsigned int plane_of(const struct topology_node *sw)
{
	return (unsigned int)(sw->description[strlen(sw->description) - 1] - '0');
}

/* An HCA's ports are what the shape's only port is, once more for each plane. */
static void check_plane_ports(const struct topology_node *node, const struct topology_node *plain)
{
	g_assert_true(node->planarized);
	g_assert_cmpuint(node->port_count, ==, 4);
	for (unsigned int num = 1; num <= 4; num++) {
		const struct topology_port *port = &node->ports[num];

		g_assert_cmphex(port->guid, ==, node->node_guid);
		g_assert_cmpuint(port->lid, ==, node->ports[1].lid);
		g_assert_cmpuint(port->peer_port, ==, plain->ports[1].peer_port);
		g_assert_cmpuint(port->width_active, ==, 1);
	}
}

/* No cable of a switch leads to another plane. */
static void check_plane_switch(const struct topology *topology, const struct topology_node *sw)
{
	for (unsigned int num = 1; num <= sw->port_count; num++) {
		const struct topology_port *port = &sw->ports[num];
		const struct topology_node *peer = port->peer_node < 0 ? NULL :
						   topology_node(topology, port->peer_node);

		if (peer)
			g_assert_cmpuint(peer->kind == TOPOLOGY_SWITCH ? plane_of(peer) :
					 port->peer_port, ==, plane_of(sw));
	}
}

static const char *const planed[] = {
	"rail:4,4,8", "rail:3,2,4,2,names=plain,speed=XDR", "fat-tree:16,4", "torus:4x3,2",
	"dragonfly+:3,2,2,1,2,hcas=2,names=vendor",
};

static void test_planes(gconstpointer shape)
{
	g_autofree char *plain = g_strconcat(TOPOLOGY_GENERATE, shape, NULL);
	g_autofree char *with = g_strconcat(plain, ",planes=4", NULL);
	struct topology *one = topology_load(plain, NULL), *four = topology_load(with, NULL);
	GHashTable *lids = g_hash_table_new(g_direct_hash, g_direct_equal);
	unsigned int switches[2] = { 0 };

	for (unsigned int i = 0; i < one->nodes->len; i++)
		switches[0] += topology_node(one, (int)i)->kind == TOPOLOGY_SWITCH;
	for (unsigned int i = 0; i < four->nodes->len; i++) {
		const struct topology_node *node = topology_node(four, (int)i);
		bool is_switch = node->kind == TOPOLOGY_SWITCH;

		switches[1] += is_switch;
		g_assert_true(g_hash_table_add(lids,
					       GUINT_TO_POINTER(node->ports[!is_switch].lid)));
		if (is_switch)
			check_plane_switch(four, node);
		else
			check_plane_ports(node, topology_node(one, (int)i));
	}
	g_assert_cmpuint(switches[1], ==, 4 * switches[0]);
	g_assert_cmpuint(four->nodes->len, ==, one->nodes->len + 3 * switches[0]);
	g_hash_table_unref(lids);
	topology_free(one);
	topology_free(four);
}

/* ---- subnets ---- */

/* The node of a subnet that is what 'first' is in the only one: same ports, LIDs and neighbours. */
static void check_copy(const struct topology *several, int index, const struct topology_node *first,
		       int offset)
{
	const struct topology_node *node = topology_node(several, index);
	bool is_shared = strstr(first->description, "Aggregation Node");

	g_assert_cmpuint(node->kind, ==, first->kind);
	g_assert_cmpuint(node->port_count, ==, first->port_count);
	g_assert_cmpuint(node->device_id, ==, first->device_id);
	g_assert_true(g_str_has_suffix(node->description, is_shared ? first->description :
				       strchr(first->description, '-')));
	for (unsigned int num = 0; num <= node->port_count; num++) {
		const struct topology_port *port = &node->ports[num], *said = &first->ports[num];

		g_assert_cmpuint(port->lid, ==, said->lid);
		g_assert_cmphex(port->guid, ==, said->guid ? node->node_guid + said->guid -
							     first->node_guid : 0);
		if (said->peer_node < 0)
			continue;
		g_assert_cmpint(port->peer_node, ==, said->peer_node + offset);
		g_assert_cmpuint(port->peer_port, ==, said->peer_port);
	}
}

static const char *const in_subnets[] = {
	"rail:4,4,8,aggregation=yes", "rail:3,2,4,2,names=plain", "fat-tree:6,4",
	"fat-tree:8,8,planes=4", "torus:4x3,2,hcas=2",
};

static void test_subnets(gconstpointer shape)
{
	g_autofree char *plain = g_strconcat(TOPOLOGY_GENERATE, shape, NULL);
	g_autofree char *with = g_strconcat(plain, ",subnets=3", NULL);
	struct topology *one = topology_load(plain, NULL), *three = topology_load(with, NULL);
	GHashTable *guids = g_hash_table_new(g_int64_hash, g_int64_equal);
	int count = (int)one->nodes->len;

	g_assert_cmpint((int)three->nodes->len, ==, 3 * count);
	for (int i = 0; i < 3 * count; i++) {
		struct topology_node *node = topology_node(three, i);
		g_autofree char *prefix = g_strdup_printf("s%d-", i / count + 1);

		check_copy(three, i, topology_node(one, i % count), i / count * count);
		g_assert_true(g_hash_table_add(guids, &node->node_guid));
		if (!strstr(node->description, "Aggregation Node"))
			g_assert_nonnull(strstr(node->description, prefix));
		/* The system is a node of the same subnet. */
		for (int at = 0; at < 3 * count; at++) {
			if (topology_node(three, at)->node_guid == node->sys_image_guid)
				g_assert_cmpint(at / count, ==, i / count);
		}
	}
	g_hash_table_unref(guids);
	topology_free(one);
	topology_free(three);
}

static void test_routers(void)
{
	struct topology *topology = topology_load(TOPOLOGY_GENERATE "fat-tree:6,4,2,subnets=2,"
						  "routers=2", NULL);
	unsigned int count = topology->nodes->len;

	for (unsigned int i = 0; i < 2; i++) {
		const struct topology_node *router = topology_node(topology, (int)(count - 2 + i));
		g_autofree char *name = g_strdup_printf("router-%u", i);

		g_assert_cmpuint(router->kind, ==, TOPOLOGY_ROUTER);
		g_assert_cmpstr(router->description, ==, name);
		g_assert_cmpuint(router->port_count, ==, 2);
		for (unsigned int num = 1; num <= 2; num++) {
			const struct topology_port *port = &router->ports[num];

			g_assert_cmpint(port->subnet, ==, (int)num - 1);
			g_assert_cmpint(port->peer_node / (int)(count / 2 - 1), ==, (int)num - 1);
			g_assert_cmphex(port->guid, ==, router->node_guid + num);
			/* Behind all others of the subnet. */
			g_assert_cmpuint(port->lid, ==, count / 2 - 1 + i + 1);
		}
	}
	topology_free(topology);
}

/* The number of nodes that can be reached from the first. */
static unsigned int reach(const struct topology *topology)
{
	unsigned int head = 0, tail = 0, count = topology->nodes->len;
	int *queue = g_new(int, count);
	bool *seen = g_new0(bool, count);

	seen[queue[tail++] = 0] = true;
	while (head < tail) {
		const struct topology_node *node = topology_node(topology, queue[head++]);

		for (unsigned int num = 1; num <= node->port_count; num++) {
			int peer = node->ports[num].peer_node;

			if (peer >= 0 && !seen[peer])
				seen[queue[tail++] = peer] = true;
		}
	}
	g_free(queue);
	g_free(seen);
	return tail;
}

/* Both ends of each cable agree; its number. */
static unsigned int count_cables(const struct topology *topology, const char *rate)
{
	unsigned int ends = 0;
	char buf[16];

	for (int i = 0; i < (int)topology->nodes->len; i++) {
		const struct topology_node *node = topology_node(topology, i);

		for (unsigned int num = 1; num <= node->port_count; num++) {
			const struct topology_port *port = &node->ports[num], *peer;

			if (port->peer_node < 0)
				continue;
			peer = &topology_node(topology, port->peer_node)->ports[port->peer_port];
			g_assert_cmpint(peer->peer_node, ==, i);
			g_assert_cmpuint(peer->peer_port, ==, num);
			g_assert_cmpstr(topology_rate_name(port, buf), ==, rate);
			ends++;
		}
	}
	return ends / 2;
}

/* Switches first, then hosts; LIDs from 1 on, in that order; GUIDs of their own. */
static void check_nodes(const struct topology *topology, unsigned int switches)
{
	GHashTable *guids = g_hash_table_new(g_int64_hash, g_int64_equal);
	unsigned int lid = 1;

	for (unsigned int i = 0; i < topology->nodes->len; i++) {
		struct topology_node *node = topology_node(topology, (int)i);
		bool is_switch = i < switches, is_single = is_switch || node->port_count == 1;

		g_assert_cmpint(node->kind, ==, is_switch ? TOPOLOGY_SWITCH : TOPOLOGY_CA);
		g_assert_cmpuint(node->ports[is_switch ? 0 : 1].lid, ==, lid);
		g_assert_cmphex(node->ports[is_switch ? 0 : 1].guid, ==,
				node->node_guid + !is_single);
		g_assert_true(g_hash_table_add(guids, &node->node_guid));
		lid += is_single ? 1 : node->port_count;
		g_assert_cmpint(topology_find(topology, node->id), ==, (int)i);
		if (i % 97 == 0 && !strstr(node->description, "Aggregation"))
			g_assert_cmpint(topology_find(topology, node->description), ==, (int)i);
		if (topology->nodes->len > 1000) {
			i += 500;	/* a look-up walks through all of them */
			lid += 500;	/* adapters have one port each there */
		}
	}
	g_hash_table_unref(guids);
}

static void test_row(const void *data)
{
	const struct row *row = data;
	char *name = g_strconcat(TOPOLOGY_GENERATE, row->spec, NULL);
	GArray *diagnostics;
	struct topology *topology = topology_load(name, &diagnostics);
	unsigned int count = row->switches + row->hosts;

	g_assert_nonnull(topology);
	g_assert_cmpuint(diagnostics->len, ==, 0);
	g_assert_cmpuint(topology->nodes->len, ==, count);
	g_assert_cmpuint(reach(topology), ==, count);
	g_assert_cmpuint(count_cables(topology, row->rate ? row->rate : "4xHDR"), ==,
			 row->cables);
	g_assert_cmpstr(topology_node(topology, 0)->description, ==, row->first_switch);
	g_assert_cmpstr(topology_node(topology, (int)row->switches - 1)->description, ==,
			row->last_switch);
	g_assert_cmpstr(topology_node(topology, (int)row->switches)->description, ==,
			row->first_host);
	if (row->last)
		g_assert_cmpstr(topology_node(topology, (int)count - 1)->description, ==,
				row->last);
	check_nodes(topology, row->switches);
	topology_diagnostics_free(diagnostics);
	topology_free(topology);
	g_free(name);
}

/* A dragonfly+'s cables between groups are distributed evenly: no spine has more than its share. */
static void test_dealt_out(void)
{
	struct topology *topology = topology_load("generate:dragonfly+:9,2,4,1,2", NULL);

	/* 16 cables leave each group, by 4 spines; each has 2 leaves. */
	for (unsigned int i = 0; i < 9 * 6; i++) {
		const struct topology_node *node = topology_node(topology, (int)i);

		if (i % 6 < 2)
			continue;
		g_assert_cmpuint(node->port_count, ==, 2 + 4);
		for (unsigned int num = 1; num <= node->port_count; num++)
			g_assert_cmpint(node->ports[num].peer_node, >=, 0);
	}
	topology_free(topology);
}

/* HCA R of each host is cabled to the leaf of rail R in the host's pod, and to no other. */
static void test_rails(void)
{
	struct topology *topology = topology_load("generate:rail:7,3,16,2,ports=2,aggregation=yes",
						  NULL);
	const unsigned int leaves = 6, spines = 4, first = leaves + spines;

	g_assert_nonnull(topology);
	for (unsigned int i = 0; i < 7 * 3; i++) {
		const struct topology_node *node = topology_node(topology, (int)(first + i));
		unsigned int host = i / 3, rail = i % 3, pod = host < 4 ? 0 : 1;
		g_autofree char *name = g_strdup_printf("host-%u mlx5_%u", host, rail);

		g_assert_cmpstr(node->description, ==, name);
		g_assert_cmpuint(node->device_id, ==, 0x1021);
		for (unsigned int num = 1; num <= 2; num++)
			g_assert_cmpint(node->ports[num].peer_node, ==, (int)(pod * 3 + rail));
	}
	/* Each leaf has as many cables to each spine. */
	for (unsigned int leaf = 0; leaf < leaves; leaf++) {
		unsigned int to[4] = { 0 };

		for (unsigned int num = 9; num <= 16; num++)
			to[topology_node(topology, (int)leaf)->ports[num].peer_node - 6]++;
		for (unsigned int spine = 0; spine < spines; spine++)
			g_assert_cmpuint(to[spine], ==, 2);
	}
	topology_free(topology);
}

/* The last port of each switch, one more than its radix, has its aggregation node. */
static void test_aggregation(void)
{
	struct topology *topology = topology_load("generate:rail:4,4,64,aggregation=yes", NULL);
	unsigned int nodes = 0;

	g_assert_nonnull(topology);
	for (guint i = 0; i < topology->nodes->len; i++) {
		const struct topology_node *node = topology_node(topology, (int)i), *peer;

		if (node->kind != TOPOLOGY_SWITCH)
			continue;
		g_assert_cmpuint(node->port_count, ==, 65);
		g_assert_cmpint(node->ports[65].peer_node, >, 0);
		peer = topology_node(topology, node->ports[65].peer_node);
		g_assert_cmpint(peer->kind, ==, TOPOLOGY_CA);
		g_assert_cmpuint(peer->port_count, ==, 1);
		g_assert_cmphex(peer->sys_image_guid, ==, node->node_guid);
		g_assert_cmphex(peer->device_id, ==, 0xcf09);
		g_assert_cmpstr(peer->description, ==, "Mellanox Technologies Aggregation Node");
		nodes++;
	}
	g_assert_cmpuint(nodes, ==, 4 + 2);
	topology_free(topology);
}

static const struct bad {
	const char *spec;
	const char *says;
} bads[] = {
	{ "", "no such shape ''; write fat-tree:" },
	{ "bush:3", "no such shape 'bush'; write fat-tree:" },
	{ "fat-tree", "write fat-tree:HCAS[,RADIX[,LEVELS]]" },
	{ "fat-tree:", "write fat-tree:HCAS[,RADIX[,LEVELS]]" },
	{ "fat-tree:8,4,2,1", "write fat-tree:HCAS[,RADIX[,LEVELS]]" },
	{ "fat-tree:65536", "numbers up to 65535" },
	{ "fat-tree:-1", "numbers up to 65535" },
	{ "fat-tree:0", "at least 1 HCA" },
	{ "fat-tree:8,4,4", "2 or 3 levels" },
	{ "fat-tree:8,4,0", "2 or 3 levels" },
	{ "fat-tree:9,4,2", "2 levels of switches with 4 ports hold 8 HCAs, not 9" },
	{ "fat-tree:17,4", "3 levels of switches with 4 ports hold 16 HCAs, not 17" },
	{ "fat-tree:8,5", "switches with 5 ports" },
	{ "fat-tree:8,2", "switches with 2 ports" },
	{ "fat-tree:8,0", "switches with 0 ports" },
	{ "fat-tree:8,256", "need 256 ports" },
	{ "fat-tree:45552,64,3", "more than the 49151 LIDs" },
	{ "torus:3x3x3", "write torus:XxYxZ,HOSTS" },
	{ "torus:3x3x3x3,1", "write torus:XxYxZ,HOSTS" },
	{ "torus:3x,1", "write torus:XxYxZ,HOSTS" },
	{ "torus:0x3,1", "no dimension of 0" },
	{ "torus:1,0", "a torus of one switch needs hosts" },
	{ "torus:3x3x3,249", "need 255 ports" },
	{ "torus:65535x65535x65535,200", "more than the 49151 LIDs" },
	{ "dragonfly+:3,2,2", "write dragonfly+:GROUPS,LEAVES,SPINES,HOSTS[,CABLES]" },
	{ "dragonfly+:3,2,0,1", "at least 1 group, leaf, spine and cable" },
	{ "dragonfly+:3,2,2,1,0", "at least 1 group, leaf, spine and cable" },
	{ "dragonfly+:2,200,1,1,100", "need 300 ports" },
	{ "rail:4,4", "write rail:NODES,RAILS,RADIX[,PODS]" },
	{ "rail:0,4,8", "at least 1 host" },
	{ "rail:4,0,8", "1 to 16 rails" },
	{ "rail:4,17,8", "1 to 16 rails" },
	{ "rail:4,4,7", "switches with 7 ports" },
	{ "rail:4,4,2", "switches with 2 ports" },
	{ "rail:4,4,8,0", "4 hosts make 1 to 4 pods, not 0" },
	{ "rail:4,4,8,5", "4 hosts make 1 to 4 pods, not 5" },
	{ "rail:5,4,8,1", "with 8 ports has room for 4 hosts; write more PODS" },
	{ "rail:5,4,8,2,ports=2,aggregation=yes", "has room for 2 hosts; write more PODS" },
	{ "rail:9,1,4,9", "9 leaves: 3 levels of switches with 4 ports join 8" },
	{ "rail:4,4,254,aggregation=yes", "need 255 ports" },
	{ "rail:65535,16,65534", "need 65534 ports" },
	{ "rail:6000,8,64", "more than the 49151 LIDs" },
	{ "rail:4,4,8,hcas=4", "hcas=4: leave it out; rail:NODES,RAILS,RADIX[,PODS] says it" },
	{ "fat-tree:8,names=vendor,4", "unknown option '4'" },
	{ "fat-tree:8,speed=QDR", "speed=QDR: expected EDR, HDR, NDR or XDR" },
	{ "fat-tree:8,width=3x", "width=3x: expected 1x, 2x, 4x, 8x or 12x" },
	{ "fat-tree:8,names=", "names=: expected plain or vendor" },
	{ "fat-tree:8,aggregation=1", "aggregation=1: expected yes or no" },
	{ "fat-tree:8,subnets=17", "subnets=17: expected a number from 1 to 16" },
	{ "fat-tree:8,routers=1", "routers= is between subnets: write subnets=, 2 or more" },
	{ "fat-tree:8,subnets=2,planes=4,routers=1", "a router is on no plane" },
	{ "fat-tree:8,4,2,subnets=2,routers=1", "routers=: all ports of its switches have cables" },
	{ "fat-tree:8,planes=5", "planes=5: expected a number from 1 to 4" },
	{ "fat-tree:8,planes=3", "planes=3: a port of 4x cannot be divided so" },
	{ "fat-tree:8,planes=2,ports=2", "planes= and ports=2: an HCA with planes has one port" },
	{ "fat-tree:43000,64,3,planes=4", "are more than the 49151 LIDs" },
	{ "fat-tree:8,hcas=17", "hcas=17: expected a number from 1 to 16" },
	{ "fat-tree:8,ports=3", "ports=3: expected 1 or 2" },
	{ "fat-tree:8,hcas=1,hcas=2", "option 'hcas=2' comes after 'hcas=1': give it once" },
	{ "fat-tree:8,state=cold", "unknown option 'state=cold' of a generated fabric: expected "
	  "one of names= speed=" },
	{ "fat-tree:8,4,2,ports=2", "2 levels of switches with 4 ports hold 4 HCAs, not 8" },
	{ "torus:3x3x3,200,ports=2", "need 406 ports" },
	{ "torus:65535x65535x65535,65535,hcas=16,ports=2", "need 2097126 ports" },
};

static void test_bad(const void *data)
{
	const struct bad *bad = data;
	char *name = g_strconcat(TOPOLOGY_GENERATE, bad->spec, NULL);
	GArray *diagnostics;

	g_assert_null(topology_load(name, &diagnostics));
	g_assert_cmpuint(diagnostics->len, ==, 1);

	const struct topology_diagnostic *last = &g_array_index(diagnostics,
								struct topology_diagnostic, 0);

	g_test_message("%s", last->message);
	g_assert_cmpint(last->severity, ==, TOPOLOGY_FATAL);
	g_assert_nonnull(strstr(last->message, bad->says));
	topology_diagnostics_free(diagnostics);
	g_free(name);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *path = g_strdup_printf("/topology-generate/made/%s", rows[i].spec);

		g_test_add_data_func(path, &rows[i], test_row);
		g_free(path);
	}
	g_test_add_func("/topology-generate/dealt-out", test_dealt_out);
	g_test_add_func("/topology-generate/rails", test_rails);
	g_test_add_func("/topology-generate/aggregation", test_aggregation);
	for (size_t i = 0; i < G_N_ELEMENTS(planed); i++) {
		char *path = g_strdup_printf("/topology-generate/planes/%s", planed[i]);

		g_test_add_data_func(path, planed[i], test_planes);
		g_free(path);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(in_subnets); i++) {
		char *path = g_strdup_printf("/topology-generate/subnets/%s", in_subnets[i]);

		g_test_add_data_func(path, in_subnets[i], test_subnets);
		g_free(path);
	}
	g_test_add_func("/topology-generate/routers", test_routers);
	for (size_t i = 0; i < G_N_ELEMENTS(bads); i++) {
		char *path = g_strdup_printf("/topology-generate/refused/%s.", bads[i].spec);

		g_test_add_data_func(path, &bads[i], test_bad);
		g_free(path);
	}
	return g_test_run();
}
