/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric: where and why packets are dropped.
 */
#include <stdio.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/route.h"
#include "tests/rig/fabric-rig.h"
#include "tests/rig/leak.h"

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

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(dead); i++) {
		g_autofree char *path = g_strdup_printf("/fabric/dead/%s", dead[i].name);

		g_test_add_data_func(path, &dead[i], test_dead);
	}
	return leak_end(g_test_run());
}
