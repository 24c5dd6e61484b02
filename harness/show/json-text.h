/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * JSON, written member by member into a text: commas come by themselves. RFC 8259, in ASCII.
 */
#ifndef UMADRIG_HARNESS_SHOW_JSON_TEXT_H
#define UMADRIG_HARNESS_SHOW_JSON_TEXT_H

#include "harness/show/text.h"
#include "sim/dictionary/mad-dictionary.h"

enum {
	JSON_EXACT_BITS = 53,		/* of integers in a double */
	JSON_HEX_NUMBER_BITS = 32,
};

/* '{' or '[', and the end of it. */
void json_open(struct text *out, char bracket);
void json_close(struct text *out, char bracket);

/* "NAME": of the member whose value follows. A name needs no escapes. */
void json_name(struct text *out, const char *name);

/* Values: of members, or items of an array. */
void json_number(struct text *out, int64_t number);
void json_bool(struct text *out, bool value);
/* Characters that JSON wants escaped are; what is no UTF-8 becomes U+FFFD. */
void json_string(struct text *out, const char *string);
/* "0x0002c90300000001": numbers of more than 32 bits, which not every program reads exactly. */
void json_hex(struct text *out, uint64_t number, unsigned int digits);
/* Two digits for each byte. */
void json_bytes(struct text *out, const uint8_t *bytes, size_t size);

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
void json_field_value(struct text *out, const struct mad_field *field, const uint8_t *data);

/* Members of an object: all 'fields' (ended by a NULL name), by name. */
void json_members(struct text *out, const struct mad_field *fields, const uint8_t *data);
/* An object of them. */
void json_fields(struct text *out, const struct mad_field *fields, const uint8_t *data);

#endif
