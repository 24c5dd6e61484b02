/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * JSON, written member by member. See harness/show/json-text.h.
 */
#include "harness/show/json-text.h"

#include <glib.h>
#include <string.h>

#include "harness/show/mad-text.h"
#include "harness/show/table-text.h"

/* Between values, unless this is the first one, or the member's that was named. */
static void separate(struct text *out)
{
	char last = out->length ? out->bytes[out->length - 1] : '\n';

	if (last != '{' && last != '[' && last != ':' && last != '\n')
		text_char(out, ',');
}

void json_open(struct text *out, char bracket)
{
	separate(out);
	text_char(out, bracket);
}

void json_close(struct text *out, char bracket)
{
	text_char(out, bracket);
}

void json_name(struct text *out, const char *name)
{
	separate(out);
	text_char(out, '"');
	text_words(out, name);
	text_bytes(out, "\":", 2);
}

void json_number(struct text *out, int64_t number)
{
	separate(out);
	if (number < 0)
		text_char(out, '-');
	text_number(out, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

void json_bool(struct text *out, bool value)
{
	separate(out);
	text_words(out, value ? "true" : "false");
}

static void append_escaped(struct text *out, gunichar c)
{
	if (c == '"' || c == '\\') {
		text_char(out, '\\');
		text_char(out, (char)c);
	} else if (c >= ' ' && c < 127) {
		text_char(out, (char)c);
	} else if (c < 0x10000) {
		text_format(out, "\\u%04x", c);
	} else {
		text_format(out, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
			    0xdc00 + ((c - 0x10000) & 0x3ff));
	}
}

void json_string(struct text *out, const char *string)
{
	g_autofree char *valid = NULL;

	separate(out);
	text_char(out, '"');
	if (!g_utf8_validate(string, -1, NULL))
		string = valid = g_utf8_make_valid(string, -1);
	for (; *string; string = g_utf8_next_char(string))
		append_escaped(out, g_utf8_get_char(string));
	text_char(out, '"');
}

void json_hex(struct text *out, uint64_t number, unsigned int digits)
{
	separate(out);
	text_char(out, '"');
	text_hex(out, number, digits);
	text_char(out, '"');
}

void json_bytes(struct text *out, const uint8_t *bytes, size_t size)
{
	separate(out);
	text_char(out, '"');
	text_hex_bytes(out, bytes, size);
	text_char(out, '"');
}

static void names_of_bits(struct text *out, const struct mad_field *field, uint64_t value)
{
	json_open(out, '[');
	for (const struct mad_field_name *name = field->names; name->name; name++) {
		if (!(value & name->value))
			continue;
		json_string(out, name->name);
		value &= ~name->value;
	}
	if (value)
		json_number(out, (int64_t)value);
	json_close(out, ']');
}

static void table_entries(struct text *out, const struct table_info *table, const uint8_t *bytes)
{
	json_open(out, '[');
	for (unsigned int i = 0; i < table->entries; i++)
		json_number(out, table_entry(table, bytes, i));
	json_close(out, ']');
}

/* In quotes what harness/show/mad-text.h writes: it has no character that needs an escape. */
static void quoted(struct text *out, const struct mad_field *field, const uint8_t *data)
{
	separate(out);
	text_char(out, '"');
	mad_text_value(out, field, data);
	text_char(out, '"');
}

static void enum_value(struct text *out, const struct mad_field *field, uint64_t value)
{
	for (const struct mad_field_name *name = field->names; name->name; name++) {
		if (name->value == value) {
			json_string(out, name->name);
			return;
		}
	}
	json_number(out, (int64_t)value);
}

/* Unprintable bytes and backslashes of strings are \xNN there, which makes the backslash double. */
static void string_value(struct text *out, const struct mad_field *field, const uint8_t *data)
{
	struct text value = { NULL, 0, 0 };

	mad_text_value(&value, field, data);
	text_char(&value, '\0');
	json_string(out, value.bytes);
	text_clear(&value);
}

void json_field_value(struct text *out, const struct mad_field *field, const uint8_t *data)
{
	const struct table_info *table;

	switch (field->format) {
	case MAD_FIELD_DEC:
	case MAD_FIELD_LID:
		if (field->width > JSON_EXACT_BITS)
			quoted(out, field, data);
		else
			json_number(out, (int64_t)mad_field_get(field, data));
		return;
	case MAD_FIELD_HEX:
		if (field->names)
			names_of_bits(out, field, mad_field_get(field, data));
		else if (field->width > JSON_HEX_NUMBER_BITS)
			quoted(out, field, data);
		else
			json_number(out, (int64_t)mad_field_get(field, data));
		return;
	case MAD_FIELD_BOOL:
		json_bool(out, mad_field_get(field, data));
		return;
	case MAD_FIELD_ENUM:
		enum_value(out, field, mad_field_get(field, data));
		return;
	case MAD_FIELD_FLAGS:
		names_of_bits(out, field, mad_field_get(field, data));
		return;
	case MAD_FIELD_STRING:
		string_value(out, field, data);
		return;
	case MAD_FIELD_BYTES:
		table = table_find(field);
		if (table)
			table_entries(out, table, data + field->bit / 8);
		else
			quoted(out, field, data);
		return;
	case MAD_FIELD_GUID:
	case MAD_FIELD_GID:
		quoted(out, field, data);
		return;
	}
}

void json_members(struct text *out, const struct mad_field *fields, const uint8_t *data)
{
	for (; fields->name; fields++) {
		json_name(out, fields->name);
		json_field_value(out, fields, data);
	}
}

void json_fields(struct text *out, const struct mad_field *fields, const uint8_t *data)
{
	json_open(out, '{');
	json_members(out, fields, data);
	json_close(out, '}');
}
