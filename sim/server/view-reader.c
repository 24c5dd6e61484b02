/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Clients with a copy of a view: see sim/server/view-reader.h.
 */
#include "config.h"

#include "sim/server/view-reader.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/socket-message.h"
#include "sim/server/sysfs-view.h"

/* Puts what is too long for a message into a memfd: '*ret_fd'. 0 or -errno. */
static int put_aside(const GByteArray *bytes, int *ret_fd)
{
	int fd = memfd_create("umadrig-view", MFD_CLOEXEC);
	size_t done = 0;

	if (fd < 0)
		return -errno;
	while (done < bytes->len) {
		ssize_t n = write(fd, bytes->data + done, bytes->len - done);

		if (n < 0 && errno != EINTR) {
			int err = errno;

			close(fd);
			return -err;
		}
		done += n > 0 ? (size_t)n : 0;
	}
	*ret_fd = fd;
	return 0;
}

/* What changed, as the bytes that follow the reply. */
static GByteArray *changes(const struct sysfs_view *view, uint64_t since)
{
	struct attach_changes head = { .last = sysfs_view_last_change(view) };
	GByteArray *bytes = g_byte_array_new();

	g_byte_array_append(bytes, (const guint8 *)&head, sizeof(head));
	sysfs_view_put_changes(view, since, bytes);
	return bytes;
}

/* Fills in the reply; its bytes are the array's. */
static void fill_in(struct server_reply *reply, const GByteArray *bytes)
{
	*reply = (struct server_reply){ .fd = -1 };
	if (bytes->len > ATTACH_INLINE_MAX) {
		reply->result = put_aside(bytes, &reply->fd);
		return;
	}
	reply->bytes = bytes->data;
	reply->size = bytes->len;
}

int view_reader_ask(struct server_clients *clients, struct server_client *client, uint64_t since,
		    struct server_reply *reply)
{
	struct sysfs_views *views = &clients->served->views;
	g_autoptr(GByteArray) bytes = NULL;
	const char *path;
	int ret = sysfs_views_get(views, client->host, false, &path);

	if (ret < 0) {
		reply->result = ret;
		return 0;
	}
	if (sysfs_view_last_change(sysfs_views_find(views, client->host)) <= since) {
		client->awaits_changes = true;
		client->changes_since = since;
		clients->awaiting++;
		return 1;
	}
	bytes = changes(sysfs_views_find(views, client->host), since);
	fill_in(reply, bytes);
	/* The array goes, and the message has been read. */
	if (reply->bytes) {
		memcpy(clients->buffer, reply->bytes, reply->size);
		reply->bytes = clients->buffer;
	}
	return 0;
}

/* One that takes no reply is malformed; its connection ends when the loop gets to it. */
static void tell(struct server_clients *clients, struct server_client *client,
		 const struct sysfs_view *view)
{
	g_autoptr(GByteArray) bytes = changes(view, client->changes_since);
	struct server_reply reply;
	struct attach_reply start;
	struct iovec parts[] = { { .iov_base = &start, .iov_len = sizeof(start) }, { 0 } };

	fill_in(&reply, bytes);
	start.result = reply.result;
	parts[1] = (struct iovec){ (void *)reply.bytes, reply.size };
	client->awaits_changes = false;
	clients->awaiting--;
	if (socket_message_send(client->watch.fd, parts, reply.size ? 2 : 1, reply.fd,
				MSG_DONTWAIT) < 0)
		shutdown(client->watch.fd, SHUT_RDWR);
	if (reply.fd >= 0)
		close(reply.fd);
}

void view_readers_tell(void *ctx)
{
	struct server_clients *clients = ctx;

	for (struct server_client *client = clients->first; client && clients->awaiting > 0;
	     client = client->next) {
		const struct sysfs_view *view = client->awaits_changes ?
			sysfs_views_find(&clients->served->views, client->host) : NULL;

		if (view && sysfs_view_last_change(view) > client->changes_since)
			tell(clients, client, view);
	}
}
