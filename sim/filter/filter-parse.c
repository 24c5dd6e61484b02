/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Parses filters, item by item. See sim/filter/mad-filter.h for what they are.
 */
#include "sim/filter/filter-parser.h"

#include <string.h>

#include "lib/words/duration.h"
#include "lib/words/number.h"

/* Items that are a word alone. */
static const struct {
	const char *word;
	enum filter_what what;
} alone[] = {
	{ "dropped", FILTER_DROPPED },
	{ "unanswered", FILTER_UNANSWERED },
	{ "changed", FILTER_CHANGED },
};

/* Items of a name and a value that is no field's. */
static const struct {
	const char *word;
	enum filter_what what;
	const char *number;	/* what it is; NULL: it is none */
} named[] = {
	{ "frame", FILTER_FRAME, "the number of a frame" },
	{ "trap", FILTER_TRAP, "the number of a trap" },
	{ "retry", FILTER_RETRY, "how often a request was sent again" },
	{ "trip", FILTER_TRIP, NULL },
	{ "port", FILTER_PORT, NULL },
	{ "from", FILTER_FROM, NULL },
	{ "to", FILTER_TO, NULL },
};

enum { FILTER_ITEMS_MAX = 1000, HINT_SIZE = 100 };

/* False: the word has no place where the filter stands, which has been said. */
static bool check_word(struct filter_parser *p, struct filter_span span, const char *word)
{
	const char *reason = p->dialect->refuse ? p->dialect->refuse(word) : NULL;
	g_autofree char *text = filter_span_text(p, span);

	return !reason || filter_fail(p, span, "'%s': %s", text, reason);
}

/* ---- times ---- */

/* A time, or 0, from what comes next; false: it is none. */
static bool take_time(struct filter_parser *p, int64_t *ret)
{
	struct filter_span span = filter_peek_run(p, "~(){}[]=<>!,\"");
	g_autofree char *text = filter_span_text(p, span);

	if (duration_parse(text, ret) < 0)
		return false;
	p->at = span.at + span.size;
	return true;
}

static bool parse_trip(struct filter_parser *p, enum filter_operator operator, bool negated)
{
	struct filter_test *test = filter_test_new(p, FILTER_TRIP, operator, negated);
	int64_t trip_ns;

	if (!take_time(p, &trip_ns))
		return filter_fail(p, filter_peek_run(p, ""),
				   "a round trip is a time, such as trip>1ms");
	test->value = (uint64_t)trip_ns;
	return true;
}

/* 1s~2s, 1s~, ~2s. */
static bool parse_window(struct filter_parser *p, bool negated)
{
	struct filter_span span = filter_peek_run(p, "(){}[]=<>!,\"");
	struct filter_test *test = filter_test_new(p, FILTER_TIME, FILTER_EQUAL, negated);
	bool has_from, has_to;

	test->from_ns = INT64_MIN;
	test->to_ns = INT64_MAX;
	has_from = take_time(p, &test->from_ns);
	if (!filter_accept(p, "~"))
		return has_from ? filter_fail(p, span, "a time is written from~to, such as 1s~2s; "
					      "either may be left out") :
		       filter_expected(p, "a method, a field with a value, or a time such as "
				       "1s~2s");
	if (!check_word(p, span, "~"))
		return false;
	has_to = take_time(p, &test->to_ns);
	if (!has_from && !has_to)
		return filter_fail(p, span, "a time is written from~to, such as 1s~2s");
	return test->from_ns < test->to_ns ||
	       filter_fail(p, span, "this time ends before it begins");
}

/* ---- fields ---- */

/* [16..17], [26]; true where there is none, too. */
static bool take_range(struct filter_parser *p, struct filter_field *field)
{
	struct filter_span span;
	g_autofree char *text = NULL;
	uint64_t first, last;
	char *dots;
	bool ok;

	if (!filter_accept(p, "["))
		return true;
	span = filter_peek_run(p, "]");
	text = filter_span_text(p, span);
	p->at = span.at + span.size;
	if (!filter_accept(p, "]"))
		return filter_expected(p, "']' behind the last byte's number");
	dots = strstr(text, "..");
	if (dots)
		*dots = '\0';
	ok = number_parse(text, 0, MAD_SIZE - 1, &first) == 0 &&
	     number_parse(dots ? dots + 2 : text, 0, MAD_SIZE - 1, &last) == 0;
	if (!ok || first > last)
		return filter_fail(p, span, "expected bytes from 0 to 255, the lower one first");
	field->has_range = true;
	field->first = (unsigned int)first;
	field->last = (unsigned int)last;
	return true;
}

static bool find_attribute_field(struct filter_parser *p, struct filter_field *field,
				 const char *name)
{
	const char *suggestion = NULL;
	char hint[HINT_SIZE];

	if (p->attr_id < 0)
		return filter_fail(p, field->span, "fields in braces need an attribute: name it");
	if (!p->attribute || !p->attribute->fields)
		return filter_fail(p, field->span, "this attribute has no known fields: use "
				   "bytes[first..last]=");
	if (field->has_range)
		return filter_fail(p, field->span, "a range belongs to bytes[first..last] only, "
				   "outside of the braces");
	field->field = mad_field_by_name(p->attribute, name, &suggestion);
	return field->field ||
	       filter_fail(p, field->span, "there is no field %s in %s%s: 'umadrig fields %s' "
			   "lists them", name, p->attribute->name,
			   filter_hint(suggestion, hint, sizeof(hint)), p->attribute->name);
}

/*
 * A field of an attribute, and no attribute: says how both are written. True: it is none. The value
 * comes next.
 */
static bool is_of_no_attribute(struct filter_parser *p, const struct filter_field *field,
			       const char *name)
{
	const struct mad_attribute *attribute = mad_attribute_with_field(name);
	g_autofree char *value = filter_span_text(p, filter_peek_word(p));
	char method[MAD_NAME_SIZE];

	if (!attribute || !mad_method_with_attribute(attribute->name, method, sizeof(method)))
		return true;
	return filter_fail(p, field->span, "%s is a field of %s: write %s(%s) %s=%s", name,
			   attribute->name, method, attribute->name, name,
			   *value && !g_ascii_isdigit(*value) ? value : "...");
}

/* A field of the headers, or of the attribute that precedes it. */
static bool find_field(struct filter_parser *p, struct filter_field *field, bool in_attribute)
{
	g_autofree char *name = filter_span_text(p, field->span);
	const char *suggestion = NULL;
	char hint[HINT_SIZE];

	field->info = in_attribute ? NULL : term_find(name, MAD_LEAVES, &suggestion);
	if (!field->info && (in_attribute || p->attr_id >= 0))
		return find_attribute_field(p, field, name);
	if (!field->info && !is_of_no_attribute(p, field, name))
		return false;
	if (!field->info)
		return filter_fail(p, field->span, "there is no header field '%s' here%s", name,
				   suggestion ? filter_hint(suggestion, hint, sizeof(hint)) :
				   " ('Fields' in scenario-language.md lists them)");
	if (field->has_range != (field->info->where == TERM_BYTES))
		return filter_fail(p, field->span, field->has_range ? "only 'bytes' takes a range" :
				   "expected a range, such as bytes[24..27]=");
	return field->info->where == TERM_ADDR || field->info->where == TERM_MAD ||
	       field->info->where == TERM_BYTES ||
	       filter_fail(p, field->span, "'%s' cannot be compared here: a filter has the MADs "
			   "and their addresses", name);
}

static bool parse_named(struct filter_parser *p, size_t at, struct filter_span name,
			enum filter_operator operator, bool negated)
{
	struct filter_test *test;

	if (!check_word(p, name, named[at].word))
		return false;
	if (named[at].number) {
		test = filter_test_new(p, named[at].what, operator, negated);
		return filter_take_number(p, named[at].number, &test->value);
	}
	return named[at].what == FILTER_TRIP ? parse_trip(p, operator, negated) :
	       filter_take_end(p, name, named[at].what, operator, negated);
}

/* NAME OPERATOR VALUE, whose name comes next. */
static bool parse_field(struct filter_parser *p, bool in_attribute, bool negated)
{
	struct filter_field field = { .span = filter_peek_word(p) };
	g_autofree char *name = filter_span_text(p, field.span);
	enum filter_operator operator;

	p->at = field.span.at + field.span.size;
	if (!take_range(p, &field))
		return false;
	if (!filter_take_operator(p, &operator))
		return filter_fail(p, (struct filter_span){ p->at, 1 },
				   "expected =, !=, <, <=, > or >= after %s", name);
	for (size_t i = 0; i < G_N_ELEMENTS(named) && !in_attribute; i++) {
		if (strcmp(named[i].word, name) == 0)
			return parse_named(p, i, field.span, operator, negated);
	}
	return find_field(p, &field, in_attribute) &&
	       filter_take_value(p, &field, operator, negated);
}

/* { Field=value, ... } */
static bool parse_braces(struct filter_parser *p, bool negated)
{
	struct filter_span open = { p->at, 1 };

	filter_accept(p, "{");
	if (!p->class_info)
		return filter_fail(p, open, "fields in braces need an attribute before them, such "
				   "as SubnGet(PortInfo) { LinkState=Down }");
	while (!filter_accept(p, "}")) {
		if (!filter_peek(p))
			return filter_fail(p, open, "this '{' is never closed");
		if (filter_peek_word(p).size == 0)
			return filter_expected(p, "the name of a field");
		if (++p->items > FILTER_ITEMS_MAX)
			return filter_fail(p, open, "a filter has at most %d items",
					   FILTER_ITEMS_MAX);
		if (!parse_field(p, true, negated))
			return false;
		filter_accept(p, ",");
	}
	return true;
}

/* ---- methods and classes ---- */

static bool find_attribute(struct filter_parser *p, struct filter_span span, const char *text,
			   const char *method, struct filter_test *test)
{
	const struct mad_attribute *attribute;
	const char *suggestion = NULL;
	char hint[HINT_SIZE];
	uint64_t number;

	if (number_parse(text, 0, 0xffff, &number) == 0) {
		test->attr_id = (int)number;
		return true;
	}
	if (!g_ascii_isalpha(text[0]))
		return filter_fail(p, span, "expected an attribute: a name, or a number up to "
				   "0xffff");
	attribute = mad_attribute_by_name(test->class_info, text, &suggestion);
	if (!attribute)
		return filter_fail(p, span, "%s has no attribute %s%s", method, text,
				   filter_hint(suggestion, hint, sizeof(hint)));
	test->attr_id = attribute->id;
	return true;
}

/* (PortInfo), of a method or class. */
static bool take_attribute(struct filter_parser *p, const char *method, struct filter_test *test)
{
	struct filter_span span = filter_peek_run(p, "(){}[]=<>!,\"");
	g_autofree char *text = filter_span_text(p, span);

	p->at = span.at + span.size;
	if (!filter_accept(p, ")"))
		return filter_expected(p, "')' behind the attribute");
	return find_attribute(p, span, text, method, test);
}

static void set_context(struct filter_parser *p, const struct mad_class_info *info, int attr_id)
{
	p->class_info = info;
	p->attr_id = attr_id;
	p->attribute = info && attr_id >= 0 ?
		       mad_attribute_find(info->mgmt_class, (uint16_t)attr_id) : NULL;
}

/* SubnGet(PortInfo), Subn(PortInfo), SUBN_DR. */
static bool parse_method(struct filter_parser *p, struct filter_span span, bool negated)
{
	struct filter_test *test = filter_test_new(p, FILTER_METHOD, FILTER_EQUAL, negated);
	g_autofree char *name = filter_span_text(p, span);
	const char *suggestion = NULL;
	char hint[HINT_SIZE];
	uint8_t method;

	if (mad_method_parse(name, &test->class_info, &method, &suggestion))
		test->method = method;
	else
		test->class_info = mad_class_by_name(name);
	if (!test->class_info)
		return filter_fail(p, span, "there is no method or class '%s', and no field "
				   "follows it with a value%s", name,
				   filter_hint(suggestion, hint, sizeof(hint)));
	test->one_class = test->method < 0 && strcmp(test->class_info->prefix, name) != 0;
	p->at = span.at + span.size;
	if (filter_accept(p, "(") && !take_attribute(p, name, test))
		return false;
	if (!negated)
		set_context(p, test->class_info, test->attr_id);
	return true;
}

/* ---- items ---- */

/* A word that is not followed by an operator. */
static bool parse_word(struct filter_parser *p, struct filter_span span, bool negated)
{
	g_autofree char *word = filter_span_text(p, span);

	for (size_t i = 0; i < G_N_ELEMENTS(alone); i++) {
		if (strcmp(alone[i].word, word) != 0)
			continue;
		p->at = span.at + span.size;
		filter_test_new(p, alone[i].what, FILTER_EQUAL, negated);
		return check_word(p, span, word);
	}
	return parse_method(p, span, negated);
}

static bool parse_item(struct filter_parser *p)
{
	bool negated = filter_accept_word(p, "not");
	char next = filter_peek(p);
	struct filter_span word = filter_peek_word(p);

	if (p->items++ == FILTER_ITEMS_MAX)
		return filter_fail(p, word, "a filter has at most %d items", FILTER_ITEMS_MAX);
	if (next == '{')
		return parse_braces(p, negated);
	if (next == '~' || g_ascii_isdigit(next))
		return parse_window(p, negated);
	if (word.size > 0 && (filter_operator_follows(p, word) ||
			      p->text[word.at + word.size] == '['))
		return parse_field(p, false, negated);
	if (word.size > 0)
		return parse_word(p, word, negated);
	if (!next)
		return filter_fail(p, (struct filter_span){ p->at, 1 },
				   "something has to follow here");
	return filter_expected(p, "a method, a field with a value, or a time such as 1s~2s");
}

static void begin_rule(struct filter_parser *p)
{
	p->rule = g_ptr_array_new_with_free_func(filter_test_free);
	g_ptr_array_add(p->filter->rules, p->rule);
	set_context(p, p->dialect->class_info, p->dialect->attr_id);
}

static bool parse_all(struct filter_parser *p)
{
	begin_rule(p);
	while (filter_peek(p)) {
		if (!parse_item(p))
			return false;
		if (filter_accept_word(p, "or"))
			begin_rule(p);
		else if (!filter_accept_word(p, "and"))
			continue;
		if (!filter_peek(p))
			return filter_fail(p, (struct filter_span){ p->at, 1 },
					   "something has to follow here");
	}
	return true;
}

/* What follows a '#' would be taken for a comment. */
static bool has_comment(struct filter_parser *p)
{
	bool quoted = false;

	for (size_t at = 0; p->text[at]; at++) {
		if (p->text[at] == '\\' && quoted && p->text[at + 1])
			at++;
		else if (p->text[at] == '"')
			quoted = !quoted;
		else if (p->text[at] == '#' && !quoted)
			return !filter_fail(p, (struct filter_span){ at, 1 },
					    "'#' means nothing in a filter");
	}
	return false;
}

struct mad_filter *mad_filter_parse(const char *text, const struct filter_dialect *dialect,
				    struct filter_error *reterr)
{
	static const struct filter_dialect of_captures = { .attr_id = -1 };
	struct mad_filter *filter = g_new0(struct mad_filter, 1);
	struct filter_error error = { .message = NULL };
	struct filter_parser p = {
		.text = text, .dialect = dialect ? dialect : &of_captures, .filter = filter,
		.reterr = &error,
	};

	filter->rules = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	if (!has_comment(&p) && parse_all(&p))
		return filter;
	mad_filter_free(filter);
	*reterr = error;
	return NULL;
}

void mad_filter_free(struct mad_filter *filter)
{
	if (!filter)
		return;
	g_ptr_array_unref(filter->rules);
	g_free(filter);
}

bool mad_filter_is_word(const char *word)
{
	for (size_t i = 0; i < G_N_ELEMENTS(alone); i++) {
		if (strcmp(alone[i].word, word) == 0)
			return true;
	}
	return false;
}
