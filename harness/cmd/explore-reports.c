/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/cmd/explore-reports.h. */
#include "harness/cmd/explore-reports.h"

#include <glib.h>

#include "harness/base/command.h"
#include "harness/base/whole-file.h"
#include "harness/explore/explore-html.h"
#include "harness/explore/explore-json.h"
#include "harness/explore/explore-junit.h"

void explore_reports_clear(struct explore_reports *reports)
{
	g_free(reports->json);
	g_free(reports->junit);
	g_free(reports->html);
	*reports = (struct explore_reports){ .json = NULL };
}

int explore_reports_check(const struct explore_reports *reports, const char *name)
{
	const struct { const char *option, *path; } files[] = {
		{ "--junit", reports->junit }, { "--json", reports->json },
		{ "--html", reports->html },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *why = files[i].path ? whole_file_refuse(files[i].path) : NULL;

		if (why)
			return command_error(name, COMMAND_USAGE, "%s: nothing was run: %s",
					     files[i].option, why);
	}
	return COMMAND_OK;
}

int explore_reports_write(const struct explore_reports *reports, const char *name,
			  const struct explore_report *report, const char *cut_off, int status)
{
	g_autoptr(GError) error = NULL;

	if (reports->json &&
	    !explore_json_write(report, reports->json, cut_off, status, &error))
		status = command_error(name, COMMAND_FAILED, "--json: %s", error->message);
	g_clear_error(&error);
	if (reports->junit && !explore_junit_write(report, reports->junit, cut_off, &error))
		status = command_error(name, COMMAND_FAILED, "--junit: %s", error->message);
	g_clear_error(&error);
	if (reports->html && !explore_html_write(report, reports->html, cut_off, &error))
		status = command_error(name, COMMAND_FAILED, "--html: %s", error->message);
	return status;
}
