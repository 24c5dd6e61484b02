/*
 * Reports: what is well is counted, and what is not is named.
 */
#include <glib.h>
#include <string.h>

#include "fabric.h"
#include "leak.h"
#include "report.h"

/* Two switches with a host each, and one apart. */
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

/* Given a fabric that something happened to, then what a report has in it, line by line. */
static const struct row {
	const char *name;
	void (*before)(struct umadrig_fabric *fabric);
	const char *lines[4];
} rows[] = {
	{ "well", nothing, { "ends 4 with-lid 4 active 4", "links 3 active 3", "ways 16 lead 16" } },
	{ "no route", forget_h2, { "ways 16 lead 14", "lost H1[1] LID %: S1 has no route to LID %",
				   "lost S1[0] LID %: S1 has no route to LID %" } },
	{ "circle", loop_h2, { "ways 16 lead 13", "lost S2[0] LID %: it goes in circles" } },
	{ "mistaken", mistake_h2, { "ways 16 lead 14", "lost S1[0] LID %: it ends at H1[1]" } },
	{ "Armed", arm_h2, { "ends 4 with-lid 4 active 3", "links 3 active 2", "ways 16 lead 10",
			     "link S2[1] Active, H2[1] Armed" } },
	{ "no LID", take_lid_from_h2, { "ends 4 with-lid 3 active 4", "ways 16 lead 12",
					"lost H1[1] LID 0: nobody has given it one" } },
};

static void test_row(gconstpointer data)
{
	const struct row *row = data;
	struct topology *topology = topology_parse(net, strlen(net), "report.net", NULL);
	struct umadrig_options options = { .virtual_clock = true, .seed = 1 };
	struct umadrig_fabric *fabric;
	g_autofree char *text = NULL, *lid = NULL;
	char err[512] = "";

	g_assert_nonnull(topology);
	topology_assign_lids(topology);
	fabric = fabric_new(topology, &options, err, sizeof(err));
	if (!fabric)
		g_error("%s", err);
	topology_free(topology);
	lid = g_strdup_printf("%u", lid_of(fabric, "H2"));
	row->before(fabric);
	text = report_text(fabric);
	for (size_t i = 0; i < G_N_ELEMENTS(row->lines) && row->lines[i]; i++) {
		g_auto(GStrv) parts = g_strsplit(row->lines[i], "%", -1);
		g_autofree char *line = g_strjoinv(lid, parts);

		if (!strstr(text, line))
			g_error("'%s' is not in:\n%s", line, text);
	}
	/* A packet that was sent everywhere is back. */
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
