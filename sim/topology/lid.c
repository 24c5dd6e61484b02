/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * LIDs: checks those that a file gives, and assigns LIDs to end ports that have none.
 *
 * An end port with LMC m answers to 2^m LIDs from a base that is a multiple of 2^m (IBA vol 1,
 * 14.2.5.6); no two end ports of a subnet share one.
 */
#include "config.h"

#include "sim/topology/lid.h"
#include "sim/topology/planes.h"
#include "sim/topology/reader.h"
#include "sim/topology/topology-subnet.h"

/* Whose a LID is: an entry for each of TOPOLOGY_LID_MAX + 1, of one subnet at a time. */
struct owners {
	const struct topology_end *by_lid[TOPOLOGY_LID_MAX + 1];
};

static unsigned int lid_end(const struct topology_port *port)
{
	return port->lid + (1U << port->lmc);
}

/* Enters the LIDs of an end port; 'end' NULL: takes them out. */
static void enter(struct owners *owners, const struct topology_port *port,
		  const struct topology_end *end)
{
	for (unsigned int lid = port->lid; lid && lid < lid_end(port); lid++)
		owners->by_lid[lid] = end;
}

/* For the next subnet. */
static void forget(struct owners *owners, const struct topology_subnets *subnets,
		   unsigned int subnet)
{
	for (unsigned int i = subnets->first[subnet]; i < subnets->first[subnet + 1]; i++)
		enter(owners, topology_end_port(&subnets->ends[i]), NULL);
}

/* ---- checking ---- */

static void check_port(struct topology_reader *reader, struct owners *owners,
		       const struct topology_end *end)
{
	const struct topology_node *node = end->node;
	struct topology_port *port = topology_end_port(end);

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
		const struct topology_end *owner = owners->by_lid[lid];

		if (!owner)
			continue;
		topology_diagnose_at(reader, TOPOLOGY_WARNING, node->file_number, port->line,
				     "LID %u of '%s' is already used by '%s'[%u]; this port gets a "
				     "free one; correct one of the two",
				     lid, node->id, owner->node->id, owner->num);
		port->lid = 0;
		return;
	}
	enter(owners, port, end);
}

static void check_subnet(struct topology_reader *reader, struct owners *owners,
			 const struct topology_subnets *subnets, unsigned int subnet)
{
	for (unsigned int i = subnets->first[subnet]; i < subnets->first[subnet + 1]; i++) {
		check_port(reader, owners, &subnets->ends[i]);
		topology_share_lid(subnets->ends[i].node);
	}
	forget(owners, subnets, subnet);
}

void topology_finish_lids(struct topology_reader *reader)
{
	struct owners *owners = g_new0(struct owners, 1);
	struct topology_subnets subnets;

	topology_subnets_find(reader->topology, &subnets);
	for (unsigned int subnet = 0; subnet < subnets.count; subnet++)
		check_subnet(reader, owners, &subnets, subnet);
	topology_subnets_clear(&subnets);
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
	struct owners *owners;
	unsigned int next[TOPOLOGY_LMC_MAX + 1];	/* no LID below it is free, by LMC */
};

/* The lowest free LID for 'lmc', 0 when there is none. */
static uint16_t lid_find(struct lid_pool *pool, uint8_t lmc)
{
	unsigned int step = 1U << lmc, lid = MAX(pool->next[lmc], step), i;

	for (; lid + step <= TOPOLOGY_LID_MAX + 1U; lid += step) {
		for (i = 0; i < step && !pool->owners->by_lid[lid + i]; i++)
			;
		if (i == step)
			break;
	}
	pool->next[lmc] = lid;
	return lid + step > TOPOLOGY_LID_MAX + 1U ? 0 : (uint16_t)lid;
}

/* An SM gives LIDs to what it reaches: switches, and end ports with a link. */
static bool needs_lid(const struct topology_end *end)
{
	const struct topology_node *node = end->node;
	const struct topology_port *port = topology_end_port(end);
	bool linked = port->peer_node >= 0;

	for (unsigned int plane = 2; node->planarized && plane <= node->port_count; plane++)
		linked |= node->ports[plane].peer_node >= 0;
	return !port->lid && (node->kind == TOPOLOGY_SWITCH || linked);
}

/* How many end ports got none. */
static unsigned int assign_subnet(struct owners *owners, const struct topology_subnets *subnets,
				  unsigned int subnet)
{
	struct lid_pool pool = { .owners = owners };
	unsigned int first = subnets->first[subnet], end = subnets->first[subnet + 1], missing = 0;

	for (unsigned int i = first; i < end; i++)
		enter(owners, topology_end_port(&subnets->ends[i]), &subnets->ends[i]);
	for (unsigned int i = first; i < end; i++) {
		struct topology_port *port = topology_end_port(&subnets->ends[i]);

		if (!needs_lid(&subnets->ends[i]))
			continue;
		port->lid = lid_find(&pool, port->lmc);
		missing += !port->lid;
		enter(owners, port, &subnets->ends[i]);
		topology_share_lid(subnets->ends[i].node);
	}
	forget(owners, subnets, subnet);
	return missing;
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
	struct owners *owners = g_new0(struct owners, 1);
	struct topology_subnets subnets;
	unsigned int missing = 0;

	topology_subnets_find(topology, &subnets);
	for (unsigned int subnet = 0; subnet < subnets.count; subnet++)
		missing += assign_subnet(owners, &subnets, subnet);
	topology_subnets_clear(&subnets);
	g_free(owners);
	if (missing)
		diagnose_exhausted(topology, missing);
}
