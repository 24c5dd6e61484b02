/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fabric server: MADs of its programs, their hosts, and its end.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/rig/pair-rig.h"

static void test_ping(void)
{
	struct pair pair = pair_start();

	for (uint32_t tid = 1; tid <= 100; tid++) {
		ask(&pair, pair.asks, tid);
		g_assert_cmpuint(answer(&pair), ==, tid);
		g_assert_cmpuint(take(&pair, pair.asks), ==, tid);
	}
	pair_end(&pair);
}

/*
 * A thread's own host: handles that it has opened stay where they are, and other threads, old and
 * new, are not moved.
 */
static void *name_of_first(void *data)
{
	const char *host = data;
	char (*names)[UMAD_BACKEND_NAME_SIZE];
	char *name;
	size_t count;

	if (host)
		g_assert_cmpint(umad_backend_attach.host_enter(host), ==, 0);
	g_assert_cmpint(umad_backend_attach.list_cas(&names, &count), ==, 0);
	g_assert_cmpuint(count, ==, 1);
	name = g_strdup(names[0]);
	free(names);
	return name;
}

static void check_first(const char *host, const char *name, bool of_a_thread)
{
	g_autofree char *first = of_a_thread ?
		g_thread_join(g_thread_new("host", name_of_first, (void *)host)) :
		name_of_first((void *)host);

	g_assert_cmpstr(first, ==, name);
}

static void test_hosts(void)
{
	struct pair pair = { .server = server_rig_start("", "H1") };
	size_t header_size;
	int status;
	pid_t pid;

	check_first(NULL, "H1", false);
	g_assert_cmpint(umad_backend_attach.host_enter("H3"), ==, -ENOENT);
	g_assert_cmpint(umad_backend_attach.host_enter(""), ==, -ENOENT);
	check_first(NULL, "H1", false);
	pair.asks = umad_backend_attach.open("H1", 1, &header_size);
	check_first("H2", "H2", false);
	check_first(NULL, "H1", true);
	check_first("H2", "H2", true);
	g_assert_cmpint(umad_backend_attach.open("H1", 1, &header_size), ==, -EINVAL);
	pair.answers = umad_backend_attach.open("H2", 1, &header_size);
	pair.asker = rig_register(&pair.server.rig, pair.asks, CLASS_PING, 0);
	pair.answerer = rig_register(&pair.server.rig, pair.answers, CLASS_PING, METHODS_GET);
	ask(&pair, pair.asks, 5);
	g_assert_cmpuint(answer(&pair), ==, 5);
	g_assert_cmpuint(take(&pair, pair.asks), ==, 5);
	/* A child makes a connection of its own, on the host of its thread. */
	pid = fork();
	if (pid == 0) {
		char *name = name_of_first(NULL);

		_exit(strcmp(name, "H2") == 0 ? 0 : 1);
	}
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	g_assert_cmpint(status, ==, 0);
	g_assert_cmpint(umad_backend_attach.host_enter(NULL), ==, 0);
	check_first(NULL, "H1", false);
	pair_end(&pair);
}

static void test_timeout(void)
{
	struct pair pair = pair_start();
	uint8_t umad[RIG_UMAD];

	rig_send(&pair.server.rig, pair.asks, pair.asker, &nothing_answers);
	g_assert_cmpint(umad_backend_attach.recv(pair.asks, umad, sizeof(umad)), ==, -EAGAIN);
	g_assert_cmpint(umad_backend_attach.recv_wait(pair.asks, umad, sizeof(umad), WAIT_MS), ==,
			88);
	g_assert_cmpuint(rig_get_u32(umad, RIG_STATUS), ==, ETIMEDOUT);
	g_assert_cmpuint(rig_get_u32(umad, RIG_ID), ==, pair.asker);
	pair_end(&pair);
}

static void test_server_ends(void)
{
	struct pair pair = pair_start();
	struct umad_backend_port port;
	uint8_t umad[RIG_UMAD];

	server_rig_end(&pair.server);
	rig_fill(umad, pair.asker, &ping);
	g_assert_cmpint(umad_backend_attach.send(pair.asks, umad, sizeof(umad)), ==, -EIO);
	g_assert_cmpint(umad_backend_attach.poll(pair.asks, WAIT_MS), >, 0);
	g_assert_cmpint(umad_backend_attach.recv(pair.asks, umad, sizeof(umad)), ==, -EIO);
	rig_fill(umad, pair.asker, &ping);
	g_assert_cmpint(umad_backend_attach.send(pair.asks, umad, sizeof(umad)), ==, -EIO);
	g_assert_cmpint(umad_backend_attach.get_port("H1", 1, UMAD_BACKEND_PORT_LINK, &port), ==,
			-EIO);
	umad_backend_attach.close(pair.asks);
	umad_backend_attach.close(pair.answers);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/server/ping", test_ping);
	g_test_add_func("/server/hosts", test_hosts);
	g_test_add_func("/server/timeout", test_timeout);
	g_test_add_func("/server/ends", test_server_ends);
	/* The calling thread's connection belongs to the library, and ends with the process. */
	return g_test_run();
}
