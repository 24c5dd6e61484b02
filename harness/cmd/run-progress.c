/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A line on the terminal: see harness/cmd/run-progress.h.
 */
#include "harness/cmd/run-progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* How often the line changes at most, while results come. */
#define AGAIN_US (100 * 1000)

enum { USUAL_COLUMNS = 80 };

struct run_progress {
	const struct run_about *about;
	guint counts[RUN_STATES];
	guint results;
	bool drawn;
	gint64 drawn_us;	/* when that was */
};

struct run_progress *run_progress_new(const struct run_about *about)
{
	const char *terminal = g_getenv("TERM");
	struct run_progress *progress;

	if (!isatty(STDERR_FILENO) || !terminal || *terminal == '\0' ||
	    strcmp(terminal, "dumb") == 0)
		return NULL;
	progress = g_new0(struct run_progress, 1);
	progress->about = about;
	return progress;
}

static glong columns(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col :
	       USUAL_COLUMNS;
}

/* ", 3 failed" */
static void append_count(GString *out, guint count, const char *what)
{
	if (count > 0)
		g_string_append_printf(out, ", %u %s", count, what);
}

/* "12 of 300, 1 failed: timeout/retries.mad: ...", as wide as the terminal. */
static void draw(struct run_progress *progress, const char *name)
{
	g_autoptr(GString) line = g_string_new(NULL);
	g_autofree char *valid = NULL;
	const guint *counts = progress->counts;

	g_string_append_printf(line, "%u", progress->results);
	if (progress->about->points_known)
		g_string_append_printf(line, " of %u", progress->about->points);
	append_count(line, counts[RUN_FAILED] + counts[RUN_UNEXPECTED_PASS], "failed");
	append_count(line, counts[RUN_INCONCLUSIVE], "inconclusive");
	append_count(line, counts[RUN_SKIPPED], "skipped");
	g_string_append_printf(line, ": %s", name);
	valid = g_utf8_make_valid(line->str, (gssize)line->len);
	for (char *at = valid; *at != '\0'; at++) {
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = ' ';
	}
	/* In the last column the cursor may go to the next line. */
	*g_utf8_offset_to_pointer(valid, MIN(columns() - 1, g_utf8_strlen(valid, -1))) = '\0';
	fprintf(stderr, "\r\033[K%s", valid);
	fflush(stderr);
	progress->drawn = true;
	progress->drawn_us = g_get_monotonic_time();
}

void run_progress_clear(struct run_progress *progress)
{
	if (!progress || !progress->drawn)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	progress->drawn = false;
}

void run_progress_result(struct run_progress *progress, const struct run_result *result)
{
	if (!progress)
		return;
	progress->counts[result->state]++;
	progress->results++;
	if (g_get_monotonic_time() - progress->drawn_us >= AGAIN_US)
		draw(progress, result->name);
}

void run_progress_wait(struct run_progress *progress, const char *name)
{
	if (progress)
		draw(progress, name);
}

void run_progress_free(struct run_progress *progress)
{
	run_progress_clear(progress);
	g_free(progress);
}
