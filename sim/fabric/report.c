/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Reports: see sim/fabric/report.h.
 */
#include "sim/fabric/report.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/write-quietly.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/forward-switch.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

enum {
	SOURCES_MAX = 1024,
	LOST_MAX = 20,		/* ways that are reported one by one */
	HOPS_MAX = 64,
};

struct report {
	struct umadrig_fabric *fabric;
	GPtrArray *ends;	/* of struct end_port *: connected by cables */
	GPtrArray *switches;	/* of struct node *: the same */
	struct packet *packet;	/* sent everywhere */
	unsigned int links, links_active;
	unsigned int ways, ways_lead;
	GString *details;
};

static const char *state_text(unsigned int state)
{
	static const char *const names[] = { "?", "Down", "Init", "Armed", "Active" };

	return state < G_N_ELEMENTS(names) ? names[state] : names[0];
}

/* ---- the end ports and switches ---- */

/* Adds the CA's port, or the switch, that 'port' belongs to. */
static void meet(struct report *report, bool *met, struct port *port)
{
	struct node *node = port->node;

	if (!node->sw) {
		g_ptr_array_add(report->ends, port->end);
		return;
	}
	if (met[node->index])
		return;
	met[node->index] = true;
	g_ptr_array_add(report->switches, node);
	g_ptr_array_add(report->ends, node->ports[0].end);
}

/* CAs do not forward packets between their ports: only switches lead further. */
static void meet_all(struct report *report, struct port *first)
{
	g_autofree bool *met = g_new0(bool, report->fabric->nodes->len);

	meet(report, met, first);
	if (!first->node->sw && first->peer)
		meet(report, met, first->peer);
	for (unsigned int i = 0; i < report->switches->len; i++) {
		struct node *sw = g_ptr_array_index(report->switches, i);

		for (unsigned int num = 1; num <= sw->port_count; num++) {
			struct port *peer = sw->ports[num].peer;

			if (peer && peer != first && !peer->node->removed)
				meet(report, met, peer);
		}
	}
}

/* The first port of the default host that is on a cable; NULL: there is none. */
static struct port *first_port(const struct umadrig_host *host)
{
	for (unsigned int i = 0; i < host->node_count; i++) {
		struct node *node = host->nodes[i];

		for (unsigned int num = 1; num <= node->port_count; num++) {
			if (node->ports[num].peer && !node->removed)
				return &node->ports[num];
		}
	}
	return NULL;
}

/* ---- ends and links ---- */

static void tell_ends(struct report *report, GString *summary)
{
	unsigned int with_lid = 0, active = 0;
	char name[PORT_NAME_SIZE];

	for (unsigned int i = 0; i < report->ends->len; i++) {
		const struct end_port *end = g_ptr_array_index(report->ends, i);

		with_lid += end->attr.lid != 0;
		active += end->port->state == PORT_ACTIVE;
		g_string_append_printf(report->details,
				       "end %s guid 0x%016" G_GINT64_MODIFIER
				       "x lid %u lmc %u sm %u %s\n", port_format(end->port, name),
				       end->guid, end->attr.lid, end->attr.lmc, end->sm_lid,
				       state_text(end->port->state));
	}
	g_string_append_printf(summary, "ends %u with-lid %u active %u\n", report->ends->len,
			       with_lid, active);
}

static void tell_link(struct report *report, const struct port *port)
{
	char name[PORT_NAME_SIZE], peer[PORT_NAME_SIZE];

	report->links++;
	if (port->state == PORT_ACTIVE && port->peer->state == PORT_ACTIVE) {
		report->links_active++;
		return;
	}
	g_string_append_printf(report->details, "link %s %s, %s %s\n", port_format(port, name),
			       state_text(port->state), port_format(port->peer, peer),
			       state_text(port->peer->state));
}

/* A cable between switches is reported once, from the end that the file has first. */
static bool is_first_end(const struct port *port)
{
	const struct port *peer = port->peer;

	return !peer->node->sw || port->node->index < peer->node->index ||
	       (port->node == peer->node && port->num < peer->num);
}

/* Each cable has a switch at one of its ends, or is the only one. */
static void tell_links(struct report *report, const struct port *first, GString *summary)
{
	for (unsigned int i = 0; i < report->switches->len; i++) {
		const struct node *sw = g_ptr_array_index(report->switches, i);

		for (unsigned int num = 1; num <= sw->port_count; num++) {
			const struct port *port = &sw->ports[num];

			if (port_is_linked(port) && is_first_end(port))
				tell_link(report, port);
		}
	}
	if (report->switches->len == 0 && port_is_linked(first))
		tell_link(report, first);
	g_string_append_printf(summary, "links %u active %u\n", report->links,
			       report->links_active);
}

/* ---- ways ---- */

/*
 * Takes a packet that is no SMP over the cable at 'out'. NULL: not possible, and 'why' is the
 * reason.
 */
static struct port *cross(struct port *out, char *why)
{
	char name[PORT_NAME_SIZE];

	if (port_is_linked(out) && out->state == PORT_ACTIVE && out->peer->state == PORT_ACTIVE)
		return out->peer;
	g_snprintf(why, DROP_WHY_SIZE, "the link at %s is not Active", port_format(out, name));
	return NULL;
}

static bool leads(struct report *report, const struct end_port *from, const struct end_port *to,
		  uint16_t lid, char *why)
{
	struct port *in = from->port;
	char name[PORT_NAME_SIZE];

	put_be16(report->packet->bytes + LRH_DLID, lid);
	if (!in->node->sw && from != to)
		in = cross(in, why);
	for (unsigned int hops = 0; in && in->node->sw; hops++) {
		int egress = switch_decide(in->node, in->num, report->packet, why);

		if (egress < 0)
			return false;
		if (egress == 0)
			break;
		if (hops >= HOPS_MAX) {
			g_snprintf(why, DROP_WHY_SIZE, "it goes in circles");
			return false;
		}
		in = cross(&in->node->ports[egress], why);
	}
	if (!in || node_end_port(in->node, in->node->sw ? 0 : in->num) == to)
		return in != NULL;
	g_snprintf(why, DROP_WHY_SIZE, "it ends at %s", port_format(in, name));
	return false;
}

static void try_ways(struct report *report, const struct end_port *from, const struct end_port *to)
{
	char why[DROP_WHY_SIZE] = "", name[PORT_NAME_SIZE];

	for (unsigned int path = 0; path < 1U << to->attr.lmc; path++) {
		uint16_t lid = (uint16_t)(to->attr.lid + path);

		report->ways++;
		if (lid && leads(report, from, to, lid, why)) {
			report->ways_lead++;
			continue;
		}
		if (report->ways - report->ways_lead > LOST_MAX)
			continue;
		g_string_append_printf(report->details, "lost %s LID %u: %s\n",
				       port_format(from->port, name), lid,
				       lid ? why : "nobody has given it one");
	}
}

static struct packet *probe_new(struct report *report)
{
	struct packet_addr addr = { .dest_qp = 1, .src_qp = 1, .qkey = QKEY_GSI,
				    .pkey = PKEY_DEFAULT };
	struct packet *packet = packet_new(&report->fabric->pool);

	packet_build(packet, &addr);
	memset(packet_mad(packet), 0, MAD_SIZE);
	return packet;
}

/* Ways begin at about SOURCES_MAX of the end ports. */
static unsigned int source_step(const struct report *report)
{
	return (report->ends->len + SOURCES_MAX - 1) / SOURCES_MAX;
}

static void tell_ways(struct report *report, GString *summary)
{
	report->packet = probe_new(report);
	for (unsigned int i = 0; i < report->ends->len; i += source_step(report)) {
		for (unsigned int j = 0; j < report->ends->len; j++)
			try_ways(report, g_ptr_array_index(report->ends, i),
				 g_ptr_array_index(report->ends, j));
	}
	packet_free(&report->fabric->pool, report->packet);
	g_string_append_printf(summary, "ways %u lead %u\n", report->ways, report->ways_lead);
}

/* ---- the whole report ---- */

char *report_text(struct umadrig_fabric *fabric)
{
	struct report report = {
		.fabric = fabric,
		.ends = g_ptr_array_new(),
		.switches = g_ptr_array_new(),
		.details = g_string_new(NULL),
	};
	struct port *first = first_port(fabric->default_host);
	GString *summary = g_string_new(NULL);

	if (first) {
		meet_all(&report, first);
		tell_ends(&report, summary);
		tell_links(&report, first, summary);
		tell_ways(&report, summary);
	} else {
		g_string_append_printf(summary, "%s has no cable\n", fabric->default_host->name);
	}
	g_string_append_len(summary, report.details->str, (gssize)report.details->len);
	g_string_free(report.details, true);
	g_ptr_array_unref(report.ends);
	g_ptr_array_unref(report.switches);
	return g_string_free(summary, false);
}

/* The first of the ways between two ends that leads nowhere; or NULL. */
static char *lost_way(struct report *report, const struct end_port *from,
		      const struct end_port *to)
{
	char why[DROP_WHY_SIZE] = "", name[PORT_NAME_SIZE];

	for (unsigned int path = 0; path < 1U << to->attr.lmc; path++) {
		uint16_t lid = (uint16_t)(to->attr.lid + path);

		if (!to->attr.lid)
			return g_strdup_printf("%s has no LID", port_format(to->port, name));
		if (!leads(report, from, to, lid, why))
			return g_strdup_printf("%s to LID %u: %s", port_format(from->port, name),
					       lid, why);
	}
	return NULL;
}

char *report_first_lost(struct umadrig_fabric *fabric)
{
	struct report report = {
		.fabric = fabric, .ends = g_ptr_array_new(), .switches = g_ptr_array_new(),
	};
	struct port *first = first_port(fabric->default_host);
	char *lost = NULL;

	if (first)
		meet_all(&report, first);
	report.packet = probe_new(&report);
	for (unsigned int i = 0; !lost && i < report.ends->len; i += source_step(&report)) {
		for (unsigned int j = 0; !lost && j < report.ends->len; j++)
			lost = lost_way(&report, g_ptr_array_index(report.ends, i),
					g_ptr_array_index(report.ends, j));
	}
	packet_free(&fabric->pool, report.packet);
	g_ptr_array_unref(report.ends);
	g_ptr_array_unref(report.switches);
	return lost;
}

/* Into the file itself: a device such as /dev/full must not be replaced by one. 0 or -errno. */
static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int err;

	if (fd < 0)
		return -errno;
	err = write_all_quietly(fd, text, strlen(text));
	if (close(fd) < 0 && err == 0 && errno != EINTR)
		err = -errno;
	return err;
}

int report_end(struct umadrig_fabric *fabric)
{
	g_autofree char *path = g_steal_pointer(&fabric->options.report);
	g_autofree char *text = NULL;
	int err;

	if (!path || !fabric->default_host)
		return 0;
	text = report_text(fabric);
	err = write_file(path, text);
	if (err < 0)
		fprintf(stderr, "umadrig: the report %s is not complete: %s\n", path,
			g_strerror(-err));
	return err;
}
