/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What is known of a fabric so far. See sim/survey/survey-map.h. */
#include "config.h"

#include "sim/survey/survey-map.h"

#include <string.h>

#include "lib/base/wire.h"
#include "sim/survey/node-info.h"

/* Who has a LID. */
struct owner {
	int node;		/* -1: nobody */
	uint8_t port;
};

struct survey_map {
	GPtrArray *nodes;	/* of struct survey_node * */
	GHashTable *by_guid;	/* of identified nodes: &guid -> index + 1 */
	struct owner owners[TOPOLOGY_LID_MAX + 1];
};

/* ---- nodes ---- */

static void node_free(gpointer data)
{
	struct survey_node *node = data;

	g_free(node->ports);
	g_free(node);
}

struct survey_map *survey_map_new(void)
{
	struct survey_map *map = g_new0(struct survey_map, 1);

	map->nodes = g_ptr_array_new_with_free_func(node_free);
	map->by_guid = g_hash_table_new(g_int64_hash, g_int64_equal);
	for (unsigned int lid = 0; lid <= TOPOLOGY_LID_MAX; lid++)
		map->owners[lid].node = -1;
	return map;
}

void survey_map_free(struct survey_map *map)
{
	if (!map)
		return;
	g_hash_table_unref(map->by_guid);
	g_ptr_array_unref(map->nodes);
	g_free(map);
}

int survey_map_count(const struct survey_map *map)
{
	return (int)map->nodes->len;
}

struct survey_node *survey_map_node(const struct survey_map *map, int index)
{
	return map->nodes->pdata[index];
}

int survey_map_resolve(const struct survey_map *map, int index)
{
	int last = index;

	while (survey_map_node(map, last)->same_as >= 0)
		last = survey_map_node(map, last)->same_as;
	/* The next look-up is shorter. */
	while (index != last) {
		struct survey_node *node = survey_map_node(map, index);

		index = node->same_as;
		node->same_as = last;
	}
	return last;
}

int survey_map_add(struct survey_map *map)
{
	struct survey_node *node = g_new0(struct survey_node, 1);

	node->same_as = -1;
	g_ptr_array_add(map->nodes, node);
	return (int)map->nodes->len - 1;
}

struct survey_port *survey_map_port(struct survey_map *map, int index, unsigned int num)
{
	struct survey_node *node = survey_map_node(map, survey_map_resolve(map, index));

	if (num >= node->port_space) {
		unsigned int space = MAX(num, node->port_count) + 1;

		node->ports = g_renew(struct survey_port, node->ports, space);
		for (unsigned int i = node->port_space; i < space; i++)
			node->ports[i] = (struct survey_port){ .peer = -1 };
		node->port_space = space;
	}
	return &node->ports[num];
}

/* ---- links ---- */

void survey_map_unlink(struct survey_map *map, int index, unsigned int num)
{
	struct survey_port *port = survey_map_port(map, index, num);

	if (port->peer < 0)
		return;

	struct survey_port *peer = survey_map_port(map, port->peer, port->peer_port);

	/* Both may be of one node, whose ports have moved. */
	port = survey_map_port(map, index, num);
	peer->peer = port->peer = -1;
}

/* Neither has a cable. */
static void join(struct survey_map *map, int a, unsigned int a_port, int b, unsigned int b_port)
{
	struct survey_port *port = survey_map_port(map, a, a_port);

	port->peer = b;
	port->peer_port = (uint8_t)b_port;
	port = survey_map_port(map, b, b_port);
	port->peer = a;
	port->peer_port = (uint8_t)a_port;
	survey_map_node(map, a)->was_linked = survey_map_node(map, b)->was_linked = true;
}

static void merge(struct survey_map *map, int from, int into);

/* The far end of a cable was known under another name: 'a' and the peer of b's port are one. */
static bool is_known_otherwise(struct survey_map *map, int a, unsigned int a_port, int b,
			       unsigned int b_port)
{
	const struct survey_port *port = survey_map_port(map, b, b_port);
	int other = port->peer >= 0 ? survey_map_resolve(map, port->peer) : -1;

	/* What had another cable before has been moved. */
	if (other < 0 || other == a || port->peer_port != a_port ||
	    survey_map_port(map, a, a_port)->peer >= 0)
		return false;
	if (!survey_map_node(map, a)->identified)
		merge(map, a, other);
	else if (!survey_map_node(map, other)->identified)
		merge(map, other, a);
	else
		return false;
	return true;
}

static bool is_linked(struct survey_map *map, int a, unsigned int a_port, int b,
		      unsigned int b_port)
{
	const struct survey_port *port = survey_map_port(map, a, a_port);

	return port->peer >= 0 && survey_map_resolve(map, port->peer) == b &&
	       port->peer_port == b_port;
}

void survey_map_link(struct survey_map *map, int a, unsigned int a_port, int b,
		     unsigned int b_port)
{
	a = survey_map_resolve(map, a);
	b = survey_map_resolve(map, b);
	if (!a_port || !b_port || a_port > TOPOLOGY_PORT_MAX || b_port > TOPOLOGY_PORT_MAX ||
	    (a == b && a_port == b_port) || is_linked(map, a, a_port, b, b_port))
		return;
	if (is_known_otherwise(map, a, a_port, b, b_port) ||
	    is_known_otherwise(map, b, b_port, a, a_port)) {
		a = survey_map_resolve(map, a);
		b = survey_map_resolve(map, b);
		if ((a == b && a_port == b_port) || is_linked(map, a, a_port, b, b_port))
			return;
	}
	survey_map_unlink(map, a, a_port);
	survey_map_unlink(map, b, b_port);
	join(map, a, a_port, b, b_port);
}

/* ---- LIDs ---- */

static unsigned int lid_end(uint16_t lid, uint8_t lmc)
{
	return MIN(lid + (1U << lmc), TOPOLOGY_LID_MAX + 1U);
}

/* The port does not have its LIDs any more. */
static void forget_lids(struct survey_map *map, int index, unsigned int num)
{
	struct survey_port *port = survey_map_port(map, index, num);

	for (unsigned int lid = port->lid; port->lid && lid < lid_end(port->lid, port->lmc);
	     lid++) {
		struct owner *owner = &map->owners[lid];

		if (owner->node >= 0 && survey_map_resolve(map, owner->node) == index &&
		    owner->port == num)
			owner->node = -1;
	}
	port->lid = 0;
	port->lmc = 0;
}

/* What had the LID before: nothing any more, or this port under another name. */
static void take_lid(struct survey_map *map, unsigned int lid, int index, unsigned int num)
{
	struct owner *owner = &map->owners[lid];
	int before = owner->node >= 0 ? survey_map_resolve(map, owner->node) : -1;

	if (before >= 0 && before != index && owner->port == SURVEY_PORT_NONE &&
	    !survey_map_node(map, before)->identified)
		merge(map, before, index);
	else if (before >= 0 && owner->port != SURVEY_PORT_NONE &&
		 (before != index || owner->port != num))
		forget_lids(map, before, owner->port);
	*owner = (struct owner){ index, (uint8_t)num };
}

void survey_map_set_lid(struct survey_map *map, int index, unsigned int num, uint16_t lid,
			uint8_t lmc)
{
	struct survey_port *port;

	index = survey_map_resolve(map, index);
	port = survey_map_port(map, index, num);
	if (port->lid != lid || port->lmc != lmc)
		forget_lids(map, index, num);
	if (!lid || lid > TOPOLOGY_LID_MAX)
		return;
	for (unsigned int i = lid; i < lid_end(lid, lmc); i++)
		take_lid(map, i, index, num);
	port = survey_map_port(map, index, num);
	port->lid = lid;
	port->lmc = lmc;
}

int survey_map_lid_owner(struct survey_map *map, uint16_t lid, uint8_t *ret_port)
{
	struct owner *owner;

	if (!lid || lid > TOPOLOGY_LID_MAX)
		return -1;
	owner = &map->owners[lid];
	if (owner->node < 0) {
		*owner = (struct owner){ survey_map_add(map), SURVEY_PORT_NONE };
		survey_map_node(map, owner->node)->lid = lid;
	}
	*ret_port = owner->port;
	return survey_map_resolve(map, owner->node);
}

/* ---- merging ---- */

/* What PortInfo and others said of a port, where nothing was said of it under the other name. */
static void merge_port(struct survey_map *map, int into, unsigned int num,
		       const struct survey_port *from)
{
	struct survey_port *to = survey_map_port(map, into, num);

	if (!to->guid)
		to->guid = from->guid;
	if (to->state)
		return;
	to->state = from->state;
	to->width_active = from->width_active;
	to->speed_active = from->speed_active;
	to->speed_ext_active = from->speed_ext_active;
	to->vl_cap = from->vl_cap;
	to->fdr10 |= from->fdr10;
}

static void merge_words(struct survey_node *into, const struct survey_node *from)
{
	if (!into->described && from->described) {
		memcpy(into->description, from->description, sizeof(into->description));
		into->described = true;
	}
	if (!into->switch_info && from->switch_info) {
		into->switch_info = true;
		into->enhanced_port0 = from->enhanced_port0;
	}
	if (from->asked && (!into->asked || from->asked < into->asked))
		into->asked = from->asked;
	into->by_route |= from->by_route;
	into->was_linked |= from->was_linked;
}

/* 'from', which is not identified, is 'into'. Both are resolved. */
static void merge(struct survey_map *map, int from, int into)
{
	struct survey_node *old = survey_map_node(map, from);
	unsigned int count = old->port_space;
	struct survey_port *ports = g_memdup2(old->ports, count * sizeof(*ports));

	/* Its cables and LIDs are taken from it as long as it is a node of its own. */
	for (unsigned int num = 0; num < count; num++) {
		ports[num].peer = old->ports[num].peer;
		survey_map_unlink(map, from, num);
		forget_lids(map, from, num);
	}
	old->same_as = into;
	merge_words(survey_map_node(map, into), old);
	for (unsigned int num = 0; num < count; num++) {
		const struct survey_port *port = &ports[num];

		merge_port(map, into, num, port);
		if (port->peer >= 0 && survey_map_port(map, into, num)->peer < 0 &&
		    survey_map_port(map, port->peer, port->peer_port)->peer < 0)
			survey_map_link(map, into, num, port->peer, port->peer_port);
		if (port->lid)
			survey_map_set_lid(map, into, num, port->lid, port->lmc);
	}
	g_free(ports);
}

void survey_map_merge(struct survey_map *map, int from, int into)
{
	from = survey_map_resolve(map, from);
	into = survey_map_resolve(map, into);
	if (from != into && !survey_map_node(map, from)->identified)
		merge(map, from, into);
}

/* ---- NodeInfo ---- */

static void take_node_info(struct survey_map *map, int index, const uint8_t *info)
{
	struct survey_node *node = survey_map_node(map, index);
	uint64_t port_guid = get_be64(info + NODE_INFO_PORT_GUID);

	node->kind = info[NODE_INFO_TYPE];
	node->port_count = MIN(info[NODE_INFO_PORTS], TOPOLOGY_PORT_MAX);
	node->sys_image_guid = get_be64(info + NODE_INFO_SYSTEM_GUID);
	node->device_id = get_be16(info + NODE_INFO_DEVICE);
	node->revision = get_be32(info + NODE_INFO_REVISION);
	node->vendor_id = get_be24(info + NODE_INFO_VENDOR);
	survey_map_port(map, index, node->kind == TOPOLOGY_SWITCH ? 0 : info[NODE_INFO_LOCAL_PORT])
		->guid = port_guid;
}

int survey_map_identify(struct survey_map *map, int index, const uint8_t *info)
{
	uint64_t guid = get_be64(info + NODE_INFO_GUID);
	unsigned int kind = info[NODE_INFO_TYPE];
	struct survey_node *node;
	int known;

	if (!guid || !info[NODE_INFO_PORTS] || kind < TOPOLOGY_CA || kind > TOPOLOGY_ROUTER)
		return -1;
	index = survey_map_resolve(map, index);
	node = survey_map_node(map, index);
	known = GPOINTER_TO_INT(g_hash_table_lookup(map->by_guid, &guid)) - 1;
	if (known >= 0) {
		if (known != index && !node->identified)
			merge(map, index, known);
		index = known;
	} else {
		if (node->identified)
			index = survey_map_add(map);
		node = survey_map_node(map, index);
		node->identified = true;
		node->guid = guid;
		g_hash_table_insert(map->by_guid, &node->guid, GINT_TO_POINTER(index + 1));
	}
	take_node_info(map, index, info);
	return index;
}
