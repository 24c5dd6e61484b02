/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Diagnostics: collects and prints the errors in a text file.
 */
#include "harness/script/tree/diagnostic.h"

#include <string.h>

struct source *source_new(const char *name, char *text, size_t size)
{
	struct source *source = g_new0(struct source, 1);

	source->name = g_strdup(name);
	source->text = text;
	source->size = size;
	return source;
}

void source_free(struct source *source)
{
	if (!source)
		return;
	g_free(source->name);
	g_free(source->text);
	g_free(source);
}

static void diagnostic_free(void *data)
{
	struct diagnostic *diagnostic = data;

	g_free(diagnostic->message);
	g_free(diagnostic);
}

struct diagnostics *diagnostics_new(void)
{
	struct diagnostics *diagnostics = g_new0(struct diagnostics, 1);

	diagnostics->list = g_ptr_array_new_with_free_func(diagnostic_free);
	return diagnostics;
}

void diagnostics_free(struct diagnostics *diagnostics)
{
	if (!diagnostics)
		return;
	g_ptr_array_unref(diagnostics->list);
	g_free(diagnostics);
}

static bool already_said(const struct diagnostics *diagnostics, struct place place,
			 const char *message)
{
	for (guint i = 0; i < diagnostics->list->len; i++) {
		const struct diagnostic *other = diagnostics->list->pdata[i];

		if (other->place.source == place.source && other->place.offset == place.offset &&
		    strcmp(other->message, message) == 0)
			return true;
	}
	return false;
}

bool diagnostics_full(const struct diagnostics *diagnostics)
{
	return diagnostics->list->len >= DIAGNOSTICS_MAX;
}

void diagnostics_form(struct diagnostics *diagnostics)
{
	diagnostics->malformed |= diagnostics->errors == 0;
}

void diagnose_va(struct diagnostics *diagnostics, struct place place, bool is_error,
		 const char *format, va_list args)
{
	g_autofree char *message = NULL;
	struct diagnostic *diagnostic;

	if (diagnostics_full(diagnostics)) {
		diagnostics->errors += is_error;
		return;
	}
	message = g_strdup_vprintf(format, args);
	if (already_said(diagnostics, place, message))
		return;
	diagnostic = g_new0(struct diagnostic, 1);
	diagnostic->place = place;
	diagnostic->is_error = is_error;
	diagnostic->message = g_steal_pointer(&message);
	g_ptr_array_add(diagnostics->list, diagnostic);
	diagnostics->errors += is_error;
}

void diagnose_error(struct diagnostics *diagnostics, struct place place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diagnose_va(diagnostics, place, true, format, args);
	va_end(args);
}

void diagnose_warning(struct diagnostics *diagnostics, struct place place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diagnose_va(diagnostics, place, false, format, args);
	va_end(args);
}

/* The line that contains 'offset', without its newline. */
static const char *source_line(const struct source *source, size_t offset, size_t *ret_size)
{
	size_t begin = MIN(offset, source->size);
	size_t end = begin;

	while (begin > 0 && source->text[begin - 1] != '\n')
		begin--;
	while (end < source->size && source->text[end] != '\n' && source->text[end] != '\r')
		end++;
	*ret_size = end - begin;
	return source->text + begin;
}

/* The line below: blanks (or tabs, as in the line) up to the place, then a caret. */
static void append_caret(GString *out, const char *line, size_t size, struct place place)
{
	unsigned int column = 1;

	for (size_t i = 0; i < size && column < place.column; i++) {
		if (((unsigned char)line[i] & 0xc0) == 0x80)
			continue;
		g_string_append_c(out, line[i] == '\t' ? '\t' : ' ');
		column++;
	}
	for (; column < place.column; column++)
		g_string_append_c(out, ' ');
	g_string_append_c(out, '^');
	for (unsigned int i = 1; i < place.width; i++)
		g_string_append_c(out, '~');
}

/* A source line in printable form: bytes that are not text become '?'. */
static void append_printable(GString *out, const char *line, size_t size)
{
	g_autofree char *valid = g_utf8_make_valid(line, (gssize)size);

	for (const char *p = valid; *p != '\0'; p++)
		g_string_append_c(out,
				  ((unsigned char)*p < ' ' && *p != '\t') || *p == 127 ? '?' : *p);
}

/* Of longer lines only a part is shown, around the place. */
#define SHOWN_MAX 160
#define SHOWN_BEFORE 60
#define ELLIPSIS "..."

/* The first byte of a character at 'at' or behind it. */
static size_t character_at(const char *line, size_t size, size_t at)
{
	while (at < size && ((unsigned char)line[at] & 0xc0) == 0x80)
		at++;
	return MIN(at, size);
}

/* The source line, or what of it is near the place; the place becomes one in what is shown. */
static void append_line(GString *out, const char *line, size_t size, struct place *place)
{
	size_t at = place->offset - (size_t)(line - place->source->text);
	size_t from = 0, to = size;
	unsigned int cut = 0;

	if (size > SHOWN_MAX) {
		from = at > SHOWN_BEFORE ? character_at(line, size, at - SHOWN_BEFORE) : 0;
		to = character_at(line, size, from + SHOWN_MAX);
		place->width = MIN(place->width, SHOWN_MAX - SHOWN_BEFORE);
	}
	if (from > 0) {
		g_string_append(out, ELLIPSIS);
		place->column += (unsigned int)strlen(ELLIPSIS);
	}
	for (size_t i = 0; i < from; i++)
		cut += ((unsigned char)line[i] & 0xc0) != 0x80;
	/* A line that is no text has other columns than characters. */
	place->column -= MIN(cut, place->column - 1);
	append_printable(out, line + from, to - from);
	if (to < size)
		g_string_append(out, ELLIPSIS);
}

void diagnostic_format(GString *out, const char *prefix, struct place place, const char *kind,
		       const char *message)
{
	const char *line;
	size_t size;

	if (!place.source) {
		g_string_append_printf(out, "%s%s: %s\n", prefix, kind, message);
		return;
	}
	if (place.line == 0) {
		g_string_append_printf(out, "%s%s: %s: %s\n", prefix, place.source->name, kind,
				       message);
		return;
	}
	g_string_append_printf(out, "%s%s:%u:%u: %s: %s\n", prefix, place.source->name, place.line,
			       place.column, kind, message);
	line = source_line(place.source, place.offset, &size);
	g_string_append_printf(out, "%s%5u | ", prefix, place.line);
	append_line(out, line, size, &place);
	g_string_append_printf(out, "\n%s      | ", prefix);
	append_caret(out, line, size <= SHOWN_MAX ? size : 0, place);
	g_string_append_c(out, '\n');
}

/* Compares by file name, then place. There are no equal ones. */
static gint compare_places(gconstpointer a, gconstpointer b)
{
	const struct place *left = &(*(const struct diagnostic *const *)a)->place;
	const struct place *right = &(*(const struct diagnostic *const *)b)->place;
	int order;

	if (!left->source || !right->source)
		return (left->source != NULL) - (right->source != NULL);
	order = strcmp(left->source->name, right->source->name);
	if (order != 0)
		return order;
	return left->offset < right->offset ? -1 : left->offset > right->offset;
}

char *diagnostics_text(const struct diagnostics *diagnostics)
{
	GString *out = g_string_new(NULL);

	g_ptr_array_sort(diagnostics->list, compare_places);
	for (guint i = 0; i < diagnostics->list->len; i++) {
		const struct diagnostic *diagnostic = diagnostics->list->pdata[i];

		diagnostic_format(out, "", diagnostic->place,
				  diagnostic->is_error ? "error" : "warning", diagnostic->message);
	}
	if (diagnostics->list->len >= DIAGNOSTICS_MAX)
		g_string_append(out, "... there is more: mend these first\n");
	return g_string_free(out, false);
}
