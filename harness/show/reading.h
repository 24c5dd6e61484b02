/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture that is read in order to be shown: as often as the view needs it, with what the
 * readings have learned.
 */
#ifndef UMADRIG_HARNESS_SHOW_READING_H
#define UMADRIG_HARNESS_SHOW_READING_H

#include <glib.h>

#include "harness/show/show-clock.h"
#include "harness/show/view.h"

/* What is read, and how it is shown. All of it stays the caller's. */
struct reading {
	const char *path;	/* "-": standard input */
	const struct view_kind *kind;	/* NULL: frames that give no usable MAD, and why */
	FILE *stream;
	const struct filter *filter;	/* NULL: every MAD */
	const char *ports;	/* of a ladder or history, divided by commas; NULL: all */
	size_t columns;		/* width of the lines of a ladder; 0: any */
	bool verbose, segments;	/* as in struct view_setup */
	enum show_time time;
	enum show_by by;
	void (*warn)(const char *warning);	/* about the capture; NULL: nobody wants to know */
};

/*
 * Shows it. False with an error of COMMAND_ERROR where it cannot be read, or not as often as it
 * takes: that is COMMAND_USAGE.
 */
bool reading_show(const struct reading *reading, GError **error);

#endif
