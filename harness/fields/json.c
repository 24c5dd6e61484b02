/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The MAD dictionary as JSON. See harness/fields/fields.h, and doc/fields-json.md.
 */
#include "harness/fields/fields.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/wire.h"
#include "sim/dictionary/wireshark.h"

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

/*
 * One line per object, indented by depth; a comma precedes each but the first. Names in the
 * dictionary consist of characters that need no escapes in JSON strings: the test parses them all.
 */
static void next(GString *out, bool *first, unsigned int indent)
{
	g_string_append_printf(out, "%s\n%*s", *first ? "" : ",", (int)indent, "");
	*first = false;
}

static void append_values(GString *out, const struct mad_field_name *names)
{
	g_string_append(out, ", \"values\": [");
	for (const struct mad_field_name *n = names; n->name; n++)
		g_string_append_printf(out, "%s{\"value\": %" PRIu64 ", \"name\": \"%s\"}",
				       n == names ? "" : ", ", n->value, n->name);
	g_string_append_c(out, ']');
}

static void append_fields(GString *out, const struct mad_field *fields, unsigned int indent)
{
	bool first = true;

	g_string_append(out, "\"fields\": [");
	for (const struct mad_field *f = fields; f && f->name; f++) {
		next(out, &first, indent);
		g_string_append_printf(out, "{\"name\": \"%s\", \"bit\": %u, \"width\": %u, "
				       "\"format\": \"%s\"", f->name, f->bit, f->width,
				       fields_format_word(f->format));
		if (identity_word(f->identity))
			g_string_append_printf(out, ", \"identity\": \"%s\"",
					       identity_word(f->identity));
		if (f->names)
			append_values(out, f->names);
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, ']');
}

/* Frees 'spans'. */
static void append_wireshark(GString *out, GArray *spans, unsigned int indent)
{
	bool first = true;

	g_string_append_printf(out, ",\n%*s\"wireshark\": [", (int)indent - 1, "");
	for (guint i = 0; i < spans->len; i++) {
		const struct wireshark_span *span =
			&g_array_index(spans, struct wireshark_span, i);

		next(out, &first, indent);
		g_string_append_printf(out, "{\"name\": \"%s\", \"bit\": %u, \"width\": %u, "
				       "\"count\": %u, \"stride\": %u", span->name, span->bit,
				       span->width, span->count, span->stride);
		if (span->wrong)
			g_string_append_printf(out, ", \"wrong\": \"%s\"", span->wrong);
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, ']');
	g_array_unref(spans);
}

/* The names of the classes that have it, "SUBN_DR", in the order of the dictionary. */
static void append_header_classes(GString *out, const struct mad_header *header)
{
	const char *separator = "";

	g_string_append(out, "\"classes\": [");
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++)
		if (header->applies(info->mgmt_class)) {
			g_string_append_printf(out, "%s\"%s\"", separator, info->name);
			separator = ", ";
		}
	g_string_append(out, "], ");
}

static void append_headers(GString *out, const struct fields_selection *selection)
{
	bool first = true;

	g_string_append(out, "  \"headers\": [");
	for (const struct mad_header *header = mad_headers(); header->name; header++) {
		if (!fields_selection_has_header(selection, header))
			continue;
		next(out, &first, 4);
		g_string_append_printf(out, "{\"name\": \"%s\", \"from\": \"%s\", ", header->name,
				       header->base == MAD_HEADER_OF_MAD ? "mad" : "header");
		append_header_classes(out, header);
		append_fields(out, header->fields, 6);
		append_wireshark(out, wireshark_header_spans(header, MAD_CLASS_SUBN_ADM), 6);
		g_string_append_c(out, '}');
	}
	g_string_append(out, "],\n");
}

static void append_methods(GString *out, const struct mad_class_info *info)
{
	bool first = true;

	g_string_append(out, "     \"methods\": [");
	for (const struct mad_method_info *m = info->methods; m->name; m++) {
		next(out, &first, 7);
		g_string_append_printf(out, "{\"value\": %u, \"name\": \"%s%s\"}", m->method,
				       info->prefix, m->name);
	}
	g_string_append(out, "],\n");
}

static void append_attributes(GString *out, const struct fields_selection *selection,
			      const struct mad_class_info *info)
{
	bool first = true;

	g_string_append(out, "     \"attributes\": [");
	for (const struct mad_attribute *a = info->attributes; a->name; a++) {
		if (!fields_selection_has_attribute(selection, info, a))
			continue;
		next(out, &first, 7);
		g_string_append_printf(out, "{\"id\": %u, \"name\": \"%s\", \"size\": %u, ", a->id,
				       a->name, a->size);
		append_fields(out, a->fields, 9);
		append_wireshark(out, wireshark_spans(info->mgmt_class, a->id), 9);
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, ']');
}

/* The details of generic notices, wherever a Notice is asked for. */
static void append_notices(GString *out, const struct fields_selection *selection)
{
	const struct mad_class_info *info = mad_class_find(MAD_CLASS_SUBN_ADM);
	const struct mad_attribute *notice = mad_attribute_by_name(info, "Notice", NULL);
	bool first = true;

	g_string_append(out, "  \"notices\": [");
	for (unsigned int trap = 0; trap <= UINT16_MAX; trap++) {
		if (!mad_notice_details((uint16_t)trap) ||
		    !fields_selection_has_attribute(selection, info, notice))
			continue;
		next(out, &first, 4);
		g_string_append_printf(out, "{\"trap\": %u, ", trap);
		append_fields(out, mad_notice_details((uint16_t)trap), 6);
		append_wireshark(out, wireshark_notice_spans((uint16_t)trap), 6);
		g_string_append_c(out, '}');
	}
	g_string_append(out, "],\n");
}

static bool is_wanted(const struct fields_selection *selection, const struct mad_class_info *info)
{
	for (const struct mad_attribute *a = info->attributes; a->name; a++)
		if (fields_selection_has_attribute(selection, info, a))
			return true;
	return false;
}

void fields_write_json(const struct fields_selection *selection, GString *out)
{
	bool first = true;

	g_string_append_printf(out, "{\n  \"format\": \"umadrig-fields\",\n  \"version\": %d,\n",
			       FORMAT_VERSION);
	append_headers(out, selection);
	append_notices(out, selection);
	g_string_append(out, "  \"classes\": [");
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++) {
		if (!is_wanted(selection, info))
			continue;
		next(out, &first, 4);
		g_string_append_printf(out, "{\"name\": \"%s\", \"prefix\": \"%s\", \"first\": %u, "
				       "\"last\": %u, \"class_version\": %u, \"data_at\": %u,\n",
				       info->name, info->prefix, info->mgmt_class, info->last,
				       info->class_version, info->data_at);
		append_methods(out, info);
		append_attributes(out, selection, info);
		g_string_append_c(out, '}');
	}
	g_string_append(out, "]\n}\n");
}
