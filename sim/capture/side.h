/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture as seen from one port: which of its MADs that port sent, and which it received.
 *
 * Captures of one machine hold nothing else; umadrig's own hold the whole fabric, each MAD where it
 * left its port, and once more where it was dropped.
 */
#ifndef UMADRIG_SIM_CAPTURE_SIDE_H
#define UMADRIG_SIM_CAPTURE_SIDE_H

#include "sim/capture/capture.h"

struct replay_asker;

enum capture_side {
	CAPTURE_ELSEWHERE,	/* the port has nothing to do with it */
	CAPTURE_SENT,
	CAPTURE_GOT,
};

struct capture_stand {
	const char *label;	/* of the port, where interfaces have names; else NULL */
	bool has_no_routes;	/* MADs along directed routes are another port's */
	uint16_t lid;
	bool has_gid;		/* it is a RoCE port, 'lid' is 0 */
	uint8_t gid[16];
};

/*
 * Where the port called 'label' ("H1[1]", may be NULL) with LID 'lid' (0: none) is in the capture:
 * found by name, else by LID, else it is the port that sent most requests
 * (RoCE: by its GID). 'label' is kept.
 */
struct capture_stand capture_stand_find(const struct capture *capture, const char *label,
					uint16_t lid);

/* Where the requester 'asker' of the capture is in it. The label is the capture's. */
struct capture_stand capture_stand_of(const struct capture *capture,
				      const struct replay_asker *asker);

/*
 * A MAD that the port received, as it was when it arrived: umadrig's own captures have it as it was
 * sent, and the hop pointer of a directed route has been counted down to 1 since then (IBA vol 1,
 * 14.2.2.4). Captures that do not say directions may be such ones.
 */
void capture_mad_got(const struct capture_mad *mad, uint8_t ret[MAD_SIZE]);

/* Is it the second record of a MAD, made where it was dropped on its way? */
bool capture_mad_is_death(const struct capture_mad *mad);

enum capture_side capture_side(const struct capture_stand *stand, const struct capture_mad *mad);

#endif
