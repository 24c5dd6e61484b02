/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A MAD as text. See harness/show/mad-text.h.
 */
#include "harness/show/mad-text.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/wire.h"

enum {
	SMP_STATUS_MASK = 0x7fff,
	NAMES = 256,		/* that are kept; most captures have some dozens */
	NAME_SIZE = 2 * MAD_NAME_SIZE + 2,
	VALUE_SIZE = 512,
	/* IBA vol 1, 13.4.8.2: Notice. */
	ATTR_NOTICE = 0x0002,
	NOTICE_GENERIC = 0x80,	/* of its first byte */
	NOTICE_TRAP_NUMBER = 4,
};

/* The name of a kind of MAD, which is looked up in the dictionary once. */
struct kind_name {
	uint32_t key;		/* class, method, attribute */
	uint8_t length;		/* 0: nothing is here */
	char text[NAME_SIZE];
};

static void find_name(struct kind_name *name, const uint8_t *mad)
{
	char method[MAD_NAME_SIZE], attribute[MAD_NAME_SIZE];

	mad_method_format(mad[MAD_CLASS], mad[MAD_METHOD], method, sizeof(method));
	mad_attribute_format(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID), attribute,
			     sizeof(attribute));
	name->length = (uint8_t)snprintf(name->text, sizeof(name->text), "%s(%s)", method,
					 attribute);
}

void mad_text_name(struct text *out, const uint8_t *mad)
{
	static struct kind_name names[NAMES];
	uint32_t key = (uint32_t)mad[MAD_CLASS] << 24 | (uint32_t)mad[MAD_METHOD] << 16 |
		       get_be16(mad + MAD_ATTR_ID);
	struct kind_name *name = &names[(key * 0x9e3779b1u) >> 24];

	if (name->length == 0 || name->key != key) {
		name->key = key;
		find_name(name, mad);
	}
	text_bytes(out, name->text, name->length);
}

/* IBA vol 1, 13.4.7: two bits by themselves, then a code in bits 2 to 4. */
uint16_t mad_plain_status(const uint8_t *mad)
{
	uint16_t status = get_be16(mad + MAD_STATUS);

	return mad[MAD_CLASS] == MAD_CLASS_SUBN_DR ? status & SMP_STATUS_MASK : status;
}

static void append_status(struct text *out, const uint8_t *mad)
{
	uint16_t status = mad_plain_status(mad);
	const char *words = mad_status_words(status);

	if (status == 0)
		return;
	text_words(out, " status=");
	text_hex(out, status, 4);
	if (!words)
		return;
	text_words(out, " (");
	text_words(out, words);
	text_char(out, ')');
}

static void append_named(struct text *out, const char *name, uint64_t number)
{
	text_words(out, name);
	text_number(out, number);
}

/* "path=0,1,3", as smpquery -D takes it, and how far along the path the MAD is. */
static void append_path(struct text *out, const uint8_t *mad)
{
	unsigned int count = mad[SMP_HOP_CNT];

	if (mad[MAD_CLASS] != MAD_CLASS_SUBN_DR)
		return;
	text_words(out, " path=0");
	for (unsigned int hop = 1; hop <= count && hop < SMP_PATH_SIZE; hop++) {
		text_char(out, ',');
		text_number(out, mad[SMP_INITIAL_PATH + hop]);
	}
	append_named(out, " hop=", mad[SMP_HOP_PTR]);
	text_char(out, '/');
	text_number(out, count);
	if (get_be16(mad + SMP_DR_SLID) != LID_PERMISSIVE)
		append_named(out, " drslid=", get_be16(mad + SMP_DR_SLID));
	if (get_be16(mad + SMP_DR_DLID) != LID_PERMISSIVE)
		append_named(out, " drdlid=", get_be16(mad + SMP_DR_DLID));
}

bool mad_has_active_rmpp(const uint8_t *mad)
{
	return mad_class_has_rmpp(mad[MAD_CLASS]) && (mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE);
}

bool mad_begins_attribute(const uint8_t *mad)
{
	return !mad_has_active_rmpp(mad) ||
	       (mad[RMPP_TYPE] == RMPP_TYPE_DATA && get_be32(mad + RMPP_SEGMENT) == 1);
}

static void append_rmpp_flags(struct text *out, const uint8_t *mad)
{
	bool first = mad[RMPP_FLAGS] & RMPP_FLAG_FIRST, last = mad[RMPP_FLAGS] & RMPP_FLAG_LAST;

	if (first || last)
		text_words(out, first && last ? " flags=FIRST|LAST" :
				first ? " flags=FIRST" : " flags=LAST");
}

static void append_rmpp(struct text *out, const uint8_t *mad)
{
	uint32_t segment = get_be32(mad + RMPP_SEGMENT);
	uint32_t second = get_be32(mad + RMPP_PAYLEN_NEWWIN);

	if (!mad_has_active_rmpp(mad))
		return;
	switch (mad[RMPP_TYPE]) {
	case RMPP_TYPE_DATA:
		append_named(out, " rmpp=DATA seg=", segment);
		append_named(out, " paylen=", second);
		append_rmpp_flags(out, mad);
		break;
	case RMPP_TYPE_ACK:
		append_named(out, " rmpp=ACK seg=", segment);
		append_named(out, " newwin=", second);
		break;
	case RMPP_TYPE_STOP:
	case RMPP_TYPE_ABORT:
		append_named(out, mad[RMPP_TYPE] == RMPP_TYPE_STOP ? " rmpp=STOP rmppstatus=" :
			     " rmpp=ABORT rmppstatus=", mad[RMPP_STATUS]);
		break;
	default:	/* numbers on the wire, not an enum of ours */
		append_named(out, " rmpp=", mad[RMPP_TYPE]);
		break;
	}
}

/* The attribute of a generic notice, and its data in '*ret_data'; NULL: it is none. */
static const struct mad_attribute *generic_notice(const uint8_t *mad, const uint8_t **ret_data)
{
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);
	const struct mad_attribute *notice;

	if (get_be16(mad + MAD_ATTR_ID) != ATTR_NOTICE || !info || !mad_begins_attribute(mad))
		return NULL;
	notice = mad_attribute_find(mad[MAD_CLASS], ATTR_NOTICE);
	*ret_data = mad + info->data_at;
	if (!notice || strcmp(notice->name, "Notice") != 0 || !((*ret_data)[0] & NOTICE_GENERIC))
		return NULL;
	return notice;
}

bool mad_text_trap_number(struct text *out, const uint8_t *mad)
{
	const uint8_t *data;

	if (!generic_notice(mad, &data))
		return false;
	append_named(out, " trap=", get_be16(data + NOTICE_TRAP_NUMBER));
	return true;
}

/* "trap=128 LIDADDR=3": what a trap is about is in its details; a path in bytes is for -v. */
static void append_trap(struct text *out, const uint8_t *mad)
{
	const struct mad_attribute *notice;
	const struct mad_field *details;
	const uint8_t *data = mad;

	if (!mad_text_trap_number(out, mad))
		return;
	notice = generic_notice(mad, &data);
	for (details = mad_details_of(notice, data); details && details->name; details++) {
		if (details->format == MAD_FIELD_BYTES)
			continue;
		text_char(out, ' ');
		text_words(out, details->name);
		text_char(out, '=');
		mad_text_value(out, details, data);
	}
}

void mad_text_line(struct text *out, const uint8_t *mad)
{
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);

	mad_text_name(out, mad);
	/* The prefix identifies the class, unless several classes share it. */
	if (info && info->mgmt_class != info->last) {
		text_words(out, " class=");
		text_hex(out, mad[MAD_CLASS], 2);
	}
	if (mad_class_is_vendor2(mad[MAD_CLASS])) {
		text_words(out, " oui=");
		text_hex(out, get_be24(mad + VENDOR2_OUI), 6);
	}
	if (info && info->class_version != mad[MAD_CLASS_VERSION])
		append_named(out, " version=", mad[MAD_CLASS_VERSION]);
	text_words(out, " tid=");
	text_hex(out, get_be64(mad + MAD_TID), 16);
	if (get_be32(mad + MAD_ATTR_MOD)) {
		text_words(out, " modifier=");
		text_hex(out, get_be32(mad + MAD_ATTR_MOD), 0);
	}
	append_path(out, mad);
	append_rmpp(out, mad);
	append_status(out, mad);
	append_trap(out, mad);
}

void mad_text_value(struct text *out, const struct mad_field *field, const uint8_t *data)
{
	uint64_t number;

	switch (field->format) {
	case MAD_FIELD_DEC:
	case MAD_FIELD_LID:
		text_number(out, mad_field_get(field, data));
		return;
	case MAD_FIELD_HEX:
		text_hex(out, mad_field_get(field, data), (field->width + 3U) / 4);
		return;
	case MAD_FIELD_GUID:
		text_hex(out, mad_field_get(field, data), 16);
		return;
	case MAD_FIELD_BOOL:
		text_words(out, mad_field_get(field, data) ? "true" : "false");
		return;
	case MAD_FIELD_BYTES:
		text_hex_bytes(out, data + field->bit / 8, field->width / 8U);
		return;
	case MAD_FIELD_ENUM:
		number = mad_field_get(field, data);
		for (const struct mad_field_name *name = field->names; name->name; name++) {
			if (name->value == number) {
				text_words(out, name->name);
				return;
			}
		}
		text_number(out, number);
		return;
	case MAD_FIELD_GID:
	case MAD_FIELD_IPV4:
	case MAD_FIELD_STRING:
	case MAD_FIELD_FLAGS:
		mad_field_format_value(field, data, text_room(out, VALUE_SIZE), VALUE_SIZE);
		out->length += strlen(out->bytes + out->length);
		return;
	}
}
