/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the ends of a MAD are called in drawings. See harness/show/rail-name.h.
 */
#include "harness/show/rail-name.h"

#include "harness/show/mad-address.h"
#include "harness/show/mad-text.h"
#include "lib/base/wire.h"

static void route(struct text *out, const uint8_t *mad)
{
	text_words(out, "DR 0");
	for (unsigned int hop = 1; hop <= mad[SMP_HOP_CNT] && hop < SMP_PATH_SIZE; hop++) {
		text_char(out, ',');
		text_number(out, mad[SMP_INITIAL_PATH + hop]);
	}
}

void rail_name(struct text *out, const struct mad_ends *ends, const struct capture_mad *mad,
	       bool source)
{
	const char *name = source ? mad_ends_source(ends, mad) : mad_ends_destination(ends, mad);
	bool here = mad->direction == (source ? CAPTURE_OUTBOUND : CAPTURE_INBOUND);

	if (name)
		text_clean(out, name);
	else if (here && mad->interface_name)
		text_clean(out, mad->interface_name);
	else if (mad_is_directed(mad) && source != mad_is_returning(mad))
		text_words(out, "requester");
	else if (mad_is_directed(mad))
		route(out, mad->mad);
	else if (source)
		mad_text_source(out, mad);
	else
		mad_text_destination(out, mad);
}

void rail_label(struct text *out, const struct capture_mad *mad)
{
	mad_text_name(out, mad->mad);
	if (mad_plain_status(mad->mad)) {
		text_char(out, ' ');
		text_hex(out, mad_plain_status(mad->mad), 4);
	}
	mad_text_trap_number(out, mad->mad);
}
