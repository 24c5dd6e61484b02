/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Checks calls: their names and arguments. See harness/script/verb/call-check.h.
 */
#include "harness/script/verb/call-check.h"

#include <string.h>

#include "harness/script/verb/call-run.h"
#include "kmod-stub/event.h"

static void check_port(struct checker *checker, const struct expr *expr)
{
	if (expr->kind == EXPR_STRING)
		return;
	if (expr->kind == EXPR_WORD &&
	    (strcmp(expr->text, "self") == 0 || strcmp(expr->text, "peer") == 0))
		return;
	if (expr->kind == EXPR_USE)
		check_bound(checker, expr, VAR_TEXT);
	else
		check_error(checker, expr->place,
			    "expected a port: self, peer, $CA or a device in quotes");
}

static void check_ms(struct checker *checker, const struct expr *expr)
{
	int64_t time_ns;
	uint64_t number;

	if (expr->kind == EXPR_NUMBER)
		return;
	if (!expr_constant_time(expr, &time_ns)) {
		if (!expr_constant_number(expr, &number))
			check_expected(checker, expr, "a timeout, such as 100ms");
		return;
	}
	if (time_ns % NS_PER_MS != 0 || time_ns / NS_PER_MS > UINT32_MAX)
		check_error(checker, expr->place, "expected a whole number of milliseconds");
}

static void check_arg(struct checker *checker, const struct param *param, const struct expr *expr)
{
	switch (param->kind) {
	case PARAM_HANDLE:
		check_bound(checker, expr, VAR_HANDLE);
		return;
	case PARAM_FILE:
		check_bound(checker, expr, VAR_FILE);
		return;
	case PARAM_AGENT:
		if (expr->kind == EXPR_NUMBER || expr->kind == EXPR_NEGATIVE ||
		    expr->kind == EXPR_BINARY)
			check_number(checker, expr);
		else
			check_bound(checker, expr, VAR_AGENT);
		return;
	case PARAM_NUMBER:
		if (expr->kind != EXPR_WORD || !mad_class_by_name(expr->text))
			check_number(checker, expr);
		return;
	case PARAM_MS:
		check_ms(checker, expr);
		return;
	case PARAM_METHODS:
		check_methods(checker, expr);
		return;
	case PARAM_PORT:
		check_port(checker, expr);
		return;
	case PARAM_WORD:
		if (expr->kind == EXPR_NUMBER)
			return;
		if (expr->kind != EXPR_WORD || !call_request_known(expr->text))
			check_error(checker, expr->place,
				    "expected REGISTER_AGENT, REGISTER_AGENT2, UNREGISTER_AGENT, "
				    "ENABLE_PKEY or a number");
		return;
	case PARAM_BUFFER:
		check_bound(checker, expr, VAR_BUFFER);
		return;
	case PARAM_TEXT:
		if (expr->kind != EXPR_STRING)
			check_expected(checker, expr, "a text in quotes");
		return;
	case PARAM_DATA:
		check_data(checker, expr);
		return;
	case PARAM_MAD:
		return;	/* the caller binds it last */
	}
}

/* umad_send(fd, a, u): all that is sent is in the buffer. */
static void check_buffer(struct checker *checker, const struct call_kind *kind,
			 const struct call_plan *plan)
{
	check_bound(checker, plan->args.at[SEND_AT_MAD], VAR_BUFFER);
	if (plan->args.at[SEND_AT_DATA])
		check_error(checker, plan->args.at[SEND_AT_DATA]->place,
			    "%s() takes data= with a MAD only: a buffer is sent as it is",
			    kind->name);
}

const struct call_kind *check_call_args(struct checker *checker, const struct call_expr *call,
					struct call_plan *ret)
{
	const char *suggestion = NULL;
	const struct call_kind *kind = call_find(call->name, &suggestion);

	if (!kind) {
		if (suggestion)
			check_error(checker, call->place,
				    "there is no call %s(): did you mean %s()?", call->name,
				    suggestion);
		else
			check_error(checker, call->place, "there is no call %s() ('Calls' in "
				    "scenario-language.md lists them)", call->name);
		return NULL;
	}
	if (!call_bind_args(checker->diagnostics, kind, call, &ret->args))
		return NULL;
	ret->kind = kind;
	for (int i = 0; i < CALL_PARAMS_MAX && kind->params[i].name != NULL; i++) {
		const struct expr *arg = ret->args.at[i];

		if (!arg)
			continue;
		check_arg(checker, &kind->params[i], arg);
		if (kind->params[i].kind == PARAM_MAD && kind->takes_buffer &&
		    arg->kind == EXPR_WORD)
			check_buffer(checker, kind, ret);
		else if (kind->params[i].kind == PARAM_MAD)
			ret->mad = check_mad_expr(checker, arg, MAD_SENT);
	}
	return kind;
}
