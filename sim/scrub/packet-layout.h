/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where the parts of a captured frame are: each header, the MAD, the CRCs.
 *
 * sim/capture's readers say what is in a frame; what rewrites one has to know at which bytes. A
 * frame that is not understood to its end has no layout, so that nothing of it is passed on.
 */
#ifndef UMADRIG_SIM_SCRUB_PACKET_LAYOUT_H
#define UMADRIG_SIM_SCRUB_PACKET_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum layout_kind {
	LAYOUT_MAD,	/* all of it: the CRCs alone may be cut off */
	LAYOUT_IBA,	/* an InfiniBand or RoCE packet without one */
	LAYOUT_FOREIGN,	/* any other frame */
	LAYOUT_CUT,	/* may carry a MAD, and is not all there */
	LAYOUT_BROKEN,	/* what it says of itself cannot be */
};

/* Offsets in the frame; 0 where there is no such part, which no part but the first one has. */
struct packet_layout {
	bool ethernet;		/* at 'link': two MAC addresses */
	bool has_lrh;		/* at 'lrh' */
	size_t link;		/* the link's header, behind that of ERF */
	size_t cooked_address;	/* 8 bytes of SLL's and SLL2's: an address of the sender */
	size_t extensions, extensions_end;	/* ERF's, of 8 bytes each */
	size_t lrh, grh, ipv4, ipv6, udp, bth, mad;
	size_t icrc, vcrc;	/* 0: not captured */
	size_t end;		/* of all parts: what follows is padding */
};

/* 'captured' bytes of 'original' are at 'bytes'. */
enum layout_kind packet_layout_find(uint32_t link_type, const uint8_t *bytes, size_t captured,
				    size_t original, struct packet_layout *ret);

#endif
