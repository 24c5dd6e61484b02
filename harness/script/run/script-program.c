/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs, cables and nodes in a script: see harness/script/run/script-program.h.
 *
 * A step keeps the program and its arguments as those of its call, the port whose host it runs on
 * as the call's argument "on"; what it must say are the fields behind its status.
 */
#include "harness/script/run/script-program.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "kmod-stub/event.h"
#include "harness/script/check/script-checker.h"
#include "harness/script/parse/script-parser.h"
#include "harness/script/run/script-timeline.h"
#include "harness/script/run/script-verdict.h"
#include "harness/script/tree/script-words.h"

/* A program that does not say yet what it shall is asked again. */
#define AGAIN_NS (100 * NS_PER_MS)

/* How long a program may take to end when it is asked to; then it is killed. */
#define END_NS (5 * NS_PER_S)

/* How often it is looked whether a program is over. */
#define LOOK_NS (10 * NS_PER_MS)

struct program {
	const struct step *step;
	struct world_program *running;
	bool ended;		/* a line has told of its end */
};

/* ---- parsing ---- */

/* run [on PORT] PROGRAM ARGUMENT... [= STATUS [lines=N] [prints="text"|{"text", ...}]] */
bool parse_run(struct parser *parser, struct step *step)
{
	const struct token *first = parser_peek(parser);

	step->verb = STEP_RUN;
	step->call = step_new_call(parser, "run");
	if (first->kind == TOKEN_STRING && strcmp(first->text, "on") == 0) {
		parser_next(parser);
		if (!parser_at_word_text(parser)) {
			parser_expected(parser, "the port on whose host it runs, and the program");
			return false;
		}
		step_add_word(parser, step, "on", parse_value(parser));
	}
	if (!parser_at_word_text(parser)) {
		parser_expected(parser, "a program behind 'run'");
		return false;
	}
	parse_words(parser, step);
	return parse_call_result(parser, step);
}

bool parse_stop(struct parser *parser, struct step *step)
{
	const struct token *name = parser_expect(parser, TOKEN_WORD, "the name of a program");

	step->verb = STEP_STOP;
	if (name == NULL)
		return false;
	step->bind = name->text;
	return true;
}

/* down|up PORT, off|on NODE: which, and where. */
static bool parse_switch(struct parser *parser, struct step *step, enum step_verb verb,
			 const char *const words[2], const char *what)
{
	const struct token *word = parser_peek(parser);
	struct expr *value;

	step->verb = verb;
	step->call = step_new_call(parser, word->kind == TOKEN_WORD ? word->text : "");
	if (!parser_accept_word(parser, words[0]) && !parser_accept_word(parser, words[1])) {
		g_autofree char *expected = g_strdup_printf("'%s' or '%s', and %s", words[0],
							    words[1], what);

		parser_expected(parser, expected);
		return false;
	}
	value = parse_value(parser);
	if (value == NULL)
		return false;
	step_add_word(parser, step, NULL, value);
	return true;
}

bool parse_link(struct parser *parser, struct step *step)
{
	static const char *const words[2] = { "down", "up" };

	return parse_switch(parser, step, STEP_LINK, words, "a port");
}

bool parse_power(struct parser *parser, struct step *step)
{
	static const char *const words[2] = { "off", "on" };

	return parse_switch(parser, step, STEP_POWER, words, "a node");
}

/* ---- checking ---- */

/* The host's port, or NULL. */
static const struct expr *host_of(const struct step *step)
{
	const struct call_arg *first = step->call->args->pdata[0];

	return first->name != NULL ? first->value : NULL;
}

const char *program_name(const struct step *step)
{
	return step_word(step, host_of(step) != NULL ? 1 : 0)->text;
}

/* The status, and what it says. */
static void check_said(struct checker *checker, const struct step *step)
{
	uint64_t number;

	if (step->result != NULL && !expr_constant_number(step->result, &number))
		check_error(checker, step->result->place, "an exit status is a number");
	if (step->result_mad != NULL)
		check_error(checker, step->result_mad->place, "a program gives no MAD");
	check_prints(checker, step, "a program");
}

void check_run(struct checker *checker, struct step *step)
{
	check_words(checker, step);
	if (step->bind == NULL) {
		check_said(checker, step);
		return;
	}
	if (step->time.kind != STEP_TIME_POINT)
		check_error(checker, step->time.place,
			    "a program is started at a point in time, as +1ms");
	if (step->result != NULL)
		check_error(checker, step->result->place,
			    "how it ends is said where it ends: end %s = ...", step->bind);
	check_bind(checker, step->bind_place, step->bind, VAR_STARTED);
	/* Programs need no end: those that still run are stopped. */
	g_ptr_array_add(checker->started, step);
	checker->ended++;
}

void check_program_end(struct checker *checker, struct step *step, const struct step *start)
{
	if (step->ends->len > 1)
		check_error(checker, step->place, "'or' is for calls");
	step->call = start->call;
	check_said(checker, step);
}

void check_stop(struct checker *checker, struct step *step)
{
	const struct step *start = check_find_start(checker, step->bind);

	if (start == NULL ? !check_is_lost(checker, step->bind) : start->verb != STEP_RUN)
		check_error(checker, step->place, "no line above starts a program %s", step->bind);
}

void check_link(struct checker *checker, struct step *step)
{
	const struct expr *value = step_word(step, 0);

	if (step->verb == STEP_LINK)
		check_cable(checker, value);
	else if (value->kind != EXPR_STRING)
		check_error(checker, value->place, "a node is named in quotes: \"S1\"");
}

/* What leaves a port is a program's as well as the script's: nobody could tell. */
void check_no_programs(struct checker *checker, const struct step *step)
{
	if (point_runs_programs(checker->point))
		check_error(checker, step->place,
			    "where programs run, what leaves a port is theirs: the capture shows "
			    "it (--keep)");
}

bool point_runs_programs(const struct point *point)
{
	for (guint i = 0; i < point->steps->len; i++) {
		if (((const struct step *)point->steps->pdata[i])->verb == STEP_RUN)
			return true;
	}
	return false;
}

/* ---- running ---- */

static bool switched_on(const struct step *step)
{
	return strcmp(step->call->name, "up") == 0 || strcmp(step->call->name, "on") == 0;
}

void run_link(struct run *run, const struct step *step)
{
	struct due_window due = step_window(run, step);
	bool is_link = step->verb == STEP_LINK;
	const char *name = is_link ? world_end_name(run->world, step_word(step, 0)) :
			   step_word(step, 0)->text;
	g_autofree char *text = g_strdup_printf("%s %s %s", is_link ? "link" : "power",
						step->call->name, name);
	int status;

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	step_done(run, step, &due, run_now(run));
	status = (is_link ? run->world->kind->link : run->world->kind->power)(
		run->world, name, switched_on(step));
	if (status < 0)
		run_fail(run, step->place, status == -ENOENT ? "there is no %s %s" :
			 "there is no cable at %s %s", is_link ? "port" : "node", name);
	run_note(run, run_now(run), "", text, run_failed(run) ? "DIFFERS" : "ok");
	run_advance(run, run_now(run));
}

static struct world_program *start_program(struct run *run, const struct step *step)
{
	const struct expr *host = host_of(step);
	g_auto(GStrv) argv = g_new0(char *, step->call->args->len + 1);
	guint from = host != NULL ? 1 : 0;
	const char *port = run->world->label[WORLD_SELF];
	struct world_program *program;
	g_autofree char *error = NULL;

	if (host != NULL && strcmp(host->text, "self") != 0)
		port = strcmp(host->text, "peer") == 0 ? run->world->label[WORLD_PEER] : host->text;
	for (guint i = from; i < step->call->args->len; i++)
		argv[i - from] = step_word_text(run, step_word(step, i));
	if (run->directory == NULL)
		run->directory = g_dir_make_tmp("umadrig-run-XXXXXX", NULL);
	program = run->directory == NULL ? NULL :
		  run->world->kind->program_start(run->world, port, run->directory, argv, &error);
	if (program == NULL)
		run_fail(run, step->place, "%s cannot be run: %s", argv[0],
			 error != NULL ? error : "there is no directory for its files");
	return program;
}

/* Is this how the line says that it ends? Why not is put into 'why'. */
static bool ends_so(const struct step *step, int status, const char *output, GString *why)
{
	uint64_t wanted = 0;

	if (step->result != NULL)
		expr_constant_number(step->result, &wanted);
	if ((uint64_t)status != wanted)
		g_string_append_printf(why, "its status is %d, not %d; ", status, (int)wanted);
	step_prints(step, output, why);
	return why->len == 0;
}

/* It ends now. Its fabric is served meanwhile: what it waits for there does not hold it up. */
static void end_program(struct run *run, struct world_program *program)
{
	int64_t until_ns = run_now(run) + END_NS;
	int status;

	if (program == NULL)
		return;
	world_program_stop(program);
	while (!world_program_over(program, &status) && run_now(run) < until_ns)
		run->world->kind->step(run->world, run_now(run) + LOOK_NS, NULL, 0);
	world_program_free(program);
}

/* The end of what was said, for people. */
static void append_tail(GString *out, const char *what, const char *text)
{
	enum { TAIL = 2000 };
	size_t size = strlen(text);

	if (size == 0)
		return;
	g_string_append_printf(out, "%s:\n%s%s", what, size > TAIL ? text + size - TAIL : text,
			       text[size - 1] == '\n' ? "" : "\n");
}

/* The program is over, or has to be by 'until_ns'. Is it as the line says? */
static bool wait_program(struct run *run, const struct step *step, struct world_program *program,
			 int64_t until_ns, bool last)
{
	g_autoptr(GString) why = g_string_new(NULL);
	g_autofree char *output = NULL, *errors = NULL;
	int status = 0;
	bool over;

	while (!(over = world_program_over(program, &status)) && run_now(run) < until_ns &&
	       !run_failed(run))
		run_advance(run, run_now(run) + LOOK_NS);
	output = world_program_output(program, false);
	errors = world_program_output(program, true);
	if (over && ends_so(step, status, output, why))
		return true;
	if (!last || run_failed(run))
		return false;
	if (!over)
		g_string_append(why, "it has not ended; ");
	g_string_truncate(why, why->len - 2);
	run_fail(run, step->place, "%s: %s", program_name(step), why->str);
	append_tail(run->outcome->details, "it printed", output);
	append_tail(run->outcome->details, "and as errors", errors);
	return false;
}

/* Runs it to its end, in a window again and again. */
static void run_whole(struct run *run, const struct step *step, const struct due_window *due)
{
	bool window = step->time.kind == STEP_TIME_WINDOW;
	int64_t until_ns = window ? due->high_ns : run->limit_ns;
	bool done = false;

	while (!done && !run_failed(run)) {
		struct world_program *program = start_program(run, step);

		if (program == NULL)
			return;
		done = wait_program(run, step, program, until_ns, !window);
		if (!done && window && run_now(run) + AGAIN_NS >= until_ns)
			wait_program(run, step, program, until_ns, true);
		end_program(run, program);
		if (!done)
			run_advance(run, run_now(run) + AGAIN_NS);
	}
}

void run_program(struct run *run, const struct step *step)
{
	struct due_window due = step_window(run, step);
	struct program *program;
	g_autofree char *text = g_strdup_printf("run %s", program_name(step));
	int64_t began_ns;

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	began_ns = run_now(run);
	if (step->bind == NULL) {
		run_whole(run, step, &due);
	} else {
		program = g_new0(struct program, 1);
		program->step = step;
		program->running = start_program(run, step);
		g_ptr_array_add(run->programs, program);
	}
	step_done(run, step, &due, began_ns);
	step_acted(run, began_ns);
	run_note(run, run_now(run), "", text, run_failed(run) ? "DIFFERS" : "ok");
}

static struct program *find_program(struct run *run, const char *name)
{
	for (guint i = 0; i < run->programs->len; i++) {
		struct program *program = run->programs->pdata[i];

		if (strcmp(program->step->bind, name) == 0)
			return program;
	}
	return NULL;
}

void run_stop(struct run *run, const struct step *step)
{
	struct due_window due = step_window(run, step);

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	step_done(run, step, &due, run_now(run));
	world_program_stop(find_program(run, step->bind)->running);
	run_note(run, run_now(run), "", "stop", "ok");
}

bool programs_end(struct run *run, const struct step *step)
{
	struct due_window due = step_window(run, step);
	struct program *program = find_program(run, step->ends->pdata[0]);
	int64_t began_ns = run_now(run);

	if (program == NULL)
		return false;
	wait_program(run, step, program->running, due.high_ns, true);
	program->ended = true;
	step_done(run, step, &due, run_now(run));
	step_acted(run, began_ns);
	run_note(run, run_now(run), "", "end", run_failed(run) ? "DIFFERS" : "ok");
	return true;
}

static void remove_tree(const char *path)
{
	GDir *dir = g_file_test(path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open(path, 0, NULL);
	const char *name;

	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *child = g_build_filename(path, name, NULL);

		remove_tree(child);
	}
	if (dir != NULL)
		g_dir_close(dir);
	g_remove(path);
}

void programs_free(struct run *run)
{
	for (guint i = 0; i < run->programs->len; i++) {
		struct program *program = run->programs->pdata[i];

		end_program(run, program->running);
		g_free(program);
	}
	g_ptr_array_unref(run->programs);
	if (run->directory != NULL)
		remove_tree(run->directory);
	g_free(run->directory);
}
