/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a line may have meant that failed: another packet or message that fits, or the closest one.
 * Each function adds a line to the failure's details, or none.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_CANDIDATE_H
#define UMADRIG_HARNESS_SCRIPT_RUN_CANDIDATE_H

#include "harness/script/check/checker.h"
#include "harness/script/run/run.h"

/*
 * Of packets that have left A, or will (on the simulator the run goes on to see). 'found' is the
 * one that came instead, or NULL; 'differences': in how many fields.
 */
void hint_packets(struct run *run, const struct mad_pattern *pattern,
		  const struct world_packet *found, unsigned int differences);

/* Of messages that can be read from 'handle' after the one that was, or from another one. */
void hint_items(struct run *run, const struct expected *expected, const struct run_handle *handle);

#endif
