/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs on the fabric:
 *
 *	0        start sm = run opensm -f osm.log
 *	0~20s    run saquery -N lines=5 prints="H1"
 *	+0       stop sm
 *	+0~+5s   end sm = 0
 */
#include "harness/script/verb/program.h"

#include <string.h>

#include "harness/base/missing-program.h"
#include "harness/script/check/needs.h"
#include "harness/script/run/programs.h"
#include "harness/script/run/timeline.h"
#include "harness/script/run/verdict.h"
#include "harness/script/verb/verbs.h"
#include "harness/script/verb/words.h"
#include "kmod-stub/event.h"

/* How often a program is run again until its output matches. */
#define AGAIN_NS (100 * NS_PER_MS)

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#define HAS_SANITIZERS true
#else
#define HAS_SANITIZERS false
#endif

/*
 * [start NAME =] run [on PORT] PROGRAM ARGUMENT... [= STATUS] [lines=N] [prints="text"|{...}]
 *	[fabric=no]
 */
struct run_line {
	struct step step;
	const char *bind;		/* the name that it is started as, or NULL */
	struct place bind_place;
	const struct expr *host;	/* a port of the host that it runs on, or NULL */
	const GPtrArray *words;		/* of const struct expr *: the program and its arguments */
	struct result_expr result;	/* its 'umad' is lines=, prints= and fabric= */
};

/* stop NAME */
struct stop_step {
	struct step step;
	const char *name;
};

struct stop_plan {
	const struct plan_step *started;
};

static const struct step_part run_parts[] = {
	STEP_PART(NAME, run_line, bind), STEP_PART(VALUE, run_line, host),
	STEP_PART(LIST, run_line, words), STEP_PARTS_RESULT(run_line, result), STEP_PARTS_END,
};

static const struct run_line *line_of(const struct plan_step *step)
{
	return (const struct run_line *)step->line;
}

static const struct expr *program_word(const struct run_line *line)
{
	return line->words->pdata[0];
}

static const char *program_name(const struct run_line *line)
{
	return program_word(line)->text;
}

/* ---- parsing ---- */

struct step *parse_program(struct parser *parser, const struct token *name)
{
	struct run_line *line = parser_step(parser, &verb_run);
	const struct token *first = parser_peek(parser);

	if (name) {
		line->bind = name->text;
		line->bind_place = name->place;
	}
	if (first->kind == TOKEN_STRING && strcmp(first->text, "on") == 0) {
		parser_next(parser);
		if (!parser_at_word_text(parser)) {
			parser_expected(parser, "a port of the host that it runs on, and a "
					"program");
			return NULL;
		}
		line->host = parse_value(parser);
	}
	if (!parser_at_word_text(parser)) {
		parser_expected(parser, "a program after 'run'");
		return NULL;
	}
	line->words = parse_words(parser);
	return parse_reply(parser, &line->result) ? &line->step : NULL;
}

static struct step *parse_run(struct parser *parser)
{
	return parse_program(parser, NULL);
}

static struct step *parse_stop(struct parser *parser)
{
	struct stop_step *line = parser_step(parser, &verb_stop);
	const struct token *name = parser_expect(parser, TOKEN_WORD, "the name of a program");

	if (!name)
		return NULL;
	line->name = name->text;
	return &line->step;
}

/* ---- checking ---- */

void check_program_result(struct checker *checker, const struct result_expr *result)
{
	uint64_t number;

	if (result->value && !expr_constant_number(result->value, &number))
		check_error(checker, result->value->place, "expected a number: an exit status");
	if (result->mad)
		check_error(checker, result->mad->place, "a program returns no MAD");
	check_reply(checker, result->umad, "a program");
}

/* Without 'start' the program is run again and again. */
static unsigned int run_timing(const struct step *step)
{
	return !((const struct run_line *)step)->bind ? STEP_RETRIED : 0;
}

static void check_run(struct checker *checker, struct plan_step *step)
{
	const struct run_line *line = line_of(step);

	if (line->host && line->host->kind == EXPR_USE &&
	    !check_lookup(checker, line->host->text))
		check_unknown(checker, line->host);
	if (line->host && line->host->kind == EXPR_STRING &&
	    strcmp(line->host->text, "self") != 0 && strcmp(line->host->text, "peer") != 0)
		check_port_name(checker, line->host);
	check_words(checker, line->words);
	if (!line->bind) {
		check_program_result(checker, &line->result);
		return;
	}
	if (line->result.value || reply_has_text(line->result.umad))
		check_error(checker, line->result.value ? line->result.value->place :
			    line->result.umad->place,
			    "a program that is started ends in a line of its own: end %s = "
			    "...", line->bind);
	else
		check_program_result(checker, &line->result);
	/* Programs need no 'end' line: those that still run are stopped. */
	check_begin(checker, line->bind_place, line->bind);
}

static void check_stop(struct checker *checker, struct plan_step *step)
{
	const char *name = ((const struct stop_step *)step->line)->name;
	struct stop_plan *plan = check_resolved(checker, sizeof(*plan));

	plan->started = check_find_begun(checker, name);
	if (!plan->started ? !check_is_lost(checker, name) :
				    plan->started->line->verb != &verb_run)
		check_error(checker, step->place, "no line above starts a program %s", name);
}

static char *run_needs(const struct plan_step *step, const struct rig *rig)
{
	(void)step;
	if (HAS_SANITIZERS)
		return g_strdup("a library with sanitizers cannot be put in front of a program "
				"without");
	return sim_only_unmet(rig, "programs, cables and nodes are the simulator's");
}

/* ---- running ---- */

/*
 * A program that is not there is an error, not a reason to skip, lest a typo passes for ever. What
 * is named by a relative path may be made by an earlier line.
 */
static void ready_program(struct run *run, const struct plan_step *step)
{
	const struct run_line *line = line_of(step);
	const struct expr *name = line->words->pdata[0];
	g_autofree char *path = g_find_program_in_path(name->text);
	g_autofree char *why = NULL;

	if (path || name->kind == EXPR_USE ||
	    (strchr(name->text, '/') && !g_path_is_absolute(name->text)))
		return;
	why = program_missing(name->text);
	run_fail(run, name->place, "%s", why);
	g_string_append_printf(run->outcome->details,
			       "To skip the scenario where it is not installed: needs program %s\n",
			       name->text);
}

static struct run_program *add_program(struct run *run, const struct plan_step *step)
{
	const struct run_line *line = line_of(step);
	struct run_program *program = program_add(run, step);

	program->name = program_name(line);
	program->place = program_word(line)->place;
	program->must_open = reply_needs_fabric(line->result.umad);
	return program;
}

/*
 * What is wrong with './program', which is often meant to lie beside the script; to be freed. NULL:
 * nothing is.
 */
static char *not_in(const char *program, const char *directory)
{
	g_autofree char *path = g_canonicalize_filename(program, directory);

	if (!strchr(program, '/') || g_path_is_absolute(program) ||
	    g_file_test(path, G_FILE_TEST_EXISTS))
		return NULL;
	return g_strdup("it is not in the directory where the programs of this point run, which is "
			"empty at first: name it by its whole path");
}

/* In a window it is started more than once. */
static struct world_program *start_program(struct run *run, const struct run_program *own)
{
	const struct plan_step *step = own->step;
	const struct run_line *line = line_of(step);
	const struct expr *host = line->host;
	g_auto(GStrv) argv = g_new0(char *, line->words->len + 1);
	const char *port = run->world->label[WORLD_SELF];
	struct world_program *program;
	g_autofree char *error = NULL;

	if (host && strcmp(host->text, "self") != 0)
		port = strcmp(host->text, "peer") == 0 ? run->world->label[WORLD_PEER] : host->text;
	for (guint i = 0; i < line->words->len; i++)
		argv[i] = run_word(run, line->words->pdata[i]);
	if (!run->directory && run->world->directory)
		run->directory = g_strdup(run->world->directory);
	else if (!run->directory)
		run->directory = g_dir_make_tmp("umadrig-run-XXXXXX", NULL);
	error = run->directory ? not_in(argv[0], run->directory) : NULL;
	program = !run->directory || error ? NULL :
		  run->world->kind->program_start(run->world, port, own->session, run->directory,
						  argv, &error);
	if (!program)
		run_fail(run, step->place, "%s cannot be run: %s", argv[0],
			 error ? error : "no directory for its files could be made");
	return program;
}

/* Did the program end as the line expects? If not, the reason is put into 'why'. */
static bool ends_so(const struct result_expr *result, int status, const char *output, GString *why)
{
	uint64_t wanted = 0;

	if (result->value)
		expr_constant_number(result->value, &wanted);
	if ((uint64_t)status != wanted)
		g_string_append_printf(why, "its status is %d, not %d; ", status, (int)wanted);
	expect_prints(result->umad, output, why);
	return why->len == 0;
}

/* In virtual time a program ends at one of its instants, and is seen to do so. */
static void look_later(struct run *run, int64_t until_ns)
{
	if (run->world->kind->is_sim)
		run_advance_once(run, until_ns);
	else
		run_advance(run, run_now(run) + PROGRAM_LOOK_NS);
}

/* The program has ended, or must have by 'until_ns'. Did it end as the line expects? */
static bool wait_program(struct run *run, const struct plan_step *step,
			 const struct plan_step *started, const struct result_expr *result,
			 struct world_program *program, int64_t until_ns, bool last)
{
	g_autoptr(GString) why = g_string_new(NULL);
	g_autofree char *output = NULL;
	int status = 0;
	bool over;

	run->awaited = program;
	run->awaited_name = program_name(line_of(started));
	/* What it does at this very instant is done, if time stands still meanwhile. */
	if (run->world->kind->is_sim)
		run_advance(run, run_now(run));
	while (!(over = world_program_over(program, &status)) && run_now(run) < until_ns &&
	       !run_failed(run))
		look_later(run, until_ns);
	run->awaited = NULL;
	run->awaited_name = NULL;
	output = world_program_output(program, false);
	if (over && ends_so(result, status, output, why))
		return true;
	if (!last || run_failed(run))
		return false;
	if (over && amend_result(run, result, step == started ? line_of(step)->words : NULL, status,
				 output))
		return true;
	if (!over)
		g_string_append(why, "it has not ended; ");
	g_string_truncate(why, why->len - 2);
	run_fail(run, step->place, "%s: %s", program_name(line_of(started)), why->str);
	world_program_tell(run->outcome->details, program);
	return false;
}

/* Runs the program to its end; in a window, again and again. */
static void run_whole(struct run *run, const struct plan_step *step, const struct due_window *due)
{
	const struct result_expr *result = &line_of(step)->result;
	bool window = step->time.kind == STEP_TIME_WINDOW;
	int64_t until_ns = window ? due->high_ns : run->limit_ns;
	const struct run_program *own = add_program(run, step);
	bool done = false;

	while (!done && !run_failed(run)) {
		struct world_program *program = start_program(run, own);

		if (!program)
			return;
		done = wait_program(run, step, step, result, program, until_ns, !window);
		if (!done && window && run_now(run) + AGAIN_NS >= until_ns)
			wait_program(run, step, step, result, program, until_ns, true);
		program_end(run, program);
		if (!done)
			run_advance(run, run_now(run) + AGAIN_NS);
	}
}

static void run_program(struct run *run, const struct plan_step *step)
{
	struct due_window due = step_window(run, step);
	const struct run_line *line = line_of(step);
	struct run_program *program;
	g_autofree char *text = g_strdup_printf("run %s", program_name(line));
	int64_t began_ns;

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	began_ns = run_now(run);
	if (!line->bind) {
		run_whole(run, step, &due);
	} else {
		program = add_program(run, step);
		program->running = start_program(run, program);
	}
	step_done(run, step, &due, began_ns);
	step_acted(run, began_ns);
	run_note(run, run_now(run), "", text, run_failed(run) ? "DIFFERS" : "ok");
}

static void run_stop(struct run *run, const struct plan_step *step)
{
	const struct stop_plan *plan = step->resolved;
	struct due_window due = step_window(run, step);

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	step_done(run, step, &due, run_now(run));
	program_stop(run, program_find(run, plan->started)->running);
	run_note(run, run_now(run), "", "stop", "ok");
}

void run_program_end(struct run *run, const struct plan_step *step,
		     const struct plan_step *started, const struct result_expr *result)
{
	struct due_window due = step_window(run, step);
	struct run_program *program = program_find(run, started);
	int64_t began_ns = run_now(run);

	wait_program(run, step, started, result, program->running, due.high_ns, true);
	step_done(run, step, &due, run_now(run));
	step_acted(run, began_ns);
	run_note(run, run_now(run), "", "end", run_failed(run) ? "DIFFERS" : "ok");
}

const struct script_verb verb_run = {
	.word = "run",
	.follows = TOKEN_BIT(STRING) | TOKEN_BIT(USE),
	.takes_words = true,
	.runs_programs = true,
	.size = sizeof(struct run_line),
	.parts = run_parts,
	.timing_of = run_timing,
	.parse = parse_run,
	.check = check_run,
	.needs = run_needs,
	.ready = ready_program,
	.run = run_program,
};

const struct script_verb verb_stop = {
	.word = "stop",
	.follows = TOKEN_BIT(WORD) | TOKEN_BIT(USE),
	.size = sizeof(struct stop_step),
	.parse = parse_stop,
	.check = check_stop,
	.run = run_stop,
};
