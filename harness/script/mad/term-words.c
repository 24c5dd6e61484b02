/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The words for the values of a field: see harness/script/mad/term-words.h.
 */
#include "harness/script/mad/term-words.h"

#include <string.h>

/* More names than this are not listed in a message. */
#define LISTED_MAX 10

void append_names(GString *out, const char *guess, const GPtrArray *names, const char *what)
{
	if (guess)
		g_string_append_printf(out, ": did you mean %s?", guess);
	if (names->len == 0)
		return;
	if (names->len > LISTED_MAX) {
		g_string_append_printf(out, "%s'umadrig fields%s%s' lists them", guess ? " " : ": ",
				       what ? " " : "", what ? what : "");
		return;
	}
	g_string_append(out, guess ? " There " : ": there ");
	g_string_append(out, names->len == 1 ? "is " : "are ");
	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(out, "%s%s", i == 0 ? "" :
				       i + 1 == names->len ? " and " : ", ",
				       (const char *)names->pdata[i]);
}

bool is_script_word(const char *name)
{
	if (!g_ascii_isalpha(name[0]) && name[0] != '_')
		return false;
	for (; *name != '\0'; name++) {
		if (!g_ascii_isalnum(*name) && *name != '_')
			return false;
	}
	return true;
}

static void add_name(GPtrArray *names, const char *name, uint64_t value)
{
	g_ptr_array_add(names, is_script_word(name) ? g_strdup(name) :
			g_strdup_printf("%" G_GUINT64_FORMAT " (%s)", value, name));
}

static void add_classes(GPtrArray *names)
{
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++)
		add_name(names, info->name, info->mgmt_class);
}

/* The names that its values have: of g_malloc'd char *. */
static GPtrArray *words_of(const struct mad_term *term)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	const struct term_word *word = term->info ? term->info->words : NULL;
	const struct mad_field_name *name = term->field ? term->field->names : NULL;

	for (; word && word->name; word++)
		add_name(names, word->name, word->value);
	if (term->info && term->info->format == TERM_CLASS)
		add_classes(names);
	for (; name && name->name; name++)
		add_name(names, name->name, name->value);
	if (term->field && term->field->format == MAD_FIELD_BOOL) {
		add_name(names, "yes", 1);
		add_name(names, "no", 0);
	}
	return names;
}

char *term_no_such_word(const struct mad_pattern *pattern, const struct mad_term *term,
			const char *word)
{
	g_autoptr(GPtrArray) names = words_of(term);
	g_autoptr(GPtrArray) candidates = g_ptr_array_new();
	GString *out;

	if (names->len == 0)
		return NULL;
	for (guint i = 0; i < names->len; i++)
		g_ptr_array_add(candidates, names->pdata[i]);
	g_ptr_array_add(candidates, NULL);
	out = g_string_new(NULL);
	g_string_append_printf(out, "%s has no value %s", term_name(term), word);
	append_names(out, mad_closest(word, (const char *const *)candidates->pdata), names,
		     term->field && pattern->attribute ? pattern->attribute->name : NULL);
	return g_string_free(out, false);
}

static bool append_flags(GString *out, const struct term_word *words, uint64_t value)
{
	size_t from = out->len;

	g_string_append_c(out, '{');
	for (; words->name; words++) {
		if ((value & words->value) == 0)
			continue;
		g_string_append_printf(out, "%s%s", out->len > from + 1 ? ", " : "", words->name);
		value &= ~words->value;
	}
	g_string_append_c(out, '}');
	return value == 0;
}

static bool append_field_word(GString *out, const struct mad_field *field, uint64_t value)
{
	if (field->format == MAD_FIELD_BOOL)
		g_string_append(out, value ? "yes" : "no");
	for (const struct mad_field_name *name = field->names; name && name->name; name++) {
		if (name->value != value)
			continue;
		g_string_append(out, name->name);
		return true;
	}
	return field->format == MAD_FIELD_BOOL;
}

bool term_append_word(GString *out, const struct mad_term *term, uint64_t value)
{
	const struct term_word *word = term->info ? term->info->words : NULL;

	if (!term->info)
		return append_field_word(out, term->field, value);
	if (term->info->format == TERM_FLAGS)
		return append_flags(out, word, value);
	for (; word && word->name; word++) {
		if (word->value != value)
			continue;
		g_string_append(out, word->name);
		return true;
	}
	return false;
}
