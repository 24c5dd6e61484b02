/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * See lib/words/duration.h.
 */
#include "lib/words/duration.h"

#include <errno.h>
#include <string.h>

#include "lib/words/decimal.h"

static const struct unit {
	const char *name;
	unsigned int zeros;	/* of its nanoseconds */
} units[] = {
	{ "ns", 0 }, { "us", 3 }, { "ms", 6 }, { "s", 9 },
};

enum { UNITS = sizeof(units) / sizeof(units[0]) };

const char *duration_unit(unsigned int at)
{
	return at < UNITS ? units[at].name : NULL;
}

static const struct unit *find_unit(const char *name)
{
	for (unsigned int i = 0; i < UNITS; i++) {
		if (strcmp(name, units[i].name) == 0)
			return &units[i];
	}
	return NULL;
}

/* 'bare': the unit of a number without one; NULL: only 0 goes without. */
static int parse(const char *text, const char *bare, int64_t *ret_ns)
{
	struct decimal decimal;
	const struct unit *unit;
	uint64_t ns;
	int err = decimal_take(&text, &decimal);

	if (err < 0)
		return err;
	if (!*text && !bare && decimal.digits == 0)
		bare = units[0].name;
	unit = find_unit(*text || !bare ? text : bare);
	if (!unit)
		return -EINVAL;
	err = decimal_scale(&decimal, unit->zeros, &ns);
	if (err < 0)
		return err;
	if (ns > INT64_MAX)
		return -ERANGE;
	*ret_ns = (int64_t)ns;
	return 0;
}

int duration_parse(const char *text, int64_t *ret_ns)
{
	return parse(text, NULL, ret_ns);
}

int duration_parse_seconds(const char *text, int64_t *ret_ns)
{
	return parse(text, "s", ret_ns);
}

const char *duration_expected(int err, const char *usual)
{
	return err == -EDOM ? "a time that is no finer than a nanosecond" :
	       err == -ERANGE ? "a time of at most 292 years" : usual;
}
