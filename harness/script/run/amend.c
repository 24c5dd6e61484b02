/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Amendments: see harness/script/run/amend.h.
 */
#include "harness/script/run/amend.h"

#include <string.h>

#include "harness/script/mad/mad-write.h"

static void amendment_free(void *data)
{
	struct amendment *amendment = data;

	g_free(amendment->text);
	g_free(amendment);
}

struct amendments *amendments_new(void)
{
	struct amendments *amendments = g_new0(struct amendments, 1);

	amendments->list = g_ptr_array_new_with_free_func(amendment_free);
	return amendments;
}

void amendments_free(struct amendments *amendments)
{
	if (!amendments)
		return;
	g_ptr_array_unref(amendments->list);
	g_free(amendments->refused);
	g_free(amendments);
}

bool run_amend_refuse(struct run *run, const char *format, ...)
{
	va_list args;

	if (!run->amendments || run->amendments->refused)
		return false;
	va_start(args, format);
	run->amendments->refused = g_strdup_vprintf(format, args);
	va_end(args);
	return false;
}

/* ---- where a value stands ---- */

/* The offset behind the text that begins at 'at' and is closed by 'close'; 0: it is not there. */
static size_t find_close(const struct source *source, size_t at, char close)
{
	bool escaped = false;

	for (at++; at < source->size && source->text[at] != '\n'; at++) {
		if (!escaped && source->text[at] == close)
			return at + 1;
		escaped = !escaped && source->text[at] == '\\';
	}
	return 0;
}

/* The offset behind the value's text; 0: it is nothing that another value can replace. */
static size_t value_end(const struct expr *value)
{
	const struct source *source = value->place.source;

	switch (value->kind) {
	case EXPR_NUMBER:
	case EXPR_TIME:
	case EXPR_WORD:
		return value->place.offset + value->place.width;
	case EXPR_NEGATIVE:
		return value->left->place.offset + value->left->place.width;
	case EXPR_STRING:
		return find_close(source, value->place.offset, '"');
	case EXPR_SET:
		return find_close(source, value->place.offset, '}');
	case EXPR_USE:
	case EXPR_CAPTURE:
	case EXPR_BINARY:
	case EXPR_MAD:
	case EXPR_PIECE:
		return 0;
	}
	return 0;
}

/* The offset at which the line ends that begins at 'at': brackets continue it. */
static size_t line_end(const struct source *source, size_t at)
{
	bool in_string = false, in_comment = false;
	int depth = 0;

	for (; at < source->size; at++) {
		char c = source->text[at];

		if (c == '\n')
			in_comment = false;
		if (c == '\n' && depth <= 0)
			break;
		if (in_comment)
			continue;
		if (c == '"' && source->text[at - 1] != '\\')
			in_string = !in_string;
		if (in_string)
			continue;
		in_comment = c == '#';
		depth += c == '(' || c == '{';
		depth -= c == ')' || c == '}';
	}
	return at;
}

/* Does the value stand in the line itself, or in the row that the point is of? */
static bool is_own(const struct run *run, struct place place)
{
	const struct place line = run->step->line->place;
	const struct scenario *scenario = run->point->scenario;
	size_t begin = line.offset;

	if (place.source != line.source)
		return false;
	while (begin > 0 && line.source->text[begin - 1] != '\n')
		begin--;
	if (place.offset >= begin && place.offset <= line_end(line.source, line.offset))
		return true;
	return run->point->line != scenario->place.line && place.line == run->point->line;
}

static bool note(struct run *run, struct place place, size_t size, const char *text)
{
	struct amendment *amendment;

	if (!is_own(run, place))
		return run_amend_refuse(run, "its value stands in %s:%u, and other lines may share "
					"it", place.source->name, place.line);
	for (guint i = 0; i < run->amendments->list->len; i++) {
		amendment = run->amendments->list->pdata[i];
		if (amendment->place.source != place.source ||
		    amendment->place.offset != place.offset)
			continue;
		return strcmp(amendment->text, text) == 0 ? true :
		       run_amend_refuse(run, "its value in line %u is used twice, and would have "
					"to be both %s and %s", place.line, amendment->text, text);
	}
	amendment = g_new0(struct amendment, 1);
	amendment->place = place;
	amendment->size = size;
	amendment->text = g_strdup(text);
	g_ptr_array_add(run->amendments->list, amendment);
	return true;
}

/* ---- values ---- */

bool run_amend(struct run *run, const struct expr *value, const char *text)
{
	size_t end;

	if (!run->amendments)
		return false;
	end = value_end(value);
	if (end == 0)
		return run_amend_refuse(run, value->kind == EXPR_SET || value->kind == EXPR_STRING ?
					"its value takes several lines" :
					"its value is not written as one: it is a name or is "
					"computed");
	return note(run, value->place, end - value->place.offset, text);
}

bool run_amend_behind(struct run *run, const struct expr *last, const char *text)
{
	g_autofree char *insertion = g_strdup_printf(" = %s", text);
	struct place place = last->place;

	if (!run->amendments)
		return false;
	place.offset += last->kind == EXPR_STRING && place.source->text[place.offset] == '"' ?
			find_close(place.source, place.offset, '"') - place.offset : place.width;
	return note(run, place, 0, insertion);
}

bool run_amend_term(void *ctx, const struct mad_pattern *pattern, const struct mad_term *term,
		    const struct mad_instance *actual)
{
	struct run *run = ctx;
	g_autoptr(GString) text = g_string_new(NULL);

	if (!term)
		return run_amend_refuse(run, "what came is another MAD, or has a field that the "
					"line does not name");
	if (!term_write(text, pattern, term, actual))
		return run_amend_refuse(run, "%s has no value that could be written there",
					term_name(term));
	return run_amend(run, term->value, text->str);
}

/* ---- times ---- */

static bool amend_instant(struct run *run, const struct expr *time, bool is_relative, int64_t at_ns)
{
	int64_t ns = at_ns - (is_relative ? run->base_ns : run->zero_ns);
	char buf[32];

	if (ns < 0)
		return run_amend_refuse(run, "it happens before the line above");
	return run_amend(run, time, ns == 0 ? "0" : time_format(ns, buf, sizeof(buf)));
}

bool run_amend_time(struct run *run, const struct plan_step *step, struct due_window *due,
		    int64_t at_ns)
{
	const struct step_time *time = &step->line->time;
	int64_t width_ns = due->high_ns + 1 - due->low_ns;
	bool ok = run->amendments != NULL;

	switch (time->kind) {
	case STEP_TIME_POINT:
		ok = ok && amend_instant(run, time->from, time->from_relative, at_ns);
		break;
	case STEP_TIME_WINDOW:
		ok = ok && amend_instant(run, time->from, time->from_relative, at_ns) &&
		     amend_instant(run, time->to, time->to_relative, at_ns + width_ns);
		break;
	case STEP_TIME_ANY:
		return false;
	}
	if (ok)
		*due = (struct due_window) { at_ns, at_ns, at_ns };
	return ok;
}
