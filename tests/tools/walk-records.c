/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What an SA of the fabric must answer, computed from what was read with SMPs. See
 * tests/tools/walk.h.
 *
 * A line is a record: numbers in decimal except GUIDs, in the order of the SA's own record
 * (tests/stock/sa-records.awk makes the same from the output of saquery).
 */
#include "tests/tools/walk.h"

#include <stdio.h>
#include <string.h>

static const char *type_name(const struct walk_node *node)
{
	return node->type == WALK_SWITCH ? "Switch" :
	       node->type == WALK_ROUTER ? "Router" : "Channel Adapter";
}

static void print_nodes(const struct walk *walk)
{
	for (guint i = 0; i < walk->ends->len; i++) {
		const struct walk_port *end = g_ptr_array_index(walk->ends, i);

		printf("NR %u 0x%016" G_GINT64_MODIFIER "x 0x%016" G_GINT64_MODIFIER "x %u %s %s\n",
		       end->lid, end->node->guid, end->guid, end->num, type_name(end->node),
		       end->node->description);
	}
}

/* Each port of a switch, and the ports of CAs that were reached. */
static void print_ports(const struct walk *walk)
{
	static const char *const states[] = { "?", "Down", "Initialize", "Armed", "Active" };

	for (guint i = 0; i < walk->ends->len; i++) {
		const struct walk_port *end = g_ptr_array_index(walk->ends, i);
		bool is_switch = end->node->type == WALK_SWITCH;
		unsigned int last = is_switch ? end->node->port_count : end->num;

		for (unsigned int num = end->num; num <= last; num++) {
			const struct walk_port *port = &end->node->ports[num];

			printf("PIR %u %u %u %s\n", end->lid, num, port->lid,
			       states[port->state <= WALK_ACTIVE ? port->state : 0]);
		}
	}
}

static uint16_t lid_of(const struct walk_port *port)
{
	return port->node->type == WALK_SWITCH ? port->node->ports[0].lid : port->lid;
}

static void print_links(const struct walk *walk)
{
	for (guint i = 0; i < walk->nodes->len; i++) {
		const struct walk_node *node = g_ptr_array_index(walk->nodes, i);

		for (unsigned int num = 1; num <= node->port_count; num++) {
			const struct walk_port *port = &node->ports[num];

			if (port->peer)
				printf("LR %u %u %u %u\n", lid_of(port), num, port->peer->num,
				       lid_of(port->peer));
		}
	}
}

static void print_tables(const struct walk *walk)
{
	for (guint i = 0; i < walk->switches->len; i++) {
		const struct walk_node *node = g_ptr_array_index(walk->switches, i);

		for (uint32_t lid = 0; lid < (node->lft_size + 63) / 64 * 64; lid++) {
			if (node->lft[lid] != WALK_NO_PORT)
				printf("LFTR %u %u %u %u\n", node->ports[0].lid, lid / 64, lid,
				       node->lft[lid]);
		}
	}
}

/* From each end port to each, including itself. */
static void print_paths(const struct walk *walk)
{
	for (guint i = 0; i < walk->ends->len; i++) {
		const struct walk_port *from = g_ptr_array_index(walk->ends, i);

		for (guint j = 0; j < walk->ends->len; j++) {
			const struct walk_port *to = g_ptr_array_index(walk->ends, j);

			printf("PR %u %u\n", from->lid, to->lid);
		}
	}
}

bool walk_print_records(const struct walk *walk, const char *name)
{
	static const struct {
		const char *name;
		void (*print)(const struct walk *walk);
	} kinds[] = {
		{ "NR", print_nodes }, { "PIR", print_ports }, { "LR", print_links },
		{ "LFTR", print_tables }, { "PR", print_paths },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (strcmp(name, kinds[i].name) == 0) {
			kinds[i].print(walk);
			return true;
		}
	}
	return false;
}
