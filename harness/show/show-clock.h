/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Times as they are shown: since the capture began, since what was shown before, or dates.
 */
#ifndef UMADRIG_HARNESS_SHOW_SHOW_CLOCK_H
#define UMADRIG_HARNESS_SHOW_SHOW_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/show/text.h"

enum show_time {
	SHOW_RELATIVE,		/* since the first frame, in milliseconds */
	SHOW_DELTA,		/* since what was shown before, in milliseconds */
	SHOW_ABSOLUTE,		/* the date and the time of the day, local */
	SHOW_EPOCH,		/* seconds since 1970 */
};

/* The names of the forms, divided by '|'; for options. */
#define SHOW_TIMES "relative|delta|absolute|epoch"

/* All zero is valid: relative times. One thread at a time. */
struct show_clock {
	enum show_time form;
	int64_t first_ns;	/* the first frame's time, since 1970 */
	int64_t before_ns;	/* the time that was shown before, since the first frame */
	bool has_before;
	int64_t date_s;		/* which second 'date' is */
	char date[32];		/* a time of the day costs more than the rest of a line */
};

/* One of SHOW_TIMES. False: it is none; '*ret' is left alone. */
bool show_time_parse(const char *word, enum show_time *ret);

/*
 * Appends the time, which is since the first frame, with nine decimals of a second, in at least
 * 'width' characters, and its unit where it has one: "1.500000ms", "2026-11-28 13:31:02.000000007".
 */
void show_clock_append(struct show_clock *clock, struct text *out, int64_t time_ns,
		       unsigned int width);
/*
 * The same for drawings, with three decimals less, and the time of the day without its date:
 * "1.500ms", "13:31:02.000"; in at least 14 characters.
 */
void show_clock_append_short(struct show_clock *clock, struct text *out, int64_t time_ns);

#endif
