/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Cables that are pulled and plugged in, nodes that lose power, SMs that end: what neighbours,
 * programs and an SM see of it.
 */
#include "sim/fabric/cable.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/route.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"

static const char net[] =
	"Switch 4 \"S1\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n[3] \"S2\"[1]\n\n"
	"Switch 4 \"S2\"\n[1] \"S1\"[3]\n[2] \"H3\"[1]\n\n"
	"Hca 1 \"H1\"\n[1] \"S1\"[1]\n\n"
	"Hca 1 \"H2\"\n[1] \"S1\"[2]\n\n"
	"Hca 2 \"H3\"\n[1] \"S2\"[2]\n";

static struct port *port_of(struct rig *rig, const char *node, unsigned int num)
{
	return &fabric_node(rig->fabric, node)->ports[num];
}

static void settle(struct rig *rig)
{
	umadrig_step(rig->fabric, umadrig_now(rig->fabric) + NS_PER_S);
}

static void is_state(struct rig *rig, const char *node, unsigned int num, enum port_state state,
		     enum port_phys_state phys_state)
{
	const struct port *port = port_of(rig, node, num);

	if (port->state != state || port->phys_state != phys_state)
		g_error("%s[%u] is %u/%u, not %u/%u", node, num, port->state, port->phys_state,
			state, phys_state);
}

/* Traps 128 that arrive at a tap, as issuers' LIDs: "5 4". */
static void hear_traps(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	const uint8_t *mad = bytes + size - MAD_SIZE;

	(void)at_ns;
	if (!outbound && mad[MAD_METHOD] == MAD_METHOD_TRAP)
		g_string_append_printf(ctx, "%u ", get_be16(mad + SMP_DATA + 6));
}

/* NodeDescription of the node at the end of a directed route from H1; NULL: no answer. */
static char *who_is(struct rig *rig, const char *path)
{
	struct rig_get get = { .mgmt_class = 0x81, .attr = 0x10, .tid = 1, .timeout_ms = 10 };
	int fd = rig_open_port(rig, "H1", "sim0", 1);
	uint32_t agent = rig_register(rig, fd, 0x81, 0);
	uint8_t umad[RIG_UMAD];
	char *name = NULL;

	for (; *path; path++)
		get.path[++get.path[0]] = (uint8_t)(*path - '0');
	rig_send(rig, fd, agent, &get);
	if (rig_recv(rig, fd, umad, 100) == RIG_UMAD && rig_get_u32(umad, RIG_STATUS) == 0)
		name = g_strndup((char *)umad + RIG_HEADER + SMP_DATA, 64);
	rig->backend->close(fd);
	return name;
}

static void is_there(struct rig *rig, const char *path, const char *who)
{
	g_autofree char *name = who_is(rig, path);

	g_assert_cmpstr(name, ==, who);
}

/* ---- cables ---- */

static void test_link(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	GString *traps = g_string_new(NULL);

	umadrig_tap(umadrig_port(rig.fabric, "H1", 1), hear_traps, traps);
	is_there(&rig, "13", "S2");
	g_assert_cmpint(umadrig_link_set(rig.fabric, "S1", 3, false), ==, 0);
	is_state(&rig, "S1", 3, PORT_DOWN, PORT_PHYS_POLLING);
	is_state(&rig, "S2", 1, PORT_DOWN, PORT_PHYS_POLLING);
	is_there(&rig, "13", NULL);
	/* S1 has sent a trap to the SM, which it assumes at H1; S2 cannot. */
	g_assert_cmpint(traps->len, >, 0);
	for (unsigned int i = 0; i < traps->len; i += 2)
		g_assert_cmpint(traps->str[i] - '0', ==,
				umadrig_port_lid(umadrig_port(rig.fabric, "S1", 0)));

	settle(&rig);
	is_state(&rig, "S1", 3, PORT_DOWN, PORT_PHYS_POLLING);
	/* The other end has done so as well. */
	g_assert_cmpint(umadrig_link_set(rig.fabric, "S2", 1, true), ==, 0);
	is_state(&rig, "S1", 3, PORT_DOWN, PORT_PHYS_POLLING);
	settle(&rig);
	is_state(&rig, "S1", 3, PORT_INIT, PORT_PHYS_LINK_UP);
	is_state(&rig, "S2", 1, PORT_INIT, PORT_PHYS_LINK_UP);
	is_there(&rig, "13", "S2");
	rig_close(&rig);
	g_string_free(traps, true);
}

static void test_link_repeated(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");

	/* Down and up before it can have trained, and down again. */
	for (int i = 0; i < 2; i++) {
		g_assert_cmpint(umadrig_link_set(rig.fabric, "S1", 3, false), ==, 0);
		g_assert_cmpint(umadrig_link_set(rig.fabric, "S1", 3, true), ==, 0);
	}
	g_assert_cmpint(umadrig_link_set(rig.fabric, "S1", 3, true), ==, 0);
	g_assert_cmpint(umadrig_link_set(rig.fabric, "S2", 1, false), ==, 0);
	g_assert_cmpint(umadrig_link_set(rig.fabric, "S1", 3, false), ==, 0);
	settle(&rig);
	is_state(&rig, "S1", 3, PORT_DOWN, PORT_PHYS_POLLING);

	/* All cables of a node. */
	g_assert_cmpint(umadrig_link_set(rig.fabric, "S1", 0, false), ==, 0);
	is_state(&rig, "H1", 1, PORT_DOWN, PORT_PHYS_POLLING);
	is_state(&rig, "H2", 1, PORT_DOWN, PORT_PHYS_POLLING);
	g_assert_cmpint(umadrig_link_set(rig.fabric, "S1", 0, true), ==, 0);
	settle(&rig);
	is_there(&rig, "12", "H2");

	g_assert_cmpint(umadrig_link_set(rig.fabric, "S9", 1, false), ==, -ENOENT);
	g_assert_cmpint(umadrig_link_set(rig.fabric, "S1", 5, false), ==, -ENOENT);
	g_assert_cmpint(umadrig_link_set(rig.fabric, "S1", 4, false), ==, -ENXIO);
	g_assert_cmpint(umadrig_link_set(rig.fabric, "H3", 2, true), ==, -ENXIO);
	rig_close(&rig);
}

static void test_disabled(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");

	/* A port that an SM has disabled stays disabled, whatever happens to the cable. */
	port_of(&rig, "S1", 3)->phys_state = PORT_PHYS_DISABLED;
	port_of(&rig, "S1", 3)->state = PORT_DOWN;
	g_assert_cmpint(umadrig_link_set(rig.fabric, "S1", 3, false), ==, 0);
	g_assert_cmpint(umadrig_link_set(rig.fabric, "S1", 3, true), ==, 0);
	settle(&rig);
	is_state(&rig, "S1", 3, PORT_DOWN, PORT_PHYS_DISABLED);
	rig_close(&rig);
}

static void test_lay(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual,state=cold,"
				       "fault=delay all by 20ms on H3[1]");
	struct port *h3 = port_of(&rig, "H3", 1), *s1 = port_of(&rig, "S1", 4);
	struct rig_get get = { .mgmt_class = 0x81, .attr = 0x10, .tid = 1, .path = { 3, 1, 3, 2 } };
	int fd = rig_open_port(&rig, "H1", "sim0", 1);

	rig_send(&rig, fd, rig_register(&rig, fd, 0x81, 0), &get);
	umadrig_step(rig.fabric, umadrig_now(rig.fabric) + NS_PER_MS);
	g_assert_cmpint(cable_lay(h3, s1), ==, -EBUSY);
	g_assert_cmpint(cable_lay(h3, h3), ==, -EINVAL);
	g_assert_cmpint(cable_lay(s1, port_of(&rig, "S1", 0)), ==, -EINVAL);
	g_assert_cmpint(cable_pull(h3), ==, 0);
	/* What was on the old cable does not come out of the new one. */
	g_assert_cmpint(cable_lay(h3, s1), ==, 0);
	settle(&rig);
	g_assert_null(port_of(&rig, "S2", 2)->peer);
	g_assert_cmpuint(rig.fabric->dropped, ==, 1);
	g_assert_cmpint(umadrig_fault_remove(rig.fabric, 1), ==, 0);
	is_there(&rig, "14", "H3");
	g_assert_cmpint(umadrig_link_set(rig.fabric, "S2", 2, true), ==, -ENXIO);
	rig.backend->close(fd);
	rig_close(&rig);
}

/* ---- nodes ---- */

static void test_switch_lost(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	struct node *s2 = fabric_node(rig.fabric, "S2");

	switch_lft(s2, 0);
	g_assert_cmpint(umadrig_node_set(rig.fabric, "S2", false), ==, 0);
	g_assert_cmpint(umadrig_node_set(rig.fabric, "S2", false), ==, 0);
	is_state(&rig, "S1", 3, PORT_DOWN, PORT_PHYS_POLLING);
	is_state(&rig, "H3", 1, PORT_DOWN, PORT_PHYS_POLLING);
	is_there(&rig, "13", NULL);
	/* A cable at a node without power may be pulled. */
	g_assert_cmpint(umadrig_link_set(rig.fabric, "H3", 1, false), ==, 0);

	g_assert_cmpint(umadrig_node_set(rig.fabric, "S2", true), ==, 0);
	settle(&rig);
	is_state(&rig, "S1", 3, PORT_INIT, PORT_PHYS_LINK_UP);
	is_state(&rig, "H3", 1, PORT_DOWN, PORT_PHYS_POLLING);
	is_there(&rig, "13", "S2");
	is_there(&rig, "132", NULL);
	/* Its state is lost. */
	g_assert_cmpuint(s2->ports[0].end->attr.lid, ==, 0);
	g_assert_cmpuint(s2->sw->lft_top, ==, 0);
	for (unsigned int lid = 0; lid < 8; lid++)
		g_assert_cmpuint(switch_lft(s2, 64)[lid], ==, 255);
	g_assert_cmpint(umadrig_node_set(rig.fabric, "S7", true), ==, -ENOENT);
	rig_close(&rig);
}

static void test_host_lost(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	int fd = rig_open_port(&rig, "H2", "sim0", 1);
	uint16_t lid = umadrig_port_lid(umadrig_port(rig.fabric, "H2", 1));
	uint8_t umad[RIG_UMAD];
	size_t header_size;

	g_assert_cmpint(umadrig_node_set(rig.fabric, "H2", false), ==, 0);
	g_assert_cmpint(rig.backend->recv(fd, umad, sizeof(umad)), ==, -EIO);
	g_assert_cmpint(umadrig_host_enter(rig.fabric, "H2"), ==, 0);
	g_assert_cmpint(rig.backend->open("sim0", 1, &header_size), ==, -EINVAL);
	is_state(&rig, "S1", 2, PORT_DOWN, PORT_PHYS_POLLING);
	rig.backend->close(fd);
	g_assert_cmpint(umadrig_node_set(rig.fabric, "H2", true), ==, 0);
	settle(&rig);
	g_assert_cmpuint(lid, !=, 0);
	g_assert_cmpuint(umadrig_port_lid(umadrig_port(rig.fabric, "H2", 1)), ==, 0);
	is_there(&rig, "12", "H2");
	/* And it can be opened as before. */
	fd = rig_open_port(&rig, "H2", "sim0", 1);
	rig.backend->close(fd);
	rig_close(&rig);
}

static void test_sm_lost(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");

	g_assert_cmpint(umadrig_sm_lose(rig.fabric), ==, 0);
	g_assert_cmpint(umadrig_issm_open(umadrig_port(rig.fabric, "H2", 1)), ==, 0);
	g_assert_cmpint(umadrig_sm_lose(rig.fabric), ==, 1);
	is_state(&rig, "S1", 2, PORT_DOWN, PORT_PHYS_POLLING);
	g_assert_cmpint(umadrig_node_set(rig.fabric, "H2", true), ==, 0);
	settle(&rig);
	/* The node that came back is not an SM. */
	g_assert_cmpint(umadrig_sm_lose(rig.fabric), ==, 0);
	is_there(&rig, "12", "H2");
	rig_close(&rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/cable/link", test_link);
	g_test_add_func("/cable/link-repeated", test_link_repeated);
	g_test_add_func("/cable/disabled", test_disabled);
	g_test_add_func("/cable/lay", test_lay);
	g_test_add_func("/cable/switch-lost", test_switch_lost);
	g_test_add_func("/cable/host-lost", test_host_lost);
	g_test_add_func("/cable/sm-lost", test_sm_lost);
	return leak_end(g_test_run());
}
