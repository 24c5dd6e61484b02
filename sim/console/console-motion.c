/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The console's verbs about counters that move: loads, and counters that were told to. See
 * sim/console/console.h.
 */
#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "lib/words/decimal.h"
#include "lib/words/duration.h"
#include "sim/agents/pma.h"
#include "sim/console/console-json.h"
#include "sim/console/console.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-load.h"
#include "sim/fabric/port.h"

enum {
	ERROR_SIZE = 512,
	DIGITS_MAX = 9,			/* behind the point of a rate */
};

/* ---- loads ---- */

/* One word between colons, or several with blanks between them. */
static char *join_order(const struct console_words *words)
{
	GString *order = g_string_new(words->at[0]);

	for (unsigned int i = 1; i < words->count; i++) {
		bool quote = strchr(words->at[i], ':') && !strchr(words->at[i], '"');

		g_string_append_printf(order, quote ? ":\"%s\"" : ":%s", words->at[i]);
	}
	return g_string_free(order, false);
}

int console_load_add(struct console *console, const struct console_words *words)
{
	g_autofree char *order = join_order(words);
	char why[ERROR_SIZE];
	int id = load_add(console->fabric, order, why, sizeof(why));

	if (id < 0)
		return console_fail(console, id, "%s", why);
	return console_answer_id(console, id);
}

int console_load_remove(struct console *console, const struct console_words *words)
{
	uint64_t id;
	bool all;
	int ret = console_entry(console, words->at[0], "a load", &all, &id);

	if (ret < 0)
		return ret;
	/* Loads are numbered from 1; 0 is load_remove()'s word for all. */
	if ((!all && id == 0) || load_remove(console->fabric, (int)id) < 0)
		return console_no_entry(console, "load", words->at[0], "load list");
	return 0;
}

static const char *const states[] = {
	[FLOW_GOES] = "goes",
	[FLOW_HELD] = "held",
	[FLOW_NO_LID] = "no-lid",
	[FLOW_LINK_DOWN] = "link-down",
	[FLOW_NO_ROUTE] = "no-route",
	[FLOW_MISLED] = "misled",
};

static void list_flow_json(struct json_writer *json, const struct flow *flow)
{
	json_open(json, '{');
	json_unsigned(json_name(json, "id"), (uint64_t)flow->id);
	answer_port(json_name(json, "from"), flow->from->port);
	answer_port(json_name(json, "to"), flow->to->port);
	json_unsigned(json_name(json, "wanted"), flow->wanted);
	json_unsigned(json_name(json, "carried"), flow->carried);
	json_unsigned(json_name(json, "packet_size"), flow->packet_size);
	json_string(json_name(json, "state"), states[flow->state]);
	answer_port(json_name(json, "at"), flow->at);
	json_close(json, '}');
}

static void list_flow(GString *out, const struct flow *flow)
{
	char from[PORT_NAME_SIZE], to[PORT_NAME_SIZE], at[PORT_NAME_SIZE] = "";
	g_autofree char *why = NULL;

	if (flow->at)
		port_format(flow->at, at);
	switch (flow->state) {
	case FLOW_GOES:
		why = g_strdup("");
		break;
	case FLOW_HELD:
		why = g_strdup_printf("; the link of %s is full", at);
		break;
	case FLOW_NO_LID:
		why = g_strdup_printf("; %s has no LID", at);
		break;
	case FLOW_LINK_DOWN:
		why = g_strdup_printf("; the link of %s is not Active", at);
		break;
	case FLOW_NO_ROUTE:
		why = g_strdup_printf("; no route goes on from %s", at);
		break;
	case FLOW_MISLED:
		why = g_strdup_printf("; the tables lead astray at %s", at);
		break;
	}
	g_string_append_printf(out, "%d %s to %s: %" PRIu64 " of %" PRIu64 " b/s in packets of "
			       "%" PRIu32 "%s\n", flow->id, port_format(flow->from->port, from),
			       port_format(flow->to->port, to), flow->carried, flow->wanted,
			       flow->packet_size, why);
}

int console_load_list(struct console *console, const struct console_words *words)
{
	const struct flow *flow;

	(void)words;
	if (console->json)
		json_open(console->json, '[');
	for (size_t i = 0; (flow = load_flow(console->fabric, i)); i++) {
		if (console->json)
			list_flow_json(console->json, flow);
		else
			list_flow(console->out, flow);
	}
	if (console->json)
		json_close(console->json, ']');
	return 0;
}

/* ---- counters ---- */

/* "+10/s", "+0.5/min", "+3/250ms": so many in each such time. */
static bool parse_rate(const char *text, uint64_t *ret_numerator, uint64_t *ret_per_ns)
{
	const char *slash = strchr(text, '/');
	const char *number = text + 1;
	g_autofree char *per = NULL;
	struct decimal decimal;
	uint64_t scale = 1;
	int64_t per_ns;

	if (text[0] != '+' || !slash || decimal_take(&number, &decimal) < 0 || number != slash ||
	    decimal.digits / 10 > UINT32_MAX || decimal.places > DIGITS_MAX)
		return false;
	for (unsigned int i = 0; i < decimal.places; i++)
		scale *= 10;
	per = g_strconcat(g_ascii_isdigit(slash[1]) ? "" : "1", slash + 1, NULL);
	if (duration_parse(per, &per_ns) < 0 || per_ns <= 0 ||
	    (uint64_t)per_ns > UINT64_MAX / scale)
		return false;
	*ret_numerator = decimal.digits;
	*ret_per_ns = (uint64_t)per_ns * scale;
	return true;
}

/* "for 60s", or nothing: without an end. */
static int parse_for(struct console *console, const struct console_words *words, int64_t *ret_ns)
{
	int err;

	*ret_ns = INT64_MAX;
	if (words->count == 3)
		return 0;
	if (words->count != 5 || strcmp(words->at[3], "for") != 0)
		return console_expected(console, words->at[3], "'for' and a time, such as for 60s");
	err = duration_parse(words->at[4], ret_ns);
	if (err < 0 || *ret_ns <= 0)
		return console_expected(console, words->at[4],
					duration_expected(err, "a time, such as 60s"));
	return 0;
}

int console_counter(struct console *console, const struct console_words *words)
{
	struct port *port;
	uint64_t numerator, per_ns;
	int64_t for_ns;
	char name[PORT_NAME_SIZE];
	int ret = console_port(console, words->at[0], &port);

	if (ret < 0)
		return ret;
	if (strcmp(words->at[2], "stop") == 0 && words->count == 3) {
		ret = pma_counter_stop(port->node, port->num, words->at[1]);
		if (ret == 0)
			return console_fail(console, -ENOENT, "%s of %s was not told to move",
					    words->at[1], port_format(port, name));
	} else if (!parse_rate(words->at[2], &numerator, &per_ns)) {
		return console_expected(console, words->at[2], "a rate, such as +10/s, or 'stop'");
	} else {
		ret = parse_for(console, words, &for_ns);
		if (ret < 0)
			return ret;
		ret = pma_counter_drift(port->node, port->num, words->at[1], numerator, per_ns,
					for_ns);
	}
	if (ret < 0)
		return console_fail(console, -ENOENT, "there is no counter '%s'; 'counters %s "
				    "PortCountersExtended' has names", words->at[1],
				    port_format(port, name));
	return 0;
}
