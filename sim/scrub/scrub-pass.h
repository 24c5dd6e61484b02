/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One of the three walks through a capture that is scrubbed, and what the formats of files
 * (sim/scrub/scrub-pcap.c, sim/scrub/scrub-pcapng.c) hand their frames and texts to.
 */
#ifndef UMADRIG_SIM_SCRUB_SCRUB_PASS_H
#define UMADRIG_SIM_SCRUB_SCRUB_PASS_H

#include <glib.h>

#include "sim/scrub/scrub.h"
#include "sim/scrub/segments.h"
#include "sim/scrub/scrub-value.h"

enum scrub_step {
	SCRUB_INDEX,	/* find the segments of transfers */
	SCRUB_LEARN,	/* find what is to be replaced */
	SCRUB_WRITE,
};

struct scrub_pass {
	enum scrub_step step;
	const struct scrub_options *options;
	struct value_book values;
	struct segments *segments;
	struct scrub_report *report;
	FILE *to;
	GByteArray *frame;	/* the last one, as it is to be written */
};

/*
 * A frame, which has to stay where it is until the last pass is over. True, in SCRUB_WRITE only:
 * 'pass->frame' is to be written in its place.
 */
bool scrub_pass_frame(struct scrub_pass *pass, uint32_t link_type, const uint8_t *bytes,
		      size_t captured, size_t original);

void scrub_pass_write(struct scrub_pass *pass, const void *bytes, size_t size);

#endif
