/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What varies: the choices of a scenario, one after the other.
 *
 * 	vary segments in 1, 2, 64
 * 	vary lost in 1..$segments
 *
 * makes 67 choices: the last name changes fastest, and may use the ones before it. Names may vary
 * together: vary (act, errors) in (drop, 0), (corrupt, 1).
 */
#ifndef UMADRIG_HARNESS_SCRIPT_CHECK_VARY_H
#define UMADRIG_HARNESS_SCRIPT_CHECK_VARY_H

#include "harness/script/tree/value.h"

/* Names and their values. */
struct bindings {
	const GPtrArray *names;		/* of const char *; NULL: none */
	const GPtrArray *values;	/* of const struct expr * */
	const GPtrArray *shown;		/* those of the names that distinguish points */
};

/* The value of 'name', or NULL. */
const struct expr *bindings_find(const struct bindings *bindings, const char *name);

/* "segments=64 lost=3", to be freed; NULL where nothing is shown. */
char *bindings_text(const struct bindings *bindings);

struct choices;

/* The choices of 'scenario'; errors in them are diagnosed when they are made. */
struct choices *choices_new(struct arena *arena, struct diagnostics *diagnostics,
			    const struct scenario *scenario);
void choices_free(struct choices *choices);

/* The next choice, which lives as long as the arena. False: there is none. */
bool choices_next(struct choices *choices, struct bindings *ret);

#endif
