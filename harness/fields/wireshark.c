/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A Lua dissector for Wireshark, made of the dictionary. See harness/fields/fields.h.
 *
 * It is a postdissector: it finds the MAD where Wireshark has found it, and adds the fields that
 * Wireshark does not show or shows wrong (sim/dictionary/wireshark.h).
 */
#include "harness/fields/fields.h"

#include <inttypes.h>
#include <string.h>

#include "harness/fields/wireshark-lua.h"
#include "lib/base/wire.h"
#include "sim/dictionary/wireshark.h"

/* What has been written: a name is declared once, lists of fields are written once. */
struct lua {
	GString *out;
	GHashTable *names;	/* of the fields that are declared */
	GHashTable *widths;	/* of a name's widest field: KEY has 16 bits or 32 */
	GHashTable *lists;	/* from owner and address of fields to the number of their list */
};

/* Look-up only: nothing is written in the order of a hash table. */
static struct lua lua_begin(GString *out)
{
	struct lua lua = {
		out, g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
	};

	return lua;
}

static void lua_end(struct lua *lua)
{
	g_hash_table_destroy(lua->names);
	g_hash_table_destroy(lua->widths);
	g_hash_table_destroy(lua->lists);
}

/* The letters of fields_lua_before. */
static char kind_of(const struct mad_field *field)
{
	switch (field->format) {
	case MAD_FIELD_DEC:
	case MAD_FIELD_LID:
	case MAD_FIELD_ENUM:
		return 'n';
	case MAD_FIELD_HEX:
		/* With names, those are of bits. */
		return field->names ? 'f' : 'h';
	case MAD_FIELD_GUID:
		return 'h';
	case MAD_FIELD_BOOL:
		return 'b';
	case MAD_FIELD_FLAGS:
		return 'f';
	case MAD_FIELD_GID:
		return '6';
	case MAD_FIELD_IPV4:
		return 'x';
	case MAD_FIELD_STRING:
		return 's';
	case MAD_FIELD_BYTES:
		return 'x';
	}
	return 'x';
}

/* "umadrig.portinfo.lid" */
static char *filter_name(const char *owner, const char *field)
{
	g_autofree char *name = g_strdup_printf("umadrig.%s.%s", owner, field);

	return g_ascii_strdown(name, -1);
}

static void append_value_names(GString *out, const struct mad_field *field)
{
	g_string_append(out, ", {");
	for (const struct mad_field_name *n = field->names; n->name; n++)
		g_string_append_printf(out, "%s[%" PRIu64 "]=\"%s\"", n == field->names ? "" : ", ",
				       n->value, n->name);
	g_string_append(out, "}");
}

static void append_flag_names(GString *out, const struct mad_field *field)
{
	g_string_append(out, ", {");
	for (const struct mad_field_name *n = field->names; n->name; n++)
		g_string_append_printf(out, "%s{%" PRIu64 ", \"%s\"}",
				       n == field->names ? "" : ", ", n->value, n->name);
	g_string_append(out, "}");
}

static void measure(struct lua *lua, const char *owner, const struct mad_field *fields)
{
	for (const struct mad_field *f = fields; f && f->name; f++) {
		char *name = filter_name(owner, f->name);
		unsigned int width = GPOINTER_TO_UINT(g_hash_table_lookup(lua->widths, name));

		g_hash_table_insert(lua->widths, name, GUINT_TO_POINTER(MAX(width, f->width)));
	}
}

static void declare(struct lua *lua, const char *owner, const struct mad_field *field)
{
	char *name = filter_name(owner, field->name);

	if (!g_hash_table_add(lua->names, name))
		return;
	g_string_append_printf(lua->out, "field(\"%s\", \"%s\", \"%c\", %u", name, field->name,
			       kind_of(field),
			       GPOINTER_TO_UINT(g_hash_table_lookup(lua->widths, name)));
	if (field->format == MAD_FIELD_BOOL)
		g_string_append(lua->out, ", {[0]=\"false\", [1]=\"true\"}");
	else if (field->format == MAD_FIELD_ENUM)
		append_value_names(lua->out, field);
	g_string_append(lua->out, ")\n");
}

/* Declares the fields, writes them as lists[N], and returns N; the second time returns N only. */
static unsigned int write_list(struct lua *lua, const char *owner, const struct mad_field *fields)
{
	char *key = g_strdup_printf("%s %p", owner, (const void *)fields);
	unsigned int number = GPOINTER_TO_UINT(g_hash_table_lookup(lua->lists, key));

	if (number) {
		g_free(key);
		return number;
	}
	number = g_hash_table_size(lua->lists) + 1;
	g_hash_table_insert(lua->lists, key, GUINT_TO_POINTER(number));
	for (const struct mad_field *f = fields; f->name; f++)
		declare(lua, owner, f);
	g_string_append_printf(lua->out, "lists[%u] = {\n", number);
	for (const struct mad_field *f = fields; f->name; f++) {
		g_autofree char *name = filter_name(owner, f->name);

		g_string_append_printf(lua->out, "\t{\"%s\", \"%c\", %u, %u", name, kind_of(f),
				       f->bit, f->width);
		if (kind_of(f) == 'f')
			append_flag_names(lua->out, f);
		g_string_append(lua->out, "},\n");
	}
	g_string_append(lua->out, "}\n");
	return number;
}

/* The numbers of the fields that Wireshark does not show right; frees 'spans'. */
static void append_missing(GString *out, const struct mad_field *fields, GArray *spans)
{
	const char *separator = "";
	unsigned int number = 0;

	if (spans->len == 0) {
		g_string_append(out, "true");
	} else {
		g_string_append_c(out, '{');
		for (const struct mad_field *f = fields; f->name; f++) {
			number++;
			if (wireshark_shows(spans, f))
				continue;
			g_string_append_printf(out, "%s%u", separator, number);
			separator = ", ";
		}
		g_string_append_c(out, '}');
	}
	g_array_unref(spans);
}

/* In all attributes and notices, before any of them is declared. */
static void measure_all(struct lua *lua)
{
	for (const struct mad_header *header = mad_headers(); header->name; header++)
		measure(lua, header->name, header->fields);
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++)
		for (const struct mad_attribute *a = info->attributes; a->name; a++)
			measure(lua, a->name, a->fields);
	for (unsigned int trap = 0; trap <= UINT16_MAX; trap++)
		measure(lua, "Notice", mad_notice_details((uint16_t)trap));
}

static void write_lists(struct lua *lua)
{
	g_string_append(lua->out, "local lists = {}\n");
	for (const struct mad_header *header = mad_headers(); header->name; header++)
		if (header->base == MAD_HEADER_OF_MAD)
			write_list(lua, header->name, header->fields);
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++)
		for (const struct mad_attribute *a = info->attributes; a->name; a++)
			if (a->fields)
				write_list(lua, a->name, a->fields);
}

static void write_notices(struct lua *lua)
{
	for (unsigned int trap = 0; trap <= UINT16_MAX; trap++) {
		const struct mad_field *fields = mad_notice_details((uint16_t)trap);

		if (fields)
			write_list(lua, "Notice", fields);
	}
	g_string_append(lua->out, "local notices = {\n");
	for (unsigned int trap = 0; trap <= UINT16_MAX; trap++) {
		const struct mad_field *fields = mad_notice_details((uint16_t)trap);

		if (!fields)
			continue;
		g_string_append_printf(lua->out, "\t[%u] = { fields = lists[%u], missing = ", trap,
				       write_list(lua, "Notice", fields));
		append_missing(lua->out, fields, wireshark_notice_spans((uint16_t)trap));
		g_string_append(lua->out, " },\n");
	}
	g_string_append(lua->out, "}\n");
}

static void write_attribute(struct lua *lua, const struct mad_class_info *info,
			    const struct mad_attribute *a)
{
	GArray *spans = wireshark_spans(info->mgmt_class, a->id);
	bool details = spans->len > 0;

	g_string_append_printf(lua->out, "\t\t[0x%04x] = { name = \"%s\"", a->id, a->name);
	if (a->fields) {
		g_string_append_printf(lua->out, ", fields = lists[%u], missing = ",
				       write_list(lua, a->name, a->fields));
		append_missing(lua->out, a->fields, g_array_ref(spans));
		if (details)
			g_string_append(lua->out, ", details = true");
	}
	g_string_append(lua->out, " },\n");
	g_array_unref(spans);
}

static void write_headers(struct lua *lua, const struct mad_class_info *info)
{
	for (const struct mad_header *header = mad_headers(); header->name; header++) {
		if (header->base != MAD_HEADER_OF_MAD || !header->applies(info->mgmt_class))
			continue;
		g_string_append_printf(lua->out, "\t\t{ lists[%u], ",
				       write_list(lua, header->name, header->fields));
		append_missing(lua->out, header->fields,
			       wireshark_header_spans(header, info->mgmt_class));
		g_string_append(lua->out, " },\n");
	}
}

/* The last of overlapping ranges is written first, so that the first one counts. */
static void write_class(struct lua *lua, const struct mad_class_info *info)
{
	g_string_append_printf(lua->out, "class = { prefix = \"%s\", data_at = %u, rmpp = %s,\n",
			       info->prefix, info->data_at,
			       mad_class_has_rmpp(info->mgmt_class) ? "true" : "false");
	g_string_append(lua->out, "\tmethods = {");
	for (const struct mad_method_info *m = info->methods; m->name; m++)
		g_string_append_printf(lua->out, " [0x%02x] = \"%s\",", m->method, m->name);
	g_string_append(lua->out, " },\n\theaders = {\n");
	write_headers(lua, info);
	g_string_append(lua->out, "\t},\n\tattributes = {\n");
	for (const struct mad_attribute *a = info->attributes; a->name; a++)
		write_attribute(lua, info, a);
	g_string_append(lua->out, "\t} }\n");
	g_string_append_printf(lua->out, "for n = 0x%02x, 0x%02x do classes[n] = class end\n",
			       info->mgmt_class, info->last);
}

void fields_write_wireshark(GString *out)
{
	struct lua lua = lua_begin(out);
	const struct mad_class_info *first = mad_dictionary(), *last = first;

	g_string_append(out, fields_lua_before);
	measure_all(&lua);
	write_lists(&lua);
	write_notices(&lua);
	g_string_append(out, "local classes = {}\nlocal class\n");
	while (last->prefix)
		last++;
	while (last-- > first)
		write_class(&lua, last);
	g_string_append(out, fields_lua_after);
	lua_end(&lua);
}
