/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A line on the terminal: see harness/cmd/replay-progress.h.
 */
#include "harness/cmd/replay-progress.h"

#include <inttypes.h>
#include <stdio.h>

#include "kmod-stub/event.h"

enum { TEXT_SIZE = 96 };

void replay_progress_draw(struct status_line *line, size_t done, size_t all, int64_t since_ns)
{
	char text[TEXT_SIZE];

	if (!status_line_is_due(line))
		return;
	snprintf(text, sizeof(text), "%zu of %zu MADs, %" PRId64 ".%" PRId64 " s", done, all,
		 since_ns / NS_PER_S, since_ns % NS_PER_S / (100 * NS_PER_MS));
	status_line_draw(line, text);
}
