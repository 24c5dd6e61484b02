/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Switching: by which port a packet leaves a switch.
 */
#ifndef UMADRIG_SIM_FABRIC_FORWARD_SWITCH_H
#define UMADRIG_SIM_FABRIC_FORWARD_SWITCH_H

#include "sim/fabric/drop.h"
#include "sim/fabric/node.h"

/*
 * Decides about a packet that has come in by port 'ingress' (0: from the switch's own kernel or
 * SMA). Returns the number of the port that it leaves by, 0 if it is for the switch itself, or a
 * negative number if it is dropped for the reason 'why' (at least DROP_WHY_SIZE). Headers, hop
 * pointer and return path are changed according to IBA vol 1, 14.2.2.
 */
int switch_decide(struct node *sw, unsigned int ingress, struct packet *packet, char *why);

/*
 * A fast path of switch_decide(): the port by which a directed-route SMP leaves a switch at which
 * its path neither begins nor ends, as at most switches on most ways. The DLID is permissive. 0:
 * this is not such a case, nothing was changed, and switch_decide() must be called.
 */
static inline unsigned int switch_pass_on(const struct node *sw, unsigned int ingress,
					  struct packet *packet)
{
	uint8_t *mad = packet_mad(packet);
	unsigned int pointer = mad[SMP_HOP_PTR], count = mad[SMP_HOP_CNT];
	unsigned int egress;

	if (count >= SMP_PATH_SIZE)
		return 0;
	if (get_be16(mad + MAD_STATUS) & SMP_DIRECTION) {
		if (pointer < 2 || pointer > count + 1 || (ingress == 0 && pointer == count))
			return 0;
		egress = mad[SMP_RETURN_PATH + --pointer];
		if (egress == 0 || egress > sw->port_count)
			return 0;
	} else {
		if (pointer == 0 || pointer >= count || ingress == 0)
			return 0;
		egress = mad[SMP_INITIAL_PATH + pointer + 1];
		if (egress == 0 || egress > sw->port_count)
			return 0;
		mad[SMP_RETURN_PATH + pointer++] = (uint8_t)ingress;
	}
	mad[SMP_HOP_PTR] = (uint8_t)pointer;
	put_be16(packet->bytes + LRH_SLID, LID_PERMISSIVE);
	return egress;
}

/*
 * The ports (0: the switch itself) by which a packet to multicast LID 'dlid' that has come in by
 * port 'ingress' leaves, in 'ret_ports' (256 entries). Returns how many.
 */
unsigned int switch_multicast(const struct node *sw, unsigned int ingress, uint16_t dlid,
			      uint8_t *ret_ports);

#endif
