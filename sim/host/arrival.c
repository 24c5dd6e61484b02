/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What becomes of a packet at the end of its way: see sim/host/arrival.h.
 */
#include "sim/host/arrival.h"

#include "sim/agents/sma.h"
#include "sim/fabric/drop.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/forward.h"
#include "sim/fabric/lane.h"
#include "sim/fabric/link-error.h"
#include "sim/fabric/node.h"
#include "sim/fabric/partition.h"
#include "sim/fabric/port.h"
#include "sim/fabric/raw-packet.h"
#include "sim/fabric/record.h"
#include "sim/fabric/trap.h"
#include "sim/fabric/virtual-function.h"
#include "sim/host/kernel.h"

enum { QP_MULTICAST = 0xffffff };

/*
 * The HCA's own checks before software sees a packet; violations send a trap to the SM (IBA vol 1,
 * 10.9.4 and 10.2.4). NULL: nothing is wrong.
 */
static const char *hca_objection(struct end_port *end, const struct packet *packet)
{
	const uint8_t *bth = packet->bytes + packet_bth_at(packet);
	uint32_t qp = packet_dest_qp(packet);

	/*
	 * Linux's MAD layer attaches none of its own QPs to groups, and lets no program attach QP1;
	 * but a guest has other users of datagrams.
	 */
	if (qp == QP_MULTICAST && !end->takes_datagrams)
		return "no QP is attached to the group";
	if (qp > 1 && !end->takes_datagrams)
		return "there is no such QP";
	if (qp == 0)
		return lane_is_smp(packet) ? NULL : "QP0 is reached by VL 15 only";
	/* IBA vol 1, 9.6.1: nothing else is checked in a packet for another port. */
	if (packet_has_grh(packet) &&
	    !end_port_takes_gid(end, packet->bytes + LRH_SIZE + GRH_DGID))
		return "its GRH is for another GID (DGID)";
	if (!partition_has(end, get_be16(bth + BTH_PKEY))) {
		partition_count(&end->p_key_violations);
		trap_p_key(end, packet);
		return "its P_Key is not in the port's table";
	}
	/* That of another QP than QP1 is the guest's to check. */
	if (qp == 1 && get_be32(bth + BTH_SIZE + DETH_QKEY) != QKEY_GSI) {
		partition_count(&end->q_key_violations);
		trap_q_key(end, packet);
		return "its Q_Key is not QP1's";
	}
	return NULL;
}

/* Lets the switch's SMA answer a directed-route SMP without a kernel. False: it has no answer. */
static bool switch_answers(struct port *in, struct packet *packet)
{
	struct end_port *end = in->node->ports[0].end;
	uint8_t *mad = packet_mad(packet);
	uint16_t slid = packet_slid(packet);
	bool ends_here;
	/*
	 * In place: all that the answer does not change, such as the way back, stays as in the
	 * request.
	 */
	unsigned int result = sma_answer(in, slid, mad, mad);

	if (result & KMOD_MAD_CONSUMED) {
		packet_free(&end->port->node->fabric->pool, packet);
		return true;
	}
	if (!(result & KMOD_MAD_REPLY)) {
		/*
		 * As the kernel's MAD layer does for a Get or Set that no agent takes (B.4 step 6).
		 */
		if (result != KMOD_MAD_SUCCESS || end->kmod ||
		    (mad[MAD_METHOD] != MAD_METHOD_GET && mad[MAD_METHOD] != MAD_METHOD_SET))
			return false;
		mad[MAD_METHOD] = MAD_METHOD_GET_RESP;
		put_be16(mad + MAD_STATUS, MAD_STATUS_BAD_METHOD_ATTR);
	}
	put_be16(mad + MAD_STATUS, get_be16(mad + MAD_STATUS) | SMP_DIRECTION);
	/*
	 * Back along the path, or first by LID to where the request's path ended.
	 */
	ends_here = get_be16(mad + SMP_DR_DLID) == LID_PERMISSIVE;
	put_be16(packet->bytes + LRH_DLID, ends_here ? LID_PERMISSIVE : slid);
	put_be16(packet->bytes + LRH_SLID, ends_here ? LID_PERMISSIVE : end->attr.lid);
	fabric_transmit(end->port, packet);
	return true;
}

/* Is a raw packet for a QP of a guest that takes no MADs? */
static bool takes_as_datagram(const struct end_port *end, const struct packet *packet)
{
	return end->takes_datagrams && packet->mad_at >= LRH_SIZE + BTH_SIZE + DETH_SIZE &&
	       packet_dest_qp(packet) > 1;
}

/* Why the packet that has come in by 'in' is refused; NULL: it is not. */
static const char *objection_to(struct port *in, struct end_port *end, const struct packet *packet)
{
	const char *objection = NULL;
	enum counter counter;

	if (in->node->removed)
		return "it has been pulled out";
	if (in->node->vport && function_state(node_function(in->node)) < PORT_ARMED)
		return "the vport is down, or no SM has brought it up";
	if (packet->raw) {
		objection = takes_as_datagram(end, packet) ?
				    raw_packet_datagram_objection(packet, &counter) :
				    raw_packet_end_objection(packet, &counter);
		link_error_packet(in, counter);
	}
	return objection ? objection : hca_objection(end, packet);
}

/* Not inlined, so that the usual packet needs no buffer on the stack. */
__attribute__((noinline)) static void refuse(struct end_port *end, struct packet *packet,
					     const char *why)
{
	char name[PORT_NAME_SIZE];

	drop_packet(end->port, packet, "%s: %s", port_format(end->port, name), why);
}

/*
 * Is the packet a MAD of subnet administration at the port of the fabric's own SA? A program of
 * that host which has registered for such MADs gets them first.
 */
static bool is_for_sa(const struct end_port *end, const struct packet *packet)
{
	const uint8_t *mad = packet_mad_const(packet);

	return fabric_sa_is_on(port_speaker(end->port)) && packet_dest_qp(packet) == 1 &&
	       mad[MAD_CLASS] == MAD_CLASS_SUBN_ADM &&
	       !(end->kmod && kmod_port_takes(end->kmod, mad));
}

static void show(const struct end_port *end, const struct packet *packet)
{
	record_tap(end, end->port->node->fabric->queue.now_ns, false, packet);
}

/* Inlined, so that a port without a tap takes a look at it and no call. */
static inline void tap(const struct end_port *end, const struct packet *packet)
{
	if (end->tap)
		show(end, packet);
}

/* The port of the function that the packet is for; '*end' is its end port. */
__attribute__((noinline)) static struct port *find_function(struct port *in, struct end_port **end,
							     const struct packet *packet)
{
	in = functions_receiver(in, packet);
	if (in->node->vport)
		port_counters_rcv(&in->counters, packet, packet_is_plain(packet));
	*end = in->end;
	return in;
}

/*
 * A packet that nothing is wrong with goes to the switch's SMA, or up to the kernel. Inlined, so
 * that the usual SMP gets there without a call.
 */
static inline void take_in(struct port *in, struct end_port *end, struct packet *packet)
{
	if (end->attr.is_switch && packet_mad(packet)[MAD_CLASS] == MAD_CLASS_SUBN_DR &&
	    packet_dest_qp(packet) == 0) {
		if (switch_answers(in, packet))
			return;
		if (!end->kmod) {
			refuse(end, packet, "the switch has no use for it");
			return;
		}
	}
	end->arrival = node_is_gsi(end->port->node) ? NULL : in;
	kmod_port_receive(end->kmod ? end->kmod : end_port_kmod(end), packet);
	end->arrival = NULL;
}

/*
 * What is no sound SMP at a node that is there. A raw packet may be too short for the headers that
 * show what it is: it is examined once it is known to be whole.
 */
__attribute__((noinline)) static void receive_warily(struct port *in, struct end_port *end,
						     struct packet *packet)
{
	const char *objection;

	if (in->node->functions && !packet->raw)
		in = find_function(in, &end, packet);
	objection = objection_to(in, port_speaker(in), packet);
	tap(end, packet);
	if (!(objection && packet->raw) && packet_dest_qp(packet) != 0 &&
	    end != end_port_gsi(end)) {
		end = end_port_gsi(end);
		tap(end, packet);
	}
	if (objection)
		refuse(end, packet, objection);
	else if (!(end->subnet->sa && is_for_sa(end, packet) &&
		   end->subnet->sa->take(end->subnet, packet)))
		take_in(in, end, packet);
}

void arrival_receive(struct port *in, struct packet *packet)
{
	struct end_port *end = in->end ? in->end : in->node->ports[0].end;

	if (in->node->removed || packet->raw || packet_dest_qp(packet) != 0 ||
	    !lane_is_smp(packet)) {
		receive_warily(in, end, packet);
		return;
	}
	tap(end, packet);
	take_in(in, end, packet);
}
