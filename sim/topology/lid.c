/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * LIDs: checks those that a file gives, and assigns LIDs to end ports that have none.
 *
 * An end port with LMC m answers to 2^m LIDs from a base that is a multiple of 2^m (IBA vol 1,
 * 14.2.5.6); no two end ports share one.
 */
#include "config.h"

#include "sim/topology/lid.h"
#include "sim/topology/planes.h"
#include "sim/topology/reader.h"

/* The owner of a LID: an end port's node and number. */
struct owner {
	const struct topology_node *node;
	uint8_t num;
};

/* End ports of a node: port 0 of a switch, every port of the others. */
static unsigned int first_end_port(const struct topology_node *node)
{
	return node->kind == TOPOLOGY_SWITCH ? 0 : 1;
}

/* Planes have the LIDs of the first. */
static unsigned int last_end_port(const struct topology_node *node)
{
	return node->kind == TOPOLOGY_SWITCH ? 0 : node->planarized ? 1 : node->port_count;
}

static unsigned int lid_end(const struct topology_port *port)
{
	return port->lid + (1U << port->lmc);
}

static void check_port(struct topology_reader *reader, struct owner *owners,
		       const struct topology_node *node, unsigned int num)
{
	struct topology_port *port = &node->ports[num];

	if (!port->lid)
		return;
	if (port->lid & ((1U << port->lmc) - 1) || lid_end(port) > TOPOLOGY_LID_MAX + 1U) {
		topology_diagnose_at(reader, TOPOLOGY_WARNING, node->file_number, port->line,
				     "LID %u cannot have LMC %u: it is not a multiple of %u, or "
				     "too high; the LMC is read as 0; correct one of the two",
				     port->lid, port->lmc, 1U << port->lmc);
		port->lmc = 0;
	}
	for (unsigned int lid = port->lid; lid < lid_end(port); lid++) {
		if (!owners[lid].node)
			continue;
		topology_diagnose_at(reader, TOPOLOGY_WARNING, node->file_number, port->line,
				     "LID %u of '%s' is already used by '%s'[%u]; this port gets a "
				     "free one; correct one of the two",
				     lid, node->id, owners[lid].node->id, owners[lid].num);
		port->lid = 0;
		return;
	}
	for (unsigned int lid = port->lid; lid < lid_end(port); lid++)
		owners[lid] = (struct owner){ node, (uint8_t)num };
}

void topology_finish_lids(struct topology_reader *reader)
{
	GPtrArray *nodes = reader->topology->nodes;
	struct owner *owners = g_new0(struct owner, TOPOLOGY_LID_MAX + 1);

	for (unsigned int i = 0; i < nodes->len; i++) {
		struct topology_node *node = nodes->pdata[i];

		for (unsigned int num = first_end_port(node); num <= last_end_port(node); num++)
			check_port(reader, owners, node, num);
		topology_share_lid(node);
	}
	g_free(owners);
	if (reader->zero_lid_count)
		topology_diagnose_at(reader, TOPOLOGY_WARNING, 0, reader->zero_lid_line,
				     "LID 0 (%u end port%s in all): not set by an SM yet; free "
				     "LIDs are used, or none in a cold fabric",
				     reader->zero_lid_count,
				     reader->zero_lid_count == 1 ? "" : "s");
}

/* ---- assigning ---- */

struct lid_pool {
	bool *taken;			/* TOPOLOGY_LID_MAX + 1 */
	unsigned int next[TOPOLOGY_LMC_MAX + 1];	/* no LID below it is free, by LMC */
};

/* The lowest free LID for 'lmc', 0 when there is none. */
static uint16_t lid_take(struct lid_pool *pool, uint8_t lmc)
{
	unsigned int step = 1U << lmc, lid = MAX(pool->next[lmc], step), i;

	for (; lid + step <= TOPOLOGY_LID_MAX + 1U; lid += step) {
		for (i = 0; i < step && !pool->taken[lid + i]; i++)
			;
		if (i == step)
			break;
	}
	pool->next[lmc] = lid;
	if (lid + step > TOPOLOGY_LID_MAX + 1U)
		return 0;
	for (i = 0; i < step; i++)
		pool->taken[lid + i] = true;
	return (uint16_t)lid;
}

/* An SM gives LIDs to what it reaches: switches, and end ports with a link. */
static bool needs_lid(const struct topology_node *node, unsigned int num)
{
	const struct topology_port *port = &node->ports[num];
	bool linked = port->peer_node >= 0;

	for (unsigned int plane = 2; node->planarized && plane <= node->port_count; plane++)
		linked |= node->ports[plane].peer_node >= 0;
	return !port->lid && (node->kind == TOPOLOGY_SWITCH || linked);
}

static void diagnose_exhausted(struct topology *topology, unsigned int missing)
{
	struct topology_diagnostic diagnostic = {
		.severity = TOPOLOGY_ERROR,
		.file = g_strdup(topology->file),
		.message = g_strdup_printf("no free LID for %u end ports: a subnet has %u; they "
					   "get none; make the fabric or the LMCs smaller",
					   missing, TOPOLOGY_LID_MAX),
	};

	topology->told[TOPOLOGY_ERROR]++;
	g_array_append_val(topology->diagnostics, diagnostic);
}

void topology_assign_lids(struct topology *topology)
{
	struct lid_pool pool = { .taken = g_new0(bool, TOPOLOGY_LID_MAX + 1) };
	GPtrArray *nodes = topology->nodes;
	unsigned int missing = 0;

	for (unsigned int i = 0; i < nodes->len; i++) {
		const struct topology_node *node = nodes->pdata[i];

		for (unsigned int num = first_end_port(node); num <= last_end_port(node); num++) {
			const struct topology_port *port = &node->ports[num];

			for (unsigned int lid = port->lid; lid && lid < lid_end(port); lid++)
				pool.taken[lid] = true;
		}
	}
	for (unsigned int i = 0; i < nodes->len; i++) {
		struct topology_node *node = nodes->pdata[i];

		for (unsigned int num = first_end_port(node); num <= last_end_port(node); num++) {
			if (!needs_lid(node, num))
				continue;
			node->ports[num].lid = lid_take(&pool, node->ports[num].lmc);
			missing += !node->ports[num].lid;
		}
		topology_share_lid(node);
	}
	g_free(pool.taken);
	if (missing)
		diagnose_exhausted(topology, missing);
}
