/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the command line of umadrig explore, and its plans, ask for: words as they stand there.
 */
#ifndef UMADRIG_HARNESS_CMD_EXPLORE_OPTIONS_H
#define UMADRIG_HARNESS_CMD_EXPLORE_OPTIONS_H

#include <glib.h>
#include <stdbool.h>

#include "harness/base/plan-file.h"
#include "harness/base/session-lines.h"
#include "harness/cmd/explore-reports.h"

/* An option that is not given is NULL, or false. */
struct explore_options {
	char *fabric, *kernel, *host, *output, *timeout, *limit, *seed, *grace, *runs, *jobs;
	char *corpus, *budget, *shard;
	struct explore_reports reports;
	char *each;
	char **expect, **has, **lacks, **plans;
	struct session_lines lines;
	struct plan_file plan;
	GPtrArray *words;	/* of the command line, with those of plans; not owned */
	gboolean keep_going, all_faults, twice, no_shrink, no_vary, find_leaks;
};

/*
 * Reads both, plans first: what the command line says adds to them, or replaces what they say.
 * '*argc' and '*argv' are then what is no option. False with an error of COMMAND_ERROR. To be
 * freed with explore_options_clear() in any case.
 */
bool explore_options_parse(struct explore_options *options, int *argc, char ***argv,
			   GError **error);
void explore_options_clear(struct explore_options *options);

#endif
