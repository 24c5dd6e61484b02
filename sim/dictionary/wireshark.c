/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What Wireshark calls the fields of the dictionary. See sim/dictionary/wireshark.h.
 */
#include "sim/dictionary/wireshark.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/wire.h"
#include "sim/dictionary/wireshark-names.h"

enum { TRAP_BAD_P_KEY_AT_SWITCH = 259 };

static const struct mad_field *field_find(const struct mad_field *fields, const char *name)
{
	for (; fields && fields->name; fields++)
		if (g_ascii_strcasecmp(fields->name, name) == 0)
			return fields;
	return NULL;
}

static const struct mad_field *numbered_field(const struct mad_field *fields, const char *name,
					      unsigned int number)
{
	char numbered[MAD_NAME_SIZE];

	snprintf(numbered, sizeof(numbered), "%s%u", name, number);
	return field_find(fields, numbered);
}

/* The numbered fields lie at equal distances: tests/sim/wireshark.c looks at each. */
static void make_numbered(struct wireshark_span *span, const struct wireshark_name *name,
			  const struct mad_field *fields, const struct mad_field *first)
{
	const struct mad_field *next = numbered_field(fields, name->field,
						      name->first + name->step);

	span->stride = next->bit - first->bit;
	span->count = 1;
	while (numbered_field(fields, name->field, name->first + span->count * name->step))
		span->count++;
}

/* Attributes share tables, and a table may name fields that only some of them have. */
static void append_span(GArray *spans, const struct wireshark_name *name,
			const struct mad_field *fields)
{
	const struct mad_field *field = name->numbered ?
		numbered_field(fields, name->field, name->first) : field_find(fields, name->field);
	struct wireshark_span span = { .name = name->name, .count = 1, .wrong = name->wrong };

	if (!field)
		return;
	span.bit = field->bit + name->bit;
	span.width = name->width ? name->width : field->width;
	if (name->numbered) {
		make_numbered(&span, name, fields, field);
	} else if (name->entry) {
		span.stride = name->entry;
		span.count = field->width / name->entry;
	}
	g_array_append_val(spans, span);
}

static void append_spans(GArray *spans, const struct wireshark_name *names,
			 const struct mad_field *fields)
{
	for (; names && names->field; names++)
		append_span(spans, names, fields);
}

static GArray *spans_new(void)
{
	return g_array_new(false, false, sizeof(struct wireshark_span));
}

GArray *wireshark_spans(uint8_t mgmt_class, uint16_t attr_id)
{
	const struct mad_attribute *attribute = mad_attribute_find(mgmt_class, attr_id);
	const struct wireshark_name *const *tables = wireshark_names_of_attribute(mgmt_class,
										  attr_id);
	GArray *spans = spans_new();

	for (; attribute && tables && *tables; tables++)
		append_spans(spans, *tables, attribute->fields);
	return spans;
}

GArray *wireshark_header_spans(const struct mad_header *header, uint8_t mgmt_class)
{
	GArray *spans = spans_new();

	if (strcmp(header->name, "RMPP") != 0 || mgmt_class == MAD_CLASS_SUBN_ADM)
		append_spans(spans, wireshark_names_of_header(header->name), header->fields);
	return spans;
}

GArray *wireshark_notice_spans(uint16_t trap_number)
{
	GArray *spans = spans_new();

	/* Wireshark takes DataValid and SWLIDADDR for GIDs there, and runs out of bytes. */
	if (trap_number != TRAP_BAD_P_KEY_AT_SWITCH)
		append_spans(spans, wireshark_names_of_notices(), mad_notice_details(trap_number));
	return spans;
}

static bool shows_bit(const GArray *spans, unsigned int bit)
{
	for (guint i = 0; i < spans->len; i++) {
		const struct wireshark_span *span =
			&g_array_index(spans, struct wireshark_span, i);

		if (span->wrong)
			continue;
		for (unsigned int n = 0; n < span->count; n++) {
			unsigned int first = span->bit + n * span->stride;

			if (bit >= first && bit < first + span->width)
				return true;
		}
	}
	return false;
}

static unsigned int count_shown(const GArray *spans, unsigned int bit, unsigned int width)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < width; i++)
		count += shows_bit(spans, bit + i);
	return count;
}

bool wireshark_shows(const GArray *spans, const struct mad_field *field)
{
	if (field->format != MAD_FIELD_BYTES)
		return count_shown(spans, field->bit, field->width) == field->width;
	for (unsigned int bit = 0; bit < field->width; bit += 8)
		if (count_shown(spans, field->bit + bit, 8) == 0)
			return false;
	return true;
}
