/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What two fabrics differ in, for people and for programs: first how much, then each change.
 */
#ifndef UMADRIG_HARNESS_SHOW_FABRIC_DIFFERENCE_H
#define UMADRIG_HARNESS_SHOW_FABRIC_DIFFERENCE_H

#include <stdio.h>

#include "sim/facts/facts-change.h"

/* 'a' and 'b': what the fabrics are called. The first 'limit' changes are printed. */
void fabric_difference_print(const struct facts_changes *changes, const char *a, const char *b,
			     size_t limit, FILE *stream);
/* The same in JSON, a line each (doc/schema/diff-fabric.json). */
void fabric_difference_print_json(const struct facts_changes *changes, const char *a,
				  const char *b, size_t limit, FILE *stream);

#endif
