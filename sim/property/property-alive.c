/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * "alive": subnet managers that answer. See sim/property/property-condition.h.
 *
 * As a standby does with the master (IBA vol 1, 14.4.1), each port that has IsSM is asked for its
 * SMInfo, every ASK_NS. Such a request goes into the program, and the answer out of it: one that is
 * stopped, or in a deadlock, has none. It seems to come from the neighbour, by a directed route,
 * and no fault hits it; the answer counts where it leaves the port.
 */
#include "sim/property/property-condition.h"

#include <string.h>

#include "kmod-stub/packet.h"
#include "sim/agents/sma.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/lane.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/record.h"
#include "sim/time/event-queue.h"

static const int64_t ask_ns = INT64_C(5) * NS_PER_S;

/* The TIDs that are asked with: nobody's else, as Linux numbers agents from 1. */
#define TID_BASE (UINT64_C(0xa11fe) << 32)

struct manager {
	struct end_port *end;
	int64_t silent_ns;		/* since when it owes an answer; -1: it does not */
};

struct alive {
	struct condition *condition;
	struct event tick;		/* armed while there is one to ask */
	GArray *managers;		/* of struct manager, in the order of nodes */
	int64_t gone_ns;		/* since when there is none */
	uint64_t tid;
};

static void tick_fire(struct event *event);

bool condition_alive_begin(struct condition *condition, const char *words, char **reterr)
{
	struct alive *alive = g_new0(struct alive, 1);

	(void)words;
	(void)reterr;
	*alive = (struct alive){
		.condition = condition, .tick = { .kind = EVENT_USER, .fire = tick_fire },
		.managers = g_array_new(false, false, sizeof(struct manager)),
		.gone_ns = condition->fabric->queue.now_ns, .tid = TID_BASE,
	};
	condition->data = alive;
	return true;
}

void condition_alive_end(struct condition *condition)
{
	struct alive *alive = condition->data;

	if (!alive)
		return;
	event_queue_disarm(&condition->fabric->queue, &alive->tick);
	g_array_unref(alive->managers);
	g_clear_pointer(&condition->data, g_free);
}

/* ---- who is to be asked ---- */

/* The fabric's own SA is no program. */
static bool has_sm(const struct end_port *end)
{
	return (end->cap_mask & CAP_IS_SM) && !end->port->node->removed && !fabric_sa_is_on(end);
}

static const struct manager *find(const struct alive *alive, const struct end_port *end)
{
	for (unsigned int i = 0; i < alive->managers->len; i++) {
		struct manager *manager = &g_array_index(alive->managers, struct manager, i);

		if (manager->end == end)
			return manager;
	}
	return NULL;
}

/* Those that are there now; what is known of them stays so. */
static void look_for_managers(struct alive *alive)
{
	const struct umadrig_fabric *fabric = alive->condition->fabric;
	GArray *now = g_array_new(false, false, sizeof(struct manager));

	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		for (unsigned int num = node->sw ? 0 : 1;
		     num <= (node->sw ? 0U : node->port_count); num++) {
			struct end_port *end = node_end_port(node, num);
			const struct manager *known = find(alive, end);
			struct manager manager = known ? *known :
						 (struct manager){ .end = end, .silent_ns = -1 };

			if (has_sm(end))
				g_array_append_val(now, manager);
		}
	}
	if (now->len == 0 && alive->managers->len > 0)
		alive->gone_ns = fabric->queue.now_ns;
	g_array_unref(alive->managers);
	alive->managers = now;
	if (now->len > 0 && !event_is_armed(&alive->tick) && !alive->condition->is_over)
		event_queue_arm(&alive->condition->fabric->queue, &alive->tick,
				fabric->queue.now_ns + ask_ns);
}

/* ---- asking ---- */

/* Where it seems to come in; a switch's own is behind any of its ports. */
static struct port *way_in(struct end_port *end)
{
	struct node *node = end->port->node;

	for (unsigned int num = 1; node->sw && num <= node->port_count; num++) {
		if (port_is_linked(&node->ports[num]))
			return &node->ports[num];
	}
	return end->port;
}

/* SubnGet(SMInfo), at the end of a directed route of one hop. */
static void fill(uint8_t *mad, uint64_t tid, const struct port *in)
{
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_SUBN_DR;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = MAD_METHOD_GET;
	mad[SMP_HOP_PTR] = mad[SMP_HOP_CNT] = 1;
	put_be64(mad + MAD_TID, tid);
	put_be16(mad + MAD_ATTR_ID, ATTR_SM_INFO);
	put_be16(mad + SMP_DR_SLID, LID_PERMISSIVE);
	put_be16(mad + SMP_DR_DLID, LID_PERMISSIVE);
	mad[SMP_INITIAL_PATH + 1] = in->peer ? in->peer->num : 0;
}

static void ask(struct alive *alive, struct end_port *end)
{
	struct umadrig_fabric *fabric = alive->condition->fabric;
	const struct packet_addr addr = {
		.slid = LID_PERMISSIVE, .dlid = LID_PERMISSIVE, .vl = LANE_SMP,
		.pkey = PKEY_DEFAULT,
	};
	struct packet *packet = packet_new(&fabric->pool);
	struct port *in = way_in(end);

	packet_build(packet, &addr);
	packet->hops = 0;
	fill(packet_mad(packet), ++alive->tid, in);
	if (in->peer)
		record_packet(in->peer, fabric->queue.now_ns, true, packet, "asked by 'alive'");
	fabric->arrive(in, packet);
}

static void tick_fire(struct event *event)
{
	struct alive *alive = container_of(event, struct alive, tick);
	struct umadrig_fabric *fabric = alive->condition->fabric;
	g_autoptr(GArray) asked = NULL;

	if (alive->condition->is_over)
		return;
	look_for_managers(alive);
	/* Answers come while others are still being asked. */
	asked = g_array_copy(alive->managers);
	for (unsigned int i = 0; i < alive->managers->len; i++) {
		struct manager *manager = &g_array_index(alive->managers, struct manager, i);

		if (manager->silent_ns < 0)
			manager->silent_ns = fabric->queue.now_ns;
	}
	for (unsigned int i = 0; i < asked->len; i++)
		ask(alive, g_array_index(asked, struct manager, i).end);
	if (alive->condition->changed)
		alive->condition->changed(fabric);
}

static bool is_answer(const uint8_t *mad)
{
	return mad[MAD_CLASS] == MAD_CLASS_SUBN_DR && mad[MAD_METHOD] == MAD_METHOD_GET_RESP &&
	       get_be16(mad + MAD_ATTR_ID) == ATTR_SM_INFO &&
	       get_be64(mad + MAD_TID) >> 32 == TID_BASE >> 32;
}

/* An error is the kernel's answer: no program has taken the request. */
void condition_alive_see(struct condition *condition, struct port *port,
			 const struct packet *packet)
{
	struct alive *alive = condition->data;
	const struct end_port *end = port_speaker(port);
	const uint8_t *mad = packet_mad_const(packet);

	if (!is_answer(mad) || (get_be16(mad + MAD_STATUS) & ~SMP_DIRECTION))
		return;
	for (unsigned int i = 0; i < alive->managers->len; i++) {
		struct manager *manager = &g_array_index(alive->managers, struct manager, i);

		if (manager->end == end)
			manager->silent_ns = -1;
	}
}

/* ---- the condition ---- */

/* The one that has been silent for longest; NULL: all have answered. */
static const struct manager *most_silent(const struct alive *alive)
{
	const struct manager *found = NULL;

	for (unsigned int i = 0; i < alive->managers->len; i++) {
		const struct manager *manager =
			&g_array_index(alive->managers, struct manager, i);

		if (manager->silent_ns >= 0 && (!found || manager->silent_ns < found->silent_ns))
			found = manager;
	}
	return found;
}

int64_t condition_alive_since_ns(const struct condition *condition)
{
	const struct alive *alive = condition->data;
	const struct manager *silent = most_silent(alive);

	return silent ? silent->silent_ns : alive->gone_ns;
}

bool condition_alive(struct condition *condition, GString *why)
{
	struct alive *alive = condition->data;
	const struct manager *silent;
	char name[PORT_NAME_SIZE];

	look_for_managers(alive);
	silent = most_silent(alive);
	if (silent && why)
		g_string_append_printf(why, "the subnet manager at %s answers no SMInfo",
				       port_format(silent->end->port, name));
	else if (alive->managers->len == 0 && why)
		g_string_append(why, "there is no subnet manager");
	return !silent && alive->managers->len > 0;
}
