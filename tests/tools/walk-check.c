/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Checks that what was read is in order. See tests/tools/walk.h.
 */
#include "tests/tools/walk.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/wire.h"

enum { HELD = 1, DONE = 2 };	/* marks of a depth-first search */

/* ---- end ports and links ---- */

static void enter_lids(struct walk *walk, struct walk_port *end)
{
	char name[96], other[96];

	for (unsigned int lid = end->lid; lid < end->lid + (1U << end->lmc); lid++) {
		if (lid < 1 || lid > LID_UNICAST_MAX) {
			walk_wrong(walk, "%s has LID %u", walk_name(end, name, sizeof(name)), lid);
			return;
		}
		if (walk->by_lid[lid])
			walk_wrong(walk, "LID %u is that of %s and of %s", lid,
				   walk_name(end, name, sizeof(name)),
				   walk_name(walk->by_lid[lid], other, sizeof(other)));
		walk->by_lid[lid] = end;
	}
}

static bool has_default_pkey(const struct walk_port *end)
{
	for (unsigned int i = 0; i < 32; i++) {
		if ((end->pkeys[i] & 0x7fff) == 0x7fff)
			return true;
	}
	return false;
}

unsigned int walk_check_ends(struct walk *walk)
{
	const struct walk_port *sm;
	char name[96];

	for (guint i = 0; i < walk->ends->len; i++)
		enter_lids(walk, g_ptr_array_index(walk->ends, i));
	for (guint i = 0; i < walk->ends->len; i++) {
		const struct walk_port *end = g_ptr_array_index(walk->ends, i);

		walk_name(end, name, sizeof(name));
		if (end->state != WALK_ACTIVE)
			walk_wrong(walk, "%s is in state %u", name, end->state);
		if (end->sm_lid != walk->own->sm_lid || end->gid_prefix != walk->own->gid_prefix)
			walk_wrong(walk, "%s has SM LID %u, prefix 0x%" G_GINT64_MODIFIER
				   "x; we have %u", name, end->sm_lid, end->gid_prefix,
				   walk->own->sm_lid);
		if (!has_default_pkey(end))
			walk_wrong(walk, "%s does not have the default P_Key", name);
	}
	if (!walk->with_sm)
		return walk->ends->len;
	sm = walk->own->sm_lid <= LID_UNICAST_MAX ? walk->by_lid[walk->own->sm_lid] : NULL;
	if (!sm || !(sm->cap_mask & 2))
		walk_wrong(walk, "there is no SM at LID %u", walk->own->sm_lid);
	return walk->ends->len;
}

static void check_link(struct walk *walk, const struct walk_port *a, const struct walk_port *b)
{
	uint8_t mtu = MIN(a->mtu_cap, b->mtu_cap);
	char first[96], second[96];

	walk_name(a, first, sizeof(first));
	walk_name(b, second, sizeof(second));
	if (a->state != WALK_ACTIVE || b->state != WALK_ACTIVE)
		walk_wrong(walk, "%s is in state %u, %s in %u", first, a->state, second, b->state);
	if (a->mtu != mtu || b->mtu != mtu)
		walk_wrong(walk, "MTU of %s is %u of %u, of %s %u of %u", first, a->mtu, a->mtu_cap,
			   second, b->mtu, b->mtu_cap);
	if (a->vls != b->vls || a->vls == 0 || a->vls > MIN(a->vl_cap, b->vl_cap))
		walk_wrong(walk, "VLs of %s are %u of %u, of %s %u of %u", first, a->vls, a->vl_cap,
			   second, b->vls, b->vl_cap);
}

unsigned int walk_check_links(struct walk *walk)
{
	unsigned int links = 0;

	for (guint i = 0; i < walk->nodes->len; i++) {
		const struct walk_node *node = g_ptr_array_index(walk->nodes, i);

		for (unsigned int num = 1; num <= node->port_count; num++) {
			const struct walk_port *port = &node->ports[num], *peer = port->peer;

			if (!peer || peer->node->index < node->index ||
			    (peer->node == node && peer->num < num))
				continue;
			check_link(walk, port, peer);
			links++;
		}
	}
	return links;
}

/* ---- unicast ---- */

/* The port by which 'node' sends to 'lid'; 0: its own port 0. */
static unsigned int egress_of(const struct walk_node *node, unsigned int lid)
{
	return lid < node->lft_size ? node->lft[lid] : WALK_NO_PORT;
}

/* The port at the other end of the cable by which 'node' sends to 'lid'; NULL: there is none. */
static struct walk_port *next_of(const struct walk_node *node, unsigned int lid)
{
	unsigned int egress = egress_of(node, lid);
	const struct walk_port *port;

	if (egress == 0 || egress > node->port_count)
		return NULL;
	port = &node->ports[egress];
	return port->peer && port->state == WALK_ACTIVE && port->peer->state == WALK_ACTIVE ?
	       port->peer : NULL;
}

/* The node to which switch 'node' sends packets for 'lid'. */
enum fate { UNKNOWN, ON_THE_WAY, ARRIVES, ELSEWHERE, DEAD_END, CIRCLE };

static enum fate fate_of(const struct walk *walk, const struct walk_node *node, unsigned int lid,
			 uint8_t *fates)
{
	uint8_t *fate = &fates[node->switch_index];
	const struct walk_port *next;

	if (*fate != UNKNOWN)
		return *fate == ON_THE_WAY ? (enum fate)(*fate = CIRCLE) : (enum fate)*fate;
	*fate = ON_THE_WAY;
	next = next_of(node, lid);
	if (!next && egress_of(node, lid) == 0)
		*fate = walk->by_lid[lid] == &node->ports[0] ? ARRIVES : ELSEWHERE;
	else if (!next)
		*fate = DEAD_END;
	else if (next->node->type != WALK_SWITCH)
		*fate = walk->by_lid[lid] == next ? ARRIVES : ELSEWHERE;
	else
		*fate = fate_of(walk, next->node, lid, fates);
	return *fate;
}

/* The switch to which an end port sends; NULL: a CA whose cable leads to another CA. */
static const struct walk_node *switch_of(const struct walk_port *end)
{
	if (end->node->type == WALK_SWITCH)
		return end->node;
	return end->peer && end->peer->node->type == WALK_SWITCH ? end->peer->node : NULL;
}

static void check_way(struct walk *walk, const struct walk_port *from, unsigned int lid,
		      uint8_t *fates)
{
	static const char *const words[] = { "?", "?", "arrives", "ends at another port",
					     "comes to a dead end", "goes in circles" };
	const struct walk_node *node = switch_of(from);
	enum fate fate = node ? fate_of(walk, node, lid, fates) : DEAD_END;
	char name[96];

	if (walk->by_lid[lid] == from || walk->by_lid[lid] == from->peer || fate == ARRIVES)
		return;
	/*
	 * From root to root: both as switches, or a host on one of them and the other as a switch.
	 */
	if (walk->up_down && fate == DEAD_END && (from->node->type == WALK_SWITCH ||
						  walk->by_lid[lid]->node->type == WALK_SWITCH))
		return;
	walk_wrong(walk, "from %s, LID %u %s", walk_name(from, name, sizeof(name)), lid,
		   words[fate]);
}

uint64_t walk_check_ways(struct walk *walk)
{
	uint8_t *fates = g_malloc(walk->switches->len + 1);
	uint64_t ways = 0;

	for (unsigned int lid = 1; lid <= LID_UNICAST_MAX; lid++) {
		if (!walk->by_lid[lid])
			continue;
		memset(fates, UNKNOWN, walk->switches->len);
		for (guint i = 0; i < walk->ends->len; i++, ways++)
			check_way(walk, g_ptr_array_index(walk->ends, i), lid, fates);
	}
	g_free(fates);
	return ways;
}

/* ---- credit cycles ---- */

/*
 * A channel is a switch and an egress port. One waits for another if a packet that has crossed the
 * one goes on by the other.
 */
enum { CHANNELS = 256, WORDS = CHANNELS / 32 };

struct channels {
	uint32_t *after;	/* [channel][WORDS]: egress ports of the next switch */
	uint8_t *marks;		/* by channel */
};

static void note_dependencies(struct channels *channels, const struct walk_node *first,
			      unsigned int lid, uint8_t *seen)
{
	const struct walk_node *node = first;

	while (!seen[node->switch_index]) {
		const struct walk_port *next = next_of(node, lid);
		size_t channel = (size_t)node->switch_index * CHANNELS + egress_of(node, lid);
		unsigned int egress;

		seen[node->switch_index] = 1;
		if (!next || next->node->type != WALK_SWITCH)
			return;
		node = next->node;
		egress = egress_of(node, lid);
		if (egress > 0 && egress <= node->port_count)
			channels->after[channel * WORDS + egress / 32] |= 1U << egress % 32;
	}
}

/* Is there a cycle through the channel's successors? */
static bool has_circle(struct channels *channels, const struct walk_node *node, unsigned int egress)
{
	size_t channel = (size_t)node->switch_index * CHANNELS + egress;
	const struct walk_port *next = node->ports[egress].peer;

	if (channels->marks[channel])
		return channels->marks[channel] == HELD;
	channels->marks[channel] = HELD;
	for (unsigned int num = 1; num < CHANNELS; num++) {
		if ((channels->after[channel * WORDS + num / 32] & 1U << num % 32) &&
		    has_circle(channels, next->node, num))
			return true;
	}
	channels->marks[channel] = DONE;
	return false;
}

void walk_check_circles(struct walk *walk)
{
	size_t count = (size_t)walk->switches->len * CHANNELS;
	struct channels channels = {
		.after = g_new0(uint32_t, count * WORDS),
		.marks = g_new0(uint8_t, count),
	};
	uint8_t *seen = g_malloc(walk->switches->len + 1);
	bool found = false;
	char name[96];

	for (unsigned int lid = 1; lid <= LID_UNICAST_MAX; lid++) {
		if (!walk->by_lid[lid] || walk->by_lid[lid]->node->type == WALK_SWITCH)
			continue;
		memset(seen, 0, walk->switches->len);
		for (guint i = 0; i < walk->ends->len; i++) {
			const struct walk_port *end = g_ptr_array_index(walk->ends, i);

			if (end->node->type != WALK_SWITCH && switch_of(end))
				note_dependencies(&channels, switch_of(end), lid, seen);
		}
	}
	for (guint i = 0; i < walk->switches->len && !found; i++) {
		struct walk_node *node = g_ptr_array_index(walk->switches, i);

		for (unsigned int num = 1; num <= node->port_count && !found; num++) {
			found = has_circle(&channels, node, num);
			if (found)
				walk_wrong(walk, "packets may wait in a circle, at %s",
					   walk_name(&node->ports[num], name, sizeof(name)));
		}
	}
	g_free(channels.after);
	g_free(channels.marks);
	g_free(seen);
}

/* ---- multicast ---- */

static bool mft_has(const struct walk_node *node, uint16_t mlid, unsigned int num)
{
	uint32_t row = (uint32_t)mlid - WALK_MLID_FIRST;

	return row < node->mft_size &&
	       (node->mft[row * WALK_TABLE_PORTS + num / 16] >> num % 16 & 1);
}

/* A copy has arrived at 'in'. Switches send one by each port of the table except that one. */
static void spread(struct walk *walk, struct walk_port *in, uint16_t mlid, unsigned int *copies,
		   GPtrArray *reached)
{
	struct walk_node *node = in->node;
	char name[96];

	if (node->type != WALK_SWITCH) {
		g_ptr_array_add(reached, in);
		return;
	}
	if (copies[node->switch_index]++) {
		walk_wrong(walk, "MLID 0x%04x comes to %s twice", mlid,
			   walk_name(in, name, sizeof(name)));
		return;
	}
	if (mft_has(node, mlid, 0))
		g_ptr_array_add(reached, &node->ports[0]);
	for (unsigned int num = 1; num <= node->port_count; num++) {
		struct walk_port *port = &node->ports[num];

		if (port == in || !mft_has(node, mlid, num))
			continue;
		if (port->peer && port->state == WALK_ACTIVE)
			spread(walk, port->peer, mlid, copies, reached);
		else
			walk_wrong(walk, "MLID 0x%04x leaves by %s, which leads nowhere", mlid,
				   walk_name(port, name, sizeof(name)));
	}
}

static struct walk_port *find_end(const struct walk *walk, uint64_t guid)
{
	for (guint i = 0; i < walk->ends->len; i++) {
		struct walk_port *end = g_ptr_array_index(walk->ends, i);

		if (end->guid == guid)
			return end;
	}
	return NULL;
}

static void check_sender(struct walk *walk, struct walk_port *from, uint16_t mlid,
			 const uint64_t *members, size_t count)
{
	unsigned int *copies = g_new0(unsigned int, walk->switches->len + 1);
	GPtrArray *reached = g_ptr_array_new();
	char name[96];

	spread(walk, from->node->type == WALK_SWITCH ? from : from->peer, mlid, copies, reached);
	g_ptr_array_add(reached, from);		/* it is not sent back */
	for (size_t i = 0; i < count; i++) {
		struct walk_port *member = find_end(walk, members[i]);

		if (!member || !g_ptr_array_remove(reached, member))
			walk_wrong(walk, "MLID 0x%04x of %s does not reach 0x%016"
				   G_GINT64_MODIFIER "x", mlid,
				   walk_name(from, name, sizeof(name)), members[i]);
	}
	for (guint i = 0; i < reached->len; i++)
		walk_wrong(walk, "MLID 0x%04x reaches %s, which is no member", mlid,
			   walk_name(g_ptr_array_index(reached, i), name, sizeof(name)));
	g_ptr_array_unref(reached);
	g_free(copies);
}

void walk_check_multicast(struct walk *walk, uint16_t mlid, const uint64_t *members, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct walk_port *from = find_end(walk, members[i]);

		if (from && (from->peer || from->node->type == WALK_SWITCH))
			check_sender(walk, from, mlid, members, count);
		else
			walk_wrong(walk, "there is no 0x%016" G_GINT64_MODIFIER "x", members[i]);
	}
	for (guint i = 0; count == 0 && i < walk->switches->len; i++) {
		const struct walk_node *node = g_ptr_array_index(walk->switches, i);

		for (unsigned int num = 0; num <= node->port_count; num++) {
			if (mft_has(node, mlid, num))
				walk_wrong(walk, "MLID 0x%04x has no member, and %s in its table",
					   mlid, node->description);
		}
	}
}
