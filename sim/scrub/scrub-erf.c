/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Bare .erf files, record by record: each is a frame.
 */
#include <errno.h>
#include <string.h>

#include "sim/capture/container.h"
#include "sim/scrub/scrub-format.h"

bool scrub_erf_is(const uint8_t *data, size_t size, const char *name)
{
	return erf_file_is(data, size, strstr(name, ".erf") != NULL);
}

int scrub_erf(struct scrub_pass *pass, const uint8_t *data, size_t size, char *why)
{
	for (size_t at = 0; at < size;) {
		size_t record = size - at < ERF_HEADER_SIZE ? 0 : get_be16(data + at + ERF_RLEN_AT);

		if (record < ERF_HEADER_SIZE || record > size - at) {
			g_snprintf(why, SCRUB_WHY_SIZE, "the ERF record at byte %zu is cut off, or "
				   "has a length that cannot be", at);
			return -EBADMSG;
		}
		/* Padding is no frame, as for the reader. */
		if ((data[at + ERF_TYPE_AT] & ERF_TYPE_MASK) != ERF_TYPE_PAD &&
		    scrub_pass_frame(pass, LINKTYPE_ERF, data + at, record, record))
			scrub_pass_write(pass, pass->frame->data, pass->frame->len);
		at += record;
	}
	return 0;
}
