/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A MAD as text: "SubnGet(NodeInfo) tid=0x0000000500001234 path=0,1", as scripts write it. Usual
 * values (status 0, modifier 0) are left out.
 *
 * One thread at a time.
 */
#ifndef UMADRIG_HARNESS_SHOW_MAD_TEXT_H
#define UMADRIG_HARNESS_SHOW_MAD_TEXT_H

#include <stdint.h>

#include "harness/show/text.h"
#include "sim/dictionary/mad-dictionary.h"

/* "SubnGet(NodeInfo)". 'mad' has MAD_SIZE bytes, here and below. */
void mad_text_name(struct text *out, const uint8_t *mad);

/* " trap=128" of a generic notice; false: it is none, and nothing is added. */
bool mad_text_trap_number(struct text *out, const uint8_t *mad);

/*
 * The name and the notable header fields, and of a generic notice what it is about, on one line
 * without a newline.
 */
void mad_text_line(struct text *out, const uint8_t *mad);

/* The value of a field of the attribute (or header) at 'data', as mad_field_format_value() says. */
void mad_text_value(struct text *out, const struct mad_field *field, const uint8_t *data);

/* The status without the direction bit of directed-route MADs. */
uint16_t mad_plain_status(const uint8_t *mad);

/* Has it an RMPP header that is in use? */
bool mad_has_active_rmpp(const uint8_t *mad);

/* Does the MAD's data begin with its attribute? Not where it is a later segment, or an ACK. */
bool mad_begins_attribute(const uint8_t *mad);

#endif
