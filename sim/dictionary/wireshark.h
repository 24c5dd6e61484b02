/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What Wireshark calls the fields of the dictionary, and which of them it shows wrong: to compare
 * both, to translate, and to add to Wireshark what it does not know. As measured with Wireshark
 * 4.0.17; tests/harness/fields-tshark.sh measures it again.
 */
#ifndef UMADRIG_SIM_DICTIONARY_WIRESHARK_H
#define UMADRIG_SIM_DICTIONARY_WIRESHARK_H

#include <glib.h>

#include "sim/dictionary/mad-dictionary.h"
#include "sim/dictionary/mad-header.h"

/*
 * A field of Wireshark's: what it shows, where it is shown for the n-th time in a MAD, are 'width'
 * bits from 'bit' + n * 'stride' on, which are in one field of the dictionary or are a part of one.
 */
struct wireshark_span {
	const char *name;	/* "infiniband.portinfo.lid" */
	unsigned int bit;	/* counted as the fields of the attribute or the header are */
	unsigned int width;
	unsigned int count;	/* how often Wireshark shows it; at least 1 */
	unsigned int stride;	/* with a count of 1, 0 */
	const char *wrong;	/* why Wireshark shows other bits; NULL: it shows these */
};

/*
 * The struct wireshark_span of an attribute, of a header, or of the details of a generic notice
 * (see mad_notice_details()); empty where Wireshark shows bytes only. To be freed with
 * g_array_unref(). The RMPP header is shown in subnet administration only.
 */
GArray *wireshark_spans(uint8_t mgmt_class, uint16_t attr_id);
GArray *wireshark_header_spans(const struct mad_header *header, uint8_t mgmt_class);
GArray *wireshark_notice_spans(uint16_t trap_number);

/*
 * Does Wireshark show every bit of 'field' right, 'spans' being those of its attribute? Of bytes,
 * which are tables with reserved bits in their entries: some of every byte.
 */
bool wireshark_shows(const GArray *spans, const struct mad_field *field);

#endif
