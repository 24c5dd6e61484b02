/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Is a file a script at all? Captures, programs and text that an editor has saved in another way
 * are named as what they are, instead of a message for each of their bytes.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_PARSE_TEXT_CHECK_H
#define UMADRIG_HARNESS_SCRIPT_PARSE_TEXT_CHECK_H

#include "harness/script/tree/diagnostic.h"

/* The longest line, in bytes. */
#define SCRIPT_LINE_MAX (64u << 10)

/* False: 'source' is no text of a script, which is diagnosed once. */
bool script_text_check(const struct source *source, struct diagnostics *diagnostics);

#endif
