/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What a capture does not say of a fabric. See sim/survey/survey-gap.h. */
#include "config.h"

#include "sim/survey/survey-gap.h"

#include <stdarg.h>

#define GUID "0x%" G_GINT64_MODIFIER "x"
#define STATE_INIT 2	/* the lowest in which a port has a link */

static void add(GPtrArray *gaps, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void add(GPtrArray *gaps, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(gaps, g_strdup_vprintf(format, args));
	va_end(args);
}

void survey_gap_gone(GPtrArray *gaps, const struct survey_node *node)
{
	add(gaps, "the node with the GUID " GUID "%s%s%s could not be reached any more at the end; "
	    "left out", node->guid, node->described ? " (" : "", node->description,
	    node->described ? ")" : "");
}

void survey_gap_unknown(GPtrArray *gaps, struct survey_map *map, const struct survey_node *node)
{
	bool told = false;

	if (node->lid)
		add(gaps, "LID %u: no NodeInfo or NodeRecord says which node has it; left out",
		    node->lid);
	for (unsigned int num = 1; num < node->port_space; num++) {
		const struct survey_port *port = &node->ports[num];
		const struct survey_node *peer;

		if (port->peer < 0)
			continue;
		peer = survey_map_node(map, survey_map_resolve(map, port->peer));
		told = true;
		add(gaps, "what port %u of " GUID " leads to: NodeInfo was not asked for there; "
		    "left out", port->peer_port, peer->guid);
	}
	if (node->by_route && !told)
		add(gaps, "a node that answered along a directed route: NodeInfo was not asked for "
		    "there; left out");
}

/* ---- nodes ---- */

/* "3-8, 12": the ports without PortInfo; "" where there are none. */
static char *unasked_ports(const struct survey_node *from, const struct topology_node *node)
{
	unsigned int num = node->kind == TOPOLOGY_SWITCH ? 0 : 1, first;
	GString *text = g_string_new(NULL);

	while (num <= node->port_count) {
		for (first = num; num <= node->port_count &&
		     (num >= from->port_space || !from->ports[num].state); num++)
			;
		if (num > first)
			g_string_append_printf(text, "%s%u", text->len ? ", " : "", first);
		if (num > first + 1)
			g_string_append_printf(text, "-%u", num - 1);
		num++;
	}
	return g_string_free(text, false);
}

static void gap_asker(GPtrArray *gaps, const struct topology_node *node)
{
	for (unsigned int num = 1; num <= node->port_count; num++)
		if (node->ports[num].peer_node >= 0)
			add(gaps, "\"%s\"[%u], from where the requests came: no packet tells what "
			    "it is; its GUIDs are made up, its LID and its device ID are not known",
			    node->id, num);
}

/* A link is up, and its other end is not known. */
static void gap_ends(GPtrArray *gaps, struct survey_map *map, const struct survey_node *from,
		     const struct topology_node *node)
{
	for (unsigned int num = 1; num < MIN(from->port_space, node->port_count + 1U); num++) {
		const struct survey_port *port = &from->ports[num];

		if (port->state < STATE_INIT || node->ports[num].peer_node >= 0)
			continue;
		if (port->peer >= 0 && !survey_map_node(map, survey_map_resolve(map, port->peer))->
		    identified)
			continue;	/* told where the unknown nodes are */
		add(gaps, "\"%s\"[%u] has a link; what is at its other end was not asked",
		    node->id, num);
	}
}

void survey_gap_node(GPtrArray *gaps, struct survey_map *map, int index,
		     const struct topology_node *node)
{
	const struct survey_node *from = survey_map_node(map, index);
	g_autofree char *ports = NULL;

	if (!from->identified) {
		gap_asker(gaps, node);
		return;
	}
	if (!from->described)
		add(gaps, "\"%s\": NodeDescription was not asked for", node->id);
	if (node->kind == TOPOLOGY_SWITCH && !from->switch_info)
		add(gaps, "\"%s\": SwitchInfo was not asked for", node->id);
	ports = unasked_ports(from, node);
	if (*ports)
		add(gaps, "\"%s\": PortInfo was not asked for of port%s %s", node->id,
		    strpbrk(ports, ",-") ? "s" : "", ports);
	gap_ends(gaps, map, from, node);
}

/* ---- the whole ---- */

static bool has_lids(const struct topology *topology)
{
	for (guint i = 0; i < topology->nodes->len; i++) {
		const struct topology_node *node = topology_node(topology, (int)i);

		for (unsigned int num = 0; num <= node->port_count; num++)
			if (node->ports[num].lid)
				return true;
	}
	return false;
}

void survey_gap_fabric(GPtrArray *gaps, const struct topology *topology,
		       const struct survey_counts *counts)
{
	if (topology->nodes->len && !has_lids(topology))
		add(gaps, "no port has a LID: the fabric was cold, as it is with state=cold");
	if (counts->unasked)
		add(gaps, "%" G_GUINT64_FORMAT " answers came along routes of which no request was "
		    "captured, or that are only partly directed; not used", counts->unasked);
	if (counts->wrong_crc)
		add(gaps, "%" G_GUINT64_FORMAT " MADs have a wrong CRC; not used",
		    counts->wrong_crc);
	if (counts->impossible)
		add(gaps, "%" G_GUINT64_FORMAT " NodeInfos have GUID 0, no ports or an unknown "
		    "type; not used", counts->impossible);
	if (counts->incomplete_tables)
		add(gaps, "%u answers of the SA lack segments; what is there was used",
		    counts->incomplete_tables);
}
