/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which port of a fabric a port of a capture is, where the capture does not name it as the fabric
 * does: by what MADs say of it.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_DRAFT_DRAFT_PLACE_H
#define UMADRIG_HARNESS_SCRIPT_DRAFT_DRAFT_PLACE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/world/world.h"
#include "sim/capture/capture.h"
#include "sim/capture/replay-asker.h"

/* An end port of the fabric. */
struct draft_place {
	char *label;		/* "H1[1]" */
	int node;		/* in the topology; -1: there is none */
	unsigned int port;
	uint16_t lid;		/* at the start; 0: none */
	uint8_t gid[16];
	uint64_t node_guid, port_guid;
	char description[REPLAY_DESCRIPTION_SIZE];
};

struct draft_places;

/*
 * The end ports of adapters of the fabric that 'world' has, which was made of the file 'file'
 * (NULL: the default fabric; then they are A and B). To be freed with draft_places_free(), which
 * takes NULL.
 */
struct draft_places *draft_places_new(struct world *world, const char *file);
void draft_places_free(struct draft_places *places);

/*
 * The place that the captured port 'seen' is, owned by 'places': by its GUIDs, its LID and its
 * description, and ('asks_by_routes') by where directed routes from there end. NULL: nothing says
 * so. '*ret_proof' is by what it was known, in words.
 */
const struct draft_place *draft_places_find(const struct draft_places *places,
					    const struct capture *capture,
					    const struct replay_asker *seen, bool asks_by_routes,
					    const char **ret_proof);
/* The first place that is not 'other'; NULL: there is none. */
const struct draft_place *draft_places_besides(const struct draft_places *places,
					       const struct draft_place *other);

/*
 * How many directed routes of the capture end, from this place, at the node that has answered; and
 * how many there are of which a node has answered at all.
 */
unsigned int draft_places_routes(const struct draft_places *places,
				 const struct draft_place *place, const struct capture *capture,
				 unsigned int *ret_all);

/* Does the directed route of this MAD lead from the place back to it? */
bool draft_places_is_back(const struct draft_places *places, const struct draft_place *place,
			  const uint8_t mad[MAD_SIZE]);

/*
 * Appends, one a line, what 'seen' and the fabric agree on about the place, as conditions of
 * 'check': "port(ROLE, Lid) == 4". What they differ in goes to 'differs', a line each.
 */
void draft_place_facts(const struct draft_place *place, const struct replay_asker *seen,
		       const char *role, GString *facts, GString *differs);

#endif
