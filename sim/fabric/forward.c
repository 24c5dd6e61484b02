/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The way of a packet from the port that it leaves to its end. See sim/fabric/forward.h.
 *
 * All hops are walked at once when the packet leaves, with the tables and links of that time; one
 * event, a latency later, is the arrival, which the fabric's 'arrive' handles.
 * sim/fabric/forward-switch.c decides at each hop.
 */
#include "sim/fabric/forward.h"

#include <glib.h>

#include "sim/fabric/drop.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-delivery.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/forward-switch.h"
#include "sim/fabric/lane.h"
#include "sim/fabric/link-error.h"
#include "sim/fabric/node.h"
#include "sim/fabric/partition.h"
#include "sim/fabric/port.h"
#include "sim/fabric/raw-packet.h"
#include "sim/fabric/record.h"
#include "sim/fabric/router.h"
#include "sim/fabric/virtual-function.h"
#include "sim/time/event-queue.h"

enum {
	HOPS_MAX = 64,
	/* Cables that one multicast packet and its copies may cross: more than any subnet has. */
	COPIES_MAX = 1 << 18,
};

/* ---- the way ---- */

static const char *state_name(unsigned int state)
{
	static const char *const names[] = { "NoChange", "Down", "Init", "Armed", "Active" };

	return state < G_N_ELEMENTS(names) ? names[state] : "in no state";
}

static bool is_multicast(uint16_t dlid)
{
	return dlid > LID_UNICAST_MAX && dlid != LID_PERMISSIVE;
}

/* Puts the packet on the lane for leaving 'out'. False: there is none for its SL. */
static bool change_lane(const struct port *out, unsigned int ingress, struct packet *packet)
{
	unsigned int lane = lane_find(out, ingress, packet->bytes[LRH_SL] >> 4);

	/* A packet that the next port will refuse stays as it is: a new VCRC would correct it. */
	if (packet->raw && raw_packet_link_objection(packet, NULL))
		return true;
	if (lane == LANE_SMP)
		return false;
	if (packet->bytes[LRH_VL] >> 4 != lane) {
		packet->bytes[LRH_VL] = (uint8_t)(lane << 4 | (packet->bytes[LRH_VL] & 0xf));
		if (packet->raw)
			raw_packet_restamp(packet);
		else
			packet->sealed = false;		/* the VCRC changes */
	}
	return true;
}

/* Checks a raw packet that comes off the cable at 'in'. False: the link layer has dropped it. */
static bool pass_link(struct port *in, struct packet *packet)
{
	enum counter counter;
	const char *why = raw_packet_link_objection(packet, &counter);
	char name[PORT_NAME_SIZE];

	if (!why)
		return true;
	link_error_packet(in, counter);
	drop_packet(in, packet, "%s: %s", port_format(in, name), why);
	return false;
}

/* May a packet that is no SMP enter? False: it was dropped. */
static bool data_may_enter(struct port *in, struct packet *packet)
{
	char name[PORT_NAME_SIZE];

	if (in->state < PORT_ARMED) {
		drop_packet(in, packet, "%s: the port is %s, only SMPs enter it",
			     port_format(in, name), state_name(in->state));
		return false;
	}
	if (in->enforce_inbound && !partition_admits(in, true, packet)) {
		drop_packet(in, packet, "%s lets its P_Key not in", port_format(in, name));
		return false;
	}
	return true;
}

/* Takes the packet off the cable at 'in'. NULL: it was dropped there. */
static struct port *come_in(struct port *in, struct packet *packet, bool is_plain)
{
	if (packet->raw && !pass_link(in, packet))
		return NULL;
	if (!lane_is_smp(packet) && !data_may_enter(in, packet))
		return NULL;
	port_counters_rcv(&in->counters, packet, is_plain);
	link_error_none(in);
	return in;
}

/* MADs are as long as the least MTU: only datagrams may be too long for a link. */
static bool is_too_long(const struct port *out, const struct packet *packet)
{
	return packet->mad_size > MAD_SIZE && out->neighbor_mtu != 0 &&
	       packet->mad_size > 128U << out->neighbor_mtu;
}

/* May a packet that is no SMP leave, and by which lane? False: it was dropped. */
static bool data_may_leave(struct port *out, unsigned int ingress, struct packet *packet)
{
	char name[PORT_NAME_SIZE];

	if (out->state != PORT_ACTIVE) {
		port_counters_add(&out->counters, COUNTER_INACTIVE_DISCARDS, 1);
		drop_packet(out, packet, "%s: the port is %s, only SMPs leave it",
			     port_format(out, name), state_name(out->state));
		return false;
	}
	if (is_too_long(out, packet)) {
		port_counters_add(&out->counters, COUNTER_NEIGHBOR_MTU_DISCARDS, 1);
		drop_packet(out, packet, "%s: the link's MTU is %u, and it has %u bytes",
			     port_format(out, name), 128U << out->neighbor_mtu, packet->mad_size);
		return false;
	}
	if (!change_lane(out, ingress, packet)) {
		port_counters_add(&out->counters, COUNTER_VL_MAPPING_ERRORS, 1);
		drop_packet(out, packet, "%s: SL %u has no VL", port_format(out, name),
			     packet->bytes[LRH_SL] >> 4);
		return false;
	}
	if (out->enforce_outbound && !partition_admits(out, false, packet)) {
		drop_packet(out, packet, "%s lets its P_Key not out", port_format(out, name));
		return false;
	}
	return true;
}

/* This function and others are not inlined, so that usual packets need no buffer on the stack. */
__attribute__((noinline)) static void die_without_link(struct port *out, struct packet *packet)
{
	char name[PORT_NAME_SIZE];

	port_counters_add(&out->counters, COUNTER_INACTIVE_DISCARDS, 1);
	drop_packet(out, packet, "%s: %s", port_format(out, name),
		     out->peer ? "the link is down" : "no cable");
}

/* Has a function of the same HCA that LID? Its packets do not go by the cable. */
static bool stays_inside(const struct port *physical, uint16_t dlid)
{
	return physical->num == 1 && (end_port_has_lid(physical->end, dlid) ||
				      functions_have_lid(physical->node->functions, dlid));
}

/*
 * As cross() below, over a link that is up, for packets that ports may refuse or faults may change.
 */
static struct port *cross_warily(struct port *out, unsigned int ingress, struct packet *packet)
{
	bool is_plain;

	if (!lane_is_smp(packet) && !data_may_leave(out, ingress, packet))
		return NULL;
	if (out->node->functions && stays_inside(out, packet_dlid(packet)))
		return out;
	is_plain = packet_is_plain(packet);
	port_counters_xmit(&out->counters, packet, is_plain);
	packet->hops++;
	if (out->node->fabric->faults) {
		if (!fault_cross(out, packet, forward_resume))
			return NULL;
		is_plain = packet_is_plain(packet);	/* it may have been damaged */
	}
	return come_in(out->peer, packet, is_plain);
}

/* Is the packet an SMP that a cable which is up merely counts? */
static bool is_easy(const struct umadrig_fabric *fabric, const struct packet *packet)
{
	return lane_is_smp(packet) && packet_is_plain(packet) && !packet->raw && !fabric->faults;
}

/* Is there a cable, with a link that is up at both ends? Not Down is LinkUp: port_check(). */
static inline bool can_cross(const struct port *out)
{
	return out->peer && out->state != PORT_DOWN && out->peer->state != PORT_DOWN;
}

/* Takes an easy packet of 'words' words over such a cable. */
static inline struct port *cross_easily(struct port *out, struct packet *packet,
					unsigned int words)
{
	struct port *in = out->peer;

	packet->hops++;
	port_counters_smp(&out->counters, &in->counters, words);
	link_error_none(in);
	return in;
}

/*
 * There is no link at 'out': the packet is dropped there, unless it is a vport, whose packets take
 * the physical port's.
 */
__attribute__((noinline)) static struct port *cross_by_physical(struct port *out,
								 struct packet *packet)
{
	struct port *physical = port_physical(out);
	char name[PORT_NAME_SIZE];
	uint8_t state;

	if (physical == out || !can_cross(physical)) {
		die_without_link(physical, packet);
		return NULL;
	}
	state = function_state(node_function(out->node));
	if (state != PORT_ACTIVE) {
		port_counters_add(&out->counters, COUNTER_INACTIVE_DISCARDS, 1);
		drop_packet(out, packet, "%s: the vport is %s", port_format(out, name),
			    state_name(state));
		return NULL;
	}
	port_counters_xmit(&out->counters, packet, packet_is_plain(packet));
	return cross_warily(physical, 0, packet);
}

/*
 * Takes the packet over the cable at 'out', from port 'ingress' of the same switch (0: the node
 * itself). NULL: it was dropped at one of the ends, or a fault keeps it. IBA vol 1, 7.2.7: SMPs (VL
 * 15) need only the link, all others a sender that is Active and a receiver that is at least Armed.
 * 'easy': is_easy(), which is evaluated once for the whole way.
 */
static inline struct port *cross(struct port *out, unsigned int ingress, struct packet *packet,
				 bool easy)
{
	if (!can_cross(out))
		return cross_by_physical(out, packet);
	if (easy)
		return cross_easily(out, packet, packet_words(packet));
	return cross_warily(out, ingress, packet);
}

__attribute__((noinline)) static void die_misled(struct port *port, struct packet *packet)
{
	char name[PORT_NAME_SIZE];

	drop_packet(port, packet, "%s: LID %u is not its own", port_format(port, name),
		    packet_dlid(packet));
}

/* The end of the way on a CA or router: is the packet for it? NULL: it was dropped there. */
static struct port *end_at(struct port *port, struct packet *packet)
{
	uint16_t dlid = packet_dlid(packet);

	/*
	 * Linux's HCAs take all packets to groups on QP1: the SM has decided which ports get them.
	 */
	if (end_port_has_lid(port->end, dlid) || is_multicast(dlid) ||
	    (dlid == LID_PERMISSIVE && packet_dest_qp(packet) == 0))
		return port;
	if (port->node->functions && functions_have_lid(port->node->functions, dlid))
		return port;
	die_misled(port, packet);
	return NULL;
}

/*
 * A switch has looked up the DLID and found 'egress' (negative: none), which is an error if that
 * leads nowhere, or back (IBA vol 1, 18.2.4.3). Directed routes name their ports themselves, and
 * may turn back. 'dlid' is the DLID that the packet came with; 'why' (DROP_WHY_SIZE) is filled in.
 */
static int relay(struct port *in, int egress, uint16_t dlid, const struct packet *packet, char *why)
{
	if (dlid == LID_PERMISSIVE || packet_dlid(packet) == LID_PERMISSIVE)
		return egress;
	if (egress < 0) {
		port_counters_add(&in->counters, COUNTER_DLID_MAPPING_ERRORS, 1);
	} else if (egress == in->num && in->num != 0) {
		port_counters_add(&in->counters, COUNTER_LOOPING_ERRORS, 1);
		g_snprintf(why, DROP_WHY_SIZE, "%s would send LID %u back where it came from",
			   in->node->id, dlid);
		return -1;
	}
	return egress;
}

/* Is the packet a directed-route SMP, in the directed part of its route? */
static bool is_directed(const struct packet *packet)
{
	return packet_dlid(packet) == LID_PERMISSIVE && packet_dest_qp(packet) == 0 &&
	       packet_mad_const(packet)[MAD_CLASS] == MAD_CLASS_SUBN_DR;
}

/* Has the packet come to a router's LID, to be sent on to another subnet? */
static inline bool is_for_router(const struct port *in, const struct packet *packet)
{
	return in->node->kind == TOPOLOGY_ROUTER && router_is_for_others(in, packet) &&
	       end_port_has_lid(in->end, packet_dlid(packet));
}

/* Takes it there over the next cable. NULL: it was dropped. */
__attribute__((noinline)) static struct port *pass_router(struct port *in, struct packet *packet)
{
	char why[DROP_WHY_SIZE], name[PORT_NAME_SIZE];
	struct port *out = router_forward(in, packet, why);

	if (out)
		return cross(out, 0, packet, false);
	drop_packet(in, packet, "%s: %s", port_format(in, name), why);
	return NULL;
}

static void deliver(struct port *in, struct packet *packet)
{
	const struct umadrig_fabric *fabric = in->node->fabric;

	delivery_arm(in, packet, fabric->queue.now_ns + fabric->options.latency_ns);
}

/*
 * Takes an easy packet along its directed path as far as the tables of switches are not asked.
 * Returns the port where it came in last; NULL: it was dropped on the way. Inlined for each of both
 * directions.
 */
__attribute__((always_inline)) static inline struct port *follow(struct port *in,
								 struct packet *packet,
								 struct directed_path *path,
								 bool returns)
{
	unsigned int left = in->node->sw ? directed_path_left(path, in->num) : 0;
	unsigned int words = packet_words(packet);

	/* One that may go too far is looked after by step(), hop by hop. */
	if (packet->hops + left > HOPS_MAX + 1)
		left = 0;
	for (; left && in->node->sw; left--) {
		unsigned int egress = directed_path_next(path, left, in->node->port_count,
							 in->num, returns);
		struct port *out = &in->node->ports[egress];

		if (egress == 0)
			break;
		if (!can_cross(out)) {
			directed_path_end(path);
			put_be16(packet->bytes + LRH_SLID, LID_PERMISSIVE);
			die_without_link(out, packet);
			return NULL;
		}
		in = cross_easily(out, packet, words);
	}
	return in;
}

/*
 * Takes an easy packet along its directed path, and delivers it if that is its end. Returns the
 * port where it came in last, if step() must go on from there; NULL: it was delivered, or dropped
 * on the way.
 */
static struct port *follow_path(struct port *begin, struct packet *packet)
{
	struct directed_path path;
	struct port *in;

	if (!directed_path_of(packet, &path))
		return begin;
	in = path.returns ? follow(begin, packet, &path, true) :
			    follow(begin, packet, &path, false);
	if (!in)
		return NULL;
	if (in != begin)
		put_be16(packet->bytes + LRH_SLID, LID_PERMISSIVE);
	if (in->node->sw && !directed_path_arrives(&path, in->num)) {
		directed_path_end(&path);
		return in;
	}
	directed_path_end(&path);
	if (in->node->sw)
		port_counters_rcv(&in->node->ports[0].counters, packet, true);
	deliver(in, packet);
	return NULL;
}

/*
 * Takes the packet from 'in', port 0 of a switch or the end of a cable, over the next cable, or
 * delivers it. NULL: it was delivered, or dropped.
 */
__attribute__((noinline)) static struct port *step(struct port *in, struct packet *packet,
						   bool easy)
{
	char why[DROP_WHY_SIZE];
	struct node *sw = in->node;
	uint16_t dlid = packet_dlid(packet);
	int egress;

	if (!sw->sw && is_for_router(in, packet))
		return pass_router(in, packet);
	if (!sw->sw) {
		if (end_at(in, packet))
			deliver(in, packet);
		return NULL;
	}
	/* The switch's SMA gets it before it goes on along a directed route. */
	if (packet->raw && dlid == LID_PERMISSIVE) {
		deliver(in, packet);
		return NULL;
	}
	egress = relay(in, switch_decide(sw, in->num, packet, why), dlid, packet, why);
	if (egress < 0) {
		drop_packet(in, packet, "%s", why);
		return NULL;
	}
	if (egress == 0) {
		port_counters_rcv(&sw->ports[0].counters, packet, easy || packet_is_plain(packet));
		deliver(in, packet);
		return NULL;
	}
	/* On hardware the switches' lifetime limit ends this. */
	if (packet->hops > HOPS_MAX) {
		port_counters_add(&sw->ports[egress].counters, COUNTER_SW_LIFETIME_DISCARDS, 1);
		drop_packet(in, packet, "%u hops: it goes in circles", HOPS_MAX);
		return NULL;
	}
	return cross(&sw->ports[egress], in->num, packet, easy);
}

/*
 * A packet to a multicast LID has come in by 'in' (or comes from port 0 of a switch): a copy goes
 * on to each member of the group. '*left' limits copies if tables lead in circles.
 */
static void spread(struct port *in, struct packet *packet, unsigned int *left)
{
	struct node *sw = in->node;
	uint8_t egress[UINT8_MAX + 1];
	unsigned int count;

	if (!sw->sw) {
		in = end_at(in, packet);
		if (in)
			deliver(in, packet);
		return;
	}
	count = switch_multicast(sw, in->num, packet_dlid(packet), egress);
	if (count == 0) {
		port_counters_add(&in->counters, COUNTER_DLID_MAPPING_ERRORS, 1);
		drop_packet(in, packet, "%s has no port for multicast LID 0x%04x", sw->id,
			     packet_dlid(packet));
		return;
	}
	if (packet->hops > HOPS_MAX || *left < count) {
		drop_packet(in, packet, "%u hops: it goes in circles", packet->hops);
		return;
	}
	*left -= count;
	for (unsigned int i = 0; i < count; i++) {
		struct port *out = &sw->ports[egress[i]], *next;
		struct packet *copy = packet;

		if (i + 1 < count)
			copy = packet_copy(&sw->fabric->pool, packet);
		if (out->num == 0) {
			port_counters_rcv(&out->counters, copy, packet_is_plain(copy));
			deliver(in, copy);
			continue;
		}
		next = cross(out, in->num, copy, false);
		if (next)
			spread(next, copy, left);
	}
}

__attribute__((noinline)) static void spread_to_group(struct port *in, struct packet *packet)
{
	unsigned int left = COPIES_MAX;

	spread(in, packet, &left);
}

/*
 * Takes the packet from 'in', port 0 of a switch or the end of a cable (NULL: it did not get
 * there), to its end.
 */
static void travel(struct port *in, struct packet *packet, bool easy)
{
	if (in && is_multicast(packet_dlid(packet))) {
		spread_to_group(in, packet);
		return;
	}
	while (in) {
		if (easy && is_directed(packet))
			in = follow_path(in, packet);
		if (in)
			in = step(in, packet, easy);
	}
}

void forward_resume(struct port *in, struct packet *packet)
{
	travel(come_in(in, packet, packet_is_plain(packet)), packet, false);
}

/*
 * Does a switch answer a LID-routed SMP that was sent to the permissive LID, that is to the node at
 * the other end of the cable? The answer goes back by the port that the request came in by.
 */
static bool is_neighbours(const struct end_port *end, const struct packet *packet)
{
	return end->arrival && end->arrival != end->port &&
	       packet_dlid(packet) == LID_PERMISSIVE && packet_dest_qp(packet) == 0 &&
	       packet_mad_const(packet)[MAD_CLASS] != MAD_CLASS_SUBN_DR;
}

__attribute__((noinline)) static void die_at(struct port *port, struct packet *packet,
					     const char *why)
{
	char name[PORT_NAME_SIZE];

	drop_packet(port, packet, "%s: %s", port_format(port, name), why);
}

/*
 * The port by which a packet that its node sends from 'port' leaves the node; NULL: it does not, as
 * its way leads nowhere, or to the node itself.
 */
static struct port *way_out(struct port *port, const struct packet *packet)
{
	char why[DROP_WHY_SIZE];
	struct packet copy;
	int egress;

	if (end_port_has_lid(port->end, packet_dlid(packet)))
		return NULL;
	if (port->num != 0)
		return port;
	if (is_neighbours(port->end, packet))
		return port->end->arrival;
	copy = *packet;		/* a directed route goes on in it */
	egress = is_multicast(packet_dlid(packet)) ? 0 : switch_decide(port->node, 0, &copy, why);
	return egress > 0 ? &port->node->ports[egress] : NULL;
}

/*
 * A node that lies does so before its answer is seen. True: it has lied, and the packet was shown
 * with what it said.
 */
__attribute__((noinline)) static bool has_lied(struct port *port, struct packet *packet)
{
	struct port *out = packet->raw ? NULL : way_out(port, packet);
	g_autofree char *said = out && can_cross(out) ? fault_lie(out, packet) : NULL;

	if (said)
		record_packet(port, port->node->fabric->queue.now_ns, true, packet, said);
	return said;
}

/* Shows a packet to those who look on, as it leaves the port, or as a node says it that lies. */
__attribute__((noinline)) static void show_leaving(struct port *port, struct packet *packet)
{
	struct umadrig_fabric *fabric = port->node->fabric;

	if (fabric->faults && fault_has_lies(fabric) && has_lied(port, packet))
		return;
	if (record_wanted(fabric) || (port->end && port->end->tap))
		record_packet(port, fabric->queue.now_ns, true, packet, NULL);
}

void fabric_transmit(struct port *port, struct packet *packet)
{
	struct umadrig_fabric *fabric = port->node->fabric;
	uint16_t dlid = packet_dlid(packet);
	bool easy;

	if (port->node->planes)
		port = planes_way_out(port, packet);
	packet->hops = 0;
	/*
	 * Puts it on the lane by which it will leave; if there is none, it is dropped on its way
	 * out.
	 */
	if (port->num != 0 && !lane_is_smp(packet))
		change_lane(port, 0, packet);
	if (fabric->is_watched || fabric->faults)
		show_leaving(port, packet);
	if (port->node->removed) {
		die_at(port, packet, "it has been pulled out");
		return;
	}
	if (fabric->is_watched && fabric->divert &&
	    fabric->divert(fabric->divert_ctx, port, packet))
		return;
	if (dlid == 0) {
		die_at(port, packet, "DLID 0 goes nowhere");
		return;
	}
	easy = is_easy(fabric, packet);
	if (port->num != 0) {
		if (end_port_has_lid(port->end, dlid))
			deliver(port, packet);	/* the HCA loops back packets to itself */
		else
			travel(cross(port, 0, packet, easy), packet, easy);
		return;
	}
	port_counters_xmit(&port->counters, packet, easy || packet_is_plain(packet));
	if (is_neighbours(port->end, packet))
		travel(cross(port->end->arrival, 0, packet, false), packet, false);
	else
		travel(port, packet, easy);
}

/* ---- packets of scripts and replays ---- */

static void record_sender(struct port *from, struct packet *packet, int64_t arrival_ns)
{
	int64_t left_ns;

	if (!from)
		return;
	left_ns = arrival_ns - from->node->fabric->options.latency_ns;
	record_packet(from, left_ns > 0 ? left_ns : 0, true, packet, NULL);
}

void fabric_deliver(struct end_port *to, struct port *from, struct packet *packet)
{
	record_sender(from, packet, to->port->node->fabric->queue.now_ns);
	if (packet->raw && !pass_link(to->port, packet))
		return;
	port_counters_rcv(&to->port->counters, packet, packet_is_plain(packet));
	to->port->node->fabric->arrive(to->port, packet);
}

void fabric_deliver_later(struct end_port *to, struct port *from, struct packet *packet,
			  int64_t delay_ns)
{
	int64_t at_ns = to->port->node->fabric->queue.now_ns + delay_ns;

	record_sender(from, packet, at_ns);
	delivery_arm(to->port, packet, at_ns);
}
