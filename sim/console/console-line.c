/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lines of the console: see sim/console/console-line.h.
 */
#include "sim/console/console-line.h"

#include <errno.h>
#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/fault-action.h"

const struct console_verb console_verbs[] = {
	{ "Start", "[PROGRAM [ARGUMENT...]]",
	  "start it in the session, in virtual time; alone: nothing", 0,
	  CONSOLE_WORDS_MAX, CONSOLE_DO_START },
	{ "Dump", "[\"NODE\"]", "nodes and ports: GUIDs, LIDs, states, errors set", 0, 1,
	  CONSOLE_DO_DUMP },
	{ "Route", "FROM TO", "the way between two LIDs, or ports, by the forwarding tables", 2, 2,
	  CONSOLE_DO_ROUTE },
	{ "Link", "\"NODE\"[PORT] \"NODE\"[PORT]", "lay a cable between two free ports", 2, 2,
	  CONSOLE_DO_LINK },
	{ "ReLink", "\"NODE\"[[PORT]]", "plug in again what Unlink pulled", 1, 1,
	  CONSOLE_DO_RELINK },
	{ "Unlink", "\"NODE\"[[PORT]]", "pull the cable, or all of a node's", 1, 1,
	  CONSOLE_DO_UNLINK },
	{ "Clear", "\"NODE\"[[PORT]]", "pull the cable and reset the port, or all of a node's", 1,
	  1, CONSOLE_DO_CLEAR_PORT },
	{ "Guid", "\"NODE\"[[PORT]] GUID", "change the GUID of a node or a port", 2, 2,
	  CONSOLE_DO_GUID },
	{ "Error", "\"NODE\"[[PORT]] PERCENT [ATTRIBUTE]",
	  "lose that share of what arrives there; 0: none", 2, 3, CONSOLE_DO_ERROR },
	{ "PerformanceSet", "\"NODE\"[PORT] ATTRIBUTE.FIELD=VALUE", "set a performance counter", 2,
	  2, CONSOLE_DO_PERFORMANCE_SET },
	{ "Baselid", "\"NODE\"[PORT] LID [LMC]", "change the LID of an end port", 2, 3,
	  CONSOLE_DO_BASELID },
	{ "Verbose", "[LEVEL]", "show or set the level: 1 traces to standard error, 0 is silent", 0,
	  1, CONSOLE_DO_VERBOSE },
	{ "Wait", "SECONDS|TIME", "let the fabric run that long before the next line", 1, 1,
	  CONSOLE_DO_WAIT },
	{ "Attached", "", "list the clients of the server", 0, 0, CONSOLE_DO_ATTACHED },
	{ "X", "CLIENT", "disconnect a client: its process's handles are dead", 1, 1,
	  CONSOLE_DO_DISCONNECT },
	{ "Help", "[VERB]", "this table; also ?", 0, 2, CONSOLE_DO_HELP },
	{ "?", NULL, NULL, 0, 2, CONSOLE_DO_HELP },
	{ "Quit", "", "end the server", 0, 0, CONSOLE_DO_QUIT },
	/* ours */
	{ "link down", "NODE[PORT]", "pull the cable, as Unlink", 1, 1, CONSOLE_DO_LINK_DOWN },
	{ "link up", "NODE[PORT]", "plug it in again, as ReLink", 1, 1, CONSOLE_DO_LINK_UP },
	{ "link flap", "NODE[PORT] down TIME every TIME [times N]",
	  "pull it for so long, and plug it in, again and again", 5, 7, CONSOLE_DO_LINK_FLAP },
	{ "link degrade", "NODE[PORT] [WIDTH] [SPEED] [ber=RATE]",
	  "fewer lanes (1x), slower (EDR), symbol errors (ber=1e-12)", 2, 4,
	  CONSOLE_DO_LINK_DEGRADE },
	{ "link restore", "NODE[PORT]", "the link is as good as before", 1, 1,
	  CONSOLE_DO_LINK_RESTORE },
	{ "link error", "NODE[PORT] integrity|overrun|watchdog",
	  "count it there, and tell the SM: trap 129, 130, 131", 2, 2, CONSOLE_DO_LINK_ERROR },
	{ "capability set", "NODE[PORT] BITS",
	  "what is served there; 0x80000: device management", 2, 2, CONSOLE_DO_CAPABILITY_SET },
	{ "capability clear", "NODE[PORT] BITS",
	  "clear capability bits; set and clear both send trap 144 to the SM", 2, 2,
	  CONSOLE_DO_CAPABILITY_CLEAR },
	{ "node off", "NODE", "the node loses its power: links fall, devices are gone", 1, 1,
	  CONSOLE_DO_NODE_OFF },
	{ "node on", "NODE", "it has power again, and is as after power-up", 1, 1,
	  CONSOLE_DO_NODE_ON },
	{ "node temperature", "NODE DEGREES",
	  "it is so hot, in degrees Celsius (45); from 105 on it warns", 2, 2,
	  CONSOLE_DO_NODE_TEMPERATURE },
	{ "device remove", "DEVICE|NODE", "pull an adapter out of its host; node on brings it back",
	  1, 1, CONSOLE_DO_DEVICE_REMOVE },
	{ "device fatal", "DEVICE|NODE",
	  "its firmware fails: its kernel says so, and the device is gone; node on brings it back",
	  1, 1, CONSOLE_DO_DEVICE_FATAL },
	{ "sm off", "", "nodes whose ports say IsSM lose their power", 0, 0, CONSOLE_DO_SM_OFF },
	{ "vf list", "[NODE]", "virtual functions: GUIDs, policies, states", 0, 1,
	  CONSOLE_DO_VF_LIST },
	{ "vf port", "NODE NUMBER GUID", "set the port GUID of a virtual function, from 0", 3, 3,
	  CONSOLE_DO_VF_PORT },
	{ "vf node", "NODE NUMBER GUID", "set its node GUID", 3, 3, CONSOLE_DO_VF_NODE },
	{ "vf count", "NODE COUNT", "how many are there, as by sriov_numvfs: 0 before others",
	  2, 2, CONSOLE_DO_VF_COUNT },
	{ "vf policy", "NODE NUMBER down|up|follow", "whether its port comes up, as the HCA's does",
	  3, 3, CONSOLE_DO_VF_POLICY },
	{ "sa", "[builtin|none]", "show who answers SA queries, or let the fabric answer them",
	  0, 1, CONSOLE_DO_SA },
	{ "fault add", "RULE", "what goes wrong from now on: see FAULTS", 1, CONSOLE_WORDS_MAX,
	  CONSOLE_DO_FAULT_ADD },
#define ROW(name, word, ...) \
	{ "fault " #word, "[WORD...]", "the same: the rule begins with the action", 0, \
	  CONSOLE_WORDS_MAX, CONSOLE_DO_FAULT_ACT },
	FAULT_ACTIONS(ROW)
#undef ROW
	{ "fault list", "", "rules in force: packets that matched, and were acted on", 0, 0,
	  CONSOLE_DO_FAULT_LIST },
	{ "fault remove", "ID|RULE|all", "end a rule, or all", 1, CONSOLE_WORDS_MAX,
	  CONSOLE_DO_FAULT_REMOVE },
	{ "load add", "FROM TO RATE [size=OCTETS]",
	  "a flow of so many bits per second, such as 100G, moves counters: see LOADS", 1, 4,
	  CONSOLE_DO_LOAD_ADD },
	{ "load list", "", "flows: what they carry, and which full link holds them back", 0, 0,
	  CONSOLE_DO_LOAD_LIST },
	{ "load remove", "ID|all", "end a load, or all", 1, 1, CONSOLE_DO_LOAD_REMOVE },
	{ "counter", "NODE[PORT] NAME +N/TIME|stop [for TIME]",
	  "the counter moves by itself: +10/s", 3, 5, CONSOLE_DO_COUNTER },
	{ "counters", "NODE[PORT] [ATTRIBUTE]", "PortCounters of a port, or another attribute",
	  1, 2, CONSOLE_DO_COUNTERS },
	{ "after", "TIME COMMAND...", "do a command when that time has passed", 2,
	  CONSOLE_WORDS_MAX, CONSOLE_DO_AFTER },
	{ "every", "TIME COMMAND...", "do it again and again, for the first time then", 2,
	  CONSOLE_WORDS_MAX, CONSOLE_DO_EVERY },
	{ "schedule list", "", "commands that are to come, and when", 0, 0,
	  CONSOLE_DO_SCHEDULE_LIST },
	{ "schedule remove", "ID|all", "cancel a scheduled command, or all of them", 1, 1,
	  CONSOLE_DO_SCHEDULE_REMOVE },
	{ "when", "EVENT... do COMMAND...",
	  "do a command when a MAD crosses a cable, or a condition is true", 3,
	  CONSOLE_WORDS_MAX, CONSOLE_DO_WHEN },
	{ "when list", "", "what is waited for, and how often it has happened", 0, 0,
	  CONSOLE_DO_WHEN_LIST },
	{ "when remove", "ID|all", "wait for it no more", 1, 1, CONSOLE_DO_WHEN_REMOVE },
	{ "signal", "PROGRAM NAME", "send a signal (KILL, TERM, HUP) to programs of that name", 2,
	  2, CONSOLE_DO_SIGNAL },
	{ "always", "CONDITION... [within TIME]",
	  "it must not be false for longer than that: all-active, \"report = PATTERN\"", 1,
	  CONSOLE_WORDS_MAX, CONSOLE_DO_ALWAYS },
	{ "never", "CONDITION... [within TIME]",
	  "it must not be true, or not for longer than that: log-has FILE PATTERN", 1,
	  CONSOLE_WORDS_MAX, CONSOLE_DO_NEVER },
	{ "sometimes", "CONDITION...", "see whether it is true at some time", 1,
	  CONSOLE_WORDS_MAX, CONSOLE_DO_SOMETIMES },
	{ "finally", "CONDITION... [within TIME]",
	  "it must be true that long after heal, or at the end", 1, CONSOLE_WORDS_MAX,
	  CONSOLE_DO_FINALLY },
	{ "property list", "", "what must hold, and whether it has", 0, 0,
	  CONSOLE_DO_PROPERTY_LIST },
	{ "property end", "", "this is the end: judge what must be true by then, and list all", 0,
	  0, CONSOLE_DO_PROPERTY_END },
	{ "property remove", "ID|all", "it need not hold any more", 1, 1,
	  CONSOLE_DO_PROPERTY_REMOVE },
	{ "heal", "", "end faults; power, cables and links are as they should be", 0, 0,
	  CONSOLE_DO_HEAL },
	{ "capture start", "FILE", "write every packet to FILE from now on", 1, 1,
	  CONSOLE_DO_CAPTURE_START },
	{ "capture stop", "", "finish the file", 0, 0, CONSOLE_DO_CAPTURE_STOP },
	{ "report", "", "count ports that have a LID, are Active and reachable; list problems", 0,
	  0, CONSOLE_DO_REPORT },
	{ "multicast", "MLID", "which members the multicast tables reach, and whether each once", 1,
	  1, CONSOLE_DO_MULTICAST },
	{ "topology", "[ibnetdiscover|dot|json]", "write the fabric as it is now", 0, 1,
	  CONSOLE_DO_TOPOLOGY },
	{ "tables", "", "forwarding tables, P_Keys and SM LIDs, as diff --fabric reads them", 0, 0,
	  CONSOLE_DO_TABLES },
	{ "json", "COMMAND...", "the answer of another command as JSON, as ctl --json", 1,
	  CONSOLE_WORDS_MAX, CONSOLE_DO_JSON },
	{ "clients", "", "list them, as Attached", 0, 0, CONSOLE_DO_ATTACHED },
	{ "kill", "CLIENT", "disconnect one, as X", 1, 1, CONSOLE_DO_DISCONNECT },
	{ NULL, NULL, NULL, 0, 0, CONSOLE_VERBS },
};

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

void console_words_clear(struct console_words *words)
{
	for (unsigned int i = 0; i < words->count; i++)
		g_free(words->at[i]);
	words->count = 0;
}

/* A command of start has as many words as whoever writes it likes. */
static char *too_many_words(const struct console_words *words)
{
	bool starts = false;

	for (unsigned int i = 0; i < words->count; i++)
		starts |= g_ascii_strcasecmp(words->at[i], "start") == 0;
	return g_strdup_printf("more than %u words; put names with blanks in double quotes%s",
			       CONSOLE_WORDS_MAX,
			       starts ? ", and what is to be started into a script" : "");
}

/* ibsim's scripts have remarks after their commands. */
int console_split(const char *line, struct console_words *ret_words, char **reterr)
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
			*reterr = too_many_words(&words);
			console_words_clear(&words);
			return -EINVAL;
		}
		words.at[words.count++] = word;
	}
	*ret_words = words;
	return 0;
}

char *console_unquote(const char *word)
{
	g_auto(GStrv) parts = g_strsplit(word, "\"", -1);

	return g_strjoinv("", parts);
}

/* ---- finding verbs ---- */

/* How many words of the line are the verb's name: 1 or 2; 0: it is another verb. */
static unsigned int matches(const struct console_verb *verb, const struct console_words *words)
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

/*
 * Suggests a verb: one of two words of which the second is missing, else one with a similar name.
 */
char *console_verb_unknown(const struct console_words *words)
{
	g_autoptr(GString) seconds = g_string_new(NULL);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *lower = g_ascii_strdown(words->at[0], -1);
	const char *closest;

	for (const struct console_verb *verb = console_verbs; verb->name; verb++) {
		const char *blank = strchr(verb->name, ' ');
		size_t length = blank ? (size_t)(blank - verb->name) : strlen(verb->name);

		if (blank && length == strlen(lower) &&
		    g_ascii_strncasecmp(verb->name, lower, length) == 0)
			g_string_append_printf(seconds, "%s'%s'", seconds->len ? ", " : "",
					       verb->name);
		g_ptr_array_add(names, g_ascii_strdown(verb->name, (gssize)length));
	}
	g_ptr_array_add(names, NULL);
	if (seconds->len)
		return g_strdup_printf("'%s' what? There is %s", words->at[0], seconds->str);
	closest = mad_closest(lower, (const char *const *)names->pdata);
	if (closest)
		return g_strdup_printf("there is no command '%s': did you mean '%s'?",
				       words->at[0], closest);
	return g_strdup_printf("there is no command '%s'; Help lists them", words->at[0]);
}

/* "Link up" is not Link with the argument "up": the longest name counts. */
const struct console_verb *console_verb_find(const struct console_words *words,
					     unsigned int *ret_used, char **reterr)
{
	const struct console_verb *found = NULL;
	unsigned int count;

	*ret_used = 0;
	for (const struct console_verb *verb = console_verbs; verb->name; verb++) {
		unsigned int used = matches(verb, words);

		if (used > *ret_used) {
			found = verb;
			*ret_used = used;
		}
	}
	if (!found) {
		*reterr = console_verb_unknown(words);
		return NULL;
	}
	count = words->count - *ret_used;
	if (count >= found->min && count <= found->max)
		return found;
	*reterr = g_strdup_printf("expected: %s%s%s", found->name,
				  found->arguments && *found->arguments ? " " : "",
				  found->arguments ? found->arguments : "");
	return NULL;
}
