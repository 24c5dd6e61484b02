/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A line on the terminal: see harness/base/status-line.h.
 */
#include "harness/base/status-line.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* How often the line changes at most, while results come. */
#define AGAIN_US (100 * 1000)

enum { USUAL_COLUMNS = 80 };

struct status_line {
	bool is_drawn;
	gint64 drawn_us;	/* when that was */
};

struct status_line *status_line_new(void)
{
	const char *terminal = g_getenv("TERM");

	if (!isatty(STDERR_FILENO) || !terminal || *terminal == '\0' ||
	    strcmp(terminal, "dumb") == 0)
		return NULL;
	return g_new0(struct status_line, 1);
}

void status_line_free(struct status_line *line)
{
	status_line_clear(line);
	g_free(line);
}

static glong columns(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col :
	       USUAL_COLUMNS;
}

bool status_line_is_due(const struct status_line *line)
{
	return line && g_get_monotonic_time() - line->drawn_us >= AGAIN_US;
}

void status_line_draw(struct status_line *line, const char *text)
{
	g_autofree char *valid = NULL;

	if (!line)
		return;
	valid = g_utf8_make_valid(text, -1);
	for (char *at = valid; *at != '\0'; at++) {
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = ' ';
	}
	/* In the last column the cursor may go to the next line. */
	*g_utf8_offset_to_pointer(valid, MIN(columns() - 1, g_utf8_strlen(valid, -1))) = '\0';
	fprintf(stderr, "\r\033[K%s", valid);
	fflush(stderr);
	line->is_drawn = true;
	line->drawn_us = g_get_monotonic_time();
}

void status_line_clear(struct status_line *line)
{
	if (!line || !line->is_drawn)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	line->is_drawn = false;
}
