/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The speed of replays: see sim/capture/pace.h.
 */
#include "sim/capture/pace.h"

#include <errno.h>

#include "lib/words/decimal.h"

enum {
	DECIMALS_MAX = 3,
	SPEED_MAX = 1000000,
};

int pace_parse(const char *text, unsigned int *ret_milli)
{
	struct decimal speed;
	uint64_t milli;
	int err = decimal_take(&text, &speed);

	if (err == 0)
		err = *text ? -EINVAL : decimal_scale(&speed, DECIMALS_MAX, &milli);
	if (err < 0 || milli == 0 || milli > (uint64_t)SPEED_MAX * 1000)
		return -EINVAL;
	*ret_milli = (unsigned int)milli;
	return 0;
}
