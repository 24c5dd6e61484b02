/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What parsers of values, MADs and calls share; parser.h has what the rest of the parser uses.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_PARSE_EXPR_H
#define UMADRIG_HARNESS_SCRIPT_PARSE_EXPR_H

#include "harness/script/parse/parser.h"

/* A new expression of weight 1, from the arena. */
struct expr *expr_new(struct parser *parser, enum expr_kind kind, struct place place);
/* The weight of all 'exprs', which are struct expr *. */
unsigned int exprs_weight(const GPtrArray *exprs);

/* One level deeper, if PARSER_DEPTH_MAX allows it (false: diagnosed), and back. */
bool parser_enter(struct parser *parser);
void parser_leave(struct parser *parser);

/* Is the next token a word with '(' behind it? */
bool parser_at_mad(struct parser *parser);

/*
 * Parses values separated by commas, up to the 'close' that matches 'open', which has been taken.
 * 'one' parses one of them into 'into'; it returns false after it has diagnosed an error.
 */
bool parse_list(struct parser *parser, const struct token *open, enum token_kind close,
		bool (*one)(struct parser *parser, void *into), void *into);

#endif
