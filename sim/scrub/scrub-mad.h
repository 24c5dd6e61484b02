/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What of a MAD tells of a site: its headers' keys and LIDs, the fields that the dictionary says so
 * of, and any original that stands where no field is known.
 */
#ifndef UMADRIG_SIM_SCRUB_SCRUB_MAD_H
#define UMADRIG_SIM_SCRUB_SCRUB_MAD_H

#include "sim/scrub/scrub-value.h"

/*
 * Learns or replaces what is in the MAD (MAD_SIZE bytes). 'before' and 'after' (may be NULL) are
 * the MADs of its neighbours, where it is a data segment of an RMPP transfer
 * (sim/scrub/segments.h). Returns how many pieces of fields were made zero because the rest of
 * the field is in a segment that is not there.
 */
unsigned int scrub_mad(const struct value_book *values, uint8_t *mad, const uint8_t *before,
		       const uint8_t *after);

#endif
