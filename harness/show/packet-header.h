/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The headers of captured packets: LRH, GRH, BTH and DETH.
 */
#ifndef UMADRIG_HARNESS_SHOW_PACKET_HEADER_H
#define UMADRIG_HARNESS_SHOW_PACKET_HEADER_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/capture/capture.h"
#include "sim/dictionary/mad-header.h"

/*
 * The headers' bytes as they were captured, in 'ret'; RoCE v2's IP header as if it were a GRH. With
 * 'headers' NULL, what they would say has the values that it usually has.
 */
void packet_of_mad(struct packet *ret, const struct capture_mad *mad,
		   const struct capture_headers *headers);

/* Where 'header' begins in those bytes. False: the MAD came without it. RoCE has no LRH. */
bool packet_header_at(const struct capture_mad *mad, const struct mad_header *header, size_t *ret);

/* What the field's number counts: "words of 4 bytes". NULL: nothing that its name does not say. */
const char *packet_field_unit(const char *field);

#endif
