/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The conversations of a capture as a table: what was asked, what was answered, how long that took,
 * what was lost on the way. MADs go in one by one; lines are printed as conversations end.
 */
#ifndef UMADRIG_HARNESS_SHOW_CONVERSATIONS_H
#define UMADRIG_HARNESS_SHOW_CONVERSATIONS_H

#include "harness/show/view.h"

/* One of SHOW_BYS. False: it is none; '*ret' is left alone. */
bool show_by_parse(const char *word, enum show_by *ret);

extern const struct view_kind conversations_view;

#endif
