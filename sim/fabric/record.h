/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Records: packets for the tap of a port, a capture, a watching program and
 * the fabric's observer.
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
 * comment; may be NULL.
 */
void record_packet(struct port *port, int64_t at_ns, bool outbound, struct packet *packet,
		   const char *why);

/*
 * Records for the capture only that a packet was dropped at a port where it arrived or was to
 * leave, and why. 'packet' is not kept, but sealed.
 */
void record_death(struct port *port, int64_t at_ns, struct packet *packet, const char *why);

/* Shows a packet to the tap of an end port, which has one. */
void record_tap(const struct end_port *end, int64_t at_ns, bool outbound,
		const struct packet *packet);

/* How many bytes of a packet a tap sees: through the MAD, or all bytes of a raw packet. */
size_t record_size(const struct packet *packet);

/* Are packets recorded at all? If not, text for record_packet() need not be formatted. */
static inline bool record_wanted(const struct umadrig_fabric *fabric)
{
	return fabric->capture || fabric->trace || fabric->watch || fabric->observer;
}

int record_start(struct umadrig_fabric *fabric, const char *path, const char *comment,
		 char *reterr, size_t reterr_size);
int record_stop(struct umadrig_fabric *fabric);
/*
 * What has been recorded is in the file, but for packets of the last latency, which others may
 * come before. Under virtual time, where captures are written in large pieces.
 */
void record_flush(struct umadrig_fabric *fabric);

/* The same; an incomplete capture is reported on stderr, too. */
int record_end(struct umadrig_fabric *fabric);

#endif
