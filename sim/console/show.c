/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The console's verbs that show the fabric. Nodes and routes are written as ibsim writes them, for
 * scripts that read them. See sim/console/console.h.
 */
#include <errno.h>
#include <glib.h>
#include <string.h>

#include "sim/fabric/cable.h"
#include "sim/console/console.h"
#include "sim/console/console-counters.h"
#include "sim/console/console-json.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/report.h"
#include "sim/fabric/report-group.h"
#include "sim/fabric/route.h"
#include "sim/fabric/router.h"
#include "sim/fabric/subnet.h"
#include "sim/topology/reader.h"
#include "sim/topology/write.h"

enum { HOPS_MAX = 64 };

/* ---- Dump ---- */

static const char *state_name(unsigned int state)
{
	static const char *const names[] = { "?", "Down", "Init", "Armed", "Active" };

	return names[state < G_N_ELEMENTS(names) ? state : 0];
}

static const char *phys_name(unsigned int state)
{
	static const char *const names[] = { "?", "Sleep", "Polling", "Disabled", "?", "LinkUp" };

	return names[state < G_N_ELEMENTS(names) ? state : 0];
}

/* What Error has set for the port, as "err_rate 20". */
static void dump_errors(GString *out, const struct port *port)
{
	g_autofree char *at_port = g_strdup_printf("Error %s[%u]", port->node->id, port->num);
	g_autofree char *at_node = g_strdup_printf("Error %s", port->node->id);
	struct fault_count count;

	for (unsigned int i = 0; fault_at(port->node->fabric, i, &count); i++) {
		const struct umadrig_fault *fault = count.fault;

		if (strcmp(count.name, at_port) != 0 && strcmp(count.name, at_node) != 0)
			continue;
		g_string_append_printf(out, "\t# err_rate %u", fault->numerator);
		if (fault->attribute)
			g_string_append_printf(out, "\t# err_attr %u", fault->attribute);
	}
}

static void dump_port(GString *out, const struct port *port)
{
	struct topology_port rate = {
		.width_active = port->width_active, .speed_active = port->speed_active,
		.speed_ext_active = port->speed_ext_active, .fdr10 = port->fdr10,
	};
	const struct end_port *end = port->end ? port_speaker(port) : NULL;
	uint64_t guid = end ? end->guid : port->node->node_guid;
	char name[16];

	g_string_append_printf(out, "%" G_GINT64_MODIFIER "x\t[%u]\t", guid, port->num);
	if (port->num == 0)
		g_string_append(out, "\"Sma Port\"[0]\t");
	else if (cable_is_plugged(port))
		g_string_append_printf(out, "\"%s\"[%u]\t", port->peer->node->id, port->peer->num);
	else
		g_string_append(out, "\t\t");
	if (end)
		g_string_append_printf(out, " lid %u lmc %u smlid %u ", end->attr.lid,
				       end->attr.lmc, end->sm_lid);
	g_string_append_printf(out, " %s %s/%s", topology_rate_name(&rate, name),
			       state_name(port->state), phys_name(port->phys_state));
	dump_errors(out, port);
	g_string_append_c(out, '\n');
}

static void dump_node(GString *out, struct node *node)
{
	static const char *const kinds[] = { "?", "Ca", "Switch", "Rt" };

	g_string_append_printf(out, "\n%s %u \"%s\"\tnodeguid %" G_GINT64_MODIFIER "x\tsysimgguid %"
			       G_GINT64_MODIFIER "x%s\n", kinds[node->kind], node->port_count,
			       node->id, node->node_guid, node->sys_image_guid,
			       node->removed ? "\t# has no power" : "");
	if (node->sw)
		g_string_append_printf(out, "#\tlinearcap %u FDBtop %u portchange %d\n",
				       node->sw->lft_cap, node->sw->lft_top,
				       node->sw->state_change);
	for (unsigned int num = node->sw ? 0 : 1; num <= node->port_count; num++)
		dump_port(out, &node->ports[num]);
}

static void json_dump_port(struct json_writer *json, const struct port *port)
{
	struct topology_port rate = {
		.width_active = port->width_active, .speed_active = port->speed_active,
		.speed_ext_active = port->speed_ext_active, .fdr10 = port->fdr10,
	};
	const struct end_port *end = port->end ? port_speaker(port) : NULL;
	char name[16];

	json_open(json, '{');
	json_unsigned(json_name(json, "port"), port->num);
	json_hex(json_name(json, "guid"), end ? end->guid : port->node->node_guid, 16);
	answer_port(json_name(json, "peer"),
		    port->num && cable_is_plugged(port) ? port->peer : NULL);
	if (end) {
		json_unsigned(json_name(json, "lid"), end->attr.lid);
		json_unsigned(json_name(json, "lmc"), end->attr.lmc);
		json_unsigned(json_name(json, "sm_lid"), end->sm_lid);
	}
	json_string(json_name(json, "rate"), topology_rate_name(&rate, name));
	json_string(json_name(json, "state"), state_name(port->state));
	json_string(json_name(json, "physical_state"), phys_name(port->phys_state));
	json_close(json, '}');
}

static void json_dump_node(struct json_writer *json, struct node *node)
{
	static const char *const kinds[] = { "?", "CA", "Switch", "Router" };

	json_open(json, '{');
	json_string(json_name(json, "node"), node->id);
	json_string(json_name(json, "description"), node_description(node));
	json_string(json_name(json, "kind"), kinds[node->kind]);
	json_hex(json_name(json, "node_guid"), node->node_guid, 16);
	json_hex(json_name(json, "system_guid"), node->sys_image_guid, 16);
	json_string(json_name(json, "power"), node->removed ? "off" : "on");
	json_open(json_name(json, "ports"), '[');
	for (unsigned int num = node->sw ? 0 : 1; num <= node->port_count; num++)
		json_dump_port(json, &node->ports[num]);
	json_close(json, ']');
	json_close(json, '}');
}

static void json_dump(struct json_writer *json, const struct umadrig_fabric *fabric,
		      struct node *only)
{
	json_open(json, '[');
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		if (!only || node == only)
			json_dump_node(json, node);
	}
	json_close(json, ']');
}

int console_dump(struct console *console, const struct console_words *words)
{
	struct umadrig_fabric *fabric = console->fabric;
	struct console_place place = { 0 };
	int ret;

	if (words->count) {
		ret = console_place(console, words->at[0], &place);
		if (ret < 0)
			return ret;
	}
	if (console->json) {
		json_dump(console->json, fabric, place.node);
		return 0;
	}
	if (words->count) {
		dump_node(console->out, place.node);
	}
	for (unsigned int i = 0; !words->count && i < fabric->nodes->len; i++)
		dump_node(console->out, g_ptr_array_index(fabric->nodes, i));
	g_string_append_printf(console->out, "#  dumped %u nodes\n",
			       words->count ? 1 : fabric->nodes->len);
	return 0;
}

/* ---- Route ---- */

/* An end of a route: node, port and LID. */
static void json_end(struct json_writer *json, const char *key, const struct port *port,
		     uint64_t lid)
{
	json_open(json_name(json, key), '{');
	json_string(json_name(json, "node"), port->node->id);
	json_unsigned(json_name(json, "port"), port->num);
	json_unsigned(json_name(json, "lid"), lid);
	json_close(json, '}');
}

static void json_hop(struct json_writer *json, const struct port *out)
{
	json_open(json, '{');
	json_unsigned(json_name(json, "out"), out->num);
	json_string(json_name(json, "node"), out->peer->node->id);
	json_unsigned(json_name(json, "in"), out->peer->num);
	json_close(json, '}');
}

/* Does the route end at the port that it came in by? */
static bool is_at_end(const struct port *in, uint16_t lid)
{
	const struct end_port *end = in->node->sw ? in->node->ports[0].end : in->end;

	return end->attr.lid && lid >= end->attr.lid && lid < end->attr.lid + (1U << end->attr.lmc);
}

/*
 * The port that the route goes out by after it came in by 'in'; NULL: there is none, and the error
 * says why.
 */
static struct port *way_out(struct console *console, struct port *in, uint16_t lid)
{
	struct port *out = in;
	char name[PORT_NAME_SIZE];

	if (in->node->sw) {
		uint8_t num = switch_egress(in->node, lid);

		if (num == 0 || num > in->node->port_count) {
			console_fail(console, -EHOSTUNREACH, "%s has no port for LID %u in its "
				     "forwarding table; an SM writes it", in->node->id, lid);
			return NULL;
		}
		out = &in->node->ports[num];
	}
	if (port_is_linked(out) && out->state == PORT_ACTIVE && out->peer->state == PORT_ACTIVE)
		return out;
	console_fail(console, -EHOSTUNREACH, "the link at %s is %s/%s", port_format(out, name),
		     state_name(out->state), phys_name(out->phys_state));
	return NULL;
}

/* An end of a route: a LID of an end port. */
struct route_end {
	struct end_port *end;
	uint16_t lid;
};

/* By a LID, which is one of a single subnet, or by the name of a port, which has one. */
static int route_end(struct console *console, const char *word, struct route_end *ret_end)
{
	const struct umadrig_fabric *fabric = console->fabric;
	unsigned int count = 0;
	struct port *port;
	uint64_t lid;
	int ret;

	if (!g_ascii_isdigit(*word)) {
		ret = console_port(console, word, &port);
		if (ret < 0)
			return ret;
		*ret_end = (struct route_end){ port_speaker(port), port_speaker(port)->attr.lid };
		return ret_end->lid ? 0 : console_fail(console, -ENOENT, "%s has no LID", word);
	}
	ret = console_number(console, word, "a LID", LID_UNICAST_MAX, &lid);
	if (ret < 0)
		return ret;
	*ret_end = (struct route_end){ NULL, (uint16_t)lid };
	for (unsigned int i = 0; i < fabric->subnets->len; i++) {
		struct end_port *end = subnet_end_by_lid(fabric_subnet(fabric, i), (uint16_t)lid);

		count += end != NULL;
		ret_end->end = ret_end->end ? ret_end->end : end;
	}
	if (count > 1)
		return console_fail(console, -EEXIST, "LID %" G_GUINT64_FORMAT " is in %u subnets; "
				    "write a port instead, such as %s[%u]", lid, count,
				    ret_end->end->port->node->id, ret_end->end->port->num);
	if (!ret_end->end)
		return console_fail(console, -ENOENT, "no port has LID %" G_GUINT64_FORMAT
				    "; Dump lists LIDs", lid);
	return 0;
}

/* Follows the tables from 'from' to 'to', and writes each hop. 0, or -errno with an error. */
static int follow(struct console *console, const struct route_end *from,
		  const struct route_end *to)
{
	struct port *at = from->end->port;

	for (unsigned int hops = 0; !is_at_end(at, to->lid); hops++) {
		struct port *out = way_out(console, at, to->lid);

		if (!out)
			return -EHOSTUNREACH;
		if (hops >= HOPS_MAX)
			return console_fail(console, -ELOOP, "no end after %u hops: it goes in "
					     "circles", HOPS_MAX);
		at = out->peer;
		g_string_append_printf(console->out, "[%u] -> \"%s\"[%u]\n", out->num, at->node->id,
				       at->num);
		if (console->json)
			json_hop(console->json, out);
		if (!at->node->sw && !is_at_end(at, to->lid))
			return console_fail(console, -EHOSTUNREACH,
					    "it ends at %s, whose LID is %u",
					    at->node->id, at->end->attr.lid);
	}
	return 0;
}

static int fail_between_subnets(struct console *console, const struct console_words *words,
				const struct route_end *from, const struct route_end *to)
{
	const struct end_port *router = router_toward(from->end->subnet, to->end->gid_prefix);
	char name[PORT_NAME_SIZE];

	if (!router)
		return console_fail(console, -EHOSTUNREACH, "%s and %s are in two subnets, which "
				    "no router joins", words->at[0], words->at[1]);
	return console_fail(console, -EHOSTUNREACH, "%s and %s are in two subnets; ask for the way "
			    "to the router between them, %s", words->at[0], words->at[1],
			    port_format(router->port, name));
}

int console_route(struct console *console, const struct console_words *words)
{
	struct route_end from, to;
	int ret = route_end(console, words->at[0], &from);

	if (ret == 0)
		ret = route_end(console, words->at[1], &to);
	if (ret < 0)
		return ret;
	if (from.end->subnet != to.end->subnet)
		return fail_between_subnets(console, words, &from, &to);
	g_string_append_printf(console->out, "From node \"%s\" port %u lid %u\n",
			       from.end->port->node->id, from.end->port->num, from.lid);
	if (console->json) {
		json_open(console->json, '{');
		json_end(console->json, "from", from.end->port, from.lid);
		json_open(json_name(console->json, "hops"), '[');
	}
	ret = follow(console, &from, &to);
	if (ret < 0)
		return ret;
	g_string_append_printf(console->out, "To node \"%s\" port %u lid %u\n",
			       to.end->port->node->id, to.end->port->num, to.lid);
	if (console->json) {
		json_close(console->json, ']');
		json_end(console->json, "to", to.end->port, to.lid);
		json_close(console->json, '}');
	}
	return 0;
}

/* ---- faults, counters, the whole fabric ---- */

static void json_faults(struct json_writer *json, const struct umadrig_fabric *fabric)
{
	struct fault_count count;

	json_open(json, '[');
	for (unsigned int i = 0; fault_at(fabric, i, &count); i++) {
		json_open(json, '{');
		json_unsigned(json_name(json, "id"), (uint64_t)count.id);
		json_string(json_name(json, "rule"), count.name);
		json_unsigned(json_name(json, "matched"), count.seen);
		json_unsigned(json_name(json, "acted"), count.hits);
		json_close(json, '}');
	}
	json_close(json, ']');
}

int console_fault_list(struct console *console, const struct console_words *words)
{
	struct fault_count count;

	(void)words;
	if (console->json) {
		json_faults(console->json, console->fabric);
		return 0;
	}
	for (unsigned int i = 0; fault_at(console->fabric, i, &count); i++)
		g_string_append_printf(console->out, "%d\t%s\tmatched %" G_GUINT64_FORMAT
				       " acted %" G_GUINT64_FORMAT "\n", count.id, count.name,
				       count.seen, count.hits);
	return 0;
}

int console_counters(struct console *console, const struct console_words *words)
{
	struct port *port;
	int ret = console_port(console, words->at[0], &port);

	return ret < 0 ? ret : counters_print(console, port, words->count > 1 ?
					     words->at[1] : "PortCounters");
}

int console_report(struct console *console, const struct console_words *words)
{
	g_autofree char *text = report_text(console->fabric);

	(void)words;
	g_string_append(console->out, text);
	return 0;
}

int console_multicast(struct console *console, const struct console_words *words)
{
	g_autofree char *text = NULL;
	uint64_t mlid;
	int ret = console_number(console, words->at[0], "a multicast LID", LID_PERMISSIVE - 1,
				 &mlid);

	if (ret < 0)
		return ret;
	if (mlid <= LID_UNICAST_MAX)
		return console_fail(console, -EINVAL, "'%s': multicast LIDs begin with 0xc000",
				    words->at[0]);
	text = report_group_text(console->fabric, (uint16_t)mlid);
	g_string_append(console->out, text);
	return 0;
}

int console_topology(struct console *console, const struct console_words *words)
{
	static const struct {
		const char *name;
		void (*write)(const struct topology *topology, GString *out);
	} formats[] = {
		{ "ibnetdiscover", topology_write_ibnetdiscover },
		{ "dot", topology_write_dot },
		{ "json", topology_write_json },
	};
	const char *name = words->count ? words->at[0] : formats[console->json ? 2 : 0].name;

	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		struct topology *topology;

		if (strcmp(name, formats[i].name) != 0)
			continue;
		topology = fabric_topology(console->fabric);
		if (console->json && formats[i].write == topology_write_json)
			topology_json(topology, console->json);
		else
			formats[i].write(topology, console->out);
		topology_free(topology);
		return 0;
	}
	return console_fail(console, -EINVAL, "there is no format '%s': ibnetdiscover, dot or json",
			    name);
}
