/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Forwarding tables of warm fabrics, against a slow definition of them: a LID leaves by one of the
 * ports from which the distance to its switch is least, and LIDs take turns among these.
 */
#include "sim/fabric/route.h"

#include "sim/fabric/cable.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/subnet.h"
#include "sim/fabric/switch.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"

enum { FAR = 0xffff, NO_PORT = 255 };

/* Cables between each switch and 'target', by the switch's number. */
static void measure(const struct rig *rig, const struct node *target, uint16_t *ret_hops)
{
	bool is_closer = true;

	for (unsigned int i = 0; i < rig->fabric->nodes->len; i++)
		ret_hops[i] = FAR;
	ret_hops[target->index] = 0;
	while (is_closer) {
		is_closer = false;
		for (unsigned int i = 0; i < rig->fabric->nodes->len; i++) {
			const struct node *node = g_ptr_array_index(rig->fabric->nodes, i);

			for (unsigned int num = 1; node->sw && num <= node->port_count; num++) {
				const struct port *peer = node->ports[num].peer;

				if (peer && peer->node->sw &&
				    ret_hops[peer->node->index] + 1 < ret_hops[i]) {
					ret_hops[i] = (uint16_t)(ret_hops[peer->node->index] + 1);
					is_closer = true;
				}
			}
		}
	}
}

static uint8_t expected(const struct node *sw, const struct node *target, uint8_t exit,
			const uint16_t *hops, unsigned int lid)
{
	uint8_t ports[256];
	unsigned int count = 0;

	if (sw == target)
		return exit;
	for (unsigned int num = 1; num <= sw->port_count; num++) {
		const struct port *peer = sw->ports[num].peer;

		if (peer && peer->node->sw && hops[peer->node->index] + 1 == hops[sw->index])
			ports[count++] = (uint8_t)num;
	}
	return count ? ports[lid % count] : NO_PORT;
}

/* All LIDs of an end port that leaves 'target' by 'exit', in all tables. */
static unsigned int check_end(const struct rig *rig, const struct node *target, uint8_t exit,
			      const struct end_port *end, const uint16_t *hops)
{
	unsigned int last = end->attr.lid + (1U << end->attr.lmc), checked = 0;

	for (unsigned int i = 0; i < rig->fabric->nodes->len; i++) {
		struct node *sw = g_ptr_array_index(rig->fabric->nodes, i);

		for (unsigned int lid = end->attr.lid; sw->sw && lid && lid < last; lid++) {
			uint8_t want = expected(sw, target, exit, hops, lid);
			uint8_t egress = switch_egress(sw, (uint16_t)lid);

			if (egress != want)
				g_error("%s: LID %u leaves by %u, not by %u", sw->id, lid, egress,
					want);
			checked++;
		}
	}
	return checked;
}

static void check_all(const struct rig *rig)
{
	g_autofree uint16_t *hops = g_new(uint16_t, rig->fabric->nodes->len);
	unsigned int checked = 0, switches = 0, lids = 0;

	for (unsigned int i = 0; i < rig->fabric->nodes->len; i++) {
		const struct node *target = g_ptr_array_index(rig->fabric->nodes, i);

		if (!target->sw)
			continue;
		switches++;
		measure(rig, target, hops);
		checked += check_end(rig, target, 0, target->ports[0].end, hops);
		for (unsigned int num = 1; num <= target->port_count; num++) {
			const struct port *peer = target->ports[num].peer;

			if (peer && peer->end)
				checked += check_end(rig, target, (uint8_t)num, peer->end, hops);
		}
	}
	for (uint16_t lid = 0; lid <= rig->fabric->lid_top; lid++)
		lids += subnet_end_by_lid(fabric_subnet(rig->fabric, 0), lid) != NULL;
	g_assert_cmpuint(checked, ==, switches * lids);
	g_assert_cmpuint(checked, >, 200);
}

static void test_shapes(void)
{
	static const char *const specs[] = {
		"generate:fat-tree:40,8,clock=virtual",
		"generate:torus:3x4,2,clock=virtual",
		"generate:dragonfly+:4,3,3,2,clock=virtual",
		"generate:rail:12,2,8,aggregation=yes,ports=2,clock=virtual",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(specs); i++) {
		struct rig rig = rig_open(specs[i]);

		check_all(&rig);
		rig_close(&rig);
	}
}

/* LIDs and cables that change when some tables are there already. */
static void test_changes(void)
{
	struct rig rig = rig_open("generate:torus:4x3,1,clock=virtual");
	struct node *first = g_ptr_array_index(rig.fabric->nodes, 0);
	struct port *a = &first->ports[1], *b = a->peer;
	struct umadrig_port *host;

	check_all(&rig);
	g_assert_true(first->sw && b->node->sw);
	cable_remove(a);
	route_forget(rig.fabric);
	check_all(&rig);
	/* One table is there when a cable changes, and the others are not. */
	route_forget(rig.fabric);
	switch_lft(first, 0);
	g_assert_cmpint(cable_lay(a, b), ==, 0);
	g_clear_pointer(&first->sw->lft, g_free);
	first->sw->lft_size = 0;
	check_all(&rig);
	host = umadrig_port(rig.fabric, "host-3-0-0-0 HCA-1", 1);
	g_assert_nonnull(host);
	g_assert_cmpint(umadrig_port_set_lid(host, 200, 2), ==, 0);
	check_all(&rig);
	rig_close(&rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/route/shapes", test_shapes);
	g_test_add_func("/route/changes", test_changes);
	return leak_end(g_test_run());
}
