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
 * A fast path of switch_decide(): the way of a directed-route SMP, of which both LIDs are
 * permissive as long as it is on the path. What does not change on the way is looked at once;
 * 'pointer' is written back by directed_path_end().
 */
struct directed_path {
	uint8_t *mad;
	bool returns;
	unsigned int pointer, count;
};

/* False: the path is longer than any, which switch_decide() refuses. */
static inline bool directed_path_of(struct packet *packet, struct directed_path *ret_path)
{
	uint8_t *mad = packet_mad(packet);

	*ret_path = (struct directed_path){
		.mad = mad,
		.returns = (get_be16(mad + MAD_STATUS) & SMP_DIRECTION) != 0,
		.pointer = mad[SMP_HOP_PTR],
		.count = mad[SMP_HOP_CNT],
	};
	return ret_path->count < SMP_PATH_SIZE;
}

/*
 * How many of the path's entries are left for an SMP that a switch has got by 'ingress' (0: it is
 * the switch's own): at most so often directed_path_next() is called. 0: this is no such case, and
 * switch_decide() must be called.
 */
static inline unsigned int directed_path_left(const struct directed_path *path,
					      unsigned int ingress)
{
	if (!path->returns)
		return ingress && path->pointer && path->pointer < path->count ?
		       path->count - path->pointer : 0;
	/* The switch's own kernel has set it to the first hop of the way back. */
	if (ingress == 0 && path->pointer == path->count)
		return path->count;
	return path->pointer >= 2 && path->pointer <= path->count + 1 ? path->pointer - 1 : 0;
}

/*
 * The port by which the SMP leaves a switch of 'port_count' ports that it has entered by 'ingress',
 * with 'left' entries of its path still to go. 0: nothing was changed, and switch_decide() must be
 * called. 'returns': path->returns, which the compiler knows.
 */
static inline unsigned int directed_path_next(struct directed_path *path, unsigned int left,
					      unsigned int port_count, unsigned int ingress,
					      bool returns)
{
	unsigned int at = returns ? left : path->pointer + 1;
	unsigned int egress = path->mad[(returns ? SMP_RETURN_PATH : SMP_INITIAL_PATH) + at];

	if (egress - 1 >= port_count)
		return 0;
	if (!returns)
		path->mad[SMP_RETURN_PATH + path->pointer] = (uint8_t)ingress;
	path->pointer = at;
	return egress;
}

/*
 * Does the way out end at the switch that the SMP has entered by 'ingress', which is its
 * destination? If not, nothing was changed.
 */
static inline bool directed_path_arrives(struct directed_path *path, unsigned int ingress)
{
	if (path->returns || ingress == 0 || path->count == 0 || path->pointer != path->count ||
	    get_be16(path->mad + SMP_DR_DLID) != LID_PERMISSIVE)
		return false;
	path->mad[SMP_RETURN_PATH + path->pointer++] = (uint8_t)ingress;
	return true;
}

static inline void directed_path_end(const struct directed_path *path)
{
	path->mad[SMP_HOP_PTR] = (uint8_t)path->pointer;
}

/*
 * The ports (0: the switch itself) by which a packet to multicast LID 'dlid' that has come in by
 * port 'ingress' leaves, in 'ret_ports' (256 entries). Returns how many.
 */
unsigned int switch_multicast(const struct node *sw, unsigned int ingress, uint16_t dlid,
			      uint8_t *ret_ports);

#endif
