/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A transfer by RMPP, assembled from its segments as they are captured: in any order, some twice,
 * some never.
 */
#ifndef UMADRIG_SIM_CAPTURE_TRANSFER_H
#define UMADRIG_SIM_CAPTURE_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/wire.h"

/*
 * Segments of one transfer, 80 MB of SA (all paths between 1,000 ports), and how far one may be
 * ahead of what is still missing.
 */
#define TRANSFER_SEGMENTS_MAX 400000
#define TRANSFER_AHEAD_MAX 4096

/* A message, of one MAD if 'seen' is NULL. All zeros: there is none. */
struct transfer {
	uint8_t *bytes;		/* at least MAD_SIZE allocated: headers, then data */
	size_t size;		/* up to the first gap */
	size_t padded;		/* with what follows the data in the last segment */
	size_t allocated;
	uint8_t *seen;		/* a bit for each segment */
	uint32_t seen_size;	/* bits allocated */
	uint8_t *headers;	/* of the segments from the second on, 'header' bytes each */
	size_t headers_size;	/* bytes allocated */
	uint32_t header;	/* bytes before the data of a segment */
	uint32_t next;		/* the first segment that is missing */
	uint32_t last;		/* the number of the last segment; 0: not known yet */
	uint32_t last_size;	/* bytes of data in it */
};

enum transfer_taken {
	TRANSFER_ADDED,
	TRANSFER_REPEATED,	/* this segment was there already */
	TRANSFER_REFUSED,	/* number 0, or far ahead, or after the last one */
	TRANSFER_FULL,		/* it is one of the transfer, which is longer than what is held */
};

/* Makes a complete message of a MAD that is no segment. */
void transfer_of_mad(struct transfer *transfer, const uint8_t *mad);
/* Takes another segment of the same transfer, in any order. */
enum transfer_taken transfer_take(struct transfer *transfer, const uint8_t *mad);
/* More than one such transfer holds, and what all that are unfinished may. */
#define TRANSFERS_BYTES_MAX (128u << 20)
/* Are all segments there, from the first to the last? */
bool transfer_is_whole(const struct transfer *transfer);
/* The bytes of memory that it holds. */
size_t transfer_held(const struct transfer *transfer);
void transfer_clear(struct transfer *transfer);

#endif
