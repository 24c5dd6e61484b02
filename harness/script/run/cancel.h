/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Ends the point that runs, from outside.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_CANCEL_H
#define UMADRIG_HARNESS_SCRIPT_RUN_CANCEL_H

#include <stdbool.h>

/*
 * From now on a point that waits ends at once, with all programs that it has started; its outcome
 * means nothing. For signal handlers.
 */
void run_cancel(void);
bool run_is_cancelled(void);

#endif
