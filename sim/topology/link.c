/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Links: joins the claims of the two ends.
 *
 * Claims that mirror each other come first. Then those whose other end claims nothing: the claim is
 * accepted. A claim that the other end contradicts is left out. Afterwards the two ends are
 * compared: rates, and what each says about the other's LID and port GUID.
 */
#include "config.h"

#include <string.h>

#include "sim/topology/format.h"
#include "sim/topology/reader.h"

static struct topology_claim *claim_at(struct topology_reader *reader, uint32_t index)
{
	return &g_array_index(reader->claims, struct topology_claim, index);
}

/* The claim of a port, or NULL. */
static struct topology_claim *claim_of(struct topology_reader *reader, int node, unsigned int port)
{
	uint32_t index = ((uint32_t *)reader->claims_by_port->pdata[node])[port];

	return index ? claim_at(reader, index - 1) : NULL;
}

static struct topology_port *port_of(struct topology_reader *reader, int node, unsigned int port)
{
	return &topology_node(reader->topology, node)->ports[port];
}

static const char *id_of(struct topology_reader *reader, int node)
{
	return topology_node(reader->topology, node)->id;
}

static void claim_error(struct topology_reader *reader, const struct topology_claim *claim,
			const char *what, const char *cure)
{
	topology_diagnose_at(reader, TOPOLOGY_ERROR, claim->file_number, claim->line,
			     "'%s'[%u] leads to '%s'[%ld], %s; the link was left out; %s",
			     id_of(reader, claim->node), claim->port, claim->peer, claim->peer_port,
			     what, cure);
}

/* ---- the peer of a claim ---- */

static bool resolve_alias(struct topology_reader *reader, struct topology_claim *claim)
{
	gsize found = GPOINTER_TO_SIZE(g_hash_table_lookup(reader->aliases, claim->peer));

	if (!found) {
		claim_error(reader, claim, "an alias that no line defines",
			    "add @[PORT] \"NAME\" to its node");
		return false;
	}
	claim->peer_node = (int)((found - 1) >> 8);
	claim->peer_port = (long)((found - 1) & 255);
	return true;
}

static bool resolve(struct topology_reader *reader, struct topology_claim *claim)
{
	unsigned int found = GPOINTER_TO_UINT(g_hash_table_lookup(reader->ids, claim->peer));

	if (found) {
		claim->peer_node = (int)found - 1;
	} else if (reader->format->has_aliases && strchr(claim->peer, '@')) {
		if (!resolve_alias(reader, claim))
			return false;
	} else {
		claim_error(reader, claim, "which is not in the file",
			    "add that node, or remove the line");
		return false;
	}

	const struct topology_node *peer = topology_node(reader->topology, claim->peer_node);

	if (claim->peer_port < 1 || claim->peer_port > peer->port_count) {
		claim_error(reader, claim, "a port that it does not have",
			    "correct the port, or the number of ports in the peer's header");
		return false;
	}
	if (claim->peer_node == claim->node && claim->peer_port == claim->port) {
		claim_error(reader, claim, "to itself", "a cable has two ends: correct the port");
		return false;
	}
	return true;
}

/* ---- joining ---- */

static bool mirrors(const struct topology_claim *a, const struct topology_claim *b)
{
	return b->peer_node == a->node && b->peer_port == a->port;
}

static void join(struct topology_reader *reader, const struct topology_claim *claim)
{
	struct topology_port *a = port_of(reader, claim->node, claim->port);
	struct topology_port *b = port_of(reader, claim->peer_node, (unsigned int)claim->peer_port);

	a->peer_node = claim->peer_node;
	a->peer_port = (uint8_t)claim->peer_port;
	b->peer_node = claim->node;
	b->peer_port = claim->port;
}

static void join_mirrored(struct topology_reader *reader, struct topology_claim *claim)
{
	const struct topology_claim *other;

	if (claim->peer_node < 0)
		return;
	other = claim_of(reader, claim->peer_node, (unsigned int)claim->peer_port);
	if (other && mirrors(claim, other))
		join(reader, claim);
}

/* Joins claims that the other end does not confirm. */
static void join_one_sided(struct topology_reader *reader, struct topology_claim *claim)
{
	const struct topology_claim *other;
	char *what;

	if (claim->peer_node < 0 || port_of(reader, claim->node, claim->port)->peer_node >= 0)
		return;
	other = claim_of(reader, claim->peer_node, (unsigned int)claim->peer_port);

	const struct topology_port *peer = port_of(reader, claim->peer_node,
						   (unsigned int)claim->peer_port);

	if (!other && peer->peer_node < 0) {
		join(reader, claim);
		port_of(reader, claim->peer_node, (unsigned int)claim->peer_port)->line =
			claim->line;
		/* ibdm's lines are cables, not ends: one is enough. */
		if (reader->format->links_once)
			return;
		topology_diagnose_at(reader, TOPOLOGY_WARNING, claim->file_number, claim->line,
				     "'%s'[%u] leads to '%s'[%ld], which has no line for that "
				     "port; the link is kept; add the line to '%s'",
				     id_of(reader, claim->node), claim->port, claim->peer,
				     claim->peer_port, id_of(reader, claim->peer_node));
		return;
	}
	if (other)
		what = g_strdup_printf("which says that it leads to '%s'[%ld] (line %u)",
				       other->peer, other->peer_port, other->line);
	else
		what = g_strdup_printf("which '%s'[%u] leads to as well",
				       id_of(reader, peer->peer_node), peer->peer_port);
	claim_error(reader, claim, what, "make both ends name each other");
	g_free(what);
	claim->peer_node = -1;
}

/* ---- comparing the ends ---- */

static bool rate_same(const struct topology_port *a, const struct topology_port *b)
{
	return a->width_active == b->width_active && a->speed_active == b->speed_active &&
	       a->speed_ext_active == b->speed_ext_active && a->fdr10 == b->fdr10;
}

static void rate_fill(struct topology_port *to, const struct topology_port *from)
{
	if (!to->width_active)
		to->width_active = from->width_active;
	if (!to->speed_active) {
		to->speed_active = from->speed_active;
		to->speed_ext_active = from->speed_ext_active;
		to->fdr10 = from->fdr10;
	}
}

static bool enabled_said(const struct topology_port *port)
{
	return port->width_enabled || port->speed_enabled || port->speed_ext_enabled;
}

static void unlink_both(struct topology_port *a, struct topology_port *b)
{
	a->peer_node = b->peer_node = -1;
	a->peer_port = b->peer_port = 0;
}

static void compare_rates(struct topology_reader *reader, const struct topology_claim *claim,
			  struct topology_port *a, struct topology_port *b)
{
	char mine[16], theirs[16];

	rate_fill(a, b);
	rate_fill(b, a);
	if (!a->width_active && !a->speed_active && (enabled_said(a) || enabled_said(b)) &&
	    !topology_rate_negotiate(a, b)) {
		claim_error(reader, claim, "with no width or no speed that both have enabled",
			    "w=, s= and e= are masks of bits: the two ends must share one of each "
			    "(the default is w=2 s=1, 4x SDR)");
		unlink_both(a, b);
		return;
	}
	if (!rate_same(a, b))
		topology_diagnose_at(reader, TOPOLOGY_WARNING, claim->file_number, claim->line,
				     "the ends of the link have different rates, %s here and %s in "
				     "line %u; each port keeps its own; a real link has one: "
				     "correct one of the lines",
				     topology_rate_name(a, mine), topology_rate_name(b, theirs),
				     b->line);
}

/* Compares a claim's LID and GUID of the peer with the peer's own, which take precedence. */
static void compare_peer(struct topology_reader *reader, const struct topology_claim *claim)
{
	struct topology_node *node = topology_node(reader->topology, claim->peer_node);
	bool is_switch = node->kind == TOPOLOGY_SWITCH;
	struct topology_port *end = &node->ports[is_switch ? 0 : claim->peer_port];

	if (!end->guid && !is_switch)
		end->guid = claim->peer_guid;
	else if (claim->peer_guid && claim->peer_guid != end->guid)
		topology_diagnose_at(reader, TOPOLOGY_WARNING, claim->file_number, claim->line,
				     "port GUID " GUID_FORMAT " of '%s', whose own record says "
				     GUID_FORMAT "; that one is used; correct this line",
				     claim->peer_guid, node->id, end->guid);
	if (claim->peer_lid && end->lid && claim->peer_lid != end->lid)
		topology_diagnose_at(reader, TOPOLOGY_WARNING, claim->file_number, claim->line,
				     "LID %ld of '%s', whose own record says %u; that one is used; "
				     "correct this line",
				     claim->peer_lid, node->id, end->lid);
}

static void compare(struct topology_reader *reader, const struct topology_claim *claim)
{
	struct topology_port *a = port_of(reader, claim->node, claim->port);

	if (claim->peer_node < 0 || a->peer_node < 0)
		return;

	struct topology_port *b = port_of(reader, claim->peer_node, (unsigned int)claim->peer_port);

	compare_peer(reader, claim);
	/* Once per link: at its first line, or the only one. */
	const struct topology_claim *other = claim_of(reader, claim->peer_node,
						      (unsigned int)claim->peer_port);
	if (!other || other > claim)
		compare_rates(reader, claim, a, b);
}

/* A port without a link is Down: the rate that it had when the file was written is of no use. */
static void forget_unlinked(struct topology_node *node)
{
	for (unsigned int num = 0; num <= node->port_count; num++) {
		struct topology_port *port = &node->ports[num];

		if (port->peer_node >= 0)
			continue;
		port->width_active = port->speed_active = port->speed_ext_active = 0;
		port->fdr10 = false;
	}
}

/* Counts the claims, and those that did not become links. */
static void count_ends(struct topology_reader *reader)
{
	struct topology_loss *loss = &reader->topology->loss;

	for (uint32_t i = 0; i < reader->claims->len; i++) {
		const struct topology_claim *claim = claim_at(reader, i);
		bool lost = port_of(reader, claim->node, claim->port)->peer_node < 0;

		loss->ends.said++;
		loss->ends.lost += lost;
		loss->lines.lost += lost;
	}
}

void topology_finish_links(struct topology_reader *reader)
{
	GPtrArray *nodes = reader->topology->nodes;
	uint32_t count = reader->claims->len;

	for (uint32_t i = 0; i < count; i++)
		if (!resolve(reader, claim_at(reader, i)))
			claim_at(reader, i)->peer_node = -1;
	for (uint32_t i = 0; i < count; i++)
		join_mirrored(reader, claim_at(reader, i));
	for (uint32_t i = 0; i < count; i++)
		join_one_sided(reader, claim_at(reader, i));
	for (uint32_t i = 0; i < count; i++)
		compare(reader, claim_at(reader, i));
	for (unsigned int i = 0; i < nodes->len; i++)
		forget_unlinked(nodes->pdata[i]);
	count_ends(reader);
}
