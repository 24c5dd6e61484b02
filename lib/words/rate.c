/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * See lib/words/rate.h.
 */
#include "lib/words/rate.h"

#include <errno.h>
#include <string.h>

#include "lib/words/decimal.h"

int rate_parse(const char *text, uint64_t *ret_bits_per_s)
{
	static const char units[] = "kMGT";	/* a thousand each */
	struct decimal decimal;
	uint64_t rate;
	const char *unit;
	int err = decimal_take(&text, &decimal);

	if (err < 0)
		return err;
	unit = *text ? strchr(units, *text) : NULL;
	if (unit)
		text++;
	if (*text && strcmp(text, "b/s") != 0)
		return -EINVAL;
	err = decimal_scale(&decimal, unit ? 3 * (unsigned int)(unit - units + 1) : 0, &rate);
	if (err < 0)
		return err;
	if (rate == 0 || rate > UINT64_C(1) << 53)
		return -ERANGE;
	*ret_bits_per_s = rate;
	return 0;
}
