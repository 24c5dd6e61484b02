/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The MAD dictionary as text for people. See harness/fields/fields.h.
 */
#include "harness/fields/fields.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_WIDTH = 32, ATTR_NOTICE = 0x0002 };

const char *fields_format_word(enum mad_field_format format)
{
	switch (format) {
	case MAD_FIELD_DEC:
		return "dec";
	case MAD_FIELD_HEX:
		return "hex";
	case MAD_FIELD_BOOL:
		return "bool";
	case MAD_FIELD_GUID:
		return "guid";
	case MAD_FIELD_GID:
		return "gid";
	case MAD_FIELD_IPV4:
		return "ipv4";
	case MAD_FIELD_LID:
		return "lid";
	case MAD_FIELD_STRING:
		return "string";
	case MAD_FIELD_BYTES:
		return "bytes";
	case MAD_FIELD_ENUM:
		return "enum";
	case MAD_FIELD_FLAGS:
		return "flags";
	}
	return NULL;
}

static void append_field(GString *out, const struct mad_field *field)
{
	g_string_append_printf(out, "%6u %6u  %-*s %s", field->bit, field->width, NAME_WIDTH,
			       field->name, fields_format_word(field->format));
	for (const struct mad_field_name *n = field->names; n && n->name; n++)
		g_string_append_printf(out, "%s%" PRIu64 "=%s", n == field->names ? "  " : " ",
				       n->value, n->name);
	g_string_append_c(out, '\n');
}

static void append_fields(GString *out, const struct mad_field *fields)
{
	if (!fields) {
		g_string_append(out, "  (known by name only)\n");
		return;
	}
	g_string_append_printf(out, "%6s %6s  %-*s %s\n", "bit", "width", NAME_WIDTH, "field",
			       "printed as");
	for (; fields->name; fields++)
		append_field(out, fields);
}

/* Are they the same class except for the number, as directed and LID-routed SMPs are? */
static bool is_alike(const struct mad_class_info *a, const struct mad_class_info *b)
{
	return a->attributes == b->attributes && a->methods == b->methods &&
	       a->data_at == b->data_at && strcmp(a->prefix, b->prefix) == 0;
}

static void append_class_name(GString *out, const struct mad_class_info *info)
{
	g_string_append_printf(out, "%s 0x%02x", info->name, info->mgmt_class);
	if (info->last != info->mgmt_class)
		g_string_append_printf(out, "-0x%02x", info->last);
}

static bool has_fields_of(const struct mad_class_info *info, const struct mad_attribute *a)
{
	for (const struct mad_attribute *b = info->attributes; b->name; b++)
		if (b->id == a->id && b->fields == a->fields && strcmp(b->name, a->name) == 0)
			return true;
	return false;
}

static void append_methods(GString *out, const struct mad_class_info *info)
{
	g_string_append(out, "  methods:");
	for (const struct mad_method_info *m = info->methods; m->name; m++)
		g_string_append_printf(out, " %s%s=0x%02x", info->prefix, m->name, m->method);
	g_string_append_c(out, '\n');
}

/* Names only: what "umadrig fields" lists, and what a class has. */
static void append_class(GString *out, const struct mad_class_info *info)
{
	append_class_name(out, info);
	for (const struct mad_class_info *other = info + 1; other->prefix; other++)
		if (is_alike(other, info)) {
			g_string_append(out, ", ");
			append_class_name(out, other);
		}
	g_string_append_printf(out, ": class version %u, attributes from byte %u of the MAD\n",
			       info->class_version, info->data_at);
	append_methods(out, info);
	for (const struct mad_attribute *a = info->attributes; a->name; a++) {
		g_string_append_printf(out, "  0x%04x  %-*s", a->id, NAME_WIDTH, a->name);
		if (a->fields)
			g_string_append_printf(out, " %u bytes\n", a->size);
		else
			g_string_append(out, " (known by name only)\n");
	}
}

/* Printed once for all the classes that have it: their numbers, and its place in their MADs. */
/* The details of generic notices, once for all the traps that have the same. */
static void append_details(GString *out)
{
	for (unsigned int trap = 0, last; trap <= UINT16_MAX; trap = last + 1) {
		const struct mad_field *fields = mad_notice_details((uint16_t)trap);

		last = trap;
		while (fields && last < UINT16_MAX &&
		       mad_notice_details((uint16_t)(last + 1)) == fields)
			last++;
		if (!fields)
			continue;
		g_string_append_printf(out, "  NoticeDataDetails of trap %u", trap);
		if (last > trap)
			g_string_append_printf(out, " to %u", last);
		g_string_append_c(out, '\n');
		append_fields(out, fields);
	}
}

static void append_attribute(GString *out, const struct fields_selection *selection,
			     const struct mad_class_info *first, const struct mad_attribute *a)
{
	g_string_append_printf(out, "%s 0x%04x", a->name, a->id);
	if (a->fields)
		g_string_append_printf(out, ": %u bytes", a->size);
	g_string_append_c(out, '\n');
	for (const struct mad_class_info *info = first; info->prefix; info++) {
		if (!has_fields_of(info, a) || !fields_selection_has_attribute(selection, info,
				mad_attribute_by_name(info, a->name, NULL)))
			continue;
		g_string_append(out, "  in ");
		append_class_name(out, info);
		g_string_append_printf(out, " at byte %u of the MAD\n", info->data_at);
	}
	append_fields(out, a->fields);
	if (a->fields && a->id == ATTR_NOTICE)
		append_details(out);
}

static bool is_in_earlier_class(const struct fields_selection *selection,
				const struct mad_class_info *info, const struct mad_attribute *a)
{
	for (const struct mad_class_info *other = mad_dictionary(); other != info; other++)
		if (has_fields_of(other, a) && fields_selection_has_attribute(selection, other,
				mad_attribute_by_name(other, a->name, NULL)))
			return true;
	return false;
}

static bool is_like_earlier_class(const struct fields_selection *selection,
				  const struct mad_class_info *info)
{
	for (const struct mad_class_info *other = mad_dictionary(); other != info; other++)
		if (is_alike(other, info) && fields_selection_has_class(selection, other))
			return true;
	return false;
}

static void separate(GString *out)
{
	if (out->len)
		g_string_append_c(out, '\n');
}

static void append_headers(GString *out, const struct fields_selection *selection)
{
	for (const struct mad_header *header = mad_headers(); header->name; header++) {
		if (!fields_selection_has_header(selection, header))
			continue;
		separate(out);
		g_string_append_printf(out, "%s: a header, bits counted from %s\n", header->name,
				       header->base == MAD_HEADER_OF_MAD ?
				       "the MAD's first byte" : "its own first byte");
		append_fields(out, header->fields);
	}
}

static void write_list(GString *out, const struct fields_selection *selection)
{
	g_string_append(out, "headers:");
	for (const struct mad_header *header = mad_headers(); header->name; header++)
		g_string_append_printf(out, " %s", header->name);
	g_string_append_c(out, '\n');
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++) {
		if (is_like_earlier_class(selection, info))
			continue;
		separate(out);
		append_class(out, info);
	}
}

void fields_write_text(const struct fields_selection *selection, GString *out)
{
	if (fields_selection_is_all(selection)) {
		write_list(out, selection);
		return;
	}
	append_headers(out, selection);
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++)
		if (fields_selection_has_class(selection, info) &&
		    !is_like_earlier_class(selection, info)) {
			separate(out);
			append_class(out, info);
		}
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++)
		for (const struct mad_attribute *a = info->attributes; a->name; a++) {
			if (!fields_selection_has_attribute(selection, info, a) ||
			    is_in_earlier_class(selection, info, a))
				continue;
			separate(out);
			append_attribute(out, selection, info, a);
		}
}
