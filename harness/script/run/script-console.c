/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Commands of the console in a script: see harness/script/run/script-console.h.
 */
#include "harness/script/run/script-console.h"

#include <stdlib.h>

#include "harness/script/tree/console-word.h"
#include "kmod-stub/event.h"
#include "harness/script/run/script-timeline.h"
#include "harness/script/tree/script-words.h"

/* What does not fit yet is asked for again. */
#define AGAIN_NS (50 * NS_PER_MS)

bool parse_do(struct parser *parser, struct step *step)
{
	step->verb = STEP_DO;
	step->call = step_new_call(parser, "do");
	parse_words(parser, step);
	return parse_call_result(parser, step);
}

void check_do(struct checker *checker, struct step *step)
{
	uint64_t number;

	check_words(checker, step);
	if (step->result != NULL && !expr_constant_number(step->result, &number))
		check_error(checker, step->result->place,
			    "a command gives 0, or an errno as -ENOENT");
	if (step->result_mad != NULL)
		check_error(checker, step->result_mad->place, "a command gives no MAD");
	check_prints(checker, step, "a command");
}

static char *command_line(struct run *run, const struct step *step)
{
	GString *line = g_string_new(NULL);

	for (guint i = 0; i < step->call->args->len; i++) {
		g_autofree char *word = step_word_text(run, step_word(step, i));

		console_line_append(line, word);
	}
	return g_string_free(line, FALSE);
}

/* Does the command give what the line says? Where not, and it is the last time: why. */
static bool fits(struct run *run, const struct step *step, const char *line, bool last)
{
	g_autoptr(GString) why = g_string_new(NULL);
	uint64_t wanted = 0;
	char *said = NULL;
	int result = run->world->kind->console(run->world, line, &said);

	if (step->result != NULL)
		expr_constant_number(step->result, &wanted);
	step_prints(step, said, why);
	if (result == (int)wanted && why->len == 0) {
		free(said);
		return true;
	}
	if (last && result < 0 && result != (int)wanted)
		run_fail(run, step->place, "%s: %s", line, said);
	else if (last && why->len == 0)
		run_fail(run, step->place, "%s: this is done, and should not be", line);
	else if (last)
		run_fail(run, step->place, "%s: %.*s", line, (int)why->len - 2, why->str);
	if (last && result >= 0 && said[0] != '\0')
		g_string_append_printf(run->outcome->details, "it printed:\n%s", said);
	free(said);
	return false;
}

void run_do(struct run *run, const struct step *step)
{
	struct due_window due = step_window(run, step);
	g_autofree char *line = NULL, *text = NULL;
	bool again = step->time.kind == STEP_TIME_WINDOW;

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	line = command_line(run, step);
	text = g_strconcat("do ", line, NULL);
	while (!run_failed(run) && !fits(run, step, line, !again || run_now(run) >= due.high_ns))
		run_advance(run, MIN(run_now(run) + AGAIN_NS, due.high_ns));
	step_done(run, step, &due, run_now(run));
	if (again)
		run->base_ns = run_now(run);	/* what follows counts from when it fitted */
	run_note(run, run_now(run), "", text, run_failed(run) ? "DIFFERS" : "ok");
	run_advance(run, run_now(run));
}
