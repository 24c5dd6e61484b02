/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Words, and the text in reply: see harness/script/verb/words.h.
 */
#include "harness/script/verb/words.h"

#include <string.h>

#include "harness/script/run/amend.h"

/* ---- parsing ---- */

bool parser_at_word_text(struct parser *parser)
{
	enum token_kind kind = parser_peek(parser)->kind;

	return kind == TOKEN_STRING || kind == TOKEN_USE;
}

GPtrArray *parse_words(struct parser *parser)
{
	GPtrArray *words = arena_array(parser->arena);

	while (parser_at_word_text(parser))
		g_ptr_array_add(words, parse_value(parser));
	return words;
}

bool parse_reply(struct parser *parser, struct result_expr *result)
{
	if (parser_peek(parser)->kind != TOKEN_WORD)
		return parse_result(parser, result);
	result->umad = parse_fields(parser, parser_peek(parser)->place);
	return result->umad != NULL;
}

/* ---- checking ---- */

/* print="text": what is meant to be expected would be passed to the program. */
static void check_misspelt(struct checker *checker, const struct expr *word)
{
	const char *equals = word->kind == EXPR_STRING ? strchr(word->text, '=') : NULL;
	g_autofree char *name = equals ? g_strndup(word->text, (gsize)(equals - word->text)) : NULL;
	const char *closest = name ? mad_closest(name, script_reply_words) : NULL;

	/* In quotes it is meant. */
	if (closest && word->place.source->text[word->place.offset] != '"')
		diagnose_warning(checker->diagnostics, word->place,
				 "this is passed on as a word of the command: did you mean %s=? If "
				 "not, put it in quotes", closest);
}

void check_words(struct checker *checker, const GPtrArray *words)
{
	for (guint i = 0; i < words->len; i++) {
		const struct expr *word = words->pdata[i];

		check_misspelt(checker, word);
		/* $CA and the like are known at run time. */
		if (word->kind == EXPR_USE && !check_lookup(checker, word->text))
			check_unknown(checker, word);
	}
}

static void check_text(struct checker *checker, const struct expr *value)
{
	if (value->kind == EXPR_STRING)
		return;
	if (value->kind != EXPR_SET) {
		check_expected(checker, value, "a text in quotes");
		return;
	}
	for (guint i = 0; i < value->items->len; i++)
		check_text(checker, value->items->pdata[i]);
}

static void check_fabric(struct checker *checker, const struct expr *value)
{
	if (value->kind != EXPR_WORD ||
	    (strcmp(value->text, "no") != 0 && strcmp(value->text, "yes") != 0))
		check_expected(checker, value, "yes or no: whether the program has to open the "
			       "fabric");
}

static void check_fields(struct checker *checker, const struct mad_expr *reply, const char *what,
			 bool has_fabric)
{
	for (guint i = 0; reply && i < reply->fields->len; i++) {
		const struct field_expr *field = reply->fields->pdata[i];

		if (strcmp(field->name, "prints") == 0)
			check_text(checker, field->value);
		else if (strcmp(field->name, "lines") == 0)
			check_constant_number(checker, field->value);
		else if (has_fabric && strcmp(field->name, "fabric") == 0)
			check_fabric(checker, field->value);
		else
			check_error(checker, field->place, "expected %s of %s", has_fabric ?
				    "lines=, prints= or fabric=no" : "lines= or prints=", what);
	}
}

void check_prints(struct checker *checker, const struct mad_expr *prints, const char *what)
{
	check_fields(checker, prints, what, false);
}

void check_reply(struct checker *checker, const struct mad_expr *reply, const char *what)
{
	check_fields(checker, reply, what, true);
}

static bool is_fabric(const struct field_expr *field)
{
	return strcmp(field->name, "fabric") == 0;
}

bool reply_has_text(const struct mad_expr *reply)
{
	for (guint i = 0; reply && i < reply->fields->len; i++) {
		if (!is_fabric(reply->fields->pdata[i]))
			return true;
	}
	return false;
}

bool reply_needs_fabric(const struct mad_expr *reply)
{
	for (guint i = 0; reply && i < reply->fields->len; i++) {
		const struct field_expr *field = reply->fields->pdata[i];

		if (is_fabric(field))
			return strcmp(field->value->text, "no") != 0;
	}
	return true;
}

/* ---- running ---- */

char *run_word_text(const struct expr *word)
{
	char buf[32];

	if (word->kind == EXPR_NUMBER && !word->text)
		return g_strdup_printf("%" G_GUINT64_FORMAT, word->number);
	if (word->kind == EXPR_TIME)
		return g_strdup(time_format(word->time_ns, buf, sizeof(buf)));
	return g_strdup(word->text ? word->text : "");
}

char *run_word(struct run *run, const struct expr *word)
{
	const struct var *var = word->kind == EXPR_USE ? run_var(run, word->text) : NULL;

	if (var)
		return var->kind == VAR_TEXT ? g_strdup(var->text) :
		       g_strdup_printf("%" G_GUINT64_FORMAT, var->number);
	return run_word_text(word);
}

static guint count_lines(const char *text)
{
	guint lines = 0;

	for (; *text != '\0'; text++)
		lines += *text == '\n' || text[1] == '\0';
	return lines;
}

static void prints_all(const struct expr *value, const char *output, GString *why)
{
	if (value->kind == EXPR_STRING && !strstr(output, value->text))
		g_string_append_printf(why, "it does not print \"%s\"; ", value->text);
	for (guint i = 0; value->kind == EXPR_SET && i < value->items->len; i++)
		prints_all(value->items->pdata[i], output, why);
}

static bool amend_field(struct run *run, const struct field_expr *field, const char *output)
{
	g_autofree char *lines = g_strdup_printf("%u", count_lines(output));
	g_autoptr(GString) why = g_string_new(NULL);
	uint64_t wanted;

	if (is_fabric(field))
		return true;
	if (strcmp(field->name, "prints") != 0)
		return !expr_constant_number(field->value, &wanted) ||
		       wanted == count_lines(output) || run_amend(run, field->value, lines);
	prints_all(field->value, output, why);
	/* What a text does not have it cannot be made to have. */
	return why->len == 0 || run_amend_refuse(run, "which part of a text is expected is not "
						 "seen but chosen");
}

static bool amend_prints(struct run *run, const struct mad_expr *prints, const char *output)
{
	for (guint i = 0; prints && i < prints->fields->len; i++) {
		if (!amend_field(run, prints->fields->pdata[i], output))
			return false;
	}
	return true;
}

bool amend_result(struct run *run, const struct result_expr *result, const GPtrArray *words,
		  int status, const char *output)
{
	const char *name = status < 0 ? errno_name(-status) : NULL;
	g_autofree char *text = name ? g_strdup_printf("-%s", name) :
				g_strdup_printf("%d", status);
	uint64_t wanted = 0;

	if (!run->amendments || !amend_prints(run, result->umad, output))
		return false;
	if (result->value && expr_constant_number(result->value, &wanted) &&
	    (int)wanted == status)
		return true;
	if (result->value)
		return run_amend(run, result->value, text);
	return status == 0 || (words && run_amend_behind(run, words->pdata[words->len - 1], text));
}

void expect_prints(const struct mad_expr *prints, const char *output, GString *why)
{
	uint64_t wanted = 0;

	for (guint i = 0; prints && i < prints->fields->len; i++) {
		const struct field_expr *field = prints->fields->pdata[i];

		if (strcmp(field->name, "prints") == 0)
			prints_all(field->value, output, why);
		else if (!is_fabric(field) && expr_constant_number(field->value, &wanted) &&
			 count_lines(output) != wanted)
			g_string_append_printf(why, "it prints %u lines; ", count_lines(output));
	}
}
