/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the generators of each shape share: nodes, cables, limits. See sim/topology/shape.h. */
#include "config.h"

#include <errno.h>

#include "sim/topology/shape.h"

#define VENDOR_ID 0x2c9			/* the devices of all makes are Mellanox's */
#define AGGREGATION_DEVICE_ID 0xcf09
#define SWITCH_GUID UINT64_C(0x0002c90200000000)
#define HOST_GUID UINT64_C(0x0002c90300000000)
#define HOST_GUID_STEP 16

/* As all aggregation nodes call themselves. */
static const char aggregation_description[] = "Mellanox Technologies Aggregation Node";

static int node_new(struct generate *generate, enum topology_kind kind, unsigned int port_count,
		    const char *description)
{
	struct topology *topology = generate->topology;
	struct topology_node *node = g_new0(struct topology_node, 1);
	uint64_t index = topology->nodes->len;
	char id[24];

	node->kind = kind;
	node->node_guid = node->sys_image_guid = kind == TOPOLOGY_SWITCH ?
		SWITCH_GUID + index : HOST_GUID + index * HOST_GUID_STEP;
	g_snprintf(id, sizeof(id), "%c-%016" G_GINT64_MODIFIER "x",
		   kind == TOPOLOGY_SWITCH ? 'S' : kind == TOPOLOGY_ROUTER ? 'R' : 'H',
		   node->node_guid);
	node->id = g_string_chunk_insert(topology->strings, id);
	node->description = g_string_chunk_insert(topology->strings, description);
	node->vendor_id = VENDOR_ID;
	node->port_count = (uint8_t)port_count;
	node->ports = g_new0(struct topology_port, (size_t)port_count + 1);
	for (unsigned int num = 0; num <= port_count; num++)
		node->ports[num].peer_node = -1;
	g_ptr_array_add(topology->nodes, node);
	return (int)index;
}

/* ---- switches ---- */

/* "MF0;pod-0-leaf-3:MQM9700/U1": what a switch's software calls it, its model, and the device. */
static char *switch_description(const struct generate_style *style, char *name)
{
	if (!style->vendor_names && style->planes > 1)
		return g_strdup_printf("%s plane-1", name);
	if (!style->vendor_names)
		return g_strdup(name);
	return g_strdup_printf("MF0;%s:%s/U1", g_strdelimit(name, " ", '-'), style->make->model);
}

static int chip(struct generate *generate, unsigned int port_count, const char *description)
{
	int index = node_new(generate, TOPOLOGY_SWITCH, port_count, description);
	struct topology_node *node = topology_node(generate->topology, index);

	node->device_id = generate->style.make->switch_id;
	node->enhanced_port0 = true;
	node->ports[0].guid = node->node_guid;
	return index;
}

int generate_switch(struct generate *generate, unsigned int port_count, const char *format, ...)
{
	g_autofree char *name = NULL, *description = NULL;
	va_list args;

	va_start(args, format);
	name = g_strdup_vprintf(format, args);
	va_end(args);
	description = switch_description(&generate->style, name);
	return chip(generate, port_count + generate->style.aggregation, description);
}

int generate_chip(struct generate *generate, int first, const char *description)
{
	int index = chip(generate, topology_node(generate->topology, first)->port_count,
			 description);

	topology_node(generate->topology, index)->sys_image_guid =
		topology_node(generate->topology, first)->node_guid;
	return index;
}

/* It belongs to the switch's chip, so its system is the switch. */
static void aggregation_node(struct generate *generate, int at_switch)
{
	int index = node_new(generate, TOPOLOGY_CA, 1, aggregation_description);
	struct topology_node *node = topology_node(generate->topology, index);
	const struct topology_node *system = topology_node(generate->topology, at_switch);

	node->device_id = AGGREGATION_DEVICE_ID;
	node->sys_image_guid = system->node_guid;
	node->ports[1].guid = node->node_guid;
	generate_cable(generate, index, 1, at_switch, system->port_count);
}

void generate_aggregation_nodes(struct generate *generate)
{
	unsigned int count = generate->topology->nodes->len;

	for (unsigned int i = 0; generate->style.aggregation && i < count; i++) {
		if (topology_node(generate->topology, (int)i)->kind == TOPOLOGY_SWITCH)
			aggregation_node(generate, (int)i);
	}
}

bool generate_is_aggregation_node(const struct topology_node *node)
{
	return node->device_id == AGGREGATION_DEVICE_ID;
}

/* ---- copies, routers ---- */

int generate_copy(struct generate *generate, int first)
{
	const struct topology_node *from = topology_node(generate->topology, first);
	int index = node_new(generate, from->kind, from->port_count, from->description);
	struct topology_node *node = topology_node(generate->topology, index);
	uint64_t nodes = (uint64_t)(index - first);

	node->device_id = from->device_id;
	node->enhanced_port0 = from->enhanced_port0;
	node->planarized = from->planarized;
	/* The system is another node of the copy: a switch, or an adapter by itself. */
	node->sys_image_guid = from->sys_image_guid + (from->sys_image_guid >= HOST_GUID ?
						       nodes * HOST_GUID_STEP : nodes);
	for (unsigned int num = 0; num <= node->port_count; num++) {
		uint64_t guid = from->ports[num].guid;

		node->ports[num].guid = guid ? guid - from->node_guid + node->node_guid : 0;
	}
	return index;
}

int generate_router(struct generate *generate, unsigned int port_count, const char *format, ...)
{
	g_autofree char *description = NULL;
	struct topology_node *node;
	va_list args;
	int index;

	va_start(args, format);
	description = g_strdup_vprintf(format, args);
	va_end(args);
	index = node_new(generate, TOPOLOGY_ROUTER, port_count, description);
	node = topology_node(generate->topology, index);
	node->device_id = generate->style.make->switch_id;
	for (unsigned int num = 1; num <= port_count; num++)
		node->ports[num].guid = node->node_guid + num;
	return index;
}

/* ---- hosts ---- */

static int adapter(struct generate *generate, const char *host, unsigned int number)
{
	g_autofree char *description = generate->style.vendor_names ?
		g_strdup_printf("%s mlx5_%u", host, number) :
		g_strdup_printf("%s HCA-%u", host, number + 1);
	unsigned int planes = generate->style.planes;
	unsigned int ports = planes > 1 ? planes : generate->style.adapter_ports;
	int index = node_new(generate, TOPOLOGY_CA, ports, description);
	struct topology_node *node = topology_node(generate->topology, index);

	node->device_id = generate->style.make->adapter_id;
	node->planarized = planes > 1;
	/* As on all adapters since ConnectX-4: the only port has the node's GUID. */
	for (unsigned int num = 1; num <= ports; num++)
		node->ports[num].guid = node->node_guid + (ports == 1 || planes > 1 ? 0 : num);
	return index;
}

int generate_host(struct generate *generate, unsigned int adapters, const char *format, ...)
{
	int first = (int)generate->topology->nodes->len;
	g_autofree char *name = NULL;
	va_list args;

	va_start(args, format);
	name = g_strdup_vprintf(format, args);
	va_end(args);
	for (unsigned int i = 0; i < adapters; i++)
		adapter(generate, name, i);
	return first;
}

unsigned int generate_plug_host(struct generate *generate, int host, unsigned int adapters,
				int at_switch, unsigned int first_port)
{
	unsigned int port = first_port;

	for (unsigned int i = 0; i < adapters; i++)
		for (unsigned int num = 1; num <= generate->style.adapter_ports; num++)
			generate_cable(generate, host + (int)i, num, at_switch, port++);
	return port;
}

/* ---- cables ---- */

static void plug(const struct generate_style *style, struct topology_port *port, int peer_node,
		 unsigned int peer_port)
{
	g_assert(port->peer_node < 0);
	port->peer_node = peer_node;
	port->peer_port = (uint8_t)peer_port;
	port->width_active = style->width;
	port->speed_active = 4;		/* LinkSpeedActive shows QDR */
	port->speed_ext_active = style->make->speed_ext;
}

void generate_cable(struct generate *generate, int a, unsigned int a_port, int b,
		    unsigned int b_port)
{
	plug(&generate->style, &topology_node(generate->topology, a)->ports[a_port], b, b_port);
	plug(&generate->style, &topology_node(generate->topology, b)->ports[b_port], a, a_port);
}

int generate_check_size(const struct generate *generate, uint64_t switches, uint64_t adapters,
			uint64_t ports, char **reterr)
{
	uint64_t aggregation = 0;

	switches *= generate->style.planes;
	if (generate->style.aggregation)
		aggregation = switches;
	ports += generate->style.aggregation;
	if (ports > TOPOLOGY_PORT_MAX) {
		*reterr = g_strdup_printf("its switches need %" G_GUINT64_FORMAT
					  " ports, and the maximum is %d", ports,
					  TOPOLOGY_PORT_MAX);
		return -EINVAL;
	}
	/* Of such numbers the products still fit in 64 bits. */
	if (switches > TOPOLOGY_LID_MAX || adapters > TOPOLOGY_LID_MAX ||
	    switches + aggregation + adapters * generate->style.adapter_ports > TOPOLOGY_LID_MAX) {
		*reterr = g_strdup_printf("%" G_GUINT64_FORMAT " switches, %" G_GUINT64_FORMAT
					  " aggregation nodes and %" G_GUINT64_FORMAT " HCAs with "
					  "%u port%s are more than the %u LIDs of a subnet",
					  switches, aggregation, adapters,
					  generate->style.adapter_ports,
					  generate->style.adapter_ports == 1 ? "" : "s",
					  TOPOLOGY_LID_MAX);
		return -EINVAL;
	}
	return 0;
}
