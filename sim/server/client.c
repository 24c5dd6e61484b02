/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The connections of a server: messages in, replies out. See sim/server/parts.h.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/socket-message.h"
#include "sim/server/parts.h"

int server_admit(struct server *server, int fd)
{
	struct server_client *client = g_new0(struct server_client, 1);
	int ret;

	client->watch = (struct watch){ .kind = WATCH_CLIENT, .fd = fd };
	client->serial = ++server->last_serial;
	ret = server_watch(server, &client->watch, EPOLLIN);
	if (ret < 0) {
		close(fd);
		g_free(client);
		return ret;
	}
	client->next = server->clients;
	client->link = &server->clients;
	if (client->next)
		client->next->link = &client->next;
	server->clients = client;
	server->client_count++;
	return 0;
}

void server_client_close_files(struct server *server, const struct server_client *client)
{
	struct server_file *next;

	for (struct server_file *file = server->first_file; file; file = next) {
		next = file->next;
		if (file->opener == client->serial)
			server_file_close(server, file);
	}
}

void server_client_end(struct server *server, struct server_client *client, bool files)
{
	if (files)
		server_client_close_files(server, client);
	*client->link = client->next;
	if (client->next)
		client->next->link = client->link;
	server->client_count--;
	server_ring_close(server, client);
	server_unwatch(server, &client->watch);
	g_free(client);
}

/* One message into the server's buffer: its size, 0: the client has gone, or -errno. */
static long receive(struct server *server, int socket, int *ret_fd)
{
	struct iovec part = { .iov_base = server->buffer, .iov_len = ATTACH_REPLY_MAX };
	int flags;
	long n = socket_message_receive(socket, &part, 1, MSG_DONTWAIT, ret_fd, &flags);

	if (n < 0)
		return n == -EAGAIN || n == -EINTR ? -EAGAIN : 0;
	if (flags & (MSG_TRUNC | MSG_CTRUNC))
		return -EPROTO;
	return n;
}

static int send_reply(int socket, const struct server_reply *reply)
{
	struct attach_reply start = { .result = reply->result };
	struct iovec parts[] = {
		{ .iov_base = &start, .iov_len = sizeof(start) },
		{ .iov_base = (void *)reply->bytes, .iov_len = reply->size },
	};

	return socket_message_send(socket, parts, reply->size ? 2 : 1, reply->fd, MSG_DONTWAIT);
}

void server_client_serve(struct server *server, struct server_client *client)
{
	struct server_reply reply = { .fd = -1 };
	int fd, ret;
	long n = receive(server, client->watch.fd, &fd);

	if (n == -EAGAIN)
		return;
	if (n == 0) {
		server_client_end(server, client, false);
		return;
	}
	ret = n < 0 ? (int)n : server_call(server, client, server->buffer, (size_t)n, fd, &reply);
	if (fd >= 0)
		close(fd);
	if (ret == 0) {
		/*
		 * What the call brought about at this instant is in the handles before the reply.
		 */
		server_settle(server);
		ret = send_reply(client->watch.fd, &reply);
	}
	if (reply.fd >= 0)
		close(reply.fd);
	/* A client takes its replies one by one: where there is no room for one, it does not. */
	if (ret < 0)
		server_client_end(server, client, true);
}
