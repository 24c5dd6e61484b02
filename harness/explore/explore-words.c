/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/explore/explore-words.h. */
#include "harness/explore/explore-words.h"

#include <string.h>

/* 'value' may be NULL: the option is not given. */
static void add_option(GPtrArray *words, const char *option, const char *value)
{
	if (value)
		g_ptr_array_add(words, g_strdup_printf("%s=%s", option, value));
}

static void add_flag(GPtrArray *words, const char *option, bool is_given)
{
	if (is_given)
		g_ptr_array_add(words, g_strdup(option));
}

static void add_options(GPtrArray *words, const char *option, char **values)
{
	for (char **value = values; value && *value; value++)
		add_option(words, option, *value);
}

/* What the runs of a test have in common, but for the fabric and the lines. */
static void add_common(GPtrArray *words, const struct explore_test *test)
{
	add_option(words, "--host", test->host);
	add_option(words, "--timeout", test->timeout_arg);
	add_option(words, "--limit", test->limit_arg);
	add_option(words, "--grace", test->grace_arg);
	add_flag(words, "--twice", test->twice);
	add_options(words, "--has", test->has);
	add_options(words, "--lacks", test->lacks);
	add_options(words, "--expect", test->expect);
}

static char **finish(GPtrArray *words, const struct explore_test *test)
{
	g_ptr_array_add(words, g_strdup("--"));
	for (char **arg = test->argv; *arg; arg++)
		g_ptr_array_add(words, g_strdup(*arg));
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, false);
}

char **explore_words_of_run(const struct explore_test *test, const struct explore_point *point)
{
	g_autofree char *fabric = explore_plan_fabric(&test->plan, point, NULL);
	g_autofree char *own = explore_plan_line(&test->plan, point);
	GPtrArray *words = g_ptr_array_new();

	g_ptr_array_add(words, g_strdup("--runs=1"));
	g_ptr_array_add(words, g_strdup("--no-shrink"));
	g_ptr_array_add(words, g_strdup("--fabric"));
	g_ptr_array_add(words, g_strdup(fabric));
	add_common(words, test);
	add_options(words, "--do", test->lines);
	add_option(words, "--do", own);
	return finish(words, test);
}

char **explore_words_of_test(const struct explore_test *test)
{
	const struct session_lines *asked = test->asked;
	GPtrArray *words = g_ptr_array_new();

	add_option(words, "--fabric", test->fabric);
	add_option(words, "--seed", test->seed_arg);
	add_common(words, test);
	add_flag(words, "--all-faults", test->plan.all_faults);
	add_options(words, "--always", asked->always);
	add_options(words, "--never", asked->never);
	add_options(words, "--sometimes", asked->sometimes);
	add_options(words, "--finally", asked->finally);
	add_option(words, "--heal", asked->heal);
	add_options(words, "--when", asked->when);
	add_option(words, "--each", test->plan.each);
	add_options(words, "--do", asked->lines);
	return finish(words, test);
}

static void append_quoted(GString *line, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "%+,-./:=@_";
	g_autofree char *quoted = *word && strspn(word, plain) == strlen(word) ? g_strdup(word) :
				  g_shell_quote(word);

	g_string_append_printf(line, " %s", quoted);
}

char *explore_words_line(char *const *words)
{
	GString *line = g_string_new("umadrig explore");

	for (; *words; words++)
		append_quoted(line, *words);
	return g_string_free(line, false);
}
