/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Ends the point that runs: see harness/script/run/cancel.h.
 */
#include "harness/script/run/cancel.h"

#include <signal.h>

static volatile sig_atomic_t cancelled;

void run_cancel(void)
{
	cancelled = 1;
}

bool run_is_cancelled(void)
{
	return cancelled != 0;
}
