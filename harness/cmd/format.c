/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig format: writes scenario scripts in one style.
 */
#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/cmd/replace-file.h"
#include "harness/cmd/run-files.h"
#include "harness/script/parse/lex.h"
#include "harness/script/parse/parse.h"
#include "harness/script/parse/script-file.h"
#include "harness/script/parse/script-format.h"
#include "harness/script/verb-table.h"

static const char name[] = "umadrig format";

struct format_options {
	gboolean check;
	char **files;
};

/* ---- the same tokens ---- */

static bool same_token(const struct token *left, const struct token *right)
{
	return left->kind == right->kind && g_strcmp0(left->text, right->text) == 0 &&
	       left->number == right->number && left->time_ns == right->time_ns;
}

/* The next token at '*at' or behind it; of several newlines only the last counts. */
static const struct token *next_token(const GArray *tokens, guint *at)
{
	const struct token *token = &g_array_index(tokens, struct token, (*at)++);

	while (token->kind == TOKEN_NEWLINE && token[1].kind == TOKEN_NEWLINE)
		token = &g_array_index(tokens, struct token, (*at)++);
	return token;
}

static bool same_tokens(struct script *script, const struct source *before,
			const struct source *after)
{
	g_autoptr(GArray) left = script_lex(script, before);
	g_autoptr(GArray) right = script_lex(script, after);
	guint left_at = 0, right_at = 0;

	/* Blank lines at the beginning are gone. */
	while (g_array_index(left, struct token, left_at).kind == TOKEN_NEWLINE)
		left_at++;
	while (g_array_index(right, struct token, right_at).kind == TOKEN_NEWLINE)
		right_at++;
	for (;;) {
		const struct token *token = next_token(left, &left_at);

		if (!same_token(token, next_token(right, &right_at)))
			return false;
		if (token->kind == TOKEN_END)
			return true;
	}
}

/* ---- one file ---- */

static int format_source(struct script *script, const struct source *source, bool check)
{
	g_autofree char *text = script_format(script, source);
	struct source *after;
	bool same;

	if (!text) {
		g_autofree char *why = diagnostics_text(script->diagnostics);

		fputs(why, stderr);
		return COMMAND_FAILED;
	}
	if (strlen(text) == source->size && memcmp(text, source->text, source->size) == 0)
		return COMMAND_OK;
	after = source_new(source->name, g_strdup(text), strlen(text));
	same = same_tokens(script, source, after);
	source_free(after);
	if (!same)
		return command_error(name, COMMAND_FAILED, "%s: not written, because it would mean "
				     "something else: please report this", source->name);
	if (!check)
		return replace_file(name, source->name, text, strlen(text));
	printf("%s: not formatted\n", source->name);
	return COMMAND_FAILED;
}

static int format_file(const char *path, bool check)
{
	/* Only its parts count: what it would mean as a whole script does not matter here. */
	struct script *script = script_parse("", 0, path, script_verbs);
	g_autofree char *why = NULL;
	struct source *source;
	int status;

	diagnostics_free(script->diagnostics);
	script->diagnostics = diagnostics_new();
	source = script_read(script, path, path, &why);
	status = source ? format_source(script, source, check) :
		 command_error(name, COMMAND_FAILED, "%s: %s", path, why);
	script_free(script);
	return status;
}

/* ---- the command ---- */

static int format_all(const struct format_options *options)
{
	g_autoptr(GPtrArray) files = NULL;
	g_autofree char *error = NULL;
	int status = COMMAND_OK;

	if (!options->files)
		return command_usage(name, "no scripts given: name files or directories");
	files = run_files_find(options->files, &error);
	if (!files)
		return command_usage(name, "%s", error);
	for (guint i = 0; i < files->len; i++)
		status |= format_file(files->pdata[i], options->check);
	return command_finish_output(name, status);
}

int cmd_format(int argc, char **argv)
{
	struct format_options options = { false, NULL };
	const GOptionEntry entries[] = {
		{ "check", 0, 0, G_OPTION_ARG_NONE, &options.check,
		  "Change nothing: print the files that are not formatted", NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.files, NULL,
		  "FILE|DIRECTORY..." },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) error = NULL;
	int status;

	g_option_context_set_summary(context, "Writes scenario scripts in one style.");
	g_option_context_set_description(
		context,
		"Only blanks, blank lines and line ends change: times and directives get one\n"
		"column, blocks are indented. Comments stay, and so do blanks that align what is\n"
		"within a line. Formatting a second time changes nothing.\n"
		"\n"
		"Exit status: 0; 1 if a file could not be formatted, or, with --check, is not; 2\n"
		"if the command line is wrong.");
	g_option_context_add_main_entries(context, entries, NULL);
	status = command_parse(context, &argc, &argv, &error) ? format_all(&options) :
		 command_usage(name, "%s", error->message);
	g_strfreev(options.files);
	return status;
}
