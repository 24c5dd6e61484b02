/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The table of Wireshark's names: every name belongs to fields that are there, numbered fields lie
 * at equal distances, and no bit is shown twice. That Wireshark agrees is shown by
 * tests/harness/fields-tshark.sh.
 */
#include <glib.h>
#include <string.h>

#include "lib/base/wire.h"
#include "sim/dictionary/wireshark-names.h"
#include "sim/dictionary/wireshark.h"
#include "tests/rig/leak.h"

enum { TRAP_BAD_P_KEY_AT_SWITCH = 259 };

static const struct wireshark_span *span_find(const GArray *spans, const char *name)
{
	for (guint i = 0; i < spans->len; i++)
		if (strcmp(g_array_index(spans, struct wireshark_span, i).name, name) == 0)
			return &g_array_index(spans, struct wireshark_span, i);
	return NULL;
}

static const struct mad_field *field_of_bits(const struct mad_field *fields, unsigned int bit,
					     unsigned int width)
{
	for (; fields->name; fields++)
		if (fields->bit <= bit && bit + width <= fields->bit + (unsigned int)fields->width)
			return fields;
	return NULL;
}

/* Every occurrence is in a field; frees 'spans'. Returns how many occurrences there are. */
static unsigned int check_spans(const char *owner, const struct mad_field *fields, GArray *spans)
{
	unsigned int count = 0;

	for (guint i = 0; i < spans->len; i++) {
		const struct wireshark_span *span =
			&g_array_index(spans, struct wireshark_span, i);

		g_assert_true(span_find(spans, span->name) == span);
		g_assert_cmpuint(span->width, >, 0);
		g_assert_cmpuint(span->count, >, 0);
		g_assert_cmpint(span->count == 1, ==, span->stride == 0);
		for (unsigned int n = 0; n < span->count; n++)
			if (!field_of_bits(fields, span->bit + n * span->stride, span->width))
				g_error("%s: occurrence %u of %s is in no field", owner, n,
					span->name);
		count += span->count;
	}
	g_array_unref(spans);
	return count;
}

static void test_spans(void)
{
	unsigned int count = 0;

	for (const struct mad_header *header = mad_headers(); header->name; header++)
		check_spans(header->name, header->fields,
			    wireshark_header_spans(header, MAD_CLASS_SUBN_ADM));
	for (unsigned int trap = 0; trap <= UINT16_MAX; trap++)
		if (mad_notice_details((uint16_t)trap))
			check_spans("trap", mad_notice_details((uint16_t)trap),
				    wireshark_notice_spans((uint16_t)trap));
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++)
		for (const struct mad_attribute *a = info->attributes; a->name; a++)
			count += check_spans(a->name, a->fields,
					     wireshark_spans(info->mgmt_class, a->id));
	g_assert_cmpuint(count, >, 1000);
}

/* Does any attribute of any class have a span of this name? */
static bool is_used(const char *name)
{
	bool used = false;

	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++)
		for (const struct mad_attribute *a = info->attributes; a->name; a++) {
			GArray *spans = wireshark_spans(info->mgmt_class, a->id);

			used |= span_find(spans, name) != NULL;
			g_array_unref(spans);
		}
	return used;
}

/* A line of a table that names a field which is not there would be overlooked. */
static void test_every_line(void)
{
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++)
		for (const struct mad_attribute *a = info->attributes; a->name; a++) {
			const struct wireshark_name *const *tables =
				wireshark_names_of_attribute(info->mgmt_class, a->id);

			for (; tables && *tables; tables++)
				for (const struct wireshark_name *n = *tables; n->field; n++)
					if (!is_used(n->name))
						g_error("%s: %s has no field %s", n->name, a->name,
							n->field);
		}
	for (const struct mad_header *header = mad_headers(); header->name; header++) {
		const struct wireshark_name *names = wireshark_names_of_header(header->name);
		GArray *spans = wireshark_header_spans(header, MAD_CLASS_SUBN_ADM);

		for (; names && names->field; names++)
			g_assert_nonnull(span_find(spans, names->name));
		g_array_unref(spans);
	}
}

static void test_layout(void)
{
	static const struct {
		uint8_t mgmt_class;
		uint16_t attr_id;
		const char *name;
		unsigned int bit, width, count, stride;
	} rows[] = {
		{ 0x81, 0x15, "infiniband.portinfo.lid", 128, 16, 1, 0 },
		{ 0x01, 0x15, "infiniband.portinfo.lid", 128, 16, 1, 0 },
		{ 0x03, 0x12, "infiniband.portinfo.lid", 160, 16, 1, 0 },
		{ 0x01, 0x15, "infiniband.portinfo.capabilitymask.issm", 190, 1, 1, 0 },
		{ 0x01, 0x14, "infiniband.switchinfo.guid", 0, 64, 8, 64 },
		{ 0x01, 0x16, "infiniband.p_keytable.p_keybase", 1, 15, 32, 16 },
		{ 0x01, 0x17, "infiniband.sltovlmappingtable.sltovllowbits", 4, 4, 8, 8 },
		{ 0x03, 0x16, "infiniband.randomforwardingtable.valid", 80, 1, 16, 32 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		GArray *spans = wireshark_spans(rows[i].mgmt_class, rows[i].attr_id);
		const struct wireshark_span *span = span_find(spans, rows[i].name);

		g_test_message("%s", rows[i].name);
		g_assert_nonnull(span);
		g_assert_cmpuint(span->bit, ==, rows[i].bit);
		g_assert_cmpuint(span->width, ==, rows[i].width);
		g_assert_cmpuint(span->count, ==, rows[i].count);
		g_assert_cmpuint(span->stride, ==, rows[i].stride);
		g_array_unref(spans);
	}
}

/* Shown, shown in pieces, shown wrong, not shown. */
static void test_shows(void)
{
	static const struct {
		uint8_t mgmt_class;
		uint16_t attr_id;
		const char *field;
		bool shown;
	} rows[] = {
		{ 0x81, 0x15, "Lid", true },		{ 0x81, 0x15, "CapabilityMask2", false },
		{ 0x81, 0x16, "P_Key7", true },		{ 0x81, 0x1a, "RandomForwTbl", true },
		{ 0x07, 0x10, "PrimaryFlowLabel", false }, { 0x07, 0x10, "PrimarySL", true },
		{ 0x03, 0x01, "TrapHL", false },	{ 0x30, 0x01, "TrapGID", false },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		GArray *spans = wireshark_spans(rows[i].mgmt_class, rows[i].attr_id);

		g_test_message("%s", rows[i].field);
		g_assert_cmpint(wireshark_shows(spans, mad_field_must(rows[i].mgmt_class,
								      rows[i].attr_id,
								      rows[i].field)),
				==, rows[i].shown);
		g_array_unref(spans);
	}
}

static void test_notices(void)
{
	GArray *known = wireshark_notice_spans(144);
	GArray *malformed = wireshark_notice_spans(TRAP_BAD_P_KEY_AT_SWITCH);

	g_assert_nonnull(span_find(known, "infiniband.trap.capabilitymask"));
	g_assert_cmpuint(malformed->len, ==, 0);
	g_array_unref(known);
	g_array_unref(malformed);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/wireshark/spans", test_spans);
	g_test_add_func("/wireshark/every-line", test_every_line);
	g_test_add_func("/wireshark/layout", test_layout);
	g_test_add_func("/wireshark/shows", test_shows);
	g_test_add_func("/wireshark/notices", test_notices);
	return leak_end(g_test_run());
}
