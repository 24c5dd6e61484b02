/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Reports of multicast groups: see sim/fabric/report-group.h.
 */
#include "sim/fabric/report-group.h"

#include <glib.h>
#include <string.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/forward-switch.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

enum {
	NO_INGRESS = UINT8_MAX,		/* not a port's number */
	COPIES_MAX = 1 << 20,		/* cables that one packet's copies may cross */
	LOST_MAX = 20,			/* faults that are reported one by one */
};

struct group {
	uint16_t mlid;
	GPtrArray *members;		/* of struct port *: a CA's, or port 0 of a switch */
	GHashTable *index;		/* struct port * -> index there + 1; look-up only */
	unsigned int *copies;		/* by index: of the present packet */
	GPtrArray *waiting;		/* of struct port *: where copies of it have come in */
	unsigned int left;		/* cables that it may still cross */
	bool is_whole;			/* the present member, so far */
	unsigned int lost;
	GString *details;
};

static void tell_lost(struct group *group, const struct port *from, const char *what,
		      const struct port *port, const char *how)
{
	char name[PORT_NAME_SIZE], other[PORT_NAME_SIZE];

	group->is_whole = false;
	if (group->lost++ < LOST_MAX)
		g_string_append_printf(group->details, "lost %s: %s%s%s\n",
				       port_format(from, name), what, port_format(port, other),
				       how);
}

static void arrive(struct group *group, struct port *port, bool is_search)
{
	guint at = GPOINTER_TO_UINT(g_hash_table_lookup(group->index, port));

	if (!is_search) {
		/*
		 * A port that is no member got it over a port that is in none of its switch's
		 * tables.
		 */
		if (at)
			group->copies[at - 1]++;
		return;
	}
	if (at)
		return;
	g_ptr_array_add(group->members, port);
	g_hash_table_insert(group->index, port, GUINT_TO_POINTER(group->members->len));
}

/* Adds the ports on the switch, and its own, that have the group in the table. */
static void meet(struct group *group, struct node *sw)
{
	uint8_t egress[UINT8_MAX + 1];
	unsigned int count = switch_multicast(sw, NO_INGRESS, group->mlid, egress);

	for (unsigned int i = 0; i < count; i++) {
		struct port *out = &sw->ports[egress[i]];

		if (out->num == 0)
			arrive(group, out, true);
		else if (port_is_linked(out) && !out->peer->node->sw)
			arrive(group, out->peer, true);
	}
}

/* From 'out' over its cable; NULL: there is none, or it is not Active. */
static struct port *cross(struct group *group, const struct port *from, struct port *out)
{
	if (port_is_linked(out) && out->state == PORT_ACTIVE && out->peer->state == PORT_ACTIVE)
		return out->peer;
	tell_lost(group, from, "the link at ", out, " is not Active");
	return NULL;
}

/* A copy of the packet from 'from' has come in by 'in': queues the ports that it goes on to. */
static void step(struct group *group, struct port *from, struct port *in)
{
	uint8_t egress[UINT8_MAX + 1];
	unsigned int count;

	if (!in->node->sw) {
		arrive(group, in, false);
		return;
	}
	count = switch_multicast(in->node, in->num, group->mlid, egress);
	for (unsigned int i = 0; i < count && group->left > 0; i++) {
		struct port *out = &in->node->ports[egress[i]];

		if (out->num == 0) {
			arrive(group, out, false);
			continue;
		}
		if (--group->left == 0)
			tell_lost(group, from, "it goes in circles at ", out, "");
		out = cross(group, from, out);
		if (out)
			g_ptr_array_add(group->waiting, out);
	}
}

/* Not recursive: copies that go in circles would be too many for the stack. */
static void spread(struct group *group, struct port *from, struct port *in)
{
	step(group, from, in);
	while (group->waiting->len > 0)
		step(group, from, g_ptr_array_steal_index(group->waiting,
							  group->waiting->len - 1));
}

/* Sends a packet from a member. */
static bool send_from(struct group *group, guint place)
{
	struct port *from = group->members->pdata[place];
	struct port *in = from->num == 0 ? from : NULL;

	group->left = COPIES_MAX;
	group->is_whole = true;
	memset(group->copies, 0, group->members->len * sizeof(*group->copies));
	if (!in)
		in = cross(group, from, from);
	if (in)
		spread(group, from, in);
	for (guint i = 0; i < group->members->len; i++) {
		unsigned int wanted = i != place;
		char how[32];

		if (group->copies[i] == wanted)
			continue;
		g_snprintf(how, sizeof(how), group->copies[i] ? " gets %u" : " gets none",
			   group->copies[i]);
		tell_lost(group, from, "", group->members->pdata[i], how);
	}
	return group->is_whole;
}

char *report_group_text(struct umadrig_fabric *fabric, uint16_t mlid)
{
	struct group group = {
		.mlid = mlid,
		.members = g_ptr_array_new(),
		.waiting = g_ptr_array_new(),
		.index = g_hash_table_new(NULL, NULL),
		.details = g_string_new(NULL),
	};
	GString *summary = g_string_new(NULL);
	char name[PORT_NAME_SIZE];
	unsigned int whole = 0;

	for (guint i = 0; i < fabric->nodes->len; i++) {
		struct node *node = fabric->nodes->pdata[i];

		if (node->sw && !node->removed)
			meet(&group, node);
	}
	group.copies = g_new(unsigned int, group.members->len + 1);
	for (guint i = 0; i < group.members->len; i++) {
		g_string_append_printf(summary, "member %s\n",
				       port_format(group.members->pdata[i], name));
		whole += send_from(&group, i);
	}
	g_snprintf(name, sizeof(name), "members %u whole %u\n", group.members->len, whole);
	g_string_prepend(summary, name);
	g_string_append_len(summary, group.details->str, (gssize)group.details->len);
	g_string_free(group.details, true);
	g_free(group.copies);
	g_hash_table_unref(group.index);
	g_ptr_array_unref(group.members);
	g_ptr_array_unref(group.waiting);
	return g_string_free(summary, false);
}
