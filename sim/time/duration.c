/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Times with a unit: see sim/time/duration.h.
 */
#include "sim/time/duration.h"

#include <ctype.h>
#include <errno.h>
#include <glib.h>
#include <string.h>

#include "kmod-stub/event.h"

int duration_parse(const char *text, int64_t *ret_ns)
{
	static const struct {
		const char *name;
		int64_t ns;
	} units[] = {
		{ "ns", 1 }, { "us", NS_PER_US }, { "ms", NS_PER_MS }, { "s", NS_PER_S },
	};
	uint64_t whole = 0, part = 0, scale = 1;
	const char *p = text;
	int64_t unit = 0, ns;

	if (!isdigit((unsigned char)*p))
		return -EINVAL;
	for (; isdigit((unsigned char)*p); p++) {
		if (__builtin_mul_overflow(whole, 10, &whole) ||
		    __builtin_add_overflow(whole, (uint64_t)(*p - '0'), &whole))
			return -ERANGE;
	}
	if (*p == '.') {
		p++;
		if (!isdigit((unsigned char)*p))
			return -EINVAL;
		/* Digits below a nanosecond are ignored. */
		for (; isdigit((unsigned char)*p); p++) {
			if (scale < UINT64_C(1000000000)) {
				part = 10 * part + (uint64_t)(*p - '0');
				scale *= 10;
			}
		}
	}
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		if (strcmp(p, units[i].name) == 0)
			unit = units[i].ns;
	}
	if (!unit && (*p || whole || part))
		return -EINVAL;
	if (!unit)
		unit = 1;
	if (whole > INT64_MAX || __builtin_mul_overflow((int64_t)whole, unit, &ns) ||
	    __builtin_add_overflow(ns, (int64_t)(part * (uint64_t)unit / scale), &ns))
		return -ERANGE;
	*ret_ns = ns;
	return 0;
}
