/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How long a server stays with its rings (sim/server/server-ring.h), on a clock of this test.
 */
#include <glib.h>
#include <stdint.h>
#include <time.h>

#include "sim/server/server-ring.h"

enum {
	STEP_NS = 100,		/* from one look at the clock to the next */
	LOOKS_MAX = 10000,	/* a millisecond: no gathering takes as long */
	NO_CPU = 0x7fffffff,	/* the server is on another one */
};

/* The clock. With each look at it the program puts something, or takes it back. */
static struct attach_ring *restless;
static unsigned int looks;

int __wrap_clock_gettime(clockid_t id, struct timespec *ret);
int __wrap_clock_gettime(clockid_t id, struct timespec *ret)
{
	g_assert_cmpint(id, ==, CLOCK_MONOTONIC);
	g_assert_cmpuint(++looks, <, LOOKS_MAX);
	*ret = (struct timespec){ .tv_nsec = (long)looks * STEP_NS };
	if (restless)
		atomic_store(&restless->put, 1 + looks % 2);
	return 0;
}

/* A ring that is awake and has one entry. */
static void rest(bool is_restless)
{
	struct attach_ring *shared = g_new0(struct attach_ring, 1);
	struct server_ring ring = { .shared = shared };
	struct server_rings rings = { 0 };

	server_ring_wake(&rings, &ring);
	atomic_store(&shared->cpu, NO_CPU);
	atomic_store(&shared->put, 1);
	restless = is_restless ? shared : NULL;
	looks = 0;
	g_assert_cmpint(server_rings_rest(&rings, -1), ==, 0);
	restless = NULL;
	g_free(shared);
}

/* Nothing more comes: it is not waited for any longer. */
static void test_gather_idle(void)
{
	rest(false);
	g_assert_cmpuint(looks, >, 2);
	g_assert_cmpuint(looks * STEP_NS, <, 5000);
}

/* Something changes at each look, for ever: others wait for the server meanwhile. */
static void test_gather_deadline(void)
{
	rest(true);
	g_assert_cmpuint(looks * STEP_NS, >, 5000);
	g_assert_cmpuint(looks * STEP_NS, <, 50000);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/server-ring/gather/idle", test_gather_idle);
	g_test_add_func("/server-ring/gather/deadline", test_gather_deadline);
	return g_test_run();
}
