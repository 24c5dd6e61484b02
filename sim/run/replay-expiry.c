/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Requests that time out at once: see sim/run/replay-expiry.h. An event for each, because a packet
 * leaves in the midst of the kernel's work on its send.
 */
#include "sim/run/replay-expiry.h"

#include <glib.h>

#include "kmod-stub/kmod.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/host/kernel.h"
#include "sim/time/event-queue.h"

struct replay_expiry {
	struct replay_expiry *next;
	struct replay_expiry **link;
	struct event event;
	struct end_port *from;
	uint64_t tid;
	uint8_t mgmt_class;
};

static void expiry_free(struct replay_expiry *expiry)
{
	*expiry->link = expiry->next;
	if (expiry->next)
		expiry->next->link = expiry->link;
	g_free(expiry);
}

static void fire(struct event *event)
{
	struct replay_expiry *expiry = container_of(event, struct replay_expiry, event);
	struct kmod_port *kmod = end_port_kmod(expiry->from);

	if (kmod)
		kmod_port_expire(kmod, expiry->tid, expiry->mgmt_class);
	expiry_free(expiry);
}

void replay_expiry_add(struct end_port *from, const struct packet *request, int64_t delay_ns)
{
	struct umadrig_fabric *fabric = from->port->node->fabric;
	struct replay_expiry *expiry = g_new0(struct replay_expiry, 1);
	const uint8_t *mad = packet_mad_const(request);

	expiry->event = (struct event){ .kind = EVENT_DELIVERY, .fire = fire };
	expiry->from = from;
	expiry->tid = get_be64(mad + MAD_TID);
	expiry->mgmt_class = mad[MAD_CLASS];
	expiry->next = fabric->replay_expiries;
	expiry->link = &fabric->replay_expiries;
	if (expiry->next)
		expiry->next->link = &expiry->next;
	fabric->replay_expiries = expiry;
	event_queue_arm(&fabric->queue, &expiry->event, fabric->queue.now_ns + delay_ns);
}

void replay_expiry_clear(struct umadrig_fabric *fabric)
{
	while (fabric->replay_expiries) {
		event_queue_disarm(&fabric->queue, &fabric->replay_expiries->event);
		expiry_free(fabric->replay_expiries);
	}
}
