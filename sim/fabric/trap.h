/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Traps: unsolicited notifications of an end port to the subnet manager (IBA vol 1, 13.4.9 and
 * 14.2.5.1).
 *
 * A trap is repeated until the SM sends TrapRepress with its TID. All traps of a port together are
 * sent no more often than its SubnetTimeout allows: waiting traps take turns, new ones first. If
 * the event happens again meanwhile, it is the same trap, with the newest details. Without an SM no
 * traps are sent. A switch's traps come from port 0, whichever port they are about.
 */
#ifndef UMADRIG_SIM_FABRIC_TRAP_H
#define UMADRIG_SIM_FABRIC_TRAP_H

#include <stdint.h>

#include "sim/api/umadrig.h"

struct end_port;
struct packet;
struct port;

/* Trap 144, ChangeFlags: what has changed besides the CapabilityMask. */
enum trap_change {
	TRAP_CHANGE_CAPABILITY_MASK = 0,
	TRAP_CHANGE_NODE_DESCRIPTION = 1 << 0,
	TRAP_CHANGE_LINK_WIDTH_ENABLED = 1 << 1,
	TRAP_CHANGE_LINK_SPEED_ENABLED = 1 << 2,
};

/* Trap 128: the state of a link of the switch whose port 0 is 'end' has changed. */
void trap_link_state(struct end_port *end);

/*
 * Trap 129 (local link integrity), 130 (excessive buffer overrun) or 131 (flow control watchdog) of
 * any port: a threshold of its PortInfo is exceeded.
 */
void trap_link_error(struct port *port, enum umadrig_link_error error);

/*
 * Trap 144: CapabilityMask, or what 'change' says, has changed; changes that are not repressed yet
 * add up.
 */
void trap_local_change(struct end_port *end, unsigned int change);

/* Trap 145: the node's SystemImageGUID has changed. */
void trap_system_guid(struct end_port *end);

/* Trap 256: 'mad' (an SMP) came from 'slid' with the wrong M_Key. */
void trap_m_key(struct end_port *end, uint16_t slid, const uint8_t *mad);

/* Trap 257, 258: the packet came to an end port with a wrong P_Key or a wrong Q_Key. */
void trap_p_key(struct end_port *end, const struct packet *packet);
void trap_q_key(struct end_port *end, const struct packet *packet);

/* Trap 259: external port 'port' of a switch dropped the packet because of its P_Key. */
void trap_switch_p_key(struct port *port, const struct packet *packet);

/* Ends the trap with TID 'tid', which the SM has received; does nothing if there is none. */
void trap_repress(struct end_port *end, uint64_t tid);

/* Ends all traps of the port. */
void trap_clear(struct end_port *end);
/* Frees the port's traps; their event is in no queue any more. */
void trap_free(struct end_port *end);

#endif
