/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Carries out lines of the console; help. See sim/console/console.h.
 */
#include "sim/console/console.h"

#include <errno.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "sim/console/console-json.h"
#include "sim/console/console-property.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/node.h"
#include "sim/topology/json-string.h"
#include "sim/topology/text-file.h"
#include "sim/topology/topology.h"

enum { FILE_DEPTH_MAX = 8 };

static console_fn run_attached, run_disconnect, run_help, run_json, run_quit;

static console_fn *const runs[CONSOLE_VERBS] = {
	[CONSOLE_DO_START] = console_start,
	[CONSOLE_DO_DUMP] = console_dump,
	[CONSOLE_DO_ROUTE] = console_route,
	[CONSOLE_DO_LINK] = console_link,
	[CONSOLE_DO_RELINK] = console_relink,
	[CONSOLE_DO_UNLINK] = console_unlink,
	[CONSOLE_DO_CLEAR_PORT] = console_clear_port,
	[CONSOLE_DO_GUID] = console_guid,
	[CONSOLE_DO_ERROR] = console_error,
	[CONSOLE_DO_PERFORMANCE_SET] = console_performance_set,
	[CONSOLE_DO_BASELID] = console_baselid,
	[CONSOLE_DO_VERBOSE] = console_verbose,
	[CONSOLE_DO_WAIT] = console_wait,
	[CONSOLE_DO_ATTACHED] = run_attached,
	[CONSOLE_DO_DISCONNECT] = run_disconnect,
	[CONSOLE_DO_HELP] = run_help,
	[CONSOLE_DO_QUIT] = run_quit,
	[CONSOLE_DO_LINK_DOWN] = console_link_down,
	[CONSOLE_DO_LINK_UP] = console_link_up,
	[CONSOLE_DO_LINK_FLAP] = console_link_flap,
	[CONSOLE_DO_LINK_DEGRADE] = console_link_degrade,
	[CONSOLE_DO_LINK_RESTORE] = console_link_restore,
	[CONSOLE_DO_LINK_ERROR] = console_link_error,
	[CONSOLE_DO_CAPABILITY_SET] = console_capability_set,
	[CONSOLE_DO_CAPABILITY_CLEAR] = console_capability_clear,
	[CONSOLE_DO_NODE_OFF] = console_node_off,
	[CONSOLE_DO_NODE_ON] = console_node_on,
	[CONSOLE_DO_NODE_TEMPERATURE] = console_node_temperature,
	[CONSOLE_DO_DEVICE_REMOVE] = console_device_remove,
	[CONSOLE_DO_DEVICE_FATAL] = console_device_fatal,
	[CONSOLE_DO_SM_OFF] = console_sm_off,
	[CONSOLE_DO_VF_COUNT] = console_vf_count,
	[CONSOLE_DO_VF_LIST] = console_vf_list,
	[CONSOLE_DO_VF_NODE] = console_vf_node,
	[CONSOLE_DO_VF_POLICY] = console_vf_policy,
	[CONSOLE_DO_VF_PORT] = console_vf_port,
	[CONSOLE_DO_SA] = console_sa,
	[CONSOLE_DO_FAULT_ADD] = console_fault_add,
	[CONSOLE_DO_FAULT_ACT] = console_fault_add,
	[CONSOLE_DO_FAULT_LIST] = console_fault_list,
	[CONSOLE_DO_FAULT_REMOVE] = console_fault_remove,
	[CONSOLE_DO_LOAD_ADD] = console_load_add,
	[CONSOLE_DO_LOAD_LIST] = console_load_list,
	[CONSOLE_DO_LOAD_REMOVE] = console_load_remove,
	[CONSOLE_DO_COUNTER] = console_counter,
	[CONSOLE_DO_COUNTERS] = console_counters,
	[CONSOLE_DO_AFTER] = console_after,
	[CONSOLE_DO_EVERY] = console_every,
	[CONSOLE_DO_SCHEDULE_LIST] = console_schedule_list,
	[CONSOLE_DO_SCHEDULE_REMOVE] = console_schedule_remove,
	[CONSOLE_DO_WHEN] = console_when,
	[CONSOLE_DO_WHEN_LIST] = console_when_list,
	[CONSOLE_DO_WHEN_REMOVE] = console_when_remove,
	[CONSOLE_DO_SIGNAL] = console_signal,
	[CONSOLE_DO_ALWAYS] = console_always,
	[CONSOLE_DO_NEVER] = console_never,
	[CONSOLE_DO_SOMETIMES] = console_sometimes,
	[CONSOLE_DO_FINALLY] = console_finally,
	[CONSOLE_DO_PROPERTY_LIST] = console_property_list,
	[CONSOLE_DO_PROPERTY_END] = console_property_end,
	[CONSOLE_DO_PROPERTY_REMOVE] = console_property_remove,
	[CONSOLE_DO_HEAL] = console_heal,
	[CONSOLE_DO_CAPTURE_START] = console_capture_start,
	[CONSOLE_DO_CAPTURE_STOP] = console_capture_stop,
	[CONSOLE_DO_REPORT] = console_report,
	[CONSOLE_DO_MULTICAST] = console_multicast,
	[CONSOLE_DO_TOPOLOGY] = console_topology,
	[CONSOLE_DO_TABLES] = console_tables,
	[CONSOLE_DO_JSON] = run_json,
};

void console_clear(struct console *console)
{
	g_clear_pointer(&console->error, g_free);
}

/* ---- verbs without a file of their own ---- */

/* The console's error is 'why', which it takes over. */
static int fail_with(struct console *console, char *why)
{
	g_free(console->error);
	console->error = why;
	return -EINVAL;
}

static void append_help_json(struct json_writer *json, const struct console_verb *verb)
{
	json_open(json, '{');
	json_string(json_name(json, "command"), verb->name);
	json_string(json_name(json, "arguments"), verb->arguments);
	json_string(json_name(json, "summary"), verb->summary);
	json_close(json, '}');
}

static void append_help(GString *out, const struct console_verb *verb)
{
	g_autofree char *left = g_strdup_printf("%s%s%s", verb->name, *verb->arguments ? " " : "",
						verb->arguments);

	g_string_append_printf(out, strlen(left) < 38 ? "  %-38s %s%s\n" : "  %s\n%41s%s\n", left,
			       strlen(left) < 38 ? verb->summary : "",
			       strlen(left) < 38 ? "" : verb->summary);
}

static int run_help(struct console *console, const struct console_words *words)
{
	unsigned int told = 0;

	if (console->json)
		json_open(console->json, '[');
	for (const struct console_verb *verb = console_verbs; verb->name; verb++) {
		size_t length = words->count ? strlen(words->at[0]) : 0;

		if (!verb->summary || g_ascii_strncasecmp(verb->name, words->count ?
							  words->at[0] : "", length) != 0)
			continue;
		if (console->json)
			append_help_json(console->json, verb);
		else
			append_help(console->out, verb);
		told++;
	}
	if (console->json)
		json_close(console->json, ']');
	if (!told)
		return fail_with(console, console_verb_unknown(words));
	if (!words->count)
		g_string_append(console->out,
				"  !FILE                                  do the lines of a file\n"
				"  # ...                                  nothing: a comment\n");
	return 0;
}

static int no_server(struct console *console)
{
	return console_fail(console, -EOPNOTSUPP, "this fabric has no server; 'umadrig serve' "
			    "starts one");
}

static int run_attached(struct console *console, const struct console_words *words)
{
	(void)words;
	if (!console->server)
		return no_server(console);
	console->server->list(console->server_ctx, console->out, console->json);
	return 0;
}

static int run_disconnect(struct console *console, const struct console_words *words)
{
	uint64_t number;
	int ret;

	if (!console->server)
		return no_server(console);
	ret = console_number(console, words->at[0], "the number of a client", UINT32_MAX, &number);
	if (ret < 0)
		return ret;
	ret = console->server->disconnect(console->server_ctx, number);
	return ret < 0 ? console_fail(console, ret, "there is no client %" G_GUINT64_FORMAT
				      "; Attached lists them", number) : 0;
}

static int run_quit(struct console *console, const struct console_words *words)
{
	(void)words;
	if (!console->server)
		return no_server(console);
	console->server->quit(console->server_ctx);
	return 0;
}

/* ---- files of lines ---- */

static int run_lines(struct console *console, const char *path, char *text)
{
	const char *before = console->file;
	unsigned int number = 0;
	int ret = 0;

	console->depth++;
	console->file = path;
	for (char *line = text, *next; line && ret == 0; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		number++;
		ret = console_run(console, line);
		if (ret < 0) {
			g_autofree char *why = g_steal_pointer(&console->error);

			console_fail(console, ret, "%s:%u: %s", path, number, why);
		}
	}
	console->file = before;
	console->depth--;
	return ret;
}

/* Runs a file; its name is relative to the file that names it, if any. */
static int run_file(struct console *console, const char *name)
{
	g_autofree char *directory = console->file ? g_path_get_dirname(console->file) :
						     g_strdup(".");
	g_autofree char *path = console->file && !g_path_is_absolute(name) ?
				g_build_filename(directory, name, NULL) : g_strdup(name);
	g_autofree char *text = NULL;
	gsize size;
	g_autoptr(GError) error = NULL;

	if (!*name)
		return console_fail(console, -EINVAL, "which file? Write !FILE");
	if (console->server)
		return console_fail(console, -EPERM, "a fabric server reads no files; 'umadrig "
				    "ctl' reads them for it");
	if (console->depth >= FILE_DEPTH_MAX)
		return console_fail(console, -ELOOP, "files are run more than %d deep at "
				    "'%s'; does it run itself?", FILE_DEPTH_MAX, path);
	if (!text_file_read(path, TEXT_FILE_MAX, &text, &size, &error))
		return console_fail(console, -ENOENT, "%s", error->message);
	return run_lines(console, path, text);
}

/* ---- lines ---- */

static int run_words(struct console *console, const struct console_words *words)
{
	struct console_words rest = { 0 };
	char *why = NULL;
	unsigned int used;
	const struct console_verb *verb = console_verb_find(words, &used, &why);

	if (!verb)
		return fail_with(console, why);
	/* The action is part of the rule. */
	if (verb->id == CONSOLE_DO_FAULT_ACT)
		used--;
	while (used + rest.count < words->count) {
		rest.at[rest.count] = words->at[used + rest.count];
		rest.count++;
	}
	if (!console->fabric && verb->id != CONSOLE_DO_HELP && verb->id != CONSOLE_DO_JSON)
		return console_fail(console, -EINVAL, "there is no fabric, only Help");
	return runs[verb->id](console, &rest);
}

/* "json COMMAND...": its answer in place of its output. */
static int run_json(struct console *console, const struct console_words *words)
{
	GString *out = console->out;
	g_autoptr(GString) answer = g_string_new(NULL);
	struct json_writer json;
	int ret;

	if (console->json)
		return console_fail(console, -EINVAL, "'json' is given twice");
	json_writer_to_string(&json, JSON_SPACED, answer);
	console->json = &json;
	console->out = g_string_new(NULL);
	ret = run_words(console, words);
	if (ret == 0) {
		answer_finish(&json, console->out->str);
		g_string_append_len(out, answer->str, (gssize)answer->len);
	}
	console->json = NULL;
	g_string_free(console->out, true);
	console->out = out;
	return ret;
}

static bool console_ask(struct umadrig_fabric *fabric, const char *line, GString *answer)
{
	struct console console = { .fabric = fabric, .out = answer };
	g_autofree char *why = NULL;
	bool is_good;

	if (!console_is_question(line, &why)) {
		g_string_append(answer, why);
		return false;
	}
	is_good = console_run(&console, line) == 0;
	if (!is_good)
		g_string_assign(answer, console.error);
	console_clear(&console);
	return is_good;
}

int console_run(struct console *console, const char *line)
{
	struct console_words words;
	char *why = NULL;
	int ret;

	console->run = console_run;
	console->ask = console_ask;
	g_clear_pointer(&console->error, g_free);
	line += strspn(line, " \t\r\n");
	if (line[0] == '!') {
		g_autofree char *name = g_strstrip(g_strdup(line + 1));

		return run_file(console, name);
	}
	if (console_split(line, &words, &why) < 0)
		return fail_with(console, why);
	if (words.count == 0)
		return 0;
	ret = run_words(console, &words);
	console_words_clear(&words);
	return ret;
}

void console_run_commands(struct umadrig_fabric *fabric, struct topology *topology)
{
	struct console console = { .fabric = fabric, .is_loading = true };

	if (topology->commands->len == 0 || fabric_enter(fabric) < 0)
		return;
	console.out = g_string_new(NULL);
	for (unsigned int i = 0; i < topology->commands->len; i++) {
		const struct topology_command *command =
			&g_array_index(topology->commands, struct topology_command, i);

		console.file = g_ptr_array_index(topology->files, command->file_number);
		if (console_run(&console, command->text) < 0)
			topology_tell(topology, TOPOLOGY_ERROR, command->file_number, command->line,
				      "do %s: %s; left out", command->text, console.error);
	}
	fabric_leave(fabric);
	console_clear(&console);
	g_string_free(console.out, true);
}
