/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The words of a filter's text, one by one. See sim/filter/filter-parser.h.
 */
#include "sim/filter/filter-parser.h"

#include <string.h>

bool filter_fail(struct filter_parser *p, struct filter_span span, const char *format, ...)
{
	va_list args;

	/* The first one counts. */
	if (p->reterr->message)
		return false;
	va_start(args, format);
	p->reterr->message = g_strdup_vprintf(format, args);
	va_end(args);
	p->reterr->at = span.at;
	p->reterr->size = MAX(span.size, 1);
	return false;
}

char filter_peek(struct filter_parser *p)
{
	while (g_ascii_isspace(p->text[p->at]))
		p->at++;
	return p->text[p->at];
}

bool filter_accept(struct filter_parser *p, const char *mark)
{
	filter_peek(p);
	if (strncmp(p->text + p->at, mark, strlen(mark)) != 0)
		return false;
	p->at += strlen(mark);
	return true;
}

char *filter_span_text(const struct filter_parser *p, struct filter_span span)
{
	return g_strndup(p->text + span.at, span.size);
}

static bool is_word_start(char c)
{
	return g_ascii_isalpha(c) || c == '_';
}

static bool is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

struct filter_span filter_peek_word(struct filter_parser *p)
{
	struct filter_span span = { .size = 0 };
	size_t end;

	if (!is_word_start(filter_peek(p)))
		return span;
	span.at = end = p->at;
	while (is_word(p->text[end]) ||
	       (p->text[end] == '.' && is_word_start(p->text[end + 1])))
		end++;
	span.size = end - span.at;
	return span;
}

/* Is it this one? */
static bool at_word(struct filter_parser *p, const char *word)
{
	struct filter_span span = filter_peek_word(p);

	return span.size == strlen(word) && strncmp(p->text + span.at, word, span.size) == 0;
}

bool filter_accept_word(struct filter_parser *p, const char *word)
{
	if (!at_word(p, word))
		return false;
	p->at += strlen(word);
	return true;
}

struct filter_span filter_peek_run(struct filter_parser *p, const char *stops)
{
	struct filter_span span;
	size_t end;

	filter_peek(p);
	span.at = end = p->at;
	while (p->text[end] && !g_ascii_isspace(p->text[end]) && !strchr(stops, p->text[end]))
		end++;
	span.size = end - span.at;
	return span;
}

static const struct mark {
	const char *text;
	enum filter_operator operator;
} marks[] = {
	/* Longer ones first. */
	{ "==", FILTER_EQUAL }, { "!=", FILTER_DIFFERENT }, { "<=", FILTER_AT_MOST },
	{ ">=", FILTER_AT_LEAST }, { "=", FILTER_EQUAL }, { "<", FILTER_LESS },
	{ ">", FILTER_MORE },
};

bool filter_take_operator(struct filter_parser *p, enum filter_operator *ret)
{
	for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
		if (!filter_accept(p, marks[i].text))
			continue;
		*ret = marks[i].operator;
		return true;
	}
	return false;
}

bool filter_operator_follows(const struct filter_parser *p, struct filter_span span)
{
	struct filter_parser ahead = *p;
	enum filter_operator operator;

	ahead.at = span.at + span.size;
	return filter_take_operator(&ahead, &operator);
}

bool filter_expected(struct filter_parser *p, const char *what)
{
	struct filter_span found = filter_peek_word(p);
	g_autofree char *text = NULL;

	if (found.size == 0)
		found = filter_peek_run(p, "(){}[]=<>!,\"");
	if (found.size == 0)
		found = (struct filter_span){ p->at, p->text[p->at] ? 1 : 0 };
	if (found.size == 0)
		return filter_fail(p, found, "expected %s, found the end", what);
	text = filter_span_text(p, found);
	return filter_fail(p, found, "expected %s, found '%s'", what, text);
}

/* The character behind a backslash, which '*at' is behind; -1: there is no such escape. */
static int escaped(const char *text, size_t *at)
{
	char c = text[(*at)++];
	int high, low;

	if (c == '"' || c == '\\')
		return c;
	if (c == 'n')
		return '\n';
	if (c != 'x')
		return -1;
	high = g_ascii_xdigit_value(text[*at]);
	low = high < 0 ? -1 : g_ascii_xdigit_value(text[*at + 1]);
	if (low < 0 || (high == 0 && low == 0))
		return -1;
	*at += 2;
	return high << 4 | low;
}

char *filter_take_string(struct filter_parser *p)
{
	struct filter_span open;
	GString *string = g_string_new(NULL);
	size_t at;

	filter_peek(p);
	open = (struct filter_span){ p->at, 1 };
	for (at = p->at + 1; p->text[at] && p->text[at] != '"';) {
		size_t from = at;
		int c = (unsigned char)p->text[at++];

		if (c == '\\')
			c = p->text[at] ? escaped(p->text, &at) : -1;
		if (c < 0) {
			filter_fail(p, (struct filter_span){ from, 2 },
				    "unknown escape: \\\" \\\\ \\n and \\xNN are known");
			break;
		}
		g_string_append_c(string, (char)c);
	}
	if (p->text[at] == '"' && !p->reterr->message) {
		p->at = at + 1;
		return g_string_free(string, false);
	}
	filter_fail(p, open, "this string has no end: close it with '\"'");
	g_string_free(string, true);
	return NULL;
}

const char *filter_hint(const char *suggestion, char *buf, size_t size)
{
	buf[0] = '\0';
	if (suggestion)
		g_snprintf(buf, (gulong)size, ": did you mean %s?", suggestion);
	return buf;
}
