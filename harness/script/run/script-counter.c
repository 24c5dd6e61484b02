/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The check line of a script: counters of ports.
 *
 * A step keeps the port and the counter's name as the arguments of its call, how they are compared
 * as its 'bind', and the value as its result.
 */
#include "harness/script/run/script-counter.h"

#include <errno.h>
#include <string.h>

#include "harness/script/check/script-checker.h"
#include "harness/script/parse/script-parser.h"
#include "harness/script/run/script-timeline.h"

enum { AT_PORT, AT_NAME, ARGUMENTS };

static const struct expr *argument(const struct step *step, guint at)
{
	return ((const struct call_arg *)step->call->args->pdata[at])->value;
}

/* ---- parsing ---- */

static const struct comparison {
	enum token_kind token;
	const char *text;
} comparisons[] = {
	{ TOKEN_EQUAL, "==" },
	{ TOKEN_LESS, "<" },
	{ TOKEN_GREATER, ">" },
	{ TOKEN_GREATER_EQUAL, ">=" },
};

bool parse_check(struct parser *parser, struct step *step)
{
	step->verb = STEP_CHECK;
	if (!parser_at_word(parser, "counter") ||
	    parser_peek_at(parser, 1)->kind != TOKEN_LPAREN) {
		parser_expected(parser, "counter(PORT, NAME) behind 'check'");
		return false;
	}
	step->call = parse_call(parser);
	if (step->call == NULL)
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(comparisons) && step->bind == NULL; i++) {
		if (parser_accept(parser, comparisons[i].token))
			step->bind = comparisons[i].text;
	}
	if (step->bind == NULL) {
		parser_expected(parser, "'==', '<', '>' or '>=' and a number");
		return false;
	}
	step->result = parse_value(parser);
	return step->result != NULL;
}

/* ---- checking ---- */

void check_counter(struct checker *checker, struct step *step)
{
	bool positional = step->call->args->len == ARGUMENTS;
	uint64_t number;

	for (guint i = 0; positional && i < ARGUMENTS; i++)
		positional = ((const struct call_arg *)step->call->args->pdata[i])->name == NULL;
	if (!positional) {
		check_error(checker, step->call->place,
			    "a counter is said so: counter(\"H1[1]\", PortRcvErrors)");
		return;
	}
	check_cable(checker, argument(step, AT_PORT));
	if (argument(step, AT_NAME)->kind != EXPR_WORD)
		check_error(checker, argument(step, AT_NAME)->place,
			    "a counter has the name of its field, as PortRcvErrors");
	if (!expr_constant_number(step->result, &number))
		check_error(checker, step->result->place, "here must stand a number");
}

/* ---- running ---- */

static bool compares(const char *how, uint64_t value, uint64_t wanted)
{
	if (strcmp(how, "<") == 0)
		return value < wanted;
	if (how[0] == '>')
		return value > wanted || (how[1] == '=' && value == wanted);
	return value == wanted;
}

void run_check(struct run *run, const struct step *step)
{
	struct due_window due = step_window(run, step);
	const char *port = world_end_name(run->world, argument(step, AT_PORT));
	const char *name = argument(step, AT_NAME)->text;
	g_autofree char *text = NULL;
	uint64_t wanted = 0;
	int64_t value;

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	step_done(run, step, &due, run_now(run));
	expr_constant_number(step->result, &wanted);
	value = run->world->kind->counter(run->world, port, name);
	if (value < 0) {
		run_fail(run, argument(step, value == -ENOENT ? AT_PORT : AT_NAME)->place,
			 value == -ENOENT ? "there is no port %s" : "no port has a counter %s",
			 value == -ENOENT ? port : name);
		return;
	}
	text = g_strdup_printf("%s of %s is %" G_GINT64_FORMAT, name, port, value);
	if (!compares(step->bind, (uint64_t)value, wanted)) {
		run_fail(run, step->place, "%s", text);
		run->outcome->expected =
			g_strdup_printf("%s %" G_GUINT64_FORMAT, step->bind, wanted);
		run->outcome->actual = g_strdup_printf("%" G_GINT64_FORMAT, value);
	}
	run_note(run, run_now(run), "", text, run_failed(run) ? "DIFFERS" : "ok");
}
