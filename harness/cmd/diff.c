/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig diff: what differs between two captures, by conversation, or between two fabrics.
 *
 *	umadrig diff --ignoring tid march.pcapng today.pcapng
 *	umadrig diff --fabric march.pcapng today.net
 */
#include <glib.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/base/option-value.h"
#include "harness/capture/filter.h"
#include "harness/cmd/commands.h"
#include "harness/cmd/diff-options.h"
#include "harness/cmd/fabric-facts.h"
#include "harness/show/difference.h"
#include "harness/show/fabric-difference.h"
#include "sim/capture/stream.h"
#include "sim/diff/diff.h"
#include "sim/facts/facts-compare.h"

enum {
	MESSAGE_SIZE = 512,
	DETAILS_MAX = 100,
};

struct diff_command {
	const char *name;
	char **ignoring;
	char *order, *where, *times, *limit;
	gboolean json, fabric, sweep;
	char **files;
	struct filter *filter;
	struct diff_options options;
};

static const char description[] =
	"Requests belong together that ask the same of the same port; their order counts unless\n"
	"--order=any is given. Virtual lanes and packet sequence numbers are not compared, and\n"
	"times only with --times: those of requests since the first that both have, those of\n"
	"answers since their requests. FIELD is a field of the headers (tid, status, dlid, ...),\n"
	"of an attribute (LinkState, PortInfo.LinkState), bytes[24..27], retries or losses.\n"
	"\n"
	"With --fabric A and B are fabrics: captures or bundles that show them, dumps of\n"
	"ibnetdiscover and other topologies, sockets of umadrig serve. What both say of nodes,\n"
	"cables, widths, speeds, LIDs, routes, P_Keys, firmware and subnet managers is compared.\n"
	"\n"
	"Exit status: 0 when there is no difference, 1 when there is one, 2 when a capture or the\n"
	"command line cannot be used.";

static GOptionContext *option_context(struct diff_command *command)
{
	const GOptionEntry entries[] = {
		{ "fabric", 'f', 0, G_OPTION_ARG_NONE, &command->fabric,
		  "Compare the fabrics that A and B show, not their MADs", NULL },
		{ "ignoring", 'i', 0, G_OPTION_ARG_STRING_ARRAY, &command->ignoring,
		  "Do not compare these fields", "FIELD,..." },
		{ "sweep", 's', 0, G_OPTION_ARG_NONE, &command->sweep,
		  "As --ignoring=tid --order=any: what two runs of the same walk have in common",
		  NULL },
		{ "order", 'o', 0, G_OPTION_ARG_STRING, &command->order,
		  "Compare in the order of the requests (same, the default), or in any",
		  "any|same" },
		{ "times", 't', 0, G_OPTION_ARG_STRING, &command->times,
		  "Compare times, too, which may be so far apart (1ms, 50us, 0)", "TOLERANCE" },
		{ "where", 'w', 0, G_OPTION_ARG_STRING, &command->where,
		  "Compare conversations with a MAD that fits FILTER", "FILTER" },
		{ "limit", 'n', 0, G_OPTION_ARG_STRING, &command->limit,
		  "Print the first N differences (default: 100); all are counted", "N" },
		{ "json", 'j', 0, G_OPTION_ARG_NONE, &command->json,
		  "Print a line of JSON for each", NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &command->files, NULL,
		  NULL },
		G_OPTION_ENTRY_NULL,
	};
	GOptionContext *context = g_option_context_new("A B");

	g_option_context_set_summary(context, "Compares two captures, conversation by "
				     "conversation, or two fabrics.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	return context;
}

/* ---- captures ---- */

struct cursor {
	const char *name;		/* of the command, for messages */
	const char *path;
	struct capture_stream *stream;
	bool again;			/* its warnings have been printed */
};

static bool cursor_open(struct cursor *cursor)
{
	char message[MESSAGE_SIZE];

	cursor->stream = capture_stream_open(cursor->path, CAPTURE_CHECK_CRCS, message,
					     sizeof(message));
	if (!cursor->stream)
		command_error(cursor->name, COMMAND_USAGE, "%s", message);
	return cursor->stream != NULL;
}

static void print_warnings(struct cursor *cursor)
{
	const char *warning;

	while ((warning = capture_stream_warning(cursor->stream))) {
		if (!cursor->again)
			command_error(cursor->name, COMMAND_OK, "%s", warning);
	}
}

static const struct capture_mad *cursor_next(void *ctx)
{
	struct cursor *cursor = ctx;
	struct capture_item item = { .mad = NULL };
	bool more;

	do {
		more = capture_stream_next(cursor->stream, &item);
		print_warnings(cursor);
	} while (more && item.kind != CAPTURE_ITEM_MAD);
	return more ? item.mad : NULL;
}

static bool cursor_rewind(void *ctx)
{
	struct cursor *cursor = ctx;

	if (strcmp(cursor->path, "-") == 0) {
		command_error(cursor->name, COMMAND_USAGE, "standard input cannot be read twice, "
			      "as --order=any does to print what differs: name a file");
		return false;
	}
	capture_stream_close(cursor->stream);
	cursor->again = true;
	return cursor_open(cursor);
}

/* ---- the command line ---- */

/* --fabric compares no MADs: what says how to compare those has no place beside it. */
static bool is_of_mads(const struct diff_command *command)
{
	const char *option = command->ignoring ? "--ignoring" : command->sweep ? "--sweep" :
			     command->order ? "--order" :
			     command->times ? "--times" : command->where ? "--where" : NULL;

	if (!command->fabric || !option)
		return false;
	command_usage(command->name, "%s is about MADs, and --fabric compares fabrics: leave one "
		      "of them out", option);
	return true;
}

static bool take_options(struct diff_command *command)
{
	static char tid[] = "tid";
	char *const sweep_ignores[] = { command->sweep ? tid : NULL, NULL };
	struct diff_options *options = &command->options;
	uint64_t details_max = DETAILS_MAX;

	if (!command->files || !command->files[0] || !command->files[1] || command->files[2]) {
		command_usage(command->name, "two %s are expected",
			      command->fabric ? "fabrics" : "captures");
		return false;
	}
	if (is_of_mads(command))
		return false;
	if (command->order && strcmp(command->order, "any") != 0 &&
	    strcmp(command->order, "same") != 0) {
		command_usage(command->name, "--order is 'any' or 'same', not '%s'",
			      command->order);
		return false;
	}
	if (!option_number(command->name, "--limit", command->limit, 0, INT_MAX,
			   "a number from 0", &details_max) ||
	    !option_time(command->name, "--times", command->times, "a time such as 1ms, or 0",
			 &options->tolerance_ns))
		return false;
	options->times = command->times != NULL;
	options->any_order = command->sweep ||
			     (command->order && strcmp(command->order, "any") == 0);
	if (command->sweep && command->order) {
		command_usage(command->name, "--sweep has its order, any: leave out --order");
		return false;
	}
	if (options->times && options->any_order) {
		command_usage(command->name, "--times and %s exclude each other",
			      command->sweep ? "--sweep" : "--order=any");
		return false;
	}
	options->details_max = (size_t)details_max;
	if (!diff_options_ignoring(command->name, command->ignoring, &options->ignored) ||
	    !diff_options_ignoring(command->name, sweep_ignores, &options->ignored) ||
	    !diff_options_where(command->name, command->where, &command->filter))
		return false;
	if (command->filter) {
		options->keep = diff_options_keep;
		options->keep_ctx = command->filter;
	}
	return true;
}

static int compare(const struct diff_command *command)
{
	struct cursor a = { command->name, command->files[0], NULL, false };
	struct cursor b = { command->name, command->files[1], NULL, false };
	const struct diff_source a_source = { &a, cursor_next, cursor_rewind };
	const struct diff_source b_source = { &b, cursor_next, cursor_rewind };
	struct difference_text *text;
	struct diff_counts counts;
	int status = COMMAND_USAGE;
	bool is_sweep;

	if (cursor_open(&a) && cursor_open(&b)) {
		text = difference_text_new(command->files[0], command->files[1], command->json);
		if (diff_run(&command->options, &a_source, &b_source, difference_text_take, text,
			     &counts))
			status = diff_found(&counts) ? COMMAND_FAILED : COMMAND_OK;
		is_sweep = difference_text_is_of_sweep(text);
		difference_text_end(text, &counts, stdout);
		if (is_sweep && !command->json && !command->options.any_order)
			puts("\nMost of these are SMPs along routes, whose TIDs and order are each "
			     "run's own: --sweep does not\ncompare them, and --fabric compares "
			     "what they say");
		if (status == COMMAND_OK && counts.a + counts.b == 0)
			status = command_error(command->name, COMMAND_USAGE,
					       "nothing was compared: neither capture has a MAD%s",
					       command->filter ? " that fits --where" : "");
	}
	capture_stream_close(a.stream);
	capture_stream_close(b.stream);
	return command_finish_output(command->name, status);
}

static int compare_fabrics(const struct diff_command *command)
{
	const char *a_name = command->files[0], *b_name = command->files[1];
	size_t limit = command->options.details_max;
	struct fabric_facts *a = fabric_facts_open(command->name, a_name);
	struct fabric_facts *b = a ? fabric_facts_open(command->name, b_name) : NULL;
	struct facts_changes *changes = b ? facts_compare(a, b, limit) : NULL;
	int status = COMMAND_USAGE;

	if (changes) {
		(command->json ? fabric_difference_print_json : fabric_difference_print)(
			changes, a_name, b_name, limit, stdout);
		status = facts_changes_count(changes) ? COMMAND_FAILED : COMMAND_OK;
	}
	facts_changes_free(changes);
	fabric_facts_free(a);
	fabric_facts_free(b);
	return command_finish_output(command->name, status);
}

int cmd_diff(int argc, char **argv)
{
	struct diff_command command = { .name = NULL };
	g_autoptr(GOptionContext) context = option_context(&command);
	g_autoptr(GError) error = NULL;
	g_autofree char *name = g_strdup(argv[0]);
	int status = COMMAND_USAGE;

	command.name = name;
	if (!command_parse(context, &argc, &argv, &error))
		command_usage(name, "%s", error->message);
	else if (take_options(&command))
		status = command.fabric ? compare_fabrics(&command) : compare(&command);
	ignored_fields_clear(&command.options.ignored);
	filter_free(command.filter);
	g_strfreev(command.ignoring);
	g_strfreev(command.files);
	g_free(command.order);
	g_free(command.limit);
	g_free(command.where);
	g_free(command.times);
	return status;
}
