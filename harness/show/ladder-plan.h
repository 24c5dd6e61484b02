/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What has to be known before a ladder can be drawn: which rails there are, and how far apart.
 * MADs go in one by one, in a first reading of the capture; or the rails are named.
 *
 * Ends are named once: a ladder whose MADs have gone in is drawn of them alone, with the rails that
 * they got then, whatever has been learned or written to the capture since.
 */
#ifndef UMADRIG_HARNESS_SHOW_LADDER_PLAN_H
#define UMADRIG_HARNESS_SHOW_LADDER_PLAN_H

#include <glib.h>

#include "harness/capture/mad-ends.h"
#include "harness/show/text.h"
#include "sim/capture/capture.h"

/* Rails of which a plan takes notice; further ports share the last rail. */
#define LADDER_RAILS_MAX 200
#define LADDER_TIME_WIDTH 16

/* A MAD that has gone in: 8 bytes for each. */
struct ladder_place {
	unsigned int frame;
	uint16_t from, to;	/* rails */
};

struct ladder_plan {
	GPtrArray *names;	/* of the rails, char * */
	GHashTable *rails;	/* name -> number + 1: look-up only */
	unsigned int last_frame;	/* that the first reading has seen */
	bool named;		/* by their user: there will be no more */
	GArray *needs;		/* size_t: what the labels between a rail and the next need */
	GArray *places;		/* of struct ladder_place; NULL: ends are named as they are drawn */
	size_t *columns;	/* of the rails: after ladder_plan_end() */
	unsigned int shown;	/* so many of them are drawn; after it, all others are one rail */
	size_t tail;		/* the longest TID's width */
	struct text text;
};

/*
 * 'ports' (NULL: those that appear): names divided by commas. 'is_read': the capture's MADs go in
 * before they are drawn; it cannot be false without 'ports'.
 */
struct ladder_plan *ladder_plan_new(const char *ports, bool is_read);
void ladder_plan_free(struct ladder_plan *plan);

/* A MAD that will be drawn. They come in the order of their frames. */
void ladder_plan_take(struct ladder_plan *plan, const struct mad_ends *ends,
		      const struct capture_mad *mad);

/* All rails are known: sets their columns, so that lines have 'width' characters; 0: any number. */
void ladder_plan_end(struct ladder_plan *plan, size_t width);

/* Has the MAD gone in? Every one has where nothing is read before it is drawn. */
bool ladder_plan_has(const struct ladder_plan *plan, const struct capture_mad *mad);

/*
 * The rail of one end of a MAD that the plan has: the last one, of all others, where it has none of
 * its own.
 */
unsigned int ladder_plan_rail(struct ladder_plan *plan, const struct mad_ends *ends,
			      const struct capture_mad *mad, bool source);

/* What a rail is called; the last one of a ladder that does not show all is "(others)". */
const char *ladder_plan_name(const struct ladder_plan *plan, unsigned int rail);

/* How many rails are drawn. */
unsigned int ladder_plan_count(const struct ladder_plan *plan);

#endif
