/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fields of MADs as JSON. See harness/show/json-field.h.
 */
#include "harness/show/json-field.h"

#include <glib.h>
#include <string.h>

#include "harness/show/table-text.h"

enum { VALUE_SIZE = 512 };	/* of a string or a GID as text, in bytes */

static void names_of_bits(struct json_writer *out, const struct mad_field *field, uint64_t value)
{
	json_open(out, '[');
	for (const struct mad_field_name *name = field->names; name->name; name++) {
		if (!(value & name->value))
			continue;
		json_string(out, name->name);
		value &= ~name->value;
	}
	if (value)
		json_unsigned(out, value);
	json_close(out, ']');
}

static void table_entries(struct json_writer *out, const struct table_info *table,
			  const uint8_t *bytes)
{
	json_open(out, '[');
	for (unsigned int i = 0; i < table->entries; i++)
		json_number(out, table_entry(table, bytes, i));
	json_close(out, ']');
}

static void enum_value(struct json_writer *out, const struct mad_field *field, uint64_t value)
{
	for (const struct mad_field_name *name = field->names; name->name; name++) {
		if (name->value == value) {
			json_string(out, name->name);
			return;
		}
	}
	json_unsigned(out, value);
}

/* Unprintable bytes and backslashes of strings are \xNN there, which makes the backslash double. */
static void text_value(struct json_writer *out, const struct mad_field *field, const uint8_t *data)
{
	char value[VALUE_SIZE];

	mad_field_format_value(field, data, value, sizeof(value));
	json_string(out, value);
}

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
static void field_value(struct json_writer *out, const struct mad_field *field, const uint8_t *data)
{
	uint64_t value = mad_field_is_number(field) ? mad_field_get(field, data) : 0;
	const struct table_info *table;

	switch (field->format) {
	case MAD_FIELD_DEC:
	case MAD_FIELD_LID:
		if (field->width > JSON_EXACT_BITS)
			json_digits(out, value);
		else
			json_unsigned(out, value);
		return;
	case MAD_FIELD_HEX:
		if (field->names)
			names_of_bits(out, field, value);
		else if (field->width > JSON_HEX_NUMBER_BITS)
			json_hex(out, value, (field->width + 3U) / 4);
		else
			json_unsigned(out, value);
		return;
	case MAD_FIELD_BOOL:
		json_bool(out, value);
		return;
	case MAD_FIELD_ENUM:
		enum_value(out, field, value);
		return;
	case MAD_FIELD_FLAGS:
		names_of_bits(out, field, value);
		return;
	case MAD_FIELD_GUID:
		json_hex(out, value, 16);
		return;
	case MAD_FIELD_BYTES:
		table = table_find(field);
		if (table)
			table_entries(out, table, data + field->bit / 8);
		else
			json_bytes(out, data + field->bit / 8, field->width / 8U);
		return;
	case MAD_FIELD_GID:
	case MAD_FIELD_IPV4:
	case MAD_FIELD_STRING:
		text_value(out, field, data);
		return;
	}
}

void json_members(struct json_writer *out, const struct mad_field *fields, const uint8_t *data)
{
	for (; fields->name; fields++)
		field_value(json_name(out, fields->name), fields, data);
}

void json_fields(struct json_writer *out, const struct mad_field *fields, const uint8_t *data)
{
	json_open(out, '{');
	json_members(out, fields, data);
	json_close(out, '}');
}
