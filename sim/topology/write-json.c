/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A topology as JSON: {"nodes": [{..., "ports": [{..., "peer": {"node": GUID, "port": N}}]}]}.
 *
 * GUIDs and ids of devices are strings of hexadecimal digits, because JSON's numbers lose the last
 * bits of 64. Ports with a link, a GUID or a LID are listed; what is not known is left out.
 */
#include "config.h"

#include "sim/topology/json-string.h"
#include "sim/topology/reader.h"
#include "sim/topology/write.h"

static void append_guid(GString *out, const char *key, uint64_t guid)
{
	if (guid)
		g_string_append_printf(out, ", \"%s\": \"0x%016" G_GINT64_MODIFIER "x\"", key,
				       guid);
}

static void append_name(GString *out, const char *key, const char *name)
{
	if (name)
		g_string_append_printf(out, ", \"%s\": \"%s\"", key, name);
}

static void append_lid(GString *out, const struct topology_port *port)
{
	if (port->lid)
		g_string_append_printf(out, ", \"lid\": %u, \"lmc\": %u", port->lid, port->lmc);
}

static void append_port(GString *out, const struct topology *topology,
			const struct topology_port *port, unsigned int num)
{
	g_string_append_printf(out, "\t\t\t{\"port\": %u", num);
	append_guid(out, "guid", port->guid);
	append_lid(out, port);
	append_name(out, "width", topology_width_name(port));
	append_name(out, "speed", topology_speed_name(port));
	if (port->peer_node >= 0) {
		const struct topology_node *peer = topology_node(topology, port->peer_node);

		g_string_append_printf(out, ", \"peer\": {\"node\": \"0x%016" G_GINT64_MODIFIER
				       "x\", \"port\": %u}", peer->node_guid, port->peer_port);
	}
	g_string_append_c(out, '}');
}

static void append_ports(GString *out, const struct topology *topology,
			 const struct topology_node *node)
{
	const char *between = "\n";

	g_string_append(out, ", \"ports\": [");
	for (unsigned int num = 1; num <= node->port_count; num++) {
		const struct topology_port *port = &node->ports[num];

		if (port->peer_node < 0 && !port->guid && !port->lid)
			continue;
		g_string_append(out, between);
		append_port(out, topology, port, num);
		between = ",\n";
	}
	g_string_append_c(out, ']');
}

static void append_node(GString *out, const struct topology *topology,
			const struct topology_node *node)
{
	static const char *const kinds[TOPOLOGY_KIND_COUNT] = {
		[TOPOLOGY_CA] = "ca", [TOPOLOGY_SWITCH] = "switch", [TOPOLOGY_ROUTER] = "router",
	};

	g_string_append_printf(out, "\t\t{\"kind\": \"%s\", \"id\": ", kinds[node->kind]);
	json_append_string(out, node->id);
	g_string_append(out, ", \"description\": ");
	json_append_string(out, node->description);
	append_guid(out, "guid", node->node_guid);
	append_guid(out, "system_guid", node->sys_image_guid);
	g_string_append_printf(out, ", \"vendor_id\": \"0x%06x\", \"device_id\": \"0x%04x\", "
			       "\"revision\": \"0x%x\", \"port_count\": %u", node->vendor_id,
			       node->device_id, node->revision, node->port_count);
	if (node->kind == TOPOLOGY_SWITCH) {
		append_guid(out, "port0_guid", node->ports[0].guid);
		append_lid(out, &node->ports[0]);
		g_string_append_printf(out, ", \"enhanced_port0\": %s",
				       node->enhanced_port0 ? "true" : "false");
	}
	if (node->planarized)
		g_string_append_printf(out, ", \"planes\": %u", node->port_count);
	append_ports(out, topology, node);
	g_string_append_c(out, '}');
}

void topology_write_json(const struct topology *topology, GString *out)
{
	g_string_append(out, "{\n\t\"nodes\": [");
	for (unsigned int i = 0; i < topology->nodes->len; i++) {
		g_string_append(out, i ? ",\n" : "\n");
		append_node(out, topology, topology_node(topology, (int)i));
	}
	g_string_append(out, "\n\t]\n}\n");
}
