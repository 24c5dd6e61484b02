/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The console's verbs about cables and power. See sim/console/console.h.
 */
#include <errno.h>
#include <glib.h>
#include <string.h>

#include "lib/words/decimal.h"
#include "sim/console/console-json.h"
#include "sim/console/console.h"
#include "sim/fabric/cable.h"
#include "sim/fabric/link.h"
#include "sim/fabric/link-error.h"
#include "sim/fabric/motion.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/host/power.h"

/* The worst bit error rate: one in a thousand. */
#define BER_MAX 1e-3

typedef int cable_fn(struct port *port);

static int fail_no_cable(struct console *console, const struct port *port)
{
	char name[PORT_NAME_SIZE];

	return console_fail(console, -ENXIO, "there is no cable at %s; Link lays one",
			    port_format(port, name));
}

/* Calls 'fn' for the port that the word names, or for all of the node's ports that have a cable. */
static int each_cable(struct console *console, const char *word, cable_fn *fn)
{
	struct console_place place;
	unsigned int count = 0;
	int ret = console_place(console, word, &place);

	if (ret < 0)
		return ret;
	if (place.port)
		return fn(place.port) < 0 ? fail_no_cable(console, place.port) : 0;
	for (unsigned int num = 1; num <= place.node->port_count; num++)
		count += fn(&place.node->ports[num]) == 0;
	return count ? 0 : console_fail(console, -ENXIO, "no port of %s has a cable; Link lays one",
					place.node->id);
}

int console_link(struct console *console, const struct console_words *words)
{
	char name[PORT_NAME_SIZE], other[PORT_NAME_SIZE];
	struct port *a, *b;
	int ret = console_port(console, words->at[0], &a);

	if (ret == 0)
		ret = console_port(console, words->at[1], &b);
	if (ret < 0)
		return ret;
	ret = cable_lay(a, b);
	if (ret == -EINVAL)
		return console_fail(console, ret, "no cable goes from %s to %s: port 0 has no "
				    "socket, and a cable has two ends", port_format(a, name),
				    port_format(b, other));
	if (ret == -EBUSY) {
		const struct port *busy = cable_is_plugged(a) ? a : b;

		return console_fail(console, ret, "%s is linked with %s; Unlink it first",
				    port_format(busy, name), port_format(busy->peer, other));
	}
	return ret;
}

int console_relink(struct console *console, const struct console_words *words)
{
	return each_cable(console, words->at[0], cable_plug);
}

int console_unlink(struct console *console, const struct console_words *words)
{
	return each_cable(console, words->at[0], cable_pull);
}

int console_link_down(struct console *console, const struct console_words *words)
{
	return each_cable(console, words->at[0], cable_pull);
}

int console_link_up(struct console *console, const struct console_words *words)
{
	return each_cable(console, words->at[0], cable_plug);
}

int console_link_error(struct console *console, const struct console_words *words)
{
	static const struct {
		const char *name;
		enum umadrig_link_error error;
	} errors[] = {
		{ "integrity", UMADRIG_LINK_INTEGRITY },
		{ "overrun", UMADRIG_BUFFER_OVERRUN },
		{ "watchdog", UMADRIG_FLOW_CONTROL_WATCHDOG },
	};
	struct port *port;
	int ret = console_port(console, words->at[0], &port);

	if (ret < 0)
		return ret;
	if (port->num == 0)
		return console_fail(console, -EINVAL, "port 0 of %s has no link", port->node->id);
	for (size_t i = 0; i < G_N_ELEMENTS(errors); i++) {
		if (g_ascii_strcasecmp(words->at[1], errors[i].name) == 0) {
			link_error_report(port, errors[i].error);
			return 0;
		}
	}
	return console_expected(console, words->at[1], "integrity, overrun or watchdog");
}

/* ---- bad cables ---- */

struct damage {
	uint8_t width;			/* a bit of LinkWidth, 0: as it was */
	enum link_speed speed;		/* 0: likewise */
	double ber;			/* 0: none */
};

/* "2x", "EDR", "ber=1e-12". False: it is none of these. */
static bool parse_damage(const char *word, struct damage *damage)
{
	static const struct { const char *name; uint8_t width; } widths[] = {
		{ "1x", 1 }, { "2x", 16 }, { "4x", 2 }, { "8x", 4 }, { "12x", 8 },
	};
	static const struct { const char *name; enum link_speed speed; } speeds[] = {
		{ "SDR", LINK_SDR }, { "DDR", LINK_DDR }, { "QDR", LINK_QDR }, { "FDR", LINK_FDR },
		{ "EDR", LINK_EDR }, { "HDR", LINK_HDR }, { "NDR", LINK_NDR }, { "XDR", LINK_XDR },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(widths); i++) {
		if (g_ascii_strcasecmp(word, widths[i].name) == 0)
			damage->width = widths[i].width;
		if (g_ascii_strcasecmp(word, widths[i].name) == 0)
			return true;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(speeds); i++) {
		if (g_ascii_strcasecmp(word, speeds[i].name) == 0)
			damage->speed = speeds[i].speed;
		if (g_ascii_strcasecmp(word, speeds[i].name) == 0)
			return true;
	}
	if (!g_str_has_prefix(word, "ber="))
		return false;
	return decimal_parse_small(word + strlen("ber="), BER_MAX, &damage->ber) == 0;
}

/* Symbol errors at both ends, at the link's present rate. */
static void add_noise(struct port *port, double ber)
{
	struct port *ends[] = { port, port->peer };
	const double per_ns = 1e18;

	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		double bits = (double)link_bits_per_s(ends[i]) * (per_ns / NS_PER_S);

		drift_stop(ends[i], COUNTER_SYMBOL_ERRORS);
		drift_add(ends[i], COUNTER_SYMBOL_ERRORS, (uint64_t)(bits * ber + 0.5),
			  (uint64_t)per_ns, INT64_MAX);
	}
}

int console_link_degrade(struct console *console, const struct console_words *words)
{
	struct damage damage = { 0 };
	char name[PORT_NAME_SIZE];
	struct port *port;
	int ret = console_port(console, words->at[0], &port);

	for (unsigned int i = 1; i < words->count && ret == 0; i++) {
		if (!parse_damage(words->at[i], &damage))
			ret = console_expected(console, words->at[i], "a width (1x 2x 4x 8x 12x), "
					       "a speed (SDR DDR QDR FDR EDR HDR NDR XDR), or "
					       "ber= up to 0.001, such as ber=1e-12");
	}
	if (ret < 0)
		return ret;
	ret = damage.width || damage.speed || !port->peer ?
	      link_degrade(port, damage.width, damage.speed) : 0;
	if (ret == -ENXIO)
		return fail_no_cable(console, port);
	if (ret < 0)
		return console_fail(console, ret, "the ports at both ends of %s have nothing so "
				    "slow or narrow enabled", port_format(port, name));
	if (damage.ber > 0)
		add_noise(port, damage.ber);
	return 0;
}

int console_link_restore(struct console *console, const struct console_words *words)
{
	struct port *port;
	int ret = console_port(console, words->at[0], &port);

	if (ret < 0)
		return ret;
	if (link_restore(port) < 0)
		return fail_no_cable(console, port);
	drift_stop(port, COUNTER_SYMBOL_ERRORS);
	drift_stop(port->peer, COUNTER_SYMBOL_ERRORS);
	return 0;
}

static void clear_port(struct port *port)
{
	cable_pull(port);
	port_clear(port);
}

int console_clear_port(struct console *console, const struct console_words *words)
{
	struct console_place place;
	int ret = console_place(console, words->at[0], &place);

	if (ret < 0)
		return ret;
	if (place.port) {
		clear_port(place.port);
		return 0;
	}
	for (unsigned int num = 1; num <= place.node->port_count; num++)
		clear_port(&place.node->ports[num]);
	return 0;
}

int console_node_off(struct console *console, const struct console_words *words)
{
	struct node *node = NULL;
	int ret = console_node(console, words->at[0], &node);

	if (ret == 0)
		node_power(node, false);
	return ret;
}

int console_node_on(struct console *console, const struct console_words *words)
{
	struct node *node = NULL;
	int ret = console_node(console, words->at[0], &node);

	if (ret == 0)
		node_power(node, true);
	return ret;
}

int console_sm_off(struct console *console, const struct console_words *words)
{
	g_autoptr(GPtrArray) nodes = g_ptr_array_new();

	(void)words;
	sm_lose(console->fabric, nodes);
	if (nodes->len == 0)
		return console_fail(console, -ENOENT, "no port says IsSM: no SM has its issm open");
	if (console->json)
		json_open(console->json, '[');
	for (unsigned int i = 0; i < nodes->len; i++) {
		const struct node *node = g_ptr_array_index(nodes, i);

		if (console->json)
			json_string(console->json, node->id);
		else
			g_string_append_printf(console->out, "%s is off\n", node->id);
	}
	if (console->json)
		json_close(console->json, ']');
	return 0;
}
