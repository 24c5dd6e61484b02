/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Everything that a captured MAD says, field by field, as the dictionary describes it: below the
 * MAD's line, a header for each part.
 *
 *	LRH
 *	  SLID                         5
 *	PortInfo
 *	  LinkState                    Active
 */
#ifndef UMADRIG_HARNESS_SHOW_MAD_DETAIL_H
#define UMADRIG_HARNESS_SHOW_MAD_DETAIL_H

#include "harness/show/text.h"
#include "sim/capture/capture.h"
#include "sim/dictionary/mad-dictionary.h"

/* All of it: packet, headers, attribute. 'headers' are the packet's; NULL: not known. */
void mad_detail(struct text *out, const struct capture_mad *mad,
		const struct capture_headers *headers);

/* LRH, GRH, BTH and DETH, as far as the packet has them. */
void mad_detail_packet(struct text *out, const struct capture_mad *mad,
		       const struct capture_headers *headers);
/* The MAD's own headers. 'mad' has MAD_SIZE bytes. */
void mad_detail_headers(struct text *out, const uint8_t *mad);

/*
 * Record 'number', from 1, of 'count' in an SA message, whose bytes ('size' of them) are at 'data'.
 * Bytes behind it that are not zero follow in hex. 'mad' has the headers that it came with.
 */
void mad_detail_record(struct text *out, const uint8_t *mad, const uint8_t *data, size_t size,
		       size_t number, size_t count);

#endif
