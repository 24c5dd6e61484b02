/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric: how packets cross it, and that two runs are the same.
 */
#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

#include "sim/capture/capture.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/route.h"
#include "sim/host/device.h"
#include "tests/rig/fabric-rig.h"
#include "tests/rig/leak.h"

/*
 * Given a request from H1, when it is sent, then the node whose NodeDescription comes back; or,
 * without a name, the status with which a node rejects the request: every request is answered.
 */
static const struct answered {
	const char *name;
	struct rig_get get;
	const char *description;
	uint16_t status;
} answered[] = {
	{ "no hop", { .mgmt_class = 0x81 }, "H1", 0x8000 },
	{ "one hop, a switch", { .mgmt_class = 0x81, .path = { 1, 1 } }, "S1", 0x8000 },
	{ "two hops, a CA", { .mgmt_class = 0x81, .path = { 2, 1, 2 } }, "H2", 0x8000 },
	{ "two hops, a switch", { .mgmt_class = 0x81, .path = { 2, 1, 4 } }, "S2", 0x8000 },
	{ "three hops, a CA", { .mgmt_class = 0x81, .path = { 3, 1, 3, 1 } }, "H3", 0x8000 },
	{ "three hops, a switch", { .mgmt_class = 0x81, .path = { 3, 1, 3, 2 } }, "S3", 0x8000 },
	{ "four hops", { .mgmt_class = 0x81, .path = { 4, 1, 3, 2, 2 } }, "H4", 0x8000 },
	{ "there and back again", { .mgmt_class = 0x81, .path = { 3, 1, 3, 4 } }, "S1", 0x8000 },
	{ "back to oneself", { .mgmt_class = 0x81, .path = { 2, 1, 1 } }, "H1", 0x8000 },
	{ "own LID", { .mgmt_class = 0x01, .dlid = 1 }, "H1", 0 },
	{ "LID of a neighbour", { .mgmt_class = 0x01, .dlid = 2 }, "H2", 0 },
	{ "LID three switches away", { .mgmt_class = 0x01, .dlid = 4 }, "H4", 0 },
	{ "LID of a switch", { .mgmt_class = 0x01, .dlid = 5 }, "S1", 0 },
	{ "LID of a far switch", { .mgmt_class = 0x01, .dlid = 7 }, "S3", 0 },
	{ "whoever is at the cable's other end", { .mgmt_class = 0x01, .dlid = 0xffff }, "S1", 0 },
	/* DrSLID is H1's LID: by LID to S2, by path to S3 and H4 and the same way back. */
	{ "by LID, then by path, a switch",
	  { .mgmt_class = 0x81, .dlid = 6, .dr_slid = 1, .path = { 1, 2 } }, "S3", 0x8000 },
	{ "by LID, then by path, a CA",
	  { .mgmt_class = 0x81, .dlid = 6, .dr_slid = 1, .path = { 2, 2, 2 } }, "H4", 0x8000 },
	{ "by LID, then a path of no hop",
	  { .mgmt_class = 0x81, .dlid = 6, .dr_slid = 1 }, "S2", 0x8000 },
	{ "by path to S1, then by LID", { .mgmt_class = 0x81, .dr_dlid = 4, .path = { 1, 1 } },
	  "H4", 0x8000 },
	{ "by path to S1, then by LID to a switch",
	  { .mgmt_class = 0x81, .dr_dlid = 7, .path = { 1, 1 } }, "S3", 0x8000 },
	{ "by LID, by path, by LID",
	  { .mgmt_class = 0x81, .dlid = 5, .dr_slid = 1, .dr_dlid = 4, .path = { 1, 3 } },
	  "H4", 0x8000 },
	{ "an attribute that a switch does not know",
	  { .mgmt_class = 0x81, .path = { 1, 1 }, .attr = 0x0099 }, NULL, 0x800c },
	{ "SMInfo of a switch without an SM",
	  { .mgmt_class = 0x81, .path = { 1, 1 }, .attr = 0x0020 }, NULL, 0x800c },
	{ "SMInfo of a far switch by LID",
	  { .mgmt_class = 0x01, .dlid = 7, .attr = 0x0020 }, NULL, 0x000c },
	{ "counters of a switch, which nobody counts",
	  { .mgmt_class = 0x32, .dlid = 5, .attr = 0x0012 }, NULL, 0x000c },
};

static void test_answered(const void *data)
{
	const struct answered *row = data;
	struct run run = run_begin(",clock=virtual,latency=1ms", row->get.mgmt_class);
	struct rig_get get = row->get;
	uint8_t umad[RIG_UMAD];
	const uint8_t *mad = umad + RIG_HEADER;

	get.attr = row->description ? NODE_DESCRIPTION : get.attr;
	get.timeout_ms = 100;
	rig_send(&run.rig, run.fd, run.agent, &get);
	rig_recv(&run.rig, run.fd, umad, 1000);
	g_assert_cmpstr(run.deaths->str, ==, "");
	g_assert_cmpuint(rig_get_u32(umad, RIG_STATUS), ==, 0);
	g_assert_cmphex(get_be16(mad + MAD_STATUS), ==, row->status);
	g_assert_cmpuint(mad[MAD_METHOD], ==, MAD_METHOD_GET_RESP);
	if (row->description)
		g_assert_cmpstr((const char *)mad + SMP_DATA, ==, row->description);
	g_assert_cmpint(umadrig_now(run.rig.fabric), ==,
			get.path[0] || get.dlid ? 2000000 : 0);
	run_end(&run);
}

/* NodeInfo's LocalPort is the port of the node that the request came in by. */
static void test_local_port(void)
{
	static const struct {
		struct rig_get get;
		uint8_t local_port;
	} rows[] = {
		{ { .mgmt_class = 0x81, .path = { 1, 1 } }, 1 },
		{ { .mgmt_class = 0x81, .path = { 2, 1, 4 } }, 4 },
		{ { .mgmt_class = 0x81, .path = { 3, 1, 3, 2 } }, 1 },
	};
	struct run run = run_begin(",clock=virtual", 0x81);
	uint8_t umad[RIG_UMAD];

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig_get get = rows[i].get;

		get.attr = NODE_INFO;
		get.timeout_ms = 100;
		get.tid = (uint32_t)i;
		rig_send(&run.rig, run.fd, run.agent, &get);
		g_assert_cmpint(rig_recv(&run.rig, run.fd, umad, 1000), ==, RIG_UMAD);
		g_assert_cmpuint(umad[RIG_HEADER + SMP_DATA + 36], ==, rows[i].local_port);
	}
	run_end(&run);
}

/* Given the three switches, when a table is read, then its entries for LIDs 1 to 7. */
static void test_tables(void)
{
	static const struct {
		const char *name;
		uint8_t egress[8];
	} rows[] = {
		{ "S1", { 255, 1, 2, 4, 3, 0, 3, 4 } },	/* two cables to S2: LIDs take turns */
		{ "S2", { 255, 4, 3, 1, 2, 4, 0, 2 } },
		{ "S3", { 255, 1, 1, 1, 2, 1, 1, 0 } },
	};
	struct rig rig = rig_open_text(three_switches, ",clock=virtual");

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct node *sw = fabric_node(rig.fabric, rows[i].name);
		const uint8_t *lft;

		g_assert_cmpuint(sw->sw->lft_size, ==, 0);
		lft = switch_lft(sw, 1);
		g_assert_cmpuint(sw->sw->lft_size, ==, 64);
		g_assert_cmpuint(sw->sw->lft_top, ==, 7);
		g_assert_cmpmem(lft, 8, rows[i].egress, 8);
		for (unsigned int lid = 8; lid < 64; lid++)
			g_assert_cmpuint(lft[lid], ==, 255);
	}
	/* Nor does it grow for a LID that no port has. */
	g_assert_cmpuint(switch_egress(fabric_node(rig.fabric, "S1"), 0xbfff), ==, 255);
	g_assert_cmpuint(switch_egress(fabric_node(rig.fabric, "S1"), 7), ==, 4);
	g_assert_cmpuint(fabric_node(rig.fabric, "S1")->sw->lft_size, ==, 64);
	/* A LID that moves is routed to its new place. */
	g_assert_cmpint(umadrig_port_set_lid(umadrig_port(rig.fabric, "H4", 1), 70, 1), ==, 0);
	g_assert_cmpuint(switch_lft(fabric_node(rig.fabric, "S1"), 72)[4], ==, 255);
	g_assert_cmpuint(switch_lft(fabric_node(rig.fabric, "S1"), 72)[70], ==, 3);
	g_assert_cmpuint(switch_lft(fabric_node(rig.fabric, "S1"), 72)[71], ==, 4);
	g_assert_cmpint(umadrig_port_set_lid(umadrig_port(rig.fabric, "H4", 1), 71, 1), ==,
			-EINVAL);
	rig_close(&rig);
}

/* A script of requests, some of them lost: what passed H1[1]. */
static char *record_run(void)
{
	struct run run = run_begin(",clock=virtual,latency=3us,seed=7", 0x81);
	uint32_t gsi = rig_register(&run.rig, run.fd, 0x32, 0);
	GString *record = g_string_new(NULL);
	uint8_t umad[RIG_UMAD];

	umadrig_tap(umadrig_port(run.rig.fabric, "H1", 1), write_down, record);
	for (uint32_t i = 0; i < 20; i++) {
		struct rig_get get = {
			.mgmt_class = i % 3 ? 0x81 : 0x32, .attr = NODE_INFO, .tid = i,
			.dlid = i % 3 ? 0 : (uint16_t)(2 + i % 7),
			.path = { 3, 1, 3, (uint8_t)(i % 5) },
			.timeout_ms = 5 + i % 2, .retries = i % 4,
		};

		if (get.dlid)
			get.path[0] = 0;
		rig_send(&run.rig, run.fd, i % 3 ? run.agent : gsi, &get);
	}
	while (rig_recv(&run.rig, run.fd, umad, 1000) > 0)
		;
	umadrig_tap(umadrig_port(run.rig.fabric, "H1", 1), NULL, NULL);
	run_end(&run);
	return g_string_free(record, false);
}

static void test_same_twice(void)
{
	g_autofree char *first = record_run();
	g_autofree char *second = record_run();

	g_assert_cmpuint(strlen(first), >, 10000);
	g_assert_cmpstr(first, ==, second);
	/* And retries happened, at their times. */
	g_assert_nonnull(strstr(first, "\n6000000 > "));
}

enum { PREFIX = 0xfec0, PREFIX_DEFAULT = 0xfe80, ALIAS = 0x1122 };

/*
 * Given H1 with the subnet's prefix and an alias, when its PMA is asked by a GID, then whether it
 * answers, and if not, what drops the packet: the HCA, if it is not for the port; Linux, if the GID
 * table has no entry for it.
 */
static const struct asked_by_gid {
	const char *name;
	uint16_t prefix;	/* the upper 16 bits; the others are 0 */
	uint64_t guid;		/* 0: the port's own */
	const char *death;	/* NULL: it is answered */
} asked_by_gid[] = {
	{ "its own", PREFIX, 0, NULL },
	{ "an alias", PREFIX, ALIAS, NULL },
	{ "the SA's well-known GUID", PREFIX, UINT64_C(0x0200000000000002), NULL },
	{ "the default prefix", PREFIX_DEFAULT, 0,
	  "H1[1]|the node's answer has no way back: GRH not to this port;" },
	{ "an alias, the default prefix", PREFIX_DEFAULT, ALIAS,
	  "H1[1]|the node's answer has no way back: GRH not to this port;" },
	{ "a group", 0xff12, 1, "H1[1]|the node's answer has no way back: GRH not to this port;" },
	{ "another subnet's prefix", 0xfec1, 0, "H1[1]|H1[1]: its GRH is for another GID (DGID);" },
	{ "another port's GUID", PREFIX, 0x4711,
	  "H1[1]|H1[1]: its GRH is for another GID (DGID);" },
};

static void test_asked_by_gid(const void *data)
{
	const struct asked_by_gid *row = data;
	struct run run = run_begin(",clock=virtual", 0x32);
	struct umadrig_port *h2 = umadrig_port(run.rig.fabric, "H2", 1);
	struct end_port *end = fabric_node(run.rig.fabric, "H1")->ports[1].end;
	struct packet_addr addr = {
		.slid = 2, .dlid = 1, .pkey = 0xffff, .src_qp = 1, .dest_qp = 1, .qkey = QKEY_GSI,
		.has_grh = true, .hop_limit = 64,
	};
	uint8_t get[MAD_SIZE] = { 1, MAD_CLASS_PERF, 1, MAD_METHOD_GET };
	GString *at_h2 = g_string_new(NULL);
	struct packet packet;

	put_be16(end->gids[0], PREFIX);
	put_be16(end->gids[1], PREFIX);
	put_be64(end->gids[1] + 8, ALIAS);
	put_be16(addr.dgid, row->prefix);
	put_be64(addr.dgid + 8, row->guid ? row->guid : end->guid);
	umadrig_port_gid(h2, 0, addr.sgid);
	put_be16(get + MAD_ATTR_ID, CLASS_PORT_INFO);
	packet_build(&packet, &addr);
	memcpy(packet_mad(&packet), get, MAD_SIZE);
	umadrig_tap(h2, write_down, at_h2);
	g_assert_cmpint(umadrig_inject(h2, packet.bytes, packet_size(&packet)), ==, 0);
	umadrig_step(run.rig.fabric, 1000000);
	/* H2 does not need the response. */
	g_assert_cmpint(strstr(at_h2->str, " < ") != NULL, ==, !row->death);
	if (row->death)
		g_assert_true(g_str_has_suffix(run.deaths->str, row->death));
	umadrig_tap(h2, NULL, NULL);
	g_string_free(at_h2, true);
	run_end(&run);
}

/*
 * A capture has each packet once, where it left, and a dropped one once more, where it was dropped;
 * the script's line and the cause are in the comments; only ports that sent or dropped something
 * are in it.
 */
static void test_capture(void)
{
	static const struct {
		const char *interface;
		const char *comment;
		int64_t time_ns;	/* since the first */
	} want[] = {
		{ "H1[1]", "x.mad:1", 0 },
		{ "H2[1]", "x.mad:2", 1000000 },	/* recorded when it left, which was later */
		{ "H1[1]", "x.mad:2", 2000000 },
		{ "S1[1]", "x.mad:2; dropped: S1 has no route to LID 99", 2000000 },
	};
	struct rig_get get = { .mgmt_class = CLASS_VENDOR, .dlid = 2, .timeout_ms = 100 };
	struct run run = run_begin(",clock=virtual,latency=1ms", CLASS_VENDOR);
	g_autofree char *path = NULL;
	struct capture *capture;
	uint8_t umad[RIG_UMAD];
	char message[512] = "";

	g_assert_true(g_close(g_file_open_tmp("fabric-XXXXXX.pcapng", &path, NULL), NULL));
	g_assert_cmpint(umadrig_capture_start(run.rig.fabric, path, "a test", message,
					      sizeof(message)), ==,
			0);
	g_assert_cmpint(umadrig_capture_start(run.rig.fabric, path, NULL, message, sizeof(message)),
			==,
			-EBUSY);
	umadrig_capture_comment(run.rig.fabric, "x.mad:1");
	rig_send(&run.rig, run.fd, run.agent, &get);
	umadrig_capture_comment(run.rig.fabric, "x.mad:2");
	g_assert_cmpint(rig_recv(&run.rig, run.fd, umad, 1000), ==, RIG_UMAD);
	get.dlid = 99;
	get.timeout_ms = 0;
	rig_send(&run.rig, run.fd, run.agent, &get);
	g_assert_cmpint(umadrig_capture_stop(run.rig.fabric), ==, 0);
	g_assert_cmpint(umadrig_capture_stop(run.rig.fabric), ==, 0);

	capture = capture_read(path, message, sizeof(message));
	g_assert_nonnull(capture);
	g_assert_cmpuint(capture->mad_count, ==, G_N_ELEMENTS(want));
	for (size_t i = 0; i < G_N_ELEMENTS(want); i++) {
		g_assert_cmpstr(capture->mads[i].interface_name, ==, want[i].interface);
		g_assert_cmpstr(capture->mads[i].comment, ==, want[i].comment);
		g_assert_cmpint(capture->mads[i].time_ns, ==, want[i].time_ns);
		g_assert_true(capture->mads[i].icrc_ok);
	}
	capture_free(capture);
	g_unlink(path);
	run_end(&run);
}

static void test_refused(void)
{
	static const struct {
		const char *spec, *says;
	} rows[] = {
		{ "/nonexistent/x.net", "/nonexistent/x.net" },
		{ ",host=H9", "there is no host 'H9' (the first one is 'H1'): did you mean 'H1'?" },
		{ ",host=nobody", "there is no host 'nobody' (the first one is 'H1')" },
		{ ",colour=blue", "unknown option 'colour=blue'" },
		{ ",audit", "audit is of virtual time: it needs clock=virtual" },
		{ ",clock=virtual,audit", "audit is of programs that 'umadrig exec' starts" },
		{ ",capture=/nonexistent/x.pcapng", "/nonexistent/x.pcapng" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char message[512] = "";

		g_assert_null(umadrig_fabric_open(rows[i].spec, message, sizeof(message)));
		if (!strstr(message, rows[i].says))
			g_error("%s: '%s' does not say '%s'", rows[i].spec, message, rows[i].says);
	}
}

/* A file may be anybody's: what its names would do to a terminal, lines for people do not do. */
static void test_names_of_files(void)
{
	g_autofree char *path = NULL, *spec = NULL;
	int fd = g_file_open_tmp("umadrig-names-XXXXXX.net", &path, NULL);
	char message[512] = "", banner[512];
	struct umadrig_fabric *fabric;

	g_assert_cmpint(fd, >=, 0);
	close(fd);
	g_assert_true(g_file_set_contents(path, "Hca 1 \"a\033[1m\"\n[1] \"b\"[1]\n\n"
					  "Hca 1 \"b\"\n[1] \"a\033[1m\"[1]\n", -1, NULL));
	fabric = umadrig_fabric_open(path, message, sizeof(message));
	g_assert_nonnull(fabric);
	device_banner(fabric->default_host, banner, sizeof(banner));
	g_assert_true(g_str_has_suffix(banner, " (2 nodes, real clock), host a?[1m"));
	umadrig_fabric_close(fabric);
	spec = g_strconcat(path, ",host=\033c", NULL);
	g_assert_null(umadrig_fabric_open(spec, message, sizeof(message)));
	g_assert_true(g_str_has_suffix(message, "no host '?c' (the first one is 'a?[1m')"));
	g_unlink(path);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/fabric/names of files", test_names_of_files);
	for (size_t i = 0; i < G_N_ELEMENTS(answered); i++) {
		g_autofree char *path = g_strdup_printf("/fabric/answered/%s", answered[i].name);

		g_test_add_data_func(path, &answered[i], test_answered);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(asked_by_gid); i++) {
		g_autofree char *path = g_strconcat("/fabric/asked by GID/", asked_by_gid[i].name,
						    NULL);

		g_test_add_data_func(path, &asked_by_gid[i], test_asked_by_gid);
	}
	g_test_add_func("/fabric/local port", test_local_port);
	g_test_add_func("/fabric/tables", test_tables);
	g_test_add_func("/fabric/the same twice", test_same_twice);
	g_test_add_func("/fabric/capture", test_capture);
	g_test_add_func("/fabric/refused", test_refused);
	return leak_end(g_test_run());
}
