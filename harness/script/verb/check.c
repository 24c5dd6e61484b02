/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * check counter(PORT, NAME) == VALUE: what a port has counted; check port(PORT, FIELD) and
 * check node(NODE, FIELD): what subnet management reads of it. In a window: until it holds.
 */
#include "harness/script/verb/attribute-line.h"

#include <errno.h>
#include <string.h>

#include "harness/script/parse/parser.h"
#include "harness/script/check/script-fabric.h"
#include "harness/script/run/amend.h"
#include "harness/script/run/timeline.h"
#include "harness/script/verb/verbs.h"
#include "kmod-stub/event.h"

/* How often the value is read again where nothing tells that it may have changed. */
#define AGAIN_NS (10 * NS_PER_MS)

enum { AT_WHOSE, AT_NAME, ARGUMENTS };

struct check_step {
	struct step step;
	const struct call_expr *what;	/* counter(...), port(...) or node(...) */
	const struct comparison *comparison;
	const struct expr *value;
};

struct check_plan {
	bool is_counter;
	struct attribute_line attribute;	/* of the others */
};

static const struct step_part parts[] = {
	STEP_PART(CALL, check_step, what), STEP_PART(VALUE, check_step, value), STEP_PARTS_END,
};

/* What can be checked, and an example of it. */
static const struct { const char *word, *example; } kinds[] = {
	{ "counter", "a port and a name: counter(\"H1[1]\", PortRcvErrors)" },
	{ "port", "a port and a field: port(\"H1[1]\", LinkState)" },
	{ "node", "a node and a field: node(\"H1\", NodeType)" },
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
	return ((const struct call_arg *)line->what->args->pdata[at])->value;
}

static bool at_kind(struct parser *parser)
{
	if (parser_peek_at(parser, 1)->kind != TOKEN_LPAREN)
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (parser_at_word(parser, kinds[i].word))
			return true;
	}
	return false;
}

static struct step *parse_check(struct parser *parser)
{
	struct check_step *line = parser_step(parser, &verb_check);

	if (!at_kind(parser)) {
		parser_expected(parser, "counter(PORT, NAME), port(PORT, FIELD) or "
				"node(NODE, FIELD) after 'check'");
		return NULL;
	}
	line->what = parse_call(parser);
	if (!line->what)
		return NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(comparisons) && !line->comparison; i++) {
		if (parser_accept(parser, comparisons[i].token))
			line->comparison = &comparisons[i];
	}
	if (!line->comparison) {
		parser_expected(parser, "'==', '<', '>' or '>=' and a value");
		return NULL;
	}
	line->value = parse_value(parser);
	return line->value ? &line->step : NULL;
}

static unsigned int check_timing(const struct step *step)
{
	return step->time.kind == STEP_TIME_WINDOW ? STEP_RETRIED : 0;
}

/* ---- checking ---- */

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

/* Are there two arguments, both by position? */
static bool check_arguments(struct checker *checker, const struct call_expr *what)
{
	bool positional = what->args->len == ARGUMENTS;

	for (guint i = 0; positional && i < ARGUMENTS; i++)
		positional = !((const struct call_arg *)what->args->pdata[i])->name;
	for (size_t i = 0; !positional && i < G_N_ELEMENTS(kinds); i++) {
		if (strcmp(what->name, kinds[i].word) == 0)
			check_error(checker, what->place, "expected %s", kinds[i].example);
	}
	return positional;
}

static void check_check(struct checker *checker, struct plan_step *step)
{
	const struct check_step *line = (const struct check_step *)step->line;
	struct check_plan *plan = check_resolved(checker, sizeof(*plan));

	plan->is_counter = strcmp(line->what->name, "counter") == 0;
	plan->attribute.of_node = strcmp(line->what->name, "node") == 0;
	if (!check_arguments(checker, line->what))
		return;
	if (!plan->is_counter) {
		attribute_check(checker, argument(line, AT_WHOSE), argument(line, AT_NAME),
				line->value, line->comparison->token != TOKEN_EQUAL,
				&plan->attribute);
		return;
	}
	check_port(checker, argument(line, AT_WHOSE));
	check_name(checker, argument(line, AT_NAME));
	check_constant_number(checker, line->value);
}

static char *check_needs(const struct plan_step *step, const struct rig *rig)
{
	const struct need wire = { .kind = NEED_WIRE };
	const struct check_plan *plan = step->resolved;

	if (plan->is_counter)
		return need_unmet(&wire, rig);
	return attribute_unmet(&plan->attribute,
			       argument((const struct check_step *)step->line, AT_WHOSE), rig);
}

/* ---- running ---- */

/* What was seen, as messages and as scripts write it; and whether that is what must be. */
struct seen {
	bool holds;
	char *actual, *written, *expected;
};

static void seen_clear(struct seen *seen)
{
	g_free(seen->actual);
	g_free(seen->written);
	g_free(seen->expected);
	*seen = (struct seen) { .holds = false };
}

/* False: run_fail() was called. */
static bool see_counter(struct run *run, const struct check_step *line, struct seen *ret)
{
	const char *port = world_end_name(run->world, argument(line, AT_WHOSE));
	const char *name = argument(line, AT_NAME)->text;
	int64_t value = run->world->kind->counter(run->world, port, name);
	uint64_t wanted = 0;

	if (value < 0) {
		run_fail(run, argument(line, value == -ENOENT ? AT_WHOSE : AT_NAME)->place,
			 value == -ENOENT ? "there is no port %s" : "no port has a counter %s",
			 value == -ENOENT ? port : name);
		return false;
	}
	expr_constant_number(line->value, &wanted);
	ret->holds = line->comparison->holds((uint64_t)value, wanted);
	ret->actual = g_strdup_printf("%" G_GINT64_FORMAT, value);
	ret->written = g_strdup(ret->actual);
	ret->expected = g_strdup_printf("%s %" G_GUINT64_FORMAT, line->comparison->text, wanted);
	return true;
}

static bool see_attribute(struct run *run, const struct check_step *line,
			  const struct attribute_line *attribute, struct seen *ret)
{
	g_autofree char *wanted = NULL;
	uint8_t data[64];

	if (!attribute_read(run, attribute, argument(line, AT_WHOSE), data))
		return false;
	if (attribute_is_text(attribute)) {
		ret->written = attribute_written(attribute, data);
		wanted = g_strdup_printf("\"%s\"", line->value->text);
		ret->holds = attribute_is(attribute, data, line->value->text);
	} else {
		ret->written = attribute_written(attribute, data);
		wanted = attribute_wanted(attribute);
		ret->holds = line->comparison->holds(mad_field_get(attribute->field, data),
						     attribute->number);
	}
	ret->actual = attribute_said(attribute, data);
	ret->expected = g_strdup_printf("%s %s", line->comparison->text, wanted);
	return true;
}

static bool see(struct run *run, const struct plan_step *step, struct seen *ret)
{
	const struct check_step *line = (const struct check_step *)step->line;
	const struct check_plan *plan = step->resolved;

	seen_clear(ret);
	return plan->is_counter ? see_counter(run, line, ret) :
	       see_attribute(run, line, &plan->attribute, ret);
}

/* A limit is not what was seen, but what somebody has chosen. */
static bool amend(struct run *run, const struct check_step *line, const struct seen *seen)
{
	if (line->comparison->token != TOKEN_EQUAL)
		return run_amend_refuse(run, "it states a limit, which is not seen but chosen");
	return run_amend(run, line->value, seen->written);
}

static void run_check(struct run *run, const struct plan_step *step)
{
	struct due_window due = step_window(run, step);
	const struct check_step *line = (const struct check_step *)step->line;
	bool again = step->time.kind == STEP_TIME_WINDOW;
	struct seen seen = { .holds = false };
	g_autofree char *text = NULL;
	bool known;

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	known = see(run, step, &seen);
	while (known && !seen.holds && again && run_now(run) < due.high_ns && !run_failed(run)) {
		run_advance_once(run, MIN(run_now(run) + AGAIN_NS, due.high_ns));
		known = see(run, step, &seen);
	}
	step_done(run, step, &due, run_now(run));
	if (again)
		run->base_ns = run_now(run);	/* '+' counts from when it held */
	if (known && !run_failed(run)) {
		text = g_strdup_printf("%s of %s is %s", argument(line, AT_NAME)->text,
				       world_end_name(run->world, argument(line, AT_WHOSE)),
				       seen.actual);
		if (!seen.holds && !amend(run, line, &seen)) {
			run_fail(run, step->place, "%s", text);
			run->outcome->expected = g_strdup(seen.expected);
			run->outcome->actual = g_strdup(seen.actual);
		}
		run_note(run, run_now(run), "", text, run_failed(run) ? "DIFFERS" : "ok");
	}
	seen_clear(&seen);
}

const struct script_verb verb_check = {
	.word = "check",
	.follows = TOKEN_BIT(WORD) | TOKEN_BIT(USE),
	.size = sizeof(struct check_step),
	.parts = parts,
	.timing_of = check_timing,
	.parse = parse_check,
	.check = check_check,
	.needs = check_needs,
	.run = run_check,
};
