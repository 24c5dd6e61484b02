/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The segments of RMPP transfers in a capture: which comes before and after one, so that a field of
 * which each has a piece is seen whole.
 */
#ifndef UMADRIG_SIM_SCRUB_SEGMENTS_H
#define UMADRIG_SIM_SCRUB_SEGMENTS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/scrub/packet-layout.h"

struct segments;

struct segments *segments_new(void);
/* NULL is allowed. */
void segments_free(struct segments *segments);

/* Is the MAD of 'frame' a data segment of an RMPP transfer? */
bool segments_is_data(const uint8_t *mad);

/*
 * The next data segment of the file. 'frame' has to stay where it is: neighbours are pointers into
 * it and its like.
 */
void segments_add(struct segments *segments, const uint8_t *frame,
		  const struct packet_layout *layout);
/* All are known: they will be asked for in the same order, again from the first one. */
void segments_rewind(struct segments *segments);
/*
 * The MADs of the segments before and after the next one, which is that of 'frame'; NULL: the
 * capture does not have it. Retransmissions are known by their place: the nearest one counts.
 */
void segments_next(struct segments *segments, const uint8_t *frame,
		   const struct packet_layout *layout, const uint8_t **ret_before,
		   const uint8_t **ret_after);

#endif
