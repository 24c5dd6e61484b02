/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "harness/script/tree/expr-text.h"

#include "harness/script/tree/value.h"

/* "(a, b)", "{a, b}" */
static void append_list(GString *out, const GPtrArray *items, const char *brackets)
{
	g_string_append_c(out, brackets[0]);
	for (guint i = 0; items && i < items->len; i++) {
		if (i > 0)
			g_string_append(out, ", ");
		expr_append_text(out, items->pdata[i]);
	}
	g_string_append_c(out, brackets[1]);
}

static void append_string(GString *out, const char *text)
{
	g_string_append_c(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			g_string_append_c(out, '\\');
		g_string_append_c(out, *text);
	}
	g_string_append_c(out, '"');
}

static void append_operand(GString *out, const struct expr *expr)
{
	bool has_brackets = expr->kind == EXPR_BINARY;

	g_string_append(out, has_brackets ? "(" : "");
	expr_append_text(out, expr);
	g_string_append(out, has_brackets ? ")" : "");
}

static void append_field(GString *out, const struct field_expr *field)
{
	g_string_append_printf(out, " %s%s", field->is_mut ? "mut=" : "", field->name);
	if (field->has_range && field->first == field->last)
		g_string_append_printf(out, "[%u]", field->first);
	else if (field->has_range)
		g_string_append_printf(out, "[%u..%u]", field->first, field->last);
	g_string_append_c(out, field->is_mut ? ':' : '=');
	append_operand(out, field->value);
}

static void append_mad(GString *out, const struct mad_expr *mad)
{
	bool in_attribute = false;

	if (mad->name) {
		g_string_append_printf(out, "%s%s", mad->is_use ? "$" : "", mad->name);
		if (!mad->is_use || mad->args->len > 0)
			append_list(out, mad->args, "()");
	}
	for (guint i = 0; i < mad->fields->len; i++) {
		const struct field_expr *field = mad->fields->pdata[i];

		if (field->in_attribute != in_attribute)
			g_string_append(out, field->in_attribute ? " {" : " }");
		in_attribute = field->in_attribute;
		append_field(out, field);
	}
	if (in_attribute)
		g_string_append(out, " }");
	if (mad->exact)
		g_string_append(out, " exact");
}

void expr_append_text(GString *out, const struct expr *expr)
{
	char buf[32];

	switch (expr->kind) {
	case EXPR_NUMBER:
		if (expr->text)
			g_string_append(out, expr->text);
		else
			g_string_append_printf(out, "%" G_GUINT64_FORMAT, expr->number);
		return;
	case EXPR_TIME:
		g_string_append(out, time_format(expr->time_ns, buf, sizeof(buf)));
		return;
	case EXPR_WORD:
		g_string_append(out, expr->text);
		return;
	case EXPR_USE:
	case EXPR_CAPTURE:
		g_string_append_printf(out, "%c%s", expr->kind == EXPR_USE ? '$' : '?', expr->text);
		return;
	case EXPR_STRING:
		append_string(out, expr->text);
		return;
	case EXPR_SET:
		append_list(out, expr->items, "{}");
		return;
	case EXPR_NEGATIVE:
		g_string_append_c(out, '-');
		append_operand(out, expr->left);
		return;
	case EXPR_BINARY:
		append_operand(out, expr->left);
		g_string_append_printf(out, " %c ", expr->operation);
		append_operand(out, expr->right);
		return;
	case EXPR_MAD:
		append_mad(out, expr->mad);
		return;
	case EXPR_PIECE:
		g_string_append_printf(out, "%s[", expr->text);
		expr_append_text(out, expr->left);
		g_string_append_c(out, ']');
		return;
	}
}
