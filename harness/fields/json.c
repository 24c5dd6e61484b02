/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The MAD dictionary as JSON. See harness/fields/fields.h, and doc/fields-json.md.
 */
#include "harness/fields/fields.h"

#include <string.h>

#include "lib/base/wire.h"
#include "sim/dictionary/wireshark.h"
#include "sim/topology/json-string.h"

/* Incremented when a member is renamed or removed, or changes its meaning; not for a new one. */
enum { FORMAT_VERSION = 1 };

static const char *identity_word(enum mad_identity identity)
{
	switch (identity) {
	case MAD_IDENTITY_NONE:
		return NULL;
	case MAD_IDENTITY_GUID:
		return "guid";
	case MAD_IDENTITY_GID:
		return "gid";
	case MAD_IDENTITY_PREFIX:
		return "prefix";
	case MAD_IDENTITY_NAME:
		return "name";
	case MAD_IDENTITY_KEY:
		return "key";
	case MAD_IDENTITY_P_KEY:
		return "p_key";
	case MAD_IDENTITY_LID:
		return "lid";
	case MAD_IDENTITY_LID_TOP:
		return "lid_top";
	case MAD_IDENTITY_LID_BLOCK:
		return "lid_block";
	case MAD_IDENTITY_LID_TABLE:
		return "lid_table";
	case MAD_IDENTITY_PRIVATE:
		return "private";
	}
	return NULL;
}

static void add_values(struct json_writer *json, const struct mad_field_name *names)
{
	json_open(json_name(json, "values"), '[');
	for (const struct mad_field_name *n = names; n->name; n++) {
		json_open(json, '{');
		json_unsigned(json_name(json, "value"), n->value);
		json_string(json_name(json, "name"), n->name);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_field(struct json_writer *json, const struct mad_field *field)
{
	json_open(json, '{');
	json_string(json_name(json, "name"), field->name);
	json_unsigned(json_name(json, "bit"), field->bit);
	json_unsigned(json_name(json, "width"), field->width);
	json_string(json_name(json, "format"), fields_format_word(field->format));
	if (identity_word(field->identity))
		json_string(json_name(json, "identity"), identity_word(field->identity));
	if (field->names)
		add_values(json, field->names);
	json_close(json, '}');
}

static void add_span(struct json_writer *json, const struct wireshark_span *span)
{
	json_open(json, '{');
	json_string(json_name(json, "name"), span->name);
	json_unsigned(json_name(json, "bit"), span->bit);
	json_unsigned(json_name(json, "width"), span->width);
	json_unsigned(json_name(json, "count"), span->count);
	json_unsigned(json_name(json, "stride"), span->stride);
	if (span->wrong)
		json_string(json_name(json, "wrong"), span->wrong);
	json_close(json, '}');
}

/* 'member' is the space before what Wireshark calls them, 'item' before each. Frees 'spans'. */
static void add_fields(struct json_writer *json, const struct mad_field *fields, GArray *spans,
		       const char *member, const char *item)
{
	json_open(json_name(json, "fields"), '[');
	for (const struct mad_field *f = fields; f && f->name; f++) {
		json_space(json, item);
		add_field(json, f);
	}
	json_close(json, ']');
	json_space(json, member);
	json_open(json_name(json, "wireshark"), '[');
	for (guint i = 0; i < spans->len; i++) {
		json_space(json, item);
		add_span(json, &g_array_index(spans, struct wireshark_span, i));
	}
	json_close(json, ']');
	g_array_unref(spans);
}

/* The names of the classes that have it, "SUBN_DR", in the order of the dictionary. */
static void add_header_classes(struct json_writer *json, const struct mad_header *header)
{
	json_open(json_name(json, "classes"), '[');
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++)
		if (header->applies(info->mgmt_class))
			json_string(json, info->name);
	json_close(json, ']');
}

static void add_headers(struct json_writer *json, const struct fields_selection *selection)
{
	json_space(json, "\n  ");
	json_open(json_name(json, "headers"), '[');
	for (const struct mad_header *header = mad_headers(); header->name; header++) {
		if (!fields_selection_has_header(selection, header))
			continue;
		json_space(json, "\n    ");
		json_open(json, '{');
		json_string(json_name(json, "name"), header->name);
		json_string(json_name(json, "from"), header->base == MAD_HEADER_OF_MAD ? "mad" :
			    "header");
		add_header_classes(json, header);
		add_fields(json, header->fields, wireshark_header_spans(header, MAD_CLASS_SUBN_ADM),
			   "\n     ", "\n      ");
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_methods(struct json_writer *json, const struct mad_class_info *info)
{
	json_space(json, "\n     ");
	json_open(json_name(json, "methods"), '[');
	for (const struct mad_method_info *m = info->methods; m->name; m++) {
		g_autofree char *name = g_strconcat(info->prefix, m->name, NULL);

		json_space(json, "\n       ");
		json_open(json, '{');
		json_unsigned(json_name(json, "value"), m->method);
		json_string(json_name(json, "name"), name);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_attributes(struct json_writer *json, const struct fields_selection *selection,
			   const struct mad_class_info *info)
{
	json_space(json, "\n     ");
	json_open(json_name(json, "attributes"), '[');
	for (const struct mad_attribute *a = info->attributes; a->name; a++) {
		if (!fields_selection_has_attribute(selection, info, a))
			continue;
		json_space(json, "\n       ");
		json_open(json, '{');
		json_unsigned(json_name(json, "id"), a->id);
		json_string(json_name(json, "name"), a->name);
		json_unsigned(json_name(json, "size"), a->size);
		add_fields(json, a->fields, wireshark_spans(info->mgmt_class, a->id),
			   "\n        ", "\n         ");
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* The details of generic notices, wherever a Notice is asked for. */
static void add_notices(struct json_writer *json, const struct fields_selection *selection)
{
	const struct mad_class_info *info = mad_class_find(MAD_CLASS_SUBN_ADM);
	const struct mad_attribute *notice = mad_attribute_by_name(info, "Notice", NULL);

	json_space(json, "\n  ");
	json_open(json_name(json, "notices"), '[');
	for (unsigned int trap = 0; trap <= UINT16_MAX; trap++) {
		if (!mad_notice_details((uint16_t)trap) ||
		    !fields_selection_has_attribute(selection, info, notice))
			continue;
		json_space(json, "\n    ");
		json_open(json, '{');
		json_unsigned(json_name(json, "trap"), trap);
		add_fields(json, mad_notice_details((uint16_t)trap),
			   wireshark_notice_spans((uint16_t)trap), "\n     ", "\n      ");
		json_close(json, '}');
	}
	json_close(json, ']');
}

static bool is_wanted(const struct fields_selection *selection, const struct mad_class_info *info)
{
	for (const struct mad_attribute *a = info->attributes; a->name; a++)
		if (fields_selection_has_attribute(selection, info, a))
			return true;
	return false;
}

static void add_class(struct json_writer *json, const struct fields_selection *selection,
		      const struct mad_class_info *info)
{
	json_space(json, "\n    ");
	json_open(json, '{');
	json_string(json_name(json, "name"), info->name);
	json_string(json_name(json, "prefix"), info->prefix);
	json_unsigned(json_name(json, "first"), info->mgmt_class);
	json_unsigned(json_name(json, "last"), info->last);
	json_unsigned(json_name(json, "class_version"), info->class_version);
	json_unsigned(json_name(json, "data_at"), info->data_at);
	add_methods(json, info);
	add_attributes(json, selection, info);
	json_close(json, '}');
}

void fields_write_json(const struct fields_selection *selection, GString *out)
{
	struct json_writer json;

	json_writer_to_string(&json, JSON_LINES, out);
	json_open(&json, '{');
	json_space(&json, "\n  ");
	json_string(json_name(&json, "format"), "umadrig-fields");
	json_space(&json, "\n  ");
	json_unsigned(json_name(&json, "version"), FORMAT_VERSION);
	add_headers(&json, selection);
	add_notices(&json, selection);
	json_space(&json, "\n  ");
	json_open(json_name(&json, "classes"), '[');
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++) {
		if (is_wanted(selection, info))
			add_class(&json, selection, info);
	}
	json_close(&json, ']');
	json_space(&json, "\n");
	json_close(&json, '}');
	json_end_line(&json);
	json_finish(&json);
}
