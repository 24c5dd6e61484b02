/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The headers of captured packets: LRH, GRH, BTH and DETH, as far as a capture's MADs keep them.
 */
#ifndef UMADRIG_HARNESS_SHOW_PACKET_HEADER_H
#define UMADRIG_HARNESS_SHOW_PACKET_HEADER_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/capture/capture.h"
#include "sim/dictionary/mad-header.h"

/* The headers' bytes, in 'ret'; fields that are not kept have the values that they usually have. */
void packet_of_mad(struct packet *ret, const struct capture_mad *mad);

/* Where 'header' begins in those bytes. False: the MAD came without it. RoCE has no LRH. */
bool packet_header_at(const struct capture_mad *mad, const struct mad_header *header, size_t *ret);

/* Is the field one that is kept, or without whose value no MAD would have been found? */
bool packet_field_is_kept(const char *field);

#endif
