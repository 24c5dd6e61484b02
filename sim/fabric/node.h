/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Nodes: CAs, switches and routers, with their ports.
 */
#ifndef UMADRIG_SIM_FABRIC_NODE_H
#define UMADRIG_SIM_FABRIC_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/plane.h"
#include "sim/fabric/port.h"
#include "sim/fabric/switch.h"
#include "sim/topology/topology.h"

struct umadrig_fabric;

struct node {
	struct umadrig_fabric *fabric;
	char *id;
	char *description;		/* as in the file, for look-ups by name */
	char *description_set;		/* what it has been set to since; NULL: not set */
	char *device_name;		/* for programs: mlx5_0, sim0; set by host.c */
	uint64_t node_guid;
	uint64_t sys_image_guid;
	uint32_t vendor_id;
	uint16_t device_id;
	uint16_t vport;			/* of a virtual function: its index; 0: it is none */
	uint32_t revision;
	uint8_t port_count;
	/* As bits: a node takes 16 bytes less of malloc()'s memory with them. */
	bool enhanced_port0 : 1;
	bool ext_speeds_asked : 1;	/* a quirk: bit 31 of PortInfo's modifier matters */
	bool switch_management : 1;	/* a quirk: device/vpd says so */
	bool removed : 1;		/* pulled out: no device, no link, no answer */
	bool is_hot : 1;		/* it has warned: sim/agents/device-health.h */
	uint8_t degrees, degrees_highest;	/* Celsius; 0: as usual */
	enum topology_kind kind;
	unsigned int index;		/* in fabric->nodes */
	struct port *ports;		/* port_count + 1; entry 0 is meaningful on switches only */
	struct end_port *ends;		/* of the end ports: all, or port 0 */
	struct umadrig_host *host;	/* whose kernel drives it */
	struct switch_part *sw;		/* NULL on CAs and routers */
	struct planes *planes;		/* of a planarized HCA and its GSI device: plane.h */
	struct functions *functions;	/* of an HCA with virtual functions, and of these; NULL */
	struct pma_sampler *sampler;	/* NULL: nothing was sampled yet */
	struct device_commands *commands;	/* sim/agents/config-space.c; NULL: unused yet */
	uint64_t changed;		/* fabric->changes when node_changed() was last called */
};

/* The vendor whose firmware has attributes, a class and files of its own. */
enum { VENDOR_MELLANOX = 0x0002c9 };

/* Is it the GSI device of a planarized HCA, which no fabric's list of nodes has? */
static inline bool node_is_gsi(const struct node *node)
{
	return node->planes && node->planes->gsi == node;
}

/* The end port that speaks for 'port': itself, a switch's port 0, or that of all planes. */
static inline struct end_port *port_speaker(const struct port *port)
{
	if (port->node->planes)
		return port->node->planes->vport;
	return port->end ? port->end : port->node->ports[0].end;
}

/* The first plane of those in the highest state. */
static inline const struct port *planes_first_up(const struct planes *planes)
{
	const struct port *best = &planes->hca->ports[1];

	for (unsigned int num = 2; num <= planes->hca->port_count; num++) {
		if (planes->hca->ports[num].state > best->state)
			best = &planes->hca->ports[num];
	}
	return best;
}

/* That state: enum port_state. */
static inline uint8_t planes_state(const struct planes *planes)
{
	return planes_first_up(planes)->state;
}

/* The end port whose QP1 MADs for 'end' come to: itself, or the GSI device's. */
static inline struct end_port *end_port_gsi(struct end_port *end)
{
	return end->attr.no_gsi ? end->port->node->planes->gsi->ends : end;
}

/* NodeDescription. */
static inline const char *node_description(const struct node *node)
{
	if (node->planes)
		node = node->planes->hca;
	return node->description_set ? node->description_set : node->description;
}

/* Makes a node of 'said', one of 'topology', without cables. To be freed with node_free(). */
struct node *node_new(struct umadrig_fabric *fabric, const struct topology *topology,
		      const struct topology_node *said);
void node_free(struct node *node);

/* The end port of 'node' with number 'num' (a switch's only one is 0), or NULL. */
struct end_port *node_end_port(struct node *node, unsigned int num);

/*
 * Changes the NodeDescription, for the node itself or for an SMP: a trap is sent to the SM. The
 * names of nodes in commands and scripts remain those of the file.
 */
void node_set_description(struct node *node, const char *description);
void node_set_sys_image_guid(struct node *node, uint64_t guid);

#endif
