/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fields by name: see sim/diff/field-name.h.
 */
#include "sim/diff/field-name.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/wire.h"
#include "lib/words/number.h"
#include "sim/capture/mad-role.h"
#include "sim/dictionary/mad-header.h"

enum {
	VALUE_SIZE = 512,
	RAW_SHOWN_MAX = 32,	/* bytes of a run that are printed */
};

const char *const address_field_names[ADDRESS_FIELDS] = {
	[ADDRESS_SLID] = "slid", [ADDRESS_DLID] = "dlid", [ADDRESS_SL] = "sl",
	[ADDRESS_PKEY] = "pkey", [ADDRESS_SQP] = "sqp", [ADDRESS_DQP] = "dqp",
	[ADDRESS_QKEY] = "qkey", [ADDRESS_GRH] = "grh", [ADDRESS_SGID] = "sgid",
	[ADDRESS_DGID] = "dgid",
};

const char *const conversation_field_names[CONVERSATION_FIELDS] = {
	[CONVERSATION_RETRIES] = "retries", [CONVERSATION_LOSSES] = "losses",
};

#define HEADER_BITS(kind_, name_, bit_, width_, format_)                                    \
	{ .kind = HEADER_##kind_, .field = { .name = name_, .bit = bit_, .width = width_,   \
					     .format = MAD_FIELD_##format_ } }
#define HEADER(kind, name, byte, width, format) HEADER_BITS(kind, name, (byte) * 8, width, format)

const struct header_field header_fields[] = {
	HEADER(ALL, "base_version", MAD_BASE_VERSION, 8, DEC),
	HEADER(ALL, "class", MAD_CLASS, 8, HEX),
	HEADER(ALL, "version", MAD_CLASS_VERSION, 8, DEC),
	HEADER(ALL, "method", MAD_METHOD, 8, HEX),
	HEADER(ALL, "status", MAD_STATUS, 16, HEX),
	HEADER(ALL_BUT_DIRECTED, "specific", MAD_CLASS_SPECIFIC, 16, HEX),
	HEADER(DIRECTED, "hop_ptr", SMP_HOP_PTR, 8, DEC),
	HEADER(DIRECTED, "hop_cnt", SMP_HOP_CNT, 8, DEC),
	HEADER(ALL, "tid", MAD_TID, 64, HEX),
	HEADER(ALL, "attr", MAD_ATTR_ID, 16, HEX),
	HEADER(ALL, "modifier", MAD_ATTR_MOD, 32, HEX),
	HEADER(SMP, "mkey", SMP_MKEY, 64, HEX),
	HEADER(DIRECTED, "drslid", SMP_DR_SLID, 16, HEX),
	HEADER(DIRECTED, "drdlid", SMP_DR_DLID, 16, HEX),
	HEADER(DIRECTED, "path", SMP_INITIAL_PATH, 512, BYTES),
	HEADER(DIRECTED, "return_path", SMP_RETURN_PATH, 512, BYTES),
	HEADER(RMPP, "rmpp.version", RMPP_VERSION, 8, DEC),
	HEADER(RMPP, "rmpp", RMPP_TYPE, 8, DEC),
	HEADER_BITS(RMPP, "resptime", RMPP_FLAGS * 8, 5, DEC),
	HEADER_BITS(RMPP, "rmpp.flags", RMPP_FLAGS * 8 + 5, 3, HEX),
	HEADER(RMPP, "rmpp.status", RMPP_STATUS, 8, DEC),
	HEADER(RMPP, "seg", RMPP_SEGMENT, 32, DEC),
	HEADER(RMPP, "paylen", RMPP_PAYLEN_NEWWIN, 32, DEC),
	HEADER(VENDOR2, "oui", VENDOR2_OUI, 24, HEX),
	HEADER(SA, "smkey", SA_SM_KEY, 64, HEX),
	HEADER(SA, "attr_offset", SA_ATTR_OFFSET, 16, DEC),
	HEADER(SA, "comp_mask", SA_COMP_MASK, 64, HEX),
	{ .field = { .name = NULL } },
};

bool header_field_applies(const struct header_field *header, const uint8_t *mad)
{
	uint8_t mgmt_class = mad[MAD_CLASS];

	switch (header->kind) {
	case HEADER_ALL:
		return true;
	case HEADER_ALL_BUT_DIRECTED:
		return mgmt_class != MAD_CLASS_SUBN_DR;
	case HEADER_DIRECTED:
		return mgmt_class == MAD_CLASS_SUBN_DR;
	case HEADER_SMP:
		return mad_class_is_smp(mgmt_class);
	case HEADER_RMPP:
		return mad_class_has_rmpp(mgmt_class);
	case HEADER_SA:
		return mgmt_class == MAD_CLASS_SUBN_ADM;
	case HEADER_VENDOR2:
		return mad_class_is_vendor2(mgmt_class);
	}
	return false;
}

/* ---- records: where the attribute of a message begins, and how often ---- */

struct records {
	const struct mad_attribute *attribute;	/* NULL: nothing is known of it */
	size_t at;
	size_t each;		/* bytes from one to the next */
	size_t count;		/* whole ones */
};

static struct records records_of(const uint8_t *bytes, size_t size)
{
	const struct mad_class_info *info = mad_class_find(bytes[MAD_CLASS]);
	struct records records = {
		.attribute = mad_attribute_find(bytes[MAD_CLASS], get_be16(bytes + MAD_ATTR_ID)),
		.count = 1,
	};

	if (!info || !records.attribute || !records.attribute->fields) {
		records.attribute = NULL;
		return records;
	}
	records.at = info->data_at;
	records.each = records.attribute->size;
	if (!mad_is_rmpp(bytes))
		return records;
	if (bytes[MAD_CLASS] == MAD_CLASS_SUBN_ADM && get_be16(bytes + SA_ATTR_OFFSET))
		records.each = (size_t)get_be16(bytes + SA_ATTR_OFFSET) * 8;
	records.count = size > records.at && records.each >= records.attribute->size ?
			(size - records.at) / records.each : 0;
	return records;
}

/* ---- ignored fields ---- */

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
	const char *names[G_N_ELEMENTS(header_fields) + ADDRESS_FIELDS + CONVERSATION_FIELDS + 2];
	size_t count = 0;

	for (unsigned int i = 0; i < ADDRESS_FIELDS; i++)
		names[count++] = address_field_names[i];
	for (unsigned int i = 0; i < CONVERSATION_FIELDS; i++)
		names[count++] = conversation_field_names[i];
	for (const struct header_field *header = header_fields; header->field.name; header++)
		names[count++] = header->field.name;
	names[count++] = "time";
	names[count] = NULL;
	return mad_closest(name, names);
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

static void blank(const struct mad_field *field, uint8_t *data)
{
	if (field->width > 64)
		memset(data + field->bit / 8, 0, field->width / 8);
	else
		mad_field_set(field, data, 0);
}

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
			blank(&field->header->field, mad);
		else if (!field->header && !field->field)
			memset(mad + field->first, 0, field->last - field->first + 1u);
	}
}

void ignored_fields_blank(const struct ignored_fields *ignored, struct message_bytes *message)
{
	struct records records;
	uint8_t head[MAD_SIZE];

	if (!ignored->count)
		return;
	/* What the message is, before a field is blanked that says it. */
	records = records_of(message->bytes, message->size);
	memcpy(head, message->bytes, MAD_SIZE);
	blank_headers(ignored, head, message->bytes);
	for (size_t i = 0; i < ignored->count && records.attribute; i++) {
		const struct ignored_field *field = &ignored->fields[i];

		if (!field->field || !is_attribute_of(field, head))
			continue;
		for (size_t record = 0; record < records.count; record++)
			blank(field->field, message->bytes + records.at + record * records.each);
	}
	for (size_t i = 0; i < message->header_count; i++) {
		uint8_t *header = message->headers + i * message->header;
		uint8_t mad[MAD_SIZE] = { 0 };

		memcpy(mad, header, message->header);
		blank_headers(ignored, head, mad);
		memcpy(header, mad, message->header);
	}
}

/* ---- differences ---- */

struct comparison {
	const uint8_t *a, *b;
	size_t a_size, b_size;
	size_t size;		/* of what both have */
	uint8_t *differs;	/* a XOR b, as far as it is not yet reported */
	field_difference_fn *fn;
	void *ctx;
	size_t count;
};

static bool field_differs(const struct mad_field *field, const uint8_t *differs)
{
	if (field->width <= 64)
		return mad_field_get(field, differs) != 0;
	for (unsigned int i = 0; i < field->width / 8u; i++) {
		if (differs[field->bit / 8 + i])
			return true;
	}
	return false;
}

static void report(struct comparison *comparison, const char *name, const char *a, const char *b)
{
	comparison->count++;
	comparison->fn(comparison->ctx, name, a, b);
}

/* A field of the data 'at' bytes from the start of the messages. */
static void compare_field(struct comparison *comparison, const struct mad_field *field, size_t at,
			  const char *name)
{
	char a[VALUE_SIZE], b[VALUE_SIZE];

	if (!field_differs(field, comparison->differs + at))
		return;
	blank(field, comparison->differs + at);
	mad_field_format_value(field, comparison->a + at, a, sizeof(a));
	mad_field_format_value(field, comparison->b + at, b, sizeof(b));
	report(comparison, name, a, b);
}

static void compare_headers(struct comparison *comparison)
{
	for (const struct header_field *header = header_fields; header->field.name; header++) {
		/* Where the classes differ, what only one of them has goes by its bytes. */
		if (header_field_applies(header, comparison->a) &&
		    header_field_applies(header, comparison->b))
			compare_field(comparison, &header->field, 0, header->field.name);
	}
}

static void compare_records(struct comparison *comparison)
{
	struct records a = records_of(comparison->a, comparison->a_size);
	struct records b = records_of(comparison->b, comparison->b_size);

	if (!a.attribute || a.attribute != b.attribute || a.each != b.each)
		return;
	for (size_t record = 0; record < MIN(a.count, b.count); record++) {
		size_t at = a.at + record * a.each;

		if (at + a.attribute->size > comparison->size)
			break;
		for (const struct mad_field *f = a.attribute->fields; f->name; f++) {
			g_autofree char *name = NULL;

			if (!field_differs(f, comparison->differs + at))
				continue;
			name = MAX(a.count, b.count) > 1 ?
			       g_strdup_printf("%s[%zu].%s", a.attribute->name, record, f->name) :
			       g_strdup_printf("%s.%s", a.attribute->name, f->name);
			compare_field(comparison, f, at, name);
		}
	}
	if (a.count != b.count) {
		g_autofree char *one = g_strdup_printf("%zu", a.count);
		g_autofree char *other = g_strdup_printf("%zu", b.count);

		report(comparison, "records", one, other);
	}
}

static char *hex(const uint8_t *bytes, size_t size)
{
	GString *out = g_string_new(NULL);

	for (size_t i = 0; i < MIN(size, RAW_SHOWN_MAX); i++)
		g_string_append_printf(out, "%02x", bytes[i]);
	if (size > RAW_SHOWN_MAX)
		g_string_append(out, "...");
	return g_string_free(out, false);
}

/* What no field has. */
static void compare_rest(struct comparison *comparison)
{
	for (size_t first = 0, last; first < comparison->size; first = last + 1) {
		g_autofree char *a = NULL, *b = NULL, *name = NULL;

		last = first;
		if (!comparison->differs[first])
			continue;
		while (last + 1 < comparison->size && comparison->differs[last + 1])
			last++;
		name = first == last ? g_strdup_printf("byte %zu", first) :
				       g_strdup_printf("bytes %zu..%zu", first, last);
		a = hex(comparison->a + first, last - first + 1);
		b = hex(comparison->b + first, last - first + 1);
		report(comparison, name, a, b);
	}
}

/* A comparison of runs of which both have 'size' bytes. */
static void begin(struct comparison *comparison, const uint8_t *a, const uint8_t *b, size_t size)
{
	comparison->a = a;
	comparison->b = b;
	comparison->size = size;
	comparison->differs = g_malloc0(MAX(size, (size_t)MAD_SIZE));
	for (size_t i = 0; i < size; i++)
		comparison->differs[i] = a[i] ^ b[i];
}

/* The names of what a later segment has begin with its number. */
struct segment_report {
	struct comparison *outer;
	size_t number;
};

static void report_segment(void *ctx, const char *name, const char *a, const char *b)
{
	const struct segment_report *segment = ctx;
	g_autofree char *full = g_strdup_printf("segment %zu: %s", segment->number, name);

	report(segment->outer, full, a, b);
}

static void compare_segments(struct comparison *outer, const struct message_bytes *a,
			     const struct message_bytes *b)
{
	if (a->header != b->header)
		return;
	for (size_t i = 0; i < MIN(a->header_count, b->header_count); i++) {
		struct segment_report segment = { outer, i + 2 };
		struct comparison inner = { .fn = report_segment, .ctx = &segment };
		uint8_t one[MAD_SIZE] = { 0 }, other[MAD_SIZE] = { 0 };

		memcpy(one, a->headers + i * a->header, a->header);
		memcpy(other, b->headers + i * b->header, b->header);
		if (memcmp(one, other, a->header) == 0)
			continue;
		begin(&inner, one, other, MAD_SIZE);
		compare_headers(&inner);
		compare_rest(&inner);
		g_free(inner.differs);
	}
}

/* "1..3, 7": which segments there are. */
static char *segments_text(const struct message_bytes *message)
{
	GString *out = g_string_new(NULL);
	size_t bits = message->seen_size * 8;

	for (size_t first = 1, last; first < bits && out->len < 60; first = last + 1) {
		last = first;
		if (!(message->seen[first / 8] & 1 << first % 8))
			continue;
		while (last + 1 < bits && message->seen[(last + 1) / 8] & 1 << (last + 1) % 8)
			last++;
		g_string_append_printf(out, "%s%zu", out->len ? ", " : "", first);
		if (last != first)
			g_string_append_printf(out, "..%zu", last);
	}
	return g_string_free(out, false);
}

static bool same_segments(const struct message_bytes *a, const struct message_bytes *b)
{
	return a->seen_size == b->seen_size &&
	       (!a->seen_size || memcmp(a->seen, b->seen, a->seen_size) == 0);
}

size_t message_differences(const struct message_bytes *a, const struct message_bytes *b,
			   field_difference_fn *fn, void *ctx)
{
	struct comparison comparison = {
		.a_size = a->size, .b_size = b->size, .fn = fn, .ctx = ctx,
	};

	begin(&comparison, a->bytes, b->bytes, MIN(a->padded, b->padded));
	compare_headers(&comparison);
	compare_records(&comparison);
	compare_rest(&comparison);
	if (a->size != b->size || a->padded != b->padded) {
		g_autofree char *one = g_strdup_printf("%zu bytes", a->size);
		g_autofree char *other = g_strdup_printf("%zu bytes", b->size);

		report(&comparison, "length", one, other);
	}
	compare_segments(&comparison, a, b);
	if (!same_segments(a, b)) {
		g_autofree char *one = segments_text(a), *other = segments_text(b);

		report(&comparison, "segments", one, other);
	}
	g_free(comparison.differs);
	return comparison.count;
}
