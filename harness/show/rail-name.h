/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the two ends of a MAD are called in drawings: the port's name where it is known
 * ("H1[1]"), else its address ("LID 4", "fe80::1"), else the route to it ("DR 0,1,3"). And what the
 * arrow between them is labelled with.
 */
#ifndef UMADRIG_HARNESS_SHOW_RAIL_NAME_H
#define UMADRIG_HARNESS_SHOW_RAIL_NAME_H

#include "harness/capture/mad-ends.h"
#include "harness/show/text.h"
#include "sim/capture/capture.h"

/* Appends the name of the MAD's source, or of its destination. */
void rail_name(struct text *out, const struct mad_ends *ends, const struct capture_mad *mad,
	       bool source);

/* "SubnGet(NodeInfo)", and the status where it is not 0: what an arrow is labelled with. */
void rail_label(struct text *out, const struct capture_mad *mad);

#endif
