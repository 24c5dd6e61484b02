/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig lint: checks scenario scripts without running them.
 */
#include <stdio.h>

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/cmd/run-files.h"
#include "harness/script/check/check.h"
#include "harness/script/check/lint.h"
#include "harness/script/parse/parse.h"
#include "harness/script/verb-table.h"

static const char name[] = "umadrig lint";

/* Prints what is wrong with a script, or suspicious. True: nothing. */
static bool lint_file(const char *path)
{
	struct script *script = script_load(path, NULL, script_verbs);
	struct plan *plan = script_check(script);
	bool is_clean;

	plan_diagnose_objections(plan);
	if (script->diagnostics->errors == 0)
		script_lint(script, plan);
	is_clean = script->diagnostics->list->len == 0;
	if (!is_clean) {
		g_autofree char *text = diagnostics_text(script->diagnostics);

		fputs(text, stdout);
	}
	plan_free(plan);
	script_free(script);
	return is_clean;
}

static int lint_all(char **args)
{
	g_autoptr(GPtrArray) files = NULL;
	g_autofree char *error = NULL;
	bool is_clean = true;

	if (!args)
		return command_usage(name, "no scripts given: name files or directories");
	files = run_files_find(args, &error);
	if (!files)
		return command_usage(name, "%s", error);
	for (guint i = 0; i < files->len; i++)
		is_clean &= lint_file(files->pdata[i]);
	return command_finish_output(name, is_clean ? COMMAND_OK : COMMAND_FAILED);
}

int cmd_lint(int argc, char **argv)
{
	g_auto(GStrv) args = NULL;
	const GOptionEntry entries[] = {
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &args, NULL,
		  "FILE|DIRECTORY..." },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) error = NULL;

	g_option_context_set_summary(context, "Checks scenario scripts without running them.");
	g_option_context_set_description(
		context,
		"Prints errors, and warnings about likely mistakes: names that nothing uses,\n"
		"events that never happen, settings that a later line replaces.\n"
		"\n"
		"Exit status: 0 if there is nothing to say; 1 if there is; 2 if the command line\n"
		"is wrong.");
	g_option_context_add_main_entries(context, entries, NULL);
	if (!command_parse(context, &argc, &argv, &error))
		return command_usage(name, "%s", error->message);
	return lint_all(args);
}
