/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where a captured MAD comes from and goes to, in words: "LID 4", on RoCE "fe80::1" or
 * "192.168.37.174", "DR" where a directed route says it.
 */
#ifndef UMADRIG_HARNESS_SHOW_MAD_ADDRESS_H
#define UMADRIG_HARNESS_SHOW_MAD_ADDRESS_H

#include "harness/show/text.h"
#include "sim/capture/capture.h"

void mad_text_source(struct text *out, const struct capture_mad *mad);
void mad_text_destination(struct text *out, const struct capture_mad *mad);

/* "fe80::1", or "192.168.37.174" of RoCE v2 on IPv4. */
void mad_text_gid(struct text *out, const uint8_t gid[16]);

#endif
