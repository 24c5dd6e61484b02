/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Any number of outstanding requests to a fabric server: none is lost, none is answered twice, and
 * no wait is endless, whether client and server share a CPU, have one each, or run anywhere.
 */
#include <sched.h>

#include "tests/rig/server-rig.h"

enum {
	WAIT_MS = 60000,	/* for what is certain to come: never reached */
	NODE_INFO = 0x11,
	ROUNDS = 2,		/* of a window's size */
	ROUND_TRIPS_MIN = 1000,
};

/* ---- where the two run ---- */

enum placement { ANYWHERE, ON_ONE_CPU, ON_TWO_CPUS, PLACEMENT_COUNT };

static const char *const placement_names[PLACEMENT_COUNT] = {
	"anywhere", "on one CPU", "on two CPUs",
};

static cpu_set_t all_cpus;

/* The number of the n-th CPU that the test may use; -1: there are fewer CPUs. */
static int nth_cpu(int n)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &all_cpus) && n-- == 0)
			return cpu;
	}
	return -1;
}

/* Binds the calling process, and those that it forks later. Negative: to all CPUs. */
static void run_on(int cpu)
{
	cpu_set_t set = all_cpus;

	if (cpu >= 0) {
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
	}
	g_assert_cmpint(sched_setaffinity(0, sizeof(set), &set), ==, 0);
}

static struct server_rig start(enum placement placement)
{
	struct server_rig server;

	switch (placement) {
	case ANYWHERE:
		break;
	case ON_ONE_CPU:
		run_on(nth_cpu(0));
		break;
	case ON_TWO_CPUS:
		run_on(nth_cpu(1));
		break;
	case PLACEMENT_COUNT:
		g_assert_not_reached();
	}
	server = server_rig_start("", "H1");
	if (placement == ON_TWO_CPUS)
		run_on(nth_cpu(0));
	return server;
}

static void end(struct server_rig *server)
{
	server_rig_end(server);
	run_on(-1);
}

/* ---- requests ---- */

struct client {
	struct rig *rig;
	int fd;
	uint32_t agent;
};

static struct client client_open(struct server_rig *server, const char *host)
{
	struct client client = { .rig = &server->rig, .fd = server_rig_open_on(server, host) };

	client.agent = rig_register(client.rig, client.fd, MAD_CLASS_SUBN_DR, 0);
	return client;
}

/* SubnGet(NodeInfo) of its own HCA. */
static void ask(const struct client *client, uint32_t tid)
{
	const struct rig_get get = {
		.mgmt_class = MAD_CLASS_SUBN_DR, .attr = NODE_INFO, .dlid = LID_PERMISSIVE,
		.tid = tid, .timeout_ms = WAIT_MS,
	};

	rig_send(client->rig, client->fd, client->agent, &get);
}

/* The TID of the next response. */
static uint32_t next_answer(const struct client *client)
{
	uint8_t umad[RIG_UMAD];
	const uint8_t *mad = umad + RIG_HEADER;

	g_assert_cmpint(umad_backend_attach.recv_wait(client->fd, umad, sizeof(umad), WAIT_MS), ==,
			RIG_UMAD);
	g_assert_cmpuint(mad[MAD_METHOD], ==, MAD_METHOD_GET_RESP);
	return get_be32(mad + MAD_TID + 4);
}

struct row {
	uint32_t depth;
	enum placement placement;
};

/* Keeps this many outstanding: each response triggers the next request. */
static void test_window(gconstpointer data)
{
	const struct row *row = data;
	const uint32_t count = MAX(ROUNDS * row->depth, ROUND_TRIPS_MIN);
	g_autofree uint8_t *got = g_malloc0(count);
	struct server_rig server;
	struct client client;
	uint32_t sent = 0;

	if (row->placement == ON_TWO_CPUS && nth_cpu(1) < 0) {
		g_test_skip("there is one CPU");
		return;
	}
	server = start(row->placement);
	client = client_open(&server, "H1");
	for (uint32_t received = 0; received < count; received++) {
		uint32_t tid;

		while (sent < count && sent - received < row->depth)
			ask(&client, sent++);
		tid = next_answer(&client);
		g_assert_cmpuint(tid, <, sent);
		g_assert_cmpuint(got[tid]++, ==, 0);
	}
	umad_backend_attach.close(client.fd);
	end(&server);
}

/* All requests at once, then their responses; another program is served meanwhile. */
static void test_heap(gconstpointer data)
{
	const struct row *row = data;
	g_autofree uint8_t *got = g_malloc0(row->depth);
	struct server_rig server = start(row->placement);
	struct client client = client_open(&server, "H1"), other = client_open(&server, "H2");
	uint8_t umad[RIG_UMAD];

	for (uint32_t i = 0; i < row->depth; i++) {
		ask(&client, i);
		if (i % 1000 == 0) {
			ask(&other, i);
			g_assert_cmpuint(next_answer(&other), ==, i);
		}
	}
	for (uint32_t i = 0; i < row->depth; i++) {
		uint32_t tid = next_answer(&client);

		g_assert_cmpuint(tid, <, row->depth);
		g_assert_cmpuint(got[tid]++, ==, 0);
	}
	g_assert_cmpint(umad_backend_attach.recv(client.fd, umad, sizeof(umad)), ==, -EAGAIN);
	umad_backend_attach.close(client.fd);
	umad_backend_attach.close(other.fd);
	end(&server);
}

static void add(const char *what, const struct row *row, GTestDataFunc test)
{
	g_autofree char *path = g_strdup_printf("/server-depth/%s/%s/%u", what,
						placement_names[row->placement], row->depth);

	g_test_add_data_func(path, row, test);
}

int main(int argc, char **argv)
{
	/* Around the sizes of a ring, of one write, and of a socket's buffer. */
	static const uint32_t windows[] = {
		1, 2, 3, 63, 64, 65, 127, 128, 129, 500, 4096, 100000,
	};
	static const uint32_t heaps[] = { 512, 4096, 100000 };
	static struct row rows[PLACEMENT_COUNT][G_N_ELEMENTS(windows)];
	static struct row heap_rows[G_N_ELEMENTS(heaps)];

	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_assert_cmpint(sched_getaffinity(0, sizeof(all_cpus), &all_cpus), ==, 0);
	for (enum placement i = 0; i < PLACEMENT_COUNT; i++) {
		for (size_t k = 0; k < G_N_ELEMENTS(windows); k++) {
			rows[i][k] = (struct row){ windows[k], i };
			add("window", &rows[i][k], test_window);
		}
	}
	for (size_t k = 0; k < G_N_ELEMENTS(heaps); k++) {
		heap_rows[k] = (struct row){ heaps[k], ON_ONE_CPU };
		add("heap", &heap_rows[k], test_heap);
	}
	/* The calling thread's connection belongs to the library, and ends with the process. */
	return g_test_run();
}
