/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Conditions on the ports of a fabric. See sim/property/property-condition.h.
 */
#include "sim/property/property-condition.h"

#include "sim/fabric/cable.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/report.h"
#include "sim/fabric/subnet.h"

/* NULL is allowed: nobody wants to know why. */
static bool no(GString *why, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool no(GString *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (why)
		g_string_append_vprintf(why, format, args);
	va_end(args);
	return false;
}

/* Without power at one end, no cable has a link. */
static bool may_be_up(const struct port *port)
{
	return cable_is_plugged(port) && !port->node->removed && !port->peer->node->removed;
}

static bool is_active(const struct port *port, GString *why)
{
	const struct end_port *end = port_speaker(port);
	char name[PORT_NAME_SIZE];

	port_format(port, name);
	if (!port_is_linked(port))
		return no(why, "%s has a cable and no link", name);
	if (port->state != PORT_ACTIVE)
		return no(why, "%s is not Active", name);
	return end->attr.lid != 0 || no(why, "%s has no LID", name);
}

bool condition_all_active(struct condition *condition, GString *why)
{
	const GPtrArray *nodes = condition->fabric->nodes;

	for (unsigned int i = 0; i < nodes->len; i++) {
		const struct node *node = g_ptr_array_index(nodes, i);

		for (unsigned int num = 1; num <= node->port_count; num++) {
			if (may_be_up(&node->ports[num]) && !is_active(&node->ports[num], why))
				return false;
		}
	}
	return true;
}

/* The end ports' LIDs of one subnet; each is entered in 'by_lid'. */
static bool has_unique_lids(const struct subnet *subnet, GHashTable *by_lid, GString *why)
{
	char name[PORT_NAME_SIZE], other[PORT_NAME_SIZE];

	for (unsigned int i = 0; subnet->ends && i < subnet->ends->len; i++) {
		struct end_port *end = g_ptr_array_index(subnet->ends, i);

		if (end->attr.lid == 0 || end->port->node->removed)
			continue;
		for (unsigned int path = 0; path < 1U << end->attr.lmc; path++) {
			gpointer lid = GUINT_TO_POINTER(end->attr.lid + path);
			const struct end_port *before = g_hash_table_lookup(by_lid, lid);

			if (before)
				return no(why, "%s and %s have LID %u",
					  port_format(before->port, other),
					  port_format(end->port, name), end->attr.lid + path);
			g_hash_table_insert(by_lid, lid, end);
		}
	}
	return true;
}

bool condition_unique_lids(struct condition *condition, GString *why)
{
	const GPtrArray *subnets = condition->fabric->subnets;

	for (unsigned int i = 0; i < subnets->len; i++) {
		g_autoptr(GHashTable) by_lid = g_hash_table_new(NULL, NULL);

		if (!has_unique_lids(g_ptr_array_index(subnets, i), by_lid, why))
			return false;
	}
	return true;
}

bool condition_every_way_leads(struct condition *condition, GString *why)
{
	g_autofree char *lost = report_first_lost(condition->fabric);

	return !lost || no(why, "%s", lost);
}
