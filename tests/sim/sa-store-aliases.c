/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Alias GUIDs that programs have the fabric's own SA give to ports. */
#include "tests/sim/sa-asker.h"

enum { GUIDS = 8 };

/* Asks for 'guid' as alias 'index' of a port, or takes it away: returns what it has become. */
static uint64_t alias(struct umadrig_fabric *fabric, uint8_t method, uint16_t lid,
		      unsigned int index, uint64_t guid)
{
	put_be16(record(), lid);
	put_be64(record() + GUIDS + index * 8U, guid);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, method, SA_GUID_INFO_RECORD,
						    C(0) | C(1) | C(4 + index), false }),
			==, SA_OK);
	return get_be64(last->data + SA_DATA + GUIDS + index * 8U);
}

/* The LID of the port that has this GUID, by its path; 0: none. */
static uint16_t lid_of(struct umadrig_fabric *fabric, uint64_t guid)
{
	put_be64(record() + 8, UINT64_C(0xfe80000000000000));
	put_be64(record() + 16, guid);
	if (ask(fabric, (struct asked){ 3, SA_GET, SA_PATH_RECORD, C(2), false }) != SA_OK)
		return 0;
	return get_be16(last->data + SA_DATA + 40);
}

/* Of no port, of no block, of which is not said. */
static void refuse_aliases(struct umadrig_fabric *fabric)
{
	put_be16(record(), 99);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_GUID_INFO_RECORD,
						    C(0) | C(1) | C(5), false }), ==,
			SA_NO_RECORDS);
	put_be16(record(), 2);
	record()[2] = 1;
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_GUID_INFO_RECORD,
						    C(0) | C(1) | C(5), false }), ==,
			SA_NO_RECORDS);
	put_be16(record(), 2);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_GUID_INFO_RECORD, C(0) | C(5),
						    false }), ==, SA_INSUFFICIENT_COMPONENTS);
}

void test_aliases(void)
{
	struct umadrig_fabric *fabric = make();
	uint64_t own = end_at(fabric, 2)->guid, given;

	g_assert_cmphex(alias(fabric, SA_SET, 2, 1, 0x1234), ==, 0x1234);
	g_assert_cmpuint(lid_of(fabric, 0x1234), ==, 2);
	g_assert_cmphex(alias(fabric, SA_SET, 2, 1, 0x1234), ==, 0x1234);
	/* Of the SA's choice; the port's own; and one that another port has. */
	given = alias(fabric, SA_SET, 2, 2, 0);
	g_assert_cmphex(given, !=, 0);
	g_assert_cmpuint(lid_of(fabric, given), ==, 2);
	g_assert_cmphex(alias(fabric, SA_SET, 1, 1, 0), !=, given);
	/* What it is already, if that is the SA's choice. */
	g_assert_cmphex(alias(fabric, SA_SET, 2, 2, 0), ==, given);
	put_be16(record(), 2);
	put_be64(record() + GUIDS, 0x99);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_GUID_INFO_RECORD,
						    C(0) | C(1) | C(4), false }), ==,
			SA_REQ_INVALID);
	g_assert_cmpuint(lid_of(fabric, own), ==, 2);
	g_assert_cmphex(alias(fabric, SA_SET, 1, 3, 0x1234), ==, 0);
	g_assert_cmphex(alias(fabric, SA_SET, 1, 3, own), ==, 0);
	/* The answer is the whole block. */
	g_assert_cmphex(get_be64(last->data + SA_DATA + GUIDS), ==, end_at(fabric, 1)->guid);
	g_assert_cmpuint(lid_of(fabric, 0x1234), ==, 2);
	put_be16(record(), 2);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_GET, SA_GUID_INFO_RECORD, C(0), false }),
			==, SA_OK);
	g_assert_cmphex(get_be64(last->data + SA_DATA + GUIDS), ==, own);
	g_assert_cmphex(get_be64(last->data + SA_DATA + GUIDS + 8), ==, 0x1234);
	g_assert_cmphex(alias(fabric, SA_DELETE, 2, 1, 0x1234), ==, 0);
	g_assert_cmpuint(lid_of(fabric, 0x1234), ==, 0);
	put_be16(record(), 2);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_DELETE, SA_GUID_INFO_RECORD,
						    C(0) | C(1) | C(4), false }), ==,
			SA_REQ_INVALID);
	g_assert_cmpuint(lid_of(fabric, own), ==, 2);
	refuse_aliases(fabric);
	umadrig_fabric_close(fabric);
}

/* An alias stays as long as it is a member of a group. */
void test_alias_in_group(void)
{
	struct umadrig_fabric *fabric = make();

	g_assert_cmphex(join(fabric, 1, 2, FULL), ==, SA_OK);
	g_assert_cmphex(alias(fabric, SA_SET, 2, 1, 0x1234), ==, 0x1234);
	member(fabric, 1, 2, FULL);
	put_be64(record() + PORT_GID + 8, 0x1234);
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_SET, SA_MEMBER_RECORD, MEMBER, false }),
			==, SA_OK);
	put_be16(record(), 2);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_DELETE, SA_GUID_INFO_RECORD,
						    C(0) | C(1) | C(5), false }), ==, SA_DENIED);
	g_assert_cmpuint(lid_of(fabric, 0x1234), ==, 2);
	member(fabric, 1, 2, FULL);
	put_be64(record() + PORT_GID + 8, 0x1234);
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_DELETE, SA_MEMBER_RECORD, MEMBER,
						    false }), ==, SA_OK);
	g_assert_cmphex(alias(fabric, SA_DELETE, 2, 1, 0), ==, 0);
	g_assert_cmpuint(lid_of(fabric, 0x1234), ==, 0);
	umadrig_fabric_close(fabric);
}
