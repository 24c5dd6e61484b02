/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The console's verbs that change faults, addresses, counters and captures. See
 * sim/console/console.h.
 */
#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "lib/words/duration.h"
#include "lib/words/number.h"
#include "sim/console/console-counters.h"
#include "sim/console/console.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/node-change.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/record.h"
#include "sim/fabric/route.h"
#include "sim/host/kernel.h"
#include "sim/time/clock.h"

enum { ERROR_SIZE = 512 };

/* ---- faults ---- */

/* The rule's id by its id or name; 0: there is none. */
static int find_rule(const struct umadrig_fabric *fabric, const char *word)
{
	struct fault_count count;
	char id[16];

	for (unsigned int i = 0; fault_at(fabric, i, &count); i++) {
		g_snprintf(id, sizeof(id), "%d", count.id);
		if (strcmp(word, id) == 0 || strcmp(word, count.name) == 0)
			return count.id;
	}
	return 0;
}

/*
 * The rule that the words are: a whole rule in quotes, or several words, some of which may be in
 * quotes.
 */
static char *join_rule(const struct console_words *words)
{
	GString *rule;

	if (words->count == 1)
		return console_unquote(words->at[0]);
	rule = g_string_new(words->at[0]);
	for (unsigned int i = 1; i < words->count; i++)
		g_string_append_printf(rule, " %s", words->at[i]);
	return g_string_free(rule, false);
}

int console_fault_add(struct console *console, const struct console_words *words)
{
	g_autofree char *rule = join_rule(words);
	char why[ERROR_SIZE];
	int id = fault_add_text(console->fabric, rule, why, sizeof(why));

	if (id < 0)
		return console_fail(console, id, "%s", why);
	return console_answer_id(console, id);
}

int console_fault_remove(struct console *console, const struct console_words *words)
{
	g_autofree char *name = NULL;
	struct fault_count count;
	int id;

	if (g_ascii_strcasecmp(words->at[0], "all") == 0) {
		while (fault_at(console->fabric, 0, &count))
			fault_remove(console->fabric, count.id);
		return 0;
	}
	name = join_rule(words);
	id = find_rule(console->fabric, name);
	if (!id)
		return console_fail(console, -ENOENT, "there is no rule '%s'; 'fault list' has "
				    "them", words->at[0]);
	return fault_remove(console->fabric, id);
}

/* ibsim's Error: one rule for each place; a new one replaces the last. */
static char *error_name(const struct console_place *place)
{
	return place->port ? g_strdup_printf("Error %s[%u]", place->node->id, place->port->num) :
			     g_strdup_printf("Error %s", place->node->id);
}

int console_error(struct console *console, const struct console_words *words)
{
	struct umadrig_fault fault = { .act = UMADRIG_FAULT_DROP, .way = UMADRIG_FAULT_ARRIVING,
				       .denominator = 100 };
	struct console_place place;
	uint64_t percent, attribute = 0;
	g_autofree char *name = NULL;
	char why[ERROR_SIZE];
	int ret = console_place(console, words->at[0], &place);

	if (ret == 0)
		ret = console_number(console, words->at[1], "a rate in percent", 100, &percent);
	if (ret == 0 && words->count > 2)
		ret = console_number(console, words->at[2], "an attribute's number, such as 17",
				     UINT16_MAX, &attribute);
	if (ret < 0)
		return ret;
	name = error_name(&place);
	fault.name = name;
	fault.node = place.node->id;
	fault.port = place.port ? place.port->num : 0;
	fault.numerator = (uint32_t)percent;
	fault.attribute = (uint16_t)attribute;
	if (percent) {
		/* The new one first: if it is refused, the old one stays. */
		int before = find_rule(console->fabric, name);

		ret = fault_add(console->fabric, &fault, why, sizeof(why));
		if (ret < 0)
			return console_fail(console, ret, "%s", why);
		if (before)
			fault_remove(console->fabric, before);
		return 0;
	}
	ret = find_rule(console->fabric, name);
	if (ret)
		fault_remove(console->fabric, ret);
	return 0;
}

/* ---- addresses ---- */

int console_guid(struct console *console, const struct console_words *words)
{
	struct console_place place;
	struct end_port *end;
	uint64_t guid;
	int ret = console_place(console, words->at[0], &place);

	if (ret < 0)
		return ret;
	/* As in ibsim and in every dump: hexadecimal, with 0x or without. */
	if (number_parse_hex(words->at[1], 1, UINT64_MAX, &guid) < 0)
		return console_expected(console, words->at[1], "a GUID, up to 16 hexadecimal "
					"digits and not 0");
	node_changed(place.node);
	if (!place.port) {
		place.node->node_guid = guid;
		place.port = place.node->sw ? &place.node->ports[0] : NULL;
	}
	if (!place.port)
		return 0;
	end = place.port->end;
	if (!end)
		return console_fail(console, -EINVAL, "a switch's ports have the node's GUID: "
				    "Guid \"%s\" changes that", place.node->id);
	end = port_speaker(place.port);
	end->guid = guid;
	put_be64(end->gids[0] + 8, guid);
	return 0;
}

int console_baselid(struct console *console, const struct console_words *words)
{
	uint64_t lid, lmc = 0;
	struct port *port;
	int ret = console_port(console, words->at[0], &port);

	if (ret == 0 && !port->end)
		ret = console_fail(console, -EINVAL, "a switch's LID is its port 0's: Baselid "
				   "\"%s\"[0]", port->node->id);
	if (ret == 0)
		ret = console_number(console, words->at[1], "a LID (0: none)", LID_UNICAST_MAX,
				     &lid);
	if (ret == 0 && words->count > 2)
		ret = console_number(console, words->at[2], "an LMC", 7, &lmc);
	if (ret < 0)
		return ret;
	if (lid & ((UINT64_C(1) << lmc) - 1))
		return console_fail(console, -EINVAL, "LID %" G_GUINT64_FORMAT " is not a multiple "
				    "of %u, as LMC %" G_GUINT64_FORMAT " requires", lid, 1U << lmc,
				    lmc);
	end_port_set_lid(port->end, (uint16_t)lid, (uint8_t)lmc);
	route_forget(console->fabric);
	return 0;
}

static int set_capability(struct console *console, const struct console_words *words, bool set)
{
	struct port *port;
	uint64_t bits;
	int ret = console_port(console, words->at[0], &port);

	if (ret == 0 && !port->end)
		ret = console_fail(console, -EINVAL, "only port 0 of a switch has a capability "
				   "mask: \"%s\"[0]", port->node->id);
	if (ret == 0)
		ret = console_number(console, words->at[1], "the bits", UINT32_MAX, &bits);
	if (ret < 0)
		return ret;
	if (bits & ~(uint64_t)CAP_SERVED)
		return console_fail(console, -EINVAL, "'%s': software has the bits 0x%x; others "
				    "are the hardware's, and 0x2 says that issmN is open",
				    words->at[1], CAP_SERVED);
	end_port_set_capability(port->end, (uint32_t)bits, set);
	return 0;
}

int console_capability_clear(struct console *console, const struct console_words *words)
{
	return set_capability(console, words, false);
}

int console_capability_set(struct console *console, const struct console_words *words)
{
	return set_capability(console, words, true);
}

/* ---- counters ---- */

/*
 * Programs read the extended counters if there are any: ibqueryerrors would not see what was set.
 */
static int set_extended(struct console *console, struct port *port, const char *attribute,
			const char *field, uint64_t value)
{
	const struct mad_class_info *perf = mad_class_find(MAD_CLASS_PERF);
	const struct mad_attribute *narrow, *wide;

	narrow = mad_attribute_by_name(perf, attribute, NULL);
	wide = mad_attribute_by_name(perf, "PortCountersExtended", NULL);
	if (strcmp(narrow->name, "PortCounters") != 0 || !mad_field_by_name(wide, field, NULL))
		return 0;
	return counters_set(console, port, wide->name, field, value);
}

int console_performance_set(struct console *console, const struct console_words *words)
{
	g_autofree char *attribute = g_strdup(words->at[1]);
	char *value = strchr(attribute, '='), *field = strchr(attribute, '.');
	struct port *port;
	uint64_t number;
	int ret = console_port(console, words->at[0], &port);

	if (ret < 0)
		return ret;
	if (!value || !field || field > value)
		return console_expected(console, words->at[1], "ATTRIBUTE.FIELD=VALUE, such as "
					"PortCounters.SymbolErrorCounter=5");
	*value++ = '\0';
	*field++ = '\0';
	ret = console_number(console, value, "a counter", UINT64_MAX, &number);
	if (ret < 0)
		return ret;
	ret = counters_set(console, port, attribute, field, number);
	if (ret == 0)
		ret = set_extended(console, port, attribute, field, number);
	if (ret == 0)
		g_string_append_printf(console->out, "%s[%u] %s.%s has been set to "
				       "%" G_GUINT64_FORMAT
				       "\n", port->node->id, port->num, attribute, field, number);
	return ret;
}

/* ---- captures, traces, time ---- */

int console_capture_start(struct console *console, const struct console_words *words)
{
	g_autofree char *path = console_unquote(words->at[0]);
	char why[ERROR_SIZE];
	int ret;

	if (console->is_guest)
		return console_fail(console, -EPERM, "the fabric server writes files for its own "
				    "user and for root alone");
	ret = record_start(console->fabric, path, NULL, why, sizeof(why));
	return ret < 0 ? console_fail(console, ret, "%s", why) : 0;
}

int console_capture_stop(struct console *console, const struct console_words *words)
{
	int ret;

	(void)words;
	if (!console->fabric->capture)
		return console_fail(console, -ENOENT, "nothing is being captured; 'capture start "
				    "FILE' starts one");
	ret = record_stop(console->fabric);
	return ret < 0 ? console_fail(console, ret, "the capture is not complete: %s",
				      g_strerror(-ret)) : 0;
}

static void print_trace(void *ctx, int64_t at_ns, const char *who, const char *text)
{
	(void)ctx;
	fprintf(stderr, "%12.6fms %-10s %s\n", (double)at_ns / 1e6, who, text);
}

int console_verbose(struct console *console, const struct console_words *words)
{
	struct umadrig_fabric *fabric = console->fabric;
	uint64_t level = fabric->trace != NULL;
	int ret = words->count == 0 ? 0 : console_number(console, words->at[0], "0 or 1", 1,
							 &level);

	if (ret < 0)
		return ret;
	if (words->count && fabric->trace && fabric->trace != print_trace)
		return console_fail(console, -EBUSY, "the program itself reads the trace "
				    "(umadrig_trace)");
	if (words->count) {
		fabric->trace = level ? print_trace : NULL;
		fabric_listen(fabric);
	}
	g_string_append_printf(console->out, "simulator verbose level is %u\n",
			       (unsigned int)level);
	return 0;
}

int console_wait(struct console *console, const struct console_words *words)
{
	struct umadrig_fabric *fabric = console->fabric;
	int64_t time_ns;
	int err = duration_parse_seconds(words->at[0], &time_ns);

	if (err < 0)
		return console_expected(console, words->at[0],
					duration_expected(err, "seconds, or a time such as 200ms"));
	if (console->is_loading)
		return console_fail(console, -EOPNOTSUPP, "while a file is read there is nothing "
				    "to wait for; leave it out");
	if (!clock_is_virtual(fabric->clock))
		return console_fail(console, -EOPNOTSUPP, "this fabric runs on the real clock; "
				    "wait between the commands, as umadrig ctl does");
	clock_step(fabric->clock, fabric->queue.now_ns + time_ns, false);
	return 0;
}
