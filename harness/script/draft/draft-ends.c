/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The two ends of a draft: see harness/script/draft/draft-ends.h.
 */
#include "harness/script/draft/draft-ends.h"

#include <arpa/inet.h>
#include <string.h>

#include "harness/script/draft/draft-event.h"
#include "sim/capture/replay-question.h"

enum { MESSAGE_SIZE = 512 };

/* ---- who they are in the capture ---- */

/* Which ports of the capture have answered as a subnet administration: of the LIDs, to be freed. */
static bool *find_sa(const struct capture *capture)
{
	bool *sa = g_new0(bool, UINT16_MAX + 1);

	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];

		if (mad->transport == CAPTURE_INFINIBAND && draft_is_of_sa(mad->mad))
			sa[mad->addr.slid] = true;
	}
	return sa;
}

static bool has_sa(const bool *sa)
{
	return memchr(sa, 1, (UINT16_MAX + 1) * sizeof(*sa)) != NULL;
}

static bool is_by_lid(const struct capture_mad *mad)
{
	return mad->transport == CAPTURE_INFINIBAND && mad->mad[MAD_CLASS] != MAD_CLASS_SUBN_DR;
}

/* The LID that has asked most by LID, and has answered nobody as an SA; 0: there is none. */
static uint16_t busiest_besides(const struct capture *capture, const bool *sa)
{
	g_autofree unsigned int *asked = g_new0(unsigned int, UINT16_MAX + 1);
	uint16_t best = 0;

	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];

		if (is_by_lid(mad) && question_is_asked(mad->mad) &&
		    mad->addr.slid <= LID_UNICAST_MAX && !sa[mad->addr.slid])
			asked[mad->addr.slid]++;
	}
	for (uint16_t lid = 1; lid <= LID_UNICAST_MAX; lid++) {
		if (asked[lid] > asked[best])
			best = lid;
	}
	return best;
}

static char *gid_text(const uint8_t *gid)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	bool is_ipv4 = memcmp(gid, mapped, sizeof(mapped)) == 0;
	char text[INET6_ADDRSTRLEN];

	return g_strdup(is_ipv4 ? inet_ntop(AF_INET, gid + 12, text, sizeof(text)) :
				  inet_ntop(AF_INET6, gid, text, sizeof(text)));
}

static char *who_is(const struct replay_asker *seen)
{
	if (seen->is_roce)
		return gid_text(seen->gid);
	return seen->lid_is_made_up ? g_strdup("the port that asks by directed routes") :
				      g_strdup_printf("LID %u", seen->lid);
}

static bool find_self(struct draft_ends *ends, const struct capture *capture, const char *who,
		      const bool *sa, GString *reterr)
{
	struct draft_end *self = &ends->ends[WORLD_SELF];
	g_autofree char *lid = NULL;
	char message[MESSAGE_SIZE];

	if (!who && has_sa(sa)) {
		uint16_t best = busiest_besides(capture, sa);

		if (!best) {
			g_string_append(reterr, "only the host of the SA asks in it: name another "
					"port with --port, as in --port \"A=LID 5\"");
			return false;
		}
		who = lid = g_strdup_printf("%u", best);
	}
	if (!replay_asker_find_host(capture, who, &self->seen, message, sizeof(message))) {
		g_string_append_printf(reterr, "--port A=%s: %s", who, message);
		return false;
	}
	self->who = who_is(&self->seen);
	ends->stand = capture_stand_of(capture, &self->seen);
	return true;
}

/* The address that a program has answered from, or has asked from, first; to be freed, or NULL. */
static char *partner(const struct draft_ends *ends, const struct capture *capture)
{
	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];
		enum capture_side side = capture_side(&ends->stand, mad);

		if (side == CAPTURE_ELSEWHERE || draft_is_of_fabric(mad->mad) ||
		    mad_class_is_smp(mad->mad[MAD_CLASS]))
			continue;
		if (mad->transport != CAPTURE_INFINIBAND)
			return gid_text(side == CAPTURE_GOT ? mad->addr.sgid : mad->addr.dgid);
		if (mad->addr.slid != mad->addr.dlid)
			return g_strdup_printf("%u", side == CAPTURE_GOT ? mad->addr.slid :
									   mad->addr.dlid);
	}
	return NULL;
}

static bool find_peer(struct draft_ends *ends, const struct capture *capture, const char *who,
		      GString *reterr)
{
	struct draft_end *peer = &ends->ends[WORLD_PEER];
	g_autofree char *found = who ? NULL : partner(ends, capture);
	char message[MESSAGE_SIZE];

	if (!who && !found)
		return true;
	if (replay_asker_find_host(capture, who ? who : found, &peer->seen, message,
				   sizeof(message))) {
		peer->who = who_is(&peer->seen);
		return true;
	}
	if (who)
		g_string_append_printf(reterr, "--port B=%s: %s", who, message);
	return !who;
}

/* ---- which ports of the fabric they are ---- */

/* Have all MADs with LIDs left A, or come to it? Then those without have, too. */
static bool is_of_one_port(const struct capture *capture, uint16_t lid)
{
	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];

		if (is_by_lid(mad) && mad->addr.slid != lid && mad->addr.dlid != lid)
			return false;
	}
	return true;
}

/* Are those along directed routes another port's? */
static bool routes_are_others(const struct draft_ends *ends, const struct capture *capture,
			      const bool *sa)
{
	const struct draft_end *self = &ends->ends[WORLD_SELF];
	unsigned int right, all;

	if (self->seen.lid_is_made_up)
		return false;
	right = draft_places_routes(ends->places, self->place, capture, &all);
	if (all > 0)
		return right * 2 < all;
	return has_sa(sa) && !is_of_one_port(capture, self->seen.lid);
}

static bool place_ends(struct draft_ends *ends, const struct capture *capture, const bool *sa,
		       GString *reterr)
{
	struct draft_end *self = &ends->ends[WORLD_SELF], *peer = &ends->ends[WORLD_PEER];
	bool asks_by_routes = !has_sa(sa) || sa[self->seen.lid];

	self->place = draft_places_find(ends->places, capture, &self->seen, asks_by_routes,
					&self->proof);
	if (peer->who)
		peer->place = draft_places_find(ends->places, capture, &peer->seen, false,
						&peer->proof);
	if (!self->place)
		self->place = draft_places_besides(ends->places, peer->place);
	if (!self->place) {
		g_string_append(reterr, "the fabric has no port of an adapter that could send it");
		return false;
	}
	if (peer->place == self->place) {
		peer->place = NULL;
		peer->proof = NULL;
	}
	if (peer->who && !peer->place)
		peer->place = draft_places_besides(ends->places, self->place);
	ends->stand.has_no_routes = routes_are_others(ends, capture, sa);
	if (self->seen.own_port && self->seen.own_port != self->place->port &&
	    !ends->stand.has_no_routes)
		g_string_append_printf(ends->differs, "%s: directed routes leave by port %u in the "
				       "capture\n", self->place->label, self->seen.own_port);
	return true;
}

/* ---- what the draft calls them ---- */

static void add_role(struct draft_ends *ends, const char *name, const struct draft_end *end)
{
	struct draft_role role = { .name = name, .has_gid = end->seen.is_roce };

	/* In a cold fabric they have no LIDs yet: those of the capture are what an SM gives. */
	if (!end->seen.is_roce && !end->seen.lid_is_made_up && end->place->lid)
		role.lid = end->seen.lid;
	memcpy(role.gid, end->seen.gid, 16);
	if (!end->seen.is_roce && end->seen.port_guid) {
		role.has_gid = true;
		put_be64(role.gid, end->seen.gid_prefix);
		put_be64(role.gid + 8, end->seen.port_guid);
	}
	memcpy(role.gid_here, end->place->gid, 16);
	g_array_append_val(ends->roles, role);
}

static void add_roles(struct draft_ends *ends, struct world *world)
{
	static const char *const names[WORLD_ENDS] = { "self", "peer" };
	const struct draft_end *self = &ends->ends[WORLD_SELF];
	struct world_address address;

	for (int end = 0; end < WORLD_ENDS; end++) {
		const struct draft_end *it = &ends->ends[end];

		if (!it->who || !it->place)
			continue;
		add_role(ends, names[end], it);
		draft_place_facts(it->place, &it->seen, names[end], ends->facts, ends->differs);
	}
	if (self->seen.sm_lid && world->kind->address(world, "sm", &address) == 0 && address.lid) {
		struct draft_role role = { .name = "sm", .lid = self->seen.sm_lid };

		g_array_append_val(ends->roles, role);
	}
}

bool draft_ends_find(struct draft_ends *ends, struct world *world, const char *file,
		     const struct capture *capture, const char *const who[WORLD_ENDS],
		     GString *reterr)
{
	g_autofree bool *sa = find_sa(capture);

	ends->roles = g_array_new(false, true, sizeof(struct draft_role));
	ends->facts = g_string_new(NULL);
	ends->differs = g_string_new(NULL);
	ends->places = draft_places_new(world, file);
	if (!find_self(ends, capture, who[WORLD_SELF], sa, reterr) ||
	    !find_peer(ends, capture, who[WORLD_PEER], reterr) ||
	    !place_ends(ends, capture, sa, reterr))
		return false;
	add_roles(ends, world);
	return true;
}

void draft_ends_clear(struct draft_ends *ends)
{
	for (int end = 0; end < WORLD_ENDS; end++)
		g_free(ends->ends[end].who);
	draft_places_free(ends->places);
	if (!ends->roles)
		return;
	g_array_unref(ends->roles);
	g_string_free(ends->facts, true);
	g_string_free(ends->differs, true);
}
