/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Links: when they are up, at which rate, and what takes them down (IBA vol 1, 7.2.7 and vol 2,
 * 5.7).
 *
 * A link that may come up does so a fixed time later, and its ports are then in Init, as after
 * power-up: an SM takes all further steps.
 */
#ifndef UMADRIG_SIM_FABRIC_LINK_H
#define UMADRIG_SIM_FABRIC_LINK_H

#include <stdint.h>

#include "sim/fabric/port.h"

struct umadrig_fabric;

/* LinkSpeedExt; XDR and above have separate fields in PortInfo. */
enum {
	LINK_SPEED_FDR = 1,
	LINK_SPEED_EDR = 2,
	LINK_SPEED_HDR = 4,
	LINK_SPEED_NDR = 8,
	LINK_SPEED_XDR = 32,
	LINK_SPEEDS_EXT_1 = 0xf,
};

/* The widest of the widths in 'mask' (bits of LinkWidth), 0 if there is none. */
uint8_t link_best_width(uint8_t mask);
/* The lanes of the widest of them: 1, 2, 4, 8 or 12. */
unsigned int link_lanes(uint8_t mask);
/* Every width up to 'width': those that a port with that width supports. */
uint8_t link_widths_up_to(uint8_t width);
/* The fastest of the speeds in 'mask' (bits of LinkSpeed or LinkSpeedExt), 0 if there is none. */
uint8_t link_best_speed(uint8_t mask);

/* Speeds by name, the slowest first. */
enum link_speed {
	LINK_SDR = 1, LINK_DDR, LINK_QDR, LINK_FDR, LINK_EDR, LINK_HDR, LINK_NDR, LINK_XDR,
};

/*
 * From now on the cable at 'port' carries no more than 'width' (a bit of LinkWidth) and 'speed' (0:
 * what it did). A link that is up recovers at once with what both ends have enabled of that, and
 * both count LinkErrorRecovery; it stays up. -ENXIO: no cable; -EINVAL: its ends have nothing in
 * common that is left.
 */
int link_degrade(struct port *port, uint8_t width, enum link_speed speed);
/* The cable is good again. -ENXIO: there is none. */
int link_restore(struct port *port);

/* What the link carries in one direction: bits per second of data, without the line's coding. */
uint64_t link_bits_per_s(const struct port *port);

/*
 * Forward error correction has modes: 0 none, 1 Fire code, 2 Reed-Solomon (PortInfoExtended). The
 * modes that the port supports, as a mask, at one of the speeds FDR, EDR, HDR and NDR.
 */
enum { LINK_FEC_SPEEDS = 4 };
uint8_t link_fec_supported(const struct port *port, unsigned int speed);

/*
 * Lets the two ports of a cable agree on FDR10 and the mode of error correction at their active
 * speed. Sets both ends.
 */
void link_agree(struct port *port);

/*
 * Carries out an SM's request for Sleep, Polling or Disabled. A link that was up goes down, and the
 * other end changes to its LinkDownDefaultState. This happens at this instant, but after the
 * present event: the answer to the SM may leave by this very port. Until then phys_wanted has the
 * new state.
 */
void link_set_phys(struct port *port, enum port_phys_state phys_state);

/*
 * The signal is lost at this instant, because the cable was pulled, or a node at its end has lost
 * power. Ends that were up go down, to their LinkDownDefaultState.
 */
void link_lose(struct port *port);

/* To be called when the reason for a link to be down may be gone: it comes up later if it can. */
void link_train(struct port *port);

/* The invariants of the link at 'port': lib/base/invariant.h. */
const char *link_check(const struct port *port);

/* Ends all pending changes. */
void link_clear(struct umadrig_fabric *fabric);

#endif
