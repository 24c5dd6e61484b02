/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig show: prints what is in a capture.
 */
#include <glib.h>
#include <stdio.h>

#include "harness/base/command.h"
#include "harness/capture/filter.h"
#include "harness/cmd/commands.h"
#include "harness/show/columns.h"
#include "harness/show/conversations.h"
#include "harness/show/json-lines.h"
#include "harness/show/ladder.h"
#include "harness/show/lines.h"
#include "harness/show/why.h"
#include "sim/capture/stream.h"

enum { MESSAGE_SIZE = 512 };

struct show_options {
	gboolean ladder, verbose, fields, conversations, why, segments, json, schema;
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
		{ "json", 'j', 0, G_OPTION_ARG_NONE, &options->json,
		  "Print a JSON object for every MAD and RMPP message, each on one line", NULL },
		{ "json-schema", 0, 0, G_OPTION_ARG_NONE, &options->schema,
		  "Print the JSON Schema of these lines", NULL },
		{ "segments", 's', 0, G_OPTION_ARG_NONE, &options->segments,
		  "Print the segments of RMPP messages, too", NULL },
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

static bool keep_mad(void *ctx, const struct capture_mad *mad)
{
	const struct view_setup *setup = ctx;

	return filter_keeps(setup->filter, setup->ends, mad);
}

/* A ladder needs all of a capture. */
static int show_ladder(const char *path, const struct view_setup *setup)
{
	char message[MESSAGE_SIZE];
	struct capture *capture = capture_read(path, message, sizeof(message));

	if (!capture)
		return command_error("umadrig show", COMMAND_FAILED, "%s", message);
	for (char **warning = capture->warnings; warning && *warning; warning++)
		command_error("umadrig show", COMMAND_OK, "%s", *warning);
	capture_filter(capture, keep_mad, (void *)(uintptr_t)setup);
	ladder_print(capture, stdout);
	capture_free(capture);
	return COMMAND_OK;
}

static void say_warnings(struct capture_stream *stream)
{
	const char *warning;

	while ((warning = capture_stream_warning(stream)))
		command_error("umadrig show", COMMAND_OK, "%s", warning);
}

/* Nothing is there to be read at present: what has been read is to be seen. */
static void flush_view(void *ctx)
{
	struct view *view = ctx;

	if (view->kind->idle)
		view->kind->idle(view);
	fflush(view->setup.stream);
}

/* A view, and what goes into it. */
struct showing {
	struct view *view;
	struct rmpp_fold *fold;		/* NULL: MADs are shown one by one */
	uint64_t shown;
};

static void show_mad(void *ctx, const struct capture_mad *mad)
{
	struct showing *showing = ctx;

	showing->shown++;
	showing->view->kind->mad(showing->view, mad);
}

static void show_message(void *ctx, const struct rmpp_message *message)
{
	struct showing *showing = ctx;

	/* With --segments they have been counted as they came. */
	if (!showing->view->setup.segments)
		showing->shown += message->segments + message->repeats + message->acks;
	showing->view->kind->message(showing->view, message);
}

static void show_item(struct showing *showing, const struct capture_item *item)
{
	const struct view_setup *setup = &showing->view->setup;

	if (item->kind == CAPTURE_ITEM_NOTE && showing->view->kind->note && !setup->filter)
		showing->view->kind->note(showing->view, item->note);
	if (item->kind != CAPTURE_ITEM_MAD)
		return;
	if (setup->learns)
		mad_ends_learn(setup->ends, item->mad);
	if (showing->fold)
		rmpp_fold_take(showing->fold, item->mad);
	else if (filter_keeps(setup->filter, setup->ends, item->mad))
		show_mad(showing, item->mad);
}

static void show_items(struct view *view, struct capture_stream *stream)
{
	const struct view_setup *setup = &view->setup;
	struct showing showing = { .view = view };
	const struct rmpp_fold_out out = { &showing, show_mad, show_message };
	struct capture_item item;

	if (view->kind->message)
		showing.fold = rmpp_fold_new(&out, setup->filter, setup->ends, setup->segments);
	/* A full disk or a closed pipe ends it: nobody gets to see the rest. */
	while (!ferror(setup->stream) && capture_stream_next(stream, &item)) {
		say_warnings(stream);
		show_item(&showing, &item);
	}
	if (showing.fold)
		rmpp_fold_end(showing.fold);
	say_warnings(stream);
	view->kind->end(view, capture_stream_counts(stream), showing.shown);
}

/* Ports are learned before they are asked for, where the file can be read a second time. */
static void learn_ends(struct mad_ends *ends, const char *path)
{
	char message[MESSAGE_SIZE];
	struct capture_stream *stream;
	struct capture_item item;

	if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
		return;
	stream = capture_stream_open(path, 0, message, sizeof(message));
	while (stream && capture_stream_next(stream, &item)) {
		if (item.kind == CAPTURE_ITEM_MAD)
			mad_ends_learn(ends, item.mad);
	}
	capture_stream_close(stream);
}

static int show_stream(const char *path, const struct view_kind *kind,
		       const struct view_setup *setup)
{
	char message[MESSAGE_SIZE];
	struct capture_stream *stream = capture_stream_open(
		path, setup->checks_crcs ? CAPTURE_CHECK_CRCS : 0, message, sizeof(message));
	struct view *view;

	if (!stream)
		return command_error("umadrig show", COMMAND_FAILED, "%s", message);
	view = view_new(kind, setup);
	capture_stream_on_wait(stream, flush_view, view);
	show_items(view, stream);
	capture_stream_close(stream);
	return COMMAND_OK;
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

	if (!stream)
		return command_error("umadrig show", COMMAND_FAILED, "%s", message);
	capture_stream_on_wait(stream, flush, stdout);
	show_why(stream, stdout);
	say_warnings(stream);
	capture_stream_close(stream);
	return COMMAND_OK;
}

static int show_file(const char *path, const struct show_options *options)
{
	const struct view_kind *kind = options->conversations ? &conversations_view :
				       options->json ? &json_view :
				       options->fields ? &columns_view : &lines_view;
	struct view_setup setup = {
		.stream = stdout, .verbose = options->verbose, .filter = options->filter,
		.segments = options->segments,
		.ends = mad_ends_new(), .learns = filter_names_ports(options->filter),
		.checks_crcs = !options->fields,
	};
	int status;

	if (setup.learns)
		learn_ends(setup.ends, path);
	status = options->ladder ? show_ladder(path, &setup) : show_stream(path, kind, &setup);
	mad_ends_free(setup.ends);
	return status;
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

static int print_schema(void)
{
	struct text schema = { NULL, 0, 0 };

	json_schema(&schema);
	text_write(&schema, stdout);
	text_clear(&schema);
	return command_finish_output("umadrig show", COMMAND_OK);
}

int cmd_show(int argc, char **argv)
{
	struct show_options options = { .files = g_ptr_array_new() };
	g_autoptr(GOptionContext) context = option_context(&options);
	g_autoptr(GError) error = NULL;
	int status = COMMAND_OK;

	if (!g_option_context_parse(context, &argc, &argv, &error)) {
		status = command_usage("umadrig show", "%s", error->message);
	} else if (options.schema) {
		status = print_schema();
	} else if (!options.arguments) {
		status = command_usage("umadrig show", "no capture given");
	} else if (options.ladder + options.verbose + options.fields + options.conversations +
		   options.why + options.json > 1) {
		status = command_usage("umadrig show", "--ladder, --verbose, --fields, --json, "
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
