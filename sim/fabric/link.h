/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Links: when they are up, at which rate, and what takes them down (IBA vol 1, 7.2.7 and vol 2,
 * 5.7).
 *
 * A link that may come up does so a fixed time later, and its ports are then in Init, as after
 * power-up: all further steps are an SM's.
 */
#ifndef UMADRIG_SIM_FABRIC_LINK_H
#define UMADRIG_SIM_FABRIC_LINK_H

#include <stdint.h>

#include "sim/fabric/port.h"

struct umadrig_fabric;

/* LinkSpeedExt; those from XDR on are in fields of PortInfo of their own. */
enum {
	LINK_SPEED_FDR = 1,
	LINK_SPEED_EDR = 2,
	LINK_SPEED_HDR = 4,
	LINK_SPEED_NDR = 8,
	LINK_SPEED_XDR = 32,
	LINK_SPEEDS_EXT_1 = 0xf,
};

/* The widest of the widths in 'mask' (bits of LinkWidth), 0 when there is none. */
uint8_t link_best_width(uint8_t mask);
/* Every width up to 'width': what who can do it supports. */
uint8_t link_widths_up_to(uint8_t width);
/* The fastest of the speeds in 'mask' (bits of LinkSpeed or LinkSpeedExt), 0 when there is none. */
uint8_t link_best_speed(uint8_t mask);

/*
 * Forward error correction has modes: 0 none, 1 Fire code, 2 Reed-Solomon (PortInfoExtended). Which
 * of them the port knows, as a mask, at one of the speeds FDR, EDR, HDR and NDR.
 */
enum { LINK_FEC_SPEEDS = 4 };
uint8_t link_fec_supported(const struct port *port, unsigned int speed);

/*
 * What two ports on a cable agree on at their active speed: FDR10 and the mode of error correction.
 * For both ends.
 */
void link_agree(struct port *port);

/*
 * An SM has told the port what to be: Sleep, Polling or Disabled. A link that was up goes down, and
 * the other end does what its LinkDownDefaultState says. That happens at this instant, but behind
 * what is being done: the answer to the SM may leave by the very port. Until then phys_wanted says
 * what will be.
 */
void link_set_phys(struct port *port, enum port_phys_state phys_state);

/*
 * The signal is gone, at this instant: the cable was pulled, or a node at its end has no power any
 * more. Both ends that were up go down, to what their LinkDownDefaultState says.
 */
void link_lose(struct port *port);

/* What kept a link down may be gone: it comes up a while later if it can. */
void link_train(struct port *port);

/* Ends what is under way. */
void link_clear(struct umadrig_fabric *fabric);

#endif
