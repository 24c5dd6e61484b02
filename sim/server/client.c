/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The clients of a server: see sim/server/client.h.
 */
#include "config.h"

#include "sim/server/client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/invariant.h"
#include "sim/server/closer.h"
#include "sim/server/guest-call.h"
#include "sim/server/lockstep-owner.h"

/* Refuses a connection of a process that has too many of 'what'. */
static void turn_away(struct server_clients *clients, const struct server_account *account,
		      const char *what, int fd)
{
	if (!clients->has_turned_away)
		fprintf(stderr,
			"umadrig: process %d has %u connections to the fabric server and gets "
			"no more (limit: %s)\n", (int)account->pid, account->connections, what);
	clients->has_turned_away = true;
	shutdown(fd, SHUT_RDWR);
	closer_close(clients->watches->closer, fd);
}

int server_client_admit(struct server_clients *clients, int fd)
{
	struct server_account *account = server_account_get(&clients->accounts, fd);
	struct server_client *client;
	int ret;

	if (account->connections >= clients->accounts.limits.most[SERVER_LIMIT_CONNECTIONS]) {
		turn_away(clients, account, server_limit_name(SERVER_LIMIT_CONNECTIONS), fd);
		return -EMFILE;
	}
	if (!server_account_has_room(&clients->accounts, account)) {
		turn_away(clients, account, "descriptors of the server, ulimit -n", fd);
		return -EMFILE;
	}
	client = g_new0(struct server_client, 1);
	client->watch = (struct watch){ .kind = WATCH_CLIENT, .fd = fd };
	client->serial = ++clients->last_serial;
	client->account = account;
	ret = watch_add(clients->watches, &client->watch, EPOLLIN);
	if (ret < 0) {
		close(fd);
		g_free(client);
		return ret;
	}
	account->connections++;
	client->next = clients->first;
	client->link = &clients->first;
	if (client->next)
		client->next->link = &client->next;
	clients->first = client;
	clients->count++;
	return 0;
}

/* Removes a host's view of /sys/class when its last client has gone. */
static void remove_view(struct server_clients *clients, const struct umadrig_host *host)
{
	struct sysfs_views *views = &clients->served->views;
	const struct server_client *other = clients->first;

	if (!host || !sysfs_views_has(views, host))
		return;
	while (other && other->host != host)
		other = other->next;
	if (!other)
		sysfs_views_remove(views, host);
}

void server_client_end(struct server_clients *clients, struct server_client *client, bool files)
{
	if (files)
		server_files_close_of(&clients->served->files, client->serial);
	*client->link = client->next;
	if (client->next)
		client->next->link = client->link;
	clients->count--;
	clients->awaiting -= client->awaits_changes;
	lockstep_owner_forget(clients->served->owner, client);
	client->account->rings -= client->ring.shared != NULL;
	client->account->connections--;
	remove_view(clients, client->host);
	guest_call_end(client->guest_call);
	server_ring_close(clients->rings, &client->ring);
	watch_close_socket(clients->watches, &client->watch);
	g_free(client);
}

bool server_client_is_guest(const struct server_client *client)
{
	return client->account->uid != 0 && client->account->uid != geteuid();
}

pid_t server_client_pid(const struct server_client *client)
{
	return client->account->pid;
}

const char *server_clients_check(const struct server_clients *clients)
{
	struct server_client *const *link = &clients->first;
	unsigned int count = 0, awaiting = 0;

	for (const struct server_client *client = *link; client; client = *link) {
		MUST(count++ < clients->count, "clients: they are counted");
		MUST(client->link == link, "client: it knows what leads to it");
		MUST(client->serial && client->serial <= clients->last_serial,
		     "client: its serial has been given");
		MUST(client->account, "client: its process has an account");
		MUST_HOLD(server_ring_check(clients->rings, &client->ring));
		awaiting += client->awaits_changes;
		link = &client->next;
	}
	MUST(count == clients->count, "clients: they are counted");
	MUST(awaiting == clients->awaiting, "clients: those that await changes are counted");
	return NULL;
}

void server_clients_note_use(struct server_clients *clients, const char *session)
{
	if (!*session || strcmp(clients->disregarded_session, session) != 0)
		clients->was_used = true;
	if (g_hash_table_contains(clients->expected_sessions, session))
		g_hash_table_replace(clients->expected_sessions, g_strdup(session),
				     GINT_TO_POINTER(true));
	for (struct server_client *client = *session ? clients->first : NULL; client;
	     client = client->next) {
		if (strcmp(client->watched_session, session) == 0)
			client->session_was_used = true;
	}
}
