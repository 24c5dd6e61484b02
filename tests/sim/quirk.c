/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Quirks of nodes: what each changes, and nothing changes elsewhere; what is refused, and why.
 */
#include "config.h"

#include <errno.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/link.h"
#include "sim/fabric/plane.h"
#include "sim/fabric/quirk-name.h"
#include "sim/fabric/subnet.h"
#include "sim/host/device.h"
#include "sim/host/issm-path.h"
#include "sim/run/open.h"
#include "sim/topology/nvlink.h"
#include "tests/rig/sma-rig.h"

static struct end_port *end_of(struct umadrig_fabric *fabric, const char *node, unsigned int num)
{
	return node_end_port(fabric_node(fabric, node), num);
}

static uint64_t field(const char *name, const uint8_t *data)
{
	return mad_field_get(mad_field_must(0x01, ATTR_PORT_INFO, name), data);
}

/* LinkSpeedExtActive, as an SM that sends this modifier reads it. */
static uint64_t ext_active(struct port *port, uint32_t modifier)
{
	uint8_t data[SMP_DATA_SIZE] = { 0 };

	g_assert_cmpuint(ask(port, GET, ATTR_PORT_INFO, modifier, 0, data), ==, MAD_STATUS_OK);
	return field("LinkSpeedExtActive", data);
}

/* Whether a Set of one speed with this modifier is carried out. */
static bool takes_speed(struct port *port, uint32_t modifier, uint8_t speed)
{
	uint8_t data[SMP_DATA_SIZE] = { 0 };

	g_assert_cmpuint(ask(port, GET, ATTR_PORT_INFO, modifier, 0, data), ==, MAD_STATUS_OK);
	mad_field_set(mad_field_must(0x01, ATTR_PORT_INFO, "LinkSpeedExtEnabled"), data, speed);
	mad_field_set(mad_field_must(0x01, ATTR_PORT_INFO, "LinkState"), data, 0);
	mad_field_set(mad_field_must(0x01, ATTR_PORT_INFO, "PhysLinkState"), data, 0);
	g_assert_cmpuint(ask(port, SET, ATTR_PORT_INFO, modifier, 0, data), ==, MAD_STATUS_OK);
	return port->speed_ext_enabled == speed;
}

static void test_ext_speeds(void)
{
	const uint32_t asked = UINT32_C(1) << 31;
	struct umadrig_fabric *fabric =
		open_generated("rail:2,1,4,quirk=ext-speeds-asked:host-1 mlx5_0");
	struct port *usual = end_of(fabric, "host-0 mlx5_0", 1)->port;
	struct port *odd = end_of(fabric, "host-1 mlx5_0", 1)->port;
	uint8_t data[SMP_DATA_SIZE];

	g_assert_cmpuint(ext_active(usual, 1), ==, LINK_SPEED_NDR);
	g_assert_cmpuint(ext_active(usual, 1 | asked), ==, LINK_SPEED_NDR);
	g_assert_cmpuint(ext_active(odd, 1), ==, 0);
	g_assert_cmpuint(ext_active(odd, 1 | asked), ==, LINK_SPEED_NDR);
	g_assert_true(takes_speed(usual, 1, LINK_SPEED_EDR));
	g_assert_false(takes_speed(odd, 1, LINK_SPEED_EDR));
	g_assert_true(takes_speed(odd, 1 | asked, LINK_SPEED_EDR));
	/* Who looks without a request, as the console does, sees all. */
	g_assert_cmpint(sma_read(odd, ATTR_PORT_INFO, 1, data), ==, 0);
	g_assert_cmpuint(field("LinkSpeedExtActive", data), ==, LINK_SPEED_NDR);
	fabric_free(fabric);
}

/* Linux (mlx5): of a link that is down neither width nor speed is known; it counts on these. */
static void test_down_rate(void)
{
	static const struct {
		const char *node, *rate;
		unsigned int speed;
	} rows[] = {
		{ "host-0 mlx5_0", "10 Gb/sec (4X SDR)", 0 },
		{ "host-0 mlx5_1", "40 Gb/sec (4X QDR)", 4 },
	};
	struct umadrig_fabric *fabric = open_generated("rail:1,2,4,quirk=roce:host-0 mlx5_1");
	struct port_attr attr;

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct end_port *end = end_of(fabric, rows[i].node, 1);
		struct device_rate rate;

		device_port_attr(end, &attr);
		g_assert_cmpstr(attr.rate, ==, "400 Gb/sec (4X NDR)");
		end->port->phys_state = PORT_PHYS_POLLING;
		device_port_attr(end, &attr);
		g_assert_cmpstr(attr.rate, ==, rows[i].rate);
		rate = device_port_rate(end->port);
		g_assert_cmpuint(rate.width, ==, 2);		/* 4X */
		g_assert_cmpuint(rate.speed, ==, rows[i].speed);
	}
	fabric_free(fabric);
}

static void test_ports(void)
{
	struct umadrig_fabric *fabric = open_generated("rail:3,2,4,quirk=port-guid-0:host-0,"
		"quirk=rate-unreadable:host-1 mlx5_1,quirk=issm-none:host-1 mlx5_0[1],"
		"quirk=sm-disabled:host-2 mlx5_0");
	struct port_attr attr;
	char path[256];

	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);
		struct end_port *end = node->kind == TOPOLOGY_CA ? node->ports[1].end : NULL;
		const char *name = node->description;

		if (!end)
			continue;
		device_port_attr(end, &attr);
		g_assert_cmpint(attr.port_guid == 0, ==, g_str_has_prefix(name, "host-0 "));
		g_assert_cmpint(!*attr.rate, ==, strcmp(name, "host-1 mlx5_1") == 0);
		g_assert_cmpint(issm_path(end, path, sizeof(path)), ==,
				strcmp(name, "host-1 mlx5_0") == 0 ? -ENOENT : 0);
		g_assert_cmpint(!!(attr.cap_mask & CAP_SM_DISABLED), ==,
				strcmp(name, "host-2 mlx5_0") == 0);
	}
	fabric_free(fabric);
}

static void test_down(void)
{
	struct umadrig_fabric *fabric = open_generated("rail:2,1,4,ports=2,quirk=port-down,"
						  "quirk=port-down:host-1 mlx5_0[2]");

	g_assert_cmpint(end_of(fabric, "host-0 mlx5_0", 1)->port->state, ==, PORT_DOWN);
	g_assert_cmpint(end_of(fabric, "host-0 mlx5_0", 2)->port->state, ==, PORT_ACTIVE);
	g_assert_cmpint(end_of(fabric, "host-1 mlx5_0", 1)->port->state, ==, PORT_DOWN);
	g_assert_cmpint(end_of(fabric, "host-1 mlx5_0", 2)->port->state, ==, PORT_DOWN);
	fabric_free(fabric);
}

/* The switch at the other end of its cable has a free port. */
static void test_roce(void)
{
	struct umadrig_fabric *fabric = open_generated("rail:2,1,4,quirk=roce:host-1");
	struct end_port *end = end_of(fabric, "host-1 mlx5_0", 1);
	struct port_attr attr;

	device_port_attr(end, &attr);
	g_assert_cmpstr(attr.link_layer, ==, "Ethernet");
	g_assert_cmpuint(attr.state, ==, PORT_ACTIVE);
	g_assert_cmpuint(attr.phys_state, ==, PORT_PHYS_LINK_UP);
	g_assert_cmpuint(attr.lid, ==, 0);
	g_assert_false(end->attr.has_smi);
	g_assert_null(end->port->peer);
	g_assert_cmpint(port_of(fabric, "MF0;pod-0-leaf-0:MQM9700/U1", 2)->state, ==, PORT_DOWN);
	g_assert_cmpint(port_of(fabric, "MF0;pod-0-leaf-0:MQM9700/U1", 1)->state, ==, PORT_ACTIVE);
	fabric_free(fabric);
}

/* Linux: 6.1 makes issm devices for ports without QP0, 6.12 does not. */
static void test_roce_issm(void)
{
	static const struct { const char *profile; int ret; } rows[] = {
		{ "linux-6.1", 0 }, { "linux-5.10", 0 }, { "linux-6.12", -ENOENT },
		{ "linux-7.2", -ENOENT },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *spec = g_strdup_printf("rail:2,1,4,quirk=roce:host-1,profile=%s",
							rows[i].profile);
		struct umadrig_fabric *fabric = open_generated(spec);
		char path[256];

		g_assert_cmpint(issm_path(end_of(fabric, "host-1 mlx5_0", 1), path, sizeof(path)),
				==, rows[i].ret);
		g_assert_cmpint(issm_path(end_of(fabric, "host-0 mlx5_0", 1), path, sizeof(path)),
				==, 0);
		fabric_free(fabric);
	}
}

static void test_board(void)
{
	struct umadrig_fabric *fabric = open_generated("rail:2,10,8,quirk=hgx-b200:host-1");

	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		const struct node *node = g_ptr_array_index(fabric->nodes, i);
		bool is_board = g_str_has_prefix(node->description, "host-1 ");
		unsigned int number = (unsigned int)(node->description[strlen(node->description) -
								       1] - '0');
		const struct end_port *end = node->ports[1].end;

		if (node->kind != TOPOLOGY_CA)
			continue;
		g_assert_cmpint(node->switch_management, ==, is_board && number < 4);
		g_assert_cmpint(!!(end->cap_mask & CAP_SM_DISABLED), ==,
				is_board && (number == 1 || number == 3));
		g_assert_cmpint(end->attr.link_is_ethernet, ==, is_board && number >= 8);
	}
	fabric_free(fabric);
}

/* The subnet in which the node's first port is, which is the one of its cable's other end. */
static const struct subnet *subnet_at(struct umadrig_fabric *fabric, const char *name)
{
	struct end_port *end = end_of(fabric, name, 1);
	const struct node *node = end->port->node;
	const struct port *port = &(node->planes ? node->planes->hca : node)->ports[1];

	g_assert_true(port->peer->node->ports[0].end->subnet == end->subnet);
	g_assert_cmpint(port->speed_ext_active, ==, port->peer->speed_ext_active);
	return end->subnet;
}

static const struct board {
	const char *options;
	unsigned int boards;		/* host-0 has none where there is one */
} boards[] = {
	{ "rail:2,10,8", 0 },
	{ "rail:2,10,8,quirk=hgx-b200:host-1", 1 },
	{ "rail:2,10,8,quirk=hgx-b200:host-1,quirk=hgx-b200:host-1 mlx5_7", 1 },
	{ "rail:2,10,8,quirk=hgx-b200:host-1 mlx5_2[1]", 1 },
	{ "rail:2,10,8,state=cold,quirk=hgx-b200:host-1", 1 },
	{ "rail:2,5,8,ports=2,quirk=hgx-b200", 2 },
	{ "rail:2,5,8,planes=2,quirk=hgx-b200:host-1", 1 },
};

/* Both switches of a board, the bridges, and nobody else are a subnet. */
static void test_nvlink(const void *data)
{
	const struct board *board = data;
	struct umadrig_fabric *fabric = open_generated(board->options);
	const struct subnet *rails = subnet_at(fabric, "host-0 mlx5_4");

	g_assert_true(rails == subnet_at(fabric, "host-1 mlx5_4"));
	for (unsigned int host = 0; host < 2; host++) {
		bool has_board = host + board->boards >= 2;

		for (unsigned int i = 0; i < NVLINK_BRIDGES; i++) {
			g_autofree char *first = g_strdup_printf("host-%u mlx5_0", host);
			g_autofree char *name = g_strdup_printf("host-%u mlx5_%u", host, i);
			const struct node *node = fabric_node(fabric, name);
			const struct subnet *subnet = subnet_at(fabric, name);

			g_assert_true((subnet == rails) == !has_board);
			g_assert_true(subnet == subnet_at(fabric, first));
			if (!has_board)
				continue;
			/* The switches' own ports as well. */
			g_assert_cmpuint(subnet->ends->len, ==,
					 2 + NVLINK_BRIDGES * node->port_count);
			g_assert_cmpint(!node->ports[1].end->attr.lid, ==, fabric->options.cold);
		}
	}
	g_assert_cmpuint(fabric->subnets->len, ==, 1 + board->boards);
	fabric_free(fabric);
}

/* Two rules for each port that is meant. */
static void test_firmware(void)
{
	struct umadrig_fabric *fabric = open_generated("rail:2,2,4,quirk=slow-firmware:host-1,"
						  "quirk=lossy-firmware:host-0 mlx5_1");

	g_assert_nonnull(fabric->faults);
	g_assert_cmpint(fabric->fault_last_id, ==, 2 * 2 + 2);
	fabric_free(fabric);
}

static const struct bad {
	const char *quirk, *says;
} bads[] = {
	{ "none-such", "expected NAME or NAME:NODE[PORT], where NAME is one of hgx-b200, " },
	{ "port-down:", "expected NAME or NAME:NODE[PORT]" },
	{ "port-down:host-9", "there is no node or host 'host-9'" },
	{ "port-down:host-1[3]", "has no port 3" },
	{ "port-down:host-1[x]", "'host-1[x]': expected a node, such as S1, or a port" },
	{ "port-down:host-1[+1]", "'host-1[+1]': expected a node, such as S1, or a port" },
	{ "port-down:host-1[0]", "'host-1[0]': expected a port from 1 to 254 in the brackets" },
	{ "port-down:host-1[4294967297]", "expected a port from 0 to 255 in the brackets" },
	{ "roce:MF0;spine-0:MQM9700/U1", "it is a quirk of a port, and there is none" },
	{ "switch-management:MF0;spine-0:MQM9700/U1",
	  "it is a quirk of an HCA, and there is none" },
	{ "hgx-b200", "it takes a host with 5 HCAs or more" },
};

static void test_bad(const void *data)
{
	const struct bad *bad = data;
	g_autofree char *spec = g_strdup_printf("generate:rail:2,1,4,quirk=%s", bad->quirk);
	char message[1024] = "";

	g_assert_null(fabric_open(spec, false, message, sizeof(message)));
	g_test_message("%s", message);
	g_assert_nonnull(strstr(message, bad->says));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/quirk/ext-speeds-asked", test_ext_speeds);
	g_test_add_func("/quirk/ports", test_ports);
	g_test_add_func("/quirk/down-rate", test_down_rate);
	g_test_add_func("/quirk/port-down", test_down);
	g_test_add_func("/quirk/roce", test_roce);
	g_test_add_func("/quirk/roce/issm", test_roce_issm);
	g_test_add_func("/quirk/hgx-b200", test_board);
	for (size_t i = 0; i < G_N_ELEMENTS(boards); i++) {
		g_autofree char *path = g_strdup_printf("/quirk/hgx-b200/nvlink/%zu", i);

		g_test_add_data_func(path, &boards[i], test_nvlink);
	}
	g_test_add_func("/quirk/firmware", test_firmware);
	for (size_t i = 0; i < G_N_ELEMENTS(bads); i++) {
		g_autofree char *path = g_strdup_printf("/quirk/refused/%zu", i);

		g_test_add_data_func(path, &bads[i], test_bad);
	}
	return g_test_run();
}
