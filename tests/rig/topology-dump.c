/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Topologies and their diagnostics as text, for tests to compare. */
#include "config.h"

#include <string.h>

#include "sim/topology/reader.h"
#include "tests/rig/topology-dump.h"

/* "switch S1/8 200000 lid 3: 1>H1.1@4xSDR 2>H2.1" */
static void dump_port(GString *out, const struct topology *topology,
		      const struct topology_port *port, unsigned int num)
{
	char rate[16];

	if (port->peer_node >= 0)
		g_string_append_printf(out, " %u>%s.%u", num,
				       topology_node(topology, port->peer_node)->id,
				       port->peer_port);
	else if (port->guid || port->lid)
		g_string_append_printf(out, " %u", num);
	else
		return;
	if (port->width_active || port->speed_active)
		g_string_append_printf(out, "@%s", topology_rate_name(port, rate));
	if (port->width_enabled || port->speed_enabled || port->speed_ext_enabled)
		g_string_append_printf(out, "/%u,%u,%u", port->width_enabled, port->speed_enabled,
				       port->speed_ext_enabled);
	if (port->vl_cap)
		g_string_append_printf(out, "v%u", port->vl_cap);
	if (port->guid)
		g_string_append_printf(out, "(%" G_GINT64_MODIFIER "x)", port->guid);
	if (port->lid)
		g_string_append_printf(out, "=%u", port->lid);
	if (port->lmc)
		g_string_append_printf(out, "+%u", port->lmc);
}

char *topology_dump(const struct topology *topology)
{
	static const char *const kinds[] = {
		[TOPOLOGY_CA] = "ca", [TOPOLOGY_SWITCH] = "switch", [TOPOLOGY_ROUTER] = "router",
	};
	GString *out = g_string_new(NULL);

	for (unsigned int i = 0; i < topology->nodes->len; i++) {
		const struct topology_node *node = topology_node(topology, (int)i);

		g_string_append_printf(out, "%s %s/%u %" G_GINT64_MODIFIER "x", kinds[node->kind],
				       node->id, node->port_count, node->node_guid);
		if (strcmp(node->description, node->id) != 0)
			g_string_append_printf(out, " '%s'", node->description);
		if (node->device_name)
			g_string_append_printf(out, " dev %s", node->device_name);
		if (node->enhanced_port0)
			g_string_append(out, " enhanced");
		if (node->planarized)
			g_string_append(out, " planes");
		if (node->vendor_id || node->device_id || node->sys_image_guid)
			g_string_append_printf(out, " ids %x,%x,%" G_GINT64_MODIFIER "x",
					       node->vendor_id, node->device_id,
					       node->sys_image_guid);
		if (node->kind == TOPOLOGY_SWITCH && node->ports[0].lid)
			g_string_append_printf(out, " lid %u", node->ports[0].lid);
		if (node->kind == TOPOLOGY_SWITCH && node->ports[0].lmc)
			g_string_append_printf(out, " lmc %u", node->ports[0].lmc);
		g_string_append(out, ":");
		for (unsigned int num = 1; num <= node->port_count; num++)
			dump_port(out, topology, &node->ports[num], num);
		g_string_append(out, "\n");
	}
	return g_string_free(out, false);
}

bool topology_says(const char *expected, const struct topology_diagnostic *diagnostic)
{
	static const char *const severities[] = {
		[TOPOLOGY_WARNING] = "warning", [TOPOLOGY_ERROR] = "error",
		  [TOPOLOGY_FATAL] = "fatal",
	};
	char *head = g_strdup_printf("%u %s ", diagnostic->line, severities[diagnostic->severity]);
	bool same = g_str_has_prefix(expected, head) &&
		    strstr(diagnostic->message, expected + strlen(head));

	g_free(head);
	return same;
}

static void canonical_port(GString *out, const struct topology *topology,
			   const struct topology_port *port, unsigned int num)
{
	if (port->peer_node < 0)
		return;
	g_string_append_printf(out, " %u>%" G_GINT64_MODIFIER "x.%u w%u s%u e%u%s v%u (%"
			       G_GINT64_MODIFIER "x)=%u+%u", num,
			       topology_node(topology, port->peer_node)->node_guid, port->peer_port,
			       port->width_active, port->speed_active, port->speed_ext_active,
			       port->fdr10 ? " FDR10" : "", port->vl_cap, port->guid, port->lid,
			       port->lmc);
}

static int compare_lines(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char *topology_canonical(const struct topology *topology)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);

	for (unsigned int i = 0; i < topology->nodes->len; i++) {
		const struct topology_node *node = topology_node(topology, (int)i);
		GString *line = g_string_new(NULL);

		g_string_append_printf(line, "%016" G_GINT64_MODIFIER "x kind %d ports %u "
				       "'%s' (%s) ids %x,%x,%x,%" G_GINT64_MODIFIER "x",
				       node->node_guid,
				       node->kind, node->port_count, node->description,
				       node->device_name ? node->device_name : "", node->vendor_id,
				       node->device_id, node->revision, node->sys_image_guid);
		if (node->kind == TOPOLOGY_SWITCH)
			g_string_append_printf(line, " port 0 %d (%" G_GINT64_MODIFIER "x)=%u+%u",
					       node->enhanced_port0, node->ports[0].guid,
					       node->ports[0].lid, node->ports[0].lmc);
		for (unsigned int num = 1; num <= node->port_count; num++)
			canonical_port(line, topology, &node->ports[num], num);
		g_ptr_array_add(lines, g_string_free(line, false));
	}
	g_ptr_array_sort(lines, compare_lines);
	g_ptr_array_add(lines, NULL);

	char *text = g_strjoinv("\n", (char **)lines->pdata);

	g_ptr_array_unref(lines);
	return text;
}

void topology_check_says(const char *const *says, size_t max, const GArray *diagnostics)
{
	unsigned int count = 0;

	while (count < max && says[count])
		count++;
	for (unsigned int i = 0; i < diagnostics->len; i++) {
		const struct topology_diagnostic *diagnostic =
			&g_array_index(diagnostics, struct topology_diagnostic, i);
		char *text = topology_diagnostic_format(diagnostic);

		if (i >= count || !topology_says(says[i], diagnostic)) {
			g_test_message("got '%s', not '%s'", text,
				       i < count ? says[i] : "(nothing)");
			g_test_fail();
		}
		g_free(text);
	}
	for (unsigned int i = diagnostics->len; i < count; i++) {
		g_test_message("nobody says '%s'", says[i]);
		g_test_fail();
	}
}
