/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The console of a server: see sim/server/server-console.h.
 */
#include "config.h"

#include "sim/server/server-console.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/console/console-json.h"
#include "sim/console/console.h"
#include "sim/fabric/host.h"

/* The client that sent the line, for verbs about clients. */
struct asker {
	struct server_clients *clients;
	const struct server_client *client;
};

static unsigned int count_files(const struct server_clients *clients,
				const struct server_client *client)
{
	const struct server_file *file;
	unsigned int count = 0;

	for (file = clients->served->files.first; file; file = file->next)
		count += file->opener == client->serial;
	return count;
}

static void list_json(struct json_writer *json, const struct server_client *client,
		      unsigned int files)
{
	json_open(json, '{');
	json_unsigned(json_name(json, "client"), client->serial);
	json_unsigned(json_name(json, "pid"), (uint64_t)server_client_pid(client));
	if (client->host)
		json_string(json_name(json, "host"), client->host->name);
	json_unsigned(json_name(json, "handles"), files);
	json_close(json, '}');
}

/* In order of arrival, without rings; the list has the newest first. */
static void list(void *ctx, GString *out, struct json_writer *json)
{
	const struct asker *asker = ctx;
	g_autoptr(GPtrArray) clients = g_ptr_array_new();

	for (struct server_client *client = asker->clients->first; client; client = client->next) {
		if (client != asker->client && !client->ring.shared)
			g_ptr_array_insert(clients, 0, client);
	}
	if (json)
		json_open(json, '[');
	for (unsigned int i = 0; i < clients->len; i++) {
		const struct server_client *client = g_ptr_array_index(clients, i);
		unsigned int files = count_files(asker->clients, client);

		if (json) {
			list_json(json, client, files);
			continue;
		}
		g_string_append_printf(out, "Client %" G_GUINT64_FORMAT ": pid %d %s \"%s\", %u "
				       "open handle%s\n", client->serial,
				       (int)server_client_pid(client),
				       client->host ? "at host" : "of umadrig itself,",
				       client->host ? client->host->name : "no host", files,
				       files == 1 ? "" : "s");
	}
	if (json)
		json_close(json, ']');
}

/* The connections themselves end when the loop gets to them: it may be iterating over them now. */
static int disconnect(void *ctx, uint64_t number)
{
	const struct asker *asker = ctx;
	const struct server_client *meant = NULL;

	for (struct server_client *client = asker->clients->first; client; client = client->next) {
		if (client->serial == number && client != asker->client)
			meant = client;
	}
	if (!meant)
		return -ENOENT;
	for (struct server_client *client = asker->clients->first; client; client = client->next) {
		if (client != meant && (client->account != meant->account ||
					!server_account_is_of_one(meant->account)))
			continue;
		server_files_close_of(&asker->clients->served->files, client->serial);
		shutdown(client->watch.fd, SHUT_RDWR);
	}
	return 0;
}

static void quit(void *ctx)
{
	const struct asker *asker = ctx;

	watch_set_stop(asker->clients->watches);
}

static const struct console_server console_server = { list, disconnect, quit };

/* Puts text that is too long for a message into a memfd. 0 or -errno. */
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

void server_console(struct server_clients *clients, const struct server_client *client,
		    const char *line, struct server_reply *ret_reply)
{
	struct asker asker = { clients, client };
	struct console console = {
		.fabric = clients->served->fabric,
		.out = g_string_new(NULL),
		.server = &console_server,
		.server_ctx = &asker,
		.is_guest = server_client_is_guest(client),
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
		memcpy(clients->buffer, text, size);
		ret_reply->bytes = clients->buffer;
		ret_reply->size = size;
	}
	console_clear(&console);
	g_string_free(console.out, true);
}
