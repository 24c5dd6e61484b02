/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The checker: values that several kinds of events take, and expected results of calls.
 */
#include "harness/script/check/checker.h"

#include <string.h>

void check_constant_number(struct checker *checker, const struct expr *expr)
{
	uint64_t number;

	if (!expr_constant_number(expr, &number))
		check_expected(checker, expr, "a number");
}

void check_constant_time(struct checker *checker, const struct expr *expr)
{
	int64_t time_ns;

	if (!expr_constant_time(expr, &time_ns))
		check_expected(checker, expr, "a time, such as 1ms");
}

void check_methods(struct checker *checker, const struct expr *expr)
{
	uint64_t mask[2];
	const struct expr *bad;

	if (expr->kind != EXPR_SET)
		check_expected(checker, expr, "a set of methods, such as {Get, Set}");
	else if (!method_mask(expr, mask, &bad))
		check_error(checker, bad->place,
			    "expected a method (Get, Set, Send, Trap, Report, TrapRepress, "
			    "GetTable, GetMulti, Delete, or a number up to 127)");
}

void check_cable(struct checker *checker, const struct expr *port)
{
	if (!port)
		return;
	if (port->kind == EXPR_STRING) {
		check_port_name(checker, port);
		return;
	}
	if (port->kind == EXPR_WORD &&
	    (strcmp(port->text, "self") == 0 || strcmp(port->text, "peer") == 0))
		return;
	check_error(checker, port->place, "expected the port at an end of the cable: self, peer "
		    "or \"S1[3]\"");
}

/* ---- results ---- */

static void check_poll_set(struct checker *checker, const struct expr *set)
{
	static const char *const words[] = { "IN", "OUT", "ERR", "HUP", NULL };

	for (guint i = 0; i < set->items->len; i++) {
		const struct expr *item = set->items->pdata[i];

		if (item->kind != EXPR_WORD || !g_strv_contains(words, item->text))
			check_expected(checker, item, "IN, OUT, ERR or HUP");
	}
}

static void check_result_value(struct checker *checker, const struct expr *value,
			       unsigned int may)
{
	if (expr_is_word(value, "nothing")) {
		if ((may & RESULT_MAY_BE_NOTHING) == 0)
			check_error(checker, value->place, "only umad_recv() can return nothing");
	} else if (value->kind == EXPR_SET && (may & RESULT_IS_POLL_SET)) {
		check_poll_set(checker, value);
	} else {
		check_number(checker, value);
	}
}

void check_result(struct checker *checker, const struct result_expr *result, const char *call,
		  unsigned int may, struct expected *ret)
{
	bool reads = (may & RESULT_READS) != 0;

	*ret = (struct expected) { .call = call, .value = result->value };
	if (!result->value)
		return;
	check_result_value(checker, result->value, may);
	if (result->umad && result->umad->fields->len > 0)
		ret->umad = check_mad(checker, result->umad, MAD_HEADER);
	for (guint i = 0; ret->umad && !reads && i < ret->umad->terms->len; i++) {
		const struct mad_term *term = ret->umad->terms->pdata[i];

		if (term->info->where != TERM_RESULT)
			check_error(checker, term->place, "%s() reads no MAD: only errno= can "
				    "follow",
				    call);
	}
	if (!result->mad)
		return;
	if (!reads)
		check_error(checker, result->mad->place, "%s() reads no MAD", call);
	else
		ret->mad = check_mad_expr(checker, result->mad, MAD_RECEIVED);
}
