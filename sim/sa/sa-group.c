/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * MCMemberRecord: multicast groups and their members (IBA vol 1, 15.2.5.17), whose packets the
 * switches forward as soon as a join is answered. A group is there as long as it has a full member;
 * that of IPoIB's broadcasts always, as with OpenSM.
 */
#include <string.h>

#include "sim/fabric/fabric-sa.h"
#include "sim/sa/group-tree.h"
#include "sim/sa/path-walk.h"
#include "sim/sa/sa-inform.h"
#include "sim/sa/sa-list.h"
#include "sim/sa/sa-selector.h"
#include "sim/sa/sa-store.h"

enum {
	MGID_COMPONENT = 0,
	PORT_GID_COMPONENT = 1,
	Q_KEY_COMPONENT = 2,
	MLID_COMPONENT = 3,
	MTU_COMPONENT = 4,
	T_CLASS_COMPONENT = 6,
	P_KEY_COMPONENT = 7,
	RATE_COMPONENT = 8,
	LIFE_TIME_COMPONENT = 10,
	SL_COMPONENT = 12,
	FLOW_COMPONENT = 13,
	HOP_COMPONENT = 14,
	SCOPE_COMPONENT = 15,
	JOIN_STATE_COMPONENT = 16,
	PROXY_COMPONENT = 17,

	MGID = 0,			/* in bytes, as the next ones */
	PORT_GID = 16,
	Q_KEY = 32,
	MLID = 36,
	MTU = 38,
	T_CLASS = 39,
	P_KEY = 40,
	RATE = 42,
	LIFE_TIME = 43,
	SL_FLOW_HOP = 44,
	SCOPE_STATE = 48,
	PROXY = 49,
	RECORD_SIZE = 52,
	GID_SIZE = 16,

	JOIN_FULL = 1,
	JOIN_NON = 2,
	JOIN_SEND_ONLY_FULL = 8,
	JOIN_STATE = 0xf,
	PROXY_JOIN = 0x80,
	SCOPE_LINK_LOCAL = 2,

	MULTICAST_LID_FIRST = 0xc000,
	GROUPS_MAX = 1024,		/* LIDs that a table has room for */
	DEFAULT_LIFE_TIME = 18,		/* as OpenSM's */
};

struct member {
	const struct end_port *end;
	uint8_t gid[GID_SIZE];
	uint8_t join_state;
	bool is_proxy;			/* another port has it join */
};

struct group {
	uint8_t record[RECORD_SIZE];	/* PortGID, JoinState and ProxyJoin are 0 */
	GPtrArray *members;		/* of struct member *, in order of their joins */
	struct node *root;		/* of its tree; NULL: there is none */
	bool is_permanent;
};

struct sa_groups {
	GPtrArray *all;			/* of struct group *, in order of their creation */
	uint32_t made;			/* MGIDs that the SA has made up */
};

/* IPoIB's broadcasts (RFC 4391): 2048 bytes, 10 Gb/s. */
static const uint8_t broadcast[RECORD_SIZE] = {
	0xff, 0x12, 0x40, 0x1b, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
	[Q_KEY + 2] = 0x0b, 0x1b, 0xc0, 0x00,
	[MTU] = SELECTED_EXACTLY | 4,
	[P_KEY] = 0xff, 0xff, SELECTED_EXACTLY | 3, SELECTED_EXACTLY | DEFAULT_LIFE_TIME,
	[SCOPE_STATE] = SCOPE_LINK_LOCAL << 4,
};

/* ---- groups ---- */

static uint16_t mlid_of(const struct group *group)
{
	return get_be16(group->record + MLID);
}

static void group_free(void *data)
{
	struct group *group = data;

	g_ptr_array_unref(group->members);
	g_free(group);
}

static struct group *group_new(struct sa_groups *groups, const uint8_t *record)
{
	struct group *group = g_new0(struct group, 1);

	memcpy(group->record, record, RECORD_SIZE);
	group->members = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(groups->all, group);
	return group;
}

static struct sa_groups *groups_of(const struct sa_request *request)
{
	struct sa_store *store = request->subnet->sa->store;

	if (!store->groups) {
		store->groups = g_new0(struct sa_groups, 1);
		store->groups->all = g_ptr_array_new_with_free_func(group_free);
		group_new(store->groups, broadcast)->is_permanent = true;
	}
	return store->groups;
}

void sa_groups_free(struct sa_groups *groups)
{
	if (!groups)
		return;
	g_ptr_array_unref(groups->all);
	g_free(groups);
}

static struct group *find_group(const struct sa_groups *groups, const uint8_t *mgid)
{
	for (unsigned int i = 0; i < groups->all->len; i++) {
		struct group *group = g_ptr_array_index(groups->all, i);

		if (memcmp(group->record + MGID, mgid, GID_SIZE) == 0)
			return group;
	}
	return NULL;
}

static struct member *find_member(const struct group *group, const uint8_t *gid)
{
	for (unsigned int i = 0; i < group->members->len; i++) {
		struct member *member = g_ptr_array_index(group->members, i);

		if (memcmp(member->gid, gid, GID_SIZE) == 0)
			return member;
	}
	return NULL;
}

static bool has_guid(const struct group *group, uint64_t guid)
{
	for (unsigned int i = 0; i < group->members->len; i++) {
		const struct member *member = g_ptr_array_index(group->members, i);

		if (get_be64(member->gid + 8) == guid)
			return true;
	}
	return false;
}

static bool has_port(const struct group *group, const struct end_port *end)
{
	for (unsigned int i = 0; i < group->members->len; i++) {
		const struct member *member = g_ptr_array_index(group->members, i);

		if (member->end == end)
			return true;
	}
	return false;
}

/* A multicast LID that no group has: that of the request, or the lowest. 0: none is left. */
static uint16_t free_mlid(const struct sa_request *request, const struct sa_groups *groups)
{
	unsigned int wanted = get_be16(request->data + MLID);
	bool used[GROUPS_MAX] = { false };

	for (unsigned int i = 0; i < groups->all->len; i++)
		used[mlid_of(g_ptr_array_index(groups->all, i)) - MULTICAST_LID_FIRST] = true;
	if (sa_has(request, MLID_COMPONENT) && wanted >= MULTICAST_LID_FIRST &&
	    wanted < MULTICAST_LID_FIRST + GROUPS_MAX && !used[wanted - MULTICAST_LID_FIRST])
		return (uint16_t)wanted;
	for (unsigned int i = 0; i < GROUPS_MAX; i++) {
		if (!used[i])
			return (uint16_t)(MULTICAST_LID_FIRST + i);
	}
	return 0;
}

/* Is the end port in the group's partition? */
static bool in_partition(const struct end_port *end, const uint8_t *record)
{
	for (size_t i = 0; i < end->attr.pkey_count; i++) {
		if (!((end->pkeys[i] ^ get_be16(record + P_KEY)) & 0x7fff))
			return true;
	}
	return false;
}

/* ---- trees ---- */

static void add_to_tree(struct group *group, const struct member *member)
{
	if (!group->root)
		group->root = group_tree_leaf(member->end);
	if (group->root)
		group_tree_add(group->root, mlid_of(group), member->end,
			       member->join_state & (JOIN_FULL | JOIN_NON));
}

static void make_tree(const struct subnet *subnet, struct group *group)
{
	group_tree_clear(subnet, mlid_of(group));
	group->root = NULL;
	for (unsigned int i = 0; i < group->members->len; i++)
		add_to_tree(group, g_ptr_array_index(group->members, i));
}

/* ---- creation ---- */

/* IBA vol 1, 4.1.1 and o15-0.1.5: of this form are MGIDs that only the SA makes up. */
static const uint8_t made_up[] = { 0xa0, 0x1b };

static bool mgid_is_valid(const uint8_t *mgid)
{
	bool is_made_up = memcmp(mgid + 2, made_up, sizeof(made_up)) == 0;

	return mgid[0] == 0xff && !(mgid[1] & 0xe0) &&
	       !(is_made_up && (mgid[1] & 0xf) == SCOPE_LINK_LOCAL);
}

/* Does the request agree with the group in what all members have alike? */
static bool agrees(const struct sa_request *request, const struct group *group)
{
	static const uint64_t compared = SA_COMPONENT(Q_KEY_COMPONENT) |
					 SA_COMPONENT(T_CLASS_COMPONENT) |
					 SA_COMPONENT(SL_COMPONENT) | SA_COMPONENT(FLOW_COMPONENT) |
					 SA_COMPONENT(HOP_COMPONENT);
	uint16_t ours = get_be16(group->record + P_KEY), theirs = get_be16(request->data + P_KEY);
	struct sa_table table;
	bool matches;

	/* One of two limited members would not hear the other. */
	if (sa_has(request, P_KEY_COMPONENT) &&
	    (((ours ^ theirs) & 0x7fff) || !((ours | theirs) & 0x8000)))
		return false;
	sa_table_init(&table, SA_MEMBER_RECORD, RECORD_SIZE, request->data,
		      request->mask & compared);
	matches = sa_table_matches(&table, group->record);
	sa_table_clear(&table);
	return matches;
}

/*
 * RFC 4391: IPoIB's groups have what the broadcast group of their scope and partition has, which is
 * there before them.
 */
static bool ipoib_allows(const struct sa_request *request, const struct sa_groups *groups)
{
	enum { PARTITION = 4, PREFIX = 6, IPV4 = 0x401b, IPV6 = 0x601b };
	const uint8_t *mgid = request->data + MGID;
	uint16_t signature = get_be16(mgid + 2);
	uint8_t broadcasts[GID_SIZE];
	const struct group *group;

	if (signature != IPV4 && signature != IPV6)
		return true;
	memcpy(broadcasts, broadcast + MGID, GID_SIZE);
	broadcasts[1] = (uint8_t)((broadcasts[1] & 0xf0) | (mgid[1] & 0xf));
	memcpy(broadcasts + PARTITION, mgid + PARTITION, PREFIX - PARTITION);
	if (memcmp(mgid, broadcasts, GID_SIZE) == 0)
		return true;
	group = find_group(groups, broadcasts);
	return group && agrees(request, group);
}

static void make_mgid(const struct sa_request *request, struct sa_groups *groups, uint8_t *mgid)
{
	uint8_t scope = sa_has(request, SCOPE_COMPONENT) ? request->data[SCOPE_STATE] >> 4 :
			SCOPE_LINK_LOCAL;

	do {
		memset(mgid, 0, GID_SIZE);
		mgid[0] = 0xff;
		mgid[1] = 0x10 | scope;
		memcpy(mgid + 2, made_up, sizeof(made_up));
		put_be64(mgid + 4, request->from->gid_prefix);
		put_be32(mgid + 12, ++groups->made);
	} while (find_group(groups, mgid));
}

/* A value of the new group: what is wanted, as far as the port has it. False: it has not. */
static bool choose(const struct wish *wish, unsigned int of_port, unsigned int *ret)
{
	*ret = of_port;
	return wish_grant(wish, true, ret);
}

static enum sa_status create(const struct sa_request *request, struct sa_groups *groups,
			     const struct end_port *end, struct group **ret_group)
{
	static const uint64_t needed = SA_COMPONENT(Q_KEY_COMPONENT) |
				       SA_COMPONENT(T_CLASS_COMPONENT) |
				       SA_COMPONENT(P_KEY_COMPONENT) | SA_COMPONENT(SL_COMPONENT) |
				       SA_COMPONENT(FLOW_COMPONENT);
	static const uint8_t no_gid[GID_SIZE];
	const uint8_t *data = request->data;
	struct wish mtu = wish_read(request, MTU_COMPONENT, data[MTU]);
	struct wish rate = wish_read(request, RATE_COMPONENT, data[RATE]);
	struct wish life_time = wish_read(request, LIFE_TIME_COMPONENT, data[LIFE_TIME]);
	unsigned int values[3];
	uint8_t record[RECORD_SIZE];
	uint16_t mlid = free_mlid(request, groups);

	/* o15-0.1.9: only one who also receives makes a group. */
	if (!(data[SCOPE_STATE] & (JOIN_FULL | JOIN_SEND_ONLY_FULL)))
		return SA_REQ_INVALID;
	if (~request->mask & needed)
		return SA_INSUFFICIENT_COMPONENTS;
	memcpy(record, data, RECORD_SIZE);
	memset(record + PORT_GID, 0, GID_SIZE);
	if (memcmp(record + MGID, no_gid, GID_SIZE) == 0)
		make_mgid(request, groups, record + MGID);
	else if (!mgid_is_valid(record + MGID) || !ipoib_allows(request, groups))
		return SA_REQ_INVALID;
	if (!wish_is_valid(&mtu, &rate) || !in_partition(end, record) ||
	    !(get_be16(record + P_KEY) & 0x7fff) ||
	    !choose(&mtu, end->port->neighbor_mtu, &values[0]) ||
	    !choose(&rate, path_port_rate(end->port), &values[1]) ||
	    !choose(&life_time, DEFAULT_LIFE_TIME, &values[2]))
		return SA_REQ_INVALID;
	if (!mlid)
		return SA_NO_RESOURCES;
	put_be16(record + MLID, mlid);
	record[MTU] = (uint8_t)(SELECTED_EXACTLY | values[0]);
	record[RATE] = (uint8_t)(SELECTED_EXACTLY | path_rate_code(values[1]));
	record[LIFE_TIME] = (uint8_t)(SELECTED_EXACTLY | values[2]);
	record[SCOPE_STATE] = (uint8_t)(record[MGID + 1] << 4);
	memset(record + PROXY, 0, RECORD_SIZE - PROXY);
	/* An SM that was there before may have left the LID in tables. */
	group_tree_clear(request->subnet, mlid);
	sa_notify(request->subnet, SA_TRAP_GROUP_CREATED, record + MGID);
	*ret_group = group_new(groups, record);
	return SA_OK;
}

/* ---- members ---- */

/* A record of the group, or of a member of it. */
static void show(const struct group *group, const struct member *member, uint8_t *record)
{
	memcpy(record, group->record, RECORD_SIZE);
	if (!member)
		return;
	memcpy(record + PORT_GID, member->gid, GID_SIZE);
	record[SCOPE_STATE] |= member->join_state;
	record[PROXY] = member->is_proxy ? PROXY_JOIN : 0;
}

/* Are MTU and Rate of the request such as there are? */
static bool has_valid_codes(const struct sa_request *request)
{
	struct wish mtu = wish_read(request, MTU_COMPONENT, request->data[MTU]);
	struct wish rate = wish_read(request, RATE_COMPONENT, request->data[RATE]);

	return wish_is_valid(&mtu, &rate);
}

/* Do MTU and Rate of a group fit what the request wants of them? */
static bool fits(const struct sa_request *request, const struct group *group)
{
	struct wish mtu = wish_read(request, MTU_COMPONENT, request->data[MTU]);
	struct wish rate = wish_read(request, RATE_COMPONENT, request->data[RATE]);

	return wish_is_valid(&mtu, &rate) &&
	       wish_fits(&mtu, group->record[MTU] & SELECTOR_VALUE) &&
	       wish_fits(&rate, path_rate_rank(group->record[RATE] & SELECTOR_VALUE));
}

/* Components that are not compared as they are. */
static const uint64_t SELECTED = SA_COMPONENT(MTU_COMPONENT) | SA_COMPONENT(MTU_COMPONENT + 1) |
				 SA_COMPONENT(RATE_COMPONENT) | SA_COMPONENT(RATE_COMPONENT + 1) |
				 SA_COMPONENT(LIFE_TIME_COMPONENT) |
				 SA_COMPONENT(LIFE_TIME_COMPONENT + 1);

/*
 * IBA vol 1, 15.2.5.17: only those who know the SM_Key see members. Others see groups; one who
 * names a member learns that it is one.
 */
static void offer_group(const struct sa_request *request, struct sa_table *table,
			const struct group *group)
{
	bool by_member = request->is_trusted || sa_has(request, PORT_GID_COMPONENT);
	uint8_t record[SA_RECORD_MAX] = { 0 };

	if (!in_partition(request->from, group->record) || !fits(request, group))
		return;
	if (!by_member) {
		show(group, NULL, record);
		sa_table_offer(table, record);
	}
	for (unsigned int i = 0; by_member && i < group->members->len; i++) {
		const struct member *member = g_ptr_array_index(group->members, i);

		show(group, member, record);
		if (!sa_table_matches(table, record))
			continue;
		if (!request->is_trusted)
			show(group, NULL, record);
		sa_table_add(table, record);
	}
}

enum sa_status sa_list_members(const struct sa_request *request, struct sa_table *table)
{
	const struct sa_groups *groups = groups_of(request);

	if (!has_valid_codes(request))
		return SA_REQ_INVALID;
	sa_table_skip(table, SELECTED);
	for (unsigned int i = 0; i < groups->all->len && !sa_table_is_done(table); i++)
		offer_group(request, table, g_ptr_array_index(groups->all, i));
	return SA_OK;
}

/* Who may have a port join, or leave: itself, or, as its proxy, one who shares the partition. */
static bool may_change(const struct sa_request *request, const struct group *group,
		       const struct member *member)
{
	return !member || (member->is_proxy ? in_partition(request->from, group->record) :
			   member->end == request->from);
}

/* Can the end port be a member of the group, as the request wants it? */
static bool can_join(const struct sa_request *request, const struct group *group,
		     const struct end_port *end)
{
	return agrees(request, group) && fits(request, group) &&
	       in_partition(end, group->record) &&
	       end->port->neighbor_mtu >= (group->record[MTU] & SELECTOR_VALUE) &&
	       path_port_rate(end->port) >= path_rate_rank(group->record[RATE] & SELECTOR_VALUE);
}

/* What names a member, in a request to change it. */
static enum sa_status check_member(const struct sa_request *request)
{
	static const uint64_t needed = SA_COMPONENT(MGID_COMPONENT) |
				       SA_COMPONENT(PORT_GID_COMPONENT) |
				       SA_COMPONENT(JOIN_STATE_COMPONENT);
	uint64_t prefix = get_be64(request->data + PORT_GID);

	if (!has_valid_codes(request))
		return SA_REQ_INVALID;
	if (~request->mask & needed)
		return SA_INSUFFICIENT_COMPONENTS;
	if (prefix != GID_PREFIX_LINK_LOCAL && prefix != request->subnet->sa->end->gid_prefix)
		return SA_INVALID_GID;
	return SA_OK;
}

enum sa_status sa_set_member(const struct sa_request *request, uint8_t *answer)
{
	struct sa_groups *groups = groups_of(request);
	const uint8_t *gid = request->data + PORT_GID;
	const struct end_port *end = sa_end_by_gid(request->subnet, gid);
	uint8_t join_state = request->data[SCOPE_STATE] & JOIN_STATE;
	struct group *group;
	struct member *member;
	enum sa_status status = check_member(request);

	if (status != SA_OK)
		return status;
	if (!end || !join_state || (end != request->from && !sa_common_p_key(end, request->from)))
		return SA_REQ_INVALID;
	group = find_group(groups, request->data + MGID);
	if (!group) {
		status = create(request, groups, end, &group);
		if (status != SA_OK)
			return status;
	} else if (!can_join(request, group, end)) {
		return SA_REQ_INVALID;
	}
	member = find_member(group, gid);
	if (!may_change(request, group, member))
		return SA_REQ_INVALID;
	if (!member) {
		member = g_new0(struct member, 1);
		member->end = end;
		member->is_proxy = end != request->from;
		memcpy(member->gid, gid, GID_SIZE);
		g_ptr_array_add(group->members, member);
	}
	member->join_state |= join_state;
	add_to_tree(group, member);
	show(group, member, answer);
	return SA_OK;
}

/* Does a port other than 'leaver' keep the group in being? */
static bool has_full_member(const struct group *group, const struct member *leaver)
{
	for (unsigned int i = 0; i < group->members->len; i++) {
		const struct member *member = g_ptr_array_index(group->members, i);

		if (member != leaver && member->join_state & (JOIN_FULL | JOIN_SEND_ONLY_FULL))
			return true;
	}
	return false;
}

/* The answer to a Delete says what of the request's JoinState is left, and repeats the rest. */
static void answer_left(const struct sa_request *request, const struct group *group,
			const struct member *member, uint8_t *answer)
{
	memcpy(answer, request->data, RECORD_SIZE);
	answer[MTU] = (answer[MTU] & SELECTOR_VALUE) | SELECTED_EXACTLY;
	answer[RATE] = (answer[RATE] & SELECTOR_VALUE) | SELECTED_EXACTLY;
	answer[LIFE_TIME] = (answer[LIFE_TIME] & SELECTOR_VALUE) | SELECTED_EXACTLY;
	answer[SCOPE_STATE] = (uint8_t)((group->record[SCOPE_STATE] & 0xf0) | member->join_state);
}

/* o15-0.1.14: a Delete takes back states that were joined; without any, the port has left. */
enum sa_status sa_remove_member(const struct sa_request *request, uint8_t *answer)
{
	struct sa_groups *groups = groups_of(request);
	uint8_t left = request->data[SCOPE_STATE] & JOIN_STATE;
	struct group *group = find_group(groups, request->data + MGID);
	struct member *member = group ? find_member(group, request->data + PORT_GID) : NULL;
	enum sa_status status = check_member(request);

	if (status != SA_OK)
		return status;
	if (!member || !left || left & ~member->join_state || !may_change(request, group, member))
		return SA_REQ_INVALID;
	member->join_state &= (uint8_t)~left;
	/* The last full member takes what else it was with it. */
	if (!(member->join_state & JOIN_FULL) && !has_full_member(group, member))
		member->join_state = 0;
	answer_left(request, group, member, answer);
	if (!member->join_state)
		g_ptr_array_remove(group->members, member);
	if (group->is_permanent || has_full_member(group, NULL)) {
		make_tree(request->subnet, group);
		return SA_OK;
	}
	group_tree_clear(request->subnet, mlid_of(group));
	sa_notify(request->subnet, SA_TRAP_GROUP_DELETED, group->record + MGID);
	g_ptr_array_remove(groups->all, group);
	return SA_OK;
}

bool sa_is_member(const struct subnet *subnet, uint64_t guid)
{
	const struct sa_groups *groups = subnet->sa->store->groups;

	for (unsigned int i = 0; groups && i < groups->all->len; i++) {
		const struct group *group = g_ptr_array_index(groups->all, i);

		if (has_guid(group, guid))
			return true;
	}
	return false;
}

/* ---- the path to a group ---- */

/* What of a group a PathRecord says, at other places (IBA vol 1, 15.2.5.16). */
const uint8_t *sa_group_by_mgid(const struct sa_request *request, const uint8_t *mgid,
				const uint8_t *sgid, const struct end_port *source)
{
	const struct group *group = find_group(groups_of(request), mgid);

	if (!group || !in_partition(request->from, group->record) ||
	    (sgid && !has_guid(group, get_be64(sgid + 8))) ||
	    (source && !has_port(group, source)))
		return NULL;
	return group->record;
}
