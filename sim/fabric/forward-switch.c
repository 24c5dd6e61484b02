/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Switching: LID routing by the switch's tables (IBA vol 1, 18.2.4.3) and directed routes
 * (14.2.2.2). See sim/fabric/forward-switch.h.
 *
 * A directed-route SMP may have LID-routed parts before and after its directed one: DrSLID and
 * DrDLID show them, which are the permissive LID if there is no such part. In the directed part
 * both LIDs of the LRH are permissive.
 */
#include "sim/fabric/forward-switch.h"

#include <stdarg.h>
#include <stdio.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/node.h"
#include "sim/fabric/route.h"
#include "sim/fabric/switch.h"

enum {
	NO_PORT = 255,
	DIES = -1,
	LID_MULTICAST_FIRST = 0xc000,
};

__attribute__((format(printf, 2, 3)))
static int dies(char *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, DROP_WHY_SIZE, format, args);
	va_end(args);
	return DIES;
}

static int decide_by_lid(struct node *sw, uint16_t dlid, char *why)
{
	const struct switch_part *part = sw->sw;
	unsigned int egress;

	if (end_port_has_lid(sw->ports[0].end, dlid))
		return 0;
	if (dlid == 0)
		return dies(why, "DLID 0 goes nowhere");
	if (dlid >= LID_MULTICAST_FIRST)
		return dies(why, "multicast LID 0x%04x at the end of a directed route", dlid);
	egress = switch_egress(sw, dlid);
	/*
	 * IBA vol 1, 14.2.5.4: nothing is forwarded beyond LinearFDBTop, whatever the table has
	 * there.
	 */
	if (dlid > part->lft_top)
		egress = NO_PORT;
	if (egress == NO_PORT || egress > sw->port_count)
		return dies(why, "%s has no route to LID %u", sw->id, dlid);
	return (int)egress;
}

static void set_lids(struct packet *packet, uint16_t slid, uint16_t dlid)
{
	put_be16(packet->bytes + LRH_SLID, slid);
	put_be16(packet->bytes + LRH_DLID, dlid);
}

/* Sends the packet out by a port that a path names. */
static int leave_by(struct node *sw, struct packet *packet, unsigned int egress, char *why)
{
	if (egress == 0 || egress > sw->port_count)
		return dies(why, "the directed route names port %u of %s, which has %u", egress,
			    sw->id, sw->port_count);
	set_lids(packet, LID_PERMISSIVE, LID_PERMISSIVE);
	return (int)egress;
}

/* The directed part ends here: the destination is the switch itself, or the port that has 'lid'. */
static int end_of_path(struct node *sw, struct packet *packet, uint16_t lid, char *why)
{
	if (lid == LID_PERMISSIVE)
		return 0;
	set_lids(packet, sw->ports[0].end->attr.lid, lid);
	return decide_by_lid(sw, lid, why);
}

static int bad_pointer(const struct node *sw, unsigned int pointer, unsigned int count, char *why)
{
	return dies(why, "hop pointer %u of a directed route of %u at %s", pointer, count, sw->id);
}

/* IBA vol 1, 14.2.2.2, C14-9 */
static int decide_outgoing(struct node *sw, unsigned int ingress, struct packet *packet, char *why)
{
	uint8_t *mad = packet_mad(packet);
	unsigned int pointer = mad[SMP_HOP_PTR], count = mad[SMP_HOP_CNT];

	/* The switch's own kernel begins the route: it has set the pointer to its first hop. */
	if (ingress == 0 && pointer == 1 && count > 0)
		return leave_by(sw, packet, mad[SMP_INITIAL_PATH + 1], why);
	if (pointer == 0 && count > 0) {
		mad[SMP_HOP_PTR] = 1;
		return leave_by(sw, packet, mad[SMP_INITIAL_PATH + 1], why);
	}
	if (pointer < count) {
		mad[SMP_RETURN_PATH + pointer] = (uint8_t)ingress;
		mad[SMP_HOP_PTR] = (uint8_t)++pointer;
		return leave_by(sw, packet, mad[SMP_INITIAL_PATH + pointer], why);
	}
	if (pointer == count) {
		if (count > 0)
			mad[SMP_RETURN_PATH + pointer] = (uint8_t)ingress;
		mad[SMP_HOP_PTR] = (uint8_t)(pointer + 1);
		return end_of_path(sw, packet, get_be16(mad + SMP_DR_DLID), why);
	}
	if (pointer == count + 1)
		return 0;
	return bad_pointer(sw, pointer, count, why);
}

/* IBA vol 1, 14.2.2.2, C14-13 */
static int decide_returning(struct node *sw, unsigned int ingress, struct packet *packet, char *why)
{
	uint8_t *mad = packet_mad(packet);
	unsigned int pointer = mad[SMP_HOP_PTR], count = mad[SMP_HOP_CNT];

	/* The switch's own kernel begins the way back: it has set the pointer to its first hop. */
	if (ingress == 0 && pointer == count && count > 0)
		return leave_by(sw, packet, mad[SMP_RETURN_PATH + pointer], why);
	if (pointer >= 2 && pointer <= count + 1) {
		mad[SMP_HOP_PTR] = (uint8_t)--pointer;
		return leave_by(sw, packet, mad[SMP_RETURN_PATH + pointer], why);
	}
	if (pointer == 1) {
		mad[SMP_HOP_PTR] = 0;
		return end_of_path(sw, packet, get_be16(mad + SMP_DR_SLID), why);
	}
	if (pointer == 0)
		return 0;
	return bad_pointer(sw, pointer, count, why);
}

static int decide_directed(struct node *sw, unsigned int ingress, struct packet *packet, char *why)
{
	const uint8_t *mad = packet_mad_const(packet);

	if (mad[SMP_HOP_CNT] >= SMP_PATH_SIZE)
		return dies(why, "hop count %u: a directed route has at most %u", mad[SMP_HOP_CNT],
			    SMP_PATH_SIZE - 1);
	if (get_be16(mad + MAD_STATUS) & SMP_DIRECTION)
		return decide_returning(sw, ingress, packet, why);
	return decide_outgoing(sw, ingress, packet, why);
}

int switch_decide(struct node *sw, unsigned int ingress, struct packet *packet, char *why)
{
	uint16_t dlid = packet_dlid(packet);
	bool is_smp = packet_dest_qp(packet) == 0;
	bool is_directed = is_smp && packet_mad_const(packet)[MAD_CLASS] == MAD_CLASS_SUBN_DR;
	int egress;

	if (dlid == LID_PERMISSIVE) {
		if (is_directed)
			return decide_directed(sw, ingress, packet, why);
		/* A LID-routed SMP to the node at the other end of the cable. */
		if (is_smp && ingress != 0)
			return 0;
		return dies(why, "the permissive LID leads no further than %s", sw->id);
	}
	egress = decide_by_lid(sw, dlid, why);
	if (egress == 0 && is_directed)
		return decide_directed(sw, ingress, packet, why);
	return egress;
}

/* Does the table have an entry for the LID, within the size that the SM has set? */
static bool is_in_table(const struct switch_part *part, uint16_t dlid)
{
	return part->mft && dlid - LID_MULTICAST_FIRST < part->mft_cap &&
	       (part->mft_top == 0 || dlid <= part->mft_top);
}

/*
 * IBA vol 1, 18.2.4.3.3: groups without an entry are forwarded to default ports, one up and one
 * down.
 */
static unsigned int multicast_default(const struct node *sw, unsigned int ingress,
				      uint8_t *ret_ports)
{
	const struct switch_part *part = sw->sw;
	unsigned int port = ingress == part->mcast_primary_port ? part->mcast_secondary_port :
								  part->mcast_primary_port;

	/* 0: not set. */
	if (port == 0 || port > sw->port_count || port == ingress)
		return 0;
	ret_ports[0] = (uint8_t)port;
	return 1;
}

unsigned int switch_multicast(const struct node *sw, unsigned int ingress, uint16_t dlid,
			      uint8_t *ret_ports)
{
	enum { PORTS_PER_POSITION = 16 };
	const struct switch_part *part = sw->sw;
	unsigned int count = 0;
	bool has_entry = false;

	if (!is_in_table(part, dlid))
		return multicast_default(sw, ingress, ret_ports);
	for (unsigned int num = 0; num <= sw->port_count; num++) {
		size_t position = num / PORTS_PER_POSITION;
		uint16_t mask = part->mft[position * part->mft_cap + dlid - LID_MULTICAST_FIRST];

		if (!(mask & 1U << num % PORTS_PER_POSITION))
			continue;
		has_entry = true;
		if (num != ingress)
			ret_ports[count++] = (uint8_t)num;
	}
	return has_entry ? count : multicast_default(sw, ingress, ret_ports);
}
