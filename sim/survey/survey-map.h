/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What is known of a fabric so far: nodes, their ports and LIDs, the links between them. What is
 * said later replaces what was said before.
 *
 * A node is known by its GUID as soon as its NodeInfo was seen. Before, it is just whatever is at
 * the end of a route or has a LID, and may turn out to be a node that is known already: the two
 * are merged then, and an index of either means both (survey_map_resolve()).
 */
#ifndef UMADRIG_SIM_SURVEY_SURVEY_MAP_H
#define UMADRIG_SIM_SURVEY_SURVEY_MAP_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/topology/topology.h"

#define SURVEY_PORT_NONE 255	/* of a LID: which port has it is not known yet */

struct survey_port {
	int peer;			/* index of a node, -1: no link is known */
	uint8_t peer_port;
	uint64_t guid;			/* 0: not said */
	uint16_t lid;			/* 0: none, or not said */
	uint8_t lmc;
	uint8_t state;			/* PortInfo.LinkState; 0: no PortInfo was seen */
	uint8_t width_active;		/* as in struct topology_port, these five */
	uint8_t speed_active;
	uint8_t speed_ext_active;
	uint8_t vl_cap;
	bool fdr10;
};

struct survey_node {
	int same_as;			/* the node that it turned out to be; -1: itself */
	bool identified;		/* by NodeInfo, which says what follows */
	enum topology_kind kind;
	uint8_t port_count;
	uint64_t guid;
	uint64_t sys_image_guid;
	uint32_t vendor_id;
	uint32_t revision;
	uint16_t device_id;

	char description[TOPOLOGY_DESCRIPTION_MAX + 1];
	bool described;
	bool enhanced_port0;
	bool switch_info;		/* was seen */
	unsigned int asked;		/* requests come from here; 1: the first ones; 0: none */
	bool by_route;			/* a directed route led here */
	bool was_linked;
	uint16_t lid;			/* by which it is known; 0: otherwise */
	struct survey_port *ports;	/* as many as were spoken of, see survey_map_port() */
	unsigned int port_space;
};

struct survey_map;

struct survey_map *survey_map_new(void);
/* NULL is allowed. */
void survey_map_free(struct survey_map *map);

/* How many nodes there are; some of them are others once more. */
int survey_map_count(const struct survey_map *map);
/* The node with that index, as it was made. */
struct survey_node *survey_map_node(const struct survey_map *map, int index);
/* The node that this one turned out to be, else itself. */
int survey_map_resolve(const struct survey_map *map, int index);

/* A node of which nothing is known. Its index. */
int survey_map_add(struct survey_map *map);

/*
 * NodeInfo of the node at 'index', 40 bytes. The index of the node that it is: another one where
 * another node is at that place now. -1: no node says such a thing, it is left alone.
 */
int survey_map_identify(struct survey_map *map, int index, const uint8_t *node_info);

/* 'from', of which no NodeInfo was seen, and 'into' are one; nothing happens if 'from' has one. */
void survey_map_merge(struct survey_map *map, int from, int into);

/* Port 'num' of a node; good until another port of that node is asked for. */
struct survey_port *survey_map_port(struct survey_map *map, int index, unsigned int num);

/* A cable between two ports, which had none or other ones before. Ports 0 and 255 have none. */
void survey_map_link(struct survey_map *map, int a, unsigned int a_port, int b,
		     unsigned int b_port);
void survey_map_unlink(struct survey_map *map, int index, unsigned int num);

/* An end port has this LID and LMC now, and nobody else; LID 0: none. */
void survey_map_set_lid(struct survey_map *map, int index, unsigned int num, uint16_t lid,
			uint8_t lmc);

/*
 * The node that has the LID, a new one where nobody had it before; -1: it is no unicast LID.
 * '*ret_port': its end port, or SURVEY_PORT_NONE.
 */
int survey_map_lid_owner(struct survey_map *map, uint16_t lid, uint8_t *ret_port);

#endif
