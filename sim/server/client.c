/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The clients of a server: see sim/server/client.h.
 */
#include "config.h"

#include "sim/server/client.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

int server_client_admit(struct server_clients *clients, int fd)
{
	struct server_client *client = g_new0(struct server_client, 1);
	int ret;

	client->watch = (struct watch){ .kind = WATCH_CLIENT, .fd = fd };
	client->serial = ++clients->last_serial;
	ret = watch_add(clients->watches, &client->watch, EPOLLIN);
	if (ret < 0) {
		close(fd);
		g_free(client);
		return ret;
	}
	client->next = clients->first;
	client->link = &clients->first;
	if (client->next)
		client->next->link = &client->next;
	clients->first = client;
	clients->count++;
	return 0;
}

void server_client_end(struct server_clients *clients, struct server_client *client, bool files)
{
	if (files)
		server_files_close_of(&clients->served->files, client->serial);
	*client->link = client->next;
	if (client->next)
		client->next->link = client->link;
	clients->count--;
	server_ring_close(clients->rings, &client->ring);
	watch_close_socket(clients->watches, &client->watch);
	g_free(client);
}

pid_t server_client_pid(const struct server_client *client)
{
	struct ucred peer = { 0 };
	socklen_t size = sizeof(peer);

	if (getsockopt(client->watch.fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return 0;
	return peer.pid;
}
