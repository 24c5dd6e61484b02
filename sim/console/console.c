/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lines of the console: their words, the table of verbs, help. See sim/console/console.h.
 */
#include "sim/console/console.h"

#include <errno.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/node.h"
#include "sim/topology/topology.h"

enum { FILE_DEPTH_MAX = 8 };

struct verb {
	const char *name;		/* one word or two; any case */
	const char *arguments;		/* for help */
	const char *summary;
	unsigned int min, max;		/* words after it */
	console_fn *run;
};

static console_fn run_attached, run_disconnect, run_help, run_quit, run_start;

/* ibsim's first, in its order and spelling. */
static const struct verb verbs[] = {
	{ "Start", "", "nothing: the fabric has started", 0, 1, run_start },
	{ "Dump", "[\"NODE\"]", "nodes and ports: GUIDs, LIDs, states, errors set", 0, 1,
	  console_dump },
	{ "Route", "FROM-LID TO-LID", "the way between two LIDs by the forwarding tables", 2, 2,
	  console_route },
	{ "Link", "\"NODE\"[PORT] \"NODE\"[PORT]", "lay a cable between two free ports", 2, 2,
	  console_link },
	{ "ReLink", "\"NODE\"[[PORT]]", "plug in again what Unlink pulled", 1, 1, console_relink },
	{ "Unlink", "\"NODE\"[[PORT]]", "pull the cable, or all of a node's", 1, 1,
	  console_unlink },
	{ "Clear", "\"NODE\"[[PORT]]", "pull the cable and reset the port, or all of a node's", 1,
	  1, console_clear_port },
	{ "Guid", "\"NODE\"[[PORT]] GUID", "change the GUID of a node or a port", 2, 2,
	  console_guid },
	{ "Error", "\"NODE\"[[PORT]] PERCENT [ATTRIBUTE]",
	  "lose that share of what arrives there; 0: none", 2, 3, console_error },
	{ "PerformanceSet", "\"NODE\"[PORT] ATTRIBUTE.FIELD=VALUE", "set a performance counter", 2,
	  2, console_performance_set },
	{ "Baselid", "\"NODE\"[PORT] LID [LMC]", "change the LID of an end port", 2, 3,
	  console_baselid },
	{ "Verbose", "[LEVEL]", "show or set the level: 1 traces to standard error, 0 is silent", 0,
	  1, console_verbose },
	{ "Wait", "SECONDS|TIME", "let the fabric run that long before the next line", 1, 1,
	  console_wait },
	{ "Attached", "", "list the clients of the server", 0, 0, run_attached },
	{ "X", "CLIENT", "disconnect a client: its process's handles are dead", 1, 1,
	  run_disconnect },
	{ "Help", "[VERB]", "this table; also ?", 0, 2, run_help },
	{ "?", NULL, NULL, 0, 2, run_help },
	{ "Quit", "", "end the server", 0, 0, run_quit },
	/* ours */
	{ "link down", "NODE[PORT]", "pull the cable, as Unlink", 1, 1, console_link_down },
	{ "link up", "NODE[PORT]", "plug it in again, as ReLink", 1, 1, console_link_up },
	{ "link error", "NODE[PORT] integrity|overrun|watchdog",
	  "count it there, and tell the SM: trap 129, 130, 131", 2, 2, console_link_error },
	{ "capability set", "NODE[PORT] BITS",
	  "what is served there; 0x80000: device management", 2, 2, console_capability_set },
	{ "capability clear", "NODE[PORT] BITS", "and no more; both tell the SM: trap 144", 2, 2,
	  console_capability_clear },
	{ "node off", "NODE", "the node loses its power: links fall, devices are gone", 1, 1,
	  console_node_off },
	{ "node on", "NODE", "it has power again, and is as after power-up", 1, 1,
	  console_node_on },
	{ "device remove", "DEVICE|NODE", "pull an adapter out of its host; node on brings it back",
	  1, 1, console_device_remove },
	{ "sm off", "", "nodes whose ports say IsSM lose their power", 0, 0, console_sm_off },
	{ "fault add", "RULE", "what goes wrong from now on: see FAULTS", 1, 1, console_fault_add },
	{ "fault list", "", "rules in force: packets that matched, and were acted on", 0, 0,
	  console_fault_list },
	{ "fault remove", "ID|RULE|all", "end a rule, or all", 1, 1, console_fault_remove },
	{ "counters", "NODE[PORT] [ATTRIBUTE]", "PortCounters of a port, or another attribute",
	  1, 2, console_counters },
	{ "capture start", "FILE", "write every packet to FILE from now on", 1, 1,
	  console_capture_start },
	{ "capture stop", "", "finish the file", 0, 0, console_capture_stop },
	{ "report", "", "what has a LID, is Active and is reached, counted; and what is amiss", 0,
	  0, console_report },
	{ "multicast", "MLID", "which members the multicast tables reach, and whether each once", 1,
	  1, console_multicast },
	{ "topology", "[ibnetdiscover|dot|json]", "write the fabric as it is now", 0, 1,
	  console_topology },
	{ "clients", "", "list them, as Attached", 0, 0, run_attached },
	{ "kill", "CLIENT", "disconnect one, as X", 1, 1, run_disconnect },
};

void console_clear(struct console *console)
{
	g_clear_pointer(&console->error, g_free);
}

/* ---- words ---- */

/* "a b"[3] is one word, with its quotes. '*line' moves past it; NULL: there is none. */
static char *next_word(const char **line)
{
	const char *start = *line + strspn(*line, " \t\r\n"), *end = start;
	bool quoted = false;

	for (; *end && (quoted || !g_ascii_isspace(*end)); end++)
		quoted ^= *end == '"';
	*line = end;
	return end == start ? NULL : g_strndup(start, (gsize)(end - start));
}

static void words_clear(struct console_words *words)
{
	for (unsigned int i = 0; i < words->count; i++)
		g_free(words->at[i]);
	words->count = 0;
}

/* ibsim's scripts have remarks after their commands. */
static int split(struct console *console, const char *line, struct console_words *ret_words)
{
	struct console_words words = { 0 };
	char *word;

	while ((word = next_word(&line))) {
		if (word[0] == '#') {
			g_free(word);
			break;
		}
		if (words.count == CONSOLE_WORDS_MAX) {
			g_free(word);
			words_clear(&words);
			return console_fail(console, -EINVAL,
					    "more than %u words; put names with blanks "
					    "in double quotes", CONSOLE_WORDS_MAX);
		}
		words.at[words.count++] = word;
	}
	*ret_words = words;
	return 0;
}

/* ---- finding verbs ---- */

/* How many words of the line are the verb's name: 1 or 2; 0: it is another verb. */
static unsigned int matches(const struct verb *verb, const struct console_words *words)
{
	g_auto(GStrv) name = g_strsplit(verb->name, " ", 2);
	unsigned int count = g_strv_length(name);

	if (words->count < count)
		return 0;
	for (unsigned int i = 0; i < count; i++) {
		if (g_ascii_strcasecmp(name[i], words->at[i]) != 0)
			return 0;
	}
	return count;
}

/* "Link up" is not Link with the argument "up": the longest name counts. */
static const struct verb *find(const struct console_words *words, unsigned int *ret_used)
{
	const struct verb *found = NULL;

	*ret_used = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(verbs); i++) {
		unsigned int used = matches(&verbs[i], words);

		if (used > *ret_used) {
			found = &verbs[i];
			*ret_used = used;
		}
	}
	return found;
}

/*
 * Suggests a verb: one of two words of which the second is missing, else one with a similar name.
 */
static int fail_unknown(struct console *console, const struct console_words *words)
{
	g_autoptr(GString) seconds = g_string_new(NULL);
	const char *names[G_N_ELEMENTS(verbs) + 1] = { NULL };
	g_autofree char *lower = g_ascii_strdown(words->at[0], -1);
	g_autoptr(GPtrArray) lowers = g_ptr_array_new_with_free_func(g_free);
	const char *closest;

	for (size_t i = 0; i < G_N_ELEMENTS(verbs); i++) {
		const char *blank = strchr(verbs[i].name, ' ');
		size_t length = blank ? (size_t)(blank - verbs[i].name) : strlen(verbs[i].name);

		if (blank && length == strlen(lower) &&
		    g_ascii_strncasecmp(verbs[i].name, lower, length) == 0)
			g_string_append_printf(seconds, "%s'%s'", seconds->len ? ", " : "",
					       verbs[i].name);
		g_ptr_array_add(lowers, g_ascii_strdown(verbs[i].name, (gssize)length));
		names[i] = lowers->pdata[i];
	}
	if (seconds->len)
		return console_fail(console, -EINVAL, "'%s' what? There is %s", words->at[0],
				    seconds->str);
	closest = mad_closest(lower, names);
	if (closest)
		return console_fail(console, -EINVAL, "there is no command '%s': did you mean "
				    "'%s'?", words->at[0], closest);
	return console_fail(console, -EINVAL, "there is no command '%s'; Help lists them",
			    words->at[0]);
}

/* ---- verbs without a file of their own ---- */

static void append_help(GString *out, const struct verb *verb)
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

	for (size_t i = 0; i < G_N_ELEMENTS(verbs); i++) {
		const struct verb *verb = &verbs[i];
		size_t length = words->count ? strlen(words->at[0]) : 0;

		if (!verb->summary || g_ascii_strncasecmp(verb->name, words->count ?
							  words->at[0] : "", length) != 0)
			continue;
		append_help(console->out, verb);
		told++;
	}
	if (!told)
		return fail_unknown(console, words);
	if (!words->count)
		g_string_append(console->out,
				"  !FILE                                  do the lines of a file\n"
				"  # ...                                  nothing: a comment\n");
	return 0;
}

static int run_start(struct console *console, const struct console_words *words)
{
	(void)words;
	g_string_append_printf(console->out, "# %s: started\n", console->fabric->name);
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
	console->server->list(console->server_ctx, console->out);
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
	g_autoptr(GError) error = NULL;

	if (!*name)
		return console_fail(console, -EINVAL, "which file? Write !FILE");
	if (console->server)
		return console_fail(console, -EPERM, "a fabric server reads no files; 'umadrig "
				    "ctl' reads them for it");
	if (console->depth >= FILE_DEPTH_MAX)
		return console_fail(console, -ELOOP, "files are run more than %d deep at "
				    "'%s'; does it run itself?", FILE_DEPTH_MAX, path);
	if (!g_file_get_contents(path, &text, NULL, &error))
		return console_fail(console, -ENOENT, "%s", error->message);
	return run_lines(console, path, text);
}

/* ---- lines ---- */

static int run_words(struct console *console, const struct console_words *words)
{
	struct console_words rest = { 0 };
	unsigned int used;
	const struct verb *verb = find(words, &used);

	if (!verb)
		return fail_unknown(console, words);
	while (used + rest.count < words->count) {
		rest.at[rest.count] = words->at[used + rest.count];
		rest.count++;
	}
	if (!console->fabric && verb->run != run_help)
		return console_fail(console, -EINVAL, "there is no fabric, only Help");
	if (rest.count < verb->min || rest.count > verb->max)
		return console_fail(console, -EINVAL, "expected: %s%s%s", verb->name,
				    verb->arguments && *verb->arguments ? " " : "",
				    verb->arguments ? verb->arguments : "");
	return verb->run(console, &rest);
}

int console_run(struct console *console, const char *line)
{
	struct console_words words;
	int ret;

	g_clear_pointer(&console->error, g_free);
	line += strspn(line, " \t\r\n");
	if (line[0] == '!') {
		g_autofree char *name = g_strstrip(g_strdup(line + 1));

		return run_file(console, name);
	}
	ret = split(console, line, &words);
	if (ret < 0 || words.count == 0)
		return ret;
	ret = run_words(console, &words);
	words_clear(&words);
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
