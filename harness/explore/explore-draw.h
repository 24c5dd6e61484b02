/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Some of the faults, drawn for a run (swarm testing; Groce et al., ISSTA 2012).
 *
 * A run with all faults at once hides what shows only without some of them: where half of the
 * answers are lost, nobody gets as far as the second sweep. So each run has a part of them, and
 * other percentages.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_DRAW_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_DRAW_H

#include <stdint.h>

#include "sim/time/chance.h"

/*
 * From rules, NULL-terminated: each with a chance of 1 in 2 (one alone always), and its percentage
 * times a quarter, a half, one, two or four, up to 100 %. The same for the same number. To be freed
 * with g_strfreev().
 */
char **explore_draw(char **faults, uint64_t number);

/*
 * Others than 'drawn', which were drawn from 'faults' before: one more, one less (not the last
 * one), or one with another percentage, by chance. There is one fault at least. To be freed with
 * g_strfreev().
 */
char **explore_draw_near(char **faults, char **drawn, struct chance *chance);

#endif
