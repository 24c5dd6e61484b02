/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A topology in ibnetdiscover's format, which our reader and ibsim can read.
 *
 * An unknown rate is not printed, as in early versions of ibnetdiscover; LID 0 is printed as
 * ibnetdiscover does before an SM has run.
 */
#include "config.h"

#include "sim/topology/reader.h"
#include "sim/topology/write.h"

#define GUID "%" G_GINT64_MODIFIER "x"
#define GUID16 "%016" G_GINT64_MODIFIER "x"

static const char letters[TOPOLOGY_KIND_COUNT] = {
	[TOPOLOGY_CA] = 'H', [TOPOLOGY_SWITCH] = 'S', [TOPOLOGY_ROUTER] = 'R',
};
static const char *const guid_words[TOPOLOGY_KIND_COUNT] = {
	[TOPOLOGY_CA] = "caguid", [TOPOLOGY_SWITCH] = "switchguid", [TOPOLOGY_ROUTER] = "rtguid",
};
static const char *const kind_words[TOPOLOGY_KIND_COUNT] = {
	[TOPOLOGY_CA] = "Ca", [TOPOLOGY_SWITCH] = "Switch", [TOPOLOGY_ROUTER] = "Rt",
};

static bool is_switch(const struct topology_node *node)
{
	return node->kind == TOPOLOGY_SWITCH;
}

/* The end port that port 'num' belongs to. */
static const struct topology_port *end_port(const struct topology_node *node, unsigned int num)
{
	return &node->ports[is_switch(node) ? 0 : num];
}

static void append_port_guid(GString *out, uint64_t guid, const char *behind)
{
	if (guid)
		g_string_append_printf(out, "(" GUID ")%s", guid, behind);
}

/*
 * Appends the rate in words if it has a name, else (and with VLCap) as codes, which -f prints too.
 */
static void append_rate(GString *out, const struct topology_port *port)
{
	bool named = topology_width_name(port) && topology_speed_name(port);
	char rate[16];

	if (named)
		g_string_append_printf(out, " %s", topology_rate_name(port, rate));
	if (port->speed_active && (!named || port->vl_cap))
		g_string_append_printf(out, " s=%u", port->speed_active);
	if (port->width_active && (!named || port->vl_cap))
		g_string_append_printf(out, " w=%u", port->width_active);
	if (port->speed_ext_active && !named)
		g_string_append_printf(out, " e=%u", port->speed_ext_active);
	if (port->vl_cap)
		g_string_append_printf(out, " v=%u", port->vl_cap);
}

static void append_port(GString *out, const struct topology *topology,
			const struct topology_node *node, unsigned int num)
{
	const struct topology_port *port = &node->ports[num];

	if (port->peer_node < 0)
		return;

	const struct topology_node *peer = topology_node(topology, port->peer_node);
	const struct topology_port *peer_end = end_port(peer, port->peer_port);

	g_string_append_printf(out, "[%u]", num);
	if (!is_switch(node))
		append_port_guid(out, port->guid, " ");
	g_string_append_printf(out, "\t\"%c-" GUID16 "\"[%u]", letters[peer->kind], peer->node_guid,
			       port->peer_port);
	if (!is_switch(peer))
		append_port_guid(out, peer_end->guid, " ");
	g_string_append(out, "\t\t# ");
	if (!is_switch(node))
		g_string_append_printf(out, "lid %u lmc %u ", port->lid, port->lmc);
	g_string_append_printf(out, "\"%s\" lid %u", peer->description, peer_end->lid);
	append_rate(out, port);
	g_string_append_c(out, '\n');
}

static void append_node(GString *out, const struct topology *topology,
			const struct topology_node *node)
{
	g_string_append_printf(out, "\nvendid=0x%x\ndevid=0x%x\n", node->vendor_id,
			       node->device_id);
	if (node->revision)
		g_string_append_printf(out, "revision=0x%x\n", node->revision);
	if (node->planarized)
		g_string_append_printf(out, "planes=%u\n", node->port_count);
	if (node->vfs)
		g_string_append_printf(out, "vfs=%u\n", node->vfs);
	if (node->sys_image_guid)
		g_string_append_printf(out, "sysimgguid=0x" GUID "\n", node->sys_image_guid);
	g_string_append_printf(out, "%s=0x" GUID, guid_words[node->kind], node->node_guid);
	if (is_switch(node))
		append_port_guid(out, node->ports[0].guid, "");
	g_string_append_printf(out, "\n%s\t%u \"%c-" GUID16 "\"\t\t# \"%s\"",
			       kind_words[node->kind], node->port_count, letters[node->kind],
			       node->node_guid, node->description);
	if (is_switch(node))
		g_string_append_printf(out, " %s port 0 lid %u lmc %u",
				       node->enhanced_port0 ? "enhanced" : "base",
				       node->ports[0].lid, node->ports[0].lmc);
	g_string_append_c(out, '\n');
	for (unsigned int num = 1; num <= node->port_count; num++)
		append_port(out, topology, node, num);
}

/*
 * "# Initiated from node ...": names the first CA with a cable, where a discovery could have begun.
 */
static void append_start(GString *out, const struct topology *topology)
{
	for (unsigned int i = 0; i < topology->nodes->len; i++) {
		const struct topology_node *node = topology_node(topology, (int)i);

		if (node->kind != TOPOLOGY_CA)
			continue;
		for (unsigned int num = 1; num <= node->port_count; num++) {
			if (node->ports[num].peer_node < 0)
				continue;
			g_string_append_printf(out, "# Initiated from node " GUID16 " port " GUID16
					       "\n", node->node_guid, node->ports[num].guid);
			return;
		}
	}
}

void topology_write_ibnetdiscover(const struct topology *topology, GString *out)
{
	static const enum topology_kind order[] = {
		TOPOLOGY_SWITCH, TOPOLOGY_CA, TOPOLOGY_ROUTER
	};

	/* No date: an unchanged topology gives the same file. */
	g_string_append(out, "#\n# Topology file: generated by " PACKAGE_NAME "\n#\n");
	append_start(out, topology);
	for (size_t k = 0; k < G_N_ELEMENTS(order); k++) {
		for (unsigned int i = 0; i < topology->nodes->len; i++) {
			const struct topology_node *node = topology_node(topology, (int)i);

			if (node->kind == order[k])
				append_node(out, topology, node);
		}
	}
}
