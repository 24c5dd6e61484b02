/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig show: prints what is in a capture.
 */
#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/capture/filter.h"
#include "harness/cmd/commands.h"
#include "harness/show/columns.h"
#include "harness/show/conversations.h"
#include "harness/show/json-lines.h"
#include "harness/show/ladder.h"
#include "harness/show/ladder-plan.h"
#include "harness/show/lines.h"
#include "harness/show/mermaid.h"
#include "harness/show/perfetto.h"
#include "harness/show/svg.h"
#include "harness/show/why.h"
#include "sim/capture/stream.h"

enum { MESSAGE_SIZE = 512, USUAL_COLUMNS = 80 };

/* What a capture may be shown as, instead of lines: an option each. */
static const struct view_option {
	const char *name;
	char letter;		/* 0: it has none */
	const struct view_kind *kind;
	bool named;		/* ports are drawn: their names are learned first */
	bool planned;		/* and their places */
	bool unchecked;		/* wrong CRCs are not shown */
	const char *help;
} view_options[] = {
	{ "ladder", 'l', &ladder_view, true, true, true,
	  "Draw a ladder: a column per port, an arrow per MAD" },
	{ "svg", 0, &svg_view, true, true, true,
	  "Print the same as an SVG drawing" },
	{ "mermaid", 'm', &mermaid_view, true, false, true,
	  "Print a sequence diagram for Mermaid" },
	{ "fields", 'f', &columns_view, false, false, true,
	  "Print tab-separated numbers for programs, written as tshark writes them" },
	{ "json", 'j', &json_view, false, false, false,
	  "Print a JSON object for every MAD and RMPP message, each on one line" },
	{ "conversations", 'c', &conversations_view, false, false, false,
	  "Print requests with their answers, round trips, retries and losses" },
};

enum { VIEWS = G_N_ELEMENTS(view_options) };

struct show_options {
	gboolean verbose, why, segments, schema;
	gboolean views[VIEWS];	/* which of them are asked for */
	char *where, *ports, *perfetto;
	char **arguments;
	GPtrArray *files;	/* of const char *: of the arguments */
	struct filter *filter;	/* NULL: every MAD */
};

static GOptionContext *option_context(struct show_options *options)
{
	const GOptionEntry entries[] = {
		{ "verbose", 'v', 0, G_OPTION_ARG_NONE, &options->verbose,
		  "Print the fields of every MAD below it", NULL },
		{ "segments", 's', 0, G_OPTION_ARG_NONE, &options->segments,
		  "Print the segments of RMPP messages, too", NULL },
		{ "where", 'w', 0, G_OPTION_ARG_STRING, &options->where,
		  "Show the MADs that fit FILTER only", "FILTER" },
		{ "ports", 'p', 0, G_OPTION_ARG_STRING, &options->ports,
		  "Draw a ladder of these ports", "PORT,..." },
		{ "perfetto", 0, 0, G_OPTION_ARG_FILENAME, &options->perfetto,
		  "Write a trace that Perfetto opens", "FILE" },
		{ "why", 0, 0, G_OPTION_ARG_NONE, &options->why,
		  "List the frames that give no usable MAD instead, and why", NULL },
		{ "json-schema", 0, 0, G_OPTION_ARG_NONE, &options->schema,
		  "Print the JSON Schema of --json's lines", NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->arguments, NULL,
		  NULL },
		{ NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
	};
	GOptionEntry views[VIEWS + 1] = { 0 };
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
	for (size_t i = 0; i < VIEWS; i++)
		views[i] = (GOptionEntry){
			.long_name = view_options[i].name, .short_name = view_options[i].letter,
			.arg = G_OPTION_ARG_NONE, .arg_data = &options->views[i],
			.description = view_options[i].help,
		};
	g_option_context_add_main_entries(context, views, NULL);
	g_option_context_add_main_entries(context, entries, NULL);
	return context;
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
	struct view_setup *setup = &showing->view->setup;
	const struct capture_headers *headers = setup->headers;

	/* With --segments they have been counted as they came. */
	if (!setup->segments)
		showing->shown += message->segments + message->repeats + message->acks;
	setup->headers = message->headers;
	showing->view->kind->message(showing->view, message);
	/* The MAD that ended it may come next. */
	setup->headers = headers;
}

static void show_item(struct showing *showing, const struct capture_item *item)
{
	struct view_setup *setup = &showing->view->setup;

	if (item->kind == CAPTURE_ITEM_NOTE && showing->view->kind->note && !setup->filter)
		showing->view->kind->note(showing->view, item->note);
	if (item->kind != CAPTURE_ITEM_MAD)
		return;
	setup->headers = item->headers;
	if (setup->learns)
		mad_ends_learn(setup->ends, item->mad);
	if (showing->fold)
		rmpp_fold_take(showing->fold, item->mad, item->headers);
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

/* Reads a file once more than it is shown, for what has to be known before. */
static void read_first(const char *path, const struct view_setup *setup,
		       void (*take)(const struct view_setup *setup, const struct capture_mad *mad))
{
	char message[MESSAGE_SIZE];
	struct capture_stream *stream = capture_stream_open(path, 0, message, sizeof(message));
	struct capture_item item;

	while (stream && capture_stream_next(stream, &item)) {
		if (item.kind == CAPTURE_ITEM_MAD)
			take(setup, item.mad);
	}
	capture_stream_close(stream);
}

static void learn(const struct view_setup *setup, const struct capture_mad *mad)
{
	mad_ends_learn(setup->ends, mad);
}

static void plan(const struct view_setup *setup, const struct capture_mad *mad)
{
	mad_ends_learn(setup->ends, mad);
	if (!filter_keeps(setup->filter, setup->ends, mad))
		return;
	ladder_plan_take(setup->plan, setup->ends, mad);
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

/* COLUMNS, else the terminal's width. */
static size_t output_columns(void)
{
	const char *columns = g_getenv("COLUMNS");
	struct winsize size;
	guint64 number;

	if (columns && g_ascii_string_to_unsigned(columns, 10, 1, G_MAXUINT16, &number, NULL))
		return number;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return USUAL_COLUMNS;
}

/* What a ladder and other drawings have to know before they begin. Returns an exit status. */
static int prepare(const char *path, const struct show_options *options,
		   const struct view_option *option, struct view_setup *setup)
{
	bool again = g_file_test(path, G_FILE_TEST_IS_REGULAR);

	setup->learns = filter_names_ports(options->filter) || options->perfetto ||
			(option && option->named);
	if (setup->learns && again)
		read_first(path, setup, learn);
	if (!option || !option->planned)
		return COMMAND_OK;
	if (!again && !options->ports)
		return command_usage("umadrig show", "%s cannot be read twice, as a ladder needs "
				     "it: say which ports are drawn (--ports A,B), or give a file",
				     strcmp(path, "-") == 0 ? "standard input" : path);
	setup->columns = option->kind == &svg_view ? SVG_COLUMNS : output_columns();
	setup->plan = ladder_plan_new(options->ports);
	if (again)
		read_first(path, setup, plan);
	ladder_plan_end(setup->plan, setup->columns);
	return COMMAND_OK;
}

static const struct view_option *chosen_view(const struct show_options *options)
{
	for (size_t i = 0; i < VIEWS; i++) {
		if (options->views[i])
			return &view_options[i];
	}
	return NULL;
}

static int show_to(const char *path, const struct show_options *options, FILE *stream)
{
	const struct view_option *option = chosen_view(options);
	const struct view_kind *kind = options->perfetto ? &perfetto_view :
				       option ? option->kind : &lines_view;
	struct view_setup setup = {
		.stream = stream, .verbose = options->verbose, .filter = options->filter,
		.segments = options->segments, .ends = mad_ends_new(),
		.checks_crcs = !options->perfetto && !(option && option->unchecked),
	};
	int status = prepare(path, options, option, &setup);

	if (status == COMMAND_OK)
		status = show_stream(path, kind, &setup);
	ladder_plan_free(setup.plan);
	mad_ends_free(setup.ends);
	return status;
}

/* A trace is no text: it goes to a file of its own. */
static int show_trace(const char *path, const struct show_options *options)
{
	FILE *trace = fopen(options->perfetto, "wb");
	int status;
	bool failed;

	if (!trace)
		return command_error("umadrig show", COMMAND_FAILED, "cannot write %s: %s",
				     options->perfetto, g_strerror(errno));
	status = show_to(path, options, trace);
	failed = ferror(trace);
	if (fclose(trace) != 0 || failed)
		return command_error("umadrig show", COMMAND_FAILED, "cannot write %s: %s",
				     options->perfetto, g_strerror(errno));
	return status;
}

static int show_file(const char *path, const struct show_options *options)
{
	if (options->why)
		return show_unused(path);
	return options->perfetto ? show_trace(path, options) : show_to(path, options, stdout);
}

static int show_files(const struct show_options *options)
{
	int status = COMMAND_OK, one;

	for (guint i = 0; i < options->files->len; i++) {
		const char *file = options->files->pdata[i];

		if (options->files->len > 1)
			printf("%s# %s\n", i == 0 ? "" : "\n", file);
		one = show_file(file, options);
		status = MAX(status, one);
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
		"\"FILTERS\" in umadrig-formats(5) says what one may contain.\n", message);
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

/* What exclude each other: all ways to show a capture. Returns an exit status. */
static int check_options(const struct show_options *options)
{
	const struct view_option *option = chosen_view(options);
	unsigned int ways = options->verbose && !options->perfetto;

	for (size_t i = 0; i < VIEWS; i++)
		ways += options->views[i] != 0;
	ways += options->why + (options->perfetto != NULL);
	if (!options->arguments)
		return command_usage("umadrig show", "no capture given");
	if (ways > 1)
		return command_usage("umadrig show", "--ladder, --svg, --mermaid, --perfetto, "
				     "--verbose, --fields, --json, --conversations and --why "
				     "exclude each other");
	if (options->ports && !(option && option->planned))
		return command_usage("umadrig show", "--ports names the ports of a --ladder or "
				     "--svg");
	return COMMAND_OK;
}

/* Drawings that are a file have one capture. Returns an exit status. */
static int check_one_file(const struct show_options *options)
{
	const struct view_option *option = chosen_view(options);

	if (options->perfetto)
		return command_usage("umadrig show", "--perfetto takes one capture");
	if (option && option->kind == &svg_view)
		return command_usage("umadrig show", "--svg takes one capture");
	return COMMAND_OK;
}

int cmd_show(int argc, char **argv)
{
	struct show_options options = { .files = g_ptr_array_new() };
	g_autoptr(GOptionContext) context = option_context(&options);
	g_autoptr(GError) error = NULL;
	int status = COMMAND_OK;

	if (!command_parse(context, &argc, &argv, &error))
		status = command_usage("umadrig show", "%s", error->message);
	else if (options.schema)
		status = print_schema();
	else
		status = check_options(&options);
	if (status == COMMAND_OK && !options.schema)
		status = take_arguments(&options);
	if (status == COMMAND_OK && options.files->len > 1)
		status = check_one_file(&options);
	if (status == COMMAND_OK && !options.schema)
		status = show_files(&options);
	filter_free(options.filter);
	g_ptr_array_unref(options.files);
	g_strfreev(options.arguments);
	g_free(options.where);
	g_free(options.ports);
	g_free(options.perfetto);
	return status;
}
