/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What sysfs says of real ports and nodes, as attributes of subnet management.
 */
#include "config.h"

#include "harness/world/hw-world.h"

#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/umad.h>
#include <string.h>

#include "lib/base/wire.h"
#include "sim/dictionary/mad-dictionary.h"

enum { NODE_DESCRIPTION = 0x0010, NODE_INFO = 0x0011, PORT_INFO = 0x0015 };

static void put_field(uint8_t *data, uint16_t attribute, const char *name, uint64_t value)
{
	mad_field_set(mad_field_must(MAD_CLASS_SUBN_LID, attribute, name), data, value);
}

static int hw_port_info(const char *ca, int number, uint8_t *data)
{
	umad_port_t port;
	int status = umad_get_port(ca, number, &port);

	if (status < 0)
		return status;
	put_field(data, PORT_INFO, "LinkState", port.state);
	put_field(data, PORT_INFO, "PhysLinkState", port.phys_state);
	put_field(data, PORT_INFO, "Lid", port.base_lid);
	put_field(data, PORT_INFO, "LMC", port.lmc);
	put_field(data, PORT_INFO, "SMLid", port.sm_lid);
	put_field(data, PORT_INFO, "SMSL", port.sm_sl);
	put_field(data, PORT_INFO, "CapMask", ntohl(port.capmask));
	put_field(data, PORT_INFO, "GidPrefix", get_be64((const uint8_t *)&port.gid_prefix));
	umad_release_port(&port);
	return 0;
}

static int hw_node_info(const char *name, int number, uint8_t *data)
{
	umad_port_t port;
	umad_ca_t ca;
	int status = umad_get_ca(name, &ca);

	if (status < 0)
		return status;
	put_field(data, NODE_INFO, "NodeType", ca.node_type);
	put_field(data, NODE_INFO, "NumPorts", (uint64_t)ca.numports);
	put_field(data, NODE_INFO, "Guid", get_be64((const uint8_t *)&ca.node_guid));
	put_field(data, NODE_INFO, "SystemGuid", get_be64((const uint8_t *)&ca.system_guid));
	umad_release_ca(&ca);
	status = umad_get_port(name, number, &port);
	if (status < 0)
		return status;
	put_field(data, NODE_INFO, "PortGuid", get_be64((const uint8_t *)&port.port_guid));
	umad_release_port(&port);
	return 0;
}

static int hw_node_description(const char *name, uint8_t *data)
{
	g_autofree char *path = g_build_filename("/sys/class/infiniband", name, "node_desc", NULL);
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return -EOPNOTSUPP;
	g_strchomp(text);
	memcpy(data, text, MIN(strlen(text), SMP_DATA_SIZE));
	return 0;
}

int hw_attribute(struct world *world, const char *node, int port, unsigned int attribute,
		 uint8_t ret_data[64])
{
	bool known = false;

	for (int end = 0; end < WORLD_ENDS; end++)
		known |= g_strcmp0(world->ca[end], node) == 0 && world->port[end] == port;
	memset(ret_data, 0, 64);
	if (!known)
		return -ENOENT;
	if (attribute == PORT_INFO)
		return hw_port_info(node, port, ret_data);
	if (attribute == NODE_INFO)
		return hw_node_info(node, port, ret_data);
	return attribute == NODE_DESCRIPTION ? hw_node_description(node, ret_data) : -EOPNOTSUPP;
}
