/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the generators of each shape share: nodes, cables, limits. See sim/topology/shape.h. */
#include "config.h"

#include <errno.h>

#include "sim/topology/shape.h"

#define VENDOR_ID 0x2c9			/* the devices below are Mellanox's */
#define SWITCH_DEVICE_ID 0xd2f0		/* Quantum */
#define HOST_DEVICE_ID 0x101b		/* ConnectX-6 */
#define SWITCH_GUID UINT64_C(0x0002c90200000000)
#define HOST_GUID UINT64_C(0x0002c90300000000)
#define HOST_GUID_STEP 16

static int node_new(struct topology *topology, enum topology_kind kind, unsigned int port_count,
		    uint64_t guid, const char *description)
{
	struct topology_node *node = g_new0(struct topology_node, 1);
	char id[24];

	g_snprintf(id, sizeof(id), "%c-%016" G_GINT64_MODIFIER "x",
		   kind == TOPOLOGY_SWITCH ? 'S' : 'H', guid);
	node->kind = kind;
	node->id = g_string_chunk_insert(topology->strings, id);
	node->description = g_string_chunk_insert(topology->strings, description);
	node->node_guid = node->sys_image_guid = guid;
	node->vendor_id = VENDOR_ID;
	node->port_count = (uint8_t)port_count;
	node->ports = g_new0(struct topology_port, (size_t)port_count + 1);
	for (unsigned int num = 0; num <= port_count; num++)
		node->ports[num].peer_node = -1;
	g_ptr_array_add(topology->nodes, node);
	return (int)topology->nodes->len - 1;
}

int generate_switch(struct topology *topology, unsigned int port_count, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *description = g_strdup_vprintf(format, args);
	va_end(args);

	int index = node_new(topology, TOPOLOGY_SWITCH, port_count,
			     SWITCH_GUID + topology->nodes->len, description);
	struct topology_node *node = topology_node(topology, index);

	node->device_id = SWITCH_DEVICE_ID;
	node->enhanced_port0 = true;
	node->ports[0].guid = node->node_guid;
	g_free(description);
	return index;
}

int generate_host(struct topology *topology, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *name = g_strdup_vprintf(format, args);
	va_end(args);

	char *description = g_strconcat(name, " HCA-1", NULL);
	int index = node_new(topology, TOPOLOGY_CA, 1,
			     HOST_GUID + topology->nodes->len * HOST_GUID_STEP, description);
	struct topology_node *node = topology_node(topology, index);

	node->device_id = HOST_DEVICE_ID;
	/* As on all adapters since ConnectX-4: the only port has the node's GUID. */
	node->ports[1].guid = node->node_guid;
	g_free(description);
	g_free(name);
	return index;
}

static void plug(struct topology_port *port, int peer_node, unsigned int peer_port)
{
	g_assert(port->peer_node < 0);
	port->peer_node = peer_node;
	port->peer_port = (uint8_t)peer_port;
	port->width_active = 2;		/* 4xHDR; LinkSpeedActive shows QDR */
	port->speed_active = 4;
	port->speed_ext_active = 4;
}

void generate_cable(struct topology *topology, int a, unsigned int a_port, int b,
		    unsigned int b_port)
{
	plug(&topology_node(topology, a)->ports[a_port], b, b_port);
	plug(&topology_node(topology, b)->ports[b_port], a, a_port);
}

int generate_check_size(uint64_t switches, uint64_t hosts, uint64_t ports, char **reterr)
{
	if (ports > TOPOLOGY_PORT_MAX) {
		*reterr = g_strdup_printf("its switches need %" G_GUINT64_FORMAT
					  " ports, and the maximum is %d", ports,
					  TOPOLOGY_PORT_MAX);
		return -EINVAL;
	}
	if (switches + hosts > TOPOLOGY_LID_MAX) {
		*reterr = g_strdup_printf("%" G_GUINT64_FORMAT " switches and %" G_GUINT64_FORMAT
					  " hosts are more than the %u LIDs of a subnet", switches,
					  hosts, TOPOLOGY_LID_MAX);
		return -EINVAL;
	}
	return 0;
}
