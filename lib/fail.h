/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* How public functions fail: they return a negative errno, and set errno. */
#ifndef UMADRIG_LIB_FAIL_H
#define UMADRIG_LIB_FAIL_H

#include <errno.h>

/* Sets errno to -r if 'r' is negative; returns 'r' in any case. */
static inline int umad_fail(int r)
{
	if (r < 0)
		errno = -r;
	return r;
}

#endif
