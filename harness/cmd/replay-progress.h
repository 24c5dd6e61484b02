/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How far umadrig replay --mode timed is, on a terminal.
 */
#ifndef UMADRIG_HARNESS_CMD_REPLAY_PROGRESS_H
#define UMADRIG_HARNESS_CMD_REPLAY_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

#include "harness/base/status-line.h"

/* Draws "12 of 300 MADs, 3.5 s", which is the time since the first one, if that is due. */
void replay_progress_draw(struct status_line *line, size_t done, size_t all, int64_t since_ns);

#endif
