/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What differs between two captures, for people and for programs: first how much, then each
 * difference with its fields side by side.
 */
#ifndef UMADRIG_HARNESS_SHOW_DIFFERENCE_H
#define UMADRIG_HARNESS_SHOW_DIFFERENCE_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/diff/diff.h"

struct difference_text;

/*
 * 'a' and 'b' are the captures' names, kept; 'b' NULL: what was asked now. 'json': a line of JSON
 * for each. Never NULL.
 */
struct difference_text *difference_text_new(const char *a, const char *b, bool json);

/* A diff_event_fn, whose 'ctx' is a struct difference_text *: keeps the event's text. */
void difference_text_take(void *ctx, const struct diff_event *event);

/* Prints all of it and frees 'text'. */
void difference_text_end(struct difference_text *text, const struct diff_counts *counts,
			 FILE *stream);

#endif
