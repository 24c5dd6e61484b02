/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files that say what a command line may say: see harness/base/plan-file.h.
 */
#include "harness/base/plan-file.h"

#include <string.h>

#include "harness/base/command.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/topology/text-file.h"

enum { SIZE_MAX_BYTES = 1 << 20 };

#define COMMAND_WORD "command"
#define PLAN_WORD "plan"

/* A file that is being read. */
struct reader {
	const char *path;
	unsigned int line;
	const GOptionEntry *options;
	const struct plan_file *plan;
	GPtrArray *words;
	GString *command;	/* NULL: not yet */
	bool in_command;	/* lines that begin with a blank belong to it */
	GString *errors;
};

void plan_file_begin(struct plan_file *plan)
{
	*plan = (struct plan_file){ .words = g_ptr_array_new_with_free_func(g_free) };
}

void plan_file_clear(struct plan_file *plan)
{
	g_clear_pointer(&plan->words, g_ptr_array_unref);
	g_clear_pointer(&plan->command, g_strfreev);
}

static void wrong(struct reader *reader, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void wrong(struct reader *reader, const char *format, ...)
{
	va_list args;

	g_string_append_printf(reader->errors, "%s%s:%u: ", reader->errors->len > 0 ? "\n" : "",
			       reader->path, reader->line);
	va_start(args, format);
	g_string_append_vprintf(reader->errors, format, args);
	va_end(args);
}

static const GOptionEntry *find(const struct reader *reader, const char *name)
{
	for (const GOptionEntry *option = reader->options; option->long_name; option++) {
		if (strcmp(option->long_name, name) == 0)
			return option;
	}
	return NULL;
}

static void unknown(struct reader *reader, const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const char *closest, *bare = name + strspn(name, "-");
	g_autofree char *before = g_strndup(bare, strcspn(bare, "="));

	if (*bare && find(reader, before)) {
		wrong(reader, "expected '%s' and its value, without dashes or =, instead of '%s'",
		      before, name);
		return;
	}
	if (reader->plan->foreign && g_strv_contains(reader->plan->foreign, name)) {
		wrong(reader, "'%s' is an option of %s: leave it out, or run '%s --plan'", name,
		      reader->plan->foreign_command, reader->plan->foreign_command);
		return;
	}
	g_ptr_array_add(names, (char *)COMMAND_WORD);
	for (const GOptionEntry *option = reader->options; option->long_name; option++)
		g_ptr_array_add(names, (char *)option->long_name);
	g_ptr_array_add(names, NULL);
	closest = mad_closest(name, (const char *const *)names->pdata);
	if (closest)
		wrong(reader, "there is no option '%s': did you mean '%s'?", name, closest);
	else
		wrong(reader, "there is no option '%s': expected an option of --help without its "
		      "dashes, or '" COMMAND_WORD "'", name);
}

static void take_option(struct reader *reader, const char *name, const char *value)
{
	const GOptionEntry *option = find(reader, name);
	g_autofree char *place = NULL;

	if (!option) {
		unknown(reader, name);
		return;
	}
	if (strcmp(name, PLAN_WORD) == 0) {
		wrong(reader, "a plan cannot name others: give --plan more than once");
		return;
	}
	if (option->arg == G_OPTION_ARG_NONE && *value) {
		wrong(reader, "'%s' has no value: leave '%s' out", name, value);
		return;
	}
	if (option->arg != G_OPTION_ARG_NONE && !*value) {
		wrong(reader, "expected a value after '%s': %s", name,
		      option->arg_description ? option->arg_description : "VALUE");
		return;
	}
	place = g_strdup_printf("%s:%u", reader->path, reader->line);
	command_say_at(name, value, place);
	g_ptr_array_add(reader->words, *value ? g_strdup_printf("--%s=%s", name, value) :
						g_strconcat("--", name, NULL));
}

static void take_command(struct reader *reader, const char *script)
{
	if (reader->command) {
		wrong(reader, "there is a command already: more lines of one begin with a blank");
		return;
	}
	reader->command = g_string_new(script);
	reader->in_command = true;
}

static void add_to_command(struct reader *reader, const char *line)
{
	if (reader->command->len > 0)
		g_string_append_c(reader->command, '\n');
	g_string_append(reader->command, line);
}

static void take_line(struct reader *reader, char *line)
{
	bool is_inside = g_ascii_isspace(*line);
	const char *value;
	char *name;

	g_strchomp(line);
	value = line + strspn(line, " \t");
	if (reader->in_command && (is_inside || *line == '\0')) {
		add_to_command(reader, value);
		return;
	}
	if (*value == '\0' || *value == '#')
		return;
	reader->in_command = false;
	if (is_inside) {
		wrong(reader, "only lines of a command begin with a blank, below '" COMMAND_WORD
		      "'");
		return;
	}
	name = g_strndup(line, strcspn(line, " \t"));
	value = line + strlen(name);
	value += strspn(value, " \t");
	if (strcmp(name, COMMAND_WORD) == 0)
		take_command(reader, value);
	else
		take_option(reader, name, value);
	g_free(name);
}

static void take_lines(struct reader *reader, const char *text, gsize size)
{
	g_autofree char *whole = g_strndup(text, size);
	g_auto(GStrv) lines = g_strsplit(whole, "\n", -1);

	if (!g_utf8_validate(text, (gssize)size, NULL)) {
		g_string_append_printf(reader->errors, "%s: expected text in UTF-8", reader->path);
		return;
	}
	for (char **line = lines; *line; line++) {
		reader->line++;
		take_line(reader, *line);
	}
	if (!reader->command)
		return;
	while (g_str_has_suffix(reader->command->str, "\n"))
		g_string_truncate(reader->command, reader->command->len - 1);
	if (reader->command->len == 0)
		g_string_append_printf(reader->errors, "%s%s: expected a script for sh after '"
				       COMMAND_WORD "'", reader->errors->len > 0 ? "\n" : "",
				       reader->path);
}

bool plan_file_take(struct plan_file *plan, const char *path, const char *text, gsize size,
		    const GOptionEntry *options, GError **error)
{
	g_autoptr(GString) errors = g_string_new(NULL);
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
	struct reader reader = {
		.path = path, .options = options, .plan = plan, .words = words, .errors = errors,
	};

	take_lines(&reader, text, size);
	if (errors->len > 0) {
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_USAGE, errors->str);
		if (reader.command)
			g_string_free(reader.command, true);
		return false;
	}
	g_ptr_array_extend_and_steal(plan->words, g_steal_pointer(&words));
	if (reader.command) {
		g_strfreev(plan->command);
		plan->command = g_new0(char *, 4);
		plan->command[0] = g_strdup("sh");
		plan->command[1] = g_strdup("-c");
		plan->command[2] = g_string_free(reader.command, false);
	}
	return true;
}

bool plan_file_read(struct plan_file *plan, char *const *paths, const GOptionEntry *options,
		    GError **error)
{
	for (; paths && *paths; paths++) {
		g_autofree char *text = NULL;
		g_autoptr(GError) why = NULL;
		gsize size = 0;

		if (!text_file_read(*paths, SIZE_MAX_BYTES, &text, &size, &why)) {
			g_set_error(error, COMMAND_ERROR, COMMAND_USAGE, "--plan: %s",
				    why->message);
			return false;
		}
		if (!plan_file_take(plan, *paths, text, size, options, error))
			return false;
	}
	return true;
}

GPtrArray *plan_file_words(int argc, char **argv)
{
	GPtrArray *words = g_ptr_array_new();

	for (int i = 0; i < argc; i++)
		g_ptr_array_add(words, argv[i]);
	g_ptr_array_add(words, NULL);
	return words;
}

void plan_file_put(const struct plan_file *plan, GPtrArray *words, int *argc, char ***argv)
{
	for (unsigned int i = 0; i < plan->words->len; i++)
		g_ptr_array_insert(words, (int)i + 1, plan->words->pdata[i]);
	*argv = (char **)words->pdata;
	*argc = (int)words->len - 1;
}
