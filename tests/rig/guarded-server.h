/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fabric server in the test's own process, which goes on step by step: what a client does to it
 * is a call of the protocol, byte by byte, and a step that blocks is ended by alarm(2).
 */
#ifndef UMADRIG_TESTS_RIG_GUARDED_SERVER_H
#define UMADRIG_TESTS_RIG_GUARDED_SERVER_H

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/handle-token.h"
#include "lib/base/socket-message.h"
#include "tests/rig/send-descriptors.h"
#include "tests/rig/server-rig.h"

enum {
	GUARDED_ALARM_S = 120,		/* ends a server that blocks */
	GUARDED_STEP_MS = 1000,		/* of one step, which ends earlier if something happens */
};

struct guarded {
	char *directory, *socket;
	struct server *server;
};

/* A server of the default fabric; it has ended without a trace after guarded_end(). */
static inline struct guarded guarded_start(void)
{
	struct guarded guarded = { .directory = g_dir_make_tmp("umadrig-test-XXXXXX", NULL) };
	char message[512] = "";

	guarded.socket = g_build_filename(guarded.directory, "socket", NULL);
	guarded.server = server_new("", guarded.socket, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	g_assert_nonnull(guarded.server);
	alarm(GUARDED_ALARM_S);
	return guarded;
}

static inline void guarded_end(struct guarded *guarded)
{
	alarm(0);
	server_free(guarded->server);
	g_assert_cmpint(g_rmdir(guarded->directory), ==, 0);
	g_free(guarded->directory);
	g_free(guarded->socket);
}

/* Its socket, connected; the server has not seen it yet. */
static inline int guarded_connect(struct guarded *guarded)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, guarded->socket);
	g_assert_cmpint(connect(fd, (struct sockaddr *)&address, sizeof(address)), ==, 0);
	return fd;
}

/* The same, and the server has. */
static inline int guarded_admit(struct guarded *guarded)
{
	unsigned int count = server_client_count(guarded->server);
	int fd = guarded_connect(guarded);

	while (server_client_count(guarded->server) == count)
		g_assert_cmpint(server_step(guarded->server, GUARDED_STEP_MS), ==, 0);
	return fd;
}

static uint32_t guarded_opens_for;	/* the program that OPEN names; 0: none */

/* Sends with 'count' copies of 'fd'. */
static inline void guarded_send_with(int socket, uint32_t op, const void *data, size_t size,
				     int fd, size_t count)
{
	struct attach_call call = {
		.op = op, .argument = op == ATTACH_OPEN ? guarded_opens_for :
				      op == ATTACH_SYSFS ? 0 : 1,
	};
	uint8_t bytes[1024];

	g_assert_cmpuint(sizeof(call) + size, <=, sizeof(bytes));
	memcpy(bytes, &call, sizeof(call));
	if (size > 0)
		memcpy(bytes + sizeof(call), data, size);
	send_descriptors(socket, bytes, op ? sizeof(call) + size : 0, fd, count);
}

static inline void guarded_send(int socket, uint32_t op, const void *data, size_t size)
{
	guarded_send_with(socket, op, data, size, -1, 0);
}

/* The server's reply: the result and the text. */
static inline int64_t guarded_ask(struct guarded *guarded, int socket, uint32_t op,
				  const void *data, size_t size, char *text,
				  size_t text_size)
{
	struct { struct attach_reply reply; char text[1024]; } said;
	ssize_t n = -1;

	guarded_send(socket, op, data, size);
	while (n < 0) {
		g_assert_cmpint(server_step(guarded->server, GUARDED_STEP_MS), ==, 0);
		n = recv(socket, &said, sizeof(said), MSG_DONTWAIT);
	}
	g_assert_cmpint(n, >=, sizeof(said.reply));
	if (text) {
		n -= (ssize_t)sizeof(said.reply);
		g_assert_cmpuint(n, <, text_size);
		memcpy(text, said.text, n);
		text[n] = '\0';
	}
	return said.reply.result;
}

static inline void guarded_hello(struct guarded *guarded, int socket)
{
	const struct attach_hello hello = { .magic = ATTACH_MAGIC, .version = ATTACH_VERSION };

	g_assert_cmpint(guarded_ask(guarded, socket, ATTACH_HELLO, &hello, sizeof(hello), NULL, 0),
			>=, 0);
}

/* A line of the console: the result and the text. */
static inline int64_t guarded_console(struct guarded *guarded, int socket, const char *line,
				      char *text, size_t size)
{
	return guarded_ask(guarded, socket, ATTACH_CONSOLE, line, strlen(line), text, size);
}

/* A handle on H1 or H2, opened through a connection of its own that stays open. */
struct guarded_open {
	int socket, handle;
	uint64_t token;
	uint32_t agent;
};

/* -errno if the server refuses. */
static inline int guarded_open_handle(struct guarded *guarded, int socket, const char *ca,
				      int *ret_handle)
{
	struct attach_port_name name = { .portnum = 1 };
	struct attach_reply reply;
	int flags;
	long n = -1;

	strcpy(name.ca_name, ca);
	guarded_send(socket, ATTACH_OPEN, &name, sizeof(name));
	while (n < 0) {
		g_assert_cmpint(server_step(guarded->server, GUARDED_STEP_MS), ==, 0);
		n = attach_receive(socket, &reply, sizeof(reply), MSG_DONTWAIT, ret_handle, &flags);
	}
	return (int)reply.result;
}

/* A call on a handle: the result, and the first bytes of the reply unless 'ret' is NULL. */
static inline int64_t guarded_ask_of(struct guarded *guarded, const struct guarded_open *opened,
				     uint32_t op, const void *data, size_t size, void *ret,
				     size_t ret_size)
{
	struct attach_call call = { .op = op, .handle = opened->token };
	struct iovec parts[] = { { &call, sizeof(call) }, { (void *)data, size } };
	struct { struct attach_reply reply; uint8_t bytes[256]; } said;
	ssize_t n = -1;

	g_assert_cmpint(socket_message_send(opened->socket, parts, 2, -1, 0), ==, 0);
	while (n < 0) {
		g_assert_cmpint(server_step(guarded->server, GUARDED_STEP_MS), ==, 0);
		n = recv(opened->socket, &said, sizeof(said), MSG_DONTWAIT);
	}
	if (ret)
		memcpy(ret, said.bytes, ret_size);
	return said.reply.result;
}

/* On host "H1" or "H2", with an agent of a vendor class for 'methods'. */
static inline struct guarded_open guarded_open_on(struct guarded *guarded, const char *host,
						  uint64_t methods)
{
	struct attach_hello hello = { .magic = ATTACH_MAGIC, .version = ATTACH_VERSION };
	struct attach_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT, .qpn = 1, .oui = 0x001405,
		.mgmt_class = 0x32, .mgmt_class_version = 1, .method_mask = { methods },
	};
	struct guarded_open opened = { .socket = guarded_admit(guarded) };

	strcpy(hello.host, host);
	g_assert_cmpint(guarded_ask(guarded, opened.socket, ATTACH_HELLO, &hello, sizeof(hello),
				    NULL, 0), >=, 0);
	g_assert_cmpint(guarded_open_handle(guarded, opened.socket, host, &opened.handle), ==, 0);
	opened.token = handle_token(opened.handle);
	g_assert_cmpint(guarded_ask_of(guarded, &opened, ATTACH_REGISTER, &reg, sizeof(reg), &reg,
				      sizeof(reg)), ==, 0);
	opened.agent = reg.id;
	return opened;
}

static inline void guarded_close(struct guarded_open *opened)
{
	close(opened->handle);
	close(opened->socket);
}

/* The result of write(2). */
static inline int64_t guarded_send_mad(struct guarded *guarded, const struct guarded_open *opened,
				       const struct rig_get *get)
{
	uint8_t umad[RIG_UMAD];

	rig_fill(umad, opened->agent, get);
	return guarded_ask_of(guarded, opened, ATTACH_SEND, umad, sizeof(umad), NULL, 0);
}

/* ---- the test program ---- */

static char guarded_scratch[] = "/tmp/guarded-server-XXXXXX";

/*
 * A server that starts looks into the directories of all others beside its own, and each of them
 * sees that: these are alone. GLib looks at TMPDIR once, so it is set before anything else.
 */
static inline void guarded_begin(int *argc, char ***argv)
{
	g_assert_nonnull(mkdtemp(guarded_scratch));
	g_setenv("TMPDIR", guarded_scratch, true);
	leak_begin();
	g_test_init(argc, argv, NULL);
}

/* Runs the tests; returns what main() does. */
static inline int guarded_finish(void)
{
	int status = leak_end(g_test_run());

	g_assert_cmpint(g_rmdir(guarded_scratch), ==, 0);
	return status;
}

#endif
