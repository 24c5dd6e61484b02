/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* From what is known of a fabric to a topology, and what is missing: see sim/survey/survey.h. */
#include "config.h"

#include <string.h>

#include "sim/survey/survey-facts.h"
#include "sim/survey/survey-gap.h"
#include "sim/survey/survey-map.h"
#include "sim/survey/survey-parts.h"
#include "sim/survey/survey-route.h"
#include "sim/survey/survey-table.h"

/* Where made-up GUIDs start, as in files without them (sim/topology/guid.c). */
#define GUID_MADE_UP UINT64_C(0x100000)

/* Nobody has more ports and is no switch. */
#define ADAPTER_PORTS_MAX 2

static const char letters[TOPOLOGY_KIND_COUNT] = {
	[TOPOLOGY_CA] = 'H', [TOPOLOGY_SWITCH] = 'S', [TOPOLOGY_ROUTER] = 'R',
};

/* ---- which nodes ---- */

/* What can be reached from where the requests came from, by the cables as they are at the end. */
static void mark_reached(struct survey_map *map, bool *reached)
{
	int count = survey_map_count(map);
	GQueue queue = G_QUEUE_INIT;

	for (int i = 0; i < count; i++) {
		const struct survey_node *node = survey_map_node(map, i);

		if (node->asked && node->same_as < 0) {
			reached[i] = true;
			g_queue_push_tail(&queue, GINT_TO_POINTER(i));
		}
	}
	while (!g_queue_is_empty(&queue)) {
		const struct survey_node *node =
			survey_map_node(map, GPOINTER_TO_INT(g_queue_pop_head(&queue)));

		for (unsigned int num = 1; num < node->port_space; num++) {
			int peer = node->ports[num].peer;

			peer = peer < 0 ? -1 : survey_map_resolve(map, peer);
			if (peer < 0 || reached[peer])
				continue;
			reached[peer] = true;
			g_queue_push_tail(&queue, GINT_TO_POINTER(peer));
		}
	}
}

static bool has_link(const struct survey_node *node)
{
	for (unsigned int num = 1; num < node->port_space; num++)
		if (node->ports[num].peer >= 0)
			return true;
	return false;
}

static bool is_any_reached(struct survey_map *map, const bool *reached)
{
	for (int i = 0; i < survey_map_count(map); i++)
		if (reached[i] && survey_map_node(map, i)->identified)
			return true;
	return false;
}

/* -1: left out; else whatever. Says why where that is not plain. */
static void choose(struct survey_map *map, int *ret_places, GPtrArray *gaps)
{
	int count = survey_map_count(map);
	bool *reached = g_new0(bool, (size_t)count);
	bool any;

	mark_reached(map, reached);
	any = is_any_reached(map, reached);
	for (int i = 0; i < count; i++) {
		const struct survey_node *node = survey_map_node(map, i);
		bool gone = any && !reached[i] &&
			    (node->by_route || (node->was_linked && !has_link(node)));

		ret_places[i] = -1;
		if (node->same_as >= 0)
			continue;
		if (node->identified && gone)
			survey_gap_gone(gaps, node);
		else if (node->identified || (node->asked && has_link(node)))
			ret_places[i] = 0;
		else
			survey_gap_unknown(gaps, map, node);
	}
	g_free(reached);
}

/* ---- what no packet tells of the port that asked ---- */

/* A node's, by its own word or made up before. */
static bool is_guid_taken(const struct survey_map *map, const struct topology *topology,
			  uint64_t guid)
{
	for (int i = 0; i < survey_map_count(map); i++)
		if (survey_map_node(map, i)->guid == guid)
			return true;
	for (guint i = 0; i < topology->nodes->len; i++)
		if (topology_node(topology, (int)i)->node_guid == guid)
			return true;
	return false;
}

/* An adapter, unless it has more ports than one has. */
static void make_up(const struct survey_map *map, const struct topology *topology,
		    const struct survey_node *from, struct topology_node *node)
{
	uint64_t guid = GUID_MADE_UP;

	while (is_guid_taken(map, topology, guid))
		guid += TOPOLOGY_PORT_MAX + 1;
	for (unsigned int num = 1; num < MIN(from->port_space, TOPOLOGY_PORT_MAX + 1U); num++)
		if (from->ports[num].peer >= 0)
			node->port_count = (uint8_t)num;
	node->kind = node->port_count > ADAPTER_PORTS_MAX ? TOPOLOGY_SWITCH : TOPOLOGY_CA;
	node->node_guid = guid;
}

/* ---- nodes and links ---- */

static void fill_port(struct topology_port *to, const struct survey_port *from)
{
	unsigned int lids = 1U << from->lmc;

	to->guid = from->guid;
	to->lid = from->lid;
	if (!(from->lid & (lids - 1)) && from->lid + lids <= TOPOLOGY_LID_MAX + 1U)
		to->lmc = from->lmc;
}

static void fill_rate(struct topology_port *to, const struct survey_port *from)
{
	to->width_active = from->width_active;
	to->speed_active = from->speed_active;
	to->speed_ext_active = from->speed_ext_active;
	to->vl_cap = from->vl_cap <= 5 ? from->vl_cap : 0;
	/* With an extended speed, FDR10 is what the port could do. */
	to->fdr10 = from->fdr10 && from->speed_active == 4 && !from->speed_ext_active;
}

static void fill_node(const struct survey_map *map, const struct topology *topology,
		      const struct survey_node *from, struct topology_node *node)
{
	node->kind = from->kind;
	node->port_count = from->port_count;
	node->node_guid = from->guid;
	node->sys_image_guid = from->sys_image_guid;
	node->vendor_id = from->vendor_id;
	node->device_id = from->device_id;
	node->revision = from->revision;
	node->enhanced_port0 = from->enhanced_port0;
	if (!from->identified)
		make_up(map, topology, from, node);
}

static void add_node(struct topology *topology, const struct survey_map *map,
		     const struct survey_node *from)
{
	struct topology_node *node = g_new0(struct topology_node, 1);
	bool is_switch;
	char id[24];

	fill_node(map, topology, from, node);
	is_switch = node->kind == TOPOLOGY_SWITCH;
	g_snprintf(id, sizeof(id), "%c-%016" G_GINT64_MODIFIER "x", letters[node->kind],
		   node->node_guid);
	node->id = g_string_chunk_insert(topology->strings, id);
	node->description = from->described ?
			    g_string_chunk_insert(topology->strings, from->description) : node->id;
	node->ports = g_new0(struct topology_port, node->port_count + 1U);
	for (unsigned int num = 0; num <= node->port_count; num++) {
		node->ports[num].peer_node = -1;
		if (num < from->port_space && is_switch == (num == 0))
			fill_port(&node->ports[num], &from->ports[num]);
	}
	for (unsigned int num = 0; !from->identified && num <= node->port_count; num++)
		if (is_switch == (num == 0))
			node->ports[num].guid = node->node_guid + num;
	g_ptr_array_add(topology->nodes, node);
}

static int compare_asked(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct survey_node *one = survey_map_node(data, *(const int *)a);
	const struct survey_node *two = survey_map_node(data, *(const int *)b);

	/* Those that did not ask, 0, come last. */
	return (one->asked - 1 > two->asked - 1) - (one->asked - 1 < two->asked - 1);
}

/*
 * The nodes that have a place, which becomes their index. Those that asked come first: a program
 * that does not choose its host runs there, as the captured one did. Is any of them identified?
 */
static bool add_nodes(struct topology *topology, struct survey_map *map, int *places)
{
	GArray *order = g_array_new(false, false, sizeof(int));
	bool any = false;

	for (int i = 0; i < survey_map_count(map); i++)
		if (places[i] >= 0)
			g_array_append_val(order, i);
	g_array_sort_with_data(order, compare_asked, map);
	for (guint i = 0; i < order->len; i++) {
		int index = g_array_index(order, int, i);

		any |= survey_map_node(map, index)->identified;
		places[index] = (int)i;
		add_node(topology, map, survey_map_node(map, index));
	}
	g_array_unref(order);
	return any;
}

/* Both ends are ports that their nodes have. */
static void add_links(struct survey_map *map, int index, const int *places,
		      struct topology *topology)
{
	const struct survey_node *from = survey_map_node(map, index);
	struct topology_node *node = topology_node(topology, places[index]);

	for (unsigned int num = 1; num < MIN(from->port_space, node->port_count + 1U); num++) {
		const struct survey_port *port = &from->ports[num];
		int peer = port->peer < 0 ? -1 : survey_map_resolve(map, port->peer);

		if (peer < 0 || places[peer] < 0 ||
		    port->peer_port > topology_node(topology, places[peer])->port_count)
			continue;
		node->ports[num].peer_node = places[peer];
		node->ports[num].peer_port = port->peer_port;
		fill_rate(&node->ports[num], port);
	}
}

/* A rate that one end did not say is the other's. */
static void complete_rates(const struct topology *topology)
{
	for (guint i = 0; i < topology->nodes->len; i++) {
		struct topology_node *node = topology_node(topology, (int)i);

		for (unsigned int num = 1; num <= node->port_count; num++) {
			struct topology_port *port = &node->ports[num];
			const struct topology_port *peer;

			if (port->peer_node < 0)
				continue;
			peer = &topology_node(topology, port->peer_node)->ports[port->peer_port];
			if (port->width_active || port->speed_active)
				continue;
			port->width_active = peer->width_active;
			port->speed_active = peer->speed_active;
			port->speed_ext_active = peer->speed_ext_active;
			port->fdr10 = peer->fdr10;
		}
	}
}

static bool has_cable(const struct survey_node *node)
{
	for (unsigned int num = 0; num < node->port_space; num++)
		if (node->ports[num].peer >= 0)
			return true;
	return false;
}

/*
 * No packet along a route tells from which node the subnet manager sends it. But ports say which
 * LID their manager has, and subnet administration which node has that LID: the same, where no
 * cable of that node is known.
 */
static void find_manager(struct survey *survey)
{
	int manager = survey_route_manager(survey->routes), owner;
	uint8_t num;

	if (manager < 0 || survey_map_node(survey->map, manager)->identified)
		return;
	owner = survey_map_lid_owner(survey->map, survey->facts->sm_lid, &num);
	if (owner < 0)
		return;
	owner = survey_map_resolve(survey->map, owner);
	if (survey_map_node(survey->map, owner)->identified &&
	    !has_cable(survey_map_node(survey->map, owner)))
		survey_map_merge(survey->map, manager, owner);
}

/* '*ret_places', to be freed: by index in the map the index in the topology, or -1. */
static struct topology *make_topology(struct survey *survey, const char *name, GPtrArray *gaps,
				      int **ret_places)
{
	struct topology *topology = topology_new(name);
	struct survey_map *map = survey->map;
	int count, *places;
	bool any;

	survey_tables_finish(survey->tables);
	survey->counts.incomplete_tables = survey_tables_incomplete(survey->tables);
	find_manager(survey);
	count = survey_map_count(map);
	places = g_new(int, (size_t)MAX(count, 1));
	choose(map, places, gaps);
	any = add_nodes(topology, map, places);
	for (int i = 0; i < count; i++) {
		if (places[i] < 0)
			continue;
		add_links(map, i, places, topology);
		survey_gap_node(gaps, map, i, topology_node(topology, places[i]));
	}
	complete_rates(topology);
	survey_gap_fabric(gaps, topology, &survey->counts);
	*ret_places = places;
	if (any)
		return topology;
	topology_free(topology);
	return NULL;
}

struct topology *survey_topology(struct survey *survey, const char *name, GPtrArray *gaps)
{
	int *places;
	struct topology *topology = make_topology(survey, name, gaps, &places);

	g_free(places);
	return topology;
}

struct fabric_facts *survey_take_facts(struct survey *survey, const char *name, GPtrArray *gaps)
{
	int *places;
	struct topology *topology = make_topology(survey, name, gaps, &places);
	struct fabric_facts *facts = topology ? fabric_facts_new(topology) : NULL;

	if (facts)
		survey_facts_give(survey->facts, survey->map, places, facts);
	g_free(places);
	return facts;
}
