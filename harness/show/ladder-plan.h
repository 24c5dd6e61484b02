/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What has to be known before a ladder can be drawn: which rails there are, and how far apart.
 * MADs go in one by one, in a first reading of the capture; or the rails are named.
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

struct ladder_plan {
	GPtrArray *names;	/* of the rails, char * */
	GHashTable *rails;	/* name -> number + 1: look-up only */
	bool named;		/* by their user: there will be no more */
	GArray *needs;		/* size_t: what the labels between a rail and the next need */
	size_t *columns;	/* of the rails: after ladder_plan_end() */
	unsigned int shown;	/* so many of them are drawn; after it, all others are one rail */
	size_t tail;		/* the longest TID's width */
	struct text text;
};

/* 'ports' (NULL: those that appear): names divided by commas. */
struct ladder_plan *ladder_plan_new(const char *ports);
void ladder_plan_free(struct ladder_plan *plan);

/* A MAD that will be drawn. */
void ladder_plan_take(struct ladder_plan *plan, const struct mad_ends *ends,
		      const struct capture_mad *mad);

/* All rails are known: sets their columns, so that lines have 'width' characters; 0: any number. */
void ladder_plan_end(struct ladder_plan *plan, size_t width);

/* The rail of one end of a MAD: the last one, of all others, where it has none of its own. */
unsigned int ladder_plan_rail(struct ladder_plan *plan, const struct mad_ends *ends,
			      const struct capture_mad *mad, bool source);

/* What a rail is called; the last one of a ladder that does not show all is "(others)". */
const char *ladder_plan_name(const struct ladder_plan *plan, unsigned int rail);

/* How many rails are drawn. */
unsigned int ladder_plan_count(const struct ladder_plan *plan);

#endif
