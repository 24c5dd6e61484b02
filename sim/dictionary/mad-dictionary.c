/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The MAD dictionary: classes and methods, and everything that looks up, reads, writes and prints
 * by name. The attributes are in the other files of sim/dictionary.
 */
#include <arpa/inet.h>
#include <glib.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "sim/dictionary/tables.h"
#include "lib/base/wire.h"

/* IBA vol 1, 13.4.5: the methods that every class may use. */
#define COMMON_METHODS                                                                     \
	{ 0x01, "Get" }, { 0x02, "Set" }, { 0x03, "Send" }, { 0x05, "Trap" },              \
	{ 0x06, "Report" }, { 0x07, "TrapRepress" }, { 0x81, "GetResp" }, { 0x86, "ReportResp" }

static const struct mad_method_info common_methods[] = { COMMON_METHODS, { 0, NULL } };

/*
 * The methods of classes with RMPP in addition. In the IBA specification (15.2.2) they belong to
 * subnet administration; programs use the same numbers in vendor and application classes.
 */
static const struct mad_method_info rmpp_methods[] = {
	COMMON_METHODS,
	{ 0x12, "GetTable" }, { 0x13, "GetTraceTable" }, { 0x14, "GetMulti" }, { 0x15, "Delete" },
	{ 0x92, "GetTableResp" }, { 0x93, "GetTraceTableResp" }, { 0x94, "GetMultiResp" },
	{ 0x95, "DeleteResp" }, { 0, NULL },
};

/* IBA vol 1, 13.4.4. If a class or a prefix is in two lines, the first counts. */
static const struct mad_class_info classes[] = {
	{ 0x81, 0x81, 1, "Subn", "SUBN_DR", SMP_DATA, common_methods, mad_attributes_smp },
	{ 0x01, 0x01, 1, "Subn", "SUBN_LID", SMP_DATA, common_methods, mad_attributes_smp },
	{ 0x03, 0x03, 2, "SubnAdm", "SUBN_ADM", SA_DATA, rmpp_methods, mad_attributes_sa },
	{ 0x04, 0x04, 1, "Perf", "PERF", 64, common_methods, mad_attributes_perf },
	{ 0x05, 0x05, 1, "BM", "BM", 64, common_methods, mad_attributes_bm },
	{ 0x06, 0x06, 1, "DevMgt", "DEV_MGT", 64, rmpp_methods, mad_attributes_dev_mgt },
	{ 0x07, 0x07, 2, "ComMgt", "CM", MAD_HDR_SIZE, common_methods, mad_attributes_cm },
	{ 0x08, 0x08, 1, "SNMP", "SNMP", 64, common_methods, mad_attributes_snmp },
	{ 0x30, 0x4f, 1, "Vend", "VENDOR2", VENDOR2_DATA, rmpp_methods, mad_attributes_common },
	{ 0x09, 0x0f, 1, "Vend", "VENDOR1", MAD_HDR_SIZE, common_methods, mad_attributes_common },
	{ 0x10, 0x10, 1, "DevAdm", "DEV_ADM", 64, rmpp_methods, mad_attributes_common },
	{ 0x12, 0x12, 1, "BIS", "BIS", 64, rmpp_methods, mad_attributes_common },
	{ 0x21, 0x21, 2, "CC", "CONG_MGT", 64, common_methods, mad_attributes_cc },
	{ 0x10, 0x2f, 1, "Appl", "APPLICATION", MAD_HDR_SIZE, common_methods,
	  mad_attributes_common },
	{ 0, 0, 0, NULL, NULL, 0, NULL, NULL },
};

/* ---- did you mean ---- */

enum {
	WORD_MAX = 63,
	SHORT_WORD = 4,		/* two letters of so few make it another word */
};

/* The search for the closest word: candidates are offered one by one. */
struct closest {
	const char *word;
	const char *best;
	unsigned int best_distance;	/* worse ones are not considered */
};

static struct closest closest_begin(const char *word)
{
	size_t length = strlen(word);
	unsigned int most = length <= SHORT_WORD ? 1 : 1 + (unsigned int)MIN(length, WORD_MAX) / 4;
	struct closest closest = { word, NULL, most };

	return closest;
}

static bool same_letter(char a, char b)
{
	return g_ascii_tolower(a) == g_ascii_tolower(b);
}

/* The number of insertions, deletions, replacements and swaps of neighbours between two words. */
static unsigned int edit_distance(const char *a, const char *b)
{
	unsigned int row[3][WORD_MAX + 2];
	size_t a_length = strlen(a), b_length = strlen(b);

	if (a_length > WORD_MAX || b_length > WORD_MAX)
		return UINT_MAX;
	for (size_t j = 0; j <= b_length; j++)
		row[0][j] = (unsigned int)j;
	for (size_t i = 1; i <= a_length; i++) {
		unsigned int *now = row[i % 3], *last = row[(i + 2) % 3];
		unsigned int *before = row[(i + 1) % 3];

		now[0] = (unsigned int)i;
		for (size_t j = 1; j <= b_length; j++) {
			unsigned int cost = last[j - 1] + !same_letter(a[i - 1], b[j - 1]);

			cost = MIN(cost, MIN(last[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]))
				cost = MIN(cost, before[j - 2] + 1);
			now[j] = cost;
		}
	}
	return row[a_length % 3][b_length];
}

/* Returns whether 'candidate' is now the best. */
static bool closest_offer(struct closest *closest, const char *candidate)
{
	unsigned int distance = edit_distance(closest->word, candidate);

	if (distance > closest->best_distance ||
	    (closest->best && distance == closest->best_distance))
		return false;
	/* Who mistypes more than one letter gets the first one right: "nosuch" is not "touch". */
	if (distance > 1 && !same_letter(closest->word[0], candidate[0]))
		return false;
	closest->best = candidate;
	closest->best_distance = distance;
	return true;
}

const char *mad_closest(const char *word, const char *const *candidates)
{
	struct closest closest = closest_begin(word);

	for (; *candidates; candidates++)
		closest_offer(&closest, *candidates);
	return closest.best;
}

/* Are two names the same except for case and underscores? */
static bool same_name(const char *a, const char *b)
{
	for (;;) {
		while (*a == '_')
			a++;
		while (*b == '_')
			b++;
		if (!*a || !*b)
			return *a == *b;
		if (!same_letter(*a, *b))
			return false;
		a++;
		b++;
	}
}

/* ---- classes and methods ---- */

const struct mad_class_info *mad_dictionary(void)
{
	return classes;
}

const struct mad_class_info *mad_class_find(uint8_t mgmt_class)
{
	for (const struct mad_class_info *info = classes; info->prefix; info++)
		if (mgmt_class >= info->mgmt_class && mgmt_class <= info->last)
			return info;
	return NULL;
}

const struct mad_class_info *mad_class_by_name(const char *name)
{
	if (strcmp(name, "SA") == 0)
		return mad_class_find(MAD_CLASS_SUBN_ADM);
	for (const struct mad_class_info *info = classes; info->prefix; info++)
		if (strcmp(info->name, name) == 0)
			return info;
	for (const struct mad_class_info *info = classes; info->prefix; info++)
		if (strcmp(info->prefix, name) == 0)
			return info;
	return NULL;
}

static const char *suggest_method(const char *name)
{
	struct closest closest = closest_begin(name);
	char full[MAD_NAME_SIZE], best[MAD_NAME_SIZE];

	for (const struct mad_class_info *info = classes; info->prefix; info++)
		for (const struct mad_method_info *m = info->methods; m->name; m++) {
			snprintf(full, sizeof(full), "%s%s", info->prefix, m->name);
			if (closest_offer(&closest, full))
				memcpy(best, full, sizeof(best));
		}
	return closest.best ? g_intern_string(best) : NULL;
}

bool mad_method_parse(const char *name, const struct mad_class_info **ret_class,
		      uint8_t *ret_method, const char **ret_suggestion)
{
	for (const struct mad_class_info *info = classes; info->prefix; info++) {
		size_t length = strlen(info->prefix);

		if (strncmp(name, info->prefix, length) != 0)
			continue;
		for (const struct mad_method_info *m = info->methods; m->name; m++)
			if (strcmp(m->name, name + length) == 0) {
				*ret_class = info;
				*ret_method = m->method;
				return true;
			}
	}
	if (ret_suggestion)
		*ret_suggestion = suggest_method(name);
	return false;
}

void mad_method_format(uint8_t mgmt_class, uint8_t method, char *buf, size_t size)
{
	const struct mad_class_info *info = mad_class_find(mgmt_class);
	const struct mad_method_info *m = info ? info->methods : common_methods;
	char prefix[16];

	snprintf(prefix, sizeof(prefix), "Class(0x%02x)", mgmt_class);
	while (m->name && m->method != method)
		m++;
	if (m->name)
		snprintf(buf, size, "%s%s", info ? info->prefix : prefix, m->name);
	else
		snprintf(buf, size, "%s(0x%02x)", info ? info->prefix : prefix, method);
}

/* ---- attributes and fields ---- */

const struct mad_attribute *mad_attribute_find(uint8_t mgmt_class, uint16_t attr_id)
{
	const struct mad_class_info *info = mad_class_find(mgmt_class);

	if (!info)
		return NULL;
	for (const struct mad_attribute *a = info->attributes; a->name; a++)
		if (a->id == attr_id)
			return a;
	return NULL;
}

const struct mad_attribute *mad_attribute_by_name(const struct mad_class_info *info,
						  const char *name, const char **ret_suggestion)
{
	struct closest closest = closest_begin(name);

	for (const struct mad_attribute *a = info->attributes; a->name; a++)
		if (same_name(a->name, name))
			return a;
	for (const struct mad_attribute *a = info->attributes; a->name; a++)
		closest_offer(&closest, a->name);
	if (ret_suggestion)
		*ret_suggestion = closest.best;
	return NULL;
}

bool mad_method_with_attribute(const char *name, char *buf, size_t size)
{
	for (const struct mad_class_info *info = classes; info->prefix; info++) {
		uint8_t method = info->methods->method;

		if (!mad_attribute_by_name(info, name, NULL))
			continue;
		for (const struct mad_method_info *m = info->methods; m->name; m++)
			if (m->method == MAD_METHOD_GET_RESP)
				method = m->method;
		mad_method_format(info->mgmt_class, method, buf, size);
		return true;
	}
	return false;
}

const struct mad_attribute *mad_attribute_with_field(const char *field)
{
	for (const struct mad_class_info *info = classes; info->prefix; info++)
		for (const struct mad_attribute *a = info->attributes; a->name; a++)
			if (mad_field_by_name(a, field, NULL))
				return a;
	return NULL;
}

void mad_attribute_format(uint8_t mgmt_class, uint16_t attr_id, char *buf, size_t size)
{
	const struct mad_attribute *attribute = mad_attribute_find(mgmt_class, attr_id);

	if (attribute)
		snprintf(buf, size, "%s", attribute->name);
	else
		snprintf(buf, size, "0x%04x", attr_id);
}

const char *mad_status_words(uint16_t status)
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

const struct mad_field *mad_field_by_name(const struct mad_attribute *attribute, const char *name,
					  const char **ret_suggestion)
{
	struct closest closest = closest_begin(name);

	if (ret_suggestion)
		*ret_suggestion = NULL;
	if (!attribute->fields)
		return NULL;
	for (const struct mad_field *f = attribute->fields; f->name; f++)
		if (same_name(f->name, name))
			return f;
	for (const struct mad_field *f = attribute->fields; f->name; f++)
		closest_offer(&closest, f->name);
	if (ret_suggestion)
		*ret_suggestion = closest.best;
	return NULL;
}

const struct mad_field *mad_field_must(uint8_t mgmt_class, uint16_t attr_id, const char *name)
{
	const struct mad_attribute *attribute = mad_attribute_find(mgmt_class, attr_id);
	const struct mad_field *field = attribute ? mad_field_by_name(attribute, name, NULL) : NULL;

	if (!field)
		g_error("class 0x%02x attribute 0x%04x has no field %s", mgmt_class, attr_id, name);
	return field;
}

/* ---- values ---- */

bool mad_field_is_number(const struct mad_field *field)
{
	switch (field->format) {
	case MAD_FIELD_DEC:
	case MAD_FIELD_HEX:
	case MAD_FIELD_BOOL:
	case MAD_FIELD_GUID:
	case MAD_FIELD_LID:
	case MAD_FIELD_ENUM:
	case MAD_FIELD_FLAGS:
		return true;
	case MAD_FIELD_GID:
	case MAD_FIELD_IPV4:
	case MAD_FIELD_STRING:
	case MAD_FIELD_BYTES:
		return false;
	}
	return false;
}

uint64_t mad_field_max(const struct mad_field *field)
{
	return field->width >= 64 ? UINT64_MAX : (UINT64_C(1) << field->width) - 1;
}

uint64_t mad_field_get(const struct mad_field *field, const uint8_t *data)
{
	const uint8_t *byte = data + field->bit / 8;
	unsigned int skip = field->bit % 8, left = field->width;
	uint64_t value = 0;

	/* From the most significant end, each time as many bits as the byte has left. */
	while (left > 0) {
		unsigned int take = MIN(8 - skip, left);

		value = value << take | (*byte >> (8 - skip - take) & ((1U << take) - 1));
		left -= take;
		skip = 0;
		byte++;
	}
	return value;
}

static void set_bits(const struct mad_field *field, uint8_t *data, uint64_t value)
{
	uint8_t *byte = data + field->bit / 8;
	unsigned int skip = field->bit % 8, left = field->width;

	while (left > 0) {
		unsigned int take = MIN(8 - skip, left);
		unsigned int shift = 8 - skip - take;
		uint8_t mask = (uint8_t)(((1U << take) - 1) << shift);

		left -= take;
		*byte = (uint8_t)((*byte & ~mask) | ((value >> left) << shift & mask));
		skip = 0;
		byte++;
	}
}

/* The SMA writes every field of its answers with this, so the common widths need no loop. */
void mad_field_set(const struct mad_field *field, uint8_t *data, uint64_t value)
{
	uint8_t *byte = data + field->bit / 8;

	if (field->bit % 8 == 0) {
		switch (field->width) {
		case 8:
			*byte = (uint8_t)value;
			return;
		case 16:
			put_be16(byte, (uint16_t)value);
			return;
		case 32:
			put_be32(byte, (uint32_t)value);
			return;
		case 64:
			put_be64(byte, value);
			return;
		default:	/* widths, not an enum of ours: the general way */
			break;
		}
	}
	set_bits(field, data, value);
}

/* Makes a text that did not fit end in "...". 'wanted' is what snprintf or the like returned. */
static void end_in_dots(char *buf, size_t size, size_t wanted)
{
	if (wanted >= size && size > 4)
		memcpy(buf + size - 4, "...", 4);
}

static void format_string(const uint8_t *bytes, size_t count, char *buf, size_t size)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < count && bytes[i]; i++)
		if (g_ascii_isprint((char)bytes[i]) && bytes[i] != '\\')
			g_string_append_c(text, (char)bytes[i]);
		else
			g_string_append_printf(text, "\\x%02x", bytes[i]);
	end_in_dots(buf, size, g_strlcpy(buf, text->str, size));
	g_string_free(text, true);
}

static void format_bytes(const uint8_t *bytes, size_t count, char *buf, size_t size)
{
	size_t shown = MIN(count, (size - 1) / 2);

	buf[0] = '\0';
	for (size_t i = 0; i < shown; i++)
		snprintf(buf + 2 * i, 3, "%02x", bytes[i]);
	end_in_dots(buf, size, shown < count ? size : 0);
}

static void format_names(const struct mad_field *field, uint64_t value, char *buf, size_t size)
{
	GString *text = g_string_new(NULL);
	uint64_t rest = value;

	for (const struct mad_field_name *n = field->names; n->name; n++) {
		if (field->format == MAD_FIELD_FLAGS ? !(rest & n->value) : value != n->value)
			continue;
		g_string_append_printf(text, "%s%s", text->len ? "|" : "", n->name);
		rest &= ~n->value;
	}
	/* A value without a name, or bits that have none. */
	if (text->len == 0)
		g_string_printf(text, "%" PRIu64, value);
	else if (field->format == MAD_FIELD_FLAGS && rest)
		g_string_append_printf(text, "|0x%" PRIx64, rest);
	end_in_dots(buf, size, g_strlcpy(buf, text->str, size));
	g_string_free(text, true);
}

void mad_field_format_value(const struct mad_field *field, const uint8_t *data, char *buf,
			    size_t size)
{
	const uint8_t *bytes = data + field->bit / 8;
	char gid[INET6_ADDRSTRLEN];

	if (size == 0)
		return;
	switch (field->format) {
	case MAD_FIELD_DEC:
	case MAD_FIELD_LID:
		snprintf(buf, size, "%" PRIu64, mad_field_get(field, data));
		return;
	case MAD_FIELD_HEX:
		snprintf(buf, size, "0x%0*" PRIx64, (field->width + 3) / 4,
			 mad_field_get(field, data));
		return;
	case MAD_FIELD_BOOL:
		snprintf(buf, size, "%s", mad_field_get(field, data) ? "true" : "false");
		return;
	case MAD_FIELD_GUID:
		snprintf(buf, size, "0x%016" PRIx64, mad_field_get(field, data));
		return;
	case MAD_FIELD_GID:
		snprintf(buf, size, "%s", inet_ntop(AF_INET6, bytes, gid, sizeof(gid)));
		return;
	case MAD_FIELD_IPV4:
		snprintf(buf, size, "%s", inet_ntop(AF_INET, bytes, gid, sizeof(gid)));
		return;
	case MAD_FIELD_STRING:
		format_string(bytes, field->width / 8, buf, size);
		return;
	case MAD_FIELD_BYTES:
		format_bytes(bytes, field->width / 8, buf, size);
		return;
	case MAD_FIELD_ENUM:
	case MAD_FIELD_FLAGS:
		format_names(field, mad_field_get(field, data), buf, size);
		return;
	}
}

static bool name_value(const struct mad_field *field, const char *name, size_t length,
		       uint64_t *ret_value)
{
	for (const struct mad_field_name *n = field->names; n && n->name; n++)
		if (strlen(n->name) == length && g_ascii_strncasecmp(n->name, name, length) == 0) {
			*ret_value = n->value;
			return true;
		}
	return false;
}

bool mad_field_parse_name(const struct mad_field *field, const char *text, uint64_t *ret_value)
{
	uint64_t all = 0, one;

	if (field->format != MAD_FIELD_FLAGS)
		return name_value(field, text, strlen(text), ret_value);
	for (;;) {
		size_t length = strcspn(text, "|");

		if (!name_value(field, text, length, &one))
			return false;
		all |= one;
		if (text[length] == '\0')
			break;
		text += length + 1;
	}
	*ret_value = all;
	return true;
}
