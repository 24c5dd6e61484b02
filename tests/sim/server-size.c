/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sizes: buffers that are too small, and messages too large for a socket.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/rig/pair-rig.h"

static void test_small_buffer(void)
{
	struct pair pair = pair_start();
	uint8_t umad[RIG_UMAD];

	memset(umad, 0xee, sizeof(umad));
	g_assert_cmpint(umad_backend_attach.recv(pair.answers, umad, 63), ==, -EINVAL);
	g_assert_cmpint(umad_backend_attach.recv(pair.answers, umad, 319), ==, -EAGAIN);
	ask(&pair, pair.asks, 1);
	ask(&pair, pair.asks, 2);
	g_assert_cmpint(umad_backend_attach.poll(pair.answers, WAIT_MS), >, 0);
	for (size_t size = 64; size < RIG_UMAD; size += 51) {
		g_assert_cmpint(umad_backend_attach.recv(pair.answers, umad, size), ==, -EINVAL);
		g_assert_cmpuint(umad[0], ==, 0xee);
	}
	g_assert_cmpuint(answer(&pair), ==, 1);
	g_assert_cmpuint(answer(&pair), ==, 2);

	/* A report of 24 bytes fits into less than a MAD. */
	take(&pair, pair.asks);
	take(&pair, pair.asks);
	rig_send(&pair.server.rig, pair.asks, pair.asker, &nothing_answers);
	g_assert_cmpint(umad_backend_attach.poll(pair.asks, WAIT_MS), >, 0);
	g_assert_cmpint(umad_backend_attach.recv(pair.asks, umad, 87), ==, -EINVAL);
	g_assert_cmpint(umad_backend_attach.recv(pair.asks, umad, 88), ==, 88);
	pair_end(&pair);
}

enum { SA_HEADER = 56, METHOD_GET_TABLE = 0x12 };

static uint32_t register_sa(int fd, uint64_t methods)
{
	struct umad_backend_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT,
		.qpn = 1, .mgmt_class = MAD_CLASS_SUBN_ADM, .mgmt_class_version = 2,
		.rmpp_version = 1, .method_mask = { methods },
	};

	g_assert_cmpint(umad_backend_attach.register_agent(fd, &reg), ==, 0);
	return reg.id;
}

static void ask_table(struct pair *pair, uint32_t agent, uint32_t tid)
{
	const struct rig_get get = {
		.mgmt_class = MAD_CLASS_SUBN_ADM, .method = METHOD_GET_TABLE, .attr = 0x11,
		.dlid = LID_H2, .tid = tid, .timeout_ms = 60000,
	};

	rig_send(&pair->server.rig, pair->asks, agent, &get);
}

/* Answers a GetTable with 'size' bytes of records, each of which contains its offset. */
static void answer_table(struct pair *pair, size_t size)
{
	size_t whole = RIG_HEADER + SA_HEADER + size;
	g_autofree uint8_t *umad = g_malloc0(MAX(whole, RIG_UMAD));
	uint8_t *mad = umad + RIG_HEADER;

	g_assert_cmpint(rig_recv(&pair->server.rig, pair->answers, umad, WAIT_MS), ==, RIG_UMAD);
	mad[MAD_METHOD] = METHOD_GET_TABLE | 0x80;
	mad[RMPP_VERSION] = 1;
	mad[RMPP_TYPE] = 1;
	mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	for (size_t i = 0; i < size; i++)
		mad[SA_HEADER + i] = (uint8_t)(i * 7 + i / 251);
	rig_put_u32(umad, RIG_TIMEOUT, 5000);
	put_be32(umad + RIG_QKEY, QKEY_GSI);
	g_assert_cmpint(umad_backend_attach.send(pair->answers, umad, whole), ==, whole);
}

static void check_table(const uint8_t *umad, size_t size)
{
	for (size_t i = 0; i < size; i++)
		g_assert_cmpuint(umad[RIG_HEADER + SA_HEADER + i], ==, (uint8_t)(i * 7 + i / 251));
}

static void test_large(gconstpointer data)
{
	size_t size = GPOINTER_TO_SIZE(data), whole = RIG_HEADER + SA_HEADER + size;
	g_autofree uint8_t *umad = g_malloc0(whole);
	struct pair pair = pair_start();
	uint32_t agent = register_sa(pair.asks, 0);

	register_sa(pair.answers, UINT64_C(1) << METHOD_GET_TABLE);
	ask_table(&pair, agent, 1);
	answer_table(&pair, size);
	g_assert_cmpint(umad_backend_attach.poll(pair.asks, WAIT_MS), >, 0);
	/* Another MAD follows; the one that does not fit stays in front. */
	ask(&pair, pair.asks, 2);
	answer(&pair);
	for (unsigned int i = 0; i < 3; i++) {
		g_assert_cmpint(umad_backend_attach.recv(pair.asks, umad, 319), ==, -EINVAL);
		memset(umad, 0, RIG_UMAD);
		g_assert_cmpint(umad_backend_attach.recv(pair.asks, umad, whole - 1), ==, -ENOSPC);
		g_assert_cmpuint(rig_get_u32(umad, RIG_LENGTH), ==, whole);
		g_assert_cmpuint(umad[RIG_HEADER + SA_HEADER + 100], ==, 700 & 0xff);
	}
	g_assert_cmpint(umad_backend_attach.recv(pair.asks, umad, whole), ==, whole);
	check_table(umad, size);
	g_assert_cmpuint(take(&pair, pair.asks), ==, 2);
	pair_end(&pair);
}

/* A message that turns out to be too large after it was read goes back to the front. */
static void test_put_back(void)
{
	size_t size = 5000, whole = RIG_HEADER + SA_HEADER + size;
	g_autofree uint8_t *umad = g_malloc0(whole);
	struct pair pair = pair_start();
	uint32_t agent = register_sa(pair.asks, 0);
	g_autofree char *fd_text = g_strdup_printf("%d", pair.asks);
	int status;
	pid_t pid;

	register_sa(pair.answers, UINT64_C(1) << METHOD_GET_TABLE);
	ask_table(&pair, agent, 1);
	answer_table(&pair, size);
	pid = fork();
	if (pid == 0) {
		/* Another program that got the handle and does not know about RMPP. */
		char *arg[] = { (char *)"server", (char *)"--take", fd_text,
				pair.server.socket, NULL };

		fcntl(pair.asks, F_SETFD, 0);
		execv("/proc/self/exe", arg);
		_exit(127);
	}
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	g_assert_cmpint(status, ==, 0);
	g_assert_cmpint(umad_backend_attach.poll(pair.asks, WAIT_MS), >, 0);
	g_assert_cmpint(umad_backend_attach.recv(pair.asks, umad, whole), ==, whole);
	check_table(umad, size);
	pair_end(&pair);
}

/* The program that test_put_back() runs. */
static int take_and_leave(int fd, const char *socket)
{
	uint8_t umad[RIG_UMAD];
	char message[512];

	if (umad_backend_attach.start(socket, message, sizeof(message)) < 0)
		return 2;
	return umad_backend_attach.recv_wait(fd, umad, sizeof(umad), WAIT_MS) == -ENOSPC ? 0 : 3;
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "--take") == 0)
		return take_and_leave(atoi(argv[2]), argv[3]);
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/server/small-buffer", test_small_buffer);
	g_test_add_data_func("/server/large/segments", GSIZE_TO_POINTER(5000), test_large);
	g_test_add_data_func("/server/large/memfd-in", GSIZE_TO_POINTER(100000), test_large);
	g_test_add_func("/server/large/put-back", test_put_back);
	/* The calling thread's connection belongs to the library, and ends with the process. */
	return g_test_run();
}
