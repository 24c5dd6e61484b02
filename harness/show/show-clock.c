/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Times as they are shown: see harness/show/show-clock.h.
 */
#include "harness/show/show-clock.h"

#include <glib.h>
#include <string.h>
#include <time.h>

enum { NS_PER_S = 1000000000, NS_PER_US = 1000, DATE_SIZE = 11 /* of "2026-11-28 " */ };

bool show_time_parse(const char *word, enum show_time *ret)
{
	static const char *const words[] = {
		[SHOW_RELATIVE] = "relative", [SHOW_DELTA] = "delta",
		[SHOW_ABSOLUTE] = "absolute", [SHOW_EPOCH] = "epoch",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		if (strcmp(word, words[i]) == 0) {
			*ret = (enum show_time)i;
			return true;
		}
	}
	return false;
}

/* Since what was shown before; the first time is 0. */
static int64_t take_delta(struct show_clock *clock, int64_t time_ns)
{
	uint64_t delta_ns = (uint64_t)time_ns - (uint64_t)clock->before_ns;
	bool is_first = !clock->has_before;

	clock->has_before = true;
	clock->before_ns = time_ns;
	return is_first ? 0 : (int64_t)delta_ns;
}

/*
 * The second of a time, since 1970, and the nanoseconds behind it, which are never negative. A
 * broken file may have any time.
 */
static int64_t split(const struct show_clock *clock, int64_t time_ns, int64_t *ret_rest_ns)
{
	int64_t ns = (int64_t)((uint64_t)clock->first_ns + (uint64_t)time_ns);

	*ret_rest_ns = (ns % NS_PER_S + NS_PER_S) % NS_PER_S;
	return ns / NS_PER_S - (ns % NS_PER_S < 0);
}

static const char *date_of(struct show_clock *clock, int64_t second)
{
	time_t time = (time_t)second;
	struct tm tm = { 0 };

	if (*clock->date && clock->date_s == second)
		return clock->date;
	localtime_r(&time, &tm);
	strftime(clock->date, sizeof(clock->date), "%Y-%m-%d %H:%M:%S", &tm);
	clock->date_s = second;
	return clock->date;
}

void show_clock_append(struct show_clock *clock, struct text *out, int64_t time_ns,
		       unsigned int width)
{
	int64_t rest_ns, second;

	if (clock->form == SHOW_DELTA)
		time_ns = take_delta(clock, time_ns);
	if (clock->form == SHOW_RELATIVE || clock->form == SHOW_DELTA) {
		text_time_ms(out, time_ns, width);
		text_bytes(out, "ms", 2);
		return;
	}
	second = split(clock, time_ns, &rest_ns);
	switch (clock->form) {
	case SHOW_DELTA:
	case SHOW_RELATIVE:
		return;
	case SHOW_ABSOLUTE:
		text_words(out, date_of(clock, second));
		break;
	case SHOW_EPOCH:
		text_format(out, "%" G_GINT64_FORMAT, second);
		break;
	}
	text_format(out, ".%09d", (int)rest_ns);
}

void show_clock_append_short(struct show_clock *clock, struct text *out, int64_t time_ns)
{
	int64_t rest_ns, second = split(clock, time_ns, &rest_ns);
	int rest_ms = (int)(rest_ns / (NS_PER_US * 1000));

	switch (clock->form) {
	case SHOW_DELTA:
		text_format(out, "%12.3fms", (double)take_delta(clock, time_ns) / 1e6);
		return;
	case SHOW_RELATIVE:
		text_format(out, "%12.3fms", (double)time_ns / 1e6);
		return;
	case SHOW_ABSOLUTE:
		text_format(out, "  %s.%03d", date_of(clock, second) + DATE_SIZE, rest_ms);
		return;
	case SHOW_EPOCH:
		text_format(out, "%10" G_GINT64_MODIFIER "d.%03d", second, rest_ms);
		return;
	}
}
