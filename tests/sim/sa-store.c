/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What programs register with the fabric's own SA: services and their leases, and limits; groups,
 * subscriptions and alias GUIDs in files of their own.
 */
#include "tests/rig/leak.h"
#include "tests/sim/sa-asker.h"

enum {
	SERVICE_GID = 8, SERVICE_P_KEY = 24, SERVICE_LEASE = 28, SERVICE_KEY = 32,
	SERVICE_NAME = 48,
};

static void service(const struct umadrig_fabric *fabric, uint64_t id, uint16_t lid)
{
	put_be64(record(), id);
	put_gid(record() + SERVICE_GID, fabric, lid);
	put_be16(record() + SERVICE_P_KEY, 0xffff);
}

/* How many services there are. */
static unsigned int services(struct umadrig_fabric *fabric, bool has_key)
{
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_GET_TABLE, SA_SERVICE_RECORD, 0,
						    has_key }), ==, SA_OK);
	return (last->len - SA_DATA) / 176;
}

static const uint64_t NAMED = C(0) | C(1) | C(2);

static void test_services(void)
{
	struct umadrig_fabric *fabric = make();
	const struct asked set = { 1, SA_SET, SA_SERVICE_RECORD, C(0) | C(1) | C(2) | C(6), false };

	service(fabric, 0x1000, 1);
	memcpy(record() + SERVICE_NAME, "one", 3);
	memset(record() + SERVICE_KEY, 7, 16);
	g_assert_cmphex(ask(fabric, set), ==, SA_OK);
	g_assert_cmphex(last->data[MAD_METHOD], ==, MAD_METHOD_GET_RESP);
	g_assert_cmpstr((char *)last->data + SA_DATA + SERVICE_NAME, ==, "one");
	g_assert_cmphex(get_be32(last->data + SA_DATA + SERVICE_LEASE), ==, UINT32_MAX);
	/* Of the same name: in its place. */
	service(fabric, 0x1000, 1);
	memcpy(record() + SERVICE_NAME, "uno", 3);
	memset(record() + SERVICE_KEY, 7, 16);
	g_assert_cmphex(ask(fabric, set), ==, SA_OK);
	service(fabric, 0x1000, 2);
	g_assert_cmphex(ask(fabric, set), ==, SA_OK);
	g_assert_cmpuint(services(fabric, false), ==, 2);
	g_assert_cmpstr((char *)last->data + SA_DATA + SERVICE_NAME, ==, "uno");
	g_assert_cmphex(last->data[SA_DATA + SERVICE_KEY], ==, 0);
	services(fabric, true);
	g_assert_cmphex(last->data[SA_DATA + SERVICE_KEY], ==, 7);
	memcpy(record() + SERVICE_NAME, "uno", 3);
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_GET, SA_SERVICE_RECORD, C(6), false }),
			==, SA_OK);

	service(fabric, 0x1000, 1);
	g_assert_cmphex(ask(fabric, (struct asked){ 1, SA_DELETE, SA_SERVICE_RECORD, NAMED,
						    false }), ==, SA_OK);
	g_assert_cmpuint(services(fabric, false), ==, 1);
	service(fabric, 0x1000, 1);
	g_assert_cmphex(ask(fabric, (struct asked){ 1, SA_DELETE, SA_SERVICE_RECORD, NAMED,
						    false }), ==, SA_NO_RECORDS);
	/* Without its ID, of no port, of a partition that the port is not in. */
	service(fabric, 0x1000, 1);
	g_assert_cmphex(ask(fabric, (struct asked){ 1, SA_SET, SA_SERVICE_RECORD, C(1), false }),
			==, SA_REQ_INVALID);
	put_be64(record(), 0x1000);
	g_assert_cmphex(ask(fabric, set), ==, SA_REQ_INVALID);
	service(fabric, 0x1000, 1);
	put_be16(record() + SERVICE_P_KEY, 0x8001);
	g_assert_cmphex(ask(fabric, set), ==, SA_REQ_INVALID);
	umadrig_fabric_close(fabric);
}

static void test_lease(void)
{
	struct umadrig_fabric *fabric = make();

	service(fabric, 1, 1);
	put_be32(record() + SERVICE_LEASE, 10);
	g_assert_cmphex(ask(fabric, (struct asked){ 1, SA_SET, SA_SERVICE_RECORD, NAMED | C(4),
						    false }), ==, SA_OK);
	service(fabric, 2, 1);
	g_assert_cmphex(ask(fabric, (struct asked){ 1, SA_SET, SA_SERVICE_RECORD, NAMED, false }),
			==, SA_OK);
	umadrig_step(fabric, 4 * NS_PER_S);
	g_assert_cmpuint(services(fabric, false), ==, 2);
	g_assert_cmpuint(get_be32(last->data + SA_DATA + SERVICE_LEASE), ==, 6);
	umadrig_step(fabric, 10 * NS_PER_S - 1);
	g_assert_cmpuint(services(fabric, false), ==, 2);
	g_assert_cmpuint(get_be32(last->data + SA_DATA + SERVICE_LEASE), ==, 1);
	umadrig_step(fabric, 10 * NS_PER_S);
	g_assert_cmpuint(services(fabric, false), ==, 1);
	g_assert_cmpuint(last->data[SA_DATA + 7], ==, 2);
	umadrig_fabric_close(fabric);
}

/* A client that registers without end does not use up the memory of all. */
static void test_service_limit(void)
{
	struct umadrig_fabric *fabric = make();
	const struct asked set = { 1, SA_SET, SA_SERVICE_RECORD, NAMED, false };

	for (unsigned int i = 0; i < 65536; i++) {
		service(fabric, i, 1);
		g_assert_cmphex(ask(fabric, set), ==, SA_OK);
	}
	service(fabric, 65536, 1);
	g_assert_cmphex(ask(fabric, set), ==, SA_NO_RESOURCES);
	service(fabric, 0, 1);
	g_assert_cmphex(ask(fabric, set), ==, SA_OK);
	service(fabric, 0, 1);
	g_assert_cmphex(ask(fabric, (struct asked){ 1, SA_DELETE, SA_SERVICE_RECORD, NAMED,
						    false }), ==, SA_OK);
	service(fabric, 65536, 1);
	g_assert_cmphex(ask(fabric, set), ==, SA_OK);
	umadrig_fabric_close(fabric);
}

int main(int argc, char **argv)
{
	int ret;

	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/sa-store/services", test_services);
	g_test_add_func("/sa-store/lease", test_lease);
	g_test_add_func("/sa-store/service-limit", test_service_limit);
	g_test_add_func("/sa-store/groups", test_groups);
	g_test_add_func("/sa-store/joins-refused", test_joins_refused);
	g_test_add_func("/sa-store/group-limit", test_group_limit);
	g_test_add_func("/sa-store/group-path", test_group_path);
	g_test_add_func("/sa-store/reports", test_reports);
	g_test_add_func("/sa-store/reports-answered", test_reports_answered);
	g_test_add_func("/sa-store/reports-of-traps", test_reports_of_traps);
	g_test_add_func("/sa-store/traps-to-program", test_traps_to_program);
	g_test_add_func("/sa-store/reports-back", test_reports_back);
	g_test_add_func("/sa-store/subscriptions", test_subscriptions);
	g_test_add_func("/sa-store/aliases", test_aliases);
	g_test_add_func("/sa-store/alias-in-group", test_alias_in_group);
	ret = leak_end(g_test_run());
	g_clear_pointer(&last, g_byte_array_unref);
	return ret;
}
