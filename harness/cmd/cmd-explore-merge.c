/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/cmd/cmd-explore-merge.h. */
#include "config.h"

#include "harness/cmd/cmd-explore-merge.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>

#include "harness/base/command.h"
#include "harness/cmd/explore-reports.h"
#include "harness/cmd/explore-test.h"
#include "harness/explore/explore-merge.h"

static const char description[] =
	"Each DIR is what umadrig explore --corpus has kept; all are of the same test, such as\n"
	"the parts of --shard. Failures that several have are there once, with the smallest\n"
	"example.\n"
	"The directory that is made is one for --corpus, to go on with.\n"
	"\n"
	"Exit status: 0 if no run has failed, 1 if one has, or if what is to be seen sometimes\n"
	"was in none; 2 if the command line is wrong; 125 if a DIR cannot be read.";

struct asked {
	char *output;
	struct explore_reports reports;
};

static bool parse(struct asked *asked, int *argc, char ***argv, GError **error)
{
	const GOptionEntry entries[] = {
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &asked->output,
		  "The directory to make", "DIR" },
		{ "html", 0, 0, G_OPTION_ARG_FILENAME, &asked->reports.html,
		  "Write what is found to FILE as a page, with ladders", "FILE" },
		{ "junit", 0, 0, G_OPTION_ARG_FILENAME, &asked->reports.junit,
		  "Write what is found to FILE as JUnit XML, too", "FILE" },
		{ "json", 0, 0, G_OPTION_ARG_FILENAME, &asked->reports.json,
		  "Write what is found to FILE as JSON, too", "FILE" },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context = g_option_context_new("DIR...");

	g_option_context_set_summary(context, "Puts together what several have explored.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	return command_parse(context, argc, argv, error);
}

/* The test that was explored, of the words that were kept. */
struct test {
	struct explore_test test;
	struct explore_options options;
	char **words;		/* owned; the option parser takes some out of 'argv' */
	char **argv;
};

static int test_take(struct test *test, const char *name, char *const *words)
{
	g_autoptr(GError) error = NULL;
	GPtrArray *argv = g_ptr_array_new();
	int argc;
	char **left;

	test->words = g_strdupv((char **)words);
	test->test.name = name;
	g_ptr_array_add(argv, (char *)name);
	for (char **word = test->words; *word; word++)
		g_ptr_array_add(argv, *word);
	argc = (int)argv->len;
	g_ptr_array_add(argv, NULL);
	test->argv = left = (char **)g_ptr_array_free(argv, false);
	test->test.argv = command_split(&argc, left);
	if (!explore_options_parse(&test->options, &argc, &left, &error))
		return command_error(name, COMMAND_REFUSED, "%s", error->message);
	return explore_test_take(&test->test, &test->options);
}

static void test_clear(struct test *test)
{
	explore_test_clear(&test->test);
	explore_options_clear(&test->options);
	g_free(test->argv);
	g_strfreev(test->words);
}

static void whole_begin(struct explore_whole *whole, const struct explore_test *test)
{
	*whole = (struct explore_whole){ .state.next = 0 };
	explore_guide_begin(&whole->guide, &test->plan, 0, 1);
	explore_report_begin(&whole->report, test, &whole->guide.corpus);
}

static void whole_end(struct explore_whole *whole)
{
	explore_state_clear(&whole->state);
	explore_report_end(&whole->report);
	explore_guide_end(&whole->guide);
}

static bool whole_read(struct explore_whole *whole, const char *path, GError **error)
{
	g_autofree char *absolute = g_canonicalize_filename(path, NULL);

	if (!explore_store_read(absolute, &whole->state, &whole->guide, &whole->report, error))
		return false;
	if (!whole->state.words)
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: nothing is kept there: "
			    "expected a directory of umadrig explore --corpus", path);
	return whole->state.words != NULL;
}

/* The words of the test of the first one; NULL with an error. To be freed. */
static char **words_of(const char *path, GError **error)
{
	struct explore_test none = { .name = "" };
	struct explore_whole first;
	char **words;

	whole_begin(&first, &none);
	words = whole_read(&first, path, error) ? g_strdupv(first.state.words) : NULL;
	whole_end(&first);
	return words;
}

/* The first one's, or one more. */
static bool add(struct explore_whole *all, const struct explore_test *test, const char *path,
		GError **error)
{
	struct explore_whole one;
	bool is_good;

	if (!all->state.words)
		return whole_read(all, path, error);
	whole_begin(&one, test);
	is_good = whole_read(&one, path, error);
	if (is_good && !g_strv_equal((const char *const *)one.state.words,
				     (const char *const *)all->state.words)) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s is of another test than the "
			    "first one", path);
		is_good = false;
	}
	if (is_good)
		explore_merge(all, &one);
	whole_end(&one);
	return is_good;
}

static bool keep(struct explore_whole *all, const char *output, GError **error)
{
	g_autofree char *path = g_canonicalize_filename(output, NULL);

	if (g_mkdir(path, 0777) < 0) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: %s", output,
			    g_strerror(errno));
		return false;
	}
	return explore_merge_copy(&all->report, path, error) &&
	       explore_store_write(path, &all->state, &all->guide, &all->report, error);
}

static int merge(const char *name, const struct asked *asked, const struct explore_test *test,
		 char *const *paths)
{
	struct explore_whole all;
	g_autoptr(GError) error = NULL;
	bool is_good = true;
	int status;

	whole_begin(&all, test);
	for (; is_good && *paths; paths++)
		is_good = add(&all, test, *paths, &error);
	is_good = is_good && keep(&all, asked->output, &error);
	if (is_good) {
		explore_report_ways(&all.report);
		status = explore_report_summary(&all.report, true) && all.report.failures == 0 ?
			 COMMAND_OK : COMMAND_FAILED;
		status = explore_reports_write(&asked->reports, name, &all.report, NULL, status);
	} else {
		status = command_error(name, COMMAND_REFUSED, "%s", error->message);
	}
	whole_end(&all);
	return status;
}

static int work(const char *name, const struct asked *asked, char *const *paths)
{
	struct test test = { .options.fabric = NULL };
	g_autoptr(GError) error = NULL;
	g_auto(GStrv) words = NULL;
	int status;

	if (!*paths)
		return command_usage(name, "no directory given: expected those of umadrig explore "
				     "--corpus");
	if (!asked->output)
		return command_usage(name, "--output is missing: the directory to make");
	words = words_of(*paths, &error);
	if (!words)
		return command_error(name, COMMAND_REFUSED, "%s", error->message);
	status = test_take(&test, name, words);
	if (status == COMMAND_OK)
		status = explore_reports_check(&asked->reports, name);
	if (status == COMMAND_OK)
		status = merge(name, asked, &test.test, paths);
	test_clear(&test);
	return status;
}

int cmd_explore_merge(int argc, char **argv)
{
	g_autofree char *name = g_strconcat(argv[0], " ", argv[1], NULL);
	struct asked asked = { .output = NULL };
	g_autoptr(GError) error = NULL;
	int status;

	argc--;
	argv++;
	status = parse(&asked, &argc, &argv, &error) ? work(name, &asked, argv + 1) :
		 command_usage(name, "%s", error->message);
	g_free(asked.output);
	explore_reports_clear(&asked.reports);
	return command_finish_output(name, status);
}
