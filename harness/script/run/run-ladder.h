/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What has happened while a point ran, by time: the ladder of its report. Lines of the script note
 * what they did and met; what arrives at A is there too, and, in the end, what no line asked for.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_RUN_LADDER_H
#define UMADRIG_HARNESS_SCRIPT_RUN_RUN_LADDER_H

#include "harness/script/run/run.h"

struct run_ladder *run_ladder_new(void);
/* NULL is allowed. */
void run_ladder_free(struct run_ladder *ladder);

/*
 * What happens later is not part of the report, however far the run goes on to find out more. The
 * first call counts.
 */
void run_ladder_end(struct run *run);

/* "recv VendGetResp(0x0010) ...", to be freed. */
char *item_text(const struct run_item *item);

/* The same of what left A, or was read; each is noted once. */
void run_note_packet(struct run *run, struct world_packet *packet, const char *text,
		     const char *note);
void run_note_item(struct run *run, struct run_item *item, const char *note);

/* The report: of a point that failed with what no line has asked for so far. */
void run_ladder_write(struct run *run, GString *out);

#endif
