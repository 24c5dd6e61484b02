/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Scripts in one style: what is before a line's event, and around it, is always the same.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_PARSE_SCRIPT_FORMAT_H
#define UMADRIG_HARNESS_SCRIPT_PARSE_SCRIPT_FORMAT_H

#include "harness/script/tree/script.h"

/*
 * The text of 'source' in the style of scripts, to be freed with g_free(): the same tokens and the
 * same comments, in the same lines. Formatting it again changes nothing. A file that only others
 * include can be formatted, too. NULL: it is no text of a script, which is in the diagnostics of
 * 'script' (whose verbs count).
 */
char *script_format(struct script *script, const struct source *source);

#endif
