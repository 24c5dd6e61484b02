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
#include "harness/show/history.h"
#include "harness/show/json-lines.h"
#include "harness/show/ladder.h"
#include "harness/show/lines.h"
#include "harness/show/look-ahead.h"
#include "harness/show/mermaid.h"
#include "harness/show/perfetto.h"
#include "harness/show/reading.h"
#include "harness/show/show-excerpt.h"
#include "harness/show/svg.h"
#include "lib/words/number.h"
#include "sim/dictionary/mad-dictionary.h"

enum { USUAL_COLUMNS = 80 };

/* What a capture may be shown as, instead of lines: an option each. */
static const struct view_option {
	const char *name;
	char letter;		/* 0: it has none */
	const struct view_kind *kind;
	const char *help;
} view_options[] = {
	{ "ladder", 'l', &ladder_view,
	  "Draw a ladder: a column per port, an arrow per MAD" },
	{ "svg", 0, &svg_view,
	  "Print the same as an SVG drawing" },
	{ "mermaid", 'm', &mermaid_view,
	  "Print a sequence diagram for Mermaid" },
	{ "fields", 'f', &columns_view,
	  "Print tab-separated numbers for programs, written as tshark writes them" },
	{ "json", 'j', &json_view,
	  "Print a JSON object for every MAD and RMPP message, each on one line" },
	{ "conversations", 'c', &conversations_view,
	  "Print requests with their answers, round trips, retries and losses" },
	{ "history", 0, &history_view,
	  "Print what has changed at each port and node, and who has set it" },
};

enum { VIEWS = G_N_ELEMENTS(view_options) };

struct show_options {
	gboolean verbose, why, segments, schema, with_answers;
	gboolean views[VIEWS];	/* which of them are asked for */
	char *where, *ports, *perfetto, *output, *time_word, *by_word;
	enum show_by by;
	enum show_time time;
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
		  "Draw a ladder, or print the history, of these ports", "PORT,..." },
		{ "perfetto", 0, 0, G_OPTION_ARG_FILENAME, &options->perfetto,
		  "Write a trace that Perfetto opens", "FILE" },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
		  "Write what fits the filter to FILE, a capture like CAPTURE", "FILE" },
		{ "with-answers", 0, 0, G_OPTION_ARG_NONE, &options->with_answers,
		  "With --output: and what belongs to it, from request to answer", NULL },
		{ "time", 't', 0, G_OPTION_ARG_STRING, &options->time_word,
		  "Print times since the capture began, since the line before, as dates, or in "
		  "seconds since 1970", SHOW_TIMES },
		{ "by", 0, 0, G_OPTION_ARG_STRING, &options->by_word,
		  "Count the conversations by this", SHOW_BYS },
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
		"  1s~2s port=H1[1] or from=5 to=H2       times, ports, nodes and alternatives\n"
		"  unanswered or trip>1ms or retry>0      what became of requests\n"
		"  changed port=0x2c90300001894           what shows a change, at a GUID\n"
		"\n"
		"Exit status: 0; 1 if a capture cannot be read, or the output cannot be\n"
		"written; 2 if the command line or the filter is wrong.");
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

/* COLUMNS, else the terminal's width. */
static size_t output_columns(void)
{
	const char *columns = g_getenv("COLUMNS");
	struct winsize size;
	uint64_t number;

	if (columns && number_parse_decimal(columns, 1, UINT16_MAX, &number) == 0)
		return number;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return USUAL_COLUMNS;
}

static const struct view_option *chosen_view(const struct show_options *options)
{
	for (size_t i = 0; i < VIEWS; i++) {
		if (options->views[i])
			return &view_options[i];
	}
	return NULL;
}

static void warn(const char *warning)
{
	command_error("umadrig show", COMMAND_OK, "%s", warning);
}

static bool write_excerpt(const char *path, const struct show_options *options, GError **error)
{
	g_autofree char *warning = NULL;
	size_t written;

	if (!g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
		g_set_error(error, COMMAND_ERROR, COMMAND_USAGE, "%s cannot be read more than "
			    "once, as --output needs it: give a file",
			    strcmp(path, "-") == 0 ? "standard input" : path);
		return false;
	}
	if (!show_excerpt(path, options->output, options->filter, options->with_answers, &written,
			  &warning, error))
		return false;
	if (warning)
		warn(warning);
	printf("%s: %zu frame%s of %s\n", options->output, written, written == 1 ? "" : "s", path);
	return true;
}

static int show_to(const char *path, const struct show_options *options, FILE *stream)
{
	const struct view_option *option = chosen_view(options);
	const struct view_kind *kind = options->perfetto ? &perfetto_view :
				       option ? option->kind : &lines_view;
	const struct reading reading = {
		.path = path, .kind = options->why ? NULL : kind, .stream = stream,
		.filter = options->filter, .ports = options->ports,
		.columns = kind == &svg_view ? SVG_COLUMNS : output_columns(),
		.verbose = options->verbose, .segments = options->segments,
		.time = options->time, .by = options->by, .warn = warn,
	};
	g_autoptr(GError) error = NULL;
	struct frame_traits *traits = NULL;
	const char *word = filter_looks_ahead(options->filter);
	bool ok = true;

	if (word) {
		traits = look_ahead(path, word, &error);
		filter_set_traits(options->filter, traits);
		ok = traits != NULL;
	}
	ok = ok && (options->output ? write_excerpt(path, options, &error) :
				      reading_show(&reading, &error));
	if (word)
		filter_set_traits(options->filter, NULL);
	frame_traits_free(traits);
	if (ok)
		return COMMAND_OK;
	return error->code == COMMAND_USAGE ? command_usage("umadrig show", "%s", error->message) :
	       command_error("umadrig show", error->code, "%s", error->message);
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

static int show_files(const struct show_options *options)
{
	int status = COMMAND_OK, one;

	for (guint i = 0; i < options->files->len; i++) {
		const char *file = options->files->pdata[i];

		if (options->files->len > 1)
			printf("%s# %s\n", i == 0 ? "" : "\n", file);
		one = options->perfetto ? show_trace(file, options) :
					  show_to(file, options, stdout);
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

/* A word that is neither a file nor a filter; an attribute alone is not one either. */
static int not_a_filter(const char *word)
{
	char method[MAD_NAME_SIZE];

	if (mad_method_with_attribute(word, method, sizeof(method)))
		return command_usage("umadrig show", "'%s' is neither a file nor a filter: write "
				     "'%s(%s)', or another method", word, method, word);
	return command_usage("umadrig show", "'%s' is neither a file nor a filter (\"FILTERS\" in "
			     "umadrig-formats(5)); nothing is shown", word);
}

/*
 * Before anything is printed: can they be read? A word that is no filter is among them. An exit
 * status.
 */
static int check_files(const struct show_options *options)
{
	for (guint i = 0; i < options->files->len; i++) {
		const char *file = options->files->pdata[i];

		if (strcmp(file, "-") == 0 || access(file, R_OK) == 0)
			continue;
		if (i == 0 || errno != ENOENT)
			return command_error("umadrig show", COMMAND_FAILED,
					     "%s: cannot be read: %s", file, g_strerror(errno));
		return not_a_filter(file);
	}
	return COMMAND_OK;
}

static int print_schema(void)
{
	struct json_writer schema;

	json_writer_init(&schema, JSON_ASCII, json_to_file, stdout);
	json_schema(&schema);
	json_finish(&schema);
	return command_finish_output("umadrig show", COMMAND_OK);
}

static bool is_there(const char *path)
{
	return path && g_file_test(path, G_FILE_TEST_EXISTS);
}

/* "--history Leaf[3] night.pcapng": what stands before the capture, and is no file, are ports. */
static void take_history_ports(struct show_options *options)
{
	const struct view_option *option = chosen_view(options);
	char **arguments = options->arguments;

	if (!option || option->kind != &history_view || options->ports || !arguments ||
	    is_there(arguments[0]) || !is_there(arguments[1]))
		return;
	options->ports = arguments[0];
	memmove(arguments, arguments + 1, g_strv_length(arguments) * sizeof(*arguments));
}

/* What exclude each other: all ways to show a capture. Returns an exit status. */
static int check_options(struct show_options *options)
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
				     "--verbose, --fields, --json, --conversations, --history "
				     "and --why exclude each other");
	if (options->time_word && !show_time_parse(options->time_word, &options->time))
		return command_bad_value("umadrig show", "--time", options->time_word,
					 "relative, delta, absolute or epoch");
	if (options->by_word && !show_by_parse(options->by_word, &options->by))
		return command_bad_value("umadrig show", "--by", options->by_word,
					 "attribute, class, requester or responder");
	if (options->output && (ways || options->segments || options->ports || options->time_word))
		return command_usage("umadrig show", "--output writes a capture, and shows none: "
				     "leave out how it is shown");
	if (options->with_answers && !options->output)
		return command_usage("umadrig show", "--with-answers goes with --output");
	if (options->by_word && !(option && option->kind == &conversations_view))
		return command_usage("umadrig show", "--by goes with --conversations");
	if (options->ports &&
	    !(option && (option->kind->planned || option->kind == &history_view)))
		return command_usage("umadrig show", "--ports names the ports of a --ladder, --svg "
				     "or --history");
	return COMMAND_OK;
}

/* Drawings that are a file have one capture. Returns an exit status. */
static int check_one_file(const struct show_options *options)
{
	const struct view_option *option = chosen_view(options);

	if (options->perfetto || options->output)
		return command_usage("umadrig show", "--%s takes one capture",
				     options->perfetto ? "perfetto" : "output");
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
	take_history_ports(&options);
	if (status == COMMAND_OK && !options.schema)
		status = check_options(&options);
	if (status == COMMAND_OK && !options.schema)
		status = take_arguments(&options);
	if (status == COMMAND_OK && options.files->len > 1)
		status = check_one_file(&options);
	if (status == COMMAND_OK && !options.schema)
		status = check_files(&options);
	if (status == COMMAND_OK && !options.schema)
		status = show_files(&options);
	filter_free(options.filter);
	g_ptr_array_unref(options.files);
	g_strfreev(options.arguments);
	g_free(options.where);
	g_free(options.ports);
	g_free(options.perfetto);
	g_free(options.output);
	g_free(options.time_word);
	g_free(options.by_word);
	return status;
}
