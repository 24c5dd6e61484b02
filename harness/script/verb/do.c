/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * do COMMAND WORD...: a command of the fabric's console (sim/console/console.h), in a script:
 *
 * 	+0       do fault add drop 90% on S1[3]
 * 	+0~+30s  do report = 0, prints="ways 121 lead 121"
 *
 * load and counter are commands that need no "do":
 *
 * 	+0       load add H1 H2 100G
 * 	+0       counter S1[3] SymbolErrorCounter +10/s for 60s
 */
#include "harness/script/verb/verbs.h"

#include <stdlib.h>

#include "harness/script/check/needs.h"
#include "harness/script/check/script-fabric.h"
#include "harness/script/run/timeline.h"
#include "harness/script/tree/console-word.h"
#include "harness/script/verb/words.h"
#include "kmod-stub/event.h"

/* How often the command is repeated until its result matches. */
#define AGAIN_NS (50 * NS_PER_MS)

struct do_step {
	struct step step;
	const char *command;		/* its first word, if that is the verb; else NULL */
	const GPtrArray *words;		/* of const struct expr * */
	struct result_expr result;	/* its 'umad' is lines= and prints= */
};

static const struct step_part parts[] = {
	STEP_PART(LIST, do_step, words), STEP_PARTS_RESULT(do_step, result), STEP_PARTS_END,
};

static struct step *parse_command(struct parser *parser, const struct script_verb *verb,
				  const char *command)
{
	struct do_step *line = parser_step(parser, verb);

	line->command = command;
	line->words = parse_words(parser);
	return parse_reply(parser, &line->result) ? &line->step : NULL;
}

static struct step *parse_do(struct parser *parser)
{
	return parse_command(parser, &verb_do, NULL);
}

static struct step *parse_load(struct parser *parser)
{
	return parse_command(parser, &verb_load, "load");
}

static struct step *parse_counter(struct parser *parser)
{
	return parse_command(parser, &verb_counter, "counter");
}

static unsigned int do_timing(const struct step *step)
{
	return step->time.kind == STEP_TIME_WINDOW ? STEP_RETRIED : 0;
}

/* Is the command to succeed? A test of its errors may say anything. */
static bool must_succeed(const struct do_step *line)
{
	uint64_t number = 0;

	return !line->result.value ||
	       (expr_constant_number(line->result.value, &number) && number == 0);
}

/* What is known of the command before it runs; names such as $CA are not. */
static void check_command(struct checker *checker, const struct plan_step *step)
{
	const struct do_step *line = (const struct do_step *)step->line;
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *why = NULL;
	unsigned int at = 0;

	if (line->command)
		console_line_append(text, line->command);
	for (guint i = 0; i < line->words->len; i++) {
		const struct expr *word = line->words->pdata[i];
		g_autofree char *said = word->kind == EXPR_USE ? NULL : run_word_text(word);

		if (!said)
			return;
		console_line_append(text, said);
	}
	if (must_succeed(line))
		why = script_console_objection(checker->fabric, text->str, &at);
	if (line->command && at > 0)
		at--;
	if (why)
		check_error(checker,
			    ((const struct expr *)line->words->pdata[MIN(at, line->words->len - 1)])
				    ->place, "%s", why);
}

static void check_do(struct checker *checker, struct plan_step *step)
{
	const struct do_step *line = (const struct do_step *)step->line;
	uint64_t number;

	check_words(checker, line->words);
	if (line->words->len > 0)
		check_command(checker, step);
	if (line->result.value && !expr_constant_number(line->result.value, &number))
		check_error(checker, line->result.value->place,
			    "expected 0, or an error such as -ENOENT");
	if (line->result.mad)
		check_error(checker, line->result.mad->place, "a command returns no MAD");
	check_prints(checker, line->result.umad, "a command");
}

static char *do_needs(const struct plan_step *step, const struct rig *rig)
{
	(void)step;
	return sim_only_unmet(rig, "programs, cables and nodes are the simulator's");
}

/* ---- running ---- */

static char *command_line(struct run *run, const struct do_step *line)
{
	GString *text = g_string_new(NULL);

	if (line->command)
		console_line_append(text, line->command);
	for (guint i = 0; i < line->words->len; i++) {
		g_autofree char *word = run_word(run, line->words->pdata[i]);

		console_line_append(text, word);
	}
	return g_string_free(text, false);
}

/* Does the command return what the line expects? If not, and it is the last time: why. */
static bool fits(struct run *run, const struct plan_step *step, const char *line, bool last)
{
	const struct result_expr *result = &((const struct do_step *)step->line)->result;
	g_autoptr(GString) why = g_string_new(NULL);
	uint64_t wanted = 0;
	char *said = NULL;
	int status = run->world->kind->console(run->world, line, &said);

	if (result->value)
		expr_constant_number(result->value, &wanted);
	expect_prints(result->umad, said, why);
	if ((status == (int)wanted && why->len == 0) ||
	    (last && amend_result(run, result, ((const struct do_step *)step->line)->words,
				  status, said))) {
		free(said);
		return true;
	}
	if (last && status < 0 && status != (int)wanted)
		run_fail(run, step->place, "%s: %s", line, said);
	else if (last && why->len == 0)
		run_fail(run, step->place, "%s: succeeded, but should have failed", line);
	else if (last)
		run_fail(run, step->place, "%s: %.*s", line, (int)why->len - 2, why->str);
	if (last && status >= 0 && said[0] != '\0')
		g_string_append_printf(run->outcome->details, "it printed:\n%s", said);
	free(said);
	return false;
}

static void run_do(struct run *run, const struct plan_step *step)
{
	struct due_window due = step_window(run, step);
	g_autofree char *line = NULL, *text = NULL;
	bool again = step->time.kind == STEP_TIME_WINDOW;

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	line = command_line(run, (const struct do_step *)step->line);
	text = g_strconcat(((const struct do_step *)step->line)->command ? "" : "do ", line, NULL);
	while (!run_failed(run) && !fits(run, step, line, !again || run_now(run) >= due.high_ns))
		run_advance(run, MIN(run_now(run) + AGAIN_NS, due.high_ns));
	step_done(run, step, &due, run_now(run));
	if (again)
		run->base_ns = run_now(run);	/* '+' counts from when it matched */
	run_note(run, run_now(run), "", text, run_failed(run) ? "DIFFERS" : "ok");
	run_advance(run, run_now(run));
}

const struct script_verb verb_do = {
	.word = "do",
	.follows = TOKEN_BIT(STRING) | TOKEN_BIT(USE),
	.takes_words = true,
	.size = sizeof(struct do_step),
	.parts = parts,
	.timing_of = do_timing,
	.parse = parse_do,
	.check = check_do,
	.needs = do_needs,
	.run = run_do,
};

const struct script_verb verb_load = {
	.word = "load",
	.follows = TOKEN_BIT(STRING) | TOKEN_BIT(USE),
	.takes_words = true,
	.size = sizeof(struct do_step),
	.parts = parts,
	.timing_of = do_timing,
	.parse = parse_load,
	.check = check_do,
	.needs = do_needs,
	.run = run_do,
};

const struct script_verb verb_counter = {
	.word = "counter",
	.follows = TOKEN_BIT(STRING) | TOKEN_BIT(USE),
	.takes_words = true,
	.size = sizeof(struct do_step),
	.parts = parts,
	.timing_of = do_timing,
	.parse = parse_counter,
	.check = check_do,
	.needs = do_needs,
	.run = run_do,
};
