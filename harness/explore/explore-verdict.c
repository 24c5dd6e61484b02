/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Why a run has failed: see harness/explore/explore-verdict.h. The first reason counts: what ended
 * the program or a kernel's check found, then what it has printed, then what the fabric is like.
 */
#include "config.h"

#include "harness/explore/explore-verdict.h"

#include <string.h>
#include <sys/wait.h>

#include "harness/base/command.h"
#include "harness/explore/explore-signature.h"
#include "kmod-stub/event.h"
#include "lib/lockstep/table.h"
#include "lib/words/number.h"

enum { ANSWER_SHOWN = 200 };

/* Before what lock-step says when it ends a session. */
#define LOCKSTEP_WORDS "umadrig: "

static const GRegexCompileFlags flags = G_REGEX_MULTILINE | G_REGEX_RAW;

static void fail(struct explore_verdict *verdict, enum explore_kind kind, int number, char *text)
{
	*verdict = (struct explore_verdict){ .kind = kind, .number = number, .text = text };
}

static bool matches(const char *pattern, const char *text, gsize size)
{
	g_autoptr(GRegex) regex = g_regex_new(pattern, flags, 0, NULL);

	return regex && g_regex_match_full(regex, text, (gssize)size, 0, 0, NULL, NULL);
}

/* The first line of a text, as far as it is worth. */
static char *shown(const char *text)
{
	g_autofree char *line = g_strndup(text, MIN(strcspn(text, "\n"), ANSWER_SHOWN));

	return g_utf8_make_valid(line, -1);
}

/* The line of a text that begins with 'begin' and has 'word', from 'word' on; or NULL. */
static char *find_line(const char *text, const char *begin, const char *word)
{
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line != '\0') {
		const char *end = line + strcspn(line, "\n");
		const char *found = g_str_has_prefix(line, begin) ? strstr(line, word) : NULL;

		if (found && found < end)
			return shown(found);
	}
	return NULL;
}

/* The first fault of a kernel's that the output names; what a sanitizer says of one comes last. */
static char *kernel_fault(const struct explore_run *run)
{
	static const char fault[] = "fault: ", summary[] = "SUMMARY: ";
	g_autofree char *path = g_build_filename(run->directory, EXPLORE_OUTPUT, NULL);
	g_autofree char *text = NULL, *line = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NULL;
	line = find_line(text, "umadrig: kernel: ", fault);
	if (line)
		return g_strconcat("the kernel: ", line + strlen(fault), NULL);
	line = find_line(text, summary, summary);
	return line ? g_strconcat("the kernel: ", line + strlen(summary), NULL) : NULL;
}

/* What lock-step has said of the end of virtual time. */
static char *last_words(const struct explore_run *run)
{
	g_autofree char *path = g_build_filename(run->directory, EXPLORE_OUTPUT, NULL);
	g_autofree char *text = NULL, *line = NULL;
	const char *said = NULL;

	if (g_file_get_contents(path, &text, NULL, NULL))
		said = g_strrstr(text, LOCKSTEP_WORDS);
	line = said ? shown(said + strlen(LOCKSTEP_WORDS)) : g_strdup("could not go on");
	return g_strconcat("stuck: ", line, NULL);
}

/* ---- properties ---- */

/* Those of the run, as "property end" lists them; to be freed. */
static char **properties(const struct explore_run *run)
{
	g_autofree char *path = g_build_filename(run->directory, EXPLORE_PROPERTIES, NULL);
	g_autofree char *text = NULL;

	if (run->test->lines)
		g_file_get_contents(path, &text, NULL, NULL);
	return g_strsplit(text ? text : "", "\n", -1);
}

/* "3\talways one-master within 10s\tbroken at 72.000s\tH1[1] and H2[1] are masters, for 10s" */
static bool judge_properties(struct explore_verdict *verdict, const struct explore_run *run)
{
	g_auto(GStrv) lines = properties(run);
	uint64_t number;

	for (char **line = lines; *line; line++) {
		g_auto(GStrv) part = g_strsplit(*line, "\t", 4);

		if (g_strv_length(part) != 4 || !g_str_has_prefix(part[2], "broken") ||
		    number_parse(part[0], 1, INT32_MAX, &number) < 0)
			continue;
		fail(verdict, EXPLORE_PROPERTY, (int)number,
		     g_strdup_printf("%s: %s (%s)", part[1], part[3], part[2]));
		return true;
	}
	return false;
}

uint64_t explore_verdict_met(const struct explore_run *run)
{
	g_auto(GStrv) lines = properties(run);
	uint64_t met = 0, number;

	for (char **line = lines; *line; line++) {
		g_auto(GStrv) part = g_strsplit(*line, "\t", 4);

		if (g_strv_length(part) >= 3 && g_str_has_prefix(part[2], "met") &&
		    number_parse(part[0], 1, 64, &number) == 0)
			met |= UINT64_C(1) << (number - 1);
	}
	return met;
}

/* ---- the end ---- */

static bool judge_end(struct explore_verdict *verdict, const struct explore_run *run)
{
	int status = WIFEXITED(run->status) ? WEXITSTATUS(run->status) : 0;
	char *fault;

	if (run->is_late) {
		fail(verdict, EXPLORE_LATE, 0,
		     g_strdup_printf("not over after %g s",
				     (double)run->test->timeout_ns / (double)NS_PER_S));
		return true;
	}
	if (WIFSIGNALED(run->status)) {
		int sig = WTERMSIG(run->status);

		fail(verdict, EXPLORE_SIGNAL, sig,
		     g_strdup_printf("signal %d (%s)", sig, g_strsignal(sig)));
		return true;
	}
	if (status == COMMAND_REFUSED || status == COMMAND_CANNOT_RUN ||
	    status == COMMAND_NOT_FOUND) {
		fail(verdict, EXPLORE_REFUSED, status,
		     g_strdup_printf("exit status %d: the command cannot be run", status));
		return true;
	}
	if (status == LOCKSTEP_EXIT && !run->test->plan.is_real) {
		fail(verdict, EXPLORE_STUCK, 0, last_words(run));
		return true;
	}
	if (judge_properties(verdict, run))
		return true;
	if (status == 0)
		return false;
	if (status == COMMAND_KERNEL_FAULT && (fault = kernel_fault(run))) {
		fail(verdict, EXPLORE_KERNEL, 0, fault);
		return true;
	}
	fail(verdict, EXPLORE_STATUS, status,
	     g_strdup_printf("exit status %d%s", status, status != COMMAND_NEVER_OPENED ? "" :
			     ": the command ended, and nothing opened the fabric"));
	return true;
}

static bool judge_output(struct explore_verdict *verdict, const struct explore_run *run)
{
	g_autofree char *path = g_build_filename(run->directory, EXPLORE_OUTPUT, NULL);
	g_autofree char *text = NULL;
	gsize size = 0;

	if (!run->test->has && !run->test->lacks)
		return false;
	g_file_get_contents(path, &text, &size, NULL);
	for (int i = 0; run->test->lacks && run->test->lacks[i]; i++) {
		if (text && !matches(run->test->lacks[i], text, size))
			continue;
		fail(verdict, EXPLORE_LACKS, i,
		     g_strdup_printf("the output has '%s'", run->test->lacks[i]));
		return true;
	}
	for (int i = 0; run->test->has && run->test->has[i]; i++) {
		if (text && matches(run->test->has[i], text, size))
			continue;
		fail(verdict, EXPLORE_HAS, i,
		     g_strdup_printf("the output lacks '%s'", run->test->has[i]));
		return true;
	}
	return false;
}

static bool judge_console(struct explore_verdict *verdict, const struct explore_run *run)
{
	for (int i = 0; run->test->expect && run->test->expect[i]; i++) {
		const char *pattern;
		g_autofree char *command = explore_expect_command(run->test->expect[i], &pattern);
		g_autofree char *name = g_strdup_printf(EXPLORE_CONSOLE "-%d", i + 1);
		g_autofree char *path = g_build_filename(run->directory, name, NULL);
		g_autofree char *text = NULL, *line = NULL;
		gsize size = 0;
		bool is_there = g_file_get_contents(path, &text, &size, NULL);

		if (is_there && !g_str_has_prefix(text, EXPLORE_ERROR) &&
		    (!pattern || matches(pattern, text, size)))
			continue;
		line = is_there ? shown(text) : g_strdup("no answer");
		fail(verdict, EXPLORE_EXPECT, i, g_strdup_printf("%s: %s", command, line));
		return true;
	}
	return false;
}

void explore_verdict_make(struct explore_verdict *verdict, const struct explore_run *run)
{
	*verdict = (struct explore_verdict){ .kind = EXPLORE_PASSED };
	if (!judge_end(verdict, run) && !judge_output(verdict, run))
		judge_console(verdict, run);
	if (verdict->kind != EXPLORE_PASSED && verdict->kind != EXPLORE_REFUSED)
		verdict->signature = explore_signature_make(run, verdict->kind == EXPLORE_STUCK);
}

void explore_verdict_clear(struct explore_verdict *verdict)
{
	g_clear_pointer(&verdict->text, g_free);
	g_clear_pointer(&verdict->signature, g_free);
}

const char *explore_kind_name(enum explore_kind kind)
{
	switch (kind) {
	case EXPLORE_PASSED:
		return "passed";
	case EXPLORE_REFUSED:
		return "refused";
	case EXPLORE_KERNEL:
		return "kernel";
	case EXPLORE_LATE:
		return "timeout";
	case EXPLORE_STUCK:
		return "stuck";
	case EXPLORE_PROPERTY:
		return "property";
	case EXPLORE_SIGNAL:
		return "signal";
	case EXPLORE_STATUS:
		return "exit status";
	case EXPLORE_LACKS:
	case EXPLORE_HAS:
		return "output";
	case EXPLORE_EXPECT:
		return "expectation";
	case EXPLORE_DIFFERS:
		return "not the same";
	}
	return "?";
}

bool explore_verdict_is_alike(const struct explore_verdict *a, const struct explore_verdict *b)
{
	return a->kind == b->kind && a->number == b->number &&
	       (a->kind != EXPLORE_KERNEL || strcmp(a->text, b->text) == 0) &&
	       g_strcmp0(a->signature, b->signature) == 0;
}

/* 'whole': the option's value. */
static bool check_pattern(const char *option, const char *whole, const char *pattern,
			  GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(GRegex) regex = g_regex_new(pattern, flags, 0, &why);
	g_autofree char *words = NULL;

	if (regex)
		return true;
	words = g_strconcat(option + strlen("--"), " ", whole, NULL);
	g_set_error(error, COMMAND_ERROR, COMMAND_USAGE, "%s%s '%s': %s", command_said_at(words),
		    option, pattern, why->message);
	return false;
}

bool explore_verdict_check(const struct explore_test *test, GError **error)
{
	for (char **has = test->has; has && *has; has++) {
		if (!check_pattern("--has", *has, *has, error))
			return false;
	}
	for (char **lacks = test->lacks; lacks && *lacks; lacks++) {
		if (!check_pattern("--lacks", *lacks, *lacks, error))
			return false;
	}
	for (char **expect = test->expect; expect && *expect; expect++) {
		const char *pattern;

		g_free(explore_expect_command(*expect, &pattern));
		if (pattern && !check_pattern("--expect", *expect, pattern, error))
			return false;
	}
	return true;
}
