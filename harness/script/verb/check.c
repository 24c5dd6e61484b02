/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * check counter(PORT, NAME) == VALUE: what a port has counted.
 */
#include "harness/script/verb/verbs.h"

#include <errno.h>

#include "harness/script/check/checker.h"
#include "harness/script/check/needs.h"
#include "harness/script/check/script-fabric.h"
#include "harness/script/parse/parser.h"
#include "harness/script/run/amend.h"
#include "harness/script/run/timeline.h"

enum { AT_PORT, AT_NAME, ARGUMENTS };

struct check_step {
	struct step step;
	const struct call_expr *counter;
	const struct comparison *comparison;
	const struct expr *value;
};

static const struct step_part parts[] = {
	STEP_PART(CALL, check_step, counter), STEP_PART(VALUE, check_step, value), STEP_PARTS_END,
};

static bool is_equal(uint64_t value, uint64_t wanted)
{
	return value == wanted;
}

static bool is_less(uint64_t value, uint64_t wanted)
{
	return value < wanted;
}

static bool is_greater(uint64_t value, uint64_t wanted)
{
	return value > wanted;
}

static bool is_at_least(uint64_t value, uint64_t wanted)
{
	return value >= wanted;
}

static const struct comparison {
	enum token_kind token;
	const char *text;
	bool (*holds)(uint64_t value, uint64_t wanted);
} comparisons[] = {
	{ TOKEN_EQUAL, "==", is_equal },
	{ TOKEN_LESS, "<", is_less },
	{ TOKEN_GREATER, ">", is_greater },
	{ TOKEN_GREATER_EQUAL, ">=", is_at_least },
};

static const struct expr *argument(const struct check_step *line, guint at)
{
	return ((const struct call_arg *)line->counter->args->pdata[at])->value;
}

static struct step *parse_check(struct parser *parser)
{
	struct check_step *line = parser_step(parser, &verb_check);

	if (!parser_at_word(parser, "counter") ||
	    parser_peek_at(parser, 1)->kind != TOKEN_LPAREN) {
		parser_expected(parser, "counter(PORT, NAME) after 'check'");
		return NULL;
	}
	line->counter = parse_call(parser);
	if (!line->counter)
		return NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(comparisons) && !line->comparison; i++) {
		if (parser_accept(parser, comparisons[i].token))
			line->comparison = &comparisons[i];
	}
	if (!line->comparison) {
		parser_expected(parser, "'==', '<', '>' or '>=' and a number");
		return NULL;
	}
	line->value = parse_value(parser);
	return line->value ? &line->step : NULL;
}

static void check_name(struct checker *checker, const struct expr *name)
{
	g_autofree char *why = NULL;

	if (name->kind != EXPR_WORD) {
		check_expected(checker, name, "the name of a counter, such as PortRcvErrors");
		return;
	}
	why = script_counter_objection(name->text);
	if (why)
		check_error(checker, name->place, "%s", why);
}

/* "S1[255]" means all ports of a node, as PortSelect does. */
static void check_port(struct checker *checker, const struct expr *port)
{
	if (port->kind != EXPR_STRING || !g_str_has_suffix(port->text, "[255]"))
		check_cable(checker, port);
}

static void check_counter(struct checker *checker, struct plan_step *step)
{
	const struct check_step *line = (const struct check_step *)step->line;
	bool positional = line->counter->args->len == ARGUMENTS;

	for (guint i = 0; positional && i < ARGUMENTS; i++)
		positional = !((const struct call_arg *)line->counter->args->pdata[i])->name;
	if (!positional) {
		check_error(checker, line->counter->place,
			    "expected a port and a name: counter(\"H1[1]\", PortRcvErrors)");
		return;
	}
	check_port(checker, argument(line, AT_PORT));
	check_name(checker, argument(line, AT_NAME));
	check_constant_number(checker, line->value);
}

static char *check_needs(const struct plan_step *step, const struct rig *rig)
{
	const struct need wire = { .kind = NEED_WIRE };

	(void)step;
	return need_unmet(&wire, rig);
}

/* A limit is not what was seen, but what somebody has chosen. */
static bool amend(struct run *run, const struct check_step *line, int64_t value)
{
	g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, value);

	if (line->comparison->token != TOKEN_EQUAL)
		return run_amend_refuse(run, "it states a limit, which is not seen but chosen");
	return run_amend(run, line->value, text);
}

static void run_check(struct run *run, const struct plan_step *step)
{
	struct due_window due = step_window(run, step);
	const struct check_step *line = (const struct check_step *)step->line;
	const char *port = world_end_name(run->world, argument(line, AT_PORT));
	const char *name = argument(line, AT_NAME)->text;
	g_autofree char *text = NULL;
	uint64_t wanted = 0;
	int64_t value;

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	step_done(run, step, &due, run_now(run));
	expr_constant_number(line->value, &wanted);
	value = run->world->kind->counter(run->world, port, name);
	if (value < 0) {
		run_fail(run, argument(line, value == -ENOENT ? AT_PORT : AT_NAME)->place,
			 value == -ENOENT ? "there is no port %s" : "no port has a counter %s",
			 value == -ENOENT ? port : name);
		return;
	}
	text = g_strdup_printf("%s of %s is %" G_GINT64_FORMAT, name, port, value);
	if (!line->comparison->holds((uint64_t)value, wanted) && !amend(run, line, value)) {
		run_fail(run, step->place, "%s", text);
		run->outcome->expected =
			g_strdup_printf("%s %" G_GUINT64_FORMAT, line->comparison->text, wanted);
		run->outcome->actual = g_strdup_printf("%" G_GINT64_FORMAT, value);
	}
	run_note(run, run_now(run), "", text, run_failed(run) ? "DIFFERS" : "ok");
}

const struct script_verb verb_check = {
	.word = "check",
	.follows = TOKEN_BIT(WORD) | TOKEN_BIT(USE),
	.size = sizeof(struct check_step),
	.parts = parts,
	.parse = parse_check,
	.check = check_counter,
	.needs = check_needs,
	.run = run_check,
};
