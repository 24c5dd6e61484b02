/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A MAD as text. See harness/show/mad-text.h.
 */
#include "harness/show/mad-text.h"

#include <inttypes.h>

#include "sim/dictionary/mad-dictionary.h"
#include "lib/base/wire.h"

enum {
	VALUE_SIZE = 200,
	FIELD_NAME_WIDTH = 28,
	SMP_STATUS_MASK = 0x7fff,
};

void mad_text_name(GString *out, const uint8_t *mad)
{
	char method[MAD_NAME_SIZE], attribute[MAD_NAME_SIZE];

	mad_method_format(mad[MAD_CLASS], mad[MAD_METHOD], method, sizeof(method));
	mad_attribute_format(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID), attribute,
			     sizeof(attribute));
	g_string_append_printf(out, "%s(%s)", method, attribute);
}

/* IBA vol 1, 13.4.7: two bits by themselves, then a code in bits 2 to 4. */
const char *mad_text_status(uint16_t status)
{
	static const char *const codes[] = {
		NULL,
		"bad class or version",
		"method not supported",
		"method and attribute not supported",
		NULL,
		NULL,
		NULL,
		"bad field or modifier",
	};

	if (status & MAD_STATUS_BUSY)
		return "busy";
	if (status & MAD_STATUS_REDIRECT)
		return "redirection";
	return codes[status >> 2 & 7];
}

/* The status without the direction bit of directed-route MADs. */
static uint16_t plain_status(const uint8_t *mad)
{
	uint16_t status = get_be16(mad + MAD_STATUS);

	return mad[MAD_CLASS] == MAD_CLASS_SUBN_DR ? status & SMP_STATUS_MASK : status;
}

static void append_status(GString *out, const uint8_t *mad)
{
	uint16_t status = plain_status(mad);
	const char *words = mad_text_status(status);

	if (status == 0)
		return;
	g_string_append_printf(out, " status=0x%04x", status);
	if (words)
		g_string_append_printf(out, " (%s)", words);
}

/* "path=0,1,3", as smpquery -D takes it, and how far along the path the MAD is. */
static void append_path(GString *out, const uint8_t *mad)
{
	unsigned int count = mad[SMP_HOP_CNT];

	if (mad[MAD_CLASS] != MAD_CLASS_SUBN_DR)
		return;
	g_string_append(out, " path=0");
	for (unsigned int hop = 1; hop <= count && hop < SMP_PATH_SIZE; hop++)
		g_string_append_printf(out, ",%u", mad[SMP_INITIAL_PATH + hop]);
	g_string_append_printf(out, " hop=%u/%u", mad[SMP_HOP_PTR], count);
	if (get_be16(mad + SMP_DR_SLID) != LID_PERMISSIVE)
		g_string_append_printf(out, " drslid=%u", get_be16(mad + SMP_DR_SLID));
	if (get_be16(mad + SMP_DR_DLID) != LID_PERMISSIVE)
		g_string_append_printf(out, " drdlid=%u", get_be16(mad + SMP_DR_DLID));
}

static bool has_active_rmpp(const uint8_t *mad)
{
	return mad_class_has_rmpp(mad[MAD_CLASS]) && (mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE);
}

static void append_rmpp_flags(GString *out, const uint8_t *mad)
{
	bool first = mad[RMPP_FLAGS] & RMPP_FLAG_FIRST, last = mad[RMPP_FLAGS] & RMPP_FLAG_LAST;

	if (first || last)
		g_string_append_printf(out, " flags=%s%s%s", first ? "FIRST" : "",
				       first && last ? "|" : "", last ? "LAST" : "");
}

static void append_rmpp(GString *out, const uint8_t *mad)
{
	uint32_t segment = get_be32(mad + RMPP_SEGMENT);
	uint32_t second = get_be32(mad + RMPP_PAYLEN_NEWWIN);

	if (!has_active_rmpp(mad))
		return;
	switch (mad[RMPP_TYPE]) {
	case RMPP_TYPE_DATA:
		g_string_append_printf(out, " rmpp=DATA seg=%u paylen=%u", segment, second);
		append_rmpp_flags(out, mad);
		break;
	case RMPP_TYPE_ACK:
		g_string_append_printf(out, " rmpp=ACK seg=%u newwin=%u", segment, second);
		break;
	case RMPP_TYPE_STOP:
	case RMPP_TYPE_ABORT:
		g_string_append_printf(out, " rmpp=%s rmppstatus=%u",
				       mad[RMPP_TYPE] == RMPP_TYPE_STOP ? "STOP" : "ABORT",
				       mad[RMPP_STATUS]);
		break;
	default:	/* numbers on the wire, not an enum of ours */
		g_string_append_printf(out, " rmpp=%u", mad[RMPP_TYPE]);
		break;
	}
}

void mad_text_line(GString *out, const uint8_t *mad)
{
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);

	mad_text_name(out, mad);
	/* The prefix identifies the class, unless several classes share it. */
	if (info && info->mgmt_class != info->last)
		g_string_append_printf(out, " class=0x%02x", mad[MAD_CLASS]);
	if (mad_class_is_vendor2(mad[MAD_CLASS]))
		g_string_append_printf(out, " oui=0x%06x", get_be24(mad + VENDOR2_OUI));
	if (info && info->class_version != mad[MAD_CLASS_VERSION])
		g_string_append_printf(out, " version=%u", mad[MAD_CLASS_VERSION]);
	g_string_append_printf(out, " tid=0x%016" PRIx64, get_be64(mad + MAD_TID));
	if (get_be32(mad + MAD_ATTR_MOD))
		g_string_append_printf(out, " modifier=0x%x", get_be32(mad + MAD_ATTR_MOD));
	append_path(out, mad);
	append_rmpp(out, mad);
	append_status(out, mad);
}

/* ---- fields ---- */

static void field_line(GString *out, unsigned int indent, const char *name, const char *value)
{
	g_string_append_printf(out, "%*s%-*s %s\n", (int)indent, "", FIELD_NAME_WIDTH, name, value);
}

/*
 * Fields of the headers between the common one and the attribute, and the classes that have them.
 */
enum header_owner {
	HEADER_SMP,
	HEADER_SA,
};

static const struct header_field {
	enum header_owner owner;
	struct mad_field field;
} header_fields[] = {
	{ HEADER_SMP, { "M_Key", SMP_MKEY * 8, 64, MAD_FIELD_HEX, NULL,
			MAD_IDENTITY_KEY } },
	{ HEADER_SA, { "SM_Key", SA_SM_KEY * 8, 64, MAD_FIELD_HEX, NULL,
			MAD_IDENTITY_KEY } },
	{ HEADER_SA, { "AttributeOffset", SA_ATTR_OFFSET * 8, 16, MAD_FIELD_DEC, NULL,
		       MAD_IDENTITY_NONE } },
	{ HEADER_SA, { "ComponentMask", SA_COMP_MASK * 8, 64, MAD_FIELD_HEX, NULL,
		       MAD_IDENTITY_NONE } },
};

static bool has_header(const uint8_t *mad, enum header_owner owner)
{
	switch (owner) {
	case HEADER_SMP:
		return mad_class_is_smp(mad[MAD_CLASS]);
	case HEADER_SA:
		return mad[MAD_CLASS] == MAD_CLASS_SUBN_ADM;
	}
	return false;
}

static void append_header_fields(GString *out, const uint8_t *mad, unsigned int indent)
{
	char value[VALUE_SIZE];

	for (size_t i = 0; i < G_N_ELEMENTS(header_fields); i++) {
		const struct mad_field *field = &header_fields[i].field;

		if (!has_header(mad, header_fields[i].owner) || !mad_field_get(field, mad))
			continue;
		mad_field_format_value(field, mad, value, sizeof(value));
		field_line(out, indent, field->name, value);
	}
}

/* This MAD contains no part of an attribute: it is a later segment, or has no data at all. */
static bool is_without_attribute(const uint8_t *mad)
{
	return has_active_rmpp(mad) &&
	       (mad[RMPP_TYPE] != RMPP_TYPE_DATA || get_be32(mad + RMPP_SEGMENT) > 1);
}

static bool is_all_zero(const uint8_t *bytes, size_t size)
{
	while (size > 0 && bytes[size - 1] == 0)
		size--;
	return size == 0;
}

void mad_text_fields(GString *out, const uint8_t *mad, unsigned int indent)
{
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);
	const struct mad_attribute *attribute =
		mad_attribute_find(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID));
	const uint8_t *data;
	char value[VALUE_SIZE];

	append_header_fields(out, mad, indent);
	if (!attribute || !attribute->fields || is_without_attribute(mad))
		return;
	data = mad + info->data_at;
	/* True of most requests: shorter and clearer than twenty zeros. */
	if (is_all_zero(data, attribute->size)) {
		g_string_append_printf(out, "%*s(%s all zero)\n", (int)indent, "", attribute->name);
		return;
	}
	for (const struct mad_field *f = attribute->fields; f->name; f++) {
		if (f->format == MAD_FIELD_BYTES && is_all_zero(data + f->bit / 8, f->width / 8))
			g_snprintf(value, sizeof(value), "(%u bytes, all zero)", f->width / 8U);
		else
			mad_field_format_value(f, data, value, sizeof(value));
		field_line(out, indent, f->name, value);
	}
}
