/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The ports at the ends of captured MADs. See harness/capture/mad-ends.h.
 */
#include "harness/capture/mad-ends.h"

#include <glib.h>
#include <string.h>

#include "lib/base/wire.h"
#include "sim/capture/identity.h"

enum {
	ASKED = 4096,		/* requests whose responses are still expected; a power of two */
	ROUTES_MAX = 65536,	/* further ones keep their numbers for names */
	NAMES_MAX = 65536,
	ATTR_NODE_DESCRIPTION = 0x0010,
	ATTR_NODE_INFO = 0x0011,
	ATTR_PORT_INFO = 0x0015,
	NODE_GUID = SMP_DATA + 12,	/* IBA vol 1, 14.2.5.3 */
	PORT_GUID = SMP_DATA + 20,
	PORT_LID = SMP_DATA + 16,	/* IBA vol 1, 14.2.5.6 */
};

/* An outstanding request: what its response repeats, and its requester. */
struct asked {
	uint64_t tid;
	uint32_t modifier;
	uint16_t attr_id;
	uint8_t mgmt_class;
	const char *port;	/* NULL: unused */
};

/* A route from a port, and where it leads. */
struct route {
	const char *from;	/* NULL: any requester */
	const char *first, *now;	/* the first port that has answered there, and the last */
	uint8_t hops;
	uint8_t path[SMP_PATH_SIZE];
};

/* The ports that have sent with a LID. */
struct lid_ports {
	const char *now;	/* the last; NULL: several */
	const char *first;
	const char *before;	/* the one before it; NULL: none; several: &several */
};

struct mad_ends {
	GHashTable *names;	/* char * -> itself: look-up only */
	GHashTable *by_lid;	/* LID, as by GUINT_TO_POINTER -> struct lid_ports * */
	struct asked asked[ASKED];
	GHashTable *routes;	/* struct route * -> itself */
	GHashTable *described;	/* struct described * -> itself: directed routes */
	GHashTable *described_lid;	/* LID, as by GUINT_TO_POINTER -> kept name */
	GHashTable *described_guid;	/* uint64_t *, a node's -> kept name */
	GHashTable *nodes;	/* what a port is called, kept -> struct node_said * */
};

/* What NodeInfo and NodeDescription say. */
struct node_said {
	uint64_t guid, port_guid;
	const char *description;	/* kept; NULL: not yet */
};

/* What the node at the end of a directed route has said of itself. */
struct described {
	struct route route;	/* from any requester */
	const char *name;	/* NULL: not yet; &several: more than one */
	uint64_t guid;		/* of the node; 0: not yet */
	uint16_t lid;		/* 0: not yet */
};

/* LIDs that ports of several subnets have. */
static const char several;

bool mad_is_directed(const struct capture_mad *mad)
{
	return mad->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR && mad->addr.slid == LID_PERMISSIVE;
}

bool mad_is_returning(const struct capture_mad *mad)
{
	return get_be16(mad->mad + MAD_STATUS) & SMP_DIRECTION;
}

const char *mad_death(const struct capture_mad *mad)
{
	const char *dropped;

	if (mad->direction != CAPTURE_INBOUND || !mad->comment)
		return NULL;
	dropped = strstr(mad->comment, "dropped: ");
	return dropped ? dropped + strlen("dropped: ") : NULL;
}

static guint route_hash(gconstpointer key)
{
	const struct route *route = key;
	guint hash = route->from ? g_str_hash(route->from) : 5381;

	for (unsigned int hop = 0; hop < route->hops; hop++)
		hash = hash * 33 + route->path[hop];
	return hash;
}

/* Names are equal if their pointers are. */
static gboolean route_equal(gconstpointer a, gconstpointer b)
{
	const struct route *left = a, *right = b;

	return left->from == right->from && left->hops == right->hops &&
	       memcmp(left->path, right->path, left->hops) == 0;
}

struct mad_ends *mad_ends_new(void)
{
	struct mad_ends *ends = g_new0(struct mad_ends, 1);

	ends->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	ends->by_lid = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	ends->routes = g_hash_table_new_full(route_hash, route_equal, g_free, NULL);
	/* Each begins with its route. */
	ends->described = g_hash_table_new_full(route_hash, route_equal, g_free, NULL);
	ends->described_lid = g_hash_table_new(NULL, NULL);
	ends->described_guid = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	ends->nodes = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return ends;
}

void mad_ends_free(struct mad_ends *ends)
{
	if (!ends)
		return;
	g_hash_table_destroy(ends->nodes);
	g_hash_table_destroy(ends->routes);
	g_hash_table_destroy(ends->described);
	g_hash_table_destroy(ends->described_lid);
	g_hash_table_destroy(ends->described_guid);
	g_hash_table_destroy(ends->by_lid);
	g_hash_table_destroy(ends->names);
	g_free(ends);
}

const char *mad_ends_known(const struct mad_ends *ends, const char *name)
{
	return g_hash_table_lookup(ends->names, name);
}

/* The stored copy of the name; NULL: there are too many. */
static const char *keep_name(struct mad_ends *ends, const char *name)
{
	char *kept = g_hash_table_lookup(ends->names, name);

	if (kept || g_hash_table_size(ends->names) == NAMES_MAX)
		return kept;
	kept = g_strdup(name);
	g_hash_table_add(ends->names, kept);
	return kept;
}

static struct asked *asked_at(const struct mad_ends *ends, const uint8_t *mad)
{
	uint64_t hash = (get_be64(mad + MAD_TID) ^ get_be16(mad + MAD_ATTR_ID) ^
			 (uint64_t)mad[MAD_CLASS] << 56) * UINT64_C(0x9e3779b97f4a7c15);

	return (struct asked *)&ends->asked[(hash >> 32) % ASKED];
}

/* The sender of the request that 'mad' is, or answers. */
static const char *asker(const struct mad_ends *ends, const struct capture_mad *mad)
{
	const struct asked *asked = asked_at(ends, mad->mad);

	if (asked->port && asked->tid == get_be64(mad->mad + MAD_TID) &&
	    asked->attr_id == get_be16(mad->mad + MAD_ATTR_ID) &&
	    asked->mgmt_class == mad->mad[MAD_CLASS] &&
	    asked->modifier == get_be32(mad->mad + MAD_ATTR_MOD))
		return asked->port;
	return NULL;
}

static struct route route_of(const struct capture_mad *mad, const char *from)
{
	struct route route = { .from = from, .hops = mad->mad[SMP_HOP_CNT] };

	route.hops = MIN(route.hops, SMP_PATH_SIZE - 1);
	memcpy(route.path, mad->mad + SMP_INITIAL_PATH + 1, route.hops);
	return route;
}

static void learn_route(struct mad_ends *ends, const struct capture_mad *mad, const char *port)
{
	struct route route = route_of(mad, asker(ends, mad));
	struct route *known = g_hash_table_lookup(ends->routes, &route);

	route.first = route.now = port;
	if (known)
		known->now = port;
	else if (g_hash_table_size(ends->routes) < ROUTES_MAX)
		g_hash_table_add(ends->routes, g_memdup2(&route, sizeof(route)));
}

/*
 * An SM may give a LID to another port. One that is used in turns is that of two ports, in two
 * subnets: it names neither.
 */
static void learn_lid(struct mad_ends *ends, uint16_t lid, const char *port)
{
	struct lid_ports *ports = g_hash_table_lookup(ends->by_lid, GUINT_TO_POINTER(lid));

	if (!ports) {
		ports = g_new0(struct lid_ports, 1);
		ports->first = port;
		g_hash_table_insert(ends->by_lid, GUINT_TO_POINTER(lid), ports);
	}
	if (ports->now == port || ports->before == &several)
		return;
	if (ports->before == port) {
		ports->before = &several;
		ports->now = NULL;
		return;
	}
	ports->before = ports->now;
	ports->now = port;
}

static void describe_lid(struct mad_ends *ends, uint16_t lid, const char *name)
{
	if (lid && lid <= LID_UNICAST_MAX && name && name != &several)
		g_hash_table_insert(ends->described_lid, GUINT_TO_POINTER(lid), (void *)name);
}

/* A node is asked along many routes, and only along one of them what it is called. */
static void describe_guid(struct mad_ends *ends, uint64_t guid, const char *name)
{
	if (guid && name && name != &several && g_hash_table_size(ends->described_guid) < NAMES_MAX)
		g_hash_table_insert(ends->described_guid, g_memdup2(&guid, sizeof(guid)),
				    (gpointer)name);
}

/* The NodeDescription of an answer, or NULL. */
static const char *description_in(struct mad_ends *ends, const uint8_t *mad)
{
	char name[SMP_DATA_SIZE + 1];

	if (get_be16(mad + MAD_ATTR_ID) != ATTR_NODE_DESCRIPTION)
		return NULL;
	g_snprintf(name, sizeof(name), "%.*s", SMP_DATA_SIZE, (const char *)mad + SMP_DATA);
	return *name ? keep_name(ends, name) : NULL;
}

static struct described *described_at(struct mad_ends *ends, const struct capture_mad *mad)
{
	struct described new = { .route = route_of(mad, NULL) };
	struct described *known = g_hash_table_lookup(ends->described, &new);

	if (known || g_hash_table_size(ends->described) == ROUTES_MAX)
		return known;
	known = g_memdup2(&new, sizeof(new));
	g_hash_table_add(ends->described, known);
	return known;
}

/* What an answer of a subnet management agent says of its own node. */
static void learn_description(struct mad_ends *ends, const struct capture_mad *mad)
{
	bool is_directed = mad->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR;
	uint16_t attribute = get_be16(mad->mad + MAD_ATTR_ID);
	struct described *at;
	const char *name;

	if (mad->mad[MAD_METHOD] != MAD_METHOD_GET_RESP || mad->transport != CAPTURE_INFINIBAND ||
	    (get_be16(mad->mad + MAD_STATUS) & ~SMP_DIRECTION) ||
	    (attribute != ATTR_NODE_DESCRIPTION && attribute != ATTR_PORT_INFO &&
	     attribute != ATTR_NODE_INFO))
		return;
	name = description_in(ends, mad->mad);
	if (!is_directed) {
		if (mad->mad[MAD_CLASS] == MAD_CLASS_SUBN_LID)
			describe_lid(ends, mad->addr.slid, name);
		return;
	}
	at = described_at(ends, mad);
	if (!at)
		return;
	if (name)
		at->name = at->name && at->name != name ? &several : name;
	else if (attribute == ATTR_PORT_INFO && get_be16(mad->mad + PORT_LID))
		at->lid = get_be16(mad->mad + PORT_LID);
	else if (attribute == ATTR_NODE_INFO)
		at->guid = get_be64(mad->mad + NODE_GUID);
	describe_lid(ends, at->lid, at->name);
	describe_guid(ends, at->guid, at->name);
}

void mad_ends_rewind(struct mad_ends *ends)
{
	GHashTableIter each;
	gpointer value;

	g_hash_table_iter_init(&each, ends->by_lid);
	while (g_hash_table_iter_next(&each, NULL, &value)) {
		struct lid_ports *ports = value;

		if (ports->before == &several)
			continue;
		ports->now = ports->first;
		ports->before = NULL;
	}
	memset(ends->asked, 0, sizeof(ends->asked));
	g_hash_table_iter_init(&each, ends->routes);
	while (g_hash_table_iter_next(&each, &value, NULL)) {
		struct route *route = value;

		route->now = route->first;
	}
}

/* One end of a directed route: the requester, or the port that the route leads to. */
static const char *route_end(const struct mad_ends *ends, const struct capture_mad *mad,
			     bool requester)
{
	const char *from = asker(ends, mad);
	const struct route *known;
	struct route route;

	if (!from && !mad_is_returning(mad) && mad->direction == CAPTURE_OUTBOUND &&
	    mad->interface_name)
		from = mad_ends_known(ends, mad->interface_name);
	if (requester)
		return from;
	route = route_of(mad, from);
	known = g_hash_table_lookup(ends->routes, &route);
	return known ? known->now : NULL;
}

/* Of several ports with the LID, a response goes to the one that has asked. */
static const char *lid_end(const struct mad_ends *ends, const struct capture_mad *mad, uint16_t lid)
{
	const struct lid_ports *ports = mad->transport == CAPTURE_INFINIBAND ?
		g_hash_table_lookup(ends->by_lid, GUINT_TO_POINTER(lid)) : NULL;

	if (!ports)
		return NULL;
	if (ports->before == &several && lid == mad->addr.dlid && mad_is_response(mad->mad))
		return asker(ends, mad);
	return ports->now;
}

const char *mad_ends_source(const struct mad_ends *ends, const struct capture_mad *mad)
{
	if (mad->direction == CAPTURE_OUTBOUND && mad->interface_name)
		return mad_ends_known(ends, mad->interface_name);
	if (mad_is_directed(mad))
		return route_end(ends, mad, !mad_is_returning(mad));
	return lid_end(ends, mad, mad->addr.slid);
}

const char *mad_ends_destination(const struct mad_ends *ends, const struct capture_mad *mad)
{
	if (mad->direction == CAPTURE_INBOUND && mad->interface_name)
		return mad_ends_known(ends, mad->interface_name);
	if (mad_is_directed(mad))
		return route_end(ends, mad, mad_is_returning(mad));
	return lid_end(ends, mad, mad->addr.dlid);
}

const char *mad_ends_called(const struct mad_ends *ends, const struct capture_mad *mad, bool source)
{
	const char *name = source ? mad_ends_source(ends, mad) : mad_ends_destination(ends, mad);
	uint16_t lid = source ? mad->addr.slid : mad->addr.dlid;
	const struct described *at;

	if (name)
		return name;
	if (mad->transport != CAPTURE_INFINIBAND)
		return NULL;
	if (!mad_is_directed(mad))
		return g_hash_table_lookup(ends->described_lid, GUINT_TO_POINTER(lid));
	if (source != mad_is_returning(mad))
		return NULL;
	at = g_hash_table_lookup(ends->described,
				 &(struct described){ .route = route_of(mad, NULL) });
	if (at && !at->name)
		return g_hash_table_lookup(ends->described_guid, &at->guid);
	return at && at->name != &several ? at->name : NULL;
}

static struct node_said *node_said_at(struct mad_ends *ends, const char *name)
{
	struct node_said *said = g_hash_table_lookup(ends->nodes, name);

	if (!said) {
		said = g_new0(struct node_said, 1);
		g_hash_table_insert(ends->nodes, (gpointer)name, said);
	}
	return said;
}

/* NodeInfo and NodeDescription of whoever has a name, maybe since a reading before. */
static void learn_node(struct mad_ends *ends, const struct capture_mad *mad)
{
	const uint8_t *bytes = mad->mad;
	uint16_t attribute = get_be16(bytes + MAD_ATTR_ID);
	const char *name;

	if (!mad_class_is_smp(bytes[MAD_CLASS]) || bytes[MAD_METHOD] != MAD_METHOD_GET_RESP ||
	    (attribute != ATTR_NODE_INFO && attribute != ATTR_NODE_DESCRIPTION) ||
	    (get_be16(bytes + MAD_STATUS) & ~SMP_DIRECTION))
		return;
	name = mad_ends_called(ends, mad, true);
	if (name && attribute == ATTR_NODE_INFO) {
		node_said_at(ends, name)->guid = get_be64(bytes + NODE_GUID);
		node_said_at(ends, name)->port_guid = get_be64(bytes + PORT_GUID);
	} else if (name) {
		node_said_at(ends, name)->description = description_in(ends, bytes);
	}
}

void mad_ends_learn_interface(struct mad_ends *ends, const struct capture_interface *interface)
{
	const char *name = interface->name ? keep_name(ends, interface->name) : NULL;
	struct capture_identity identity;

	if (!name)
		return;
	if (capture_identity_parse(interface->comment, &identity)) {
		node_said_at(ends, name)->guid = identity.node_guid;
		node_said_at(ends, name)->port_guid = identity.port_guid;
	}
	if (interface->description)
		node_said_at(ends, name)->description = keep_name(ends, interface->description);
}

static void learn_ends(struct mad_ends *ends, const struct capture_mad *mad)
{
	const char *port = mad->interface_name ? keep_name(ends, mad->interface_name) : NULL;

	learn_description(ends, mad);
	if (!port || mad->direction != CAPTURE_OUTBOUND)
		return;
	if (!mad_is_directed(mad) && mad->transport == CAPTURE_INFINIBAND)
		learn_lid(ends, mad->addr.slid, port);
	if (mad_is_directed(mad) && mad_is_returning(mad)) {
		learn_route(ends, mad, port);
	} else if (!mad_is_response(mad->mad)) {
		*asked_at(ends, mad->mad) = (struct asked){
			.tid = get_be64(mad->mad + MAD_TID),
			.modifier = get_be32(mad->mad + MAD_ATTR_MOD),
			.attr_id = get_be16(mad->mad + MAD_ATTR_ID),
			.mgmt_class = mad->mad[MAD_CLASS],
			.port = port,
		};
	}
}

void mad_ends_learn(struct mad_ends *ends, const struct capture_mad *mad)
{
	learn_ends(ends, mad);
	learn_node(ends, mad);
}

static const struct node_said *said_at(const struct mad_ends *ends, const struct capture_mad *mad,
				       bool source)
{
	const char *name = mad_ends_called(ends, mad, source);

	return name ? g_hash_table_lookup(ends->nodes, name) : NULL;
}

bool mad_ends_has_guid(const struct mad_ends *ends, const struct capture_mad *mad, bool source,
		       uint64_t guid)
{
	const struct node_said *said = said_at(ends, mad, source);

	return said && (said->guid == guid || said->port_guid == guid);
}

const char *mad_ends_description(const struct mad_ends *ends, const struct capture_mad *mad,
				 bool source)
{
	const struct node_said *said = said_at(ends, mad, source);

	return said ? said->description : NULL;
}
