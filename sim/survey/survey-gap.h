/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a capture does not say of a fabric, in words: lines for people, of char *, in a GPtrArray.
 */
#ifndef UMADRIG_SIM_SURVEY_SURVEY_GAP_H
#define UMADRIG_SIM_SURVEY_SURVEY_GAP_H

#include <glib.h>

#include "sim/survey/survey-map.h"
#include "sim/survey/survey.h"

/* Left out: it was there, and is not any more. */
void survey_gap_gone(GPtrArray *gaps, const struct survey_node *node);
/* Left out: no NodeInfo tells which node it is. */
void survey_gap_unknown(GPtrArray *gaps, struct survey_map *map, const struct survey_node *node);

/* Of a node that is there as 'node': its attributes and ports that nobody asked for. */
void survey_gap_node(GPtrArray *gaps, struct survey_map *map, int index,
		     const struct topology_node *node);

/* Of the whole. */
void survey_gap_fabric(GPtrArray *gaps, const struct topology *topology,
		       const struct survey_counts *counts);

#endif
