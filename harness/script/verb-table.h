/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * All verbs of scripts, ended by NULL: for script_load() and script_parse().
 */
#ifndef UMADRIG_HARNESS_SCRIPT_VERB_TABLE_H
#define UMADRIG_HARNESS_SCRIPT_VERB_TABLE_H

#include "harness/script/tree/verb.h"

extern const struct script_verb *const script_verbs[];

#endif
