/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Multicast groups of the fabric's own SA, and how the switches forward them. */
#include "tests/sim/sa-asker.h"

#include "sim/fabric/switch.h"

static unsigned int members(struct umadrig_fabric *fabric, bool has_key)
{
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_GET_TABLE, SA_MEMBER_RECORD, 0,
						    has_key }), ==, SA_OK);
	return (last->len - SA_DATA) / 56;
}

/* Ports of a switch, as a mask, by which it forwards to the LID. */
static uint32_t forwards(const struct umadrig_fabric *fabric, uint16_t switch_lid, uint16_t mlid)
{
	const struct switch_part *sw = end_at(fabric, switch_lid)->port->node->sw;
	uint32_t ports = 0;

	for (unsigned int i = 0; sw->mft && i <= end_at(fabric, switch_lid)->port->node->port_count
	     / 16; i++)
		ports |= (uint32_t)sw->mft[i * sw->mft_cap + mlid - 0xc000U] << 16 * i;
	return ports;
}

void test_groups(void)
{
	struct umadrig_fabric *fabric = make();

	/* That of IPoIB's broadcasts is there. */
	g_assert_cmpuint(members(fabric, false), ==, 1);
	g_assert_cmphex(get_be64(last->data + SA_DATA), ==, 0xff12401bffff0000);
	g_assert_cmphex(join(fabric, 1, 2, FULL), ==, SA_OK);
	g_assert_cmphex(get_be16(last->data + SA_DATA + MLID), ==, 0xc001);
	g_assert_cmphex(last->data[SA_DATA + STATE], ==, 0x21);
	g_assert_cmphex(last->data[SA_DATA + MTU], ==, 0x85);
	g_assert_cmphex(forwards(fabric, 4, 0xc001), ==, 1 << 2);
	g_assert_cmphex(join(fabric, 1, 3, FULL), ==, SA_OK);
	g_assert_cmphex(forwards(fabric, 4, 0xc001), ==, 1 << 2 | 1 << 3);
	g_assert_cmphex(forwards(fabric, 5, 0xc001), ==, 1 << 1 | 1 << 20);
	/* One that only sends gets nothing. */
	g_assert_cmphex(join(fabric, 1, 1, SENDER), ==, SA_OK);
	g_assert_cmphex(forwards(fabric, 4, 0xc001), ==, 1 << 2 | 1 << 3);
	/* Groups are seen by all, members with the SM_Key. */
	g_assert_cmpuint(members(fabric, false), ==, 2);
	g_assert_cmphex(get_be64(last->data + SA_DATA + 56 + PORT_GID), ==, 0);
	g_assert_cmpuint(members(fabric, true), ==, 3);
	g_assert_cmphex(last->data[SA_DATA + 2 * 56 + STATE], ==, 0x24);

	g_assert_cmphex(leave(fabric, 1, 2, SENDER), ==, SA_REQ_INVALID);
	g_assert_cmphex(leave(fabric, 1, 2, FULL), ==, SA_OK);
	g_assert_cmphex(forwards(fabric, 4, 0xc001), ==, 1 << 3);
	g_assert_cmphex(forwards(fabric, 5, 0xc001), ==, 1 << 1 | 1 << 20);
	g_assert_cmphex(leave(fabric, 1, 2, FULL), ==, SA_REQ_INVALID);
	/* With its last full member the group is gone; the one that sends does not keep it. */
	g_assert_cmphex(join(fabric, 1, 3, SENDER), ==, SA_OK);
	g_assert_cmphex(leave(fabric, 1, 3, FULL), ==, SA_OK);
	g_assert_cmphex(last->data[SA_DATA + STATE], ==, 0x20);
	g_assert_cmphex(forwards(fabric, 5, 0xc001), ==, 0);
	g_assert_cmpuint(members(fabric, false), ==, 1);
	umadrig_fabric_close(fabric);
}

void test_joins_refused(void)
{
	struct umadrig_fabric *fabric = make();

	member(fabric, 1, 2, FULL);
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_SET, SA_MEMBER_RECORD, MEMBER, false }),
			==, SA_INSUFFICIENT_COMPONENTS);
	g_assert_cmphex(join(fabric, 1, 2, SENDER), ==, SA_REQ_INVALID);
	g_assert_cmphex(join(fabric, 1, 2, 0), ==, SA_REQ_INVALID);
	member(fabric, 1, 2, FULL);
	record()[0] = 0xfe;
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_SET, SA_MEMBER_RECORD, MEMBER | GROUP,
						    false }), ==, SA_REQ_INVALID);
	/* An MTU that the port does not have. */
	member(fabric, 1, 2, FULL);
	record()[MTU] = 0x05;
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_SET, SA_MEMBER_RECORD,
						    MEMBER | GROUP | C(4) | C(5), false }), ==,
			SA_REQ_INVALID);
	/* Another Q_Key than the group's. */
	g_assert_cmphex(join(fabric, 1, 2, FULL), ==, SA_OK);
	member(fabric, 1, 3, FULL);
	put_be32(record() + Q_KEY, 5);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_MEMBER_RECORD, MEMBER | GROUP,
						    false }), ==, SA_REQ_INVALID);
	/* IPoIB's groups have the broadcasts' Q_Key, where there are broadcasts. */
	member(fabric, 9, 3, FULL);
	put_be32(record() + Q_KEY, 5);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_MEMBER_RECORD, MEMBER | GROUP,
						    false }), ==, SA_REQ_INVALID);
	member(fabric, 9, 3, FULL);
	record()[1] = 0x15;
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_MEMBER_RECORD, MEMBER | GROUP,
						    false }), ==, SA_REQ_INVALID);
	/* What is left out, and a GID of another subnet. */
	member(fabric, 1, 2, FULL);
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_DELETE, SA_MEMBER_RECORD, C(0) | C(1),
						    false }), ==, SA_INSUFFICIENT_COMPONENTS);
	member(fabric, 1, 2, FULL);
	put_be64(record() + PORT_GID, 0xfec0000000000000);
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_DELETE, SA_MEMBER_RECORD, MEMBER,
						    false }), ==, SA_INVALID_GID);
	/* Only the port itself takes back what it has joined. */
	member(fabric, 1, 2, FULL);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_DELETE, SA_MEMBER_RECORD, MEMBER,
						    false }), ==, SA_REQ_INVALID);
	/* A proxy's members are anybody's of the partition. */
	member(fabric, 1, 1, FULL);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_MEMBER_RECORD, MEMBER, false }),
			==, SA_OK);
	member(fabric, 1, 1, FULL);
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_DELETE, SA_MEMBER_RECORD, MEMBER,
						    false }), ==, SA_OK);
	/* The SA makes up an MGID. */
	g_assert_cmphex(join(fabric, 0, 2, FULL), ==, SA_OK);
	g_assert_cmphex(get_be32(last->data + SA_DATA), ==, 0xff12a01b);
	umadrig_fabric_close(fabric);
}

void test_group_limit(void)
{
	struct umadrig_fabric *fabric = make();

	for (uint32_t i = 1; i < 1024; i++)
		g_assert_cmphex(join(fabric, i, 2, FULL), ==, SA_OK);
	g_assert_cmphex(join(fabric, 1024, 2, FULL), ==, SA_NO_RESOURCES);
	g_assert_cmphex(leave(fabric, 7, 2, FULL), ==, SA_OK);
	g_assert_cmphex(join(fabric, 1024, 2, FULL), ==, SA_OK);
	g_assert_cmphex(get_be16(last->data + SA_DATA + MLID), ==, 0xc007);
	umadrig_fabric_close(fabric);
}

void test_group_path(void)
{
	struct umadrig_fabric *fabric = make();

	g_assert_cmphex(join(fabric, 1, 2, FULL), ==, SA_OK);
	put_be64(record() + 8, 0xff12401bffff0000);
	put_be32(record() + 20, 1);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_GET, SA_PATH_RECORD, C(2), false }), ==,
			SA_OK);
	g_assert_cmphex(get_be16(last->data + SA_DATA + 40), ==, 0xc001);
	g_assert_cmphex(last->data[SA_DATA + 54], ==, 0x85);
	/* From a port that is a member, and one that is not; with another P_Key. */
	for (uint16_t lid = 1; lid <= 2; lid++) {
		put_be64(record() + 8, 0xff12401bffff0000);
		put_be32(record() + 20, 1);
		put_gid(record() + 24, fabric, lid);
		put_be16(record() + 42, lid);
		g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_GET, SA_PATH_RECORD, C(2) | C(3),
							    false }), ==,
				lid == 2 ? SA_OK : SA_NO_RECORDS);
		put_be64(record() + 8, 0xff12401bffff0000);
		put_be32(record() + 20, 1);
		put_be16(record() + 42, lid);
		g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_GET, SA_PATH_RECORD, C(2) | C(5),
							    false }), ==,
				lid == 2 ? SA_OK : SA_NO_RECORDS);
	}
	put_be64(record() + 8, 0xff12401bffff0000);
	put_be32(record() + 20, 1);
	put_be16(record() + 50, 0x8001);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_GET, SA_PATH_RECORD, C(2) | C(13),
						    false }), ==, SA_NO_RECORDS);
	put_be64(record() + 8, 0xff12401bffff0000);
	put_be32(record() + 20, 2);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_GET, SA_PATH_RECORD, C(2), false }), ==,
			SA_NO_RECORDS);
	umadrig_fabric_close(fabric);
}
