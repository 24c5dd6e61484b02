/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Everything that a captured MAD says. See harness/show/mad-detail.h.
 */
#include "harness/show/mad-detail.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "harness/show/mad-text.h"
#include "harness/show/packet-header.h"
#include "harness/show/table-text.h"
#include "sim/dictionary/mad-header.h"
#include "sim/dictionary/sa-component.h"
#include "lib/base/wire.h"

enum {
	SECTION_INDENT = 8,
	FIELD_INDENT = 10,
	TABLE_INDENT = 12,
	NAME_WIDTH = 28,
	HEX_PER_LINE = 16,
	INLINE_MAX = 32,	/* bytes of a field that go behind its name */
	CC_AND_BM_KEY_SIZE = 8,
};

static bool is_zero(const uint8_t *bytes, size_t size)
{
	while (size > 0 && bytes[size - 1] == 0)
		size--;
	return size == 0;
}

static void section(struct text *out, const char *name)
{
	text_blanks(out, SECTION_INDENT);
	text_words(out, name);
	text_char(out, '\n');
}

/* The name of a field; its value follows, and the line's end. */
static void begin_field(struct text *out, const char *name)
{
	size_t from;

	text_blanks(out, FIELD_INDENT);
	from = out->length;
	text_words(out, name);
	text_pad(out, from, NAME_WIDTH);
	text_char(out, ' ');
}

/* Bytes in hex, 16 to a line, with offsets from 'offset' on; zeros at the end are only counted. */
static void bytes_text(struct text *out, const uint8_t *bytes, size_t size, size_t offset)
{
	size_t used = size;

	while (used > 0 && bytes[used - 1] == 0)
		used--;
	for (size_t at = 0; at < used; at += HEX_PER_LINE) {
		text_blanks(out, FIELD_INDENT);
		text_hex(out, offset + at, 4);
		text_char(out, ' ');
		for (size_t i = at; i < MIN(at + HEX_PER_LINE, size); i++) {
			text_blanks(out, i % 8 == 0 && i > at ? 2 : 1);
			text_hex_bytes(out, bytes + i, 1);
		}
		text_char(out, '\n');
	}
	used = MIN((used + HEX_PER_LINE - 1) / HEX_PER_LINE * HEX_PER_LINE, size);
	if (used < size) {
		text_blanks(out, FIELD_INDENT);
		text_hex(out, offset + used, 4);
		text_format(out, "  %zu bytes, all zero\n", size - used);
	}
}

/* Names of the bits of a number that is shown in hex. */
static void append_bits(struct text *out, const struct mad_field *field, uint64_t value)
{
	for (const struct mad_field_name *name = field->names; name && name->name; name++) {
		if (!(value & name->value))
			continue;
		text_char(out, '\n');
		text_blanks(out, FIELD_INDENT + NAME_WIDTH + 1);
		text_words(out, name->name);
	}
}

static void append_bytes(struct text *out, const struct mad_field *field, const uint8_t *data)
{
	const uint8_t *bytes = data + field->bit / 8;
	size_t size = field->width / 8U;

	if (is_zero(bytes, size)) {
		text_format(out, "(%zu bytes, all zero)\n", size);
	} else if (size <= INLINE_MAX) {
		text_hex_bytes(out, bytes, size);
		text_char(out, '\n');
	} else {
		text_format(out, "(%zu bytes)\n", size);
		bytes_text(out, bytes, size, 0);
	}
}

static void field_line(struct text *out, const struct mad_field *field, const uint8_t *data)
{
	begin_field(out, field->name);
	if (field->format == MAD_FIELD_BYTES) {
		append_bytes(out, field, data);
		return;
	}
	mad_text_value(out, field, data);
	if (field->format == MAD_FIELD_HEX)
		append_bits(out, field, mad_field_get(field, data));
	text_char(out, '\n');
}

/* ---- headers of the packet ---- */

static void packet_section(struct text *out, const struct mad_header *header, const uint8_t *bytes)
{
	section(out, header->name);
	for (const struct mad_field *field = header->fields; field->name; field++) {
		const char *unit = packet_field_unit(field->name);

		begin_field(out, field->name);
		mad_text_value(out, field, bytes);
		if (unit)
			text_format(out, " (%s)", unit);
		text_char(out, '\n');
	}
}

void mad_detail_packet(struct text *out, const struct capture_mad *mad,
		       const struct capture_headers *headers)
{
	struct packet packet;
	size_t at;

	packet_of_mad(&packet, mad, headers);
	for (const struct mad_header *header = mad_headers();
	     header->name && header->base == MAD_HEADER_OF_PACKET; header++) {
		if (packet_header_at(mad, header, &at))
			packet_section(out, header, packet.bytes + at);
	}
}

/* ---- headers of the MAD ---- */

static void append_path(struct text *out, const struct mad_field *field, const uint8_t *mad)
{
	const uint8_t *path = mad + field->bit / 8;
	unsigned int last = MIN(mad[SMP_HOP_CNT], SMP_PATH_SIZE - 1U);

	for (unsigned int i = last + 1; i < SMP_PATH_SIZE; i++) {
		if (path[i])
			last = i;
	}
	for (unsigned int i = 0; i <= last; i++) {
		if (i > 0)
			text_char(out, ',');
		text_number(out, path[i]);
	}
}

/* The components that are selected, by their names. */
static void append_components(struct text *out, const uint8_t *mad)
{
	uint64_t mask = get_be64(mad + SA_COMP_MASK);
	char name[SA_COMPONENT_NAME_SIZE];

	for (unsigned int i = 0; i < 64; i++) {
		if (!(mask >> i & 1))
			continue;
		sa_component_name(get_be16(mad + MAD_ATTR_ID), i, name, sizeof(name));
		text_char(out, '\n');
		text_blanks(out, FIELD_INDENT + NAME_WIDTH + 1);
		text_words(out, name);
	}
}

/* What a number of the common header is called. */
static void append_meaning(struct text *out, const char *field, const uint8_t *mad)
{
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);
	char name[MAD_NAME_SIZE] = "";

	if (strcmp(field, "MgmtClass") == 0 && info)
		g_strlcpy(name, info->name, sizeof(name));
	else if (strcmp(field, "Method") == 0)
		mad_method_format(mad[MAD_CLASS], mad[MAD_METHOD], name, sizeof(name));
	else if (strcmp(field, "AttributeID") == 0 &&
		 mad_attribute_find(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID)))
		mad_attribute_format(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID), name,
				     sizeof(name));
	else if (strcmp(field, "Status") == 0 && mad_status_words(mad_plain_status(mad)))
		g_strlcpy(name, mad_status_words(mad_plain_status(mad)), sizeof(name));
	if (name[0])
		text_format(out, " (%s)", name);
}

/* Of two fields that share their bits, the one that this MAD does not have. */
static bool is_other(const char *field, const uint8_t *mad)
{
	if (strcmp(field, "PayloadLength") == 0)
		return mad[RMPP_TYPE] == RMPP_TYPE_ACK;
	if (strcmp(field, "NewWindowLast") == 0)
		return mad[RMPP_TYPE] != RMPP_TYPE_ACK;
	return false;
}

static void header_section(struct text *out, const struct mad_header *header, const uint8_t *mad)
{
	section(out, header->name);
	for (const struct mad_field *field = header->fields; field->name; field++) {
		bool path = strcmp(field->name, "InitialPath") == 0 ||
			    strcmp(field->name, "ReturnPath") == 0;

		if (is_other(field->name, mad))
			continue;
		if (!path && field->format == MAD_FIELD_BYTES) {
			field_line(out, field, mad);
			continue;
		}
		begin_field(out, field->name);
		if (path)
			append_path(out, field, mad);
		else
			mad_text_value(out, field, mad);
		append_meaning(out, field->name, mad);
		if (strcmp(field->name, "ComponentMask") == 0)
			append_components(out, mad);
		text_char(out, '\n');
	}
}

/* What lies between the common header and the data in classes without a header of their own. */
static void class_header(struct text *out, const uint8_t *mad)
{
	static const struct mad_field keys[] = {
		{ "B_Key", MAD_HDR_SIZE * 8, 64, MAD_FIELD_HEX, NULL, MAD_IDENTITY_KEY },
		{ "CC_Key", MAD_HDR_SIZE * 8, 64, MAD_FIELD_HEX, NULL, MAD_IDENTITY_KEY },
	};
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);
	unsigned int at = MAD_HDR_SIZE, end = info ? info->data_at : MAD_HDR_SIZE;

	if (mad_class_is_smp(mad[MAD_CLASS]) || mad_class_has_rmpp(mad[MAD_CLASS]) || at >= end)
		return;
	if (mad[MAD_CLASS] == MAD_CLASS_BM || mad[MAD_CLASS] == MAD_CLASS_CONG_MGT) {
		section(out, mad[MAD_CLASS] == MAD_CLASS_BM ? "BM" : "CC");
		field_line(out, &keys[mad[MAD_CLASS] != MAD_CLASS_BM], mad);
		at += CC_AND_BM_KEY_SIZE;
	}
	if (is_zero(mad + at, end - at))
		return;
	section(out, "Reserved, and not zero");
	bytes_text(out, mad + at, end - at, at);
}

void mad_detail_headers(struct text *out, const uint8_t *mad)
{
	for (const struct mad_header *header = mad_headers(); header->name; header++) {
		bool rmpp = strcmp(header->name, "RMPP") == 0;

		if (header->base != MAD_HEADER_OF_MAD || !header->applies(mad[MAD_CLASS]))
			continue;
		if (rmpp && !mad_has_active_rmpp(mad) &&
		    is_zero(mad + RMPP_VERSION, RMPP_END - RMPP_VERSION))
			continue;
		header_section(out, header, mad);
	}
	class_header(out, mad);
}

/* ---- attributes ---- */

static void attribute_fields(struct text *out, const uint8_t *mad,
			     const struct mad_attribute *attribute, const uint8_t *data)
{
	const struct mad_field *details;

	for (const struct mad_field *field = attribute->fields; field->name; field++) {
		const struct table_info *table = table_find(field);

		if (!table || is_zero(data + field->bit / 8, field->width / 8U)) {
			field_line(out, field, data);
			continue;
		}
		begin_field(out, field->name);
		table_text(out, table, field, attribute, get_be32(mad + MAD_ATTR_MOD), data,
			   TABLE_INDENT);
	}
	details = mad_details_of(attribute, data);
	for (; details && details->name; details++)
		field_line(out, details, data);
}

/* 'at': where 'data' lies in its MAD, for offsets. 'which': "3 of 7", or NULL. */
static void attribute_section(struct text *out, const uint8_t *mad, const uint8_t *data,
			      size_t size, size_t at, const char *which)
{
	const struct mad_attribute *attribute =
		mad_attribute_find(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID));
	bool known = attribute && attribute->fields && attribute->size <= size;
	size_t used = known ? attribute->size : 0;

	text_blanks(out, SECTION_INDENT);
	text_words(out, attribute ? attribute->name : "Data");
	if (which) {
		text_char(out, ' ');
		text_words(out, which);
	}
	/* Most requests: that says it better than twenty zeros. */
	if (is_zero(data, size)) {
		text_words(out, " (all zero)\n");
		return;
	}
	text_char(out, '\n');
	if (known)
		attribute_fields(out, mad, attribute, data);
	if (!is_zero(data + used, size - used))
		bytes_text(out, data + used, size - used, at + used);
}

void mad_detail_record(struct text *out, const uint8_t *mad, const uint8_t *data, size_t size,
		       size_t number, size_t count)
{
	char which[64];

	snprintf(which, sizeof(which), "%zu of %zu", number, count);
	attribute_section(out, mad, data, size, 0, which);
}

void mad_detail(struct text *out, const struct capture_mad *mad,
		const struct capture_headers *headers)
{
	const struct mad_class_info *info = mad_class_find(mad->mad[MAD_CLASS]);
	size_t at = info ? info->data_at : MAD_HDR_SIZE;
	size_t end = mad_class_is_smp(mad->mad[MAD_CLASS]) ? SMP_INITIAL_PATH : MAD_SIZE;

	mad_detail_packet(out, mad, headers);
	mad_detail_headers(out, mad->mad);
	if (mad_begins_attribute(mad->mad)) {
		attribute_section(out, mad->mad, mad->mad + at, end - at, at, NULL);
	} else if (mad->mad[RMPP_TYPE] == RMPP_TYPE_DATA &&
		   !is_zero(mad->mad + at, MAD_SIZE - at)) {
		section(out, "Data of a later segment");
		bytes_text(out, mad->mad + at, MAD_SIZE - at, at);
	}
}
