/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What an SM has written into nodes: forwarding tables and P_Keys, as sim/facts/facts-tables.h
 * reads them. See sim/console/console.h.
 */
#include <glib.h>

#include "sim/console/console.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"
#include "sim/fabric/partition.h"
#include "sim/fabric/port.h"
#include "sim/fabric/route.h"

#define GUID_FORMAT "0x%016" G_GINT64_MODIFIER "x"

enum { NO_PORT = 255, P_KEY_BASE = 0x7fff };

/* "lft GUID 1..3=4 7=2 # S1": by which port the switch sends to which LIDs. */
static void write_lft(struct node *sw, GString *out)
{
	const uint8_t *table = switch_lft(sw, 0);
	uint32_t size = MIN(sw->sw->lft_size, sw->sw->lft_top + 1U);

	if (!sw->sw->lft_size)
		return;
	g_string_append_printf(out, "lft " GUID_FORMAT, sw->node_guid);
	for (uint32_t lid = 1, first; lid < size; lid++) {
		if (table[lid] == NO_PORT)
			continue;
		first = lid;
		while (lid + 1 < size && table[lid + 1] == table[first])
			lid++;
		if (lid == first)
			g_string_append_printf(out, " %u=%u", first, table[first]);
		else
			g_string_append_printf(out, " %u..%u=%u", first, lid, table[first]);
	}
	g_string_append_printf(out, " # %s\n", sw->id);
}

/* "pkeys GUID[1] 0x7fff 0xffff # H1[1]" */
static void write_pkeys(const struct port *port, const uint16_t *pkeys, unsigned int count,
			GString *out)
{
	g_string_append_printf(out, "pkeys " GUID_FORMAT "[%u]", port->node->node_guid, port->num);
	for (unsigned int i = 0; i < count; i++) {
		if (pkeys[i] & P_KEY_BASE)
			g_string_append_printf(out, " 0x%04x", pkeys[i]);
	}
	g_string_append_printf(out, " # %s[%u]\n", port->node->id, port->num);
}

static void write_port(const struct port *port, GString *out)
{
	const struct end_port *end = port->end ? port_speaker(port) : NULL;

	if (end)
		write_pkeys(port, end->pkeys, end->attr.pkey_count, out);
	else if (port->pkeys)
		write_pkeys(port, port->pkeys, PARTITION_KEYS, out);
	if (end && end->sm_lid)
		g_string_append_printf(out, "sm " GUID_FORMAT "[%u] %u # %s[%u]\n",
				       port->node->node_guid, port->num, end->sm_lid,
				       port->node->id, port->num);
}

int console_tables(struct console *console, const struct console_words *words)
{
	struct umadrig_fabric *fabric = console->fabric;

	(void)words;
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		if (node->removed)
			continue;
		if (node->sw)
			write_lft(node, console->out);
		for (unsigned int num = node->sw ? 0 : 1; num <= node->port_count; num++)
			write_port(&node->ports[num], console->out);
	}
	return 0;
}
