/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The files that umadrig explore writes for other programs and for browsers.
 */
#ifndef UMADRIG_HARNESS_CMD_EXPLORE_REPORTS_H
#define UMADRIG_HARNESS_CMD_EXPLORE_REPORTS_H

#include <stdbool.h>

struct explore_report;

/* Their names; each may be NULL. */
struct explore_reports {
	char *json, *junit, *html;
};

void explore_reports_clear(struct explore_reports *reports);

/*
 * A report that cannot be written is to be known before hours have passed: COMMAND_OK, or an exit
 * status. 'name': of the command, for messages.
 */
int explore_reports_check(const struct explore_reports *reports, const char *name);

/*
 * Writes them. 'cut_off': why not all was done, or NULL. An exit status: 'status', or that of an
 * error.
 */
int explore_reports_write(const struct explore_reports *reports, const char *name,
			  const struct explore_report *report, const char *cut_off, int status);

#endif
