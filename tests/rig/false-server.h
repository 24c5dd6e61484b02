/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A socket that behaves like a fabric server of lib/attach/protocol.h and replies as a test says:
 * for tests of what programs accept from a server.
 */
#ifndef UMADRIG_TESTS_RIG_FALSE_SERVER_H
#define UMADRIG_TESTS_RIG_FALSE_SERVER_H

#include <glib.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/attach/protocol.h"
#include "lib/base/handle-token.h"
#include "tests/rig/send-descriptors.h"

enum { FALSE_SERVER_CONNECTIONS = 8 };

struct false_server {
	/* Replies to a call with false_server_reply(). Called in the server's thread. */
	void (*reply)(struct false_server *server, int socket, const struct attach_call *call);
	const void *row;	/* the test's own */
	char *directory, *path;
	int listener;
	int control[2];
	GThread *thread;
};

/* Replies to ATTACH_OPEN: the handle is a copy of the connection, with a token. */
static inline void false_server_reply_handle(int socket)
{
	struct attach_reply head = { .result = 0 };

	if (!handle_token(socket))
		g_assert_cmpint(handle_token_set(socket, &(uint64_t){ 0 }), ==, 0);
	send_descriptors(socket, &head, sizeof(head), socket, 1);
}

/* Sends the reply, followed by 'more' zero bytes, with 'count' copies of 'fd'. */
static inline void false_server_reply(int socket, int64_t result, size_t more, int fd, size_t count)
{
	struct {
		struct attach_reply head;
		uint8_t more[ATTACH_BANNER_SIZE];
	} bytes = { .head.result = result };

	send_descriptors(socket, &bytes, sizeof(bytes.head) + more, fd, count);
}

/* Receives one message. False: the program has hung up. Descriptors with it are not received. */
static inline bool false_server_take(struct false_server *server, int socket)
{
	static uint8_t buffer[ATTACH_REPLY_MAX];
	struct attach_call call;

	if (recv(socket, buffer, sizeof(buffer), 0) < (ssize_t)sizeof(call))
		return false;
	memcpy(&call, buffer, sizeof(call));
	server->reply(server, socket, &call);
	return true;
}

static inline void *false_server_run(void *data)
{
	struct false_server *server = data;
	struct pollfd polled[2 + FALSE_SERVER_CONNECTIONS] = {
		{ .fd = server->control[0], .events = POLLIN },
		{ .fd = server->listener, .events = POLLIN },
	};
	nfds_t count = 2;

	for (;;) {
		g_assert_cmpint(poll(polled, count, -1), >, 0);
		if (polled[0].revents)
			break;
		for (nfds_t i = 2; i < count; i++) {
			if (!polled[i].revents || false_server_take(server, polled[i].fd))
				continue;
			close(polled[i].fd);
			polled[i--] = polled[--count];
		}
		if (!polled[1].revents)
			continue;
		g_assert_cmpuint(count, <, G_N_ELEMENTS(polled));
		polled[count].fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
		polled[count].events = POLLIN;
		polled[count++].revents = 0;
	}
	while (count > 2)
		close(polled[--count].fd);
	return NULL;
}

/* 'reply' and 'row' are set. */
static inline void false_server_begin(struct false_server *server)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	server->directory = g_dir_make_tmp("umadrig-test-XXXXXX", NULL);
	server->path = g_build_filename(server->directory, "socket", NULL);
	server->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	g_strlcpy(address.sun_path, server->path, sizeof(address.sun_path));
	g_assert_cmpint(bind(server->listener, (struct sockaddr *)&address, sizeof(address)), ==,
			0);
	g_assert_cmpint(listen(server->listener, FALSE_SERVER_CONNECTIONS), ==, 0);
	g_assert_cmpint(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, server->control), ==, 0);
	server->thread = g_thread_new("server", false_server_run, server);
}

static inline void false_server_end(struct false_server *server)
{
	g_assert_cmpint(write(server->control[1], "", 1), ==, 1);
	g_thread_join(server->thread);
	close(server->listener);
	close(server->control[0]);
	close(server->control[1]);
	g_unlink(server->path);
	g_rmdir(server->directory);
	g_free(server->path);
	g_free(server->directory);
}

#endif
