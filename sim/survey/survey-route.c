/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Directed routes of a capture. See sim/survey/survey-route.h. */
#include "config.h"

#include "sim/survey/survey-route.h"

#include <string.h>

#include "lib/base/wire.h"
#include "sim/survey/survey-attribute.h"

enum {
	PENDING_MAX = 4096,	/* requests that may be without an answer at a time */
};

/* A port that asked. */
struct asker {
	unsigned int interface;
	int node;
	uint8_t port;		/* by which its routes begin; 0: not seen yet */
	bool sets;		/* ports, as a subnet manager does */
};

struct route {
	uint32_t asker;
	uint8_t hops;
	uint8_t path[SMP_PATH_SIZE - 1];	/* from the first hop on; zeros behind the last */
};

struct known_place {
	struct route route;
	struct survey_place place;
};

struct request {
	uint8_t tid[8];
	uint8_t attribute[2];
	uint8_t modifier[4];
	uint8_t hops;
	uint8_t path[SMP_PATH_SIZE - 1];
	int asker;		/* index in askers, no part of the key */
	bool foreign;
};

#define REQUEST_KEY_SIZE offsetof(struct request, asker)

struct survey_routes {
	struct survey_map *map;
	GArray *askers;			/* of struct asker */
	GHashTable *places;		/* set of struct known_place * */
	GHashTable *by_request;		/* set of struct request * in 'pending' */
	struct request *pending[PENDING_MAX];
	unsigned int next;
};

/* ---- hashing ---- */

static guint hash_bytes(const void *bytes, size_t size)
{
	const uint8_t *b = bytes;
	guint hash = 2166136261u;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ b[i]) * 16777619u;
	return hash;
}

static guint place_hash(gconstpointer key)
{
	const struct known_place *place = key;

	return hash_bytes(&place->route, offsetof(struct route, path) + place->route.hops);
}

static gboolean place_equal(gconstpointer a, gconstpointer b)
{
	const struct known_place *one = a, *two = b;

	return memcmp(&one->route, &two->route, sizeof(one->route)) == 0;
}

static guint request_hash(gconstpointer key)
{
	const struct request *request = key;

	return hash_bytes(request, offsetof(struct request, path) + request->hops);
}

static gboolean request_equal(gconstpointer a, gconstpointer b)
{
	return memcmp(a, b, REQUEST_KEY_SIZE) == 0;
}

/* ---- life ---- */

struct survey_routes *survey_routes_new(struct survey_map *map)
{
	struct survey_routes *routes = g_new0(struct survey_routes, 1);

	routes->map = map;
	routes->askers = g_array_new(false, false, sizeof(struct asker));
	routes->places = g_hash_table_new_full(place_hash, place_equal, g_free, NULL);
	routes->by_request = g_hash_table_new(request_hash, request_equal);
	return routes;
}

void survey_routes_free(struct survey_routes *routes)
{
	if (!routes)
		return;
	g_hash_table_unref(routes->by_request);
	g_hash_table_unref(routes->places);
	g_array_unref(routes->askers);
	for (unsigned int i = 0; i < PENDING_MAX; i++)
		g_free(routes->pending[i]);
	g_free(routes);
}

/* ---- askers ---- */

/* Interfaces without names may be the two directions of one port. */
static int asker_of(struct survey_routes *routes, const struct capture_mad *mad)
{
	struct asker asker = { .interface = mad->interface_name ? (unsigned int)mad->interface :
							  0 };

	for (guint i = 0; i < routes->askers->len; i++)
		if (g_array_index(routes->askers, struct asker, i).interface == asker.interface)
			return (int)i;
	asker.node = survey_map_add(routes->map);
	g_array_append_val(routes->askers, asker);
	return (int)routes->askers->len - 1;
}

static struct survey_node *asker_node(struct survey_routes *routes, int asker)
{
	int node = g_array_index(routes->askers, struct asker, asker).node;

	return survey_map_node(routes->map, survey_map_resolve(routes->map, node));
}

int survey_route_asker(const struct survey_routes *routes, const struct capture_mad *mad,
		       uint8_t *ret_port)
{
	if (!mad->interface_name || mad->direction != CAPTURE_OUTBOUND)
		return -1;
	for (guint i = 0; i < routes->askers->len; i++) {
		const struct asker *asker = &g_array_index(routes->askers, struct asker, i);

		if (asker->interface == (unsigned int)mad->interface && asker->port) {
			*ret_port = asker->port;
			return survey_map_resolve(routes->map, asker->node);
		}
	}
	return -1;
}

int survey_route_manager(const struct survey_routes *routes)
{
	const struct asker *asker;

	if (routes->askers->len != 1)
		return -1;
	asker = &g_array_index(routes->askers, struct asker, 0);
	return asker->sets ? survey_map_resolve(routes->map, asker->node) : -1;
}

/* ---- places ---- */

static struct survey_place *place_of(struct survey_routes *routes, const struct route *route)
{
	struct known_place *known = g_hash_table_lookup(routes->places, route);
	struct route before = *route;

	if (known)
		return &known->place;
	known = g_new0(struct known_place, 1);
	known->route = *route;
	g_hash_table_add(routes->places, known);
	if (!route->hops) {
		known->place.node = g_array_index(routes->askers, struct asker,
						  route->asker).node;
		return &known->place;
	}
	known->place.node = survey_map_add(routes->map);
	known->place.exit_port = route->path[route->hops - 1];
	before.hops--;
	before.path[before.hops] = 0;
	known->place.before = place_of(routes, &before);
	return &known->place;
}

/* ---- requests and answers ---- */

/* All of the route is directed: it does not begin or end with a part by LID. */
static bool is_all_directed(const uint8_t *mad)
{
	return mad[SMP_HOP_CNT] < SMP_PATH_SIZE &&
	       get_be16(mad + SMP_DR_SLID) == LID_PERMISSIVE &&
	       get_be16(mad + SMP_DR_DLID) == LID_PERMISSIVE;
}

static void take_key(const uint8_t *mad, struct request *ret)
{
	memset(ret, 0, sizeof(*ret));
	memcpy(ret->tid, mad + MAD_TID, sizeof(ret->tid));
	memcpy(ret->attribute, mad + MAD_ATTR_ID, sizeof(ret->attribute));
	memcpy(ret->modifier, mad + MAD_ATTR_MOD, sizeof(ret->modifier));
	ret->hops = mad[SMP_HOP_CNT];
	memcpy(ret->path, mad + SMP_INITIAL_PATH + 1, ret->hops);
}

/* It has come to the captured port, at the end of its route. */
static bool is_foreign(const struct capture_mad *mad)
{
	if (mad->direction != CAPTURE_DIRECTION_UNKNOWN)
		return mad->direction == CAPTURE_INBOUND;
	return mad->mad[SMP_HOP_PTR] > 1;
}

void survey_route_request(struct survey_routes *routes, const struct capture_mad *mad,
			  const char *description)
{
	struct request *request = routes->pending[routes->next];
	struct survey_node *node;

	if (!is_all_directed(mad->mad))
		return;
	if (request) {
		if (g_hash_table_lookup(routes->by_request, request) == request)
			g_hash_table_remove(routes->by_request, request);
	} else {
		request = routes->pending[routes->next] = g_new(struct request, 1);
	}
	take_key(mad->mad, request);
	request->asker = asker_of(routes, mad);
	request->foreign = is_foreign(mad);
	g_hash_table_replace(routes->by_request, request, request);
	routes->next = (routes->next + 1) % PENDING_MAX;
	if (request->hops && !request->foreign)
		g_array_index(routes->askers, struct asker, request->asker).port =
			request->path[0];
	g_array_index(routes->askers, struct asker, request->asker).sets |=
		mad->mad[MAD_METHOD] == MAD_METHOD_SET &&
		get_be16(mad->mad + MAD_ATTR_ID) == ATTR_PORT_INFO;
	node = asker_node(routes, request->asker);
	if (!node->asked)
		node->asked = (unsigned int)request->asker + 1;
	if (description && !node->described) {
		g_strlcpy(node->description, description, sizeof(node->description));
		node->described = true;
	}
}

struct survey_place *survey_route_answer(struct survey_routes *routes,
					 const struct capture_mad *mad)
{
	struct route route = { 0 };
	const struct request *request;
	struct request key;

	if (!is_all_directed(mad->mad))
		return NULL;
	take_key(mad->mad, &key);
	request = g_hash_table_lookup(routes->by_request, &key);
	if (!request && routes->askers->len > 1)
		return NULL;
	/* A capture that begins between request and answer, or lost the one: there is one asker. */
	route.asker = request ? (uint32_t)request->asker : (uint32_t)asker_of(routes, mad);
	if (!request || !request->foreign) {
		route.hops = key.hops;
		memcpy(route.path, key.path, key.hops);
	}
	return place_of(routes, &route);
}
