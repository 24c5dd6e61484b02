/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Packets that faults keep on a cable. See sim/fabric/fault.h.
 *
 * A held packet has left its port and not reached the other end. It goes on at a given time, or
 * after another packet: it is then due at the same instant, and arrives after that one, because
 * events of one instant keep their order.
 */
#include <glib.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/fault.h"

#include "sim/fabric/drop.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/time/event-queue.h"

struct fault_hold {
	struct event event;
	struct fault_hold *next, *prev;	/* the fabric's list, a ring without a head */
	struct packet *packet;
	struct port *out;
	fault_resume_fn *resume;
	int rule_id;			/* the rule that holds it back until another passes, or 0 */
};

static void list_add(struct umadrig_fabric *fabric, struct fault_hold *hold)
{
	struct fault_hold *first = fabric->fault_holds;

	if (!first) {
		hold->next = hold->prev = fabric->fault_holds = hold;
		return;
	}
	hold->next = first;
	hold->prev = first->prev;
	first->prev->next = hold;
	first->prev = hold;
}

static void list_remove(struct umadrig_fabric *fabric, struct fault_hold *hold)
{
	hold->next->prev = hold->prev;
	hold->prev->next = hold->next;
	if (fabric->fault_holds == hold)
		fabric->fault_holds = hold->next == hold ? NULL : hold->next;
}

static unsigned int ring_length(const struct umadrig_fabric *fabric)
{
	const struct fault_hold *hold = fabric->fault_holds;
	unsigned int length = 0;

	if (!hold)
		return 0;
	do {
		length++;
		hold = hold->next;
	} while (hold != fabric->fault_holds);
	return length;
}

/* Makes it wait for no other packet any more. */
static void stop_waiting(struct fault_hold *hold)
{
	if (hold->rule_id)
		hold->out->held_back--;
	hold->rule_id = 0;
}

/* Ends the hold; the packet is the caller's. */
static struct packet *take(struct fault_hold *hold)
{
	struct umadrig_fabric *fabric = hold->out->node->fabric;
	struct packet *packet = hold->packet;

	stop_waiting(hold);
	event_queue_disarm(&fabric->queue, &hold->event);
	list_remove(fabric, hold);
	g_free(hold);
	return packet;
}

static void hold_fire(struct event *event)
{
	struct fault_hold *hold = container_of(event, struct fault_hold, event);
	struct port *out = hold->out;
	fault_resume_fn *resume = hold->resume;
	struct packet *packet = take(hold);

	fault_passed(out);
	if (port_is_linked(out))
		resume(out->peer, packet);
	else
		drop_packet(out->peer, packet, "the link went down while it was on the cable");
}

static void hold_new(struct port *out, struct packet *packet, int64_t at_ns, int rule_id,
		     fault_resume_fn *resume)
{
	struct umadrig_fabric *fabric = out->node->fabric;
	struct fault_hold *hold = g_new0(struct fault_hold, 1);

	hold->event.kind = EVENT_DELIVERY;
	hold->event.fire = hold_fire;
	hold->packet = packet;
	hold->out = out;
	hold->rule_id = rule_id;
	hold->resume = resume;
	if (rule_id)
		out->held_back++;
	list_add(fabric, hold);
	event_queue_arm(&fabric->queue, &hold->event, at_ns);
}

void fault_hold(struct port *out, struct packet *packet, int64_t at_ns, fault_resume_fn *resume)
{
	hold_new(out, packet, at_ns, 0, resume);
}

void fault_hold_back(struct port *out, struct packet *packet, int64_t at_ns, int id,
		     fault_resume_fn *resume)
{
	hold_new(out, packet, at_ns, id, resume);
}

/* Lets the packets go on that 'rule_id' (0: any rule) holds back at 'out' (NULL: any port). */
static void release(struct umadrig_fabric *fabric, const struct port *out, int rule_id)
{
	struct fault_hold *hold = fabric->fault_holds;

	if (!hold)
		return;
	do {
		if (hold->rule_id && (!out || hold->out == out) &&
		    (!rule_id || hold->rule_id == rule_id)) {
			stop_waiting(hold);
			event_queue_arm(&fabric->queue, &hold->event, fabric->queue.now_ns);
		}
		hold = hold->next;
	} while (hold != fabric->fault_holds);
}

void fault_passed(struct port *out)
{
	if (out->held_back)
		release(out->node->fabric, out, 0);
}

void fault_release(struct umadrig_fabric *fabric, int id)
{
	release(fabric, NULL, id);
}

void fault_hold_lose(struct port *out)
{
	struct umadrig_fabric *fabric = out->node->fabric;
	struct fault_hold *hold = fabric->fault_holds, *next;

	/* drop_packet() neither holds nor releases anything, so the ring stays as it is. */
	for (unsigned int left = ring_length(fabric); left > 0; left--, hold = next) {
		next = hold->next;
		if (hold->out == out)
			drop_packet(out, take(hold), "the cable that it was on was taken away");
	}
}

void fault_hold_clear(struct umadrig_fabric *fabric)
{
	while (fabric->fault_holds)
		packet_free(&fabric->pool, take(fabric->fault_holds));
}
