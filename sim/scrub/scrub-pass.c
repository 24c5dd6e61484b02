/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One walk through a capture: see sim/scrub/scrub-pass.h.
 */
#include "sim/scrub/scrub-pass.h"

#include <stdio.h>

#include "sim/scrub/scrub-packet.h"

void scrub_pass_write(struct scrub_pass *pass, const void *bytes, size_t size)
{
	/* What goes wrong is seen when all has been written. */
	if (pass->step == SCRUB_WRITE && size)
		fwrite(bytes, 1, size, pass->to);
}

static size_t *counter_of(struct scrub_pass *pass, enum layout_kind kind)
{
	struct scrub_report *report = pass->report;

	switch (kind) {
	case LAYOUT_MAD:
		return &report->mads;
	case LAYOUT_IBA:
		return pass->options->keep_other ? &report->others : &report->dropped_other;
	case LAYOUT_FOREIGN:
		return &report->dropped_other;
	case LAYOUT_CUT:
		return &report->dropped_cut;
	case LAYOUT_BROKEN:
		return &report->dropped_broken;
	}
	return NULL;
}

bool scrub_pass_frame(struct scrub_pass *pass, uint32_t link_type, const uint8_t *bytes,
		      size_t captured, size_t original)
{
	const uint8_t *before = NULL, *after = NULL;
	struct packet_layout layout;
	enum layout_kind kind = packet_layout_find(link_type, bytes, captured, original, &layout);
	bool is_segment = kind == LAYOUT_MAD && segments_is_data(bytes + layout.mad);
	unsigned int blanked;

	if (pass->step == SCRUB_INDEX) {
		if (is_segment)
			segments_add(pass->segments, bytes, &layout);
		return false;
	}
	if (pass->step == SCRUB_WRITE) {
		pass->report->frames++;
		++*counter_of(pass, kind);
	}
	if (kind != LAYOUT_MAD && (kind != LAYOUT_IBA || !pass->options->keep_other))
		return false;
	if (is_segment)
		segments_next(pass->segments, bytes, &layout, &before, &after);
	g_byte_array_set_size(pass->frame, 0);
	g_byte_array_append(pass->frame, bytes, (guint)captured);
	blanked = scrub_packet(&pass->values, &layout, pass->frame->data, captured, before, after);
	if (pass->step != SCRUB_WRITE)
		return false;
	pass->report->blanked += blanked;
	return true;
}
