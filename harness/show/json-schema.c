/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The JSON Schema of what harness/show/json-lines.c prints, from the dictionary.
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "harness/show/json-field.h"
#include "harness/show/json-lines.h"
#include "harness/show/table-text.h"
#include "sim/dictionary/mad-header.h"

static void type(struct json_writer *out, const char *name)
{
	json_open(out, '{');
	json_string(json_name(out, "type"), name);
	json_close(out, '}');
}

static void pattern(struct json_writer *out, const char *expression)
{
	json_open(out, '{');
	json_string(json_name(out, "type"), "string");
	json_string(json_name(out, "pattern"), expression);
	json_close(out, '}');
}

static void between(struct json_writer *out, int64_t minimum, int64_t maximum)
{
	json_open(out, '{');
	json_string(json_name(out, "type"), "integer");
	json_number(json_name(out, "minimum"), minimum);
	json_number(json_name(out, "maximum"), maximum);
	json_close(out, '}');
}

static void integer(struct json_writer *out, const struct mad_field *field)
{
	between(out, 0, (int64_t)MIN(mad_field_max(field), (uint64_t)INT64_MAX));
}

/* One of the field's names, or a number: of an enumeration, or of an item of its bits. */
static void named(struct json_writer *out, const struct mad_field *field)
{
	json_open(out, '{');
	json_open(json_name(out, "anyOf"), '[');
	json_open(out, '{');
	json_open(json_name(out, "enum"), '[');
	for (const struct mad_field_name *name = field->names; name->name; name++)
		json_string(out, name->name);
	json_close(out, ']');
	json_close(out, '}');
	integer(out, field);
	json_close(out, ']');
	json_close(out, '}');
}

static void array_of_names(struct json_writer *out, const struct mad_field *field)
{
	json_open(out, '{');
	json_string(json_name(out, "type"), "array");
	named(json_name(out, "items"), field);
	json_close(out, '}');
}

static void bytes(struct json_writer *out, const struct mad_field *field)
{
	if (!table_find(field)) {
		pattern(out, "^([0-9a-f]{2})*$");
		return;
	}
	json_open(out, '{');
	json_string(json_name(out, "type"), "array");
	type(json_name(out, "items"), "integer");
	json_close(out, '}');
}

static void value(struct json_writer *out, const struct mad_field *field)
{
	switch (field->format) {
	case MAD_FIELD_DEC:
	case MAD_FIELD_LID:
		if (field->width > JSON_EXACT_BITS)
			pattern(out, "^[0-9]+$");
		else
			integer(out, field);
		return;
	case MAD_FIELD_HEX:
		if (field->names)
			array_of_names(out, field);
		else if (field->width > JSON_HEX_NUMBER_BITS)
			pattern(out, "^0x[0-9a-f]+$");
		else
			integer(out, field);
		return;
	case MAD_FIELD_BOOL:
		type(out, "boolean");
		return;
	case MAD_FIELD_ENUM:
		named(out, field);
		return;
	case MAD_FIELD_FLAGS:
		array_of_names(out, field);
		return;
	case MAD_FIELD_GUID:
		pattern(out, "^0x[0-9a-f]{16}$");
		return;
	case MAD_FIELD_GID:
	case MAD_FIELD_IPV4:
		pattern(out, "^[0-9a-f:.]+$");
		return;
	case MAD_FIELD_STRING:
		type(out, "string");
		return;
	case MAD_FIELD_BYTES:
		bytes(out, field);
		return;
	}
}

#define IP_CM_DETAILS "Details.IPCM"

static void reference(struct json_writer *out, const char *name, const char *suffix)
{
	g_autofree char *path = g_strdup_printf("#/$defs/%s%s%s", name, suffix[0] ? "." : "",
						suffix);

	json_open(out, '{');
	json_string(json_name(out, "$ref"), path);
	json_close(out, '}');
}

/* The last trap from 'trap' on whose details are the same. */
static unsigned int last_of_traps(unsigned int trap)
{
	const struct mad_field *fields = mad_notice_details((uint16_t)trap);

	while (trap < UINT16_MAX && mad_notice_details((uint16_t)(trap + 1)) == fields)
		trap++;
	return trap;
}

static void details_name(char *name, size_t size, unsigned int trap)
{
	snprintf(name, size, "Details.%u", trap);
}

/* "if it is generic and one of these traps, its details are those". */
static void details_rule(struct json_writer *out, unsigned int first, unsigned int last)
{
	char name[32];

	details_name(name, sizeof(name), first);
	json_open(out, '{');
	json_open(json_name(out, "if"), '{');
	json_open(json_name(out, "properties"), '{');
	json_open(json_name(out, "NoticeIsGeneric"), '{');
	json_bool(json_name(out, "const"), true);
	json_close(out, '}');
	between(json_name(out, "NoticeTrapNumber"), first, last);
	json_close(out, '}');
	json_close(out, '}');
	json_open(json_name(out, "then"), '{');
	json_open(json_name(out, "properties"), '{');
	reference(json_name(out, "Details"), name, "");
	json_close(out, '}');
	json_open(json_name(out, "required"), '[');
	json_string(out, "Details");
	json_close(out, ']');
	json_close(out, '}');
	json_close(out, '}');
}

static void details_rules(struct json_writer *out)
{
	json_open(json_name(out, "allOf"), '[');
	for (unsigned int trap = 0; trap <= UINT16_MAX; trap = last_of_traps(trap) + 1) {
		if (mad_notice_details((uint16_t)trap))
			details_rule(out, trap, last_of_traps(trap));
	}
	json_close(out, ']');
}

/*
 * An object that has all of the fields, and no other member; a notice may have details, and so may
 * a ConnectRequest, of one kind.
 */
static void object(struct json_writer *out, const struct mad_field *fields, bool is_notice,
		   bool is_connect_request)
{
	json_open(out, '{');
	json_string(json_name(out, "type"), "object");
	json_open(json_name(out, "properties"), '{');
	for (const struct mad_field *field = fields; field->name; field++) {
		value(json_name(out, field->name), field);
	}
	if (is_notice) {
		type(json_name(out, "Details"), "object");
	}
	if (is_connect_request)
		reference(json_name(out, "Details"), IP_CM_DETAILS, "");
	json_close(out, '}');
	json_open(json_name(out, "required"), '[');
	for (const struct mad_field *field = fields; field->name; field++)
		json_string(out, field->name);
	json_close(out, ']');
	json_bool(json_name(out, "additionalProperties"), false);
	if (is_notice)
		details_rules(out);
	json_close(out, '}');
}

static void definitions(struct json_writer *out)
{
	json_open(json_name(out, "$defs"), '{');
	for (const struct mad_header *header = mad_headers(); header->name; header++) {
		object(json_name(out, header->name), header->fields, false, false);
	}
	for (unsigned int trap = 0; trap <= UINT16_MAX; trap = last_of_traps(trap) + 1) {
		char name[32];

		if (!mad_notice_details((uint16_t)trap))
			continue;
		details_name(name, sizeof(name), trap);
		object(json_name(out, name), mad_notice_details((uint16_t)trap), false,
		       false);
	}
	object(json_name(out, IP_CM_DETAILS), mad_ip_cm_details(false), false, false);
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++) {
		for (const struct mad_attribute *a = info->attributes; a->name; a++) {
			g_autofree char *name = g_strdup_printf("%s.%s", info->name, a->name);

			if (!a->fields)
				continue;
			object(json_name(out, name), a->fields, strcmp(a->name, "Notice") == 0,
			       strcmp(a->name, MAD_CONNECT_REQUEST) == 0);
		}
	}
	json_close(out, '}');
}

/* "if it is this class and attribute, its fields are those": for each of them. */
static void attribute_rule(struct json_writer *out, const struct mad_class_info *info,
			   const struct mad_attribute *attribute)
{
	json_open(out, '{');
	json_open(json_name(out, "if"), '{');
	json_open(json_name(out, "properties"), '{');
	json_open(json_name(out, "class"), '{');
	json_string(json_name(out, "const"), info->name);
	json_close(out, '}');
	json_open(json_name(out, "attribute"), '{');
	json_string(json_name(out, "const"), attribute->name);
	json_close(out, '}');
	json_close(out, '}');
	json_close(out, '}');
	json_open(json_name(out, "then"), '{');
	json_open(json_name(out, "properties"), '{');
	reference(json_name(out, "fields"), info->name, attribute->name);
	json_open(json_name(out, "records"), '{');
	json_string(json_name(out, "type"), "array");
	json_open(json_name(out, "items"), '{');
	json_open(json_name(out, "anyOf"), '[');
	reference(out, info->name, attribute->name);
	type(out, "string");
	json_close(out, ']');
	json_close(out, '}');
	json_close(out, '}');
	json_close(out, '}');
	json_close(out, '}');
	json_close(out, '}');
}

static const struct {
	const char *name;
	const char *type;	/* NULL: an enumeration */
	const char *values[4];
} members[] = {
	{ "kind", NULL, { "mad", "message", "note" } },
	{ "frame", "integer", { NULL } },
	{ "time_ns", "integer", { NULL } },
	{ "time", "string", { NULL } },
	{ "port", "string", { NULL } },
	{ "direction", NULL, { "in", "out" } },
	{ "transport", NULL, { "InfiniBand", "RoCE v1", "RoCE v2" } },
	{ "wrong_crc", NULL, { "ICRC", "VCRC" } },
	{ "comment", "string", { NULL } },
	{ "class", "string", { NULL } },
	{ "method", "string", { NULL } },
	{ "attribute", "string", { NULL } },
	{ "error", "string", { NULL } },
	{ "fields", "object", { NULL } },
	{ "data", "string", { NULL } },
	{ "whole", "boolean", { NULL } },
	{ "incomplete", "string", { NULL } },
	{ "segments", "integer", { NULL } },
	{ "repeats", "integer", { NULL } },
	{ "acks", "integer", { NULL } },
	{ "first_frame", "integer", { NULL } },
	{ "size", "integer", { NULL } },
	{ "records", "array", { NULL } },
	{ "text", "string", { NULL } },
};

static void line_members(struct json_writer *out)
{
	json_open(json_name(out, "properties"), '{');
	for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
		json_name(out, members[i].name);
		if (members[i].type) {
			type(out, members[i].type);
			continue;
		}
		json_open(out, '{');
		json_open(json_name(out, "enum"), '[');
		for (const char *const *v = members[i].values; *v; v++)
			json_string(out, *v);
		json_close(out, ']');
		json_close(out, '}');
	}
	for (const struct mad_header *header = mad_headers(); header->name; header++) {
		reference(json_name(out, header->name), header->name, "");
	}
	json_close(out, '}');
	json_open(json_name(out, "required"), '[');
	for (size_t i = 0; i < 3; i++)
		json_string(out, members[i].name);
	json_close(out, ']');
	json_bool(json_name(out, "additionalProperties"), false);
}

void json_schema(struct json_writer *out)
{
	json_open(out, '{');
	json_string(json_name(out, "$schema"), "https://json-schema.org/draft/2020-12/schema");
	json_string(json_name(out, "title"), "a line of umadrig show --json");
	json_string(json_name(out, "type"), "object");
	line_members(out);
	json_open(json_name(out, "allOf"), '[');
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++) {
		for (const struct mad_attribute *a = info->attributes; a->name; a++) {
			if (a->fields)
				attribute_rule(out, info, a);
		}
	}
	json_close(out, ']');
	definitions(out);
	json_close(out, '}');
	json_end_line(out);
}
