/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The speed of replays: see sim/capture/pace.h.
 */
#include "sim/capture/pace.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

enum {
	DECIMALS_MAX = 3,
	SPEED_MAX = 1000000,
};

int pace_parse(const char *text, unsigned int *ret_milli)
{
	size_t whole = strspn(text, "0123456789"), decimals = 0;
	g_autofree char *integer = g_strndup(text, whole);
	guint64 speed, milli = 0;

	if (text[whole] == '.') {
		decimals = strspn(text + whole + 1, "0123456789");
		if (decimals == 0 || decimals > DECIMALS_MAX)
			return -EINVAL;
		milli = g_ascii_strtoull(text + whole + 1, NULL, 10);
		for (size_t i = decimals; i < DECIMALS_MAX; i++)
			milli *= 10;
		decimals++;
	}
	if (text[whole + decimals] ||
	    !g_ascii_string_to_unsigned(integer, 10, 0, SPEED_MAX, &speed, NULL))
		return -EINVAL;
	milli += speed * 1000;
	if (milli == 0 || milli > (guint64)SPEED_MAX * 1000)
		return -EINVAL;
	*ret_milli = (unsigned int)milli;
	return 0;
}
