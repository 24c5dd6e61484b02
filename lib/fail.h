/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* How public functions fail: a negative errno, which errno says, too. */
#ifndef UMADRIG_LIB_FAIL_H
#define UMADRIG_LIB_FAIL_H

#include <errno.h>

/* Sets errno to -r and returns 'r' where it is negative; returns it as it is otherwise. */
static inline int umad_fail(int r)
{
	if (r < 0)
		errno = -r;
	return r;
}

#endif
