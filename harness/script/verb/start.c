/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * start NAME = call(...) and end NAME [or NAME ...] = RESULT: calls that wait while other lines run
 * (harness/script/run/overlap.h), and programs.
 */
#include "harness/script/verb/verbs.h"

#include <string.h>

#include "harness/script/parse/parser.h"
#include "harness/script/run/amend.h"
#include "harness/script/run/expect.h"
#include "harness/script/run/overlap.h"
#include "harness/script/run/timeline.h"
#include "harness/script/run/verdict.h"
#include "harness/script/verb/call-check.h"
#include "harness/script/verb/call-run.h"
#include "harness/script/verb/program.h"
#include "harness/script/verb/words.h"

struct start_step {
	struct step step;
	const char *bind;
	struct place bind_place;
	const struct call_expr *call;
};

struct end_step {
	struct step step;
	const GPtrArray *names;		/* of const char *: of started calls */
	struct place after;		/* of what follows them */
	struct result_expr result;
};

struct end_plan {
	GPtrArray *started;		/* of const struct plan_step *: one of them has returned */
	const struct call_kind *kind;	/* NULL: it is a program */
	struct expected expected;
};

static const struct step_part start_parts[] = {
	STEP_PART(NAME, start_step, bind), STEP_PART(CALL, start_step, call), STEP_PARTS_END,
};

static const struct step_part end_parts[] = {
	STEP_PARTS_RESULT(end_step, result), STEP_PARTS_END,
};

/* ---- parsing ---- */

static struct step *parse_start(struct parser *parser)
{
	struct start_step *line = parser_step(parser, &verb_start);
	const struct token *name = parser_expect(parser, TOKEN_WORD, "a name for the call");

	if (!name || !parser_expect(parser, TOKEN_ASSIGN, "'=' and the call"))
		return NULL;
	line->bind = name->text;
	line->bind_place = name->place;
	if (parser_accept_word(parser, "run"))
		return parse_program(parser, name);
	if (parser_peek(parser)->kind != TOKEN_WORD ||
	    parser_peek_at(parser, 1)->kind != TOKEN_LPAREN) {
		parser_expected(parser, "a call that waits, such as umad_recv(fd)");
		return NULL;
	}
	line->call = parse_call(parser);
	return line->call ? &line->step : NULL;
}

static struct step *parse_end(struct parser *parser)
{
	struct end_step *line = parser_step(parser, &verb_end);
	GPtrArray *names = arena_array(parser->arena);

	line->names = names;
	do {
		const struct token *name =
			parser_expect(parser, TOKEN_WORD, "the name of a call that was started");

		if (!name)
			return NULL;
		g_ptr_array_add(names, (void *)name->text);
	} while (parser_accept_word(parser, "or"));
	line->after = parser_peek(parser)->place;
	if (parser_peek(parser)->kind != TOKEN_ASSIGN && parser_peek(parser)->kind != TOKEN_WORD) {
		parser_expected(parser, "'=' and a result");
		return NULL;
	}
	return parse_reply(parser, &line->result) ? &line->step : NULL;
}

/* ---- checking ---- */

static void check_start(struct checker *checker, struct plan_step *step)
{
	const struct start_step *line = (const struct start_step *)step->line;
	struct call_plan *plan = check_resolved(checker, sizeof(*plan));
	const struct call_kind *kind = check_call_args(checker, line->call, plan);

	if (!kind)
		return;
	if (!kind->waits)
		check_error(checker, line->call->place,
			    "%s() returns at once: only umad_recv() and umad_poll() can be started",
			    kind->name);
	check_begin(checker, line->bind_place, line->bind);
	checker->waiting++;
}

/* One of the calls that the line names. False: diagnosed. */
static bool add_started(struct checker *checker, const struct plan_step *step,
			struct end_plan *plan, const char *name)
{
	const struct plan_step *start = check_find_begun(checker, name);
	const struct call_kind *kind;

	if (!start) {
		if (!check_is_lost(checker, name))
			check_error(checker, step->place, "no line above starts a call %s", name);
		return false;
	}
	g_ptr_array_add(plan->started, (void *)start);
	if (start->line->verb != &verb_start)
		return true;
	kind = ((const struct call_plan *)start->resolved)->kind;
	if (plan->kind && plan->kind != kind) {
		check_error(checker, step->place, "%s is a different call: %s()", name, kind->name);
		return false;
	}
	plan->kind = kind;
	return true;
}

static void check_end(struct checker *checker, struct plan_step *step)
{
	const struct end_step *line = (const struct end_step *)step->line;
	struct end_plan *plan = check_resolved(checker, sizeof(*plan));
	bool programs = false;

	plan->started = arena_array(checker->arena);
	for (guint i = 0; i < line->names->len; i++) {
		if (!add_started(checker, step, plan, line->names->pdata[i]))
			return;
		programs |= ((const struct plan_step *)plan->started->pdata[i])->line->verb ==
			    &verb_run;
	}
	if (programs) {
		if (line->names->len > 1)
			check_error(checker, step->place, "'or' is for calls, not for programs");
		check_program_result(checker, &line->result);
		return;
	}
	if (!line->result.value) {
		check_error(checker, line->after, "expected '=' and what %s() returns",
			    plan->kind->name);
		return;
	}
	if (checker->waiting == 0) {
		check_error(checker, step->place, "more calls end than were started");
		return;
	}
	checker->waiting--;
	check_result(checker, &line->result, plan->kind->name,
		     plan->kind->is_recv ? RESULT_READS : 0, &plan->expected);
}

/* Started calls and their ends need no peer, in either world. */
static char *nothing_needed(const struct plan_step *step, const struct rig *rig)
{
	(void)step;
	(void)rig;
	return NULL;
}

/* ---- running ---- */

static void run_start(struct run *run, const struct plan_step *step)
{
	const struct start_step *line = (const struct start_step *)step->line;
	const struct call_plan *plan = step->resolved;
	const struct expr *timeout = plan->args.at[WAIT_AT_TIMEOUT];
	struct due_window due = step_window(run, step);
	struct run_handle *handle;
	g_autofree char *note = NULL;
	int status;

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	step_done(run, step, &due, run_now(run));
	handle = call_handle(run, plan->args.at[WAIT_AT_HANDLE]);
	if (!handle)
		return;
	status = overlap_start(run->overlap, step, handle, !plan->kind->is_recv,
			       timeout ? (int)call_ms(run, timeout) : -1);
	if (status < 0) {
		run_fail(run, step->place, "the call cannot be started: %s", g_strerror(-status));
		return;
	}
	note = g_strdup_printf("start %s = %s()", line->bind, line->call->name);
	run_note(run, run_now(run), "", note, "ok");
	/* On the simulator the call has got as far as it can by then. */
	run_advance(run, run_now(run));
}

static void call_instance(const struct started *call, struct mad_instance *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->result[TERM_RESULT_ERRNO] = call->error;
	ret->result[TERM_RESULT_ID] = call->result;
	if (call->polls || call->result < 0)
		return;
	memcpy(ret->umad, call->umad, sizeof(ret->umad));
	memcpy(ret->mad, call->umad + 64, MAD_SIZE);
	ret->message = call->umad + 64;
	ret->message_size = (size_t)call->length;
	ret->result[TERM_RESULT_LENGTH] = call->length;
}

static void run_end(struct run *run, const struct plan_step *step)
{
	const struct end_plan *plan = step->resolved;
	struct due_window due = step_window(run, step);
	struct mad_instance instance;
	struct started *call;
	g_autofree char *text = NULL;

	if (!plan->kind) {
		run_program_end(run, step, plan->started->pdata[0],
				&((const struct end_step *)step->line)->result);
		return;
	}
	/* '*': the time of its return does not matter, even if it is noticed later. */
	if (step->time.kind == STEP_TIME_ANY)
		due.low_ns = 0;
	run_collect(run);
	while (!(call = overlap_first_back(run->overlap, plan->started)) &&
	       !run_failed(run)) {
		if (!run_advance_once(run, due.high_ns))
			break;
	}
	if (!call)
		call = overlap_first_back(run->overlap, plan->started);
	if (run_failed(run))
		return;
	if (!call) {
		fail_expected(run, step, &due);
		run->outcome->actual = g_strdup("it has not returned");
		run_fail(run, step->place, "%s() has not returned up to %s", plan->kind->name,
			 say_time(due_end_ns(step, &due)));
		return;
	}
	call->ended = true;
	if (!due_includes(&due, call->at_ns) &&
	    !run_amend_time(run, step, &due, call->at_ns)) {
		text = g_strdup_printf("%s() returns", plan->kind->name);
		run_note(run, call->at_ns, "", text,
			 fail_time(run, step, &due, call->at_ns, text));
		return;
	}
	call_instance(call, &instance);
	expect_value(run, step, &plan->expected, call->result);
	expect_fields(run, step, &plan->expected, &instance, !call->polls && call->result >= 0);
	step_done(run, step, &due, MAX(call->at_ns, run->base_ns));
	note_call(run, plan->kind->name, call->result);
}

const struct script_verb verb_start = {
	.word = "start",
	.follows = TOKEN_BIT(WORD) | TOKEN_BIT(USE),
	.size = sizeof(struct start_step),
	.parts = start_parts,
	.parse = parse_start,
	.check = check_start,
	.needs = nothing_needed,
	.run = run_start,
};

const struct script_verb verb_end = {
	.word = "end",
	.follows = TOKEN_BIT(WORD) | TOKEN_BIT(USE),
	.size = sizeof(struct end_step),
	.parts = end_parts,
	.timing = STEP_WAITS,
	.parse = parse_end,
	.check = check_end,
	.needs = nothing_needed,
	.run = run_end,
};
