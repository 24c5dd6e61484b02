/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Datagrams of a guest that are no MADs: IPoIB's, and those of other QPs than QP0 and QP1. They are
 * messages of a type of their own (UMADRIG_HCA_DATAGRAM), in pieces where one is too short.
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_DATAGRAM_H
#define UMADRIG_SIM_GUESTS_GUEST_DATAGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/linux/hca/umadrig_hca.h"

struct hca_driver;
struct packet;

/* Of a port. All zeros: it has none yet. */
struct guest_datagrams {
	uint32_t given;				/* to the guest: each has a number for its pieces */
	struct guest_datagram *pieces;		/* one that has not all come up; NULL */
};

/* One that is whole. */
struct guest_datagram_whole {
	struct umadrig_hca_header header;	/* of its first piece */
	const uint8_t *payload;			/* GRH, if FLAG_GRH, and datagram */
	size_t size;				/* of both */
};

void guest_datagrams_clear(struct guest_datagrams *datagrams);
/*
 * A packet for another QP than QP0 and QP1 goes to the kernel, to port 'num' of its HCA; the caller
 * keeps it. 0, or the driver's -errno: it is lost.
 */
int guest_datagram_give(struct guest_datagrams *datagrams, struct hca_driver *driver, uint8_t hca,
			uint8_t num, const struct packet *packet);
/*
 * A datagram, or a piece of one, has come up: 1 and '*ret' if it is whole (its payload is 'payload'
 * or lasts until the next call), 0 if not, or -EPROTO: it makes no sense.
 */
int guest_datagram_take(struct guest_datagrams *datagrams,
			const struct umadrig_hca_header *header, const uint8_t *payload,
			size_t size, struct guest_datagram_whole *ret);

#endif
