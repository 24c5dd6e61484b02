/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The two ends of a draft that is made of a capture which does not name ports as the fabric does:
 * which captured ports they are, and which of the fabric.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_DRAFT_DRAFT_ENDS_H
#define UMADRIG_HARNESS_SCRIPT_DRAFT_DRAFT_ENDS_H

#include <glib.h>
#include <stdbool.h>

#include "harness/script/draft/draft-place.h"
#include "harness/script/draft/draft.h"
#include "harness/world/world.h"
#include "sim/capture/side.h"

struct draft_end {
	char *who;			/* in the capture: "LID 4", "192.168.1.2"; NULL: nobody */
	struct replay_asker seen;
	const struct draft_place *place;	/* NULL: the fabric has none that is left */
	const char *proof;		/* by what it is that; NULL: it is only taken for it */
};

/* All zero is valid for draft_ends_clear(). */
struct draft_ends {
	struct draft_places *places;
	struct draft_end ends[WORLD_ENDS];
	struct capture_stand stand;	/* A's */
	GArray *roles;			/* of struct draft_role */
	GString *facts;			/* conditions, a line each */
	GString *differs;		/* where capture and fabric do not agree, a line each */
};

/*
 * Finds them. 'world' has the fabric, made of 'file' (NULL: the default fabric). 'who' names ports
 * of the capture, as replay_search_new() takes them; NULL: the port that asks most, but no host of
 * an SA, which would have to answer by itself; and the one whose program answers it first. False
 * with a message, what is wrong and what to do. Cleared by draft_ends_clear() in either case.
 */
bool draft_ends_find(struct draft_ends *ends, struct world *world, const char *file,
		     const struct capture *capture, const char *const who[WORLD_ENDS],
		     GString *reterr);
void draft_ends_clear(struct draft_ends *ends);

#endif
