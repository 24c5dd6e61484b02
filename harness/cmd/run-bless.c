/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig run --bless: see harness/cmd/run-bless.h.
 *
 * A script is run in rounds, each with the text that the round before has made, until one finds
 * nothing to amend: then every point passes as it is. A value is rewritten once only; if another
 * round wants it to be something else, two points contradict each other.
 */
#include "harness/cmd/run-bless.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/cmd/bless-text.h"
#include "harness/cmd/replace-file.h"
#include "harness/cmd/run-point.h"
#include "harness/cmd/run-selection.h"
#include "harness/script/check/check.h"
#include "harness/script/parse/parse.h"
#include "harness/script/parse/script-format.h"
#include "harness/script/verb-table.h"

enum { ROUNDS_MAX = 8 };

struct bless {
	const struct run_options *options;
	const char *name;	/* of the command */
	const char *path;	/* of the script */
	struct bless_text text;
	guint selected;		/* points of the last round */
};

/* What a round came to. */
enum round {
	ROUND_PASSED,
	ROUND_AMENDED,
	ROUND_FAILED,		/* what is wrong has been said */
};

/* ---- the command line ---- */

void run_bless_add_options(GOptionContext *context, struct run_options *options)
{
	const GOptionEntry entries[] = {
		{ "bless", 0, 0, G_OPTION_ARG_NONE, &options->bless,
		  "Show how the scripts have to change for their points to pass, and change them "
		  "if that is wanted", NULL },
		{ "yes", 0, 0, G_OPTION_ARG_NONE, &options->yes,
		  "With --bless: change them without asking", NULL },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};

	g_option_context_add_main_entries(context, entries, NULL);
}

int run_bless_check(const struct run_options *options, const char *name)
{
	if (options->yes && !options->bless)
		return command_usage(name, "--yes goes with --bless");
	if (!options->bless)
		return -1;
	if (!options->on_sim)
		return command_usage(name, "--bless is for the simulator: what real ports do "
				     "differs from run to run");
	if (options->seed_set || options->schedule_set || options->profile_arg ||
	    options->kernel_arg)
		return command_usage(name, "--bless excludes --seed, --schedule, --profile and "
				     "--kernel: what a script expects has to hold without them");
	if (options->list || options->explain || options->keep || options->twice ||
	    options->ladder)
		return command_usage(name, "--bless excludes --list, --explain, --keep, --twice "
				     "and --ladder");
	if (options->junit || options->json || options->jobs > 1 || options->shuffled ||
	    options->repeat != 1 || options->shards > 1 || options->expected_failures ||
	    options->mermaid || options->watch)
		return command_usage(name, "--bless excludes --junit, --json, -j, --shuffle, "
				     "--repeat, --until-fail, --shard, --expected-failures, "
				     "--mermaid and --watch");
	return -1;
}

/* ---- a round ---- */

static void say_error(struct place place, const char *message, const char *reason)
{
	g_autoptr(GString) out = g_string_new(NULL);
	g_autofree char *line = g_strdup_printf("not blessed: %s", message);

	diagnostic_format(out, "", place, "error", line);
	if (reason)
		g_string_append_printf(out, "This line cannot be rewritten: %s.\n", reason);
	fputs(out->str, stderr);
}

/* The point has failed, and no other value would have helped. */
static void say_failure(const struct point *point, const struct outcome *outcome,
			const struct amendments *amendments)
{
	fprintf(stderr, "%s\n", point->name);
	switch (outcome->verdict) {
	case VERDICT_TIMED_OUT:
		say_error(outcome->place, outcome->message, "what a run without an end has not "
			  "seen may still come");
		break;
	case VERDICT_BROKEN:
		fprintf(stderr, "not blessed, because the rig broke: %s\n", outcome->message);
		break;
	case VERDICT_FAIL:
		say_error(outcome->place, outcome->message, amendments->refused ?
			  amendments->refused : "a MAD is missing, one too many or another one, "
			  "and no value makes up for that");
		break;
	case VERDICT_PASS:
	case VERDICT_SKIP:
		break;
	}
}

static bool take_amendment(struct bless *bless, const struct script *script,
			   const struct point *point, const struct amendment *amendment)
{
	const struct bless_edit *other;
	g_autofree char *message = NULL;

	if (amendment->place.source != script->source) {
		message = g_strdup_printf("here it would have to be %s", amendment->text);
		say_error(amendment->place, message, "it is included, and others may include it, "
			  "too: change it by hand");
		return false;
	}
	other = bless_text_amend(&bless->text, amendment, point->name);
	if (!other)
		return true;
	message = g_strdup_printf("%s needs '%s' here, and %s needs '%s'", point->name,
				  amendment->text, other->by, other->text);
	say_error(amendment->place, message, "it is the line of several points, which differ: "
		  "give them a value each");
	return false;
}

static bool run_one(struct bless *bless, const struct script *script, const struct point *point)
{
	const struct run_options *options = bless->options;
	const struct rig rig = run_rig(options);
	const struct run_try try = run_try_of(options, point, 0);
	struct amendments *amendments = amendments_new();
	g_autofree char *unmet = point_unmet(point, &rig);
	struct outcome outcome = { .verdict = VERDICT_SKIP };
	bool ok = true;

	if (!unmet)
		run_point_amend(options, &try, amendments, &outcome);
	if (outcome.verdict != VERDICT_PASS && outcome.verdict != VERDICT_SKIP) {
		say_failure(point, &outcome, amendments);
		ok = false;
	}
	for (guint i = 0; ok && i < amendments->list->len; i++)
		ok = take_amendment(bless, script, point, amendments->list->pdata[i]);
	outcome_clear(&outcome);
	amendments_free(amendments);
	return ok;
}

static bool run_points(struct bless *bless, const struct script *script, const struct plan *plan)
{
	g_autoptr(GPtrArray) plans = g_ptr_array_new();
	g_autoptr(GArray) selection = NULL;
	bool ok = true;

	g_ptr_array_add(plans, (void *)plan);
	selection = run_selection_new(plans, bless->options);
	bless->selected = selection->len;
	for (guint i = 0; i < selection->len; i++) {
		const struct selected *selected = &g_array_index(selection, struct selected, i);

		ok = run_one(bless, script, selected->point) && ok;
	}
	return ok;
}

static enum round run_round(struct bless *bless)
{
	gsize size;
	g_autofree char *text = bless_text_now(&bless->text, &size);
	struct script *script = script_parse(text, size, bless->path, script_verbs);
	struct plan *plan = script_check(script);
	enum round round = ROUND_FAILED;

	if (script->diagnostics->errors > 0) {
		g_autofree char *why = diagnostics_text(script->diagnostics);

		fputs(why, stderr);
		if (bless->text.edits->len > 0)
			fprintf(stderr, "%s: not blessed: with what was seen it would have these "
				"errors\n", bless->path);
	} else if (run_points(bless, script, plan)) {
		round = bless_text_turn(&bless->text) ? ROUND_AMENDED : ROUND_PASSED;
	}
	plan_free(plan);
	script_free(script);
	return round;
}

/* ---- one script ---- */

/* On a terminal: does the user want it? */
static bool confirm(const struct bless *bless)
{
	char answer[16];

	printf("Write %s? [y/N] ", bless->path);
	fflush(stdout);
	return fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

static int write_text(const struct bless *bless, const char *text)
{
	g_autofree char *now = NULL;
	g_autoptr(GError) error = NULL;
	gsize now_size;

	if (!g_file_get_contents(bless->path, &now, &now_size, &error))
		return command_error(bless->name, COMMAND_FAILED, "%s", error->message);
	if (now_size != bless->text.size || memcmp(now, bless->text.original, now_size) != 0)
		return command_error(bless->name, COMMAND_FAILED, "%s has changed meanwhile: it "
				     "was left as it is", bless->path);
	if (access(bless->path, W_OK) != 0)
		return command_error(bless->name, COMMAND_FAILED, "%s may not be written",
				     bless->path);
	return replace_file(bless->name, bless->path, text, strlen(text));
}

/* 'text' as umadrig format writes it, to be freed. NULL: it cannot be formatted. */
static char *formatted(const struct bless *bless, const char *text, gsize size)
{
	struct script *script = script_parse("", 0, bless->path, script_verbs);
	struct source *source = source_new(bless->path, g_strndup(text, size), size);
	char *style;

	/* That it has no scenario does not matter. */
	diagnostics_free(script->diagnostics);
	script->diagnostics = diagnostics_new();
	style = script_format(script, source);
	source_free(source);
	script_free(script);
	return style;
}

/*
 * The text as it is to be written, to be freed. A script that has the style of umadrig format keeps
 * it: behind another time the rest of the line stays where it was.
 */
static char *final_text(const struct bless *bless)
{
	gsize size;
	char *text = bless_text_now(&bless->text, &size);
	g_autofree char *before = formatted(bless, bless->text.original, bless->text.size);
	char *after;

	if (g_strcmp0(before, bless->text.original) != 0)
		return text;
	after = formatted(bless, text, size);
	if (!after)
		return text;
	g_free(text);
	return after;
}

/* All points pass with the text as it is now: shows it, and writes it if that is wanted. */
static int offer(const struct bless *bless)
{
	bool may_ask = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	g_autofree char *text = NULL;
	int status;

	if (bless->text.edits->len == 0)
		return COMMAND_OK;
	text = final_text(bless);
	bless_text_diff(&bless->text, text, bless->path);
	status = command_finish_output(bless->name, COMMAND_OK);
	if (status != COMMAND_OK)
		return status;
	if (bless->options->yes || (may_ask && confirm(bless)))
		return write_text(bless, text);
	return command_error(bless->name, COMMAND_FAILED, "%s was not changed%s", bless->path,
			     may_ask ? "" : ": --yes changes it");
}

static int bless_script(struct bless *bless)
{
	enum round round = ROUND_AMENDED;

	for (int i = 0; round == ROUND_AMENDED && i < ROUNDS_MAX; i++)
		round = run_round(bless);
	if (round == ROUND_PASSED)
		return offer(bless);
	if (round == ROUND_AMENDED)
		command_error(bless->name, COMMAND_FAILED, "%s: what is seen differs from run to "
			      "run", bless->path);
	return command_error(bless->name, COMMAND_FAILED, "%s was not changed", bless->path);
}

/* Is the edit one of a time? That is all that precedes it in its line. */
static bool is_time(const struct bless_text *text, const struct bless_edit *edit)
{
	return edit->at == 0 || text->original[edit->at - 1] == '\n' ||
	       (text->original[edit->at - 1] == '+' &&
		(edit->at == 1 || text->original[edit->at - 2] == '\n'));
}

bool run_bless_draft(const char *name, const char *path, GString *text, GString *changes)
{
	const struct run_options options = { .on_sim = true, .every = 1, .timeout_ns = -1 };
	struct bless bless = { .options = &options, .name = name, .path = path };
	enum round round = ROUND_AMENDED;
	g_autofree char *style = NULL;
	gsize size;

	bless_text_init(&bless.text, g_strndup(text->str, text->len), text->len);
	for (int i = 0; round == ROUND_AMENDED && i < ROUNDS_MAX; i++)
		round = run_round(&bless);
	for (guint i = 0; round == ROUND_PASSED && i < bless.text.edits->len; i++) {
		const struct bless_edit *edit = bless.text.edits->pdata[i];

		if (!is_time(&bless.text, edit))
			g_string_append_printf(changes, "%s:%u: %s, and not %.*s\n", path,
					       edit->line, edit->text, (int)edit->size,
					       bless.text.original + edit->at);
	}
	if (round == ROUND_PASSED) {
		g_autofree char *now = bless_text_now(&bless.text, &size);

		style = formatted(&bless, now, size);
		g_string_assign(text, style ? style : now);
	}
	bless_text_clear(&bless.text);
	return round == ROUND_PASSED;
}

int run_bless(const struct run_options *options, const GPtrArray *files, const char *name)
{
	int status = COMMAND_OK;
	guint selected = 0;

	for (guint i = 0; i < files->len; i++) {
		struct bless bless = {
			.options = options, .name = name, .path = files->pdata[i],
		};
		g_autoptr(GError) error = NULL;
		char *original;
		gsize size;

		if (!g_file_get_contents(bless.path, &original, &size, &error))
			return command_error(name, COMMAND_BAIL_OUT, "%s", error->message);
		bless_text_init(&bless.text, original, size);
		if (bless_script(&bless) != COMMAND_OK)
			status = COMMAND_FAILED;
		selected += bless.selected;
		bless_text_clear(&bless.text);
	}
	if (selected == 0 && status == COMMAND_OK)
		return command_error(name, COMMAND_BAIL_OUT, "nothing was run: no point was "
				     "selected");
	return command_finish_output(name, status);
}
