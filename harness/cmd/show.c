/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig show: what is in a capture.
 */
#include <glib.h>
#include <stdio.h>

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/show/ladder.h"
#include "harness/show/show.h"
#include "sim/capture/capture.h"

enum { MESSAGE_SIZE = 512 };

struct show_options {
	gboolean ladder, verbose, fields;
	char **files;
};

static GOptionContext *option_context(struct show_options *options)
{
	const GOptionEntry entries[] = {
		{ "ladder", 'l', 0, G_OPTION_ARG_NONE, &options->ladder,
		  "Draw a ladder: a column per port, an arrow per MAD", NULL },
		{ "verbose", 'v', 0, G_OPTION_ARG_NONE, &options->verbose,
		  "Print the fields of every MAD below it", NULL },
		{ "fields", 'f', 0, G_OPTION_ARG_NONE, &options->fields,
		  "Print tab-separated numbers for programs, written as tshark writes them", NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->files, NULL,
		  NULL },
		{ NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
	};
	GOptionContext *context = g_option_context_new("CAPTURE...");

	g_option_context_set_summary(context, "Shows the MADs in a capture, one per line.");
	g_option_context_set_description(
		context,
		"CAPTURE is a pcap or pcapng file of native InfiniBand (link type 247, or ERF as\n"
		"ibdump and 'umadrig run --keep' write it) or RoCE. Frames without a MAD are only\n"
		"counted.\n");
	g_option_context_add_main_entries(context, entries, NULL);
	return context;
}

static int show_file(const char *path, const struct show_options *options)
{
	char message[MESSAGE_SIZE];
	struct capture *capture = capture_read(path, message, sizeof(message));

	if (!capture) {
		fprintf(stderr, "umadrig show: %s\n", message);
		return COMMAND_FAILED;
	}
	for (char **warning = capture->warnings; warning && *warning; warning++)
		fprintf(stderr, "umadrig show: %s\n", *warning);
	if (options->fields)
		show_fields(capture, stdout);
	else if (options->ladder)
		ladder_print(capture, stdout);
	else
		show_lines(capture, options->verbose, stdout);
	capture_free(capture);
	return COMMAND_OK;
}

static int show_files(const struct show_options *options)
{
	int status = COMMAND_OK;

	for (char **file = options->files; *file; file++) {
		if (options->files[1])
			printf("%s# %s\n", file == options->files ? "" : "\n", *file);
		if (show_file(*file, options) != COMMAND_OK)
			status = COMMAND_FAILED;
	}
	if (fflush(stdout) != 0 || ferror(stdout)) {
		perror("umadrig show: cannot write the output");
		status = COMMAND_FAILED;
	}
	return status;
}

int cmd_show(int argc, char **argv)
{
	struct show_options options = { false, false, false, NULL };
	g_autoptr(GOptionContext) context = option_context(&options);
	g_autoptr(GError) error = NULL;
	int status = COMMAND_OK;

	if (!g_option_context_parse(context, &argc, &argv, &error)) {
		status = command_usage("umadrig show", "%s", error->message);
	} else if (!options.files) {
		status = command_usage("umadrig show", "no capture given");
	} else if (options.ladder + options.verbose + options.fields > 1) {
		status = command_usage("umadrig show", "--ladder, --verbose and --fields exclude "
				       "each other");
	} else {
		status = show_files(&options);
	}
	g_strfreev(options.files);
	return status;
}
