/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Invalid scripts: too many of something, and what grows without limit.
 */
#include "tests/harness/script-check.h"

#include <glib/gstdio.h>
#include <string.h>

#include "harness/script/check/check.h"
#include "harness/script/parse/parse.h"
#include "harness/script/verb-table.h"

/* More errors than anyone reads. */
static void test_many(void)
{
	g_autoptr(GString) given = g_string_new(S);
	struct script *script;
	struct plan *plan;
	g_autofree char *text = NULL;

	/* So many that quadratic time would be noticed. */
	for (int i = 0; i < 30000; i++)
		g_string_append_printf(given, "0 > VendGet() tid=$tid%d\n", i);
	script = script_parse(given->str, given->len, "t.mad", script_verbs);
	plan = script_check(script);
	g_assert_cmpuint(script->diagnostics->errors, >, 0);
	g_assert_cmpuint(script->diagnostics->list->len, ==, DIAGNOSTICS_MAX);
	text = diagnostics_text(script->diagnostics);
	g_assert_true(g_str_has_suffix(text, "... there is more: mend these first\n"));
	plan_free(plan);
	script_free(script);
}

/* A define that uses earlier ones: the next after 'd<before>'. */
static void append_define(GString *given, int how, int before)
{
	g_string_append_printf(given, "define d%d(x) = ", before + 1);
	switch (how) {
	case 0:		/* doubles */
		g_string_append_printf(given, "d%d($x+$x)\n", before);
		return;
	case 1:		/* is only a long chain */
		g_string_append_printf(given, "d%d($x) tid.low=$x\n", before);
		return;
	default:	/* doubles what is discarded */
		g_string_append_printf(given, "d%d(d%d(1))\n", before, before);
		return;
	}
}

/* Defines that grow without limit are an error, without delay. */
static void test_growth(const void *data)
{
	g_autoptr(GString) given = g_string_new(S "define d0(x) = VendGet() modifier=$x\n");
	struct script *script;
	struct plan *plan;

	for (int i = 0; i < 200; i++)
		append_define(given, GPOINTER_TO_INT(data), i);
	g_string_append(given, "0 > d200(1)\n");
	script = script_parse(given->str, given->len, "t.mad", script_verbs);
	plan = script_check(script);
	g_assert_cmpuint(script->diagnostics->errors, >, 0);
	plan_free(plan);
	script_free(script);
}

#define TAGS_10 "a,b,c,d,e,f,g,h,i,j,"
#define TAGS_50 TAGS_10 TAGS_10 TAGS_10 TAGS_10 TAGS_10

/* A script of HEAD, COUNT times LINE (with its number) and TAIL is refused for this reason. */
static const struct large {
	const char *name;
	const char *head;
	unsigned int count;
	const char *line;
	const char *tail;
	const char *says;
} large_scripts[] = {
	{ "fields of a MAD", S "0 > VendGet()", 301, " f%u=1", "\n",
	  "there are more than 300 of these" },
	{ "tags", S "tags ", 1001, "t%u,", " t\n0~1ms > nothing\n",
	  "there are more than 1000 of these" },
	{ "needs", S, 1001, "needs program p%u\n", "0~1ms > nothing\n",
	  "there are more than 1000 of these" },
	{ "defines", S, 1001, "define d%u = VendGet()\n", "0~1ms > nothing\n",
	  "there are more than 1000 of these" },
	{ "data", S, 1001, "data d%u = {1}\n", "0~1ms > nothing\n",
	  "there are more than 1000 of these" },
	{ "vary", S, 201, "vary v%u in 1\n", "0~1ms > nothing\n",
	  "there are more than 200 of these" },
	{ "scenarios that take over tags", "tags " TAGS_50 TAGS_50 "end\n", 10000,
	  "scenario \"s%u\"\n0~1ms > nothing\n", "",
	  "the directives above the first scenario are too many for so many scenarios" },
	{ "points", "", 24, "scenario \"s%u\"\nvary a in 1..19000\n0~1ms > nothing\n", "",
	  "the script is too large with its rows, 'vary' and defines written out: more than "
	  "4000000 lines and values" },
};

static bool is_said(const struct script *script, const char *message)
{
	for (guint i = 0; i < script->diagnostics->list->len; i++) {
		g_autofree char *actual = script_check_said(script->diagnostics->list->pdata[i]);

		if (strstr(actual, message))
			return true;
	}
	return false;
}

static void test_large(const void *data)
{
	const struct large *large = data;
	g_autoptr(GString) given = g_string_new(large->head);
	struct script *script;
	struct plan *plan;

	for (unsigned int i = 0; i < large->count; i++) {
		g_auto(GStrv) parts = g_strsplit(large->line, "%u", 2);

		g_string_append_printf(given, "%s%u%s", parts[0], i, parts[1]);
	}
	g_string_append(given, large->tail);
	script = script_parse(given->str, given->len, "t.mad", script_verbs);
	plan = script_check(script);
	g_assert_true(is_said(script, large->says));
	plan_free(plan);
	script_free(script);
}

/* Eight files of 1 kB, each of which includes the next one fifty times. */
static void test_includes(void)
{
	static const char given[] = S "include \"0.inc\"\n0~1ms > nothing\n";
	g_autofree char *dir = g_dir_make_tmp("umadrig-XXXXXX", NULL);
	g_autofree char *name = g_build_filename(dir, "t.mad", NULL);
	struct script *script;
	struct plan *plan;

	for (int i = 0; i < 8; i++) {
		g_autofree char *path = g_strdup_printf("%s/%d.inc", dir, i);
		g_autoptr(GString) text = g_string_new(NULL);

		for (int j = 0; j < 50; j++)
			g_string_append_printf(text, i < 7 ? "include \"%d.inc\"\n" :
					       "# the line %d of many\n", i + 1);
		g_assert_true(g_file_set_contents(path, text->str, -1, NULL));
	}
	script = script_parse(given, strlen(given), name, script_verbs);
	plan = script_check(script);
	g_assert_true(is_said(script, "the script is too large with what it includes: more than 4 "
			      "MiB"));
	plan_free(plan);
	script_free(script);
	for (int i = 0; i < 8; i++) {
		g_autofree char *path = g_strdup_printf("%s/%d.inc", dir, i);

		g_assert_cmpint(g_unlink(path), ==, 0);
	}
	g_assert_cmpint(g_rmdir(dir), ==, 0);
}

void script_check_sizes(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(large_scripts); i++) {
		g_autofree char *path =
			g_strdup_printf("/script-check/too many: %s", large_scripts[i].name);

		g_test_add_data_func(path, &large_scripts[i], test_large);
	}
	g_test_add_func("/script-check/files that include files", test_includes);
	g_test_add_func("/script-check/errors by the thousand", test_many);
	g_test_add_data_func("/script-check/defines that double", GINT_TO_POINTER(0), test_growth);
	g_test_add_data_func("/script-check/defines in a chain", GINT_TO_POINTER(1), test_growth);
	g_test_add_data_func("/script-check/defines that hide", GINT_TO_POINTER(2), test_growth);
}
