/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The names of fields in differences are those of scenarios: each names the same bits in both, so
 * that what a difference prints can be ignored, filtered and expected.
 */
#include <glib.h>

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

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/field-name/headers", test_headers);
	g_test_add_func("/field-name/addresses", test_addresses);
	return g_test_run();
}
