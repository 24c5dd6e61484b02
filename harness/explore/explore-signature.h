/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where a run has failed: what tells failures apart that end in the same way.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_SIGNATURE_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_SIGNATURE_H

#include "harness/explore/explore-run.h"

/* In the run's directory, unless the command has such a file: where processes have died. */
#define EXPLORE_BACKTRACE "backtrace"

/*
 * One line for a run that has failed, without addresses and numbers, so that runs with the same
 * mistake have the same; to be freed. Of one that took too long, which program ran then; if none
 * did, what threads waited for. What a sanitizer has printed of it; or the first process that has
 * ended by an error, with the functions that it was in; or, if 'is_stuck', what threads waited for.
 * NULL: none of these. Writes EXPLORE_BACKTRACE.
 */
char *explore_signature_make(const struct explore_run *run, bool is_stuck);

#endif
