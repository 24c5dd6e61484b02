/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * See lib/words/percent.h.
 */
#include "lib/words/percent.h"

#include <errno.h>
#include <string.h>

#include "lib/words/number.h"

int percent_parse(const char *text, struct decimal *ret)
{
	struct decimal decimal;
	uint64_t millionths;
	int err = decimal_take(&text, &decimal);

	if (err == 0 && strcmp(text, "%") != 0)
		err = -EINVAL;
	if (err == 0)
		err = decimal_scale(&decimal, PERCENT_PLACES, &millionths);
	if (err < 0)
		return err;
	if (millionths > PERCENT_MAX * UINT64_C(1000000))
		return -ERANGE;
	*ret = decimal;
	return 0;
}

int ratio_parse(const char *text, uint32_t *ret_numerator, uint32_t *ret_denominator)
{
	uint64_t numerator, denominator;
	int err = number_take(&text, 10, UINT32_MAX, &numerator);

	if (err == 0)
		err = *text == '/' ? number_parse_decimal(text + 1, 1, UINT32_MAX, &denominator) :
				     -EINVAL;
	if (err < 0)
		return err;
	if (numerator == 0)
		return -ERANGE;
	*ret_numerator = (uint32_t)numerator;
	*ret_denominator = (uint32_t)denominator;
	return 0;
}
