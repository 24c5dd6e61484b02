/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * wire == ...: everything that has crossed A's cable, in both directions, and that no earlier line
 * of this kind has accounted for.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_VERB_WIRE_LINE_H
#define UMADRIG_HARNESS_SCRIPT_VERB_WIRE_LINE_H

#include "harness/script/check/checker.h"
#include "harness/script/run/run.h"
#include "sim/capture/capture.h"
#include "sim/diff/ignored-fields.h"

/*
 * > MAD or < MAD: one packet that has crossed the cable; the MAD is in 'mads', at the same index.
 */
struct wire_item {
	struct place place;
	bool leaves;
};

struct wire_step {
	struct step step;
	const char *capture;		/* path, or NULL: a list */
	GPtrArray *items;		/* of struct wire_item * */
	const GPtrArray *mads;		/* of const struct expr * */
	const struct mad_expr *where;	/* which MADs are compared; NULL: all */
	GPtrArray *ignoring;		/* of struct field_expr *, without values */
	bool any_order;
	struct place order_place;
};

struct wire_plan {
	const struct wire_step *line;
	GPtrArray *mads;		/* of const struct mad_pattern * */
	const struct mad_pattern *where;
	bool ignores_time;
};

/*
 * Does the line's capture (which is read once, into '*capture') contain exactly the packets of
 * 'crossed' (of struct world_packet *)? If not, or if it cannot be read, returns false and appends
 * the reason to 'why' (NULL: it is not wanted). The packets of 'crossed' that are compared at all
 * are put into 'ret_meant'.
 */
bool wire_is_captured(struct run *run, const struct wire_plan *wire, const GPtrArray *crossed,
		      struct capture **capture, GPtrArray *ret_meant, GString *why);

/*
 * Adds the field called 'name', as scenarios or the dictionary call it, to those that are not
 * compared. False: there is none, or it is not compared anyway.
 */
bool wire_ignore(const char *name, struct ignored_fields *ignored);

#endif
