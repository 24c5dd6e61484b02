/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A MAD in words: "SubnGet(NodeInfo) tid=0x0000000500001234 path=0,1", as scripts write it. What is
 * at its usual value (status 0, modifier 0) is left out.
 */
#ifndef UMADRIG_HARNESS_SHOW_MAD_TEXT_H
#define UMADRIG_HARNESS_SHOW_MAD_TEXT_H

#include <glib.h>
#include <stdint.h>

/* "SubnGet(NodeInfo)". 'mad' has MAD_SIZE bytes, here and below. */
void mad_text_name(GString *out, const uint8_t *mad);

/* The name and what there is to say of the header, on one line without its end. */
void mad_text_line(GString *out, const uint8_t *mad);

/*
 * Every field that is known, a line each, after 'indent' blanks: the header's first, as far as they
 * are not zero, then the attribute's. Segments of RMPP after the first have no fields.
 */
void mad_text_fields(GString *out, const uint8_t *mad, unsigned int indent);

/* What a status means ("method not supported"), or NULL: nothing that the specification says. */
const char *mad_text_status(uint16_t status);

#endif
