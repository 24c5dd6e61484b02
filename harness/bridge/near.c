/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The end of a bridge on the programs' machine: see harness/bridge/bridge.h.
 *
 * To programs it is a server: it accepts their connections and forwards their calls; what comes
 * back becomes replies, handles (harness/bridge/near-handle.h) and issm paths (near-issm.h).
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/bridge/bridge.h"
#include "harness/bridge/near-handle.h"
#include "harness/bridge/near-issm.h"
#include "sim/process/process-loop.h"
#include "sim/server/own-write.h"
#include "sim/system/private-directory.h"

enum { BACKLOG = 512 };

/* The order in which what is ready is served. */
enum { AT_CONTROL, AT_HANDLES, AT_ISSM, AT_CLIENTS, AT_LISTENER, AT_STREAM };

/* A program's connection. */
struct near_client {
	struct bridge_near *near;
	struct loop_source *hears;
	uint32_t id;
	int fd;
	uint32_t program;	/* its process; 0: not visible */
};

struct bridge_near {
	struct private_directory directory;
	char *socket_path;
	int listener;
	struct bridge_stream stream;
	struct loop *loop;	/* while it runs */
	struct loop_source *hears_stream, *hears_issm;
	int result;		/* of the run; 0: it goes on */
	GHashTable *clients;	/* by id */
	GHashTable *handles;	/* by id */
	GHashTable *by_token;	/* the same */
	struct near_issm issm;
	uint32_t last_client;
	unsigned int own_writes;	/* handles that programs have written to by themselves */
	uint8_t buffer[ATTACH_REPLY_MAX];
};

/* ---- objects ---- */

static void client_free(void *data)
{
	struct near_client *client = data;

	loop_remove(client->hears);
	close(client->fd);
	g_free(client);
}

static void handle_close(struct bridge_near *near, struct near_handle *handle)
{
	bridge_stream_put(&near->stream, BRIDGE_CLOSE, handle->id, NULL, 0, NULL, 0);
	g_hash_table_remove(near->by_token, &handle->token);
	g_hash_table_remove(near->handles, &handle->id);
}

static void put_hangup(struct bridge_near *near, uint32_t id)
{
	bridge_stream_put(&near->stream, BRIDGE_HANGUP, id, NULL, 0, NULL, 0);
	g_hash_table_remove(near->clients, &id);
}

static gboolean is_of(void *key, void *value, void *data)
{
	(void)key;
	return ((struct near_handle *)value)->opener == *(const uint32_t *)data;
}

/*
 * The client has sent something invalid: it is dropped with the handles that it opened, as in a
 * server.
 */
static void end_malformed(struct bridge_near *near, uint32_t id)
{
	struct near_handle *handle;

	while ((handle = g_hash_table_find(near->handles, is_of, &id)))
		handle_close(near, handle);
	put_hangup(near, id);
}

/* ---- to programs ---- */

static int reply_to(struct near_client *client, int64_t result, const void *bytes, size_t size,
		    int fd)
{
	struct attach_reply reply = { .result = result };
	struct iovec parts[] = {
		{ .iov_base = &reply, .iov_len = sizeof(reply) },
		{ .iov_base = (void *)bytes, .iov_len = size },
	};

	return bridge_send(client->fd, parts, 2, fd);
}

static void deliver(struct bridge_near *near, const struct bridge_frame *frame)
{
	struct near_handle *handle = g_hash_table_lookup(near->handles, &frame->id);
	int ret = 0;

	if (handle)
		ret = near_handle_deliver(handle, frame->payload, frame->size,
					  frame->kind == BRIDGE_MAD_LARGE);
	if (ret < 0)
		fprintf(stderr, "umadrig: a MAD of %zu bytes is lost: %s\n", frame->size,
			g_strerror(-ret));
}

static void serve_handle(void *ctx, int events);

/* Makes a local handle for one of the far end's. Returns its socket for the program, or -errno. */
static int add_handle(struct bridge_near *near, uint32_t id, uint32_t opener)
{
	struct near_handle *handle;
	int fd;

	if (g_hash_table_contains(near->handles, &id))
		return -EPROTO;
	handle = near_handle_new(id, opener, &fd);
	if (!handle)
		return fd;
	handle->near = near;
	handle->hears = loop_add_descriptor(near->loop, handle->fd, EPOLLIN, AT_HANDLES,
					    serve_handle, handle);
	if (!handle->hears) {
		int ret = -errno;

		close(fd);
		near_handle_free(handle);
		return ret;
	}
	g_hash_table_insert(near->handles, &handle->id, handle);
	g_hash_table_insert(near->by_token, &handle->token, handle);
	return fd;
}

/* Forwards the reply in a frame that has no number before it. */
static void pass_reply(struct bridge_near *near, const struct bridge_frame *frame, size_t before,
		       const char *path, int err, int fd)
{
	struct near_client *client = g_hash_table_lookup(near->clients, &frame->id);
	const uint8_t *rest = frame->payload + before + sizeof(struct attach_reply);
	size_t size = frame->size - before - sizeof(struct attach_reply);
	struct attach_reply reply;

	memcpy(&reply, frame->payload + before, sizeof(reply));
	/*
	 * A client reads its replies one by one; if there is no room for one, it is not reading
	 * them.
	 */
	if (client && reply_to(client, err ? err : reply.result, path ? path : (void *)rest,
			       path ? strlen(path) : err ? 0 : size, fd) < 0)
		end_malformed(near, client->id);
}

static void pass_large(struct bridge_near *near, const struct bridge_frame *frame)
{
	struct bridge_frame start = *frame;
	int fd = bridge_memfd(frame->payload + sizeof(struct attach_reply),
			      frame->size - sizeof(struct attach_reply));

	start.size = sizeof(struct attach_reply);
	pass_reply(near, &start, 0, NULL, fd < 0 ? fd : 0, fd);
	if (fd >= 0)
		close(fd);
}

static void pass_handle(struct bridge_near *near, const struct bridge_frame *frame)
{
	uint32_t id;
	int fd;

	memcpy(&id, frame->payload, sizeof(id));
	fd = add_handle(near, id, frame->id);
	pass_reply(near, frame, sizeof(id), NULL, fd < 0 ? fd : 0, fd);
	/* If the program has not received it, our end is hung up. */
	if (fd >= 0)
		close(fd);
	else if (fd != -EPROTO)
		bridge_stream_put(&near->stream, BRIDGE_CLOSE, id, NULL, 0, NULL, 0);
}

static void pass_issm(struct bridge_near *near, const struct bridge_frame *frame)
{
	const char *path = NULL;
	uint32_t id;
	int ret;

	memcpy(&id, frame->payload, sizeof(id));
	ret = near_issm_path(&near->issm, id, &path);
	pass_reply(near, frame, sizeof(id), path, ret, -1);
}

static void end_handle(struct bridge_near *near, uint32_t id)
{
	struct near_handle *handle = g_hash_table_lookup(near->handles, &id);

	if (handle)
		near_handle_end(handle);
}

static int take_frame(struct bridge_near *near, const struct bridge_frame *frame)
{
	switch (frame->kind) {
	case BRIDGE_REPLY:
		pass_reply(near, frame, 0, NULL, 0, -1);
		break;
	case BRIDGE_REPLY_LARGE:
		pass_large(near, frame);
		break;
	case BRIDGE_REPLY_HANDLE:
		pass_handle(near, frame);
		break;
	case BRIDGE_REPLY_ISSM:
		pass_issm(near, frame);
		break;
	case BRIDGE_MAD:
	case BRIDGE_MAD_LARGE:
		deliver(near, frame);
		break;
	case BRIDGE_END:
		end_handle(near, frame->id);
		break;
	case BRIDGE_HANGUP:
		g_hash_table_remove(near->clients, &frame->id);
		break;
	case BRIDGE_GREETING:
	case BRIDGE_CONNECT:
	case BRIDGE_CALL:
	case BRIDGE_CALL_LARGE:
	case BRIDGE_CLOSE:
	case BRIDGE_ISSM:
		return -EPROTO;
	}
	return 0;
}

static int serve_stream(struct bridge_near *near)
{
	struct bridge_frame frame;
	long n = bridge_stream_read(&near->stream);
	int ret;

	if (n <= 0)
		return n == -EAGAIN ? 0 : -EIO;
	while ((ret = bridge_stream_next(&near->stream, &frame)) > 0) {
		ret = take_frame(near, &frame);
		if (ret < 0)
			break;
	}
	return ret;
}

/* ---- from programs ---- */

/* Shared memory and paths do not cross a bridge. Programs do without, or ask for contents. */
static bool crosses(uint32_t operation)
{
	return operation <= ATTACH_WATCH || operation == ATTACH_CONSOLE ||
	       operation == ATTACH_SYSFS_CHANGES || operation == ATTACH_ISSM_LOOK ||
	       operation == ATTACH_SYSFS_STORE;
}

/* Handles one message. Returns 0, or -EPROTO if it is invalid. */
static int pass_call(struct bridge_near *near, struct near_client *client, size_t size, int fd)
{
	g_autofree uint8_t *large = NULL;
	struct near_handle *handle;
	struct attach_call call;
	const uint8_t *rest = near->buffer + sizeof(call);

	if (size < sizeof(call))
		return -EPROTO;
	memcpy(&call, near->buffer, sizeof(call));
	size -= sizeof(call);
	if (!crosses(call.op))
		return reply_to(client, -EOPNOTSUPP, NULL, 0, -1);
	handle = call.handle ? g_hash_table_lookup(near->by_token, &call.handle) : NULL;
	if (call.op == ATTACH_PUT_BACK && handle) {
		int ret = near_handle_put_back(handle, &call, rest, size, fd);

		return ret == -EPROTO ? ret : reply_to(client, ret, NULL, 0, -1);
	}
	call.handle = handle ? handle->id : 0;
	/* To the server all of them are the far end. */
	if (call.op == ATTACH_OPEN && call.argument == 0)
		call.argument = client->program;
	if (fd < 0) {
		bridge_stream_put(&near->stream, BRIDGE_CALL, client->id, &call, sizeof(call), rest,
				  size);
		return 0;
	}
	if (call.op != ATTACH_SEND || size > 0)
		return -EPROTO;
	if (call.argument > BRIDGE_LARGE_MAX)
		return reply_to(client, -ENOMEM, NULL, 0, -1);
	large = bridge_memfd_read(fd, call.argument);
	if (!large)
		return -EPROTO;
	bridge_stream_put(&near->stream, BRIDGE_CALL_LARGE, client->id, &call, sizeof(call), large,
			  call.argument);
	return 0;
}

static void serve_client(void *ctx, int events)
{
	struct near_client *client = ctx;
	struct bridge_near *near = client->near;
	bool is_cut;
	int fd, ret;
	long n;

	(void)events;
	/* Sent before any call, so that the server sees an SM come and go before the call. */
	near_issm_look(&near->issm, &near->stream);
	n = bridge_receive(client->fd, near->buffer, sizeof(near->buffer), &fd, &is_cut);

	if (n == -EAGAIN)
		return;
	if (n == 0 || n == -ECONNRESET) {
		put_hangup(near, client->id);
		return;
	}
	ret = is_cut ? -EPROTO : n < 0 ? (int)n : pass_call(near, client, (size_t)n, fd);
	if (fd >= 0)
		close(fd);
	if (ret < 0)
		end_malformed(near, client->id);
}

static void accept_clients(void *ctx, int events)
{
	struct bridge_near *near = ctx;
	struct near_client *client;
	int fd;

	(void)events;
	while ((fd = accept4(near->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
		if (!bridge_peer_is_trusted(fd, false)) {
			close(fd);
			continue;
		}
		client = g_new0(struct near_client, 1);
		client->near = near;
		client->id = ++near->last_client;
		client->fd = fd;
		client->hears = loop_add_descriptor(near->loop, fd, EPOLLIN, AT_CLIENTS,
						    serve_client, client);
		if (!client->hears) {
			client_free(client);
			continue;
		}
		client->program = bridge_peer_process(fd);
		g_hash_table_insert(near->clients, &client->id, client);
		bridge_stream_put(&near->stream, BRIDGE_CONNECT, client->id, NULL, 0, NULL, 0);
	}
}

static void serve_handle(void *ctx, int events)
{
	struct near_handle *handle = ctx;
	struct bridge_near *near = handle->near;

	if (events & (EPOLLHUP | EPOLLERR)) {
		handle_close(near, handle);
	} else if (events & EPOLLIN) {
		own_write_note(&near->own_writes);
		handle_close(near, handle);
	} else if (events & EPOLLOUT) {
		near_handle_flush(handle);
	}
}

/* ---- the loop ---- */

static void end(void *ctx, int events)
{
	struct bridge_near *near = ctx;

	(void)events;
	near->result = 1;
}

static void look_at_issm(void *ctx, int events)
{
	struct bridge_near *near = ctx;

	(void)events;
	near_issm_look(&near->issm, &near->stream);
}

static void hear_stream(void *ctx, int events)
{
	struct bridge_near *near = ctx;
	int ret = events & ~EPOLLOUT ? serve_stream(near) : 0;

	if (near->result == 0)
		near->result = ret;
}

static bool add_sources(struct bridge_near *near, int control)
{
	near->hears_stream = loop_add_descriptor(near->loop, near->stream.in, EPOLLIN, AT_STREAM,
						 hear_stream, near);
	return near->hears_stream &&
	       loop_add_descriptor(near->loop, control, EPOLLIN, AT_CONTROL, end, near) &&
	       loop_add_descriptor(near->loop, near->listener, EPOLLIN, AT_LISTENER,
				   accept_clients, near);
}

/* Waits for room where there is something to write, and for issm paths once there is one. */
static void set_events(struct bridge_near *near)
{
	GHashTableIter iter;
	void *value;

	loop_set_events(near->hears_stream,
			near->stream.unsent->len > 0 ? EPOLLIN | EPOLLOUT : EPOLLIN);
	if (!near->hears_issm && near->issm.watch.fd >= 0)
		near->hears_issm = loop_add_descriptor(near->loop, near->issm.watch.fd, EPOLLIN,
						       AT_ISSM, look_at_issm, near);
	g_hash_table_iter_init(&iter, near->handles);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct near_handle *handle = value;

		loop_set_events(handle->hears,
				handle->letters.count > 0 ? EPOLLIN | EPOLLOUT : EPOLLIN);
	}
}

int bridge_near_run(struct bridge_near *near, int control)
{
	if (!add_sources(near, control))
		return -errno;
	while (near->result == 0) {
		int ret;

		set_events(near);
		ret = loop_step(near->loop, INT64_MAX);
		if (ret >= 0 && near->result == 0)
			ret = bridge_stream_flush(&near->stream);
		if (ret < 0 && ret != -EINTR)
			near->result = ret;
	}
	return MIN(near->result, 0);
}

/* ---- beginning and end ---- */

static bool refuse(GError **error, const char *reason)
{
	g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "there is no bridge: %s", reason);
	return false;
}

static bool await_greeting(struct bridge_near *near, GError **error)
{
	struct pollfd pollfd = { .fd = near->stream.in, .events = POLLIN };
	struct bridge_frame frame;
	const char *objection;
	int ret;

	bridge_stream_greet(&near->stream);
	while ((ret = bridge_stream_next(&near->stream, &frame)) == 0) {
		long n = -EAGAIN;

		/* A far end that has already gone may have printed why. */
		bridge_stream_flush(&near->stream);
		if (poll(&pollfd, 1, -1) > 0)
			n = bridge_stream_read(&near->stream);
		if (n == 0 || (n < 0 && n != -EAGAIN))
			return refuse(error, "its command has ended (see above)");
	}
	if (ret < 0)
		return refuse(error, ret == -EPROTO ? "what its command writes is not 'umadrig "
			      "bridge' (does a login script print something?)" :
			      "its command has ended (see above)");
	objection = bridge_greeting_check(&frame);
	return objection ? refuse(error, objection) : true;
}

static bool listen_here(struct bridge_near *near, GError **error)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char message[512];

	if (private_directory_make(&near->directory, "", message, sizeof(message)) < 0)
		return refuse(error, message);
	near->socket_path = g_build_filename(near->directory.path, "socket", NULL);
	near->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (g_strlcpy(address.sun_path, near->socket_path, sizeof(address.sun_path)) >=
	    sizeof(address.sun_path))
		return refuse(error, "TMPDIR's path is too long for a socket");
	if (near->listener < 0 ||
	    bind(near->listener, (const struct sockaddr *)&address, sizeof(address)) < 0 ||
	    listen(near->listener, BACKLOG) < 0)
		return refuse(error, g_strerror(errno));
	near->loop = loop_new();
	return near->loop ? true : refuse(error, g_strerror(errno));
}

struct bridge_near *bridge_near_new(int link, GError **error)
{
	struct bridge_near *near = g_new0(struct bridge_near, 1);

	near->listener = -1;
	fcntl(link, F_SETFL, fcntl(link, F_GETFL) | O_NONBLOCK);
	bridge_stream_init(&near->stream, link, link, BRIDGE_FAR);
	near->clients = g_hash_table_new_full(g_int_hash, g_int_equal, NULL, client_free);
	near->handles = g_hash_table_new_full(g_int_hash, g_int_equal, NULL, near_handle_free);
	near->by_token = g_hash_table_new(g_int64_hash, g_int64_equal);
	near_issm_init(&near->issm, &near->directory);
	if (await_greeting(near, error) && listen_here(near, error))
		return near;
	bridge_near_free(near, true);
	return NULL;
}

const char *bridge_near_socket(const struct bridge_near *near)
{
	return near->socket_path;
}

void bridge_near_free(struct bridge_near *near, bool files)
{
	if (!near)
		return;
	own_write_sum(near->own_writes);
	near_issm_clear(&near->issm);
	g_hash_table_unref(near->by_token);
	g_hash_table_unref(near->handles);
	g_hash_table_unref(near->clients);
	loop_free(near->loop);
	bridge_stream_clear(&near->stream);
	if (near->listener >= 0)
		close(near->listener);
	if (files)
		private_directory_remove(&near->directory);
	else
		private_directory_leave(&near->directory);
	g_free(near->socket_path);
	g_free(near);
}
