/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Results for people at a terminal: what did not pass, and a total.
 */
#include "harness/cmd/run-sink.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/cmd/tap.h"

struct terminal_sink {
	struct run_sink sink;
	bool coloured;
	gint64 began_us;
};

/* ECMA-48, "select graphic rendition". */
#define RED "\033[1;31m"
#define GREEN "\033[1;32m"
#define YELLOW "\033[1;33m"
#define USUAL "\033[0m"

static void print_coloured(const struct terminal_sink *terminal, const char *colour,
			   const char *text)
{
	printf("%s%s%s", terminal->coloured ? colour : "", text, terminal->coloured ? USUAL : "");
}

static struct run_sink *terminal_make(const char *path, const struct run_about *about)
{
	struct terminal_sink *terminal = g_new0(struct terminal_sink, 1);

	(void)path;
	terminal->coloured = about->options->is_coloured;
	terminal->began_us = g_get_monotonic_time();
	printf("%s\n", about->header);
	fflush(stdout);
	return &terminal->sink;
}

static void print_lines(const char *indent, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);

	for (char **line = lines; text && *line; line++)
		printf("%s%s\n", **line ? indent : "", *line);
}

/* "  repeat:  umadrig run ..." */
static void print_more(const char *name, const char *text)
{
	if (text)
		printf("  %-9s%s\n", name, text);
}

static void terminal_result(struct run_sink *sink, const struct run_result *result)
{
	static const struct {
		const char *colour, *word;	/* NULL: nothing is said of it but the total */
	} says[] = {
		[RUN_PASSED] = { NULL, NULL },
		[RUN_FAILED] = { RED, "FAILED" },
		[RUN_SKIPPED] = { NULL, NULL },
		[RUN_INCONCLUSIVE] = { YELLOW, "INCONCLUSIVE" },
		[RUN_EXPECTED_FAILURE] = { NULL, NULL },
		[RUN_UNEXPECTED_PASS] = { RED, "PASSED, although it is expected to fail" },
	};
	const struct terminal_sink *terminal = (const struct terminal_sink *)sink;
	g_autofree char *name = tap_name(result->name);

	if (says[result->state].word) {
		print_coloured(terminal, says[result->state].colour, says[result->state].word);
		printf(": %s\n", name);
		if (result->message && !result->text)
			print_more("why:", result->message);
		print_lines("  ", result->text);
		print_lines("  ", result->ladder);
		print_more("repeat:", result->repro);
		print_more("capture:", result->capture);
		print_more("diagram:", result->diagram);
	} else if (result->ladder) {
		printf("%s: %s\n", run_state_name(result->state), name);
		print_lines("  ", result->ladder);
	}
	fflush(stdout);
}

static void append_count(GString *text, guint count, const char *what)
{
	if (count > 0)
		g_string_append_printf(text, "%s%u %s", text->len ? ", " : "", count, what);
}

static int terminal_end(struct run_sink *sink, const struct run_totals *totals)
{
	struct terminal_sink *terminal = (struct terminal_sink *)sink;
	const struct run_about *about = sink->about;
	g_autoptr(GString) text = g_string_new(NULL);
	const guint *counts = totals->counts;
	guint failed = counts[RUN_FAILED] + counts[RUN_UNEXPECTED_PASS];
	gint64 took_us = g_get_monotonic_time() - terminal->began_us;
	bool is_doubtful = counts[RUN_INCONCLUSIVE] > 0 || counts[RUN_PASSED] == 0;

	if (totals->cut_off)
		printf("%s\n", totals->cut_off);
	g_string_append_printf(text, "%u passed", counts[RUN_PASSED]);
	append_count(text, failed, "failed");
	append_count(text, counts[RUN_INCONCLUSIVE], "inconclusive");
	append_count(text, counts[RUN_EXPECTED_FAILURE], "failed as expected");
	append_count(text, counts[RUN_SKIPPED], "skipped");
	g_string_append_printf(text, " in %.1f s", (double)took_us / G_USEC_PER_SEC);
	print_coloured(terminal, failed > 0 || totals->cut_off ? RED :
		       is_doubtful ? YELLOW : GREEN, text->str);
	putchar('\n');
	g_free(terminal);
	return command_finish_output(about->command, COMMAND_OK);
}

const struct run_sink_kind run_sink_terminal = { terminal_make, terminal_result, terminal_end };
