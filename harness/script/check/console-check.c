/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lines of the console, checked without a fabric: see harness/script/check/script-fabric.h.
 *
 * What the arguments of a command are is told by the words of its help: a port is "NODE"[PORT].
 */
#include "harness/script/check/script-fabric.h"

#include <string.h>

#include "sim/console/console-line.h"

/* The port or node that 'word' must be, by what help calls its argument; NULL: it may be. */
static char *check_argument(const struct script_fabric *fabric, const char *argument,
			    const char *word)
{
	g_autofree char *name = console_unquote(word);
	bool has_port = g_str_has_suffix(name, "]");

	if (!strstr(argument, "NODE") || strchr(argument, '|'))
		return NULL;
	if (has_port && strstr(argument, "[PORT]"))
		return script_fabric_no_port(fabric, name);
	/* "Dump" and others take a port where help names the node alone. */
	if (has_port)
		return NULL;
	return script_fabric_no_node(fabric, name);
}

/* The node or port that a rule acts at: the word behind from, to or on. */
static char *check_rule(const struct script_fabric *fabric, const struct console_words *words,
			unsigned int *ret_word)
{
	static const char *const ways[] = { "from", "to", "on", NULL };

	for (unsigned int i = *ret_word; i + 1 < words->count; i++) {
		g_autofree char *name = NULL;

		if (!g_strv_contains(ways, words->at[i]))
			continue;
		*ret_word = i + 1;
		name = console_unquote(words->at[i + 1]);
		return g_str_has_suffix(name, "]") ? script_fabric_no_port(fabric, name) :
		       script_fabric_no_node(fabric, name);
	}
	return NULL;
}

static char *check_words(const struct script_fabric *fabric, const struct console_words *words,
			 unsigned int *ret_word)
{
	g_auto(GStrv) arguments = NULL;
	unsigned int used;
	char *why = NULL;
	const struct console_verb *verb = console_verb_find(words, &used, &why);

	if (!verb)
		return why;
	*ret_word = used;
	if (verb->id == CONSOLE_DO_FAULT_ADD || verb->id == CONSOLE_DO_FAULT_ACT)
		return check_rule(fabric, words, ret_word);
	arguments = g_strsplit(verb->arguments ? verb->arguments : "", " ", -1);
	for (unsigned int i = 0; arguments[i] && used + i < words->count && !why; i++) {
		*ret_word = used + i;
		why = check_argument(fabric, arguments[i], words->at[used + i]);
	}
	return why;
}

char *script_console_objection(const struct script_fabric *fabric, const char *line,
			       unsigned int *ret_word)
{
	struct console_words words;
	char *why = NULL;

	*ret_word = 0;
	/* A file of lines may be anything. */
	if (line[0] == '!' || console_split(line, &words, &why) < 0)
		return why;
	if (words.count > 0)
		why = check_words(fabric, &words, ret_word);
	console_words_clear(&words);
	return why;
}
