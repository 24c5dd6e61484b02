/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * See lib/words/size.h.
 */
#include "lib/words/size.h"

#include <errno.h>
#include <string.h>

#include "lib/words/number.h"

int size_parse(const char *text, uint64_t *ret)
{
	static const char units[] = "KMG";
	uint64_t number, unit = 1;
	int err = number_take(&text, 10, UINT64_MAX, &number);
	const char *letter;

	if (err < 0)
		return err;
	letter = *text ? strchr(units, *text) : NULL;
	if (letter) {
		unit = UINT64_C(1) << 10 * (letter - units + 1);
		text++;
	}
	if (*text)
		return -EINVAL;
	if (number == 0 || number > UINT64_MAX / unit)
		return -ERANGE;
	*ret = number * unit;
	return 0;
}
