/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/explore/explore-signature.h. */
#include "config.h"

#include "harness/explore/explore-signature.h"

#include <string.h>

#include "harness/explore/explore-symbol.h"
#include "kmod-stub/event.h"

/* Functions of a signature. More tell apart by which way the same mistake was come to. */
enum { FUNCTIONS = 3 };

/* ---- sanitizers ---- */

/* How much has leaked is another thing in each run. */
static char *without_counts(const char *line)
{
	g_autoptr(GRegex) count = g_regex_new("\\b[0-9]+ (byte|allocation)", G_REGEX_RAW, 0, NULL);

	return g_regex_replace(count, line, -1, 0, "\\1", 0, NULL);
}

/* "AddressSanitizer: heap-use-after-free main.c:7:3 in main" */
static char *sanitizer_summary(const struct explore_run *run)
{
	g_autofree char *path = g_build_filename(run->directory, EXPLORE_OUTPUT, NULL);
	g_autofree char *text = NULL, *line = NULL;
	g_autoptr(GRegex) regex = g_regex_new("^SUMMARY: (\\w+Sanitizer: .*)$",
					      G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	gsize size;

	if (!g_file_get_contents(path, &text, &size, NULL) ||
	    !g_regex_match_full(regex, text, (gssize)size, 0, 0, &match, NULL))
		return NULL;
	line = g_match_info_fetch(match, 1);
	return without_counts(line);
}

/* ---- processes that have died ---- */

static bool is_of_library(const struct lockstep_frame *frame, const char *name)
{
	const char *slash = strrchr(frame->module, '/');

	return g_str_has_prefix(slash ? slash + 1 : frame->module, name);
}

/* The ways in which a program gives up; these frames say nothing of why. */
static bool is_giving_up(const struct lockstep_frame *frame)
{
	static const char *const names[] = {
		"abort", "raise", "gsignal", "pthread_kill", "__assert", "__assert_fail",
		"__assert_perror_fail", "__chk_fail", "__fortify_fail", "__stack_chk_fail",
	};

	if (is_of_library(frame, "libstdc++.") || is_of_library(frame, "libumad"))
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (strcmp(frame->function, names[i]) == 0)
			return true;
	}
	return false;
}

/* libc's own: what of it has no name differs between releases, and with its debug information. */
static bool is_inside_libc(const struct lockstep_frame *frame)
{
	return is_of_library(frame, "libc.") && !*frame->function;
}

/*
 * Where a thread has begun: in clone3(2), which has no name, or in clone(2), where the kernel has
 * none, or a container refuses it.
 */
static bool is_begin_of_thread(const struct lockstep_frame *frame)
{
	return strcmp(frame->function, "clone") == 0 || strcmp(frame->function, "__clone") == 0;
}

static bool is_outermost(const struct lockstep_frame *frame)
{
	return strcmp(frame->function, "main") == 0 ||
	       strcmp(frame->function, "__libc_start_main") == 0;
}

/* To be freed: its name, or the place in its file. */
static char *function_text(const struct lockstep_frame *frame)
{
	const char *name = frame->function;
	g_autofree char *file = NULL;

	if (!*frame->module)
		return g_strdup("?");
	if (!*name && !is_inside_libc(frame))
		name = explore_symbol_find(frame->module, frame->offset);
	if (name && *name)
		return g_strdup(name);
	file = g_path_get_basename(frame->module);
	return g_strdup_printf("%s+0x%" G_GINT64_MODIFIER "x", file, frame->offset);
}

static char *crash_line(const struct lockstep_crash *crash)
{
	GString *text = g_string_new(NULL);
	unsigned int i = 0, functions = 0;

	g_string_append_printf(text, "%s: signal %d (%s)", crash->program, crash->signal,
			       g_strsignal(crash->signal));
	while (i < crash->frames &&
	       (is_inside_libc(&crash->frame[i]) || is_giving_up(&crash->frame[i])))
		i++;
	for (; i < crash->frames && functions < FUNCTIONS && !is_begin_of_thread(&crash->frame[i]);
	     i++) {
		const struct lockstep_frame *frame = &crash->frame[i];
		g_autofree char *function = is_inside_libc(frame) ? NULL : function_text(frame);

		if (function)
			g_string_append_printf(text, "%s%s", functions++ ? ", " : " in ", function);
		if (is_outermost(frame) || (function && strcmp(function, "main") == 0))
			break;
	}
	return g_string_free(text, false);
}

static void append_backtrace(GString *text, const struct lockstep_crash *crash)
{
	g_string_append_printf(text, "%s (%u.%u): signal %d (%s), %.9f s after the start\n",
			       crash->program, crash->virtual_pid, crash->ordinal, crash->signal,
			       g_strsignal(crash->signal),
			       (double)crash->at_ns / (double)NS_PER_S);
	for (unsigned int i = 0; i < crash->frames; i++) {
		const struct lockstep_frame *frame = &crash->frame[i];
		g_autofree char *function = function_text(frame);

		g_string_append_printf(text, "#%-3u %s (%s+0x%" G_GINT64_MODIFIER "x)\n", i,
				       function, frame->module, frame->offset);
	}
}

static void write_backtraces(const struct explore_run *run)
{
	g_autofree char *path = g_build_filename(run->directory, EXPLORE_BACKTRACE, NULL);
	g_autoptr(GString) text = g_string_new(NULL);

	if (run->end.crashes == 0 || g_file_test(path, G_FILE_TEST_EXISTS))
		return;
	for (unsigned int i = 0; i < run->end.crashes; i++)
		append_backtrace(text, &run->end.crash[i]);
	g_file_set_contents(path, text->str, (gssize)text->len, NULL);
}

/*
 * Of one that took too long: who computes. What others wait for meanwhile is another thing with
 * each schedule.
 */
static char *late_line(const struct explore_run *run)
{
	if (*run->end.runs)
		return g_strdup_printf("runs: %s", run->end.runs);
	return *run->end.waits ? g_strdup_printf("waits: %s", run->end.waits) : NULL;
}

char *explore_signature_make(const struct explore_run *run, bool is_stuck)
{
	char *summary = sanitizer_summary(run);

	write_backtraces(run);
	/* What comes after it was cut off tells nothing of why that had to be. */
	if (run->is_late)
		return late_line(run);
	if (summary)
		return summary;
	if (run->end.crashes > 0)
		return crash_line(&run->end.crash[0]);
	return is_stuck && *run->end.waits ? g_strdup_printf("waits: %s", run->end.waits) : NULL;
}
