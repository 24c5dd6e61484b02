/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * wire == ...: all that has crossed A's cable, in both directions, and that no line of this kind
 * above has accounted for. Parsing and checking are declared where the parser's and
 * checker's insides are.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_SCRIPT_WIRE_H
#define UMADRIG_HARNESS_SCRIPT_RUN_SCRIPT_WIRE_H

#include "harness/script/run/script-run.h"

void run_wire(struct run *run, const struct step *step);

/* How many such lines the point has. */
unsigned int wire_count(const struct point *point);

/*
 * Does the capture of the line (which is read once, into '*capture') have just what 'crossed' (of
 * struct world_packet *) has? Where not, why is appended to 'why'. False with 'why' too where it
 * cannot be read. Those of 'crossed' that are compared at all are put into 'ret_meant'.
 */
struct capture;
bool wire_is_captured(struct run *run, const struct wire_expr *wire, const GPtrArray *crossed,
		      struct capture **capture, GPtrArray *ret_meant, GString *why);

#endif
