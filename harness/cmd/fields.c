/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig fields: the MAD dictionary.
 *
 *	umadrig fields
 *	umadrig fields PortInfo
 *	umadrig fields --json >fields.json
 *	umadrig fields --wireshark >umadrig.lua
 */
#include <glib.h>
#include <stdio.h>

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/fields/fields.h"

struct fields_options {
	gboolean json, wireshark;
	char **names;
};

static GOptionContext *option_context(struct fields_options *options)
{
	const GOptionEntry entries[] = {
		{ "json", 'j', 0, G_OPTION_ARG_NONE, &options->json,
		  "Write JSON, as doc/fields-json.md describes it", NULL },
		{ "wireshark", 'w', 0, G_OPTION_ARG_NONE, &options->wireshark,
		  "Write a Lua dissector for Wireshark: what it does not show, or shows wrong",
		  NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->names, NULL,
		  NULL },
		{ NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
	};
	GOptionContext *context = g_option_context_new("[ATTRIBUTE|HEADER|CLASS]...");

	g_option_context_set_summary(
		context,
		"Shows what umadrig knows of MADs: classes, methods, attributes, and their fields\n"
		"with bit offset, width and the names of values.");
	g_option_context_set_description(
		context,
		"Without a name, classes and attributes are listed; with --json everything is\n"
		"written. An attribute is PortInfo or PathRecord, a header LRH or RMPP, a class\n"
		"SUBN_ADM or SubnAdm. Bits count from the first byte of the attribute, most\n"
		"significant first.\n"
		"\n"
		"Exit status: 0; 1 if the output could not be written; 2 if the command line is\n"
		"wrong.");
	g_option_context_add_main_entries(context, entries, NULL);
	return context;
}

static int write_fields(const struct fields_options *options)
{
	g_autoptr(GError) error = NULL;
	struct fields_selection *selection = fields_selection_new(options->names, &error);
	GString *out;

	if (!selection)
		return command_usage("umadrig fields", "%s", error->message);
	out = g_string_new(NULL);
	if (options->wireshark)
		fields_write_wireshark(out);
	else if (options->json)
		fields_write_json(selection, out);
	else
		fields_write_text(selection, out);
	fputs(out->str, stdout);
	g_string_free(out, true);
	fields_selection_free(selection);
	return command_finish_output("umadrig fields", COMMAND_OK);
}

int cmd_fields(int argc, char **argv)
{
	struct fields_options options = { false, false, NULL };
	g_autoptr(GOptionContext) context = option_context(&options);
	g_autoptr(GError) error = NULL;
	int status;

	if (!command_parse(context, &argc, &argv, &error))
		status = command_usage("umadrig fields", "%s", error->message);
	else if (options.wireshark && (options.json || options.names))
		status = command_usage("umadrig fields", "--wireshark is the whole dictionary: "
				       "neither --json nor names go with it");
	else
		status = write_fields(&options);
	g_strfreev(options.names);
	return status;
}
