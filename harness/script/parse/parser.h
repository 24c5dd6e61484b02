/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The parser's toolkit, for all functions that parse a part of a script.
 *
 * A function that parses something returns NULL (or false) after it has diagnosed an error; the
 * statement is then abandoned and parsing continues after it.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_PARSE_PARSER_H
#define UMADRIG_HARNESS_SCRIPT_PARSE_PARSER_H

#include "harness/script/parse/lex.h"

/*
 * Limits: bytes of one file, and of a script with everything it includes, each time it does. Fields
 * of one MAD; tags, needs, defines, ... of one scenario; and what all scenarios inherit from the
 * lines above the first one. No reasonable script comes near any of them.
 */
#define SCRIPT_SIZE_MAX (1u << 20)
#define SCRIPT_TOTAL_MAX (4u << 20)
#define FIELDS_MAX 300
#define SETTINGS_MAX 1000
#define VARIES_MAX 200
#define INHERITED_MAX 1000000

/* Nested parentheses: deeper ones are a mistake (and the parser recurses). */
#define PARSER_DEPTH_MAX 32

/* The largest size of a single expression when all defines are expanded. */
#define EXPR_WEIGHT_MAX 20000

struct include;

struct parser {
	struct script *script;
	struct arena *arena;		/* the script's */
	struct diagnostics *diagnostics;
	/* Parses one line or block. Errors are diagnosed and skipped. */
	void (*statement)(struct parser *parser, bool in_block);
	GArray *tokens;		/* of struct token */
	guint at;
	unsigned int nest;	/* inside ( ) and field braces: newlines do not count */
	unsigned int depth;
	/* Does NAME=VALUE of the verb come next, which is no field of a MAD? NULL: it has none. */
	bool (*at_own_field)(struct parser *parser);
	bool in_row;		/* cells are side by side: "7 -EIO" is two, not a difference */
	unsigned int include_depth;
	const struct include *include;	/* what is being read: it, and the files that include it */
	size_t taken;			/* bytes of all sources so far */
	size_t inherited;		/* entries that scenarios have inherited so far */
	GHashTable *titles;		/* const char * -> const struct scenario *: look-up only */
	struct settings *settings;	/* where directives go */
	GPtrArray *defines;
	GPtrArray *items;	/* where events go; NULL before the first scenario */
	struct settings file_settings;
	GPtrArray *file_defines;
	struct scenario *scenario;
};

/* The next token, and the one 'ahead' of it, skipping newlines where they do not count. */
const struct token *parser_peek(struct parser *parser);
const struct token *parser_peek_at(struct parser *parser, unsigned int ahead);
const struct token *parser_next(struct parser *parser);

/* Takes the next token if it is a 'kind'. */
const struct token *parser_accept(struct parser *parser, enum token_kind kind);
/* Takes the next token, which must be a 'kind': else "expected KIND 'what', found ...", NULL. */
const struct token *parser_expect(struct parser *parser, enum token_kind kind, const char *what);
/* Takes the ')' or '}' that closes the list behind 'open', or reports that it is missing. */
bool parser_close(struct parser *parser, const struct token *open, enum token_kind kind);
/* The same for the ')' or ']' behind a single value, which no comma continues. */
bool parser_close_one(struct parser *parser, const struct token *open, enum token_kind kind);
/* Is the next token the word 'word'? */
bool parser_at_word(struct parser *parser, const char *word);
bool parser_accept_word(struct parser *parser, const char *word);

/* What no sentence of doc/scenario-grammar.ebnf has. */
void parser_error(struct parser *parser, struct place place, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
/* What has its form, but cannot be: a file that is not there, a name that is given twice ... */
void parser_refuse(struct parser *parser, struct place place, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* "expected WHAT, found ..." at the next token. */
void parser_expected(struct parser *parser, const char *what);

/* After an invalid statement that began at token 'from': skips to the next one. */
void parser_skip(struct parser *parser, guint from);

/* May 'list' have one more entry, at most 'most' of them? False: diagnosed. */
bool parser_has_room(struct parser *parser, struct place place, const GPtrArray *list,
		     guint most);

/* Parses all statements of a file. */
void parser_take_source(struct parser *parser, const struct source *source);

/* A new step of 'verb', of its size, from the arena: a pointer to its own struct. */
void *parser_step(struct parser *parser, const struct script_verb *verb);

/* A time, or 0; 'what' it is, for the message. */
bool parse_duration(struct parser *parser, const char *what, int64_t *ret);

/* ---- harness/script/parse/expr.c ---- */

/* value { + - * value }, with brackets as in (a + b) * 2 */
struct expr *parse_value(struct parser *parser);
/* The next token, alone, as a value: a word, $name or a string. */
struct expr *parse_token(struct parser *parser);
/* The same where a port is meant: S1[3], "S1"[3] and "S1[3]" are one. */
struct expr *parse_port(struct parser *parser);
/* A value without arithmetic, but for what is in brackets. */
struct expr *parse_primary(struct parser *parser);

/* ---- harness/script/parse/mad-expr.c ---- */

/* METHOD(ATTRIBUTE) field=value ... { AttrField=value } exact, or a define's name, or $name. */
struct expr *parse_mad(struct parser *parser);
/* field=value ... alone: no method. */
struct mad_expr *parse_fields(struct parser *parser, struct place place);
/* [first..last] or [at], after the name of a field; true if it is absent, too. */
bool parse_byte_range(struct parser *parser, struct field_expr *field);
/* FIELD [, FIELD ...], put into 'names' as struct field_expr *; 'what' each is, for messages. */
bool parse_field_names(struct parser *parser, const char *what, GPtrArray *names);
/* The number of nodes, which EXPR_WEIGHT_MAX limits. */
unsigned int mad_expr_weight(const struct mad_expr *mad);

/* ---- harness/script/parse/call-expr.c ---- */

/* NAME(arg, name=arg, ...) */
struct call_expr *parse_call(struct parser *parser);
/* name=value ... up to the end of the line, as a call without parentheses. */
struct call_expr *parse_bare_args(struct parser *parser, const char *name, struct place place);
/* [= VALUE [fields] [MAD]] after a call. */
bool parse_result(struct parser *parser, struct result_expr *result);
/* One cell of a row of each: a value without arithmetic, or a MAD. */
struct expr *parse_cell(struct parser *parser);

/* ---- harness/script/parse/where.c ---- */

/* What follows 'where'; NULL: diagnosed. */
struct mad_expr *parse_where(struct parser *parser);

/* ---- harness/script/parse/tag.c ---- */

/* A name that may have dashes (kmod-stub), or a string. NULL: diagnosed. */
const char *parse_dashed(struct parser *parser);

/* TAG [, TAG ...], put into 'tags'. */
bool parse_tag_list(struct parser *parser, GPtrArray *tags);

/* ---- directives with a file of their own ---- */

bool parse_on(struct parser *parser);
bool parse_each(struct parser *parser, struct place place);
bool parse_vary(struct parser *parser);
bool parse_data(struct parser *parser);
bool parse_replay(struct parser *parser);
/*
 * [order=any], which ends a line that replays a capture: it need not be in order of time. True if
 * it is absent, too.
 */
bool parse_replay_order(struct parser *parser, bool *ret_any_order);

#endif
