/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See sim/diff/ignored-fields.h. */
#include "sim/diff/ignored-fields.h"

#include <glib.h>
#include <string.h>

#include "lib/base/wire.h"
#include "lib/words/number.h"
#include "sim/dictionary/mad-header.h"

/* ---- names ---- */

static struct ignored_field *add_ignored(struct ignored_fields *ignored)
{
	ignored->fields = g_renew(struct ignored_field, ignored->fields, ignored->count + 1);
	ignored->fields[ignored->count] = (struct ignored_field){ .header = NULL };
	return &ignored->fields[ignored->count++];
}

/* bytes[24..27], or bytes[24] */
static bool add_bytes(struct ignored_fields *ignored, const char *name)
{
	struct ignored_field *field;
	uint64_t first, last;

	if (!g_str_has_prefix(name, "bytes["))
		return false;
	name += strlen("bytes[");
	if (number_take(&name, 10, MAD_SIZE - 1, &first) < 0)
		return false;
	last = first;
	if (g_str_has_prefix(name, "..")) {
		name += strlen("..");
		if (number_take(&name, 10, MAD_SIZE - 1, &last) < 0)
			return false;
	}
	if (strcmp(name, "]") != 0 || first > last)
		return false;
	field = add_ignored(ignored);
	field->first = (uint16_t)first;
	field->last = (uint16_t)last;
	return true;
}

/* FIELD of every attribute that has one, or ATTRIBUTE.FIELD. */
static bool add_attribute_field(struct ignored_fields *ignored, const char *name)
{
	const char *dot = strchr(name, '.'), *suggestion;
	g_autofree char *wanted = dot ? g_strndup(name, (gsize)(dot - name)) : NULL;
	bool found = false;

	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++) {
		const struct mad_attribute *attribute = info->attributes;

		for (; attribute && attribute->name; attribute++) {
			const struct mad_field *field;
			struct ignored_field *added;

			if (!attribute->fields ||
			    (wanted && g_ascii_strcasecmp(attribute->name, wanted) != 0))
				continue;
			field = mad_field_by_name(attribute, dot ? dot + 1 : name, &suggestion);
			if (!field)
				continue;
			added = add_ignored(ignored);
			added->field = field;
			added->attribute = attribute->id;
			added->mgmt_class = info->mgmt_class;
			found = true;
		}
	}
	return found;
}

/* A header's field by the dictionary's name for the same bits: TransactionID is tid. */
static bool add_dictionary_header(struct ignored_fields *ignored, const char *name)
{
	const struct mad_field *found = NULL;

	for (const struct mad_header *header = mad_headers(); header->name && !found; header++) {
		const struct mad_field *field = header->fields;

		if (header->base != MAD_HEADER_OF_MAD)
			continue;
		while (field->name && g_ascii_strcasecmp(field->name, name) != 0)
			field++;
		found = field->name ? field : NULL;
	}
	for (const struct header_field *header = header_fields; found && header->field.name;
	     header++) {
		if (header->field.bit == found->bit && header->field.width == found->width) {
			add_ignored(ignored)->header = header;
			return true;
		}
	}
	return false;
}

static const char *suggest(const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (unsigned int i = 0; i < ADDRESS_FIELDS; i++)
		g_ptr_array_add(names, (gpointer)address_field_names[i]);
	for (unsigned int i = 0; i < CONVERSATION_FIELDS; i++)
		g_ptr_array_add(names, (gpointer)conversation_field_names[i]);
	for (const struct header_field *header = header_fields; header->field.name; header++)
		g_ptr_array_add(names, (gpointer)header->field.name);
	g_ptr_array_add(names, (gpointer)"time");
	g_ptr_array_add(names, NULL);
	return mad_closest(name, (const char *const *)names->pdata);
}

bool ignored_fields_add(struct ignored_fields *ignored, const char *name,
			const char **ret_suggestion)
{
	bool found = false;

	*ret_suggestion = NULL;
	if (strcmp(name, "time") == 0) {
		ignored->time = true;
		return true;
	}
	for (unsigned int i = 0; i < ADDRESS_FIELDS; i++) {
		if (strcmp(address_field_names[i], name) == 0)
			return ignored->address[i] = true;
	}
	for (unsigned int i = 0; i < CONVERSATION_FIELDS; i++) {
		if (strcmp(conversation_field_names[i], name) == 0)
			return ignored->conversation[i] = true;
	}
	for (const struct header_field *header = header_fields; header->field.name; header++) {
		if (strcmp(header->field.name, name) == 0) {
			add_ignored(ignored)->header = header;
			found = true;
		}
	}
	if (found || add_bytes(ignored, name) || add_dictionary_header(ignored, name) ||
	    add_attribute_field(ignored, name))
		return true;
	*ret_suggestion = suggest(name);
	return false;
}

void ignored_fields_clear(struct ignored_fields *ignored)
{
	g_free(ignored->fields);
	*ignored = (struct ignored_fields){ .fields = NULL };
}

/* ---- leaving out ---- */

static bool is_attribute_of(const struct ignored_field *field, const uint8_t *mad)
{
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);

	return info && info->mgmt_class == field->mgmt_class &&
	       get_be16(mad + MAD_ATTR_ID) == field->attribute;
}

/* The fields of headers, and bytes. 'head' is the MAD as it was. */
static void blank_headers(const struct ignored_fields *ignored, const uint8_t *head, uint8_t *mad)
{
	for (size_t i = 0; i < ignored->count; i++) {
		const struct ignored_field *field = &ignored->fields[i];

		if (field->header && header_field_applies(field->header, head))
			message_blank(&field->header->field, mad);
		else if (!field->header && !field->field)
			memset(mad + field->first, 0, field->last - field->first + 1u);
	}
}

void ignored_fields_blank(const struct ignored_fields *ignored, struct message_bytes *message)
{
	struct message_records records;
	uint8_t head[MAD_SIZE];

	if (!ignored->count)
		return;
	/* What the message is, before a field is blanked that says it. */
	records = message_records(message->bytes, message->size);
	memcpy(head, message->bytes, MAD_SIZE);
	blank_headers(ignored, head, message->bytes);
	for (size_t i = 0; i < ignored->count && records.attribute; i++) {
		const struct ignored_field *field = &ignored->fields[i];

		if (!field->field || !is_attribute_of(field, head))
			continue;
		for (size_t record = 0; record < records.count; record++)
			message_blank(field->field, message->bytes + records.at +
				      record * records.each);
	}
	for (size_t i = 0; i < message->header_count; i++) {
		uint8_t *header = message->headers + i * message->header;
		uint8_t mad[MAD_SIZE] = { 0 };

		memcpy(mad, header, message->header);
		blank_headers(ignored, head, mad);
		memcpy(header, mad, message->header);
	}
}
