/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * tests/lib/umad-sim.c: the table of calls over a simulated fabric, with the two libraries as
 * programs use them.
 */
#include <glib.h>

#include <infiniband/umad.h>

#include "tests/rig/leak.h"
#include "tests/rig/umad-table.h"

static struct umadrig_fabric *attached;

static void begin(struct umadrig_fabric *fabric)
{
	attached = fabric;
	umadrig_attach(fabric);
}

static void end(void)
{
	umadrig_attach(NULL);
}

static int open_peer(const char *host)
{
	int fd;

	g_assert_cmpint(umadrig_host_enter(attached, host), ==, 0);
	fd = umad_open_port(host, 1);
	g_assert_cmpint(umadrig_host_enter(attached, NULL), ==, 0);
	return fd;
}

static const struct umad_world sim = {
	.name = "umad-sim", .has_register2 = true,
	.begin = begin, .end = end, .open_peer = open_peer,
};

int main(int argc, char **argv)
{
	g_setenv("UMAD_BACKEND", "sim:@", true);
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	umad_table_add(&sim);
	return leak_end(g_test_run());
}
