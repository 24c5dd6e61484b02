/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The parser: events, statements and whole scripts. An error ends a statement, not the file.
 */
#include "harness/script/parse/parse.h"

#include <string.h>

#include "harness/script/parse/directive.h"
#include "harness/script/parse/script-file.h"
#include "harness/script/tree/filter-word.h"
#include "harness/script/tree/verb.h"
#include "kmod-stub/event.h"

/* ---- times ---- */

static bool at_time(struct parser *parser)
{
	enum token_kind kind = parser_peek(parser)->kind;

	return kind == TOKEN_NUMBER || kind == TOKEN_TIME || kind == TOKEN_DECIMAL ||
	       kind == TOKEN_PLUS || kind == TOKEN_STAR || kind == TOKEN_USE ||
	       kind == TOKEN_LPAREN;
}

/* Numbers, times and names of values, and what is computed of them. */
static bool is_instant(const struct expr *expr)
{
	if (expr->kind == EXPR_BINARY)
		return is_instant(expr->left) && is_instant(expr->right);
	return expr->kind == EXPR_NUMBER || expr->kind == EXPR_TIME || expr->kind == EXPR_USE;
}

static const struct expr *parse_instant(struct parser *parser)
{
	const struct expr *expr = parse_value(parser);

	if (!expr || is_instant(expr))
		return expr;
	parser_error(parser, expr->place, "expected a time, such as 100ms");
	return NULL;
}

/* [+]T, [+]T ~ [+]T, * */
static bool parse_time(struct parser *parser, struct step_time *time)
{
	time->place = parser_peek(parser)->place;
	if (parser_accept(parser, TOKEN_STAR)) {
		time->kind = STEP_TIME_ANY;
		return true;
	}
	time->kind = STEP_TIME_POINT;
	time->from_relative = parser_accept(parser, TOKEN_PLUS) != NULL;
	time->from = parse_instant(parser);
	if (!time->from)
		return false;
	if (!parser_accept(parser, TOKEN_TILDE))
		return true;
	time->kind = STEP_TIME_WINDOW;
	time->to_relative = parser_accept(parser, TOKEN_PLUS) != NULL;
	time->to = parse_instant(parser);
	return time->to != NULL;
}

/* ---- events ---- */

/* Is the token this word, or this punctuation? */
static bool token_is(const struct token *token, const char *text)
{
	if (token->kind == TOKEN_WORD)
		return strcmp(token->text, text) == 0;
	return (token->kind == TOKEN_LESS || token->kind == TOKEN_GREATER) &&
	       token->place.source->text[token->place.offset] == text[0];
}

/* May the current line be one of 'verb', judging by its first word? */
static bool begins(struct parser *parser, const struct script_verb *verb)
{
	return verb->word && token_is(parser_peek(parser), verb->word) &&
	       (verb->follows == 0 ||
		(verb->follows & 1u << parser_peek_at(parser, 1)->kind) != 0);
}

/* The first word is known, the second is not: lists the possible ones. */
static void expected_second(struct parser *parser, const char *word)
{
	g_autoptr(GPtrArray) seconds = g_ptr_array_new();
	g_autoptr(GString) known = g_string_new(NULL);

	for (const struct script_verb *const *verb = parser->script->verbs; *verb; verb++) {
		if ((*verb)->word && strcmp((*verb)->word, word) == 0)
			g_ptr_array_add(seconds, (void *)(*verb)->second);
	}
	for (guint i = 0; i < seconds->len; i++)
		g_string_append_printf(known, "%s'%s'", i == 0 ? "" :
				       i + 1 == seconds->len ? " or " : ", ",
				       (const char *)seconds->pdata[i]);
	parser_next(parser);
	parser_expected(parser, known->str);
}

/* The verb of the current line; takes its words. NULL: diagnosed. */
static const struct script_verb *take_verb(struct parser *parser)
{
	const struct script_verb *call = NULL, *alone = NULL;
	const char *word = NULL;

	for (const struct script_verb *const *verb = parser->script->verbs; *verb; verb++) {
		if (!(*verb)->word)
			call = *verb;
		if (!begins(parser, *verb))
			continue;
		word = (*verb)->word;
		if (!(*verb)->second) {
			alone = *verb;
		} else if (token_is(parser_peek_at(parser, 1), (*verb)->second)) {
			parser_next(parser);
			parser_next(parser);
			return *verb;
		}
	}
	if (alone)
		parser_next(parser);
	else if (word)
		expected_second(parser, word);
	else if (parser_peek(parser)->kind == TOKEN_WORD)
		return call;
	else
		parser_expected(parser, "'<', '>', a call or another event after the time");
	return alone;
}

static bool parse_event(struct parser *parser)
{
	struct step_time time = { .kind = STEP_TIME_ANY };
	const struct script_verb *verb;
	struct place place;
	struct step *step;
	struct item *item;

	if (!parser->items) {
		parser_error(parser, parser_peek(parser)->place,
			     "events belong to a scenario: put 'scenario \"what it shows\"' above "
			     "them");
		return false;
	}
	if (!parse_time(parser, &time))
		return false;
	place = parser_peek(parser)->place;
	verb = take_verb(parser);
	step = verb ? verb->parse(parser) : NULL;
	if (!step)
		return false;
	step->place = place;
	step->time = time;
	item = arena_alloc(parser->arena, sizeof(*item));
	item->kind = ITEM_STEP;
	item->place = place;
	item->step = step;
	g_ptr_array_add(parser->items, item);
	return true;
}

/* Names that an invalid line would have bound are not reported in each line below it. */
static void lose_names(struct parser *parser, guint from)
{
	for (guint i = from; parser->scenario && i < parser->at; i++) {
		const struct token *token = &g_array_index(parser->tokens, struct token, i);

		if (token->kind == TOKEN_CAPTURE ||
		    (token->kind == TOKEN_WORD && token[1].kind == TOKEN_ASSIGN))
			g_ptr_array_add(parser->scenario->lost, (gpointer)token->text);
	}
}

/* Something follows a whole line. */
static void refuse_rest(struct parser *parser)
{
	const struct token *token = parser_peek(parser);
	const char *reason = token->kind == TOKEN_WORD ? filter_word_reason(token->text) : NULL;

	if (reason)
		parser_error(parser, token->place, "'%s' has no place here: %s", token->text,
			     reason);
	else
		parser_expected(parser, "the end of the line");
}

static void parse_statement(struct parser *parser, bool in_block)
{
	guint from = parser->at;
	unsigned int depth = parser->depth;
	bool ok;

	if (parser_accept(parser, TOKEN_NEWLINE))
		return;
	if (at_time(parser))
		ok = parse_event(parser);
	else if (parser_peek(parser)->kind == TOKEN_WORD)
		ok = parse_directive(parser, in_block);
	else {
		parser_expected(parser, "an event (which begins with its time) or a directive");
		ok = false;
	}
	if (ok && parser_peek(parser)->kind != TOKEN_NEWLINE &&
	    parser_peek(parser)->kind != TOKEN_END &&
	    !(in_block && parser_peek(parser)->kind == TOKEN_RBRACE)) {
		refuse_rest(parser);
		ok = false;
	}
	parser->depth = depth;
	if (!ok) {
		parser_skip(parser, from);
		lose_names(parser, from);
	}
}

/* ---- scripts ---- */

static struct script *script_new(const struct script_verb *const *verbs)
{
	struct script *script = g_new0(struct script, 1);

	script->verbs = verbs;
	script->sources = g_ptr_array_new_with_free_func((GDestroyNotify)source_free);
	script->scenarios = g_ptr_array_new();
	script->diagnostics = diagnostics_new();
	script->arena = arena_new();
	return script;
}

void script_free(struct script *script)
{
	if (!script)
		return;
	arena_free(script->arena);
	g_ptr_array_unref(script->scenarios);
	g_ptr_array_unref(script->sources);
	diagnostics_free(script->diagnostics);
	g_free(script->label);
	g_free(script);
}

static void parse_source(struct script *script, struct source *source)
{
	struct parser parser = {
		.script = script,
		.arena = script->arena,
		.diagnostics = script->diagnostics,
		.statement = parse_statement,
	};
	struct settings *settings = &parser.file_settings;

	script->source = source;
	settings->tags = arena_array(script->arena);
	settings->needs = arena_array(script->arena);
	settings->ignores = arena_array(script->arena);
	settings->varies = arena_array(script->arena);
	settings->payloads = arena_array(script->arena);
	/*
	 * Real timers have been observed a tick early and an eighth late
	 * (doc/scenario-language.md).
	 */
	settings->tolerance = (struct tolerance) {
		.early_ns = -1,
		.late_ns = 25 * NS_PER_MS,
		.late_millipercent = 12500,
		.per_try_ns = -1,
	};
	parser.settings = settings;
	parser.file_defines = arena_array(script->arena);
	parser.defines = parser.file_defines;
	parser.titles = g_hash_table_new(g_str_hash, g_str_equal);
	parser_take_file(&parser, source);
	g_hash_table_unref(parser.titles);
	if (script->scenarios->len == 0 && script->diagnostics->errors == 0)
		parser_error(&parser, (struct place) { .source = source },
			     "there is no scenario in this file: begin one with "
			     "'scenario \"what it shows\"'");
}

struct script *script_load(const char *path, const char *label,
			   const struct script_verb *const *verbs)
{
	struct script *script = script_new(verbs);
	g_autofree char *reterr = NULL;
	struct source *source = script_read(script, path, path, &reterr);

	script->label = label ? g_strdup(label) : g_path_get_basename(path);
	if (!source) {
		diagnose_error(script->diagnostics, (struct place) { .source = NULL }, "%s: %s",
			       path, reterr);
		return script;
	}
	parse_source(script, source);
	return script;
}

struct script *script_parse(const char *text, size_t size, const char *name,
			    const struct script_verb *const *verbs)
{
	struct script *script = script_new(verbs);
	struct source *source = source_new(name, g_strndup("", 0), 0);

	script->label = g_path_get_basename(name);
	g_free(source->text);
	source->text = g_malloc(size + 1);
	memcpy(source->text, text, size);
	source->text[size] = '\0';
	source->size = size;
	g_ptr_array_add(script->sources, source);
	if (size > SCRIPT_SIZE_MAX)
		diagnose_error(script->diagnostics, (struct place) { .source = source },
			       "the script is larger than 1 MiB");
	else
		parse_source(script, source);
	return script;
}
