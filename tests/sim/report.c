/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Reports: what is in order is counted, and what is not is named.
 */
#include <glib.h>
#include <string.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/report-group.h"
#include "sim/fabric/report.h"
#include "sim/fabric/route.h"
#include "sim/fabric/switch.h"
#include "sim/run/assembly.h"
#include "sim/topology/lid.h"
#include "sim/topology/load.h"
#include "tests/rig/leak.h"

/* Two switches with a host each, and an unconnected one. */
static const char net[] =
	"Switch 4 \"S1\"\n[1] \"H1\"[1]\n[3] \"S2\"[3]\n\n"
	"Switch 4 \"S2\"\n[1] \"H2\"[1]\n[3] \"S1\"[3]\n\n"
	"Hca 1 \"H1\"\n[1] \"S1\"[1]\n\nHca 1 \"H2\"\n[1] \"S2\"[1]\n\nHca 1 \"H3\"\n\n";

static void nothing(struct umadrig_fabric *fabric)
{
	(void)fabric;
}

static uint16_t lid_of(struct umadrig_fabric *fabric, const char *name)
{
	struct node *node = fabric_node(fabric, name);

	return node_end_port(node, node->sw ? 0 : 1)->attr.lid;
}

static void forget_h2(struct umadrig_fabric *fabric)
{
	switch_lft(fabric_node(fabric, "S1"), 0)[lid_of(fabric, "H2")] = 255;
}

static void loop_h2(struct umadrig_fabric *fabric)
{
	switch_lft(fabric_node(fabric, "S2"), 0)[lid_of(fabric, "H2")] = 3;
	switch_lft(fabric_node(fabric, "S1"), 0)[lid_of(fabric, "H2")] = 3;
}

static void mistake_h2(struct umadrig_fabric *fabric)
{
	switch_lft(fabric_node(fabric, "S1"), 0)[lid_of(fabric, "H2")] = 1;
}

static void arm_h2(struct umadrig_fabric *fabric)
{
	fabric_node(fabric, "H2")->ports[1].state = PORT_ARMED;
}

static void take_lid_from_h2(struct umadrig_fabric *fabric)
{
	end_port_set_lid(node_end_port(fabric_node(fabric, "H2"), 1), 0, 0);
}

/* The group 0xc001 of H1, H2 and S2, where S1's and S2's tables have these ports. */
static void write_group(struct umadrig_fabric *fabric, uint16_t s1, uint16_t s2)
{
	const uint16_t masks[] = { s1, s2 };

	for (size_t i = 0; i < G_N_ELEMENTS(masks); i++) {
		struct switch_part *part = fabric_node(fabric, i == 0 ? "S1" : "S2")->sw;

		part->mft = g_new0(uint16_t, part->mft_cap);
		part->mft[1] = masks[i];
	}
}

static void join_all(struct umadrig_fabric *fabric)
{
	write_group(fabric, 1 << 1 | 1 << 3, 1 << 0 | 1 << 1 | 1 << 3);
}

static void forget_trunk(struct umadrig_fabric *fabric)
{
	write_group(fabric, 1 << 1, 1 << 0 | 1 << 1 | 1 << 3);
}

static void fell_h2(struct umadrig_fabric *fabric)
{
	join_all(fabric);
	arm_h2(fabric);
}

/* S1 and S2 have a second cable, and both cables are in their tables. */
static void join_circle(struct umadrig_fabric *fabric)
{
	struct port *a = &fabric_node(fabric, "S1")->ports[4];
	struct port *b = &fabric_node(fabric, "S2")->ports[4];

	a->peer = b;
	b->peer = a;
	a->phys_state = b->phys_state = fabric_node(fabric, "S1")->ports[3].phys_state;
	a->state = b->state = PORT_ACTIVE;
	write_group(fabric, 1 << 1 | 1 << 3 | 1 << 4, 1 << 0 | 1 << 1 | 1 << 3 | 1 << 4);
}

static char *group_text(struct umadrig_fabric *fabric)
{
	return report_group_text(fabric, 0xc001);
}

static char *other_group_text(struct umadrig_fabric *fabric)
{
	return report_group_text(fabric, 0xc002);
}

/* Given a fabric and what happened to it, then what a report contains, line by line. */
static const struct row {
	const char *name;
	void (*before)(struct umadrig_fabric *fabric);
	char *(*text)(struct umadrig_fabric *fabric);
	const char *lines[4];
} rows[] = {
	{ "well", nothing, report_text,
	  { "ends 4 with-lid 4 active 4", "links 3 active 3", "ways 16 lead 16" } },
	{ "no route", forget_h2, report_text,
	  { "ways 16 lead 14", "lost H1[1] LID %: S1 has no route to LID %",
	    "lost S1[0] LID %: S1 has no route to LID %" } },
	{ "circle", loop_h2, report_text,
	  { "ways 16 lead 13", "lost S2[0] LID %: it goes in circles" } },
	{ "mistaken", mistake_h2, report_text,
	  { "ways 16 lead 14", "lost S1[0] LID %: it ends at H1[1]" } },
	{ "Armed", arm_h2, report_text,
	  { "ends 4 with-lid 4 active 3", "links 3 active 2", "ways 16 lead 10",
	    "link S2[1] Active, H2[1] Armed" } },
	{ "no LID", take_lid_from_h2, report_text,
	  { "ends 4 with-lid 3 active 4", "ways 16 lead 12",
	    "lost H1[1] LID 0: nobody has given it one" } },
	{ "no group", nothing, group_text,
	  { "members 0 whole 0\n" } },
	{ "group", join_all, group_text,
	  { "members 3 whole 3\n", "member H1[1]\n", "member S2[0]\n",
	    "member H2[1]\n" } },
	{ "group beside", join_all, other_group_text,
	  { "members 0 whole 0\n" } },
	{ "group torn", forget_trunk, group_text,
	  { "members 3 whole 2\n", "lost H1[1]: S2[0] gets none\n",
	    "lost H1[1]: H2[1] gets none\n" } },
	{ "group, Armed", fell_h2, group_text,
	  { "members 3 whole 0\n", "lost H2[1]: the link at H2[1]",
	    "lost H1[1]: the link at S2[1] is not Active\n" } },
	{ "group in a circle", join_circle, group_text,
	  { "members 3 whole 0\n", "it goes in circles at S",
	    "lost S2[0]: H1[1] gets " } },
};

static void test_row(gconstpointer data)
{
	const struct row *row = data;
	struct topology *topology = topology_parse(net, strlen(net), "report.net", NULL);
	struct umadrig_options options = { .virtual_clock = true, .seed = 1 };
	struct umadrig_fabric *fabric;
	g_autofree char *text = NULL, *lid = NULL;
	char message[512] = "";

	g_assert_nonnull(topology);
	topology_assign_lids(topology);
	fabric = fabric_new(topology, &options, message, sizeof(message));
	if (!fabric)
		g_error("%s", message);
	topology_free(topology);
	lid = g_strdup_printf("%u", lid_of(fabric, "H2"));
	row->before(fabric);
	text = row->text(fabric);
	for (size_t i = 0; i < G_N_ELEMENTS(row->lines) && row->lines[i]; i++) {
		g_auto(GStrv) parts = g_strsplit(row->lines[i], "%", -1);
		g_autofree char *line = g_strjoinv(lid, parts);

		if (!strstr(text, line))
			g_error("'%s' is not in:\n%s", line, text);
	}
	/* A packet that was sent to all ports has been freed. */
	g_assert_cmpuint(fabric->pool.used, ==, 0);
	fabric_free(fabric);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/report/%s", rows[i].name);

		g_test_add_data_func(path, &rows[i], test_row);
	}
	return leak_end(g_test_run());
}
