/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The console's verbs about what must hold: properties (sim/property/property.h), and heal, which
 * ends what goes wrong. See sim/console/console.h.
 */
#include "sim/console/console-property.h"

#include <errno.h>
#include <string.h>

#include "lib/words/duration.h"
#include "sim/console/console-json.h"
#include "sim/console/console-schedule.h"
#include "sim/fabric/cable.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/link.h"
#include "sim/fabric/motion.h"
#include "sim/fabric/node.h"
#include "sim/host/power.h"
#include "sim/property/property-condition.h"
#include "sim/property/property.h"

/* ---- conditions ---- */

/* Those that show something, and change nothing. */
static bool is_question(enum console_verb_id id)
{
	switch ((int)id) {
	case CONSOLE_DO_DUMP:
	case CONSOLE_DO_ROUTE:
	case CONSOLE_DO_FAULT_LIST:
	case CONSOLE_DO_LOAD_LIST:
	case CONSOLE_DO_VF_LIST:
	case CONSOLE_DO_COUNTERS:
	case CONSOLE_DO_SCHEDULE_LIST:
	case CONSOLE_DO_REPORT:
	case CONSOLE_DO_MULTICAST:
	case CONSOLE_DO_TOPOLOGY:
	case CONSOLE_DO_TABLES:
		return true;
	}
	return false;
}

bool console_is_question(const char *line, char **reterr)
{
	struct console_words words;
	const struct console_verb *verb;
	unsigned int used;

	if (console_split(line, &words, reterr) < 0)
		return false;
	verb = console_verb_find(&words, &used, reterr);
	console_words_clear(&words);
	if (!verb)
		return false;
	if (is_question(verb->id))
		return true;
	*reterr = g_strdup_printf("'%s' is no question to the fabric, such as report, Dump or "
				  "counters", verb->name);
	return false;
}

char *console_join_quoted(const struct console_words *words, unsigned int from, unsigned int end)
{
	GString *text = g_string_new(NULL);

	for (unsigned int i = from; i < end; i++)
		g_string_append_printf(text, "%s%s", i > from ? " " : "", words->at[i]);
	return g_string_free(text, false);
}

char *console_join(const struct console_words *words, unsigned int from, unsigned int end)
{
	g_autofree char *text = console_join_quoted(words, from, end);

	/* Of a command the quotes are the shell's. */
	return from < end && strcmp(words->at[from], condition_program_name) == 0 ?
	       g_steal_pointer(&text) : console_unquote(text);
}

int console_may_look(struct console *console)
{
	return console->is_guest ?
	       console_fail(console, -EPERM, "only the server's own user may say what must hold, "
			    "or what is done when: that reads files, and takes time") : 0;
}

/* "... within TIME" at the end of the words, which are then fewer; else -1. 0 or -EINVAL. */
static int take_within(struct console *console, const struct console_words *words,
		       unsigned int *end, int64_t *ret_ns)
{
	const char *word = words->at[words->count - 1];
	int err;

	*end = words->count;
	*ret_ns = -1;
	if (words->count < 3 || strcmp(words->at[words->count - 2], "within") != 0)
		return 0;
	err = duration_parse(word, ret_ns);
	if (err < 0)
		return console_expected(console, word,
					duration_expected(err, "a time, such as 60s"));
	*end = words->count - 2;
	return 0;
}

static int add(struct console *console, const struct console_words *words, enum property_kind kind)
{
	g_autofree char *condition = NULL, *why = NULL;
	struct property_order order = { .kind = kind, .ask = console->ask };
	unsigned int end = 0;
	int ret = console_may_look(console);

	if (ret == 0)
		ret = take_within(console, words, &end, &order.within_ns);
	if (ret < 0)
		return ret;
	condition = console_join(words, 0, end);
	order.condition = condition;
	ret = property_add(console->fabric, &order, &why);
	return ret < 0 ? console_fail(console, ret, "%s", why) : console_answer_id(console, ret);
}

int console_always(struct console *console, const struct console_words *words)
{
	return add(console, words, PROPERTY_ALWAYS);
}

int console_never(struct console *console, const struct console_words *words)
{
	return add(console, words, PROPERTY_NEVER);
}

int console_sometimes(struct console *console, const struct console_words *words)
{
	return add(console, words, PROPERTY_SOMETIMES);
}

int console_finally(struct console *console, const struct console_words *words)
{
	return add(console, words, PROPERTY_FINALLY);
}

/* ---- what became of them ---- */

static void list_json(struct json_writer *json, const struct property_report *report)
{
	json_open(json, '{');
	json_unsigned(json_name(json, "id"), (uint64_t)report->id);
	json_string(json_name(json, "kind"), property_kind_word(report->kind));
	json_string(json_name(json, "condition"), report->condition);
	json_unsigned(json_name(json, "within_ns"), (uint64_t)report->within_ns);
	json_string(json_name(json, "state"), property_state_word(report->state));
	if (report->state != PROPERTY_OPEN)
		json_unsigned(json_name(json, "at_ns"), (uint64_t)report->at_ns);
	if (report->why)
		json_string(json_name(json, "why"), report->why);
	json_close(json, '}');
}

static void list_line(GString *out, const struct property_report *report)
{
	g_string_append_printf(out, "%d\t%s %s", report->id, property_kind_word(report->kind),
			       report->condition);
	if (report->within_ns > 0)
		g_string_append_printf(out, " within %gs", (double)report->within_ns / NS_PER_S);
	g_string_append_printf(out, "\t%s", property_state_word(report->state));
	if (report->state != PROPERTY_OPEN)
		g_string_append_printf(out, " at %.3fs", (double)report->at_ns / NS_PER_S);
	g_string_append_printf(out, "%s%s\n", report->why ? "\t" : "",
			       report->why ? report->why : "");
}

int console_property_list(struct console *console, const struct console_words *words)
{
	struct property_report report;

	(void)words;
	if (console->json)
		json_open(console->json, '[');
	for (unsigned int i = 0; property_at(console->fabric, i, &report); i++) {
		if (console->json)
			list_json(console->json, &report);
		else
			list_line(console->out, &report);
	}
	if (console->json)
		json_close(console->json, ']');
	return 0;
}

int console_property_end(struct console *console, const struct console_words *words)
{
	property_end(console->fabric);
	return console_property_list(console, words);
}

int console_property_remove(struct console *console, const struct console_words *words)
{
	struct property_report report;
	uint64_t id;
	bool all;
	int ret = console_entry(console, words->at[0], "a property", &all, &id);

	if (ret < 0)
		return ret;
	while (all && property_at(console->fabric, 0, &report))
		property_remove(console->fabric, report.id);
	if (all || property_remove(console->fabric, (int)id) == 0)
		return 0;
	return console_no_entry(console, "property", words->at[0], "property list");
}

/* ---- healing ---- */

static void heal_node(struct node *node)
{
	node_power(node, true);
	for (unsigned int num = 1; num <= node->port_count; num++) {
		struct port *port = &node->ports[num];

		if (!port->peer)
			continue;
		cable_plug(port);
		if (port->widths_left || port->speed_left)
			link_restore(port);
		drift_stop(port, COUNTER_SYMBOL_ERRORS);
	}
}

/* Faults first: they hold packets back. What is done again and again would begin it anew. */
int console_heal(struct console *console, const struct console_words *words)
{
	struct umadrig_fabric *fabric = console->fabric;
	struct fault_count count;

	(void)words;
	while (fault_at(fabric, 0, &count))
		fault_remove(fabric, count.id);
	schedule_end_repeated(fabric);
	for (unsigned int i = 0; i < fabric->nodes->len; i++)
		heal_node(g_ptr_array_index(fabric->nodes, i));
	property_healed(fabric);
	return 0;
}
