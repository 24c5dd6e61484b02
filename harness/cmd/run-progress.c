/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A line on the terminal: see harness/cmd/run-progress.h.
 */
#include "harness/cmd/run-progress.h"

#include "harness/base/status-line.h"

struct run_progress {
	const struct run_about *about;
	struct status_line *line;
	guint counts[RUN_STATES];
	guint results;
};

struct run_progress *run_progress_new(const struct run_about *about)
{
	struct status_line *line = status_line_new();
	struct run_progress *progress;

	if (!line)
		return NULL;
	progress = g_new0(struct run_progress, 1);
	progress->about = about;
	progress->line = line;
	return progress;
}

/* ", 3 failed" */
static void append_count(GString *out, guint count, const char *what)
{
	if (count > 0)
		g_string_append_printf(out, ", %u %s", count, what);
}

/* "12 of 300, 1 failed: timeout/retries.mad: ..." */
static void draw(struct run_progress *progress, const char *name)
{
	g_autoptr(GString) line = g_string_new(NULL);
	const guint *counts = progress->counts;

	g_string_append_printf(line, "%u", progress->results);
	if (progress->about->points_known)
		g_string_append_printf(line, " of %u", progress->about->points);
	append_count(line, counts[RUN_FAILED] + counts[RUN_UNEXPECTED_PASS], "failed");
	append_count(line, counts[RUN_INCONCLUSIVE], "inconclusive");
	append_count(line, counts[RUN_SKIPPED], "skipped");
	g_string_append_printf(line, ": %s", name);
	status_line_draw(progress->line, line->str);
}

void run_progress_clear(struct run_progress *progress)
{
	if (progress)
		status_line_clear(progress->line);
}

void run_progress_result(struct run_progress *progress, const struct run_result *result)
{
	if (!progress)
		return;
	progress->counts[result->state]++;
	progress->results++;
	if (status_line_is_due(progress->line))
		draw(progress, result->name);
}

void run_progress_wait(struct run_progress *progress, const char *name)
{
	if (progress)
		draw(progress, name);
}

void run_progress_free(struct run_progress *progress)
{
	if (!progress)
		return;
	status_line_free(progress->line);
	g_free(progress);
}
