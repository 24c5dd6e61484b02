/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * tests/lib/umad-backend.c: UMAD_BACKEND, and the door to the simulator.
 *
 * The backend is chosen once per process, so every row runs in its own. This program exports a door
 * itself, which behaves as the environment variable DOOR says.
 */
#include <errno.h>
#include <glib.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#include "lib/backend.h"

static atomic_uint starts;

static int door_start(const char *spec, char *reterr, size_t reterr_size)
{
	atomic_fetch_add(&starts, 1);
	fprintf(stderr, "started with '%s'\n", spec);
	if (strcmp(getenv("DOOR"), "fails") != 0)
		return 0;
	snprintf(reterr, reterr_size, "cluster.net:7: no such node");
	return -ENOENT;
}

static const char *door_banner(void)
{
	return "a simulated fabric";
}

static int door_list_cas(char (**ret_names)[UMAD_BACKEND_NAME_SIZE], size_t *ret_count)
{
	*ret_names = calloc(1, sizeof(**ret_names));
	strcpy(**ret_names, "sim0");
	*ret_count = 1;
	return 0;
}

static struct umad_backend door_backend = {
	.abi = UMAD_BACKEND_ABI,
	.name = "sim",
	.start = door_start,
	.banner = door_banner,
	.list_cas = door_list_cas,
};

const struct umad_backend *umadrig_backend(unsigned int abi);
const struct umad_backend *umadrig_backend(unsigned int abi)
{
	const char *door = getenv("DOOR");

	if (strcmp(door, "refuses") == 0 || abi != UMAD_BACKEND_ABI) {
		errno = EPROTO;
		return NULL;
	}
	if (strcmp(door, "is-newer") == 0)
		door_backend.abi++;
	return &door_backend;
}

struct row {
	const char *value;	/* of UMAD_BACKEND; NULL: not set */
	const char *door;
	int init, open;		/* what umad_init() and umad_open_port("nosuch", 1) return */
	const char *output;	/* pattern for all of stderr */
};

static const struct row rows[] = {
	{ NULL, "", 0, 0, "" },
	{ "", "", 0, 0, "" },
	{ "ib_umad", "", 0, 0, "" },
	{ "ib_umad2", "", -1, -EINVAL, "*UMAD_BACKEND=ib_umad2: no such backend; there are *\n" },
	{ "ib_umad:x", "", -1, -EINVAL, "umad: UMAD_BACKEND=ib_umad:x: no such backend; *\n" },
	{ "simulator", "", -1, -EINVAL, "umad: UMAD_BACKEND=simulator: no such backend; *\n" },
	{ "attach:/nowhere/fabric", "", -1, -ENOENT,
	  "*BACKEND=attach:/nowhere/fabric: no fabric *\n" },
	{ "attach:", "", -1, -EINVAL, "*BACKEND=attach:: a socket is missing*\n" },
	{ "sim:a.net,seed=7", "", 0, 0, "started with 'a.net,seed=7'\na simulated fabric\n" },
	{ "sim:@", "", 0, 0, "started with '@'\na simulated fabric\n" },
	{ "sim", "", 0, 0, "started with ''\na simulated fabric\n" },
	{ "sim:a:b", "", 0, 0, "started with 'a:b'\na simulated fabric\n" },
	{ "sim:x", "fails", -1, -ENOENT,
	  "started with 'x'\numad: UMAD_BACKEND=sim:x: cluster.net:7: no such node\n" },
	{ "sim:x", "refuses", -1, -ENODEV, "umad: UMAD_BACKEND=sim:x: *different versions*\n" },
	{ "sim:x", "is-newer", -1, -ENODEV, "umad: UMAD_BACKEND=sim:x: *different versions*\n" },
};

static void run_row(const struct row *row)
{
	char names[1][UMAD_CA_NAME_LEN];
	umad_port_t port;
	umad_ca_t ca;

	/* Printed once, however often it is called. */
	g_assert_cmpint(umad_init(), ==, row->init);
	g_assert_cmpint(umad_init(), ==, row->init);
	if (row->init == 0) {
		if (atomic_load(&starts) > 0) {
			g_assert_cmpint(umad_get_cas_names(names, 1), ==, 1);
			g_assert_cmpstr(names[0], ==, "sim0");
		}
		return;
	}
	errno = 0;
	g_assert_cmpint(umad_open_port("nosuch", 1), ==, row->open);
	g_assert_cmpint(errno, ==, -row->open);
	g_assert_cmpint(umad_get_cas_names(names, 1), ==, -1);
	g_assert_null(umad_get_ca_device_list());
	g_assert_cmpint(errno, ==, -row->open);
	g_assert_cmpint(umad_get_ca(NULL, &ca), ==, row->open);
	g_assert_cmpint(umad_get_port(NULL, 0, &port), ==, row->open);
	g_assert_cmpint(umad_get_ca_portguids(NULL, NULL, 0), ==, row->open);
	g_assert_cmpint(umad_get_smi_gsi_pairs(NULL, 0), ==, -1);
	g_assert_cmpint(umad_send(3, 0, &ca, 0, 0, 0), ==, -EINVAL);
	g_assert_cmpint(umad_close_port(3), ==, -EINVAL);
}

static void test_row(gconstpointer data)
{
	const struct row *row = data;

	if (g_test_subprocess()) {
		run_row(row);
		return;
	}
	if (row->value)
		g_setenv("UMAD_BACKEND", row->value, true);
	else
		g_unsetenv("UMAD_BACKEND");
	g_setenv("DOOR", row->door, true);
	g_test_trap_subprocess(NULL, 0, 0);
	g_test_trap_assert_passed();
	g_test_trap_assert_stderr(row->output);
}

static void *init_thread(void *arg)
{
	pthread_barrier_wait(arg);
	return umad_init() == 0 ? arg : NULL;
}

static void test_threads(void)
{
	pthread_barrier_t barrier;
	pthread_t threads[8];

	if (!g_test_subprocess()) {
		g_setenv("UMAD_BACKEND", "sim:x", true);
		g_setenv("DOOR", "", true);
		g_test_trap_subprocess(NULL, 0, 0);
		g_test_trap_assert_passed();
		g_test_trap_assert_stderr("started with 'x'\na simulated fabric\n");
		return;
	}
	pthread_barrier_init(&barrier, NULL, G_N_ELEMENTS(threads));
	for (size_t i = 0; i < G_N_ELEMENTS(threads); i++)
		g_assert_cmpint(pthread_create(&threads[i], NULL, init_thread, &barrier), ==, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(threads); i++) {
		void *result;

		g_assert_cmpint(pthread_join(threads[i], &result), ==, 0);
		g_assert_nonnull(result);
	}
	pthread_barrier_destroy(&barrier);
	g_assert_cmpuint(atomic_load(&starts), ==, 1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char name[64];

		g_snprintf(name, sizeof(name), "/umad-backend/choice/%zu", i);
		g_test_add_data_func(name, &rows[i], test_row);
	}
	g_test_add_func("/umad-backend/threads", test_threads);
	return g_test_run();
}
