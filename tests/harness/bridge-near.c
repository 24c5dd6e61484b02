/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The near end of a bridge hangs up on programs that violate lib/attach/protocol.h, and they leave
 * nothing behind; and it says why it does not talk to a far end.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/bridge/bridge.h"
#include "tests/rig/leak.h"
#include "tests/rig/send-descriptors.h"

struct row {
	const char *what;
	unsigned int count;	/* descriptors that come with the message */
	uint32_t op;
};

static const struct row rows[] = {
	{ "SEND with two memfds", 2, ATTACH_SEND },
	{ "SEND with more", 7, ATTACH_SEND },
	{ "PUT_BACK with two", 2, ATTACH_PUT_BACK },
	{ "LIST_CAS with two", 2, ATTACH_LIST_CAS },
	{ "LIST_CAS with one", 1, ATTACH_LIST_CAS },
};

/* Memory, so that the near end can take it for a memfd. */
static void say(int socket, const struct row *row)
{
	static const uint8_t umad[64] = { 0 };
	struct attach_call call = { .op = row->op, .argument = sizeof(umad) };
	int memfd = bridge_memfd(umad, sizeof(umad));

	g_assert_cmpint(memfd, >=, 0);
	send_descriptors(socket, &call, sizeof(call), memfd, row->count);
	close(memfd);
}

/* Expects it to hang up; the deadline is for a near end that does not. */
static void await_hangup(int socket)
{
	const struct timeval deadline = { .tv_sec = 60 };
	char byte;

	errno = 0;
	g_assert_cmpint(setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &deadline, sizeof(deadline)),
			==, 0);
	g_assert_cmpint(recv(socket, &byte, 1, 0), <=, 0);
	g_assert_cmpint(errno, !=, EAGAIN);
}

struct running {
	struct bridge_near *near;
	int control;
};

static void *run(void *data)
{
	struct running *running = data;

	g_assert_cmpint(bridge_near_run(running->near, running->control), ==, 0);
	return NULL;
}

static int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	g_strlcpy(address.sun_path, path, sizeof(address.sun_path));
	g_assert_cmpint(connect(fd, (struct sockaddr *)&address, sizeof(address)), ==, 0);
	return fd;
}

static void test_descriptors(gconstpointer data)
{
	GError *error = NULL;
	struct running running;
	struct bridge_stream far;
	int link[2], control[2], client;
	unsigned int before;
	GThread *thread;

	g_assert_cmpint(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, link), ==, 0);
	g_assert_cmpint(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control), ==, 0);
	bridge_stream_init(&far, link[1], link[1], BRIDGE_NEAR);
	bridge_stream_greet(&far);
	g_assert_cmpint(bridge_stream_flush(&far), ==, 0);
	running.near = bridge_near_new(link[0], &error);
	g_assert_no_error(error);
	running.control = control[0];
	before = leak_count();
	thread = g_thread_new("near", run, &running);
	client = connect_to(bridge_near_socket(running.near));
	say(client, data);
	await_hangup(client);
	close(client);
	g_assert_cmpint(write(control[1], "", 1), ==, 1);
	g_thread_join(thread);
	g_assert_cmpint(leak_count(), ==, before);
	bridge_near_free(running.near, true);
	bridge_stream_clear(&far);
	close(control[0]);
	close(control[1]);
}

/* ---- what the far end begins with ---- */

struct beginning {
	const char *what;
	enum bridge_kind kind;
	struct bridge_greeting greeting;
	const char *says;	/* after "there is no bridge: " */
};

#define OTHER_VERSION "the umadrig there is of another version: install the same on both machines"

static const struct beginning beginnings[] = {
	{ "another version of the bridge", BRIDGE_GREETING,
	  { BRIDGE_MAGIC, BRIDGE_VERSION + 1, ATTACH_VERSION, 0 }, OTHER_VERSION },
	{ "another version of the protocol", BRIDGE_GREETING,
	  { BRIDGE_MAGIC, BRIDGE_VERSION, ATTACH_VERSION - 1, 0 }, OTHER_VERSION },
	{ "another byte order", BRIDGE_GREETING,
	  { __builtin_bswap32(BRIDGE_MAGIC), BRIDGE_VERSION, ATTACH_VERSION, 0 },
	  "the machines are of different byte order" },
	{ "no greeting", BRIDGE_MAD, { BRIDGE_MAGIC, BRIDGE_VERSION, ATTACH_VERSION, 0 },
	  "it does not begin with a greeting" },
};

static void test_beginning(gconstpointer data)
{
	const struct beginning *row = data;
	g_autofree char *says = g_strconcat("there is no bridge: ", row->says, NULL);
	struct bridge_stream far;
	GError *error = NULL;
	int link[2];

	g_assert_cmpint(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, link), ==, 0);
	bridge_stream_init(&far, link[1], link[1], BRIDGE_NEAR);
	bridge_stream_put(&far, row->kind, 0, &row->greeting, sizeof(row->greeting), NULL, 0);
	g_assert_cmpint(bridge_stream_flush(&far), ==, 0);
	g_assert_null(bridge_near_new(link[0], &error));
	g_assert_error(error, COMMAND_ERROR, COMMAND_REFUSED);
	g_assert_cmpstr(error->message, ==, says);
	g_clear_error(&error);
	bridge_stream_clear(&far);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/bridge-near/%s", rows[i].what);

		g_test_add_data_func(path, &rows[i], test_descriptors);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(beginnings); i++) {
		g_autofree char *path = g_strdup_printf("/bridge-near/begins with %s",
							beginnings[i].what);

		g_test_add_data_func(path, &beginnings[i], test_beginning);
	}
	return leak_end(g_test_run());
}
