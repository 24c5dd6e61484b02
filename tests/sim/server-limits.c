/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a fabric server's clients may have: connections, handles, memory; and that what they had is
 * given back.
 */
#include <malloc.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/rig/guarded-server.h"

static void set_limits(struct guarded *guarded, const char *text)
{
	struct server_limits limits;
	char message[512] = "";

	server_limits_init(&limits);
	server_limits_parse(&limits, text, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	server_set_limits(guarded->server, &limits);
}

struct limit_text {
	const char *text, *error;
};

static const struct limit_text limit_texts[] = {
	{ "handles=1", "" },
	{ "handles=1,sending=3K,received=64M,send=1G", "" },
	{ "handles=0", "expected handles=NUMBER" },
	{ "handles", "expected handles=NUMBER" },
	{ "handles=1T", "expected handles=NUMBER" },
	{ "handles=-1", "expected handles=NUMBER" },
	{ "handles=99999999999999999999", "expected handles=NUMBER" },
	{ "sending=99999999999999999G", "expected sending=NUMBER" },
	{ "", "unknown limit" },
	{ "handles=1,hands=2", "hands=2: unknown limit; there are: connections, handles, rings" },
};

static void test_limit_texts(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(limit_texts); i++) {
		const struct limit_text *row = &limit_texts[i];
		struct server_limits limits, before;
		char message[512] = "";
		int ret;

		server_limits_init(&limits);
		before = limits;
		ret = server_limits_parse(&limits, row->text, message, sizeof(message));
		g_assert_cmpint(ret, ==, row->error[0] ? -EINVAL : 0);
		g_assert_nonnull(strstr(message, row->error));
		g_assert_cmpint(memcmp(&limits, &before, sizeof(limits)) == 0, ==, ret < 0);
	}
}

static void test_limit_counts(void)
{
	enum { MOST = 3 };
	struct guarded guarded = guarded_start();
	int fds[MOST], handles[MOST], fd, bell = eventfd(0, 0), flags;
	struct attach_reply reply;

	set_limits(&guarded, "connections=3,handles=3,rings=2,returned=3");
	for (unsigned int i = 0; i < MOST; i++) {
		fds[i] = guarded_admit(&guarded);
		guarded_hello(&guarded, fds[i]);
	}
	fd = guarded_connect(&guarded);
	g_assert_cmpint(server_step(guarded.server, GUARDED_STEP_MS), ==, 0);
	g_assert_cmpint(recv(fd, &reply, sizeof(reply), 0), <=, 0);
	close(fd);
	for (unsigned int i = 0; i < MOST; i++)
		g_assert_cmpint(guarded_open_handle(&guarded, fds[i], "H1", &handles[i]), ==, 0);
	g_assert_cmpint(guarded_open_handle(&guarded, fds[0], "H1", &fd), ==, -EMFILE);
	for (unsigned int i = 0; i < MOST; i++) {
		guarded_send_with(fds[i], ATTACH_RING, NULL, 0, bell, 1);
		g_assert_cmpint(server_step(guarded.server, GUARDED_STEP_MS), ==, 0);
		g_assert_cmpint(attach_receive(fds[i], &reply, sizeof(reply), 0, &fd, &flags), >,
				0);
		g_assert_cmpint(reply.result, ==, i < 2 ? 0 : -EMFILE);
		if (fd >= 0)
			close(fd);
	}
	/* What is released is available to others. */
	close(handles[0]);
	while (server_file_count(guarded.server) == MOST)
		g_assert_cmpint(server_step(guarded.server, GUARDED_STEP_MS), ==, 0);
	g_assert_cmpint(guarded_open_handle(&guarded, fds[0], "H1", &handles[0]), ==, 0);
	for (unsigned int i = 0; i < MOST; i++) {
		close(handles[i]);
		close(fds[i]);
	}
	close(bell);
	guarded_end(&guarded);
}

/* By default a large fabric's SA may answer for all paths: 2,800 nodes, 64 bytes for each pair. */
static void test_limit_default(void)
{
	const uint64_t paths = UINT64_C(2800) * 2800 * 64;
	struct server_limits limits;

	server_limits_init(&limits);
	g_assert_cmpuint(limits.most[SERVER_LIMIT_SEND], >=, paths);
	g_assert_cmpuint(limits.most[SERVER_LIMIT_SENDING], >=, 2 * paths);
	g_assert_cmpuint(limits.most[SERVER_LIMIT_RECEIVED], >=, 2 * paths);
}

/* A message that is too large is refused, and the server says why: programs hardly do. */
static void test_limit_send(void)
{
	enum { LARGE = 100000 };
	struct guarded guarded = guarded_start();
	struct guarded_open opened = guarded_open_on(&guarded, "H1", 0);
	struct attach_call call = { .op = ATTACH_SEND, .argument = LARGE, .handle = opened.token };
	struct iovec part = { &call, sizeof(call) };
	int memfd = memfd_create("message", 0), fd, flags;
	struct attach_reply reply;

	set_limits(&guarded, "send=99999");
	g_assert_cmpint(ftruncate(memfd, LARGE), ==, 0);
	g_assert_cmpint(socket_message_send(opened.socket, &part, 1, memfd, 0), ==, 0);
	g_assert_cmpint(server_step(guarded.server, GUARDED_STEP_MS), ==, 0);
	g_assert_cmpint(attach_receive(opened.socket, &reply, sizeof(reply), 0, &fd, &flags), ==,
			sizeof(reply));
	g_assert_cmpint(reply.result, ==, -ENOMEM);
	close(memfd);
	guarded_close(&opened);
	guarded_end(&guarded);
}

static const struct rig_get to_nobody = {
	.mgmt_class = 0x32, .attr = 0x10, .dlid = 77, .timeout_ms = 3600000,
};

static void test_limit_sending(void)
{
	enum { MANY = 2000 };
	struct guarded guarded = guarded_start();
	struct rig_get get = to_nobody;
	struct guarded_open opened, other;
	int64_t result = RIG_UMAD;

	set_limits(&guarded, "sending=200K");
	opened = guarded_open_on(&guarded, "H1", 0);
	other = guarded_open_on(&guarded, "H2", 0);
	while (result == RIG_UMAD && get.tid < MANY) {
		get.tid++;
		result = guarded_send_mad(&guarded, &opened, &get);
	}
	g_assert_cmpint(result, ==, -ENOMEM);
	g_assert_cmpuint(get.tid, >, 100);
	/* The limits apply to the process; when its requests are done, it may send again. */
	g_assert_cmpint(guarded_send_mad(&guarded, &other, &get), ==, -ENOMEM);
	close(opened.handle);
	while (server_file_count(guarded.server) == 2)
		g_assert_cmpint(server_step(guarded.server, GUARDED_STEP_MS), ==, 0);
	g_assert_cmpint(guarded_send_mad(&guarded, &other, &get), ==, RIG_UMAD);
	close(opened.socket);
	guarded_close(&other);
	guarded_end(&guarded);
}

/* A process opens handles for two programs: what the first uses up is not the second's. */
static void test_limit_programs(void)
{
	enum { MANY = 2000, MOST = 12, ONE = 7, OTHER = 8 };
	struct guarded guarded = guarded_start();
	struct rig_get get = to_nobody;
	struct guarded_open opened, other;
	int64_t result = RIG_UMAD;
	int handles[MOST], count = 1;

	set_limits(&guarded, "sending=200K,handles=12");
	guarded_opens_for = ONE;
	opened = guarded_open_on(&guarded, "H1", 0);
	while (guarded_open_handle(&guarded, opened.socket, "H1", &handles[count]) == 0)
		count++;
	g_assert_cmpint(count, ==, MOST / 2);
	while (result == RIG_UMAD && get.tid < MANY) {
		get.tid++;
		result = guarded_send_mad(&guarded, &opened, &get);
	}
	g_assert_cmpint(result, ==, -ENOMEM);
	guarded_opens_for = OTHER;
	other = guarded_open_on(&guarded, "H2", 0);
	guarded_opens_for = 0;
	g_assert_cmpint(guarded_send_mad(&guarded, &other, &get), ==, RIG_UMAD);
	g_assert_cmpint(guarded_send_mad(&guarded, &opened, &get), ==, -ENOMEM);
	while (count > 1)
		close(handles[--count]);
	guarded_close(&opened);
	guarded_close(&other);
	guarded_end(&guarded);
}

/* Reads all MADs of a handle and counts them. */
static unsigned int read_all(struct guarded *guarded, const struct guarded_open *opened)
{
	struct attach_record record;
	unsigned int count = 0;

	do {
		while (recv(opened->handle, &record, sizeof(record), MSG_DONTWAIT) > 0)
			count++;
		g_assert_cmpint(server_step(guarded->server, 0), ==, 0);
	} while (recv(opened->handle, &record, sizeof(record), MSG_DONTWAIT | MSG_PEEK) > 0);
	return count;
}

static void test_limit_received(void)
{
	enum { MANY = 3000 };
	struct guarded guarded = guarded_start();
	struct rig_get get = { .mgmt_class = 0x32, .attr = 0x10, .dlid = 2,
			       .method = MAD_METHOD_SEND };
	struct guarded_open sends, receives;
	unsigned int count;

	set_limits(&guarded, "received=100K");
	sends = guarded_open_on(&guarded, "H1", 0);
	receives = guarded_open_on(&guarded, "H2", UINT64_C(1) << MAD_METHOD_SEND);
	for (get.tid = 1; get.tid <= MANY; get.tid++)
		g_assert_cmpint(guarded_send_mad(&guarded, &sends, &get), ==, RIG_UMAD);
	count = read_all(&guarded, &receives);
	g_assert_cmpuint(count, >, 100);
	g_assert_cmpuint(count, <, MANY);
	g_assert_cmpint(guarded_send_mad(&guarded, &sends, &get), ==, RIG_UMAD);
	g_assert_cmpuint(read_all(&guarded, &receives), ==, 1);
	guarded_close(&sends);
	guarded_close(&receives);
	guarded_end(&guarded);
}

static size_t heap_size(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.arena + info.hblkhd;
}

/* Memory is returned to the system when the client that used it has gone. */
static void test_memory(void)
{
	enum { MANY = 20000 };
	struct guarded guarded = guarded_start();
	struct guarded_open opened = guarded_open_on(&guarded, "H1", 0);
	struct rig_get get = to_nobody;
	size_t before = heap_size(), full;

	for (get.tid = 1; get.tid <= MANY; get.tid++)
		g_assert_cmpint(guarded_send_mad(&guarded, &opened, &get), ==, RIG_UMAD);
	full = heap_size();
	guarded_close(&opened);
	while (server_client_count(guarded.server) > 0 || server_file_count(guarded.server) > 0)
		g_assert_cmpint(server_step(guarded.server, GUARDED_STEP_MS), ==, 0);
	if (full == 0)
		g_test_skip("the allocator does not say what it has");
	else
		g_assert_cmpuint(heap_size() - before, <, (full - before) / 4);
	guarded_end(&guarded);
}

int main(int argc, char **argv)
{
	guarded_begin(&argc, &argv);
	g_test_add_func("/server-limits/texts", test_limit_texts);
	g_test_add_func("/server-limits/counts", test_limit_counts);
	g_test_add_func("/server-limits/default", test_limit_default);
	g_test_add_func("/server-limits/send", test_limit_send);
	g_test_add_func("/server-limits/sending", test_limit_sending);
	g_test_add_func("/server-limits/programs", test_limit_programs);
	g_test_add_func("/server-limits/received", test_limit_received);
	g_test_add_func("/server-limits/memory", test_memory);
	return guarded_finish();
}
