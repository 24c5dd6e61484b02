/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig show: prints what is in a capture.
 */
#include <glib.h>
#include <stdio.h>

#include "harness/base/command.h"
#include "harness/capture/filter.h"
#include "harness/cmd/commands.h"
#include "harness/show/conversations.h"
#include "harness/show/ladder.h"
#include "harness/show/show.h"
#include "harness/show/why.h"
#include "sim/capture/capture.h"

enum { MESSAGE_SIZE = 512 };

struct show_options {
	gboolean ladder, verbose, fields, conversations, why;
	char *where;
	char **arguments;
	GPtrArray *files;	/* of const char *: of the arguments */
	struct filter *filter;	/* NULL: every MAD */
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
		{ "where", 'w', 0, G_OPTION_ARG_STRING, &options->where,
		  "Show the MADs that fit FILTER only", "FILTER" },
		{ "conversations", 'c', 0, G_OPTION_ARG_NONE, &options->conversations,
		  "Print requests with their answers, round trips, retries and losses", NULL },
		{ "why", 0, 0, G_OPTION_ARG_NONE, &options->why,
		  "List the frames that give no usable MAD instead, and why", NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->arguments, NULL,
		  NULL },
		{ NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
	};
	GOptionContext *context = g_option_context_new("CAPTURE... [FILTER...]");

	g_option_context_set_summary(context, "Shows the MADs in a capture, one per line.");
	g_option_context_set_description(
		context,
		"CAPTURE is a pcap, pcapng or .erf file of native InfiniBand (link type 247, or\n"
		"ERF as ibdump and 'umadrig run --keep' write it) or RoCE, as it is or compressed\n"
		"by gzip or zstd; - is standard input. Frames without a MAD are only counted.\n"
		"\n"
		"FILTER says which MADs are meant, in the words of scenarios:\n"
		"  SubnGet(PortInfo) dlid=5 status!=0     a method and fields that all fit\n"
		"  SubnGetResp(PortInfo) LinkState=Down   a field of the attribute\n"
		"  1s~2s port=H1[1] or from=5 to=H2[1]    times, ports and alternatives\n");
	g_option_context_add_main_entries(context, entries, NULL);
	return context;
}

struct keep {
	const struct filter *filter;
	struct mad_ends *ends;
};

static bool keep_mad(void *ctx, const struct capture_mad *mad)
{
	const struct keep *keep = ctx;

	return filter_keeps(keep->filter, keep->ends, mad);
}

static void keep_filtered(struct capture *capture, const struct filter *filter)
{
	struct keep keep = { filter, mad_ends_new() };

	for (size_t i = 0; i < capture->mad_count; i++)
		mad_ends_learn(keep.ends, &capture->mads[i]);
	capture_filter(capture, keep_mad, &keep);
	capture->note_count = 0;
	mad_ends_free(keep.ends);
}

static void show_conversations(const struct capture *capture, FILE *stream)
{
	struct conversation_table *table = conversation_table_new(stream);

	for (size_t i = 0; i < capture->mad_count; i++)
		conversation_table_take(table, &capture->mads[i]);
	conversation_table_end(table);
}

static void flush(void *ctx)
{
	fflush(ctx);
}

static int show_unused(const char *path)
{
	char message[MESSAGE_SIZE];
	struct capture_stream *stream = capture_stream_open(
		path, CAPTURE_CHECK_CRCS | CAPTURE_EVERY_FRAME, message, sizeof(message));
	const char *warning;

	if (!stream)
		return command_error("umadrig show", COMMAND_FAILED, "%s", message);
	capture_stream_on_wait(stream, flush, stdout);
	show_why(stream, stdout);
	while ((warning = capture_stream_warning(stream)))
		command_error("umadrig show", COMMAND_OK, "%s", warning);
	capture_stream_close(stream);
	return COMMAND_OK;
}

static int show_file(const char *path, const struct show_options *options)
{
	char message[MESSAGE_SIZE];
	struct capture *capture = capture_read(path, message, sizeof(message));

	if (!capture)
		return command_error("umadrig show", COMMAND_FAILED, "%s", message);
	for (char **warning = capture->warnings; warning && *warning; warning++)
		command_error("umadrig show", COMMAND_OK, "%s", *warning);
	if (options->filter)
		keep_filtered(capture, options->filter);
	if (options->conversations)
		show_conversations(capture, stdout);
	else if (options->fields)
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

	for (guint i = 0; i < options->files->len; i++) {
		const char *file = options->files->pdata[i];

		if (options->files->len > 1)
			printf("%s# %s\n", i == 0 ? "" : "\n", file);
		if ((options->why ? show_unused(file) : show_file(file, options)) != COMMAND_OK)
			status = COMMAND_FAILED;
	}
	return command_finish_output("umadrig show", status);
}

/*
 * Divides the arguments into captures and filters: what is no file and looks like a filter is one.
 * The first argument is always a capture.
 */
static int take_arguments(struct show_options *options)
{
	GString *text = g_string_new(options->where ? options->where : "");
	char *message = NULL;

	for (char **argument = options->arguments; *argument; argument++) {
		if (argument == options->arguments || !filter_is_likely(*argument) ||
		    g_file_test(*argument, G_FILE_TEST_EXISTS))
			g_ptr_array_add(options->files, *argument);
		else
			g_string_append_printf(text, "%s%s", text->len ? " " : "", *argument);
	}
	if (text->len)
		options->filter = filter_parse(text->str, &message);
	g_string_free(text, true);
	if (!message)
		return COMMAND_OK;
	fprintf(stderr, "umadrig show: the filter cannot be used:\n%s"
		"\"FILTERS\" in umadrig(1) says what one may contain.\n", message);
	g_free(message);
	return COMMAND_USAGE;
}

int cmd_show(int argc, char **argv)
{
	struct show_options options = { .files = g_ptr_array_new() };
	g_autoptr(GOptionContext) context = option_context(&options);
	g_autoptr(GError) error = NULL;
	int status = COMMAND_OK;

	if (!g_option_context_parse(context, &argc, &argv, &error)) {
		status = command_usage("umadrig show", "%s", error->message);
	} else if (!options.arguments) {
		status = command_usage("umadrig show", "no capture given");
	} else if (options.ladder + options.verbose + options.fields + options.conversations +
		   options.why > 1) {
		status = command_usage("umadrig show", "--ladder, --verbose, --fields, "
				       "--conversations and --why exclude each other");
	} else {
		status = take_arguments(&options);
		if (status == COMMAND_OK)
			status = show_files(&options);
	}
	filter_free(options.filter);
	g_ptr_array_unref(options.files);
	g_strfreev(options.arguments);
	g_free(options.where);
	return status;
}
