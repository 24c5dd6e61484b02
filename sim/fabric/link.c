/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Links: see sim/fabric/link.h.
 */
#include "sim/fabric/link.h"

#include <errno.h>
#include <glib.h>

#include "lib/base/invariant.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/load-touch.h"
#include "sim/fabric/node-change.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port-counters.h"
#include "sim/fabric/port.h"
#include "sim/fabric/trap.h"
#include "sim/time/event-queue.h"

enum { TRAINING_MS = 10 };

/* A later change of a link: from Polling to LinkUp if it 'trains', else to phys_wanted. */
struct change {
	struct event event;
	struct port *port;
	bool trains;
};

/* ---- rates ---- */

/* The bits of LinkWidth from the narrowest to the widest: their numbers are not in that order. */
static const uint8_t widths[] = { 1, 16, 2, 4, 8 };

uint8_t link_best_width(uint8_t mask)
{
	for (size_t i = G_N_ELEMENTS(widths); i-- > 0;) {
		if (mask & widths[i])
			return widths[i];
	}
	return 0;
}

unsigned int link_lanes(uint8_t mask)
{
	switch (link_best_width(mask)) {	/* LinkWidthActive, from the wire */
	case 2:
		return 4;
	case 4:
		return 8;
	case 8:
		return 12;
	case 16:
		return 2;
	default:
		return 1;
	}
}

uint8_t link_widths_up_to(uint8_t width)
{
	uint8_t mask = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(widths); i++) {
		/* 2x came with HDR: ports with 4x need not support it. */
		if (widths[i] != 16 || width == 16)
			mask |= widths[i];
		if (widths[i] == width)
			break;
	}
	return mask;
}

uint8_t link_best_speed(uint8_t mask)
{
	return mask ? (uint8_t)(1U << (31 - __builtin_clz(mask))) : 0;
}

/* Of a lane. 8b/10b coding up to QDR, 64b/66b from FDR10 on (IBA vol 2, 5.3 and 5.4). */
static uint64_t lane_bits_per_s(const struct port *port)
{
	enum { MBIT = 1000000, FDR10_MBIT = 10000 };
	static const struct { uint8_t speed; uint64_t bits_per_s; } ext[] = {
		{ LINK_SPEED_FDR, UINT64_C(13636363636) },
		{ LINK_SPEED_EDR, UINT64_C(25000000000) },
		{ LINK_SPEED_HDR, UINT64_C(50000000000) },
		{ LINK_SPEED_NDR, UINT64_C(100000000000) },
		{ LINK_SPEED_XDR, UINT64_C(200000000000) },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(ext); i++) {
		if (port->speed_ext_active == ext[i].speed)
			return ext[i].bits_per_s;
	}
	/* LinkSpeedActive 1, 2, 4: 2.5, 5 and 10 Gb/s, of which 2, 4 and 8 are data. */
	return port->fdr10_active ? (uint64_t)FDR10_MBIT * MBIT :
				    UINT64_C(2000) * MBIT * port->speed_active;
}

uint64_t link_bits_per_s(const struct port *port)
{
	/* The numbers of LinkWidthActive are bits, of which 16 is 2x. */
	static const uint8_t lanes[] = { [1] = 1, [2] = 4, [4] = 8, [8] = 12, [16] = 2 };
	uint8_t width = port->width_active;

	return (width < G_N_ELEMENTS(lanes) ? lanes[width] : 0) * lane_bits_per_s(port);
}

uint8_t link_fec_supported(const struct port *port, unsigned int speed)
{
	enum { NONE = 1 << 0, FIRE_CODE = 1 << 1, REED_SOLOMON = 1 << 2 };
	static const uint8_t modes[LINK_FEC_SPEEDS] = {
		NONE | FIRE_CODE, NONE | REED_SOLOMON, REED_SOLOMON, REED_SOLOMON,
	};

	return port->speed_ext_supported & 1U << speed ? modes[speed] : 0;
}

/*
 * The strongest mode that both ends have enabled. XDR has only Reed-Solomon, and no field for it.
 */
static uint8_t fec_mode(const struct port *port)
{
	enum { MODE_REED_SOLOMON = 2 };
	uint8_t both;

	if (!port->speed_ext_active)
		return 0;
	if (port->speed_ext_active == LINK_SPEED_XDR)
		return MODE_REED_SOLOMON;
	both = port->fec_enabled[__builtin_ctz(port->speed_ext_active)] &
	       port->peer->fec_enabled[__builtin_ctz(port->speed_ext_active)];
	return both ? (uint8_t)(31 - __builtin_clz(both)) : 0;
}

void link_agree(struct port *port)
{
	enum { QDR = 4 };
	struct port *peer = port->peer;

	node_changed(port->node);
	node_changed(peer->node);
	port->fec_active = peer->fec_active = fec_mode(port);
	port->fdr10_active = peer->fdr10_active =
		port->fdr10_enabled && peer->fdr10_enabled && port->speed_active == QDR &&
		!port->speed_ext_active;
}

/* What both ends have enabled, and the cable still carries. */
struct common {
	uint8_t widths, speeds, ext_speeds;
};

static struct common in_common(const struct port *port, uint8_t widths_left, uint8_t speed_left)
{
	static const uint8_t speeds[] = { [LINK_SDR] = 1, [LINK_DDR] = 3, [LINK_QDR] = 7 };
	static const uint8_t ext[] = {
		[LINK_FDR] = 1, [LINK_EDR] = 3, [LINK_HDR] = 7, [LINK_NDR] = 15, [LINK_XDR] = 47,
	};
	const struct port *peer = port->peer;

	return (struct common) {
		.widths = port->width_enabled & peer->width_enabled &
			  (widths_left ? widths_left : 0xff),
		.speeds = port->speed_enabled & peer->speed_enabled &
			  (speed_left && speed_left <= LINK_QDR ? speeds[speed_left] : 0xff),
		.ext_speeds = port->speed_ext_enabled & peer->speed_ext_enabled &
			      (speed_left ? ext[speed_left] : 0xff),
	};
}

static bool has_rate(struct common common)
{
	return common.widths && (common.speeds | common.ext_speeds);
}

static void set_rate(struct port *port)
{
	struct common common = in_common(port, port->widths_left, port->speed_left);

	port->width_active = link_best_width(common.widths);
	port->speed_active = link_best_speed(common.speeds);
	port->speed_ext_active = link_best_speed(common.ext_speeds);
	link_agree(port);
}

static void recover(struct port *port, uint8_t widths_left, uint8_t speed_left)
{
	struct port *ends[] = { port, port->peer };

	if (port->widths_left == widths_left && port->speed_left == speed_left)
		return;
	load_touch(port->node->fabric);
	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		ends[i]->widths_left = widths_left;
		ends[i]->speed_left = speed_left;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(ends) && port_is_linked(port); i++) {
		set_rate(ends[i]);
		port_counters_add(&ends[i]->counters, COUNTER_LINK_ERROR_RECOVERY, 1);
	}
	link_train(port);
}

int link_degrade(struct port *port, uint8_t width, enum link_speed speed)
{
	uint8_t widths_left, speed_left;

	if (!port->peer)
		return -ENXIO;
	widths_left = width ? link_widths_up_to(width) : port->widths_left;
	speed_left = speed ? (uint8_t)speed : port->speed_left;
	if (!has_rate(in_common(port, widths_left, speed_left)))
		return -EINVAL;
	recover(port, widths_left, speed_left);
	return 0;
}

int link_restore(struct port *port)
{
	if (!port->peer)
		return -ENXIO;
	recover(port, 0, 0);
	return 0;
}

/* ---- states ---- */

/*
 * IBA vol 1, 14.2.5.4: a switch remembers that the hardware has taken a port down, or up to Init,
 * and sends a trap to the SM.
 */
static void set_state(struct port *port, enum port_state state)
{
	if (port->state == state)
		return;
	/* Both ends of HCAs count this, whatever took the link down, also on request of an SM. */
	if (state == PORT_DOWN)
		port_counters_add(&port->counters, COUNTER_LINK_DOWNED, 1);
	port->state = (uint8_t)state;
	node_changed(port->node);
	if (state == PORT_DOWN && port->end &&
	    !(port->node->planes && planes_state(port->node->planes) != PORT_DOWN))
		fabric_sa_lose(port_speaker(port));
	if (port->node->sw && !port->node->removed) {
		port->node->sw->state_change = true;
		trap_link_state(port->node->ports[0].end);
	}
}

/* At least one of the two must be polling; the other may sleep, and will hear it. */
static bool can_train(const struct port *port)
{
	const struct port *peer = port->peer;

	return peer && !port->unplugged && !port->node->removed && !peer->node->removed &&
	       port->phys_state <= PORT_PHYS_POLLING && peer->phys_state <= PORT_PHYS_POLLING &&
	       (port->phys_state == PORT_PHYS_POLLING || peer->phys_state == PORT_PHYS_POLLING) &&
	       has_rate(in_common(port, port->widths_left, port->speed_left));
}

static void come_up(struct port *port)
{
	load_touch(port->node->fabric);
	port->phys_state = PORT_PHYS_LINK_UP;
	port->operational_vls = MIN(port->vl_cap, port->peer->vl_cap);
	set_rate(port);
	set_state(port, PORT_INIT);
}

static void change_fire(struct event *event);

static void change_later(struct port *port, bool trains, int64_t delay_ns)
{
	struct umadrig_fabric *fabric = port->node->fabric;
	struct change *change = g_new(struct change, 1);

	*change = (struct change) {
		.event = { .kind = EVENT_TIMER, .fire = change_fire },
		.port = port,
		.trains = trains,
	};
	event_queue_arm(&fabric->queue, &change->event, fabric->queue.now_ns + delay_ns);
}

/* The port has lost the signal. */
static void lose_signal(struct port *port)
{
	if (!port || port->phys_state != PORT_PHYS_LINK_UP)
		return;
	load_touch(port->node->fabric);
	port->phys_state = port->link_down_default;
	node_changed(port->node);
	set_state(port, PORT_DOWN);
}

void link_lose(struct port *port)
{
	lose_signal(port);
	lose_signal(port->peer);
}

void link_train(struct port *port)
{
	if (can_train(port))
		change_later(port, true, TRAINING_MS * NS_PER_MS);
}

static void go_down(struct port *port)
{
	load_touch(port->node->fabric);
	port->phys_state = port->phys_wanted;
	node_changed(port->node);
	port->phys_wanted = 0;
	set_state(port, PORT_DOWN);
	lose_signal(port->peer);
	link_train(port);
}

static void change_fire(struct event *event)
{
	struct change *change = container_of(event, struct change, event);
	struct port *port = change->port;
	bool trains = change->trains;

	g_free(change);
	if (!trains) {
		/* Of two in one instant, the first has done what the second wanted. */
		if (port->phys_wanted)
			go_down(port);
	} else if (can_train(port)) {
		/*
		 * Otherwise it was taken down again meanwhile, or has trained from the other end.
		 */
		come_up(port);
		come_up(port->peer);
	}
}

void link_set_phys(struct port *port, enum port_phys_state phys_state)
{
	port->phys_wanted = (uint8_t)phys_state;
	change_later(port, false, 0);
}

void link_clear(struct umadrig_fabric *fabric)
{
	size_t i = 0;

	while (i < fabric->queue.count) {
		struct event *event = fabric->queue.heap[i];

		if (event->fire != change_fire) {
			i++;
			continue;
		}
		/* Another event takes its place, here or before: start again. */
		event_queue_disarm(&fabric->queue, event);
		g_free(container_of(event, struct change, event));
		i = 0;
	}
}

/* ---- invariants ---- */

/* Is a change of the port, or of its peer, to come? */
static bool has_change(const struct port *port)
{
	const struct event_queue *queue = &port->node->fabric->queue;

	for (size_t i = 0; i < queue->count; i++) {
		const struct change *change = container_of(queue->heap[i], struct change, event);

		if (change->event.fire == change_fire &&
		    (change->port == port || (port->peer && change->port == port->peer)))
			return true;
	}
	return false;
}

const char *link_check(const struct port *port)
{
	const struct port *peer = port->peer;

	NEVER(port->phys_wanted && !has_change(port),
	      "link: never does an SM wait in vain for a state");
	if (port->phys_state != PORT_PHYS_LINK_UP) {
		NEVER(can_train(port) && !has_change(port),
		      "link: never could it come up, and does not");
		return NULL;
	}
	if (!peer) {
		MUST(port->num == 0 || port->end, "link: a switch's port without a cable has none");
		return NULL;
	}
	MUST(peer->phys_state == PORT_PHYS_LINK_UP, "link: it is up at both ends");
	NEVER(port->unplugged, "link: never up with its cable pulled");
	NEVER(port->node->removed || peer->node->removed, "link: never up without power");
	MUST(port->fdr10_active == peer->fdr10_active, "link: both ends have agreed on FDR10");
	MUST(port->fec_active == peer->fec_active,
	     "link: both ends have agreed on error correction");
	return NULL;
}
