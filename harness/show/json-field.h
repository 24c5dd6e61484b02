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

/*
 * The value of a field of the attribute (or header) at 'data'. What it is depends on the format:
 *	DEC, LID		a number; of more than 53 bits a string of its digits
 *	HEX			a number; of more than 32 bits a string, "0x..."
 *	HEX with names, FLAGS	an array of the names of the bits that are set, and a number last
 *				for those that have no name
 *	ENUM			its name, else a number
 *	BOOL			true or false
 *	GUID, GID, STRING	a string
 *	BYTES			a string of hex digits; of a table an array of numbers
 */
void json_field_value(struct json_writer *out, const struct mad_field *field, const uint8_t *data);

/* Members of an object: all 'fields' (ended by a NULL name), by name. */
void json_members(struct json_writer *out, const struct mad_field *fields, const uint8_t *data);
/* An object of them. */
void json_fields(struct json_writer *out, const struct mad_field *fields, const uint8_t *data);

#endif
