/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * "one-master": what subnet managers say of themselves, and do. See
 * sim/property/property-condition.h.
 *
 * A subnet manager takes itself for the master if its SMInfo says so (IBA vol 1, 14.2.5.13), or if
 * it writes to nodes, which only a master does (14.4.1): by a Set of anything but SMInfo. It is
 * none any more when its SMInfo says so, when it hands over (a Set of SMInfo with HANDOVER), or
 * when its port has no IsSM bit: the program has ended.
 */
#include "sim/property/property-condition.h"

#include "kmod-stub/packet.h"
#include "sim/agents/sma.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

enum {
	SM_STATE = SMP_DATA + 20,	/* of SMInfo: priority and state, 4 bits each */
	SM_STATE_MASK = 0x0f,
	SM_STATE_MASTER = 3,
	SM_HANDOVER = 1,		/* AttributeModifier of a Set */
};

/* In the order in which they were first seen. */
struct masters {
	GPtrArray *ends;	/* of struct end_port * */
};

bool condition_masters_begin(struct condition *condition, const char *words, char **reterr)
{
	struct masters *masters = g_new0(struct masters, 1);

	(void)words;
	(void)reterr;
	condition->data = masters;
	masters->ends = g_ptr_array_new();
	return true;
}

void condition_masters_end(struct condition *condition)
{
	struct masters *masters = condition->data;

	if (masters)
		g_ptr_array_unref(masters->ends);
	g_clear_pointer(&condition->data, g_free);
}

static void note(struct masters *masters, struct end_port *end, bool is_master)
{
	bool was_master = g_ptr_array_find(masters->ends, end, NULL);

	if (is_master && !was_master)
		g_ptr_array_add(masters->ends, end);
	else if (!is_master && was_master)
		g_ptr_array_remove(masters->ends, end);
}

static bool has_sm(const struct end_port *end)
{
	return (end->cap_mask & CAP_IS_SM) && !end->port->node->removed;
}

void condition_masters_see(struct condition *condition, struct port *port,
			   const struct packet *packet)
{
	const uint8_t *mad = packet_mad_const(packet);
	struct end_port *end = port_speaker(port);
	bool is_info;

	if (!mad_class_is_smp(mad[MAD_CLASS]) || !has_sm(end))
		return;
	is_info = get_be16(mad + MAD_ATTR_ID) == ATTR_SM_INFO;
	if (is_info && mad[MAD_METHOD] == MAD_METHOD_GET_RESP)
		note(condition->data, end, (mad[SM_STATE] & SM_STATE_MASK) == SM_STATE_MASTER);
	else if (is_info && mad[MAD_METHOD] == MAD_METHOD_SET &&
		 get_be32(mad + MAD_ATTR_MOD) == SM_HANDOVER)
		note(condition->data, end, false);
	else if (!is_info && mad[MAD_METHOD] == MAD_METHOD_SET)
		note(condition->data, end, true);
}

/* Those whose program has ended are masters no more, even if another begins there. */
static void forget_ended(struct masters *masters)
{
	for (unsigned int i = 0; i < masters->ends->len; ) {
		if (has_sm(g_ptr_array_index(masters->ends, i)))
			i++;
		else
			g_ptr_array_remove_index(masters->ends, i);
	}
}

/* Adds a switch's neighbours that have not been met. */
static void meet_neighbours(GPtrArray *met, const struct node *sw)
{
	for (unsigned int num = 1; num <= sw->port_count; num++) {
		struct port *port = &sw->ports[num];

		if (port_is_linked(port) && !g_ptr_array_find(met, port->peer->node, NULL))
			g_ptr_array_add(met, port->peer->node);
	}
}

/* Do links lead from one to the other? A subnet that is torn apart has a master in each part. */
static bool are_joined(const struct end_port *a, const struct end_port *b)
{
	g_autoptr(GPtrArray) met = g_ptr_array_new();
	const struct port *port = a->port;

	g_ptr_array_add(met, port->node);
	if (!port->node->sw && port_is_linked(port))
		g_ptr_array_add(met, port->peer->node);
	for (unsigned int i = 0; i < met->len; i++) {
		const struct node *node = g_ptr_array_index(met, i);

		if (node == b->port->node)
			return node->sw || node != a->port->node;
		if (node->sw)
			meet_neighbours(met, node);
	}
	return false;
}

static bool are_two(const struct end_port *a, const struct end_port *b, GString *why)
{
	char one[PORT_NAME_SIZE], other[PORT_NAME_SIZE];

	if (a->subnet != b->subnet || !are_joined(a, b))
		return false;
	if (why)
		g_string_append_printf(why, "%s and %s are masters", port_format(a->port, one),
				       port_format(b->port, other));
	return true;
}

bool condition_one_master(struct condition *condition, GString *why)
{
	struct masters *masters = condition->data;

	forget_ended(masters);
	for (unsigned int i = 0; i < masters->ends->len; i++) {
		for (unsigned int j = i + 1; j < masters->ends->len; j++) {
			if (are_two(g_ptr_array_index(masters->ends, i),
				    g_ptr_array_index(masters->ends, j), why))
				return false;
		}
	}
	return true;
}
