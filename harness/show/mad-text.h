/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A MAD as text: "SubnGet(NodeInfo) tid=0x0000000500001234 path=0,1", as scripts write it. Usual
 * values (status 0, modifier 0) are left out.
 */
#ifndef UMADRIG_HARNESS_SHOW_MAD_TEXT_H
#define UMADRIG_HARNESS_SHOW_MAD_TEXT_H

#include <glib.h>
#include <stdint.h>

/* "SubnGet(NodeInfo)". 'mad' has MAD_SIZE bytes, here and below. */
void mad_text_name(GString *out, const uint8_t *mad);

/* The name and the notable header fields, on one line without a newline. */
void mad_text_line(GString *out, const uint8_t *mad);

/*
 * Every known field on a line of its own, indented by 'indent' blanks: first the header's that are
 * not zero, then the attribute's. Segments of RMPP after the first have no fields.
 */
void mad_text_fields(GString *out, const uint8_t *mad, unsigned int indent);

/* What a status means ("method not supported"), or NULL if the specification does not define it. */
const char *mad_text_status(uint16_t status);

#endif
