/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The headers of packets and MADs, field by field: what comes before an attribute.
 */
#ifndef UMADRIG_SIM_DICTIONARY_MAD_HEADER_H
#define UMADRIG_SIM_DICTIONARY_MAD_HEADER_H

#include "sim/dictionary/mad-dictionary.h"

/* Where the bits of a header's fields are counted from. */
enum mad_header_base {
	MAD_HEADER_OF_PACKET,	/* the header's own first byte */
	MAD_HEADER_OF_MAD,	/* the first byte of the MAD */
};

struct mad_header {
	const char *name;			/* "LRH", "RMPP" */
	enum mad_header_base base;
	bool (*applies)(unsigned int mgmt_class);	/* the classes whose MADs have it */
	const struct mad_field *fields;		/* ends with a NULL name */
};

/*
 * All headers in the order in which a packet has them, ended by one with a NULL name. Some fields
 * share bits: PayloadLength of an RMPP segment is NewWindowLast of an ACK, and the status of a
 * directed-route SMP is Status of a MAD without its first bit, D.
 */
const struct mad_header *mad_headers(void);

#endif
