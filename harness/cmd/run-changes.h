/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Refuses to run what would change the fabric at a real port.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_CHANGES_H
#define UMADRIG_HARNESS_CMD_RUN_CHANGES_H

#include "harness/script/check/needs.h"

/*
 * Looks at the points (const struct point *) that can run on 'rig', which has real ports. Returns
 * -1 if nothing in them changes a fabric, or if all the ports of the rig are among 'writable'
 * ("DEV/N", ended by NULL; NULL: none). Otherwise prints the lines that do, each once, and how to
 * allow it, and returns COMMAND_USAGE.
 */
int run_changes_refuse(const GPtrArray *points, const struct rig *rig,
		       const char *const *writable, const char *name);

#endif
