/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Values as scripts write them.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_TREE_EXPR_TEXT_H
#define UMADRIG_HARNESS_SCRIPT_TREE_EXPR_TEXT_H

#include "harness/script/tree/script.h"

/* Appends 'expr', with the brackets that it needs to have the same value anywhere in a line. */
void expr_append_text(GString *out, const struct expr *expr);

#endif
