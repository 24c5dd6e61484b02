/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What umadrig explore has found, as JUnit XML: a suite with a case for each way in which runs have
 * failed; or one that has passed.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_JUNIT_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_JUNIT_H

#include "harness/explore/explore-report.h"

/*
 * Writes it to 'path', whole. 'cut_off': why not all runs were done, which is an error; or NULL.
 * False with an error.
 */
bool explore_junit_write(const struct explore_report *report, const char *path,
			 const char *cut_off, GError **error);

#endif
