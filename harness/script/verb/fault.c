/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * fault ACT [RATE] [COUNT|all] [MAD] [from|to|on PORT] [after N] [by T] [at BYTE]
 * [where "FILTER"] ...: a fault on a cable. What is known before the line runs is checked here;
 * fault-parse.c reads the line, and fault-run.c makes a rule of it.
 */
#include "harness/script/verb/verbs.h"

#include <string.h>

#include "harness/script/check/needs.h"
#include "harness/script/verb/fault-line.h"
#include "harness/script/verb/peer-line.h"
#include "sim/api/umadrig.h"
#include "sim/fabric/fault-action.h"
#include "sim/fabric/fault-where.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/lie.h"
#include "sim/filter/mad-filter.h"

static const struct step_part parts[] = {
	STEP_PART(CALL, fault_step, call), STEP_PART(VALUE, fault_step, mad), STEP_PARTS_END,
};

static struct step *parse_fault(struct parser *parser)
{
	struct fault_step *line = parser_step(parser, &verb_fault);

	return fault_parse_line(parser, line) ? &line->step : NULL;
}

/* The parts of a MAD that a rule of the simulator can match. */
static const char *const looked_at[] = {
	"class", "method", "attr", "modifier", "tid", "tid.low", "tid.high", "rmpp", "seg", NULL,
};

static void check_count(struct checker *checker, const struct fault_step *line, const char *name)
{
	const struct expr *value = fault_argument(line, name);

	if (value && !(expr_is_word(value, "all") && strcmp(name, "count") == 0))
		check_constant_number(checker, value);
}

static const struct fault_action *check_action(struct checker *checker, const struct expr *act)
{
	const struct fault_action *action =
		act->kind == EXPR_WORD ? fault_action_find(act->text) : NULL;
	g_autofree char *words = fault_action_words(0, "or");

	if (!action)
		check_error(checker, act->place, "expected %s", words);
	return action;
}

/* What only some actions take. */
static void check_arguments(struct checker *checker, const struct plan_step *step,
			    const struct fault_action *action)
{
	const struct fault_step *line = (const struct fault_step *)step->line;
	const struct expr *about = fault_argument(line, "lie");
	const struct fault_part *part;

	for (unsigned int i = 0; (part = fault_part_at(i)); i++) {
		const struct expr *value = fault_argument(line, part->word);
		g_autofree char *words = fault_action_words(part->argument, "and");

		if (value && !(action->takes & part->argument))
			check_error(checker, value->place, "'%s' is for %s only", part->word,
				    words);
	}
	if (about && !(action->takes & FAULT_LIE))
		check_error(checker, about->place, "a field or a kind of fields is for lie only");
	if ((action->needs & FAULT_LIE) && !about)
		check_error(checker, step->place, "%s needs a field or a kind of them: "
			    "'NodeInfo.LocalPort=255', for example, or 'any 1%%'", action->word);
	if ((action->needs & FAULT_TIME) && !fault_argument(line, "by"))
		check_error(checker, step->place, "%s needs a time: 'by 5ms', for example",
			    action->word);
}

static void check_fields(struct checker *checker, const struct expr *mad,
			 struct fault_plan *plan)
{
	plan->mad = check_mad_expr(checker, mad, MAD_ASKED);
	for (guint i = 0; plan->mad && i < plan->mad->terms->len; i++) {
		const struct mad_term *term = plan->mad->terms->pdata[i];

		if (!term->info || !g_strv_contains(looked_at, term->info->name))
			check_error(checker, term->place,
				    "a fault looks at class, method, attribute, modifier, tid, "
				    "rmpp and seg of a MAD; at all else after 'where': where "
				    "\"%s=...\"", term_name(term));
	}
}

/* A rate is what it is in all rules. */
static void check_rate(struct checker *checker, const struct expr *rate)
{
	g_autofree char *text = rate ? g_strdup_printf("drop %s", rate->text) : NULL;
	struct umadrig_fault fault;
	char why[256];

	if (text && fault_text_parse(text, &fault, why, sizeof(why)) < 0)
		check_error(checker, rate->place, "%s", strstr(why, "': ") + 3);
	else if (text)
		fault_text_clear(&fault);
}

static void check_lie(struct checker *checker, const struct fault_step *line)
{
	const struct expr *about = fault_argument(line, "lie");
	g_autofree char *text = NULL;
	struct lie lie;
	uint64_t number = 0;
	bool has_number;
	char why[256];

	if (!about)
		return;
	has_number = expr_constant_number(about, &number);
	text = fault_lie_text(line, number, has_number);
	if (text && lie_parse(text, &lie, why, sizeof(why)) < 0)
		check_error(checker, about->place, "%s", why);
	else if (!text)
		check_constant_number(checker, about);
}

/* The place in the string that is wrong; all of it where it is not as it is written. */
static struct place place_in(const struct expr *string, const struct filter_error *error)
{
	struct place place = string->place;

	if (place.width != strlen(string->text) + 2)
		return place;
	place.offset += 1 + error->at;
	place.column += 1 + (unsigned int)error->at;
	place.width = (unsigned int)error->size;
	return place;
}

static void check_where(struct checker *checker, const struct fault_step *line,
			const struct fault_plan *plan)
{
	const struct expr *where = fault_argument(line, "where");
	uint16_t attribute = plan->mad && plan->mad->attr_id > 0 ? (uint16_t)plan->mad->attr_id : 0;
	struct filter_error error;
	struct mad_filter *filter;

	if (!where)
		return;
	filter = fault_where_parse(where->text, fault_class_of(plan), attribute, &error);
	mad_filter_free(filter);
	if (filter)
		return;
	check_error(checker, place_in(where, &error), "%s", error.message);
	g_free(error.message);
}

static void check_fault(struct checker *checker, struct plan_step *step)
{
	const struct fault_step *line = (const struct fault_step *)step->line;
	struct fault_plan *plan = check_resolved(checker, sizeof(*plan));
	const struct expr *by = fault_argument(line, "by"), *at = fault_argument(line, "at");
	const struct expr *from = fault_argument(line, "from");
	const struct fault_action *action = check_action(checker, fault_argument(line, "act"));
	uint64_t number;

	if (!action)
		return;
	if (line->mad && line->mad->kind == EXPR_MAD)
		check_fields(checker, line->mad, plan);
	else if (line->mad)
		check_constant_number(checker, line->mad);
	check_count(checker, line, "count");
	check_count(checker, line, "after");
	check_count(checker, line, "flips");
	check_cable(checker, from);
	check_cable(checker, fault_argument(line, "to"));
	check_cable(checker, fault_argument(line, "on"));
	if (by)
		check_constant_time(checker, by);
	if (at && (!expr_constant_number(at, &number) || number > 255))
		check_error(checker, at->place, "expected a byte of the MAD, from 0 to 255");
	check_arguments(checker, step, action);
	check_lie(checker, line);
	check_where(checker, line, plan);
	check_rate(checker, fault_argument(line, "rate"));
	if (!line->mad && line->call->args->len == 1 && !action->needs)
		check_error(checker, fault_argument(line, "act")->place, "say how many packets: "
			    "'%s 1', '%s all' or '%s 5%%'", action->word, action->word,
			    action->word);
	plan->withheld = action->act == UMADRIG_FAULT_DROP && from && expr_is_word(from, "peer") &&
			 !fault_argument(line, "rate") && !fault_argument(line, "overrun") &&
			 !fault_argument(line, "unread") && !fault_argument(line, "where") &&
			 peer_answers_above(checker);
}

static char *fault_needs(const struct plan_step *step, const struct rig *rig)
{
	const struct need wire = { .kind = NEED_WIRE }, peer = { .kind = NEED_PEER };
	const struct fault_plan *plan = step->resolved;

	return need_unmet(plan->withheld ? &peer : &wire, rig);
}

const struct script_verb verb_fault = {
	.word = "fault",
	.follows = TOKEN_BIT(WORD) | TOKEN_BIT(USE),
	.size = sizeof(struct fault_step),
	.parts = parts,
	.parse = parse_fault,
	.check = check_fault,
	.needs = fault_needs,
	.run = fault_run_line,
};
