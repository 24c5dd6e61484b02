/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Subnets of a fabric: each has its LIDs, its SM's, and an SA of its own; cables that are laid join
 * them, or move an HCA from one to the other.
 */
#include <errno.h>
#include <glib.h>
#include <string.h>

#include "sim/console/console.h"
#include "sim/fabric/cable.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/node.h"
#include "tests/rig/fabric-text.h"

/* A1 (LID 2) and A2 (3) on S1 (1); B1 (2) and B2 (3) on S2 (1); R1 (4, 4) between them. */
static const char net[] =
	"Switch 8 \"S1\"\n[1] \"A1\"[1]\n[2] \"A2\"[1]\n[3] \"R1\"[1]\n\n"
	"Switch 8 \"S2\"\n[1] \"B1\"[1]\n[2] \"B2\"[1]\n[3] \"R1\"[2]\n\n"
	"Hca 1 \"A1\"\n[1] \"S1\"[1]\n\nHca 1 \"A2\"\n[1] \"S1\"[2]\n\n"
	"Hca 1 \"B1\"\n[1] \"S2\"[1]\n\nHca 1 \"B2\"\n[1] \"S2\"[2]\n\n"
	"Rt 2 \"R1\"\n[1] \"S1\"[3]\n[2] \"S2\"[3]\n";

static struct umadrig_fabric *make(const char *options)
{
	return fabric_of_text(net, options);
}

static struct port *port_of(const struct umadrig_fabric *fabric, const char *name,
			    unsigned int num)
{
	return &fabric_find((struct umadrig_fabric *)fabric, name)->ports[num];
}

static struct end_port *end_of(const struct umadrig_fabric *fabric, const char *name,
			       unsigned int num)
{
	return port_of(fabric, name, num)->end;
}

/* "A1[1] A2[1]": the end ports of a subnet. */
static void has_ends(const struct umadrig_fabric *fabric, unsigned int number, const char *wanted)
{
	const struct subnet *subnet = fabric_subnet(fabric, number);
	GString *text = g_string_new(NULL);
	char name[PORT_NAME_SIZE];

	for (unsigned int i = 0; i < subnet->ends->len; i++) {
		const struct end_port *end = g_ptr_array_index(subnet->ends, i);

		g_assert_true(end->subnet == subnet);
		g_string_append_printf(text, "%s%s", i ? " " : "", port_format(end->port, name));
	}
	g_assert_cmpstr(text->str, ==, wanted);
	g_string_free(text, true);
}

static void says(struct umadrig_fabric *fabric, const char *line, int err, const char *wanted)
{
	struct console console = { .fabric = fabric, .out = g_string_new(NULL) };

	g_assert_cmpint(console_run(&console, line), ==, err);
	g_assert_cmpstr(err ? console.error : console.out->str, ==, wanted);
	console_clear(&console);
	g_string_free(console.out, true);
}

static void test_lids(void)
{
	struct umadrig_fabric *fabric = make("clock=virtual");

	g_assert_cmpuint(fabric->subnets->len, ==, 2);
	has_ends(fabric, 0, "S1[0] A1[1] A2[1] R1[1]");
	has_ends(fabric, 1, "S2[0] B1[1] B2[1] R1[2]");
	for (uint16_t lid = 1; lid <= 4; lid++) {
		for (unsigned int number = 0; number < 2; number++) {
			const struct end_port *end =
				subnet_end_by_lid(fabric_subnet(fabric, number), lid);

			g_assert_cmpuint(end->attr.lid, ==, lid);
			g_assert_cmpuint(end->sm_lid, ==, 2);
		}
	}
	g_assert_null(subnet_end_by_lid(fabric_subnet(fabric, 0), 5));
	g_assert_null(subnet_end_by_lid(fabric_subnet(fabric, 0), 0xc000));
	umadrig_fabric_close(fabric);
}

/* Of two end ports that claim a LID the other has it, when one gives it up. */
static void test_claimed_twice(void)
{
	struct umadrig_fabric *fabric = make("clock=virtual");
	struct subnet *subnet = fabric_subnet(fabric, 0);
	struct end_port *one = end_of(fabric, "A1", 1), *two = end_of(fabric, "A2", 1);

	end_port_set_lid(two, 2, 0);
	g_assert_true(subnet_end_by_lid(subnet, 2) == two);
	end_port_set_lid(two, 9, 0);
	g_assert_true(subnet_end_by_lid(subnet, 2) == one);
	g_assert_true(subnet_end_by_lid(subnet, 9) == two);
	end_port_set_lid(one, 0, 0);
	g_assert_null(subnet_end_by_lid(subnet, 2));
	umadrig_fabric_close(fabric);
}

static void test_each_has_an_sa(void)
{
	struct umadrig_fabric *fabric = make("clock=virtual");

	says(fabric, "sa", 0, "builtin A1[1] LID 2\nbuiltin B1[1] LID 2\n");
	/* An SM comes to the second: it alone has no SA any more. */
	g_assert_cmpint(umadrig_issm_open(umadrig_port(fabric, "B2", 1)), ==, 0);
	says(fabric, "sa", 0, "builtin A1[1] LID 2\n");
	g_assert_true(fabric_sa_is_on(end_of(fabric, "A1", 1)));
	g_assert_null(end_of(fabric, "B1", 1)->subnet->sa);
	says(fabric, "sa builtin", 0, "");
	says(fabric, "sa", 0, "builtin A1[1] LID 2\n");
	says(fabric, "sa none", 0, "");
	says(fabric, "sa", 0, "none\n");
	umadrig_fabric_close(fabric);
}

static void test_route(void)
{
	struct umadrig_fabric *fabric = make("clock=virtual");

	says(fabric, "Route 2 3", -EEXIST,
	     "LID 2 is in 2 subnets; write a port instead, such as A1[1]");
	says(fabric, "Route B1[1] B2[1]", 0,
	     "From node \"B1\" port 1 lid 2\n[1] -> \"S2\"[1]\n[2] -> \"B2\"[1]\n"
	     "To node \"B2\" port 1 lid 3\n");
	says(fabric, "Route A1[1] B2[1]", -EHOSTUNREACH,
	     "A1[1] and B2[1] are in two subnets; ask for the way to the router between "
	     "them, R1[1]");
	says(fabric, "Route 9 3", -ENOENT, "no port has LID 9; Dump lists LIDs");
	umadrig_fabric_close(fabric);
}

/* An HCA's cable is moved to the other subnet, where its LID is somebody else's. */
static void test_move(void)
{
	struct umadrig_fabric *fabric = make("clock=virtual");

	cable_remove(port_of(fabric, "A2", 1));
	has_ends(fabric, 0, "S1[0] A1[1] A2[1] R1[1]");
	g_assert_cmpint(cable_lay(port_of(fabric, "A2", 1), port_of(fabric, "S2", 5)), ==, 0);
	has_ends(fabric, 0, "S1[0] A1[1] R1[1]");
	has_ends(fabric, 1, "S2[0] A2[1] B1[1] B2[1] R1[2]");
	g_assert_null(subnet_end_by_lid(fabric_subnet(fabric, 0), 3));
	/* B2 had LID 3; when the newcomer gives it up, an SM's Set enters B2 again. */
	end_port_set_lid(end_of(fabric, "A2", 1), 9, 0);
	end_port_set_lid(end_of(fabric, "B2", 1), 3, 0);
	g_assert_true(subnet_end_by_lid(fabric_subnet(fabric, 1), 3) == end_of(fabric, "B2", 1));
	g_assert_true(subnet_end_by_lid(fabric_subnet(fabric, 1), 9) == end_of(fabric, "A2", 1));
	umadrig_fabric_close(fabric);
}

/* A cable between the switches makes one of the two; the smaller side, with its SA, goes. */
static void test_join(void)
{
	struct umadrig_fabric *fabric = make("clock=virtual");

	cable_remove(port_of(fabric, "B2", 1));
	g_assert_cmpint(cable_lay(port_of(fabric, "S1", 7), port_of(fabric, "S2", 7)), ==, 0);
	has_ends(fabric, 0, "S1[0] S2[0] A1[1] A2[1] B1[1] R1[1] R1[2]");
	/* It has been cut off, and is alone. */
	has_ends(fabric, 1, "B2[1]");
	says(fabric, "sa", 0, "builtin A1[1] LID 2\n");
	g_assert_null(fabric_subnet(fabric, 1)->sa);
	/* Its own way back is to the subnet that the rest is in now. */
	g_assert_cmpint(cable_lay(port_of(fabric, "B2", 1), port_of(fabric, "S2", 2)), ==, 0);
	has_ends(fabric, 0, "S1[0] S2[0] A1[1] A2[1] B1[1] B2[1] R1[1] R1[2]");
	has_ends(fabric, 1, "");
	/* Cables within a subnet change nothing. */
	g_assert_cmpint(cable_lay(port_of(fabric, "S1", 8), port_of(fabric, "S2", 8)), ==, 0);
	has_ends(fabric, 1, "");
	umadrig_fabric_close(fabric);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/subnet/lids", test_lids);
	g_test_add_func("/subnet/claimed-twice", test_claimed_twice);
	g_test_add_func("/subnet/each has an SA", test_each_has_an_sa);
	g_test_add_func("/subnet/route", test_route);
	g_test_add_func("/subnet/move", test_move);
	g_test_add_func("/subnet/join", test_join);
	return g_test_run();
}
