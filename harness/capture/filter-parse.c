/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Parses filters: tokens and values are those of scenarios (harness/script/parse), and fields are
 * found as those of patterns are (harness/script/mad/resolve.c).
 */
#include "harness/capture/filter-parser.h"

#include <string.h>

#include "harness/capture/filter-end.h"

/* Items that are a word alone. */
static const struct {
	const char *word;
	enum filter_what what;
	bool looks_ahead;
} alone[] = {
	{ "dropped", FILTER_DROPPED, false },
	{ "unanswered", FILTER_UNANSWERED, true },
	{ "changed", FILTER_CHANGED, true },
};

enum { FILTER_ITEMS_MAX = 1000, HINT_SIZE = 100 };

static bool take_operator(struct parser *parser, enum filter_operator *ret)
{
	static const struct {
		enum token_kind kind;
		enum filter_operator operator;
	} operators[] = {
		{ TOKEN_ASSIGN, FILTER_EQUAL }, { TOKEN_EQUAL, FILTER_EQUAL },
		{ TOKEN_NOT_EQUAL, FILTER_DIFFERENT }, { TOKEN_LESS, FILTER_LESS },
		{ TOKEN_LESS_EQUAL, FILTER_AT_MOST }, { TOKEN_GREATER, FILTER_MORE },
		{ TOKEN_GREATER_EQUAL, FILTER_AT_LEAST },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(operators); i++) {
		if (!parser_accept(parser, operators[i].kind))
			continue;
		*ret = operators[i].operator;
		return true;
	}
	return false;
}

static bool is_operator(enum token_kind kind)
{
	return kind == TOKEN_ASSIGN || kind == TOKEN_EQUAL || kind == TOKEN_NOT_EQUAL ||
	       kind == TOKEN_LESS || kind == TOKEN_LESS_EQUAL || kind == TOKEN_GREATER ||
	       kind == TOKEN_GREATER_EQUAL;
}

static struct expr *take_value(struct filter_parser *p)
{
	struct parser *parser = &p->parser;

	if (parser_peek(parser)->kind == TOKEN_END) {
		parser_error(parser, parser_peek(parser)->place, "a value is missing here");
		return NULL;
	}
	return parse_value(parser);
}

static bool parse_end(struct filter_parser *p, const struct token *name, enum filter_what what,
		      enum filter_operator operator, bool negated)
{
	struct filter_test *test;
	struct place place;
	const char *text;

	if (operator != FILTER_EQUAL && operator != FILTER_DIFFERENT) {
		parser_error(&p->parser, name->place, "%s takes = or !=", name->text);
		return false;
	}
	text = filter_take_end(&p->parser, &place);
	if (!text)
		return false;
	test = filter_test_new(p, what, operator);
	test->negated = negated;
	test->text = text;
	if (!filter_end_address(test))
		p->filter->names_ports = true;
	return true;
}

static bool parse_number(struct filter_parser *p, enum filter_what what,
			 enum filter_operator operator, bool negated, const char *expected)
{
	struct expr *value = take_value(p);
	struct filter_test *test;

	if (!value)
		return false;
	test = filter_test_new(p, what, operator);
	test->negated = negated;
	if (expr_constant_number(value, &test->value))
		return true;
	diagnose_expected(p->parser.diagnostics, value, expected);
	return false;
}

static bool window_time(struct parser *parser, int64_t *ret)
{
	const struct token *token = parser_peek(parser);

	if (token->kind != TOKEN_TIME && (token->kind != TOKEN_NUMBER || token->number != 0))
		return false;
	*ret = parser_next(parser)->time_ns;
	return true;
}

static bool parse_trip(struct filter_parser *p, enum filter_operator operator, bool negated)
{
	const struct token *token = parser_peek(&p->parser);
	struct filter_test *test = filter_test_new(p, FILTER_TRIP, operator);
	int64_t trip_ns;

	test->negated = negated;
	p->filter->look_ahead = "trip";
	if (window_time(&p->parser, &trip_ns)) {
		test->value = (uint64_t)trip_ns;
		return true;
	}
	parser_error(&p->parser, token->place, "a round trip is a time, such as trip>1ms");
	return false;
}

/* A method that represents the class of the alternative, for harness/script/mad/resolve.c. */
static const struct mad_expr *mad_around(struct filter_parser *p, struct field_expr *field)
{
	struct mad_expr *mad = arena_alloc(p->parser.arena, sizeof(*mad));

	mad->place = field->place;
	mad->args = arena_array(p->parser.arena);
	mad->fields = arena_array(p->parser.arena);
	g_ptr_array_add(mad->fields, field);
	if (field->in_attribute) {
		g_autofree char *name = g_strdup_printf("%sGet", p->class_info->prefix);

		mad->name = arena_text(p->parser.arena, name, strlen(name));
		if (p->attribute)
			g_ptr_array_add(mad->args, (gpointer)p->attribute);
	}
	return mad;
}

/* A field of the headers, or of the attribute that precedes it. */
static bool is_of_attribute(struct filter_parser *p, const char *name)
{
	const char *suggestion;

	return p->attribute && !term_find(name, MAD_LEAVES, &suggestion);
}

/*
 * Parses an item whose value is of a special kind. 'ret_ok': whether it was valid. False: it is a
 * field.
 */
static bool parse_special(struct filter_parser *p, const struct token *name,
			  enum filter_operator operator, bool negated, bool *ret_ok)
{
	static const enum filter_what whats[] = { FILTER_PORT, FILTER_FROM, FILTER_TO };

	if (strcmp(name->text, "frame") == 0) {
		*ret_ok = parse_number(p, FILTER_FRAME, operator, negated, "the number of a frame");
		return true;
	}
	if (strcmp(name->text, "trap") == 0) {
		*ret_ok = parse_number(p, FILTER_TRAP, operator, negated, "the number of a trap");
		return true;
	}
	if (strcmp(name->text, "retry") == 0) {
		p->filter->look_ahead = "retry";
		*ret_ok = parse_number(p, FILTER_RETRY, operator, negated,
				       "how often a request was sent again");
		return true;
	}
	if (strcmp(name->text, "trip") == 0) {
		*ret_ok = parse_trip(p, operator, negated);
		return true;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(whats); i++) {
		if (strcmp(name->text, filter_end_words[i]) == 0) {
			*ret_ok = parse_end(p, name, whats[i], operator, negated);
			return true;
		}
	}
	return false;
}

static bool parse_field(struct filter_parser *p, bool in_attribute, bool negated)
{
	struct parser *parser = &p->parser;
	const struct token *name = parser_next(parser);
	struct field_expr *field = arena_alloc(parser->arena, sizeof(*field));
	const struct mad_pattern *pattern;
	enum filter_operator operator;
	bool ok;

	field->place = name->place;
	field->name = name->text;
	field->in_attribute = in_attribute || is_of_attribute(p, name->text);
	if (!parse_byte_range(&p->parser, field))
		return false;
	if (!take_operator(parser, &operator)) {
		parser_error(parser, parser_peek(parser)->place,
			     "expected =, !=, <, <=, > or >= after %s", name->text);
		return false;
	}
	if (!in_attribute && parse_special(p, name, operator, negated, &ok))
		return ok;
	if (!in_attribute && (strcmp(name->text, "sgid") == 0 || strcmp(name->text, "dgid") == 0))
		field->value = filter_take_gid(parser);
	else
		field->value = take_value(p);
	if (!field->value)
		return false;
	pattern = mad_resolve(parser->arena, parser->diagnostics, mad_around(p, field), MAD_LEAVES);
	return pattern && filter_add_term(p, pattern->terms->pdata[0], operator, negated);
}

/* { Field=value, ... } */
static bool parse_braces(struct filter_parser *p, bool negated)
{
	struct parser *parser = &p->parser;
	const struct token *open = parser_next(parser);

	if (!p->class_info) {
		parser_error(parser, open->place, "fields in braces need an attribute before "
			     "them, such as SubnGet(PortInfo) { LinkState=Down }");
		return false;
	}
	while (!parser_accept(parser, TOKEN_RBRACE)) {
		if (parser_peek(parser)->kind == TOKEN_END) {
			parser_error(parser, open->place, "this '{' is never closed");
			return false;
		}
		if (parser_peek(parser)->kind != TOKEN_WORD) {
			parser_expected(parser, "the name of a field");
			return false;
		}
		if (!parse_field(p, true, negated))
			return false;
		parser_accept(parser, TOKEN_COMMA);
	}
	return true;
}

static bool resolve_attribute(struct filter_parser *p, const struct token *name,
			      const struct expr *arg, struct filter_test *test)
{
	const struct mad_attribute *attribute;
	const char *suggestion = NULL;
	uint64_t number;
	char hint[HINT_SIZE];

	if (arg->kind != EXPR_WORD) {
		if (!expr_constant_number(arg, &number) || number > 0xffff) {
			parser_error(&p->parser, arg->place,
				     "expected an attribute: a name, or a number up to 0xffff");
			return false;
		}
		test->attr_id = (int)number;
		return true;
	}
	attribute = mad_attribute_by_name(test->class_info, arg->text, &suggestion);
	if (attribute) {
		test->attr_id = attribute->id;
		return true;
	}
	parser_error(&p->parser, arg->place, "%s has no attribute %s%s", name->text, arg->text,
		     did_you_mean(suggestion, hint, sizeof(hint)));
	return false;
}

/* SubnGet(PortInfo), Subn(PortInfo), SUBN_DR. */
static bool parse_method(struct filter_parser *p, bool negated)
{
	struct parser *parser = &p->parser;
	const struct token *name = parser_next(parser), *open;
	struct filter_test *test = filter_test_new(p, FILTER_METHOD, FILTER_EQUAL);
	const struct expr *arg = NULL;
	const char *suggestion = NULL;
	char hint[HINT_SIZE];
	uint8_t method;

	test->negated = negated;
	if (mad_method_parse(name->text, &test->class_info, &method, &suggestion)) {
		test->method = method;
	} else {
		test->class_info = mad_class_by_name(name->text);
		if (!test->class_info) {
			parser_error(parser, name->place,
				     "there is no method or class '%s', and no field follows it "
				     "with a value%s", name->text,
				     did_you_mean(suggestion, hint, sizeof(hint)));
			return false;
		}
		test->one_class = strcmp(test->class_info->prefix, name->text) != 0;
	}
	open = parser_accept(parser, TOKEN_LPAREN);
	if (open) {
		arg = take_value(p);
		if (!arg || !parser_close(parser, open, TOKEN_RPAREN) ||
		    !resolve_attribute(p, name, arg, test))
			return false;
	}
	if (!negated) {
		p->class_info = test->class_info;
		p->attribute = arg;
	}
	return true;
}

/* 1s~2s, 1s~, ~2s. */
static bool parse_window(struct filter_parser *p, bool negated)
{
	struct parser *parser = &p->parser;
	const struct token *first = parser_peek(parser);
	struct filter_test *test = filter_test_new(p, FILTER_TIME, FILTER_EQUAL);
	bool has_from, has_to;

	test->negated = negated;
	test->from_ns = INT64_MIN;
	test->to_ns = INT64_MAX;
	has_from = window_time(parser, &test->from_ns);
	if (!parser_accept(parser, TOKEN_TILDE)) {
		parser_error(parser, first->place, "a time is written from~to, such as 1s~2s; "
			     "either may be left out");
		return false;
	}
	has_to = window_time(parser, &test->to_ns);
	if ((!has_from && !has_to) || test->from_ns >= test->to_ns) {
		parser_error(parser, first->place, "%s", has_from && has_to ?
			     "this time ends before it begins" :
			     "a time is written from~to, such as 1s~2s");
		return false;
	}
	return true;
}

/* False: it is no such word. */
static bool parse_alone(struct filter_parser *p, bool negated)
{
	for (size_t i = 0; i < G_N_ELEMENTS(alone); i++) {
		if (!parser_accept_word(&p->parser, alone[i].word))
			continue;
		filter_test_new(p, alone[i].what, FILTER_EQUAL)->negated = negated;
		if (alone[i].looks_ahead)
			p->filter->look_ahead = alone[i].word;
		return true;
	}
	return false;
}

static bool parse_item(struct filter_parser *p)
{
	struct parser *parser = &p->parser;
	bool negated = parser_accept_word(parser, "not");
	const struct token *token = parser_peek(parser);
	enum token_kind next = parser_peek_at(parser, 1)->kind;

	if (p->items++ == FILTER_ITEMS_MAX) {
		parser_error(parser, token->place, "a filter has at most %d items",
			     FILTER_ITEMS_MAX);
		return false;
	}
	if (token->kind == TOKEN_LBRACE)
		return parse_braces(p, negated);
	if (token->kind == TOKEN_TIME || token->kind == TOKEN_TILDE ||
	    (token->kind == TOKEN_NUMBER && next == TOKEN_TILDE))
		return parse_window(p, negated);
	if (token->kind == TOKEN_WORD && (is_operator(next) || next == TOKEN_LBRACKET))
		return parse_field(p, false, negated);
	if (parse_alone(p, negated))
		return true;
	if (token->kind == TOKEN_WORD)
		return parse_method(p, negated);
	if (token->kind == TOKEN_END)
		parser_error(parser, token->place, "something has to follow here");
	else
		parser_expected(parser, "a method, a field with a value, or a time such as 1s~2s");
	return false;
}

static void begin_rule(struct filter_parser *p)
{
	p->rule = arena_array(p->parser.arena);
	g_ptr_array_add(p->filter->rules, p->rule);
	p->class_info = NULL;
	p->attribute = NULL;
}

static bool parse_all(struct filter_parser *p)
{
	struct parser *parser = &p->parser;

	begin_rule(p);
	while (parser_peek(parser)->kind != TOKEN_END) {
		if (!parse_item(p))
			return false;
		if (parser_accept_word(parser, "or")) {
			begin_rule(p);
		} else if (!parser_accept_word(parser, "and")) {
			continue;
		}
		if (parser_peek(parser)->kind == TOKEN_END) {
			parser_error(parser, parser_peek(parser)->place,
				     "something has to follow here");
			return false;
		}
	}
	return true;
}

/* A '#' would begin a comment: what follows it would silently be ignored. */
static bool find_comment(struct parser *parser, const struct source *source)
{
	bool quoted = false;

	for (size_t at = 0; at < source->size; at++) {
		if (source->text[at] == '\\' && quoted)
			at++;
		else if (source->text[at] == '"')
			quoted = !quoted;
		else if (source->text[at] == '#' && !quoted) {
			parser_error(parser,
				     (struct place){ source, at, 1, (unsigned int)at + 1, 1 },
				     "'#' means nothing in a filter");
			return true;
		}
	}
	return false;
}

struct filter *filter_parse(const char *text, char **ret_message)
{
	static const struct script_verb *const no_verbs[] = { NULL };
	struct filter *filter = g_new0(struct filter, 1);
	struct diagnostics *diagnostics = diagnostics_new();
	struct source *source = source_new("filter", filter_mask_ends(text), strlen(text));
	struct script script = { .verbs = no_verbs, .diagnostics = diagnostics };
	struct filter_parser p = { .filter = filter };
	bool ok;

	filter->arena = script.arena = arena_new();
	filter->rules = arena_array(filter->arena);
	/* Newlines are blanks, as within parentheses. */
	p.parser = (struct parser){ .script = &script, .arena = filter->arena,
				    .diagnostics = diagnostics, .nest = 1 };
	ok = !find_comment(&p.parser, source);
	p.parser.tokens = script_lex(&script, source);
	g_free(source->text);
	source->text = g_strdup(text);
	ok = ok && parse_all(&p) && diagnostics->errors == 0;
	g_array_unref(p.parser.tokens);
	if (!ok) {
		*ret_message = diagnostics_text(diagnostics);
		filter_free(filter);
		filter = NULL;
	}
	diagnostics_free(diagnostics);
	source_free(source);
	return filter;
}

static bool is_alone(const char *word)
{
	for (size_t i = 0; i < G_N_ELEMENTS(alone); i++)
		if (strcmp(word, alone[i].word) == 0)
			return true;
	return false;
}

bool filter_is_likely(const char *text)
{
	const struct mad_class_info *info;
	size_t length = strcspn(text, " \t\n(");
	g_autofree char *word = g_strndup(text, length);
	uint8_t method;

	if (strpbrk(text, "=<>~{") || g_str_has_prefix(text, "not ") ||
	    is_alone(word))
		return true;
	return mad_class_by_name(word) || mad_method_parse(word, &info, &method, NULL) ||
	       (text[length] == '(' && length > 0 && g_ascii_isupper(text[0]));
}
