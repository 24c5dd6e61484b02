/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which port of a fabric a port of a capture is: see harness/script/draft/draft-place.h.
 */
#include "harness/script/draft/draft-place.h"

#include <string.h>

#include "harness/script/mad/mad-write.h"
#include "sim/topology/load.h"

enum {
	ATTR_NODE_DESCRIPTION = 0x0010,
	ATTR_NODE_INFO = 0x0011,
	NODE_GUID = 12,			/* IBA vol 1, 14.2.5.3 */
	NODE_PORT_GUID = 20,
	/* What each proof weighs: a stronger one more than all weaker ones together. */
	PROOF_PORT_NUMBER = 1,
	PROOF_DESCRIPTION = 2,
	PROOF_LID = 4,
	PROOF_NEVER_ASKED = 8,		/* by a route: nobody asks its own node over a cable */
	PROOF_ROUTES = 16,
	PROOF_NODE_GUID = 32,
	PROOF_PORT_GUID = 64,
};

struct draft_places {
	struct topology *topology;	/* NULL: the default fabric */
	GArray *list;			/* of struct draft_place */
};

static void place_clear(void *data)
{
	struct draft_place *place = data;

	g_free(place->label);
}

static const struct draft_place *place_at(const struct draft_places *places, guint i)
{
	return &g_array_index(places->list, struct draft_place, i);
}

static void add_place(struct draft_places *places, struct world *world, const char *node,
		      int number, unsigned int port)
{
	struct draft_place place = { .node = number, .port = port };
	struct world_address address;
	uint8_t data[SMP_DATA_SIZE];

	place.label = g_strdup_printf("%s[%u]", node, port);
	if (world->kind->address(world, place.label, &address) == 0) {
		place.lid = address.lid;
		memcpy(place.gid, address.gid, 16);
	}
	if (world->kind->attribute(world, node, (int)port, ATTR_NODE_INFO, data) == 0) {
		place.node_guid = get_be64(data + NODE_GUID);
		place.port_guid = get_be64(data + NODE_PORT_GUID);
	}
	if (world->kind->attribute(world, node, (int)port, ATTR_NODE_DESCRIPTION, data) == 0)
		g_snprintf(place.description, sizeof(place.description), "%.*s", SMP_DATA_SIZE,
			   (const char *)data);
	g_array_append_val(places->list, place);
}

struct draft_places *draft_places_new(struct world *world, const char *file)
{
	struct draft_places *places = g_new0(struct draft_places, 1);

	places->list = g_array_new(false, true, sizeof(struct draft_place));
	g_array_set_clear_func(places->list, place_clear);
	places->topology = file ? topology_load(file, NULL) : NULL;
	for (int end = 0; !file && end < WORLD_ENDS; end++) {
		g_autofree char *node = NULL;
		int port;

		if (world_port_parse(world->label[end], &node, &port))
			add_place(places, world, node, -1, (unsigned int)port);
	}
	for (guint i = 0; places->topology && i < places->topology->nodes->len; i++) {
		const struct topology_node *node = places->topology->nodes->pdata[i];

		for (unsigned int port = 1; node->kind == TOPOLOGY_CA && port <= node->port_count;
		     port++)
			add_place(places, world, node->id, (int)i, port);
	}
	return places;
}

void draft_places_free(struct draft_places *places)
{
	if (!places)
		return;
	topology_free(places->topology);
	g_array_unref(places->list);
	g_free(places);
}

/* ---- directed routes ---- */

/* The GUID of the node that has answered along a directed route, in NodeInfo; 0: it is none. */
static uint64_t answered_by(const struct capture_mad *mad)
{
	if (mad->mad[MAD_CLASS] != MAD_CLASS_SUBN_DR || !mad_is_response(mad->mad) ||
	    get_be16(mad->mad + MAD_STATUS) != SMP_DIRECTION ||
	    get_be16(mad->mad + MAD_ATTR_ID) != ATTR_NODE_INFO || !mad->mad[SMP_HOP_CNT] ||
	    mad->mad[SMP_HOP_CNT] >= SMP_PATH_SIZE)
		return 0;
	return get_be64(mad->mad + SMP_DATA + NODE_GUID);
}

/* The node where the MAD's route ends, and by which port; NULL: the route leads nowhere. */
static const struct topology_node *end_of_route(const struct draft_places *places,
						const struct draft_place *place, const uint8_t *mad,
						int *ret_node, unsigned int *ret_port)
{
	*ret_node = place->node;
	if (place->node < 0 || mad[SMP_INITIAL_PATH + 1] != place->port)
		return NULL;
	for (unsigned int hop = 1; hop <= mad[SMP_HOP_CNT]; hop++) {
		const struct topology_node *node = topology_node(places->topology, *ret_node);
		uint8_t port = mad[SMP_INITIAL_PATH + hop];

		if (port == 0 || port > node->port_count || node->ports[port].peer_node < 0)
			return NULL;
		*ret_node = node->ports[port].peer_node;
		*ret_port = node->ports[port].peer_port;
	}
	return topology_node(places->topology, *ret_node);
}

bool draft_places_is_back(const struct draft_places *places, const struct draft_place *place,
			  const uint8_t mad[MAD_SIZE])
{
	unsigned int port;
	int at;

	return mad[SMP_HOP_CNT] > 0 && mad[SMP_HOP_CNT] < SMP_PATH_SIZE &&
	       end_of_route(places, place, mad, &at, &port) && at == place->node &&
	       port == place->port;
}

unsigned int draft_places_routes(const struct draft_places *places,
				 const struct draft_place *place, const struct capture *capture,
				 unsigned int *ret_all)
{
	unsigned int right = 0;

	*ret_all = 0;
	for (size_t i = 0; i < capture->mad_count; i++) {
		uint64_t guid = answered_by(&capture->mads[i]);
		const struct topology_node *node;
		unsigned int port;
		int at;

		if (!guid)
			continue;
		++*ret_all;
		node = end_of_route(places, place, capture->mads[i].mad, &at, &port);
		right += node && node->node_guid == guid;
	}
	return right;
}

static bool was_asked(const struct capture *capture, uint64_t node_guid)
{
	for (size_t i = 0; i < capture->mad_count; i++) {
		if (answered_by(&capture->mads[i]) == node_guid)
			return true;
	}
	return false;
}

/* ---- which one it is ---- */

static unsigned int weigh(const struct draft_place *place, const struct replay_asker *seen)
{
	unsigned int weight = 0;

	if (seen->port_guid && seen->port_guid == place->port_guid)
		weight |= PROOF_PORT_GUID;
	if (seen->node_guid && seen->node_guid == place->node_guid)
		weight |= PROOF_NODE_GUID;
	if (!seen->is_roce && !seen->lid_is_made_up && seen->lid && seen->lid == place->lid)
		weight |= PROOF_LID;
	if (*seen->description && strcmp(seen->description, place->description) == 0)
		weight |= PROOF_DESCRIPTION;
	if (seen->own_port && seen->own_port == place->port)
		weight |= PROOF_PORT_NUMBER;
	return weight;
}

static const char *proof_text(unsigned int weight)
{
	static const struct {
		unsigned int proof;
		const char *text;
	} texts[] = {
		{ PROOF_PORT_GUID, "its port GUID" },
		{ PROOF_NODE_GUID, "its node GUID" },
		{ PROOF_ROUTES, "where its directed routes end" },
		{ PROOF_LID, "its LID" },
		{ PROOF_DESCRIPTION, "its description" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		if (weight & texts[i].proof)
			return texts[i].text;
	}
	return NULL;
}

/* From which places as many routes as from any end where they should. */
static void weigh_routes(const struct draft_places *places, const struct capture *capture,
			 unsigned int *weights)
{
	g_autofree unsigned int *right = g_new0(unsigned int, places->list->len + 1);
	unsigned int most = 0, all = 0;

	for (guint i = 0; i < places->list->len; i++) {
		right[i] = draft_places_routes(places, place_at(places, i), capture, &all);
		most = MAX(most, right[i]);
		if (all == 0)
			return;
	}
	for (guint i = 0; most > 0 && i < places->list->len; i++) {
		if (right[i] < most)
			continue;
		weights[i] |= PROOF_ROUTES;
		if (!was_asked(capture, place_at(places, i)->node_guid))
			weights[i] |= PROOF_NEVER_ASKED;
	}
}

const struct draft_place *draft_places_find(const struct draft_places *places,
					    const struct capture *capture,
					    const struct replay_asker *seen, bool asks_by_routes,
					    const char **ret_proof)
{
	g_autofree unsigned int *weights = g_new0(unsigned int, places->list->len + 1);
	guint best = 0;

	for (guint i = 0; i < places->list->len; i++)
		weights[i] = weigh(place_at(places, i), seen);
	if (asks_by_routes && places->topology)
		weigh_routes(places, capture, weights);
	for (guint i = 0; i < places->list->len; i++) {
		if (weights[i] > weights[best])
			best = i;
	}
	*ret_proof = proof_text(weights[best]);
	return *ret_proof ? place_at(places, best) : NULL;
}

const struct draft_place *draft_places_besides(const struct draft_places *places,
					       const struct draft_place *other)
{
	for (guint i = 0; i < places->list->len; i++) {
		if (place_at(places, i) != other)
			return place_at(places, i);
	}
	return NULL;
}

/* ---- what both say of it ---- */

/* Both are conditions, as one line: what they are of, and the value. NULL: one does not say it. */
static void add_fact(const struct draft_place *place, const char *what, const char *captured,
		     const char *here, GString *facts, GString *differs)
{
	if (strcmp(captured, here) == 0)
		g_string_append_printf(facts, "%s == %s\n", what, captured);
	else
		g_string_append_printf(differs, "%s: %s is %s in the capture, %s in the fabric\n",
				       place->label, what, captured, here);
}

static void add_guid(const struct draft_place *place, const char *role, const char *field,
		     uint64_t captured, uint64_t here, GString *facts, GString *differs)
{
	g_autofree char *what = g_strdup_printf("node(%s, %s)", role, field);
	char says[20], has[20];

	if (!captured || !here)
		return;
	g_snprintf(says, sizeof(says), "0x%016" G_GINT64_MODIFIER "x", captured);
	g_snprintf(has, sizeof(has), "0x%016" G_GINT64_MODIFIER "x", here);
	add_fact(place, what, says, has, facts, differs);
}

void draft_place_facts(const struct draft_place *place, const struct replay_asker *seen,
		       const char *role, GString *facts, GString *differs)
{
	g_autofree char *lid = g_strdup_printf("port(%s, Lid)", role);
	g_autofree char *name = g_strdup_printf("node(%s, NodeDesc)", role);
	g_autoptr(GString) says = g_string_new(NULL);
	g_autoptr(GString) has = g_string_new(NULL);

	add_guid(place, role, "Guid", seen->node_guid, place->node_guid, facts, differs);
	/* Each port of an adapter says its own; the node's is that of the port that was asked. */
	add_guid(place, role, "PortGuid", place->port == 1 ? seen->port_guid : 0,
		 place->port_guid, facts, differs);
	if (!seen->is_roce && !seen->lid_is_made_up && seen->lid && place->lid) {
		g_string_printf(says, "%u", seen->lid);
		g_string_printf(has, "%u", place->lid);
		add_fact(place, lid, says->str, has->str, facts, differs);
	}
	if (*seen->description && *place->description) {
		g_string_truncate(says, 0);
		g_string_truncate(has, 0);
		quoted_write(says, seen->description, strlen(seen->description));
		quoted_write(has, place->description, strlen(place->description));
		add_fact(place, name, says->str, has->str, facts, differs);
	}
}
