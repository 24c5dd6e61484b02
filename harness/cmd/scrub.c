/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig scrub: a capture that may be shown to anybody.
 *
 *	umadrig scrub march.pcapng for-the-report.pcapng
 */
#include "config.h"

#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "sim/scrub/scrub.h"

enum { MESSAGE_SIZE = 512 };

static const char description[] =
	"GUIDs, GIDs, MAC and IP addresses, node descriptions, service names, M_Keys, SM_Keys and\n"
	"other keys, Q_Keys and P_Keys are replaced wherever they are: in headers, in fields, in\n"
	"records cut by RMPP, in vendors' data, in comments and in names of interfaces. Each has\n"
	"one alias everywhere. Values that every fabric has (fe80::/64, Q_Key 0x80010000, P_Key\n"
	"0xffff, ...) stay. Private data of CM and data of service records become zero. Frames\n"
	"that are no MADs, and MADs that were cut off, are dropped and counted.\n"
	"\n"
	"IN is pcap, pcapng or .erf, as it is or compressed by gzip or zstd; \"-\" is standard\n"
	"input. OUT has the same format, and is compressed if its name ends in .gz or .zst; \"-\"\n"
	"is standard output, and what was done is then printed on standard error. There is no\n"
	"OUT until it is whole.\n"
	"\n"
	"What stays: times, TIDs, QPs, LIDs without --lids, device and vendor IDs, counters,\n"
	"firmware versions, serial numbers in vendors' attributes, and text of comments that is\n"
	"neither a name nor a number of the capture. Look at the result before it is published.\n"
	"\n"
	"Exit status: 0; 1 if IN is damaged and what is before the damage was written; 2 if the\n"
	"command line is wrong or nothing was written.";

/* "12 GUIDs" and so on, those that there are. */
static void print_replaced(FILE *to, const struct scrub_report *report)
{
	static const char *const names[ALIAS_KINDS][2] = {
		[ALIAS_GUID] = { "GUID", "GUIDs" },
		[ALIAS_PREFIX] = { "GID prefix", "GID prefixes" },
		[ALIAS_GROUP] = { "multicast group", "multicast groups" },
		[ALIAS_KEY] = { "key", "keys" },
		[ALIAS_Q_KEY] = { "Q_Key", "Q_Keys" },
		[ALIAS_P_KEY] = { "P_Key", "P_Keys" },
		[ALIAS_IPV4] = { "IPv4 address", "IPv4 addresses" },
		[ALIAS_MAC] = { "MAC address", "MAC addresses" },
		[ALIAS_LID_GROUP] = { "group of 128 LIDs", "groups of 128 LIDs" },
	};
	const char *separator = "; replaced: ";

	for (size_t i = 0; i < ALIAS_KINDS; i++) {
		if (!report->replaced[i])
			continue;
		fprintf(to, "%s%zu %s", separator, report->replaced[i],
		       names[i][report->replaced[i] != 1]);
		separator = ", ";
	}
	if (report->names)
		fprintf(to, "%s%zu name%s", separator, report->names,
			report->names == 1 ? "" : "s");
	putc('\n', to);
}

/* A line for each kind of what did not go into the output. */
static void print_dropped(FILE *to, const char *file, const struct scrub_report *report)
{
	const struct {
		size_t count;
		const char *what;
	} rows[] = {
		{ report->dropped_other, "dropped: no MAD" },
		{ report->dropped_cut, "dropped: cut off; capture whole packets (tcpdump -s 0)" },
		{ report->dropped_broken, "dropped: unreadable" },
		{ report->dropped_blocks, "dropped: blocks of pcapng that are no packets" },
		{ report->blanked, "made zero: pieces of fields of which the capture lacks a "
				   "segment" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		if (rows[i].count)
			fprintf(to, "%s: %zu %s\n", file, rows[i].count, rows[i].what);
}

static int scrub(const char *name, char **files, const struct scrub_options *options)
{
	const bool to_stdout = strcmp(files[1], "-") == 0;
	FILE *to = to_stdout ? stderr : stdout;
	struct scrub_report report;
	char message[MESSAGE_SIZE];

	/* A limit of file sizes is an error like a full disk, and no end of the program. */
	signal(SIGXFSZ, SIG_IGN);
	if (scrub_file(files[0], files[1], options, &report, message, sizeof(message)) < 0)
		return command_error(name, COMMAND_USAGE, "%s", message);
	fprintf(to, "%s: %zu of %zu frames", to_stdout ? "standard output" : files[1],
		report.mads + report.others, report.frames);
	print_replaced(to, &report);
	print_dropped(to, files[0], &report);
	if (fflush(stdout) || ferror(stdout))
		return command_error(name, COMMAND_FAILED, "cannot write the output");
	if (!*report.why)
		return COMMAND_OK;
	return command_error(name, COMMAND_FAILED, "%s: after frame %zu the file is damaged or was "
			     "cut: %s; what is before was written", files[0], report.frames,
			     report.why);
}

int cmd_scrub(int argc, char **argv)
{
	g_autofree char *key = NULL;
	g_auto(GStrv) files = NULL;
	gboolean lids = false, keep_p_keys = false, keep_other = false;
	const GOptionEntry entries[] = {
		{ "key", 'k', 0, G_OPTION_ARG_STRING, &key,
		  "Make aliases from SECRET: the same in all captures that it is used for",
		  "SECRET" },
		{ "lids", 0, 0, G_OPTION_ARG_NONE, &lids, "Replace LIDs, too", NULL },
		{ "keep-pkeys", 0, 0, G_OPTION_ARG_NONE, &keep_p_keys, "Leave P_Keys alone", NULL },
		{ "keep-other", 0, 0, G_OPTION_ARG_NONE, &keep_other,
		  "Keep InfiniBand packets that are no MADs, with their headers only", NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
		{ NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new("IN OUT");
	g_autoptr(GError) error = NULL;
	struct scrub_options options;

	g_option_context_set_summary(context, "Writes a capture without the names of its site.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!command_parse(context, &argc, &argv, &error))
		return command_usage("umadrig scrub", "%s", error->message);
	if (!files)
		return command_usage("umadrig scrub", "no capture given");
	if (!files[1])
		return command_usage("umadrig scrub", "no output given: name it after the capture, "
				     "as in 'umadrig scrub %s OUT.pcapng'", files[0]);
	if (files[2])
		return command_usage("umadrig scrub", "unexpected argument '%s'", files[2]);
	if (key && !*key)
		return command_usage("umadrig scrub", "--key needs a secret");
	options = (struct scrub_options){
		.key = key,
		.lids = lids,
		.keep_p_keys = keep_p_keys,
		.keep_other = keep_other,
	};
	return scrub("umadrig scrub", files, &options);
}
