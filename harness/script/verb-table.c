/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * All verbs of scripts, for the parser, the checker and the runner.
 */
#include "harness/script/verb-table.h"

#include "harness/script/verb/verbs.h"

#define ROW(name) &verb_##name,

const struct script_verb *const script_verbs[] = { SCRIPT_VERBS(ROW) NULL };
