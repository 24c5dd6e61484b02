/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The console of a server: lines that come over its socket, and what only a server can tell or do.
 * See sim/console/console.h.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/console/console.h"
#include "sim/server/parts.h"

/* Who asks, for verbs about clients. */
struct asker {
	struct server *server;
	const struct server_client *client;
};

static pid_t client_pid(const struct server_client *client)
{
	struct ucred peer = { 0 };
	socklen_t size = sizeof(peer);

	if (getsockopt(client->watch.fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return 0;
	return peer.pid;
}

static unsigned int count_files(const struct server *server, const struct server_client *client)
{
	unsigned int count = 0;

	for (const struct server_file *file = server->first_file; file; file = file->next)
		count += file->opener == client->serial;
	return count;
}

/* In order of coming, rings apart; the list has the last one first. */
static void list(void *ctx, GString *out)
{
	const struct asker *asker = ctx;
	g_autoptr(GPtrArray) clients = g_ptr_array_new();

	for (struct server_client *client = asker->server->clients; client; client = client->next) {
		if (client != asker->client && !client->ring)
			g_ptr_array_insert(clients, 0, client);
	}
	for (unsigned int i = 0; i < clients->len; i++) {
		const struct server_client *client = g_ptr_array_index(clients, i);
		unsigned int files = count_files(asker->server, client);

		g_string_append_printf(out, "Client %" G_GUINT64_FORMAT ": pid %d %s \"%s\", %u "
				       "open handle%s\n", client->serial, (int)client_pid(client),
				       client->host ? "at host" : "of umadrig itself,",
				       client->host ? client->host->name : "no host", files,
				       files == 1 ? "" : "s");
	}
}

/*
 * The connections themselves end when the loop comes to them: here it may be in the midst of them.
 */
static int disconnect(void *ctx, uint64_t number)
{
	const struct asker *asker = ctx;
	pid_t pid = 0;

	for (struct server_client *client = asker->server->clients; client; client = client->next) {
		if (client->serial == number && client != asker->client)
			pid = client_pid(client);
	}
	if (!pid)
		return -ENOENT;
	for (struct server_client *client = asker->server->clients; client; client = client->next) {
		if (client_pid(client) != pid)
			continue;
		server_client_close_files(asker->server, client);
		shutdown(client->watch.fd, SHUT_RDWR);
	}
	return 0;
}

static void quit(void *ctx)
{
	const struct asker *asker = ctx;

	server_stop(asker->server);
}

static const struct console_server console_server = { list, disconnect, quit };

/* Text that is too long for a message: in a memfd. 0 or -errno. */
static int put_aside(const char *text, size_t size, int *ret_fd)
{
	int fd = memfd_create("umadrig-console", MFD_CLOEXEC);
	int ret = 0;

	if (fd < 0)
		return -errno;
	while (size > 0 && ret == 0) {
		ssize_t n = write(fd, text, size);

		if (n < 0 && errno != EINTR)
			ret = -errno;
		if (n > 0) {
			text += n;
			size -= (size_t)n;
		}
	}
	if (ret < 0)
		close(fd);
	else
		*ret_fd = fd;
	return ret;
}

int server_console(struct server *server, const struct server_client *client, const char *line,
		   struct server_reply *ret_reply)
{
	struct asker asker = { server, client };
	struct console console = {
		.fabric = server->fabric,
		.out = g_string_new(NULL),
		.server = &console_server,
		.server_ctx = &asker,
	};
	const char *text;
	size_t size;
	int ret;

	ret_reply->result = console_run(&console, line);
	text = ret_reply->result < 0 ? console.error : console.out->str;
	size = strlen(text);
	if (size > ATTACH_INLINE_MAX) {
		ret = put_aside(text, size, &ret_reply->fd);
		if (ret < 0)
			ret_reply->result = ret;
	} else {
		memcpy(server->buffer, text, size);
		ret_reply->bytes = server->buffer;
		ret_reply->size = size;
	}
	console_clear(&console);
	g_string_free(console.out, TRUE);
	return 0;
}
