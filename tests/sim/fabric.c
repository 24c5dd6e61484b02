/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric: how packets cross it, where and why they are dropped, and that two runs are the same.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sim/capture/capture.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/route.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"

/*
 *	H1[1]-[1]S1[3]=[3]S2[1]-[1]H3
 *	H2[1]-[2]S1[4]=[4]S2[2]-[1]S3[2]-[1]H4		LIDs: H1 1 ... H4 4, S1 5, S2 6, S3 7
 */
static const char three_switches[] =
	"Hca 1 \"H1\"\n[1] \"S1\"[1]\n\nHca 1 \"H2\"\n[1] \"S1\"[2]\n\n"
	"Hca 1 \"H3\"\n[1] \"S2\"[1]\n\nHca 2 \"H4\"\n[1] \"S3\"[2]\n\n"
	"Switch 8 \"S1\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n[3] \"S2\"[3]\n[4] \"S2\"[4]\n\n"
	"Switch 8 \"S2\"\n[1] \"H3\"[1]\n[2] \"S3\"[1]\n[3] \"S1\"[3]\n[4] \"S1\"[4]\n\n"
	"Switch 4 \"S3\"\n[1] \"S2\"[2]\n[2] \"H4\"[1]\n";

enum { NODE_DESCRIPTION = 0x0010, NODE_INFO = 0x0011, CLASS_PORT_INFO = 0x0001 };
enum { CLASS_VENDOR = 0x32 };

/* The causes of dropped packets that the fabric traced, one after the other. */
static void note_death(void *ctx, int64_t at_ns, const char *who, const char *text)
{
	GString *deaths = ctx;

	(void)at_ns;
	if (g_str_has_prefix(text, "drop "))
		g_string_append_printf(deaths, "%s|%s;", who, text + strspn(text + 4, " ") + 4);
}

struct run {
	struct rig rig;
	int fd;
	uint32_t agent;
	GString *deaths;
};

static struct run run_begin(const char *options, uint8_t mgmt_class)
{
	struct run run = { .rig = rig_open_text(three_switches, options) };

	run.deaths = g_string_new(NULL);
	umadrig_trace(run.rig.fabric, note_death, run.deaths);
	run.fd = rig_open_port(&run.rig, "H1", "sim0", 1);
	run.agent = rig_register(&run.rig, run.fd, mgmt_class, 0);
	return run;
}

static void run_end(struct run *run)
{
	run->rig.backend->close(run->fd);
	rig_close(&run->rig);
	g_string_free(run->deaths, true);
}

/* ---- answers ---- */

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

/* ---- dropped packets ---- */

/* No cable event: nobody hears a trap of it. */
static void lose_s1_link(struct umadrig_fabric *fabric)
{
	struct port *port = &fabric_node(fabric, "S2")->ports[1];

	port->phys_state = port->peer->phys_state = PORT_PHYS_DISABLED;
	port->state = port->peer->state = PORT_DOWN;
}

static void arm_s1(struct umadrig_fabric *fabric)
{
	fabric_node(fabric, "S1")->ports[4].state = PORT_ARMED;
}

static void init_h3(struct umadrig_fabric *fabric)
{
	fabric_node(fabric, "H3")->ports[1].state = PORT_INIT;
}

static void pull_h3(struct umadrig_fabric *fabric)
{
	/* There is no SM to which the switch could send a trap. */
	fabric_node(fabric, "S2")->ports[0].end->sm_lid = 0;
	umadrig_port_remove(umadrig_port(fabric, "H3", 1));
}

static void rename_h3(struct umadrig_fabric *fabric)
{
	/* As if an SM had changed the LID and not yet written the tables. */
	switch_lft(fabric_node(fabric, "S1"), 0);
	switch_lft(fabric_node(fabric, "S2"), 0);
	end_port_set_lid(fabric_node(fabric, "H3")->ports[1].end, 9, 0);
}

static void limit_h3(struct umadrig_fabric *fabric)
{
	struct end_port *h3 = fabric_node(fabric, "H3")->ports[1].end;

	h3->pkeys[0] = 0x1234;
	h3->sm_lid = 0;		/* no SM to notify */
}

static void loop_lid_9(struct umadrig_fabric *fabric)
{
	switch_lft(fabric_node(fabric, "S1"), 10)[9] = 3;
	switch_lft(fabric_node(fabric, "S2"), 10)[9] = 4;
	fabric_node(fabric, "S1")->sw->lft_top = 9;
	fabric_node(fabric, "S2")->sw->lft_top = 9;
}

/* Entries beyond LinearFDBTop do not count. */
static void lower_top(struct umadrig_fabric *fabric)
{
	switch_lft(fabric_node(fabric, "S1"), 0);
	fabric_node(fabric, "S1")->sw->lft_top = 2;
}

/* Given a request from H1, when it is sent, then where and why it is dropped. */
static const struct dead {
	const char *name;
	const char *options;
	void (*before)(struct umadrig_fabric *fabric);
	struct rig_get get;
	const char *death;
} dead[] = {
	{ "DLID 0", "", NULL, { .mgmt_class = 0x32 }, "H1[1]|H1[1]: DLID 0 goes nowhere;" },
	{ "nobody's LID", "", NULL, { .mgmt_class = 0x32, .dlid = 99 },
	  "S1[1]|S1 has no route to LID 99;" },
	{ "a LID beyond LinearFDBTop", "", lower_top, { .mgmt_class = 0x32, .dlid = 3 },
	  "S1[1]|S1 has no route to LID 3;" },
	{ "nobody's SMP", "", NULL, { .mgmt_class = 0x01, .dlid = 99 },
	  "S1[1]|S1 has no route to LID 99;" },
	{ "multicast", "", NULL, { .mgmt_class = 0x32, .dlid = 0xc001 },
	  "S1[1]|S1 has no port for multicast LID 0xc001;" },
	{ "a GMP to the permissive LID", "", NULL, { .mgmt_class = 0x32, .dlid = 0xffff },
	  "S1[1]|the permissive LID leads no further than S1;" },
	{ "a path to a port without a cable", "", NULL,
	  { .mgmt_class = 0x81, .path = { 2, 1, 5 } }, "S1[5]|S1[5]: no cable;" },
	{ "a path to a port that does not exist", "", NULL,
	  { .mgmt_class = 0x81, .path = { 2, 1, 9 } },
	  "S1[1]|the directed route names port 9 of S1, which has 8;" },
	{ "a path to port 0", "", NULL, { .mgmt_class = 0x81, .path = { 2, 1, 0 } },
	  "S1[1]|the directed route names port 0 of S1, which has 8;" },
	{ "a link that is down", "", lose_s1_link, { .mgmt_class = 0x32, .dlid = 3 },
	  "S2[1]|S2[1]: the link is down;" },
	{ "a sender that is Armed", "", arm_s1, { .mgmt_class = 0x32, .dlid = 3 },
	  "S1[4]|S1[4]: the port is Armed, only SMPs leave it;" },
	{ "a receiver in Init", "", init_h3, { .mgmt_class = 0x32, .dlid = 3 },
	  "H3[1]|H3[1]: the port is Init, only SMPs enter it;" },
	{ "a node that was pulled out", "", pull_h3, { .mgmt_class = 0x01, .dlid = 3 },
	  "S2[1]|S2[1]: the link is down;" },
	{ "a LID that is another's by now", "", rename_h3, { .mgmt_class = 0x32, .dlid = 3 },
	  "H3[1]|H3[1]: LID 3 is not its own;" },
	{ "a P_Key that the peer has not", "", limit_h3, { .mgmt_class = 0x32, .dlid = 3 },
	  "H3[1]|H3[1]: its P_Key is not in the port's table;" },
	{ "tables that lead in circles", "", loop_lid_9, { .mgmt_class = 0x32, .dlid = 9 },
	  "S1[4]|64 hops: it goes in circles;" },
	{ "a cold fabric's GMP", ",state=cold", NULL, { .mgmt_class = 0x32, .dlid = 3 },
	  "H1[1]|H1[1]: the port is Init, only SMPs leave it;" },
	{ "a cold fabric's tables", ",state=cold", NULL, { .mgmt_class = 0x01, .dlid = 3 },
	  "S1[1]|S1 has no route to LID 3;" },
};

static void test_dead(const void *data)
{
	const struct dead *row = data;
	g_autofree char *options = g_strdup_printf(",clock=virtual%s", row->options);
	struct run run = run_begin(options, row->get.mgmt_class);
	struct rig_get get = row->get;
	uint8_t umad[RIG_UMAD];

	if (row->before)
		row->before(run.rig.fabric);
	get.attr = CLASS_PORT_INFO;
	get.timeout_ms = 10;
	rig_send(&run.rig, run.fd, run.agent, &get);
	g_assert_cmpint(rig_recv(&run.rig, run.fd, umad, 1000), ==, RIG_HEADER + MAD_HDR_SIZE);
	g_assert_cmpuint(rig_get_u32(umad, RIG_STATUS), ==, ETIMEDOUT);
	g_assert_cmpstr(run.deaths->str, ==, row->death);
	run_end(&run);
}

/* ---- routes ---- */

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

/* ---- hosts ---- */

/* Given CAs by description, when hosts are made, then the host and name of each device. */
static void test_hosts(void)
{
	static const char text[] =
		"Hca 1 \"a\"\t# \"node1 HCA-1\"\n[1] \"S\"[1]\n\n"
		"Hca 1 \"b\"\t# \"node1 HCA-2\"\n[1] \"S\"[2]\n\n"
		"Hca 1 \"c\"\t# \"node2 mlx5_3\"\n[1] \"S\"[3]\n\n"
		"Hca 1 \"d\"\t# \"node2 mlx5_3\"\n[1] \"S\"[4]\n\n"
		"Hca 1 \"e\"\t# \"ConnectX\"\n[1] \"S\"[5]\n\n"
		"Hca 1 \"f\"\t# \"node3 HCA-1\"\n[1] \"S\"[6]\n\n"
		"Switch 8 \"S\"\n[1] \"a\"[1]\n[2] \"b\"[1]\n[3] \"c\"[1]\n"
		"[4] \"d\"[1]\n[5] \"e\"[1]\n[6] \"f\"[1]\n";
	static const struct {
		const char *host, *node, *device;
		unsigned int devices;
	} rows[] = {
		{ "node1", "a", "sim0", 2 },
		{ "node1", "b", "sim1", 2 },
		{ "node2", "c", "mlx5_3", 2 },
		{ "node2", "d", "sim0", 2 },	/* no two devices of a host have the same name */
		{ "e", "e", "sim0", 1 },
		{ "ConnectX", "e", "sim0", 1 },	/* the node's description finds its host too */
		{ "S", "S", "sim0", 1 },	/* a program may run on a switch too */
	};
	struct rig rig = rig_open_text(text, ",clock=virtual,host=node2");

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char (*names)[UMAD_BACKEND_NAME_SIZE];
		size_t count;

		g_assert_cmpint(umadrig_host_enter(rig.fabric, rows[i].host), ==, 0);
		g_assert_cmpint(rig.backend->list_cas(&names, &count), ==, 0);
		g_assert_cmpuint(count, ==, rows[i].devices);
		free(names);
		g_assert_cmpstr(fabric_node(rig.fabric, rows[i].node)->device_name, ==,
				rows[i].device);
	}
	g_assert_cmpint(umadrig_host_enter(rig.fabric, NULL), ==, 0);
	g_assert_cmpstr(rig.fabric->default_host->name, ==, "node2");
	/* A host's name is that of its node, unless it has several. */
	g_assert_null(fabric_node(rig.fabric, "node2"));
	g_assert_true(fabric_node(rig.fabric, "node3") == fabric_node(rig.fabric, "f"));
	rig_close(&rig);
}

/* Devices are found by name even if a host has many. */
static void test_many_devices(void)
{
	enum { COUNT = 40 };
	g_autoptr(GString) text = g_string_new(NULL), ports = g_string_new(NULL);
	struct umad_backend_ca ca;
	size_t header_size;
	struct rig rig;

	for (unsigned int i = 0; i < COUNT; i++) {
		g_string_append_printf(text, "Hca 1 \"c%u\"\t# \"big mlx5_%u\"\n", i, i);
		g_string_append_printf(text, "[1] \"S\"[%u]\n\n", i + 1);
		g_string_append_printf(ports, "[%u] \"c%u\"[1]\n", i + 1, i);
	}
	g_string_append_printf(text, "Switch %u \"S\"\n%s", COUNT, ports->str);
	rig = rig_open_text(text->str, ",clock=virtual,host=big");
	for (unsigned int i = 0; i <= COUNT; i++) {
		g_autofree char *name = g_strdup_printf("mlx5_%u", i);
		g_autofree char *id = g_strdup_printf("c%u", i);
		int fd = rig.backend->open(name, 1, &header_size);

		g_assert_cmpint(rig.backend->get_ca(name, &ca), ==, i < COUNT ? 0 : -ENOENT);
		if (i == COUNT) {
			g_assert_cmpint(fd, ==, -EINVAL);
			break;
		}
		g_assert_cmphex(ca.node_guid, ==, fabric_node(rig.fabric, id)->node_guid);
		free(ca.port_nums);
		g_assert_cmpint(rig.backend->close(fd), ==, 0);
	}
	rig_close(&rig);
}

/* All devices of a host share one numbering of agents; other hosts have their own. */
static void test_hi_tid(void)
{
	static const char text[] =
		"Hca 1 \"a\"\t# \"n HCA-1\"\n[1] \"c\"[1]\n\n"
		"Hca 1 \"b\"\t# \"n HCA-2\"\n[1] \"d\"[1]\n\n"
		"Hca 1 \"c\"\n[1] \"a\"[1]\n\nHca 1 \"d\"\n[1] \"b\"[1]\n";
	static const struct {
		const char *host, *device;
		uint32_t hi_tid;
	} rows[] = {
		{ "n", "sim0", 7 }, { "n", "sim1", 8 }, { "n", "sim0", 9 }, { "c", "sim0", 7 },
	};
	struct rig rig = rig_open_text(text, ",clock=virtual,hi-tid=7");

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig_get get = { .mgmt_class = 0x32, .dlid = 99, .timeout_ms = 1, .tid = 5 };
		int fd = rig_open_port(&rig, rows[i].host, rows[i].device, 1);
		uint8_t umad[RIG_UMAD];

		rig_send(&rig, fd, rig_register(&rig, fd, 0x32, 0), &get);
		g_assert_cmpint(rig_recv(&rig, fd, umad, 10), >, 0);
		g_assert_cmphex(get_be64(umad + RIG_HEADER + MAD_TID), ==,
				(uint64_t)rows[i].hi_tid << 32 | 5);
		rig.backend->close(fd);
	}
	rig_close(&rig);
}

/* ---- removal, taps, injection ---- */

static void test_removal(void)
{
	struct run run = run_begin(",clock=virtual", 0x32);
	struct umad_backend_ca ca;
	uint8_t umad[RIG_UMAD] = { 0 };
	size_t header_size;

	g_assert_cmpint(umadrig_port_remove(umadrig_port(run.rig.fabric, "H1", 1)), ==, 0);
	g_assert_cmpint(run.rig.backend->recv(run.fd, umad, sizeof(umad)), ==, -EIO);
	g_assert_cmpint(run.rig.backend->send(run.fd, umad, sizeof(umad)), ==, -EIO);
	g_assert_cmpint(run.rig.backend->poll(run.fd, -1), ==, 0x8 /* POLLERR */);
	g_assert_cmpint(run.rig.backend->get_ca("sim0", &ca), ==, -ENOENT);
	g_assert_cmpint(run.rig.backend->open("sim0", 1, &header_size), ==, -EINVAL);
	g_assert_cmpint(umadrig_port_remove(umadrig_port(run.rig.fabric, "H1", 1)), ==, 0);
	run_end(&run);
}

static void write_down(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	GString *record = ctx;

	g_string_append_printf(record, "%" G_GINT64_FORMAT " %c %zu ", at_ns, outbound ? '>' : '<',
			       size);
	for (size_t i = 0; i < size; i++)
		g_string_append_printf(record, "%02x", bytes[i]);
	g_string_append_c(record, '\n');
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

static void test_injection(void)
{
	struct run run = run_begin(",clock=virtual,latency=1ms", 0x32);
	struct umadrig_port *h1 = umadrig_port(run.rig.fabric, "H1", 1);
	struct umadrig_port *h2 = umadrig_port(run.rig.fabric, "H2", 1);
	GString *at_h1 = g_string_new(NULL), *at_h2 = g_string_new(NULL);
	struct packet_addr addr = {
		.slid = 2, .dlid = 1, .pkey = 0xffff, .src_qp = 1, .dest_qp = 1, .qkey = QKEY_GSI,
	};
	struct packet packet;
	uint8_t *mad;

	packet_build(&packet, &addr);
	mad = packet_mad(&packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = 0x32;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = MAD_METHOD_GET;
	umadrig_tap(h1, write_down, at_h1);
	umadrig_tap(h2, write_down, at_h2);

	/*
	 * Sent by H2's HCA: arrives one latency later, is answered 0x000c by H1's kernel, and is
	 * back after another latency.
	 */
	g_assert_cmpint(umadrig_inject(h2, packet.bytes, packet_size(&packet)), ==, 0);
	g_assert_cmpint(umadrig_next(run.rig.fabric), ==, 1000000);
	umadrig_step(run.rig.fabric, 2000000);
	g_assert_true(g_str_has_prefix(at_h1->str, "1000000 < 284 "));
	g_assert_nonnull(strstr(at_h1->str, "\n1000000 > 284 "));
	g_assert_true(g_str_has_prefix(at_h2->str, "0 > 284 "));
	g_assert_nonnull(strstr(at_h2->str, "\n2000000 < 284 "));

	/* Delivered to H1 now: it left H2 one latency ago. */
	g_string_truncate(at_h1, 0);
	g_string_truncate(at_h2, 0);
	g_assert_cmpint(umadrig_deliver(h1, h2, packet.bytes, packet_size(&packet)), ==, 0);
	g_assert_true(g_str_has_prefix(at_h1->str, "2000000 < 284 "));
	g_assert_true(g_str_has_prefix(at_h2->str, "1000000 > 284 "));

	g_assert_cmpint(umadrig_inject(h2, packet.bytes, 13), ==, -EINVAL);
	g_assert_cmpint(umadrig_deliver(h1, h2, packet.bytes, 1000), ==, -EINVAL);
	umadrig_tap(h1, NULL, NULL);
	umadrig_tap(h2, NULL, NULL);
	g_string_free(at_h1, true);
	g_string_free(at_h2, true);
	run_end(&run);
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

static bool is_sm(struct rig *rig)
{
	struct umad_backend_port port;

	g_assert_cmpint(rig->backend->get_port("H1", 1, UMAD_BACKEND_PORT_STATE, &port), ==, 0);
	return port.attr.cap_mask & CAP_IS_SM;
}

/* IsSM is set while issmN is open, through the file layer or through the path that replaces it. */
static void test_issm(void)
{
	struct rig rig = rig_open(",clock=virtual");
	struct umadrig_port *h1 = umadrig_port(rig.fabric, "H1", 1);
	char path[64];
	FILE *file;

	g_assert_false(is_sm(&rig));
	g_assert_cmpint(umadrig_issm_open(h1), ==, 0);
	g_assert_cmpint(umadrig_issm_open(h1), ==, -EAGAIN);
	g_assert_true(is_sm(&rig));
	umadrig_issm_close(h1);
	g_assert_false(is_sm(&rig));

	g_assert_cmpint(rig.backend->issm_path("H1", 1, path, 5), ==, -ENAMETOOLONG);
	g_assert_cmpint(rig.backend->issm_path("H1", 2, path, sizeof(path)), ==, -EINVAL);
	g_assert_cmpint(rig.backend->issm_path("H1", 1, path, sizeof(path)), ==, 0);
	g_assert_false(is_sm(&rig));
	file = fopen(path, "r");
	g_assert_nonnull(file);
	g_assert_true(is_sm(&rig));
	fclose(file);
	g_assert_false(is_sm(&rig));
	rig_close(&rig);
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
		{ ",host=H9", "there is no host 'H9' (the first one is 'H1')" },
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

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(answered); i++) {
		g_autofree char *path = g_strdup_printf("/fabric/answered/%s", answered[i].name);

		g_test_add_data_func(path, &answered[i], test_answered);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(dead); i++) {
		g_autofree char *path = g_strdup_printf("/fabric/dead/%s", dead[i].name);

		g_test_add_data_func(path, &dead[i], test_dead);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(asked_by_gid); i++) {
		g_autofree char *path = g_strconcat("/fabric/asked by GID/", asked_by_gid[i].name,
						    NULL);

		g_test_add_data_func(path, &asked_by_gid[i], test_asked_by_gid);
	}
	g_test_add_func("/fabric/local port", test_local_port);
	g_test_add_func("/fabric/tables", test_tables);
	g_test_add_func("/fabric/hosts", test_hosts);
	g_test_add_func("/fabric/many devices", test_many_devices);
	g_test_add_func("/fabric/agent numbers", test_hi_tid);
	g_test_add_func("/fabric/removal", test_removal);
	g_test_add_func("/fabric/the same twice", test_same_twice);
	g_test_add_func("/fabric/injection", test_injection);
	g_test_add_func("/fabric/issm", test_issm);
	g_test_add_func("/fabric/capture", test_capture);
	g_test_add_func("/fabric/refused", test_refused);
	return leak_end(g_test_run());
}
