/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * link down|up PORT and power off|on NODE: changes the state of cables and nodes.
 */
#include "harness/script/verb/verbs.h"

#include <errno.h>

#include "harness/script/check/checker.h"
#include "harness/script/check/needs.h"
#include "harness/script/parse/parser.h"
#include "harness/script/run/timeline.h"

struct switch_step {
	struct step step;
	const char *word;		/* down, up, off, on */
	bool on;
	const struct expr *where;	/* a port, or a node */
};

static const struct step_part parts[] = {
	STEP_PART(VALUE, switch_step, where), STEP_PARTS_END,
};

/* Parses down|up PORT, off|on NODE. */
static struct step *parse_switch(struct parser *parser, const struct script_verb *verb,
				 const char *const words[2], const char *what)
{
	struct switch_step *line = parser_step(parser, verb);

	line->on = parser_at_word(parser, words[1]);
	line->word = words[line->on];
	if (!parser_accept_word(parser, line->word)) {
		g_autofree char *expected = g_strdup_printf("'%s' or '%s', and %s", words[0],
							    words[1], what);

		parser_expected(parser, expected);
		return NULL;
	}
	line->where = parse_port(parser);
	return line->where ? &line->step : NULL;
}

static struct step *parse_link(struct parser *parser)
{
	static const char *const words[2] = { "down", "up" };

	return parse_switch(parser, &verb_link, words, "a port");
}

static struct step *parse_power(struct parser *parser)
{
	static const char *const words[2] = { "off", "on" };

	return parse_switch(parser, &verb_power, words, "a node");
}

static void check_link(struct checker *checker, struct plan_step *step)
{
	check_cable(checker, ((const struct switch_step *)step->line)->where);
}

static void check_power(struct checker *checker, struct plan_step *step)
{
	const struct expr *node = ((const struct switch_step *)step->line)->where;

	if (node->kind != EXPR_STRING)
		check_expected(checker, node, "a node in quotes, such as \"S1\"");
	else
		check_node_name(checker, node);
}

static char *switch_needs(const struct plan_step *step, const struct rig *rig)
{
	(void)step;
	return sim_only_unmet(rig, "programs, cables and nodes are the simulator's");
}

static void run_switch(struct run *run, const struct plan_step *step)
{
	struct due_window due = step_window(run, step);
	const struct switch_step *line = (const struct switch_step *)step->line;
	bool is_link = step->line->verb == &verb_link;
	const char *name = is_link ? world_end_name(run->world, line->where) :
			   line->where->text;
	g_autofree char *text = g_strdup_printf("%s %s %s", is_link ? "link" : "power",
						line->word, name);
	int status;

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	step_done(run, step, &due, run_now(run));
	status = (is_link ? run->world->kind->link : run->world->kind->power)(
		run->world, name, line->on);
	if (status < 0)
		run_fail(run, step->place, status == -ENOENT ? "there is no %s %s" :
			 "there is no cable at %s %s", is_link ? "port" : "node", name);
	run_note(run, run_now(run), "", text, run_failed(run) ? "DIFFERS" : "ok");
	run_advance(run, run_now(run));
}

const struct script_verb verb_link = {
	.word = "link",
	.follows = TOKEN_BIT(WORD) | TOKEN_BIT(USE),
	.size = sizeof(struct switch_step),
	.parts = parts,
	.parse = parse_link,
	.check = check_link,
	.needs = switch_needs,
	.run = run_switch,
};

const struct script_verb verb_power = {
	.word = "power",
	.follows = TOKEN_BIT(WORD) | TOKEN_BIT(USE),
	.size = sizeof(struct switch_step),
	.parts = parts,
	.parse = parse_power,
	.check = check_power,
	.needs = switch_needs,
	.run = run_switch,
};
