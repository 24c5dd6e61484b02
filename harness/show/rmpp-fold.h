/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RMPP messages put together from their segments, so that each is shown once, whole.
 *
 * MADs go in one by one; those that belong to no transfer come out at once, a message comes out
 * with its last segment, or where it ends otherwise. Its ACKs are folded into it. What nobody
 * expects (an ACK of a message that is over, a segment that is sent again after that) comes out as
 * a MAD, and so do STOP and ABORT.
 *
 * Memory is bounded: RMPP_FOLD_MAX transfers and RMPP_FOLD_BYTES_MAX bytes of them. Where there is
 * no more room the one that has been silent longest comes out as it is, and says so; so does one
 * that has been silent for RMPP_FOLD_SILENT_NS of the capture's time.
 */
#ifndef UMADRIG_HARNESS_SHOW_RMPP_FOLD_H
#define UMADRIG_HARNESS_SHOW_RMPP_FOLD_H

#include <stdbool.h>

#include "harness/capture/filter.h"
#include "sim/capture/capture.h"
#include "sim/capture/transfer.h"

#define RMPP_FOLD_MAX 4096
#define RMPP_FOLD_BYTES_MAX TRANSFERS_BYTES_MAX
#define RMPP_FOLD_SILENT_NS INT64_C(60000000000)

enum rmpp_end {
	RMPP_WHOLE,
	RMPP_STOPPED,		/* a STOP or ABORT ended it */
	RMPP_ANOTHER,		/* another message with its TID began */
	RMPP_SILENT,		/* no segment came for too long */
	RMPP_NO_ROOM,		/* more was unfinished than is held */
	RMPP_CAPTURE_ENDED,
};

/* A message, good for the call only. */
struct rmpp_message {
	/*
	 * The first segment that was seen, with its headers; frame and time are the last segment's.
	 * Of a message whose beginning was not seen that is a later one.
	 */
	struct capture_mad head;
	const struct capture_headers *headers;	/* of its packet; NULL: not known */
	const uint8_t *data;	/* what follows the headers, as far as there is no gap, or NULL */
	size_t size;		/* of 'data' */
	size_t record_size;	/* of records: 0: it has none, or it is one */
	unsigned int segments;	/* that were seen, each once */
	unsigned int repeats;	/* segments that were seen again */
	unsigned int acks;
	unsigned int first_frame, last_frame;
	enum rmpp_end end;
	bool begins;		/* the first segment was seen */
};

/* What comes out. */
struct rmpp_fold_out {
	void *ctx;
	void (*mad)(void *ctx, const struct capture_mad *mad);
	void (*message)(void *ctx, const struct rmpp_message *message);
};

struct rmpp_fold;

/*
 * 'filter' (NULL: everything) is asked about each MAD; a message fits if one of its segments does,
 * or one of its records. With 'segments' all MADs come out, and messages as well.
 */
struct rmpp_fold *rmpp_fold_new(const struct rmpp_fold_out *out, const struct filter *filter,
				const struct mad_ends *ends, bool segments);
/* 'headers': of the MAD's packet; NULL: not known. */
void rmpp_fold_take(struct rmpp_fold *fold, const struct capture_mad *mad,
		    const struct capture_headers *headers);
/* The capture has ended: what is unfinished comes out, and everything is freed. */
void rmpp_fold_end(struct rmpp_fold *fold);

/* How a message ended, in words ("the capture ended"); NULL: it is whole. */
const char *rmpp_end_words(enum rmpp_end end);

/* How many records it has, those cut off at its end included. */
size_t rmpp_record_count(const struct rmpp_message *message);

#endif
