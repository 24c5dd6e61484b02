/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A large message does not hold up a server's other programs: it is sent out of the memfd that it
 * has come in, and received slice by slice, between which others get their answers.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/rig/guarded-server.h"

enum {
	SA_HEADER = 56, METHOD_GET_TABLE = 0x12, MESSAGE = 8 << 20,
	WHOLE = RIG_HEADER + SA_HEADER + MESSAGE,
};

static uint32_t add_rmpp_agent(struct guarded *guarded, const struct guarded_open *opened,
			       uint64_t methods)
{
	struct attach_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT, .qpn = 1, .rmpp_version = 1,
		.mgmt_class = MAD_CLASS_SUBN_ADM, .mgmt_class_version = 2,
		.method_mask = { methods },
	};

	g_assert_cmpint(guarded_ask_of(guarded, opened, ATTACH_REGISTER, &reg, sizeof(reg), &reg,
				       sizeof(reg)), ==, 0);
	return reg.id;
}

/* Bytes in the memfd that the server makes for a message that it receives; 0: there is none. */
static size_t received_so_far(void)
{
	DIR *dir = opendir("/proc/self/fd");
	const struct dirent *entry;
	size_t size = 0;

	while ((entry = readdir(dir))) {
		char name[64] = "";
		struct stat st;

		if (readlinkat(dirfd(dir), entry->d_name, name, sizeof(name) - 1) > 0 &&
		    g_str_has_prefix(name, "/memfd:umadrig ") &&
		    fstatat(dirfd(dir), entry->d_name, &st, 0) == 0 && st.st_size > 1 << 17)
			size = (size_t)st.st_size;
	}
	closedir(dir);
	return size;
}

/* A message that answers the request in 'record', in a memfd. */
static int make_answer(const struct attach_record *record, bool is_sealed)
{
	g_autofree uint8_t *umad = g_malloc(WHOLE);
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	for (size_t i = 0; i < WHOLE; i++)
		umad[i] = (uint8_t)(i * 7 + i / 251);
	memcpy(umad, record->bytes, ATTACH_HEAD_SIZE);
	umad[RIG_HEADER + MAD_METHOD] |= MAD_METHOD_RESPONSE;
	umad[RIG_HEADER + RMPP_VERSION] = umad[RIG_HEADER + RMPP_TYPE] = 1;
	umad[RIG_HEADER + RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	rig_put_u32(umad, RIG_TIMEOUT, 0);
	put_be32(umad + RIG_QKEY, QKEY_GSI);
	g_assert_cmpint(write(fd, umad, WHOLE), ==, WHOLE);
	if (is_sealed)
		g_assert_cmpint(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_WRITE), ==, 0);
	return fd;
}

static struct attach_record await_record(struct guarded *guarded, int handle, int *ret_fd)
{
	struct attach_record record;
	int flags;
	long n = -1;

	while (n < 0) {
		g_assert_cmpint(server_step(guarded->server, GUARDED_STEP_MS), ==, 0);
		n = attach_receive(handle, &record, sizeof(record), MSG_DONTWAIT, ret_fd, &flags);
	}
	g_assert_cmpint(n, ==, sizeof(record));
	return record;
}

/* The reply to a SEND of the memfd; -EPIPE: the server has hung up. */
static int64_t send_memfd(struct guarded *guarded, const struct guarded_open *opened, int fd)
{
	struct attach_call call = {
		.op = ATTACH_SEND, .argument = WHOLE, .handle = opened->token,
	};
	struct iovec part = { &call, sizeof(call) };
	struct attach_reply reply;
	ssize_t n = -1;

	g_assert_cmpint(socket_message_send(opened->socket, &part, 1, fd, 0), ==, 0);
	while (n < 0) {
		g_assert_cmpint(server_step(guarded->server, GUARDED_STEP_MS), ==, 0);
		n = recv(opened->socket, &reply, sizeof(reply), MSG_DONTWAIT);
	}
	return n > 0 ? reply.result : -EPIPE;
}

struct pair {
	struct guarded_open asker, answerer;
	struct attach_record request;
};

/* Somebody has asked, and somebody has not answered. */
static struct pair make_pair(struct guarded *guarded)
{
	struct pair pair = {
		.asker = guarded_open_on(guarded, "H1", 0),
		.answerer = guarded_open_on(guarded, "H2", 0),
	};
	struct rig_get get = {
		.mgmt_class = MAD_CLASS_SUBN_ADM, .method = METHOD_GET_TABLE, .attr = 0x11,
		.dlid = 2, .tid = 1, .timeout_ms = 60000,
	};
	int fd;

	pair.asker.agent = add_rmpp_agent(guarded, &pair.asker, 0);
	add_rmpp_agent(guarded, &pair.answerer, UINT64_C(1) << METHOD_GET_TABLE);
	g_assert_cmpint(guarded_send_mad(guarded, &pair.asker, &get), ==, RIG_UMAD);
	pair.request = await_record(guarded, pair.answerer.handle, &fd);
	return pair;
}

static void pair_close(struct pair *pair)
{
	guarded_close(&pair->asker);
	guarded_close(&pair->answerer);
}

static void test_slices(void)
{
	struct guarded guarded = guarded_start();
	struct pair pair = make_pair(&guarded);
	int other = guarded_admit(&guarded), sent, got = -1, flags;
	unsigned int between = 0, answers = 0;
	struct attach_record record;
	g_autofree uint8_t *want = g_malloc(WHOLE), *have = g_malloc(WHOLE);

	guarded_hello(&guarded, other);
	sent = make_answer(&pair.request, true);
	g_assert_cmpint(send_memfd(&guarded, &pair.answerer, sent), ==, WHOLE);
	while (attach_receive(pair.asker.handle, &record, sizeof(record), MSG_DONTWAIT, &got,
			      &flags) < 0) {
		size_t size;

		guarded_ask(&guarded, other, ATTACH_LIST_CAS, NULL, 0, NULL, 0);
		answers++;
		size = received_so_far();
		between += size > 0 && size < WHOLE;
	}
	g_assert_cmpuint(record.is_large, ==, 1);
	g_assert_cmpuint(between, >=, 4);
	/* One after each thousand segments, or so: there are 38,000, and ACKs. */
	g_test_message("%u answers", answers);
	g_assert_cmpuint(answers, >=, 30);
	g_assert_cmpint(pread(sent, want, WHOLE, 0), ==, WHOLE);
	g_assert_cmpint(pread(got, have, WHOLE, 0), ==, WHOLE);
	g_assert_cmpint(memcmp(want + RIG_HEADER + SA_HEADER, have + RIG_HEADER + SA_HEADER,
			       MESSAGE), ==, 0);
	close(sent);
	close(got);
	close(other);
	pair_close(&pair);
	guarded_end(&guarded);
}

/* The reader goes while its message is on the way, or the writer does. */
static void test_ends(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct guarded guarded = guarded_start();
		struct pair pair = make_pair(&guarded);
		int fd = make_answer(&pair.request, true);
		unsigned int left = 100;

		g_assert_cmpint(send_memfd(&guarded, &pair.answerer, fd), ==, WHOLE);
		while (i == 0 && received_so_far() == 0)
			g_assert_cmpint(server_step(guarded.server, GUARDED_STEP_MS), ==, 0);
		close(fd);
		pair_close(&pair);
		while (server_file_count(guarded.server) > 0 && left-- > 0)
			g_assert_cmpint(server_step(guarded.server, GUARDED_STEP_MS), ==, 0);
		g_assert_cmpuint(server_file_count(guarded.server), ==, 0);
		guarded_end(&guarded);
	}
}

/* What could change, or go, while the server sends it is refused. */
static void test_unsealed(void)
{
	struct guarded guarded = guarded_start();
	struct pair pair = make_pair(&guarded);
	int fd = make_answer(&pair.request, false);

	g_assert_cmpint(send_memfd(&guarded, &pair.answerer, fd), ==, -EPIPE);
	close(fd);
	pair_close(&pair);
	guarded_end(&guarded);
}

int main(int argc, char **argv)
{
	guarded_begin(&argc, &argv);
	g_test_add_func("/server-slices/slices", test_slices);
	g_test_add_func("/server-slices/ends", test_ends);
	g_test_add_func("/server-slices/unsealed", test_unsealed);
	return guarded_finish();
}
