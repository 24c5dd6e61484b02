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

static void add_guid(struct json_writer *json, const char *name, uint64_t guid)
{
	if (guid)
		json_hex(json_name(json, name), guid, 16);
}

static void add_word(struct json_writer *json, const char *name, const char *word)
{
	if (word)
		json_string(json_name(json, name), word);
}

static void add_lid(struct json_writer *json, const struct topology_port *port)
{
	if (!port->lid)
		return;
	json_unsigned(json_name(json, "lid"), port->lid);
	json_unsigned(json_name(json, "lmc"), port->lmc);
}

static void add_port(struct json_writer *json, const struct topology *topology,
		     const struct topology_port *port, unsigned int num)
{
	json_space(json, "\n\t\t\t");
	json_open(json, '{');
	json_unsigned(json_name(json, "port"), num);
	add_guid(json, "guid", port->guid);
	add_lid(json, port);
	add_word(json, "width", topology_width_name(port));
	add_word(json, "speed", topology_speed_name(port));
	if (port->peer_node >= 0) {
		json_open(json_name(json, "peer"), '{');
		json_hex(json_name(json, "node"),
			 topology_node(topology, port->peer_node)->node_guid, 16);
		json_unsigned(json_name(json, "port"), port->peer_port);
		json_close(json, '}');
	}
	json_close(json, '}');
}

static void add_ports(struct json_writer *json, const struct topology *topology,
		      const struct topology_node *node)
{
	json_open(json_name(json, "ports"), '[');
	for (unsigned int num = 1; num <= node->port_count; num++) {
		const struct topology_port *port = &node->ports[num];

		if (port->peer_node >= 0 || port->guid || port->lid)
			add_port(json, topology, port, num);
	}
	json_close(json, ']');
}

static void add_node(struct json_writer *json, const struct topology *topology,
		     const struct topology_node *node)
{
	static const char *const kinds[TOPOLOGY_KIND_COUNT] = {
		[TOPOLOGY_CA] = "ca", [TOPOLOGY_SWITCH] = "switch", [TOPOLOGY_ROUTER] = "router",
	};

	json_space(json, "\n\t\t");
	json_open(json, '{');
	json_string(json_name(json, "kind"), kinds[node->kind]);
	json_string(json_name(json, "id"), node->id);
	json_string(json_name(json, "description"), node->description);
	add_guid(json, "guid", node->node_guid);
	add_guid(json, "system_guid", node->sys_image_guid);
	json_hex(json_name(json, "vendor_id"), node->vendor_id, 6);
	json_hex(json_name(json, "device_id"), node->device_id, 4);
	json_hex(json_name(json, "revision"), node->revision, 1);
	json_unsigned(json_name(json, "port_count"), node->port_count);
	if (node->kind == TOPOLOGY_SWITCH) {
		add_guid(json, "port0_guid", node->ports[0].guid);
		add_lid(json, &node->ports[0]);
		json_bool(json_name(json, "enhanced_port0"), node->enhanced_port0);
	}
	if (node->planarized)
		json_unsigned(json_name(json, "planes"), node->port_count);
	if (node->vfs)
		json_unsigned(json_name(json, "vfs"), node->vfs);
	add_ports(json, topology, node);
	json_close(json, '}');
}

void topology_json(const struct topology *topology, struct json_writer *json)
{
	json_open(json, '{');
	json_space(json, "\n\t");
	json_open(json_name(json, "nodes"), '[');
	for (unsigned int i = 0; i < topology->nodes->len; i++)
		add_node(json, topology, topology_node(topology, (int)i));
	json_space(json, "\n\t");
	json_close(json, ']');
	json_space(json, "\n");
	json_close(json, '}');
}

void topology_write_json(const struct topology *topology, GString *out)
{
	struct json_writer json;

	json_writer_to_string(&json, JSON_LINES, out);
	topology_json(topology, &json);
	json_end_line(&json);
	json_finish(&json);
}
