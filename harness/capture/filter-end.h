/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Ends in filters: ports, LIDs and GIDs, each a word up to the next blank, of any characters.
 */
#ifndef UMADRIG_HARNESS_CAPTURE_FILTER_END_H
#define UMADRIG_HARNESS_CAPTURE_FILTER_END_H

#include "harness/capture/filter-test.h"
#include "harness/script/parse/parser.h"

/* What has an end as its value: "port", "from", "to", then fields that are GIDs; NULL ends it. */
extern const char *const filter_end_words[];

/*
 * The text for the lexer, to be freed: values of ends, such as "H1[1]" and "fe80::1", are replaced
 * by a word of the same length, so that every place is correct. Fields in braces have values as in
 * scenarios.
 */
char *filter_mask_ends(const char *text);

/* The value of an end as it was written, from the arena, and where; NULL: diagnosed. */
const char *filter_take_end(struct parser *parser, struct place *ret_place);
/*
 * Fills in the LID, GID or GUID that test->text is. False: what a port or node is called, or its
 * GUID, and so to be learned from the capture.
 */
bool filter_end_address(struct filter_test *test);

/* A GID as written, in the form that fields have; NULL: diagnosed. */
struct expr *filter_take_gid(struct parser *parser);

#endif
