/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A topology for Graphviz: 'umadrig topology --format dot FILE | dot -Tsvg', or sfdp for big ones.
 *
 * Nodes are named by their GUIDs and labelled with their descriptions; an edge is one cable, with
 * its port numbers at the ends.
 */
#include "config.h"

#include <string.h>

#include "sim/topology/reader.h"
#include "sim/topology/write.h"

/*
 * A quoted string of Graphviz, where backslashes begin escapes; bytes that are not UTF-8 become
 * U+FFFD.
 */
static void append_quoted(GString *out, const char *text)
{
	char *valid = g_utf8_make_valid(text, -1);

	g_string_append_c(out, '"');
	for (const char *c = valid; *c; c++) {
		if (*c == '"' || *c == '\\')
			g_string_append_c(out, '\\');
		g_string_append_c(out, g_ascii_iscntrl(*c) ? ' ' : *c);
	}
	g_string_append_c(out, '"');
	g_free(valid);
}

static void append_name(GString *out, const struct topology_node *node)
{
	g_string_append_printf(out, "\"%016" G_GINT64_MODIFIER "x\"", node->node_guid);
}

static void append_node(GString *out, const struct topology_node *node)
{
	static const char *const shapes[TOPOLOGY_KIND_COUNT] = {
		[TOPOLOGY_CA] = "ellipse", [TOPOLOGY_SWITCH] = "box", [TOPOLOGY_ROUTER] = "diamond",
	};

	g_string_append_c(out, '\t');
	append_name(out, node);
	g_string_append_printf(out, " [shape=%s, label=", shapes[node->kind]);
	append_quoted(out, node->description);
	g_string_append(out, "];\n");
}

static void append_edge(GString *out, const struct topology *topology,
			const struct topology_node *node, unsigned int num)
{
	const struct topology_port *port = &node->ports[num];
	char rate[16];

	g_string_append_c(out, '\t');
	append_name(out, node);
	g_string_append(out, " -- ");
	append_name(out, topology_node(topology, port->peer_node));
	g_string_append_printf(out, " [taillabel=\"%u\", headlabel=\"%u\"", num, port->peer_port);
	if (topology_width_name(port) && topology_speed_name(port))
		g_string_append_printf(out, ", label=\"%s\"", topology_rate_name(port, rate));
	g_string_append(out, "];\n");
}

/* A cable is drawn from its lower end: node, then port. */
static bool is_lower_end(int index, const struct topology_port *port, unsigned int num)
{
	return port->peer_node > index || (port->peer_node == index && port->peer_port > num);
}

void topology_write_dot(const struct topology *topology, GString *out)
{
	int count = (int)topology->nodes->len;

	g_string_append(out, "graph fabric {\n");
	for (int i = 0; i < count; i++)
		append_node(out, topology_node(topology, i));
	for (int i = 0; i < count; i++) {
		const struct topology_node *node = topology_node(topology, i);

		for (unsigned int num = 1; num <= node->port_count; num++)
			if (is_lower_end(i, &node->ports[num], num))
				append_edge(out, topology, node, num);
	}
	g_string_append(out, "}\n");
}
