/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The parser: events, statements and files. Errors end a statement, not the file.
 */
#include "harness/script/parse/script-parser.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "kmod-stub/event.h"

#define SCRIPT_SIZE_MAX (1u << 20)
#define INCLUDE_DEPTH_MAX 8

void *script_alloc(struct script *script, size_t size)
{
	void *memory = g_malloc0(size);

	g_ptr_array_add(script->memory, memory);
	return memory;
}

GPtrArray *script_array(struct script *script)
{
	GPtrArray *array = g_ptr_array_new();

	g_ptr_array_add(script->arrays, array);
	return array;
}

const char *script_text(struct script *script, const char *text, size_t size)
{
	char *copy = script_alloc(script, size + 1);

	memcpy(copy, text, size);
	return copy;
}

const struct token *parser_peek_at(struct parser *parser, unsigned int ahead)
{
	guint at = parser->at;

	for (;;) {
		const struct token *token = &g_array_index(parser->tokens, struct token, at);

		if (token->kind == TOKEN_END)
			return token;
		at++;
		if (token->kind == TOKEN_NEWLINE && parser->nest > 0)
			continue;
		if (ahead-- == 0)
			return token;
	}
}

const struct token *parser_peek(struct parser *parser)
{
	return parser_peek_at(parser, 0);
}

const struct token *parser_next(struct parser *parser)
{
	const struct token *token = parser_peek(parser);

	if (token->kind != TOKEN_END)
		parser->at =
			(guint)(token - (const struct token *)(void *)parser->tokens->data) + 1;
	return token;
}

const struct token *parser_accept(struct parser *parser, enum token_kind kind)
{
	return parser_peek(parser)->kind == kind ? parser_next(parser) : NULL;
}

bool parser_at_word(struct parser *parser, const char *word)
{
	const struct token *token = parser_peek(parser);

	return token->kind == TOKEN_WORD && strcmp(token->text, word) == 0;
}

bool parser_accept_word(struct parser *parser, const char *word)
{
	if (!parser_at_word(parser, word))
		return false;
	parser_next(parser);
	return true;
}

void parser_error(struct parser *parser, struct place place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diagnose_va(parser->script->diagnostics, place, true, format, args);
	va_end(args);
}

void parser_expected(struct parser *parser, const char *what)
{
	const struct token *token = parser_peek(parser);

	if (token->kind == TOKEN_WRONG)
		return;		/* the lexer has said so */
	if (token->kind == TOKEN_WORD)
		parser_error(parser, token->place, "expected %s, found '%s'", what, token->text);
	else
		parser_error(parser, token->place, "expected %s, found %s", what,
			     token_kind_name(token->kind));
}

bool parser_close(struct parser *parser, const struct token *open, enum token_kind kind)
{
	const struct token *token = parser_peek(parser);
	const char *mark = kind == TOKEN_RPAREN ? "')'" : "'}'";

	if (parser_accept(parser, kind))
		return true;
	if (token->place.line != open->place.line && token->kind != TOKEN_WRONG)
		parser_error(parser, open->place,
			     "no %s closes this: expected ',' or %s before line %u", mark, mark,
			     token->place.line);
	else
		parser_expected(parser, kind == TOKEN_RPAREN ? "',' or ')'" : "',' or '}'");
	return false;
}

const struct token *parser_expect(struct parser *parser, enum token_kind kind, const char *what)
{
	if (parser_peek(parser)->kind == kind)
		return parser_next(parser);
	parser_expected(parser, what);
	return NULL;
}

/* ---- times ---- */

static bool at_time(struct parser *parser)
{
	enum token_kind kind = parser_peek(parser)->kind;

	return kind == TOKEN_NUMBER || kind == TOKEN_TIME || kind == TOKEN_DECIMAL ||
	       kind == TOKEN_PLUS || kind == TOKEN_STAR || kind == TOKEN_USE;
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
	time->from = parse_value(parser);
	if (time->from == NULL)
		return false;
	if (!parser_accept(parser, TOKEN_TILDE))
		return true;
	time->kind = STEP_TIME_WINDOW;
	time->to_relative = parser_accept(parser, TOKEN_PLUS) != NULL;
	time->to = parse_value(parser);
	return time->to != NULL;
}

/* ---- events ---- */

bool parse_call_result(struct parser *parser, struct step *step)
{
	if (!parser_accept(parser, TOKEN_ASSIGN))
		return true;
	step->result = parse_value(parser);
	if (step->result == NULL)
		return false;
	parser_accept(parser, TOKEN_COMMA);
	step->result_umad = parse_fields(parser, parser_peek(parser)->place);
	if (step->result_umad == NULL)
		return false;
	parser_accept(parser, TOKEN_COMMA);
	if (parser_peek(parser)->kind == TOKEN_WORD || parser_peek(parser)->kind == TOKEN_USE) {
		step->result_mad = parse_mad(parser);
		return step->result_mad != NULL;
	}
	return true;
}

static bool parse_call_step(struct parser *parser, struct step *step)
{
	step->verb = STEP_CALL;
	if (parser_peek_at(parser, 1)->kind == TOKEN_ASSIGN) {
		step->bind_place = parser_peek(parser)->place;
		step->bind = parser_next(parser)->text;
		if (strchr(step->bind, '.') != NULL) {
			parser_error(parser, step->bind_place, "a name that is bound has no dots");
			return false;
		}
		parser_next(parser);
	}
	if (parser_peek(parser)->kind != TOKEN_WORD ||
	    parser_peek_at(parser, 1)->kind != TOKEN_LPAREN) {
		parser_expected(parser, "a call, as umad_open_port(...)");
		return false;
	}
	step->call = parse_call(parser);
	if (step->call == NULL)
		return false;
	return parse_call_result(parser, step);
}

/* peer listens class=... | peer answers MAD [after T] [with fields] */
static bool parse_peer_step(struct parser *parser, struct step *step)
{
	struct place place = parser_next(parser)->place;

	if (parser_accept_word(parser, "listens")) {
		step->verb = STEP_PEER_LISTENS;
		step->call = parse_bare_args(parser, "peer listens", place);
		return step->call != NULL;
	}
	if (!parser_accept_word(parser, "answers")) {
		parser_expected(parser, "'listens' or 'answers' behind 'peer'");
		return false;
	}
	step->verb = STEP_PEER_ANSWERS;
	step->mad = parse_mad(parser);
	if (step->mad == NULL)
		return false;
	if (parser_accept_word(parser, "after")) {
		step->after = parse_value(parser);
		if (step->after == NULL)
			return false;
	}
	if (parser_accept_word(parser, "with")) {
		step->answer = parse_fields(parser, parser_peek(parser)->place);
		return step->answer != NULL;
	}
	return true;
}

static bool parse_leaves(struct parser *parser, struct step *step)
{
	if (parser_accept_word(parser, "same")) {
		step->verb = STEP_SAME;
		return true;
	}
	if (parser_accept_word(parser, "nothing")) {
		step->verb = STEP_SILENCE;
		return true;
	}
	step->verb = STEP_LEAVES;
	step->mad = parse_mad(parser);
	return step->mad != NULL;
}

/* Events that begin with a word of their own. What stands behind it tells them from calls. */
static const struct word_event {
	const char *word;
	bool (*parse)(struct parser *parser, struct step *step);
} word_events[] = {
	{ "fault", parse_fault },
	{ "start", parse_start },
	{ "end", parse_end },
	{ "check", parse_check },
	{ "stop", parse_stop },
	{ "link", parse_link },
	{ "power", parse_power },
};

static const struct word_event *find_word_event(struct parser *parser)
{
	enum token_kind behind = parser_peek_at(parser, 1)->kind;

	for (size_t i = 0; i < G_N_ELEMENTS(word_events); i++) {
		if (parser_at_word(parser, word_events[i].word) &&
		    (behind == TOKEN_WORD || behind == TOKEN_USE))
			return &word_events[i];
	}
	return NULL;
}

static bool parse_verb(struct parser *parser, struct step *step)
{
	const struct token *token = parser_peek(parser);
	const struct word_event *event = find_word_event(parser);

	step->place = token->place;
	if (parser_accept(parser, TOKEN_LESS)) {
		step->verb = STEP_ARRIVES;
		step->mad = parse_mad(parser);
		return step->mad != NULL;
	}
	if (parser_accept(parser, TOKEN_GREATER))
		return parse_leaves(parser, step);
	if (token->kind != TOKEN_WORD) {
		parser_expected(parser, "'<', '>', a call or 'peer' behind the time");
		return false;
	}
	if (strcmp(token->text, "peer") == 0 && parser_peek_at(parser, 1)->kind == TOKEN_WORD)
		return parse_peer_step(parser, step);
	if (event != NULL) {
		parser_next(parser);
		return event->parse(parser, step);
	}
	if (parser_at_word(parser, "wire") && parser_peek_at(parser, 1)->kind == TOKEN_EQUAL) {
		parser_next(parser);
		return parse_wire(parser, step);
	}
	/* The lexer has made strings of what stands behind them. */
	if (parser_peek_at(parser, 1)->kind == TOKEN_STRING ||
	    parser_peek_at(parser, 1)->kind == TOKEN_USE) {
		if (parser_accept_word(parser, "run"))
			return parse_run(parser, step);
		if (parser_accept_word(parser, "do"))
			return parse_do(parser, step);
	}
	return parse_call_step(parser, step);
}

static bool parse_event(struct parser *parser)
{
	struct step *step = script_alloc(parser->script, sizeof(*step));
	struct item *item;

	if (parser->items == NULL) {
		parser_error(parser, parser_peek(parser)->place,
			     "events belong to a scenario: put 'scenario \"what it shows\"' above "
			     "them");
		return false;
	}
	if (!parse_time(parser, &step->time) || !parse_verb(parser, step))
		return false;
	item = script_alloc(parser->script, sizeof(*item));
	item->kind = ITEM_STEP;
	item->place = step->place;
	item->step = step;
	g_ptr_array_add(parser->items, item);
	return true;
}

/* What a line that is wrong would have bound is not missed in each line below it. */
static void lose_names(struct parser *parser, guint from)
{
	for (guint i = from; parser->scenario != NULL && i < parser->at; i++) {
		const struct token *token = &g_array_index(parser->tokens, struct token, i);

		if (token->kind == TOKEN_CAPTURE ||
		    (token->kind == TOKEN_WORD && token[1].kind == TOKEN_ASSIGN))
			g_ptr_array_add(parser->scenario->lost, (gpointer)token->text);
	}
}

/*
 * Behind a statement that is wrong: to the end of its line, or of the parentheses that it opened,
 * or of the block that it begins.
 */
void parser_skip(struct parser *parser, guint from)
{
	const struct token *first = &g_array_index(parser->tokens, struct token, from);
	bool is_block = first->kind == TOKEN_WORD &&
			(strcmp(first->text, "each") == 0 || strcmp(first->text, "on") == 0);
	guint stop = parser->at;
	int depth = 0;

	parser->nest = 0;
	for (parser->at = from;; parser->at++) {
		const struct token *token =
			&g_array_index(parser->tokens, struct token, parser->at);

		if (token->kind == TOKEN_END)
			return;
		depth += token->kind == TOKEN_LPAREN;
		depth -= token->kind == TOKEN_RPAREN;
		if (is_block) {
			depth += token->kind == TOKEN_LBRACE;
			depth -= token->kind == TOKEN_RBRACE;
			if (token->kind != TOKEN_NEWLINE || parser->at < stop || depth > 0)
				continue;
			return;
		}
		if (token->kind != TOKEN_NEWLINE || parser->at < stop)
			continue;
		/* A line that begins with a time is a new event: the parenthesis was forgotten. */
		if (depth <= 0 || token[1].kind == TOKEN_PLUS || token[1].kind == TOKEN_TIME ||
		    (token[1].kind == TOKEN_NUMBER && token[1].number == 0))
			return;
	}
}

void parse_statement(struct parser *parser, bool in_block)
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
		parser_expected(parser, "the end of the line");
		ok = false;
	}
	parser->depth = depth;
	if (!ok) {
		parser_skip(parser, from);
		lose_names(parser, from);
	}
}

static void parse_file(struct parser *parser, struct source *source)
{
	GArray *outer = parser->tokens;
	guint outer_at = parser->at;

	parser->tokens = script_lex(parser->script, source);
	parser->at = 0;
	while (parser_peek(parser)->kind != TOKEN_END)
		parse_statement(parser, false);
	g_array_unref(parser->tokens);
	parser->tokens = outer;
	parser->at = outer_at;
}

/* Reads a file into a source of the script; NULL with why in 'reterr' (to be freed). */
static struct source *read_source(struct script *script, const char *path, const char *name,
				  char **reterr)
{
	g_autoptr(GError) error = NULL;
	GStatBuf status;
	char *text;
	gsize size;
	struct source *source;

	/* Neither a directory nor what may never end: /dev/zero, a FIFO. */
	if (g_stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		*reterr = g_strdup("is no file");
		return NULL;
	}
	if (!g_file_get_contents(path, &text, &size, &error)) {
		*reterr = g_strdup(g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOENT) ?
				   "there is no such file" : error->message);
		return NULL;
	}
	if (size > SCRIPT_SIZE_MAX) {
		g_free(text);
		*reterr = g_strdup("is larger than 1 MiB, which no script is");
		return NULL;
	}
	source = source_new(name, text, size);
	g_ptr_array_add(script->sources, source);
	return source;
}

bool parse_include(struct parser *parser)
{
	const struct token *file = parser_expect(parser, TOKEN_STRING, "the file's name in quotes");
	struct place place;
	const char *path;
	g_autofree char *reterr = NULL;
	struct source *source;

	if (file == NULL)
		return false;
	place = file->place;
	if (parser->include_depth >= INCLUDE_DEPTH_MAX) {
		parser_error(parser, place, "files include each other more than %d deep",
			     INCLUDE_DEPTH_MAX);
		return false;
	}
	path = parser_beside(parser, file);
	source = read_source(parser->script, path, path, &reterr);
	if (source == NULL) {
		parser_error(parser, place, "%s: %s", path, reterr);
		return false;
	}
	parser->include_depth++;
	parse_file(parser, source);
	parser->include_depth--;
	return true;
}

static struct script *script_new(void)
{
	struct script *script = g_new0(struct script, 1);

	script->sources = g_ptr_array_new_with_free_func((GDestroyNotify)source_free);
	script->scenarios = g_ptr_array_new();
	script->memory = g_ptr_array_new_with_free_func(g_free);
	script->arrays = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	script->diagnostics = diagnostics_new();
	return script;
}

void script_free(struct script *script)
{
	if (script == NULL)
		return;
	for (guint i = 0; i < script->scenarios->len; i++) {
		struct scenario *scenario = script->scenarios->pdata[i];

		g_clear_pointer(&scenario->points[0], g_ptr_array_unref);
		g_clear_pointer(&scenario->points[1], g_ptr_array_unref);
	}
	g_ptr_array_unref(script->arrays);
	g_ptr_array_unref(script->memory);
	g_ptr_array_unref(script->scenarios);
	g_ptr_array_unref(script->sources);
	diagnostics_free(script->diagnostics);
	g_free(script);
}

static void parse_source(struct script *script, struct source *source)
{
	struct parser parser = { .script = script };
	struct settings *settings = &parser.file_settings;

	script->source = source;
	settings->tags = script_array(script);
	settings->needs = script_array(script);
	settings->ignores = script_array(script);
	settings->varies = script_array(script);
	settings->payloads = script_array(script);
	/* Real timers were seen a tick early and an eighth late (doc/scenario-language.md). */
	settings->tolerance = (struct tolerance) {
		.early_ns = -1,
		.late_ns = 25 * NS_PER_MS,
		.late_millipercent = 12500,
		.per_try_ns = -1,
	};
	parser.settings = settings;
	parser.file_defines = script_array(script);
	parser.defines = parser.file_defines;
	parse_file(&parser, source);
	if (script->scenarios->len == 0 && script->diagnostics->errors == 0)
		diagnose_error(script->diagnostics, (struct place) { .source = source },
			       "there is no scenario in this file: begin one with "
			       "'scenario \"what it shows\"'");
}

struct script *script_load(const char *path, const char *name)
{
	struct script *script = script_new();
	g_autofree char *reterr = NULL;
	struct source *source = read_source(script, path, name != NULL ? name : path, &reterr);

	if (source == NULL) {
		diagnose_error(script->diagnostics, (struct place) { .source = NULL }, "%s: %s",
			       path, reterr);
		return script;
	}
	parse_source(script, source);
	return script;
}

struct script *script_parse(const char *text, size_t size, const char *name)
{
	struct script *script = script_new();
	struct source *source = source_new(name, g_strndup("", 0), 0);

	g_free(source->text);
	source->text = g_malloc(size + 1);
	memcpy(source->text, text, size);
	source->text[size] = '\0';
	source->size = size;
	g_ptr_array_add(script->sources, source);
	if (size > SCRIPT_SIZE_MAX)
		diagnose_error(script->diagnostics, (struct place) { .source = source },
			       "this is larger than 1 MiB, which no script is");
	else
		parse_source(script, source);
	return script;
}
