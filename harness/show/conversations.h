/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The conversations of a capture as a table: what was asked, what was answered, how long that took,
 * what was lost on the way. MADs go in one by one; lines are printed as conversations end.
 */
#ifndef UMADRIG_HARNESS_SHOW_CONVERSATIONS_H
#define UMADRIG_HARNESS_SHOW_CONVERSATIONS_H

#include <stdio.h>

#include "harness/show/view.h"
#include "sim/capture/capture.h"

struct conversation_table;

/* Never NULL. */
struct conversation_table *conversation_table_new(const struct view_setup *setup);
void conversation_table_take(struct conversation_table *table, const struct capture_mad *mad);
/* Prints the rest, the totals by class and attribute, and the slowest ten; frees the table. */
void conversation_table_end(struct conversation_table *table);

/* One of SHOW_BYS. False: it is none; '*ret' is left alone. */
bool show_by_parse(const char *word, enum show_by *ret);

/* The same as a view (harness/show/view.h). */
extern const struct view_kind conversations_view;

#endif
