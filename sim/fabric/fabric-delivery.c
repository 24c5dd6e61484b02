/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Packets on their way to their end: see sim/fabric/fabric-delivery.h.
 */
#include "sim/fabric/fabric-delivery.h"

#include <glib.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/time/event-queue.h"

struct deliveries {
	struct delivery *free;
	int64_t instant_ns;		/* when a packet was last delivered without delay */
	unsigned int instant_packets;	/* how many since then, almost without a pause */
};

/* A packet on its way to its end. */
struct delivery {
	struct event event;
	struct delivery *next;		/* when not in use */
	struct packet *packet;
	struct port *in;		/* where it arrives: an end port, or any port of a switch */
};

static void delivery_fire(struct event *event)
{
	struct delivery *delivery = container_of(event, struct delivery, event);
	struct umadrig_fabric *fabric = delivery->in->node->fabric;
	struct packet *packet = delivery->packet;
	struct port *in = delivery->in;

	delivery->next = fabric->deliveries->free;
	fabric->deliveries->free = delivery;
	fabric->arrive(in, packet);
}

/*
 * Without latency two kernels that answer each other for ever would do so at one instant (Linux: an
 * ACK for an outstanding request is acknowledged), and the timer that ends it would never fire. So
 * packets are delayed after half a million at one instant.
 */
static int64_t rein_in(struct deliveries *deliveries, int64_t now_ns, int64_t at_ns)
{
	enum { PACKETS_MAX = 1 << 19, PACKET_NS = 10000, PAUSE_NS = 10 * PACKET_NS };

	if (at_ns > now_ns)
		return at_ns;
	if (now_ns - deliveries->instant_ns > PAUSE_NS)
		deliveries->instant_packets = 0;
	deliveries->instant_ns = now_ns;
	return ++deliveries->instant_packets > PACKETS_MAX ? now_ns + PACKET_NS : now_ns;
}

/*
 * Makes one more delivery, with the members that never change, and uses it. Not inlined, so that
 * the usual packet saves no registers.
 */
__attribute__((noinline)) static void arm_another(struct port *in, struct packet *packet,
						  int64_t at_ns)
{
	struct umadrig_fabric *fabric = in->node->fabric;
	struct delivery *delivery = g_new(struct delivery, 1);

	if (!fabric->deliveries)
		fabric->deliveries = g_new0(struct deliveries, 1);
	*delivery = (struct delivery) {
		.event = { .kind = EVENT_DELIVERY, .fire = delivery_fire },
	};
	fabric->deliveries->free = delivery;
	delivery_arm(in, packet, at_ns);
}

void delivery_arm(struct port *in, struct packet *packet, int64_t at_ns)
{
	struct umadrig_fabric *fabric = in->node->fabric;
	struct deliveries *deliveries = fabric->deliveries;
	struct delivery *delivery = deliveries ? deliveries->free : NULL;

	if (!delivery) {
		arm_another(in, packet, at_ns);
		return;
	}
	deliveries->free = delivery->next;
	delivery->packet = packet;
	delivery->in = in;
	event_queue_arm(&fabric->queue, &delivery->event,
			rein_in(deliveries, fabric->queue.now_ns, at_ns));
}

void deliveries_clear(struct umadrig_fabric *fabric)
{
	struct delivery *free = fabric->deliveries ? fabric->deliveries->free : NULL;

	for (size_t i = 0; i < fabric->queue.count; i++) {
		struct event *event = fabric->queue.heap[i];
		struct delivery *delivery = container_of(event, struct delivery, event);

		if (event->fire != delivery_fire)
			continue;
		packet_free(&fabric->pool, delivery->packet);
		delivery->next = free;
		free = delivery;
	}
	event_queue_clear(&fabric->queue);
	while (free) {
		struct delivery *delivery = free;

		free = delivery->next;
		g_free(delivery);
	}
	g_clear_pointer(&fabric->deliveries, g_free);
}
