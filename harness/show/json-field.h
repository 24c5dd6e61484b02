/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fields of MADs as JSON.
 */
#ifndef UMADRIG_HARNESS_SHOW_JSON_FIELD_H
#define UMADRIG_HARNESS_SHOW_JSON_FIELD_H

#include "lib/json/json-writer.h"
#include "sim/dictionary/mad-dictionary.h"

enum {
	JSON_EXACT_BITS = 53,		/* of integers in a double */
	JSON_HEX_NUMBER_BITS = 32,
};

/* Members of an object: all 'fields' (ended by a NULL name), by name. */
void json_members(struct json_writer *out, const struct mad_field *fields, const uint8_t *data);
/* An object of them. */
void json_fields(struct json_writer *out, const struct mad_field *fields, const uint8_t *data);

#endif
