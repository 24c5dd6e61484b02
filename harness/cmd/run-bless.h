/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig run --bless: rewrites what scripts expect to what is seen.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_BLESS_H
#define UMADRIG_HARNESS_CMD_RUN_BLESS_H

#include "harness/cmd/run-options.h"

/* Adds --bless and --yes, which set 'options'. */
void run_bless_add_options(GOptionContext *context, struct run_options *options);

/* Returns -1 if the options go together, or an exit status after an error. */
int run_bless_check(const struct run_options *options, const char *name);

/*
 * Runs the selected points of 'files' (of char *), shows how each script has to change for them to
 * pass, and changes it if that is wanted. An exit status: COMMAND_OK if all of them pass now.
 */
int run_bless(const struct run_options *options, const GPtrArray *files, const char *name);

/*
 * A new script that is to be written to 'path': runs 'text' in the same way, with all of its
 * points, and puts what passes in its place, in the style of umadrig format. What it had to change
 * besides times is appended to 'changes', a line each. False: it does not pass, and that has been
 * said; 'text' is as it was.
 */
bool run_bless_draft(const char *name, const char *path, GString *text, GString *changes);

#endif
