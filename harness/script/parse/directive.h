/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The directives of a script: settings, each a line that begins with a word.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_PARSE_DIRECTIVE_H
#define UMADRIG_HARNESS_SCRIPT_PARSE_DIRECTIVE_H

#include "harness/script/parse/parser.h"

/* Parses one line that begins with a word. */
bool parse_directive(struct parser *parser, bool in_block);

#endif
