/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The names of fields in differences are those of scenarios: each names the same bits in both, so
 * that what a difference prints can be ignored, filtered and expected.
 */
#include <glib.h>
#include <string.h>

#include "harness/script/mad/pattern.h"
#include "sim/diff/field-name.h"

static void test_headers(void)
{
	for (const struct header_field *header = header_fields; header->field.name; header++) {
		const struct mad_field *field = &header->field;
		const char *suggestion;
		const struct term_info *info = term_find(field->name, MAD_LEAVES, &suggestion);

		g_test_message("%s", field->name);
		g_assert_nonnull(info);
		g_assert_cmpint(info->where, ==, TERM_MAD);
		g_assert_cmpuint(info->bit, ==, field->bit);
		g_assert_cmpuint(info->width, ==, field->width);
	}
}

static void test_addresses(void)
{
	static const enum term_addr addresses[ADDRESS_FIELDS] = {
		[ADDRESS_SLID] = TERM_ADDR_SLID, [ADDRESS_DLID] = TERM_ADDR_DLID,
		[ADDRESS_SL] = TERM_ADDR_SL, [ADDRESS_PKEY] = TERM_ADDR_PKEY,
		[ADDRESS_SQP] = TERM_ADDR_SQP, [ADDRESS_DQP] = TERM_ADDR_DQP,
		[ADDRESS_QKEY] = TERM_ADDR_QKEY, [ADDRESS_GRH] = TERM_ADDR_GRH,
		[ADDRESS_SGID] = TERM_ADDR_SGID, [ADDRESS_DGID] = TERM_ADDR_DGID,
	};

	for (unsigned int i = 0; i < ADDRESS_FIELDS; i++) {
		const char *suggestion;
		const struct term_info *info =
			term_find(address_field_names[i], MAD_LEAVES, &suggestion);

		g_test_message("%s", address_field_names[i]);
		g_assert_nonnull(info);
		g_assert_cmpint(info->where, ==, TERM_ADDR);
		g_assert_cmpuint(info->bit, ==, addresses[i]);
	}
}

/* Every byte of a MAD has the name that a field of it has, or none. */
static void test_bytes(void)
{
	uint8_t mad[MAD_SIZE] = { [MAD_CLASS] = MAD_CLASS_SUBN_DR };
	char name[FIELD_NAME_SIZE];

	put_be16(mad + MAD_ATTR_ID, 0x0015);
	field_name_at(mad, MAD_TID + 7, name);
	g_assert_cmpstr(name, ==, "tid");
	field_name_at(mad, SMP_DATA + 16, name);
	g_assert_cmpstr(name, ==, "PortInfo.Lid");
	field_name_at(mad, SMP_RETURN_PATH + 63, name);
	g_assert_cmpstr(name, ==, "return_path");
	field_name_at(mad, 40, name);	/* reserved (IBA vol 1, 14.2.1.2) */
	g_assert_cmpstr(name, ==, "");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/field-name/headers", test_headers);
	g_test_add_func("/field-name/addresses", test_addresses);
	g_test_add_func("/field-name/bytes", test_bytes);
	return g_test_run();
}
