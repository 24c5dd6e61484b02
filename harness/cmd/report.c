/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig report: what is in a capture, as a page for a browser.
 *
 *	umadrig report march.pcapng -o march.html
 */
#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/command.h"
#include "harness/base/missing-file.h"
#include "harness/base/whole-file.h"
#include "harness/cmd/commands.h"
#include "harness/record/bundle.h"
#include "harness/report/capture-report.h"

static int write_report(const char *name, const char *path, const char *output)
{
	g_autofree char *capture = bundle_capture(path);
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	struct stat st;

	if (strcmp(path, "-") != 0 && stat(capture, &st) < 0) {
		g_autofree char *why = file_missing(capture, errno);

		return command_error(name, COMMAND_USAGE, "%s", why);
	}
	if (strcmp(path, "-") == 0 || !S_ISREG(st.st_mode))
		return command_error(name, COMMAND_USAGE, "%s: a report reads a capture several "
				     "times: put it into a file", path);
	if (!capture_report(out, capture, &error) ||
	    !whole_file_write(output, out->str, out->len, 0666, &error))
		return command_error(name, COMMAND_FAILED, "%s", error->message);
	return COMMAND_OK;
}

int cmd_report(int argc, char **argv)
{
	g_autofree char *output = NULL, *why = NULL, *name = g_strdup(argv[0]);
	g_auto(GStrv) files = NULL;
	const GOptionEntry entries[] = {
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
		  "Write the page to FILE", "FILE" },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context = g_option_context_new("CAPTURE -o FILE");
	g_autoptr(GError) error = NULL;

	g_option_context_set_summary(context, "Writes what is in a capture as a page for a "
				     "browser.");
	g_option_context_set_description(
		context,
		"CAPTURE is a capture or a bundle of umadrig record. The page is one file, which\n"
		"needs no server, no other file and no script: a summary, the fabric, a ladder\n"
		"that unfolds, what has changed, what was lost and why, and all conversations. A\n"
		"click on a heading sorts those where the browser runs scripts.\n"
		"\n"
		"Exit status: 0; 1 if the capture cannot be read or the page not be written; 2 if\n"
		"the command line is wrong.");
	g_option_context_add_main_entries(context, entries, NULL);
	if (!command_parse(context, &argc, &argv, &error))
		return command_usage(name, "%s", error->message);
	if (!files || !files[0] || files[1])
		return command_usage(name, "one capture is expected");
	if (!output)
		return command_usage(name, "where to? -o FILE names the page");
	why = whole_file_refuse(output);
	if (why)
		return command_error(name, COMMAND_FAILED, "--output: %s", why);
	return write_report(name, files[0], output);
}
