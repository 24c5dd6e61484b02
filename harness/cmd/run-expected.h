/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The file of umadrig run --expected-failures: points that are known to fail, and why.
 *
 *	# Linux 6.1 sends the last segment twice.
 *	rmpp/lost.mad: the last ACK is lost [2 segments]  # rmpp-17
 *
 * A line has the name of a point, as TAP prints it, and behind '#' where the failure is tracked.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_EXPECTED_H
#define UMADRIG_HARNESS_CMD_RUN_EXPECTED_H

#include "harness/cmd/run-selection.h"

struct run_expected;

/*
 * Reads the text of a file called 'path', to be freed with run_expected_free(). NULL: an error in
 * '*reterr' (g_malloc'd), a line for each mistake.
 */
struct run_expected *run_expected_parse(const char *path, const char *text, gsize size,
					char **reterr);
/*
 * Where the failure of a point is tracked, and which line says so; NULL: nothing says that the
 * point, named as TAP prints it, fails.
 */
const char *run_expected_issue(const struct run_expected *expected, const char *name,
			       unsigned int *ret_line);
/* NULL is allowed. */
void run_expected_free(struct run_expected *expected);

/*
 * Reads the file that the options name and marks those points of the selection that it lists; they
 * refer to '*ret', which is to be freed after them. Returns -1, or COMMAND_USAGE after an error: a
 * line that cannot be understood, or names a point that a script in 'plans' does not have.
 */
int run_expected_mark(GArray *selection, const GPtrArray *plans,
		      const struct run_options *options, const char *name,
		      struct run_expected **ret);

#endif
