/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What differs between two captures, or between a capture and what crosses a cable, for people and
 * for programs: first how much, then each difference with its fields side by side.
 */
#ifndef UMADRIG_HARNESS_SHOW_DIFFERENCE_H
#define UMADRIG_HARNESS_SHOW_DIFFERENCE_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/diff/diff.h"

struct difference_text;

/*
 * 'a' and 'b' are the captures' names, kept; 'b' NULL: what was asked now. 'is_json': a line of
 * JSON for each. Never NULL.
 */
struct difference_text *difference_text_new(const char *a, const char *b, bool is_json);

/*
 * The same, in few words, where B is not a capture but packets that have crossed a cable: their
 * numbers and times are said.
 */
struct difference_text *difference_text_new_wire(const char *a);

/* A diff_event_fn, whose 'ctx' is a struct difference_text *: keeps the event's text. */
void difference_text_take(void *ctx, const struct diff_event *event);

/* Are most of the differences so far in SMPs along directed routes, as two sweeps have them? */
bool difference_text_is_of_sweep(const struct difference_text *text);

/* Prints all of it and frees 'text'. */
void difference_text_end(struct difference_text *text, const struct diff_counts *counts,
			 FILE *stream);

/* Frees 'text'. Returns its differences alone, without the counts, to be freed with g_free(). */
char *difference_text_close(struct difference_text *text);

#endif
