/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What umadrig explore has found, as a page for people (harness/report/html-page.h).
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_HTML_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_HTML_H

#include "harness/explore/explore-report.h"

/* As explore_json_write(). */
bool explore_html_write(const struct explore_report *report, const char *path, const char *cut_off,
			GError **error);

#endif
