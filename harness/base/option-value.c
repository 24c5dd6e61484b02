/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * See harness/base/option-value.h.
 */
#include "harness/base/option-value.h"

#include <errno.h>
#include <glib.h>
#include <limits.h>
#include <string.h>

#include "harness/base/command.h"
#include "kmod-stub/event.h"
#include "lib/words/duration.h"
#include "lib/words/number.h"

static const int64_t SECONDS_MAX = INT64_C(10) * 365 * 24 * 3600;

bool option_number(const char *command, const char *option, const char *text, uint64_t min,
		   uint64_t max, const char *expected, uint64_t *ret)
{
	if (!text || number_parse(text, min, max, ret) == 0)
		return true;
	command_bad_value(command, option, text, expected);
	return false;
}

bool option_time(const char *command, const char *option, const char *text, const char *expected,
		 int64_t *ret_ns)
{
	int err = text ? duration_parse(text, ret_ns) : 0;

	if (err < 0)
		command_bad_value(command, option, text, duration_expected(err, expected));
	return err == 0;
}

bool option_seconds(const char *command, const char *option, const char *text, int64_t *ret_ns)
{
	int64_t ns;
	int err;

	if (!text)
		return true;
	err = duration_parse_seconds(text, &ns);
	if (err == 0 && ns <= SECONDS_MAX * NS_PER_S) {
		*ret_ns = ns;
		return true;
	}
	command_bad_value(command, option, text, err == -EDOM ? duration_expected(err, NULL) :
			  "a number of seconds");
	return false;
}

bool option_long_time(const char *command, const char *option, const char *text, int64_t *ret_ns)
{
	static const struct { const char *name; int64_t seconds; } units[] = {
		{ "s", 1 }, { "min", 60 }, { "h", 3600 },
	};
	uint64_t count;

	for (size_t i = 0; text && i < G_N_ELEMENTS(units); i++) {
		g_autofree char *digits = NULL;

		if (!g_str_has_suffix(text, units[i].name))
			continue;
		digits = g_strndup(text, strlen(text) - strlen(units[i].name));
		if (number_parse(digits, 1, (uint64_t)(SECONDS_MAX / units[i].seconds), &count) < 0)
			continue;
		*ret_ns = (int64_t)count * units[i].seconds * NS_PER_S;
		return true;
	}
	if (text)
		command_bad_value(command, option, text, "a time such as 90s, 45min or 8h");
	return !text;
}

bool option_shard(const char *command, const char *text, unsigned int *ret_part,
		  unsigned int *ret_parts)
{
	g_auto(GStrv) words = g_strsplit(text ? text : "1/1", "/", 0);
	uint64_t part, parts;

	if (g_strv_length(words) != 2 || number_parse(words[1], 1, INT_MAX, &parts) < 0 ||
	    number_parse(words[0], 1, parts, &part) < 0) {
		command_bad_value(command, "--shard", text,
				  "I/N: part I, from 1 to N, of N parts");
		return false;
	}
	*ret_part = (unsigned int)part;
	*ret_parts = (unsigned int)parts;
	return true;
}
