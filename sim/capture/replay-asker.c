/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The requester of a capture: see sim/capture/replay-asker.h.
 *
 * A capture does not say whose port it was taken at, and discovery never asks the port that it
 * starts from over the wire: all that can be known is in addresses, and in what other MADs say
 * about them.
 */
#include "sim/capture/replay-asker.h"

#include <arpa/inet.h>
#include <glib.h>
#include <string.h>

#include "lib/words/node-place.h"
#include "lib/words/number.h"
#include "sim/capture/capture.h"
#include "sim/capture/identity.h"
#include "sim/capture/replay-question.h"

enum {
	SMP_NODE_DESCRIPTION = 0x0010,
	SMP_NODE_INFO = 0x0011,
	SMP_PORT_INFO = 0x0015,
	PORT_LOCAL = SMP_DATA + 28,		/* 14.2.5.6 */
	PORT_WIDTH_ACTIVE = SMP_DATA + 31,
	PORT_SPEED_ACTIVE = SMP_DATA + 35,	/* high 4 bits */
	PORT_SPEED_EXT2 = SMP_DATA + 56,	/* bit 5: XDR */
	PORT_SPEED_EXT_ACTIVE = SMP_DATA + 62,	/* high 4 bits */
	SPEED_NDR = 8,
	SPEED_XDR = 32,
	NODE_SYSTEM_GUID = SMP_DATA + 4,	/* IBA vol 1, 14.2.5.3 */
	NODE_GUID = SMP_DATA + 12,
	NODE_PORT_GUID = SMP_DATA + 20,
	NODE_DEVICE_ID = SMP_DATA + 30,
	NODE_VENDOR_ID = SMP_DATA + 37,
	SA_PATH_RECORD = 0x0035,
	CM_CONNECT_REQUEST = 0x0010,
	CM_CONNECT_REPLY = 0x0013,
	CM_REQ_CA_GUID = MAD_HDR_SIZE + 16,	/* IBA vol 1, 12.6.5 */
	CM_REQ_PORT_LID = MAD_HDR_SIZE + 52,
	CM_REQ_PORT_GID = MAD_HDR_SIZE + 56,
	CM_REP_CA_GUID = MAD_HDR_SIZE + 28,	/* 12.6.8 */
	PATH_SGID = SA_DATA + 24,
	PATH_SLID = SA_DATA + 42,
	GIDS_MAX = 4096,			/* that are told apart */
};

/* A RoCE port that asks. */
struct gid_row {
	uint8_t gid[16];
	unsigned int asked;
};

struct replay_search {
	struct replay_asker asker;
	const char *host;		/* NULL: the one with most requests */
	bool is_found;			/* 'asker' has the address of 'host' */
	bool has_routes;		/* there are directed routes */
	bool has_interface;		/* the requester's own interface has described it */
	bool has_maybe;			/* one has that may be another's */
	unsigned int *asked_by;		/* for each LID */
	bool *asked_at;
	GArray *gids;			/* of struct gid_row, in order of appearance */
	GHashTable *by_gid;		/* uint8_t[16] -> its number + 1 */
};

static bool is_good_answer(const uint8_t *mad)
{
	return mad[MAD_METHOD] == MAD_METHOD_GET_RESP && !get_be16(mad + MAD_STATUS);
}

/* ---- first: whose port it is ---- */

static guint gid_hash(gconstpointer key)
{
	const uint8_t *gid = key;

	return get_be32(gid + 12) * UINT32_C(0x9e3779b1) ^ get_be32(gid + 8) ^ get_be32(gid);
}

static gboolean gid_equal(gconstpointer a, gconstpointer b)
{
	return memcmp(a, b, 16) == 0;
}

struct replay_search *replay_search_new(const char *host)
{
	struct replay_search *search = g_new0(struct replay_search, 1);

	search->host = host;
	search->asked_by = g_new0(unsigned int, LID_UNICAST_MAX + 1);
	search->asked_at = g_new0(bool, LID_UNICAST_MAX + 1);
	search->gids = g_array_new(false, false, sizeof(struct gid_row));
	search->by_gid = g_hash_table_new_full(gid_hash, gid_equal, g_free, NULL);
	return search;
}

void replay_search_free(struct replay_search *search)
{
	if (!search)
		return;
	g_free(search->asked_by);
	g_free(search->asked_at);
	g_array_unref(search->gids);
	g_hash_table_unref(search->by_gid);
	g_free(search);
}

/* The port with which all directed routes begin; 0 if they begin with several. */
static void count_route(struct replay_search *search, const uint8_t *mad)
{
	struct replay_asker *asker = &search->asker;

	if (mad[MAD_CLASS] != MAD_CLASS_SUBN_DR || !mad[SMP_HOP_CNT])
		return;
	if (search->has_routes && mad[SMP_INITIAL_PATH + 1] != asker->own_port)
		asker->own_port = 0;
	else
		asker->own_port = mad[SMP_INITIAL_PATH + 1];
	search->has_routes = true;
}

static void count_gid(struct replay_search *search, const uint8_t *gid)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(search->by_gid, gid));
	struct gid_row row = { .asked = 0 };

	if (!number) {
		if (search->gids->len == GIDS_MAX)
			return;
		memcpy(row.gid, gid, 16);
		g_array_append_val(search->gids, row);
		number = search->gids->len;
		g_hash_table_insert(search->by_gid, g_memdup2(gid, 16), GUINT_TO_POINTER(number));
	}
	g_array_index(search->gids, struct gid_row, number - 1).asked++;
}

/* Is it the name of the port, or of its node, in umadrig's captures? */
static bool is_name(const char *label, const char *host)
{
	return label && (strcmp(label, host) == 0 || node_place_is_of(label, host));
}

static bool is_gid(const struct packet_addr *addr, const char *host)
{
	uint8_t gid[16] = { [10] = 0xff, [11] = 0xff };
	uint64_t guid;

	if (!addr->has_grh)
		return false;
	if (g_str_has_prefix(host, "0x"))
		return number_parse_hex(host, 1, UINT64_MAX, &guid) == 0 &&
		       get_be64(addr->sgid + 8) == guid;
	return (inet_pton(AF_INET, host, gid + 12) == 1 || inet_pton(AF_INET6, host, gid) == 1) &&
	       memcmp(addr->sgid, gid, 16) == 0;
}

static bool is_host(const struct capture_mad *mad, const char *host)
{
	uint64_t lid;

	if (mad->direction != CAPTURE_INBOUND && is_name(mad->interface_name, host))
		return mad->addr.slid != LID_PERMISSIVE;
	if (number_parse_decimal(g_str_has_prefix(host, "LID ") ? host + 4 : host, 1,
				 LID_UNICAST_MAX, &lid) == 0)
		return mad->addr.slid == lid;
	return is_gid(&mad->addr, host);
}

static void take_address(struct replay_asker *asker, const struct capture_mad *mad)
{
	asker->is_roce = mad->transport != CAPTURE_INFINIBAND;
	asker->lid = asker->is_roce ? 0 : mad->addr.slid;
	if (asker->is_roce)
		memcpy(asker->gid, mad->addr.sgid, 16);
}

void replay_search_count(struct replay_search *search, const struct capture_mad *mad)
{
	uint16_t slid = mad->addr.slid, dlid = mad->addr.dlid;

	count_route(search, mad->mad);
	if (search->host && !search->is_found && is_host(mad, search->host)) {
		take_address(&search->asker, mad);
		search->is_found = true;
	}
	if (!question_is_asked(mad->mad))
		return;
	if (mad->transport != CAPTURE_INFINIBAND) {
		count_gid(search, mad->addr.sgid);
		return;
	}
	if (slid <= LID_UNICAST_MAX)
		search->asked_by[slid]++;
	if (dlid <= LID_UNICAST_MAX)
		search->asked_at[dlid] = true;
}

/* The LID with most requests; of several, the lowest; 0: there is none. */
static uint16_t busiest_lid(const struct replay_search *search)
{
	uint16_t best = 0;

	for (uint16_t lid = 1; lid <= LID_UNICAST_MAX; lid++) {
		if (search->asked_by[lid] > (best ? search->asked_by[best] : 0))
			best = lid;
	}
	return best;
}

/* The RoCE port with most requests; of several, the first; NULL: there is none. */
static const struct gid_row *busiest_gid(const struct replay_search *search)
{
	const struct gid_row *best = NULL;

	for (unsigned int i = 0; i < search->gids->len; i++) {
		const struct gid_row *row = &g_array_index(search->gids, struct gid_row, i);

		if (!best || row->asked > best->asked)
			best = row;
	}
	return best;
}

static void choose_busiest(struct replay_search *search)
{
	const struct gid_row *gid = busiest_gid(search);
	uint16_t lid = busiest_lid(search);

	if (gid && !search->has_routes && gid->asked > search->asked_by[lid]) {
		search->asker.is_roce = true;
		memcpy(search->asker.gid, gid->gid, 16);
		return;
	}
	/* Nobody asks by LID: a LID that no request went to. */
	if (!lid) {
		for (lid = 1; lid < LID_UNICAST_MAX && search->asked_at[lid]; lid++)
			;
		search->asker.lid_is_made_up = true;
	}
	search->asker.lid = lid;
}

/* "LID 4, 192.168.37.174", at most five of them. */
static char *name_hosts(const struct replay_search *search)
{
	GString *names = g_string_new(NULL);
	unsigned int left = 5;

	for (unsigned int lid = 1; lid <= LID_UNICAST_MAX && left; lid++) {
		if (search->asked_by[lid]) {
			g_string_append_printf(names, "%sLID %u", names->len ? ", " : "", lid);
			left--;
		}
	}
	for (unsigned int i = 0; i < search->gids->len && left; i++, left--) {
		char text[INET6_ADDRSTRLEN];

		inet_ntop(AF_INET6, g_array_index(search->gids, struct gid_row, i).gid, text,
			  sizeof(text));
		g_string_append_printf(names, "%s%s", names->len ? ", " : "", text);
	}
	if (!left)
		g_string_append(names, ", ...");
	return g_string_free(names, false);
}

bool replay_search_choose(struct replay_search *search, char *reterr, size_t reterr_size)
{
	g_autofree char *names = NULL;

	search->asker.port_num = search->asker.own_port ? search->asker.own_port : 1;
	if (search->is_found)
		return true;
	choose_busiest(search);
	if (!search->host)
		return true;
	names = name_hosts(search);
	if (!*names && search->has_routes) {
		g_snprintf(reterr, reterr_size, "host '%s' sent nothing in the capture: its "
			   "requests have directed routes alone, and no LID; without a host they "
			   "are answered", search->host);
		return false;
	}
	g_snprintf(reterr, reterr_size, "host '%s' sent nothing in the capture; requests came from "
		   "%s", search->host, *names ? names : "nobody");
	return false;
}

/* ---- then: what is known of it ---- */

static void take_gid(struct replay_asker *asker, const uint8_t *gid)
{
	if (asker->port_guid || !get_be64(gid + 8) || asker->is_roce)
		return;
	asker->gid_prefix = get_be64(gid);
	asker->port_guid = get_be64(gid + 8);
}

static bool is_from(const struct replay_asker *asker, const struct capture_mad *mad)
{
	if (asker->is_roce)
		return mad->addr.has_grh && memcmp(mad->addr.sgid, asker->gid, 16) == 0;
	return mad->addr.slid == asker->lid;
}

/* Its own answers to a subnet manager. */
static void learn_node(struct replay_asker *asker, const uint8_t *mad)
{
	uint16_t attr = get_be16(mad + MAD_ATTR_ID);

	if (mad[MAD_CLASS] != MAD_CLASS_SUBN_LID || !is_good_answer(mad))
		return;
	if (attr == SMP_NODE_DESCRIPTION && !*asker->description)
		g_snprintf(asker->description, sizeof(asker->description), "%.*s", SMP_DATA_SIZE,
			   (const char *)mad + SMP_DATA);
	if (attr != SMP_NODE_INFO)
		return;
	asker->system_guid = get_be64(mad + NODE_SYSTEM_GUID);
	asker->node_guid = get_be64(mad + NODE_GUID);
	if (!asker->port_guid)
		asker->port_guid = get_be64(mad + NODE_PORT_GUID);
	asker->vendor_id = get_be32(mad + NODE_VENDOR_ID - 1) & 0xffffff;
	asker->device_id = get_be16(mad + NODE_DEVICE_ID);
}

/*
 * Its link, which it never asks itself over the wire: as the port at its other end has it, by which
 * requests along directed routes of one hop arrive.
 */
static void learn_link(struct replay_asker *asker, const uint8_t *mad)
{
	if (asker->width_active || mad[MAD_CLASS] != MAD_CLASS_SUBN_DR ||
	    mad[MAD_METHOD] != MAD_METHOD_GET_RESP || get_be16(mad + MAD_STATUS) != SMP_DIRECTION ||
	    get_be16(mad + MAD_ATTR_ID) != SMP_PORT_INFO || mad[SMP_HOP_CNT] != 1 ||
	    mad[SMP_INITIAL_PATH + 1] != asker->port_num ||
	    get_be32(mad + MAD_ATTR_MOD) != mad[PORT_LOCAL])
		return;
	asker->width_active = mad[PORT_WIDTH_ACTIVE];
	asker->speed_active = mad[PORT_SPEED_ACTIVE] >> 4;
	asker->speed_ext_active = mad[PORT_SPEED_EXT_ACTIVE] >> 4;
	/* It shows as NDR to those who do not know the other field. */
	if (asker->speed_ext_active == SPEED_NDR && mad[PORT_SPEED_EXT2] >> 5 & 1)
		asker->speed_ext_active = SPEED_XDR;
}

/* What the sides of a connection say of themselves. */
static void learn_cm(struct replay_asker *asker, const uint8_t *mad)
{
	uint16_t attr = get_be16(mad + MAD_ATTR_ID);
	uint64_t guid = 0;

	if (mad[MAD_CLASS] != MAD_CLASS_CM)
		return;
	if (attr == CM_CONNECT_REQUEST &&
	    (asker->is_roce || get_be16(mad + CM_REQ_PORT_LID) == asker->lid)) {
		take_gid(asker, mad + CM_REQ_PORT_GID);
		guid = get_be64(mad + CM_REQ_CA_GUID);
	} else if (attr == CM_CONNECT_REPLY) {
		guid = get_be64(mad + CM_REP_CA_GUID);
	}
	if (!asker->node_guid)
		asker->node_guid = guid;
}

static void learn_pkey(struct replay_asker *asker, const struct capture_mad *captured)
{
	if (captured->addr.dest_qp == 0 || asker->pkey_count == REPLAY_PKEYS_MAX)
		return;
	for (unsigned int i = 0; i < asker->pkey_count; i++) {
		if (asker->pkeys[i] == captured->addr.pkey)
			return;
	}
	asker->pkeys[asker->pkey_count++] = captured->addr.pkey;
}

static void take_identity(struct replay_asker *asker, const struct capture_interface *interface)
{
	struct capture_identity identity;

	if (interface->description)
		g_strlcpy(asker->description, interface->description, sizeof(asker->description));
	if (!capture_identity_parse(interface->comment, &identity))
		return;
	asker->node_guid = identity.node_guid;
	asker->port_guid = identity.port_guid;
	asker->system_guid = identity.system_guid;
	asker->vendor_id = identity.vendor_id;
	asker->device_id = (uint16_t)identity.device_id;
	if (asker->lid_is_made_up && identity.lid) {
		asker->lid = (uint16_t)identity.lid;
		asker->lid_is_made_up = false;
	}
}

/*
 * umadrig's own captures describe the port's node where they declare its interface. A request from
 * the requester's LID has left by it; one along a directed route has left by some port's, which may
 * be another's.
 */
static void learn_interface(struct replay_search *search, const struct capture_mad *captured,
			    const struct capture_interface *interface)
{
	bool is_own = is_from(&search->asker, captured);

	if (!interface || search->has_interface || captured->direction != CAPTURE_OUTBOUND ||
	    !question_is_asked(captured->mad))
		return;
	if (is_own) {
		search->has_interface = true;
		take_identity(&search->asker, interface);
	} else if (captured->addr.slid == LID_PERMISSIVE && !search->has_maybe) {
		search->has_maybe = true;
		take_identity(&search->asker, interface);
	}
}

void replay_search_learn(struct replay_search *search, const struct capture_mad *captured,
			 const struct capture_interface *interface)
{
	struct replay_asker *asker = &search->asker;
	const uint8_t *mad = captured->mad;
	bool is_its_own = is_from(asker, captured);
	bool is_sa = mad[MAD_CLASS] == MAD_CLASS_SUBN_ADM;

	if (is_its_own && captured->addr.has_grh)
		take_gid(asker, captured->addr.sgid);
	if (is_sa && is_its_own && question_is_asked(mad) && !asker->sm_lid) {
		asker->sm_lid = captured->addr.dlid;
		asker->sm_sl = captured->addr.sl;
	}
	if (is_sa && get_be16(mad + MAD_ATTR_ID) == SA_PATH_RECORD && is_good_answer(mad) &&
	    get_be16(mad + PATH_SLID) == asker->lid)
		take_gid(asker, mad + PATH_SGID);
	if (is_its_own) {
		learn_node(asker, mad);
		learn_cm(asker, mad);
	}
	learn_link(asker, mad);
	learn_interface(search, captured, interface);
	learn_pkey(asker, captured);
}

const struct replay_asker *replay_search_asker(const struct replay_search *search)
{
	return &search->asker;
}

bool replay_asker_find_host(const struct capture *capture, const char *host,
			    struct replay_asker *ret, char *reterr, size_t reterr_size)
{
	struct replay_search *search = replay_search_new(host);
	bool is_found;

	for (size_t i = 0; i < capture->mad_count; i++)
		replay_search_count(search, &capture->mads[i]);
	is_found = replay_search_choose(search, reterr, reterr_size);
	for (size_t i = 0; i < capture->mad_count; i++)
		replay_search_learn(search, &capture->mads[i],
				    capture_interface(capture, capture->mads[i].interface));
	*ret = search->asker;
	replay_search_free(search);
	return is_found;
}

void replay_asker_format_unknown(const struct replay_asker *asker, char *buf, size_t size)
{
	const struct {
		const char *name;
		bool is_unknown;
	} parts[] = {
		{ "LID", asker->lid_is_made_up },
		{ "node GUID", !asker->node_guid },
		{ "port GUID", !asker->port_guid && !asker->is_roce },
		{ "vendor ID", !asker->vendor_id },
		{ "device ID", !asker->device_id },
		{ "description", !*asker->description },
	};

	*buf = '\0';
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		if (!parts[i].is_unknown)
			continue;
		if (*buf)
			g_strlcat(buf, ", ", size);
		g_strlcat(buf, parts[i].name, size);
	}
}

void replay_asker_find(const struct capture *capture, struct replay_asker *ret)
{
	replay_asker_find_host(capture, NULL, ret, NULL, 0);
}
