/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The conversations of a capture as a table of a page, which a small script sorts; without it the
 * table is as readable, in the order of the capture.
 */
#ifndef UMADRIG_HARNESS_REPORT_REPORT_TABLE_H
#define UMADRIG_HARNESS_REPORT_REPORT_TABLE_H

#include <glib.h>

#include "sim/capture/conversation.h"

struct mad_ends;

struct report_table {
	GString *rows;
	const struct mad_ends *ends;	/* which knows the names of all ports */
	uint64_t shown, all, answered, unanswered, retries, losses;
};

/* A conversation_fn, whose 'ctx' is a struct report_table *. */
void report_table_take(void *ctx, const struct conversation *conversation);
void report_table_append(GString *out, const struct report_table *table);

#endif
