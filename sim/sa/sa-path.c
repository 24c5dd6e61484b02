/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * PathRecord and MultiPathRecord (IBA vol 1, 15.2.5.16 and 15.2.5.20).
 *
 * A path is what the forwarding tables make it. Its values are compared with the request's by
 * selectors: MTU, Rate and PacketLifeTime may be larger or smaller than a value, exactly it, or the
 * best that there is. ServiceID, QoSClass, TClass, FlowLabel and HopLimit choose between qualities
 * of service, of which there is one: they are not compared.
 */
#include <string.h>

#include "sim/fabric/router.h"
#include "sim/sa/path-walk.h"
#include "sim/sa/sa-list.h"
#include "sim/sa/sa-selector.h"

/* PathRecord: components, and bytes. */
enum {
	DGID_COMPONENT = 2,
	SGID_COMPONENT = 3,
	DLID_COMPONENT = 4,
	SLID_COMPONENT = 5,
	RAW_COMPONENT = 6,
	FLOW_COMPONENT = 8,
	HOP_LIMIT_COMPONENT = 9,
	T_CLASS_COMPONENT = 10,
	REVERSIBLE_COMPONENT = 11,
	NUMB_PATH_COMPONENT = 12,
	P_KEY_COMPONENT = 13,
	SL_COMPONENT = 15,
	MTU_COMPONENT = 16,		/* the selector's; the value's is the next one */
	RATE_COMPONENT = 18,
	LIFE_TIME_COMPONENT = 20,

	DGID = 8,
	SGID = 24,
	DLID = 40,
	SLID = 42,
	FLOW = 44,			/* RawTraffic, FlowLabel, HopLimit */
	T_CLASS = 48,
	NUMB_PATH = 49,			/* Reversible, and NumbPath */
	P_KEY = 50,
	QOS_SL = 52,			/* QoSClass, and SL */
	MTU = 54,			/* selector and value, as the next two */
	RATE = 55,
	LIFE_TIME = 56,
	PREFERENCE = 57,
	PATH_SIZE = 64,
	GID_SIZE = 16,
	HOP_LIMIT_MAX = 0xff,		/* of paths over a router; 0 of others, as OpenSM's */

	/* MCMemberRecord */
	GROUP_MLID = 36,
	GROUP_MTU = 38,
	GROUP_T_CLASS = 39,
	GROUP_P_KEY = 40,
	GROUP_RATE = 42,
	GROUP_LIFE_TIME = 43,
	GROUP_SL_FLOW_HOP = 44,

	MULTICAST = 0xff,		/* the first byte of an MGID */
	SCOPE = 0xf,			/* in its second */
	SCOPE_LINK_LOCAL = 2,
	REVERSIBLE = 0x80,
	RAW = 0x80,
};

/* MultiPathRecord: components, and bytes. */
enum {
	MULTI_RAW_COMPONENT = 0,
	MULTI_REVERSIBLE_COMPONENT = 5,
	MULTI_NUMB_PATH_COMPONENT = 6,
	MULTI_P_KEY_COMPONENT = 7,
	MULTI_SL_COMPONENT = 9,
	MULTI_MTU_COMPONENT = 10,
	MULTI_RATE_COMPONENT = 12,
	MULTI_LIFE_TIME_COMPONENT = 14,
	MULTI_ID_HIGH_COMPONENT = 16,	/* ServiceID's two parts */
	MULTI_SGID_COUNT_COMPONENT = 19,
	MULTI_DGID_COUNT_COMPONENT = 20,
	MULTI_ID_LOW_COMPONENT = 21,

	MULTI_NUMB_PATH = 5,
	MULTI_P_KEY = 6,
	MULTI_QOS_SL = 8,
	MULTI_MTU = 10,
	MULTI_RATE = 11,
	MULTI_LIFE_TIME = 12,
	MULTI_SGID_COUNT = 15,
	MULTI_DGID_COUNT = 16,
	MULTI_GIDS = 24,
	MULTI_GIDS_MAX = 11,
};

/* What a request wants of each of its paths. */
struct wishes {
	struct wish mtu, rate, life_time;
	bool has_p_key, has_sl, is_reversible;
	uint16_t p_key;
	uint8_t sl;
	unsigned int numb_path;		/* for each pair of ports */
	const uint8_t *dgid;		/* of another subnet, behind a router; NULL: the port's */
};

/* ---- requests ---- */

static struct wishes read_wishes(const struct sa_request *request)
{
	const uint8_t *data = request->data;

	return (struct wishes){
		.mtu = wish_read(request, MTU_COMPONENT, data[MTU]),
		.rate = wish_read(request, RATE_COMPONENT, data[RATE]),
		.life_time = wish_read(request, LIFE_TIME_COMPONENT, data[LIFE_TIME]),
		.has_p_key = sa_has(request, P_KEY_COMPONENT),
		.p_key = get_be16(data + P_KEY),
		.has_sl = sa_has(request, SL_COMPONENT),
		.sl = data[QOS_SL + 1] & 0xf,
		.is_reversible = sa_has(request, REVERSIBLE_COMPONENT) &&
				 data[NUMB_PATH] & REVERSIBLE,
		/* A Get asks for one path, whatever it says. */
		.numb_path = request->method == SA_GET ? 1 :
			     sa_has(request, NUMB_PATH_COMPONENT) ?
			     data[NUMB_PATH] & (REVERSIBLE - 1U) : UINT_MAX,
	};
}

/* ---- paths ---- */

/* The P_Key of a path, 0: there is none that both have, and that is the one asked for. */
static uint16_t path_p_key(const struct wishes *wishes, const struct end_port *from,
			   const struct end_port *to)
{
	static const uint16_t BASE = 0x7fff;

	if (!wishes->has_p_key)
		return sa_common_p_key(from, to);
	for (size_t i = 0; i < from->attr.pkey_count; i++) {
		for (size_t j = 0; j < to->attr.pkey_count; j++) {
			if (wishes->p_key & BASE && !((from->pkeys[i] ^ wishes->p_key) & BASE) &&
			    !((to->pkeys[j] ^ wishes->p_key) & BASE) &&
			    (from->pkeys[i] | to->pkeys[j]) & ~BASE)
				return wishes->p_key;
		}
	}
	return 0;
}

/* What a path may be, or false: it is not what is wanted. */
static bool fit(const struct wishes *wishes, const struct end_port *from, const struct end_port *to,
		uint16_t dlid, struct path *ret_path, unsigned int *ret_life_time)
{
	/* IBA vol 1, table 218: 0 for a path to the port itself. */
	*ret_life_time = from == to ? 0 : to->subnet_timeout;
	return path_walk(from, to, dlid, ret_path) &&
	       wish_grant(&wishes->mtu, true, &ret_path->mtu) &&
	       wish_grant(&wishes->rate, false, &ret_path->rate) &&
	       wish_grant(&wishes->life_time, true, ret_life_time);
}

static void put_gid(uint8_t *gid, const struct end_port *end)
{
	put_be64(gid, end->gid_prefix);
	put_be64(gid + 8, end->guid);
}

/* Adds the path between two LIDs. False: there is none. */
static bool add_path(const struct wishes *wishes, struct sa_table *table,
		     const struct end_port *from, uint16_t slid, const struct end_port *to,
		     uint16_t dlid, uint8_t preference)
{
	uint8_t record[SA_RECORD_MAX] = { 0 };
	uint16_t p_key = path_p_key(wishes, from, to);
	unsigned int life_time, back_life_time;
	struct path path, back;
	bool is_reversible;

	if (!p_key || !fit(wishes, from, to, dlid, &path, &life_time))
		return false;
	is_reversible = fit(wishes, to, from, slid, &back, &back_life_time);
	if (wishes->is_reversible && !is_reversible)
		return false;
	if (wishes->dgid) {
		memcpy(record + DGID, wishes->dgid, GID_SIZE);
		put_be32(record + FLOW, HOP_LIMIT_MAX);
	} else {
		put_gid(record + DGID, to);
	}
	put_gid(record + SGID, from);
	put_be16(record + DLID, dlid);
	put_be16(record + SLID, slid);
	record[NUMB_PATH] = is_reversible ? REVERSIBLE : 0;
	put_be16(record + P_KEY, p_key);
	record[QOS_SL + 1] = wishes->has_sl ? wishes->sl : 0;
	record[MTU] = (uint8_t)(SELECTED_EXACTLY | path.mtu);
	record[RATE] = (uint8_t)(SELECTED_EXACTLY | path_rate_code(path.rate));
	record[LIFE_TIME] = (uint8_t)(SELECTED_EXACTLY | life_time);
	record[PREFERENCE] = preference;
	sa_table_add(table, record);
	return true;
}

/* First and last of the LIDs of a port, or the one that the request names, 'named' (0: none). */
struct lids {
	uint32_t first, last;
};

static struct lids lids_of(const struct end_port *end, uint16_t named)
{
	return (struct lids){
		.first = named ? named : end->attr.lid,
		.last = named ? named : end->attr.lid + (UINT32_C(1) << end->attr.lmc) - 1,
	};
}

/*
 * The paths of a pair of ports: first those that have no LID in common, which may be on different
 * ways in both directions, then the rest.
 */
static void add_pair(const struct sa_request *request, const struct wishes *wishes,
		     struct sa_table *table, const struct end_port *from, uint16_t slid,
		     const struct end_port *to, uint16_t dlid)
{
	enum { DISJOINT = 0, OTHERS = 2 };
	struct lids source = lids_of(from, slid), destination = lids_of(to, dlid);
	unsigned int found = 0;

	if (!sa_may_see(request, from) || !sa_may_see(request, to))
		return;
	for (int pass = DISJOINT; pass <= OTHERS; pass += OTHERS) {
		for (uint32_t s = source.first; s <= source.last; s++) {
			for (uint32_t d = destination.first; d <= destination.last; d++) {
				bool is_disjoint = s - source.first == d - destination.first;

				if (found == wishes->numb_path || sa_table_is_done(table))
					return;
				if (is_disjoint == (pass == DISJOINT))
					found += add_path(wishes, table, from, (uint16_t)s, to,
							  (uint16_t)d, (uint8_t)pass);
			}
		}
	}
}

/* ---- PathRecord ---- */

/* An end of the paths: a port, or any (NULL); and the LID that the request names, or 0. */
struct path_end {
	struct end_port *port;
	uint16_t lid;
	const uint8_t *gid;		/* of another subnet, if 'port' is a router's; else NULL */
};

/* SA_NO_RECORDS: there is no such port; SA_REQ_INVALID: GID and LID are of different ones. */
static enum sa_status read_end(const struct sa_request *request, unsigned int gid_component,
			       unsigned int gid, unsigned int lid_component, unsigned int lid,
			       struct path_end *ret_end)
{
	struct end_port *by_gid = NULL, *by_lid = NULL;

	*ret_end = (struct path_end){ 0 };
	if (sa_has(request, gid_component)) {
		by_gid = sa_end_by_gid(request->subnet, request->data + gid);
		if (!by_gid && gid_component == DGID_COMPONENT) {
			by_gid = router_toward(request->subnet, get_be64(request->data + gid));
			ret_end->gid = by_gid ? request->data + gid : NULL;
		}
		if (!by_gid)
			return SA_NO_RECORDS;
	}
	if (sa_has(request, lid_component)) {
		ret_end->lid = get_be16(request->data + lid);
		by_lid = sa_end_by_lid(request->subnet, ret_end->lid);
		if (!by_lid)
			return SA_NO_RECORDS;
	}
	if (by_gid && by_lid && by_gid != by_lid)
		return SA_REQ_INVALID;
	ret_end->port = by_gid ? by_gid : by_lid;
	return SA_OK;
}

static void add_paths(const struct sa_request *request, const struct wishes *wishes,
		      struct sa_table *table, const struct path_end *source,
		      const struct path_end *destination)
{
	struct sa_ends to_at = { 0 };
	struct end_port *from, *to;

	while ((to = destination->port ? destination->port :
		     sa_ends_next(request->subnet, &to_at))) {
		struct sa_ends from_at = { 0 };

		while ((from = source->port ? source->port :
			       sa_ends_next(request->subnet, &from_at))) {
			add_pair(request, wishes, table, from, source->lid, to, destination->lid);
			/* Of a Get, any path will do. */
			if (sa_table_is_done(table) || (request->method == SA_GET && table->count))
				return;
			if (source->port)
				break;
		}
		if (destination->port)
			break;
	}
}

/*
 * Does the path to a group have what the request says of it? MTU, Rate, PacketLifeTime and
 * RawTraffic are not looked at, as by OpenSM.
 */
static bool group_path_fits(const struct sa_request *request, const uint8_t *record)
{
	static const uint64_t compared = SA_COMPONENT(DLID_COMPONENT) |
					 SA_COMPONENT(FLOW_COMPONENT) |
					 SA_COMPONENT(HOP_LIMIT_COMPONENT) |
					 SA_COMPONENT(T_CLASS_COMPONENT) |
					 SA_COMPONENT(P_KEY_COMPONENT) | SA_COMPONENT(SL_COMPONENT);
	struct sa_table table;
	bool matches;

	if (read_wishes(request).numb_path == 0)
		return false;
	sa_table_init(&table, SA_PATH_RECORD, PATH_SIZE, request->data, request->mask & compared);
	matches = sa_table_matches(&table, record);
	sa_table_clear(&table);
	return matches;
}

/* The group that the request's DGID is, if the source that it names is a member. */
static const uint8_t *find_group(const struct sa_request *request)
{
	const uint8_t *sgid = sa_has(request, SGID_COMPONENT) ? request->data + SGID : NULL;
	const struct end_port *source = NULL;

	if (sa_has(request, SLID_COMPONENT)) {
		source = sa_end_by_lid(request->subnet, get_be16(request->data + SLID));
		if (!source)
			return NULL;
	}
	return sa_group_by_mgid(request, request->data + DGID, sgid, source);
}

/*
 * The path to a multicast group: what the group has, whichever member sends. Of the request, SLID
 * and SGID are repeated.
 */
static void add_group_path(const struct sa_request *request, struct sa_table *table)
{
	const uint8_t *group = find_group(request);
	uint8_t record[SA_RECORD_MAX] = { 0 };
	uint32_t flow_hop;

	if (!group)
		return;
	memcpy(record, request->data, PATH_SIZE);
	put_be16(record + DLID, get_be16(group + GROUP_MLID));
	/* FlowLabel and HopLimit come after the SL there. */
	flow_hop = get_be32(group + GROUP_SL_FLOW_HOP) & 0xfffffff;
	if ((request->data[DGID + 1] & SCOPE) != SCOPE_LINK_LOCAL)
		flow_hop |= HOP_LIMIT_MAX;
	put_be32(record + FLOW, flow_hop);
	record[T_CLASS] = group[GROUP_T_CLASS];
	record[NUMB_PATH] = 1;
	put_be16(record + P_KEY, get_be16(group + GROUP_P_KEY));
	put_be16(record + QOS_SL, group[GROUP_SL_FLOW_HOP] >> 4);
	record[MTU] = group[GROUP_MTU];
	record[RATE] = group[GROUP_RATE];
	record[LIFE_TIME] = group[GROUP_LIFE_TIME];
	if (group_path_fits(request, record))
		sa_table_add(table, record);
}

enum sa_status sa_list_paths(const struct sa_request *request, struct sa_table *table)
{
	struct wishes wishes = read_wishes(request);
	struct path_end source, destination;
	enum sa_status from, to;

	if (!wish_is_valid(&wishes.mtu, &wishes.rate))
		return SA_REQ_INVALID;
	/* IBA vol 1, 15.2.5.16: half a ServiceID cannot be compared. */
	if (sa_has(request, 0) != sa_has(request, 1))
		return SA_INSUFFICIENT_COMPONENTS;
	if (sa_has(request, DGID_COMPONENT) && request->data[DGID] == MULTICAST) {
		add_group_path(request, table);
		return SA_OK;
	}
	from = read_end(request, SGID_COMPONENT, SGID, SLID_COMPONENT, SLID, &source);
	to = read_end(request, DGID_COMPONENT, DGID, DLID_COMPONENT, DLID, &destination);
	if (from == SA_REQ_INVALID || to == SA_REQ_INVALID)
		return SA_REQ_INVALID;
	wishes.dgid = destination.gid;
	/* Raw packets are not carried. */
	if (from == SA_OK && to == SA_OK &&
	    !(sa_has(request, RAW_COMPONENT) && request->data[FLOW] & RAW))
		add_paths(request, &wishes, table, &source, &destination);
	return SA_OK;
}

/* ---- MultiPathRecord ---- */

static struct wishes read_multi_wishes(const struct sa_request *request)
{
	const uint8_t *data = request->data;

	return (struct wishes){
		.mtu = wish_read(request, MULTI_MTU_COMPONENT, data[MULTI_MTU]),
		.rate = wish_read(request, MULTI_RATE_COMPONENT, data[MULTI_RATE]),
		.life_time = wish_read(request, MULTI_LIFE_TIME_COMPONENT, data[MULTI_LIFE_TIME]),
		.has_p_key = sa_has(request, MULTI_P_KEY_COMPONENT),
		.p_key = get_be16(data + MULTI_P_KEY),
		.has_sl = sa_has(request, MULTI_SL_COMPONENT),
		.sl = data[MULTI_QOS_SL + 1] & 0xf,
		.is_reversible = sa_has(request, MULTI_REVERSIBLE_COMPONENT) &&
				 data[MULTI_NUMB_PATH] & REVERSIBLE,
		.numb_path = sa_has(request, MULTI_NUMB_PATH_COMPONENT) ?
			     data[MULTI_NUMB_PATH] & (REVERSIBLE - 1U) : UINT_MAX,
	};
}

/* IBA vol 1, 15.2.5.20: paths from each source to each destination, NumbPath of each pair. */
enum sa_status sa_list_multi_paths(const struct sa_request *request, struct sa_table *table)
{
	struct wishes wishes = read_multi_wishes(request);
	unsigned int sources = request->data[MULTI_SGID_COUNT];
	unsigned int destinations = request->data[MULTI_DGID_COUNT];
	struct end_port *ends[MULTI_GIDS_MAX];

	if (request->method != SA_GET_MULTI)
		return SA_BAD_METHOD_ATTR;
	if (!sa_has(request, MULTI_SGID_COUNT_COMPONENT) ||
	    !sa_has(request, MULTI_DGID_COUNT_COMPONENT))
		return SA_INSUFFICIENT_COMPONENTS;
	if (!wish_is_valid(&wishes.mtu, &wishes.rate))
		return SA_REQ_INVALID;
	if (sa_has(request, MULTI_ID_HIGH_COMPONENT) != sa_has(request, MULTI_ID_LOW_COMPONENT))
		return SA_INSUFFICIENT_COMPONENTS;
	if (sources + destinations > MULTI_GIDS_MAX)
		return SA_INVALID_GID;
	if (!sources || !destinations)
		return SA_REQ_INVALID;
	for (unsigned int i = 0; i < sources + destinations; i++) {
		ends[i] = sa_end_by_gid(request->subnet, request->data + MULTI_GIDS + i * 16U);
		if (!ends[i])
			return SA_INVALID_GID;
	}
	if (sa_has(request, MULTI_RAW_COMPONENT) && request->data[0] & RAW)
		return SA_OK;
	for (unsigned int i = 0; i < sources; i++) {
		for (unsigned int j = sources; j < sources + destinations; j++)
			add_pair(request, &wishes, table, ends[i], 0, ends[j], 0);
	}
	return SA_OK;
}
