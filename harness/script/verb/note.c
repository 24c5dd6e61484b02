/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * note "TEXT": puts a line of text into the capture and the ladder, at its time.
 */
#include "harness/script/verb/verbs.h"

#include "harness/script/check/checker.h"
#include "harness/script/parse/parser.h"
#include "harness/script/run/timeline.h"

struct note_step {
	struct step step;
	const struct expr *text;
};

static const struct step_part parts[] = {
	STEP_PART(VALUE, note_step, text), STEP_PARTS_END,
};

static struct step *parse_note(struct parser *parser)
{
	struct note_step *line = parser_step(parser, &verb_note);

	if (parser_peek(parser)->kind != TOKEN_STRING && parser_peek(parser)->kind != TOKEN_USE) {
		parser_expected(parser, "a text in quotes");
		return NULL;
	}
	line->text = parse_primary(parser);
	return line->text ? &line->step : NULL;
}

static void check_note(struct checker *checker, struct plan_step *step)
{
	const struct expr *text = ((const struct note_step *)step->line)->text;

	if (text->kind == EXPR_USE)
		check_unknown(checker, text);
	else if (text->kind != EXPR_STRING)
		check_expected(checker, text, "a text in quotes");
}

static char *note_needs(const struct plan_step *step, const struct rig *rig)
{
	(void)step;
	(void)rig;
	return NULL;
}

static void run_note_line(struct run *run, const struct plan_step *step)
{
	const char *said = ((const struct note_step *)step->line)->text->text;
	struct due_window due = step_window(run, step);
	g_autofree char *text = g_strdup_printf("# %s", said);

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	step_done(run, step, &due, run_now(run));
	if (run->world->kind->note)
		run->world->kind->note(run->world, said);
	run_note(run, run_now(run), "", g_strdelimit(text, "\n\t\r", ' '), "ok");
}

const struct script_verb verb_note = {
	.word = "note",
	.follows = TOKEN_BIT(STRING) | TOKEN_BIT(USE) | TOKEN_BIT(WORD) | TOKEN_BIT(NUMBER),
	.size = sizeof(struct note_step),
	.parts = parts,
	.parse = parse_note,
	.check = check_note,
	.needs = note_needs,
	.run = run_note_line,
};
