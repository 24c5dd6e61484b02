/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Records: what the tap of a port, a capture and a watching program are shown.
 */
#ifndef UMADRIG_SIM_FABRIC_RECORD_H
#define UMADRIG_SIM_FABRIC_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/packet.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/port.h"

/*
 * Shows a packet at a port to the tap there and to the capture. 'why': what became of it, for the
 * comment, NULL when nothing is to be said.
 */
void record_packet(struct port *port, int64_t at_ns, bool outbound, struct packet *packet,
		   const char *why);

/*
 * A packet has died at a port where it arrived or was to leave, and why: for the capture only.
 * 'packet' is not kept, but sealed.
 */
void record_death(struct port *port, int64_t at_ns, struct packet *packet, const char *why);

/* How many bytes of it a tap sees: through the MAD, of a raw packet all. */
size_t record_size(const struct packet *packet);

/* Is anybody looking? Where not, words for record_packet() need not be made. */
static inline bool record_wanted(const struct umadrig_fabric *fabric)
{
	return fabric->capture || fabric->trace || fabric->watch;
}

int record_start(struct umadrig_fabric *fabric, const char *path, const char *comment,
		 char *reterr, size_t reterr_size);
int record_stop(struct umadrig_fabric *fabric);

/* The same where nobody asks how it went: a capture that is not complete is told on stderr. */
void record_end(struct umadrig_fabric *fabric);

#endif
