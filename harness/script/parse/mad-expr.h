/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What parsers of calls use of the parser of MADs.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_PARSE_MAD_EXPR_H
#define UMADRIG_HARNESS_SCRIPT_PARSE_MAD_EXPR_H

#include "harness/script/parse/expr.h"

/* A value, or a MAD: of what takes either. */
struct expr *parse_value_or_mad(struct parser *parser);
/* After $name: does a MAD continue here? */
bool parser_at_more_of_mad(struct parser *parser);

#endif
