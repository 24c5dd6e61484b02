/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A kernel on port 0 of a switch, as on managed switches: directed routes begin and end there, and
 * pass the switches in between, in both directions.
 */
#include <string.h>

#include "tests/rig/kmod-rig.h"
#include "tests/rig/leak.h"
#include "tests/rig/trees.h"
#include "sim/api/umadrig.h"

enum { ATTR_SM_INFO = 0x0020 };

struct at {
	const char *node;
	unsigned int port;
};

static const struct {
	const char *why;
	struct at asks, sm;
	uint8_t hops;
	uint8_t path[4];	/* from entry 1 */
} rows[] = {
	{ "to itself", { "ring1", 0 }, { "ring1", 0 }, 0, { 0 } },
	{ "an adapter asks its switch", { "a1", 1 }, { "ring1", 0 }, 1, { 1 } },
	{ "an adapter asks the next switch", { "a1", 1 }, { "ring2", 0 }, 2, { 1, 1 } },
	{ "an adapter asks the one behind", { "a1", 1 }, { "ring3", 0 }, 3, { 1, 1, 1 } },
	{ "a switch asks its adapter", { "ring1", 0 }, { "a1", 1 }, 1, { 3 } },
	{ "a switch asks an adapter behind another", { "ring2", 0 }, { "a1", 1 }, 2, { 2, 3 } },
	{ "a switch asks the next", { "ring1", 0 }, { "ring2", 0 }, 1, { 1 } },
	{ "and the one behind", { "ring1", 0 }, { "ring3", 0 }, 2, { 1, 1 } },
	{ "right round the ring", { "ring1", 0 }, { "ring1", 0 }, 4, { 1, 1, 1, 1 } },
};

static struct umadrig_file *open_agent(struct umadrig_fabric *fabric, const struct at *at,
				       uint32_t methods)
{
	struct umadrig_port *port = umadrig_port(fabric, at->node, at->port);
	struct umadrig_file *file;
	struct ib_user_mad_reg_req req = {
		.method_mask = { methods }, .mgmt_class = MAD_CLASS_SUBN_DR,
		.mgmt_class_version = 1,
	};

	g_assert_cmpint(umadrig_file_open(port, &file), ==, 0);
	g_assert_cmpint(umadrig_file_ioctl(file, UMAD_COMMAND_ENABLE_PKEY, NULL), ==, 0);
	g_assert_cmpint(umadrig_file_ioctl(file, UMAD_COMMAND_REGISTER_AGENT, &req), ==, 0);
	if (methods)
		g_assert_cmpint(umadrig_issm_open(port), ==, 0);
	return file;
}

static void write_smp(struct umadrig_file *file, uint32_t timeout_ms, const uint8_t *smp)
{
	uint8_t buf[RIG_HEADER_SIZE + MAD_SIZE] = { 0 };

	memcpy(buf + 8, &timeout_ms, 4);
	put_be16(buf + 28, LID_PERMISSIVE);
	memcpy(buf + RIG_HEADER_SIZE, smp, MAD_SIZE);
	g_assert_cmpint(umadrig_file_write(file, buf, sizeof(buf)), ==, sizeof(buf));
}

static void read_smp(struct umadrig_file *file, uint8_t *smp)
{
	uint8_t buf[RIG_HEADER_SIZE + MAD_SIZE];

	g_assert_cmpint(umadrig_file_read(file, buf, sizeof(buf)), ==, sizeof(buf));
	memcpy(smp, buf + RIG_HEADER_SIZE, MAD_SIZE);
}

static void test_routes(void)
{
	g_autofree char *path = source_path("tests/data/ring.net");
	g_autofree char *spec = g_strconcat(path, ",clock=virtual", NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char message[512] = "";
		struct umadrig_fabric *fabric = umadrig_fabric_open(spec, message, sizeof(message));
		struct umadrig_file *asks, *sm;
		uint8_t smp[MAD_SIZE];

		g_test_message("%s", rows[i].why);
		g_assert_cmpstr(message, ==, "");
		asks = open_agent(fabric, &rows[i].asks, 0);
		sm = open_agent(fabric, &rows[i].sm, RIG_GET);
		rig_mad_bytes(&(struct rig_mad){ .mgmt_class = MAD_CLASS_SUBN_DR, .tid = 1,
						 .attr_id = ATTR_SM_INFO }, smp);
		put_be16(smp + SMP_DR_SLID, LID_PERMISSIVE);
		put_be16(smp + SMP_DR_DLID, LID_PERMISSIVE);
		smp[SMP_HOP_CNT] = rows[i].hops;
		memcpy(smp + SMP_INITIAL_PATH + 1, rows[i].path, sizeof(rows[i].path));
		write_smp(asks, 100, smp);
		umadrig_step(fabric, 1000);

		read_smp(sm, smp);
		g_assert_cmpuint(smp[SMP_HOP_PTR], ==, rows[i].hops + 1);
		smp[MAD_METHOD] = MAD_METHOD_GET_RESP;
		put_be16(smp + MAD_STATUS, SMP_DIRECTION);
		smp[SMP_DATA] = 0x5a;
		write_smp(sm, 0, smp);
		umadrig_step(fabric, 2000);

		read_smp(asks, smp);
		g_assert_cmpuint(smp[SMP_HOP_PTR], ==, 0);
		g_assert_cmphex(smp[SMP_DATA], ==, 0x5a);
		umadrig_step(fabric, INT64_C(1000000000));
		g_assert_cmpuint(umadrig_file_poll(asks) & 1, ==, 0);
		umadrig_file_close(asks);
		umadrig_file_close(sm);
		umadrig_issm_close(umadrig_port(fabric, rows[i].sm.node, rows[i].sm.port));
		umadrig_fabric_close(fabric);
	}
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/kmod/switch/routes", test_routes);
	return leak_end(g_test_run());
}
