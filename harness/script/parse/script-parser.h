/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The parser's insides, shared by its files: harness/script/parse/script-parse.c (events, statements, files),
 * harness/script/parse/script-block.c, harness/script/parse/script-directive.c and harness/script/parse/script-parse-expr.c (values, MADs, calls).
 *
 * A function that parses something returns NULL (or false) after it has diagnosed what is wrong;
 * the statement is then given up and parsing goes on behind it.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_PARSE_SCRIPT_PARSER_H
#define UMADRIG_HARNESS_SCRIPT_PARSE_SCRIPT_PARSER_H

#include "harness/script/parse/script-lex.h"

/* Parentheses in parentheses: deeper than that is a mistake (and the parser recurses). */
#define PARSER_DEPTH_MAX 32

/* What a single expression may grow to when all defines are written out. */
#define EXPR_WEIGHT_MAX 20000

struct parser {
	struct script *script;
	GArray *tokens;		/* of struct token */
	guint at;
	unsigned int nest;	/* inside ( ) and field braces: newlines do not count */
	unsigned int depth;
	bool in_row;		/* cells stand side by side: "7 -EIO" is two, not a difference */
	unsigned int include_depth;
	struct settings *settings;	/* where directives go */
	GPtrArray *defines;
	GPtrArray *items;	/* where events go; NULL before the first scenario */
	struct settings file_settings;
	GPtrArray *file_defines;
	struct scenario *scenario;
};

/* The next token, and the one 'ahead' of it, newlines passed over where they do not count. */
const struct token *parser_peek(struct parser *parser);
const struct token *parser_peek_at(struct parser *parser, unsigned int ahead);
const struct token *parser_next(struct parser *parser);

/* Takes the next token if it is a 'kind'. */
const struct token *parser_accept(struct parser *parser, enum token_kind kind);
/* Takes the next token, which must be a 'kind': else "expected KIND 'what', found ...", NULL. */
const struct token *parser_expect(struct parser *parser, enum token_kind kind, const char *what);
/* Takes the ')' or '}' that closes 'open', or says that it is missing. */
bool parser_close(struct parser *parser, const struct token *open, enum token_kind kind);
/* Is the next token the word 'word'? */
bool parser_at_word(struct parser *parser, const char *word);
bool parser_accept_word(struct parser *parser, const char *word);

void parser_error(struct parser *parser, struct place place, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* "expected WHAT, found ..." at the next token. */
void parser_expected(struct parser *parser, const char *what);

/* value { + - * value } */
struct expr *parse_value(struct parser *parser);
/* METHOD(ATTRIBUTE) field=value ... { AttrField=value } exact, or a define's name, or $name. */
struct expr *parse_mad(struct parser *parser);
/* field=value ... alone: no method. */
struct mad_expr *parse_fields(struct parser *parser, struct place place);
/* NAME(arg, name=arg, ...) */
struct call_expr *parse_call(struct parser *parser);
/* name=value ... up to the end of the line, as a call without parentheses. */
struct call_expr *parse_bare_args(struct parser *parser, const char *name, struct place place);
/* One cell of a row of each: a value without arithmetic, or a MAD. */
struct expr *parse_cell(struct parser *parser);
/* How many nodes it has: what EXPR_WEIGHT_MAX bounds. */
unsigned int mad_expr_weight(const struct mad_expr *mad);

/* ---- harness/script/parse/script-directive.c ---- */

/* One line that begins with a word. */
bool parse_directive(struct parser *parser, bool in_block);

/* TAG [, TAG ...], put into 'tags'. */
bool parse_tag_list(struct parser *parser, GPtrArray *tags);

/* The file that 'name' means: relative to the script in which it stands. */
const char *parser_beside(struct parser *parser, const struct token *name);

/* The same of one that is there; NULL: diagnosed. */
const char *parser_existing(struct parser *parser, const struct token *name);

/* ---- harness/script/run/script-replay.c ---- */

/* replay "x.pcap" answer|timed [where ...] [rewrite tid] */
bool parse_replay(struct parser *parser);

/* ---- harness/script/run/script-wire.c ---- */

/* What stands behind 'wire'. */
bool parse_wire(struct parser *parser, struct step *step);

/* ---- harness/script/parse/script-parse.c ---- */

/* One line, or block. What is wrong with it is diagnosed, and passed over. */
void parse_statement(struct parser *parser, bool in_block);

/* Behind a statement that began at token 'from' and is wrong: to where the next one begins. */
void parser_skip(struct parser *parser, guint from);

bool parse_include(struct parser *parser);

/* ---- harness/script/parse/script-block.c ---- */

bool parse_on(struct parser *parser);
bool parse_each(struct parser *parser, struct place place);
bool parse_vary(struct parser *parser);

/* [= RESULT [fields] [MAD]] behind a call. */
bool parse_call_result(struct parser *parser, struct step *step);

/* ---- harness/script/mad/script-payload.c ---- */

/* data NAME = pattern(N) | flipped(OTHER, AT) | sealed(OTHER) | hex("00 1f") | {bytes} | "text" */
bool parse_data(struct parser *parser);

/* ---- harness/script/check/script-overlap.c ---- */

/* What stands behind 'start', and behind 'end'. */
bool parse_start(struct parser *parser, struct step *step);
bool parse_end(struct parser *parser, struct step *step);

/* ---- harness/script/run/script-program.c ---- */

/* What stands behind 'run', 'stop', 'link' and 'power'. */
bool parse_run(struct parser *parser, struct step *step);
bool parse_stop(struct parser *parser, struct step *step);
bool parse_link(struct parser *parser, struct step *step);
bool parse_power(struct parser *parser, struct step *step);

/* ---- harness/script/run/script-console.c ---- */

bool parse_do(struct parser *parser, struct step *step);

/* ---- harness/script/run/script-counter.c ---- */

/* What stands behind 'check'. */
bool parse_check(struct parser *parser, struct step *step);

/* ---- harness/script/run/script-fault.c ---- */

/* What stands behind 'fault'. */
bool parse_fault(struct parser *parser, struct step *step);

#endif
