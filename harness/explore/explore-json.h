/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What umadrig explore has found, as JSON; doc/explore-json.md describes it.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_JSON_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_JSON_H

#include "harness/explore/explore-report.h"

/*
 * Writes it to 'path', whole. 'cut_off': why not all runs were done; or NULL. 'status': the
 * command's exit status. False with an error.
 */
bool explore_json_write(const struct explore_report *report, const char *path, const char *cut_off,
			int status, GError **error);

#endif
