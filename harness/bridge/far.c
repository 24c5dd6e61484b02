/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The end of a bridge on the server's machine: see harness/bridge/bridge.h.
 *
 * It makes the connections that the near end's programs make, and holds the handles that they open.
 * When the stream ends it exits, and the server frees what all of them had.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "harness/base/attach-client.h"
#include "harness/base/command.h"
#include "harness/bridge/bridge.h"
#include "lib/base/handle-token.h"
#include "lib/base/issm-pipe-open.h"
#include "sim/process/process-loop.h"

/* The order in which what is ready is served: no reply overtakes the MADs that came before it. */
enum { AT_HANDLES, AT_CLIENTS, AT_STREAM };

/* A program's connection. */
struct far_client {
	struct far *far;
	struct loop_source *hears;
	uint32_t id;
	int fd;
	GQueue *operations;	/* calls without a reply so far */
};

struct far_handle {
	struct far *far;
	struct loop_source *hears;
	uint32_t id;
	int fd;
	uint64_t token;		/* the server's id of it */
};

struct far_issm {
	char *path;
	int fd;			/* -1: no program has it open */
};

struct far {
	struct sockaddr_un server;
	struct bridge_stream stream;
	struct loop *loop;
	int result;	/* of the run; 0: it goes on */
	bool greeted;	/* the near end's greeting was valid */
	GHashTable *clients;	/* by id */
	GHashTable *handles;	/* by id */
	GPtrArray *issm;	/* id is the index */
	uint32_t last_handle;
	uint8_t buffer[ATTACH_REPLY_MAX];
};

/* ---- objects ---- */

static void client_free(void *data)
{
	struct far_client *client = data;

	loop_remove(client->hears);
	close(client->fd);
	g_queue_free(client->operations);
	g_free(client);
}

static void handle_free(void *data)
{
	struct far_handle *handle = data;

	loop_remove(handle->hears);
	close(handle->fd);
	g_free(handle);
}

static void issm_free(void *data)
{
	struct far_issm *issm = data;

	if (issm->fd >= 0)
		close(issm->fd);
	g_free(issm->path);
	g_free(issm);
}

/* The number of an issm path. */
static uint32_t issm_find(struct far *far, const char *path)
{
	struct far_issm *issm;

	for (guint i = 0; i < far->issm->len; i++) {
		issm = g_ptr_array_index(far->issm, i);
		if (strcmp(issm->path, path) == 0)
			return i;
	}
	issm = g_new(struct far_issm, 1);
	*issm = (struct far_issm){ .path = g_strdup(path), .fd = -1 };
	g_ptr_array_add(far->issm, issm);
	return far->issm->len - 1;
}

static void issm_set(struct far *far, uint32_t id, bool open_it)
{
	struct far_issm *issm = id < far->issm->len ? g_ptr_array_index(far->issm, id) : NULL;

	if (!issm || open_it == (issm->fd >= 0))
		return;
	if (open_it) {
		/* So that no program of the server's machine gets it; one that has it keeps it. */
		issm->fd = issm_pipe_open(AT_FDCWD, issm->path, O_NONBLOCK | O_CLOEXEC);
		if (issm->fd == -EAGAIN)
			issm->fd = open(issm->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	} else {
		close(issm->fd);
		issm->fd = -1;
	}
}

/* ---- from the server ---- */

static int server_connect(const struct far *far)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)&far->server, sizeof(far->server)) < 0 ||
	    (!bridge_peer_is_trusted(fd, true) && (errno = EPERM))) {
		int ret = -errno;

		close(fd);
		return ret;
	}
	return fd;
}

/* Sends a frame with 'size' bytes and the contents of the memfd, which it closes. */
static void put_whole(struct far *far, enum bridge_kind kind, uint32_t id, const void *bytes,
		      size_t size, int memfd)
{
	g_autofree uint8_t *whole = NULL;
	struct stat st = { .st_size = 0 };

	if (fstat(memfd, &st) == 0 && st.st_size <= BRIDGE_LARGE_MAX)
		whole = bridge_memfd_read(memfd, (size_t)st.st_size);
	if (whole)
		bridge_stream_put(&far->stream, kind, id, bytes, size, whole, (size_t)st.st_size);
	else
		fprintf(stderr, "umadrig bridge: a message of %lld bytes is lost: %s\n",
			(long long)st.st_size, g_strerror(errno));
	close(memfd);
}

/* Forwards all that can be read from a handle. False: the handle is at its end. */
static bool drain_handle(struct far *far, struct far_handle *handle)
{
	for (;;) {
		struct attach_record record;
		bool is_cut;
		int memfd;
		long n = bridge_receive(handle->fd, &record, sizeof(record), &memfd, &is_cut);

		if (n == -EAGAIN)
			return true;
		if (n != (long)sizeof(record) || record.size > sizeof(record.bytes)) {
			bridge_stream_put(&far->stream, BRIDGE_END, handle->id, NULL, 0, NULL, 0);
			return false;
		}
		if (is_cut)
			fprintf(stderr, "umadrig bridge: lost a large MAD: out of descriptors\n");
		else if (memfd >= 0)
			put_whole(far, BRIDGE_MAD_LARGE, handle->id, NULL, 0, memfd);
		else
			bridge_stream_put(&far->stream, BRIDGE_MAD, handle->id, record.bytes,
					  record.size, NULL, 0);
	}
}

static void serve_handle(void *ctx, int events)
{
	struct far_handle *handle = ctx;

	(void)events;
	if (!drain_handle(handle->far, handle))
		g_hash_table_remove(handle->far->handles, &handle->id);
}

static void put_new_handle(struct far *far, const struct far_client *client, size_t size, int fd)
{
	struct far_handle *handle = g_new0(struct far_handle, 1);

	handle->far = far;
	handle->fd = fd;
	handle->hears = loop_add_descriptor(far->loop, fd, EPOLLIN, AT_HANDLES, serve_handle,
					    handle);
	handle->id = ++far->last_handle;
	handle->token = handle_token(fd);
	g_hash_table_insert(far->handles, &handle->id, handle);
	bridge_stream_put(&far->stream, BRIDGE_REPLY_HANDLE, client->id, &handle->id,
			  sizeof(handle->id), far->buffer, size);
	if (handle->hears)
		return;
	bridge_stream_put(&far->stream, BRIDGE_END, handle->id, NULL, 0, NULL, 0);
	g_hash_table_remove(far->handles, &handle->id);
}

/* Forwards the reply of 'size' bytes in the buffer, with its 'fd'. */
static void put_reply(struct far *far, struct far_client *client, size_t size, int fd)
{
	unsigned int operation = GPOINTER_TO_UINT(g_queue_pop_head(client->operations));
	struct attach_reply reply;
	char path[PATH_MAX];
	uint32_t id;

	memcpy(&reply, far->buffer, sizeof(reply));
	if (fd >= 0 && operation == ATTACH_OPEN) {
		put_new_handle(far, client, size, fd);
	} else if (operation == ATTACH_ISSM_PATH && reply.result == 0 &&
		   size - sizeof(reply) < sizeof(path)) {
		/* The near end has a pipe of its own. */
		if (fd >= 0)
			close(fd);
		memcpy(path, far->buffer + sizeof(reply), size - sizeof(reply));
		path[size - sizeof(reply)] = '\0';
		id = issm_find(far, path);
		bridge_stream_put(&far->stream, BRIDGE_REPLY_ISSM, client->id, &id, sizeof(id),
				  &reply, sizeof(reply));
	} else if (fd >= 0) {
		put_whole(far, BRIDGE_REPLY_LARGE, client->id, far->buffer, size, fd);
	} else {
		bridge_stream_put(&far->stream, BRIDGE_REPLY, client->id, far->buffer, size, NULL,
				  0);
	}
}

static void hang_up(struct far *far, uint32_t id)
{
	bridge_stream_put(&far->stream, BRIDGE_HANGUP, id, NULL, 0, NULL, 0);
	g_hash_table_remove(far->clients, &id);
}

static void serve_client(void *ctx, int events)
{
	struct far_client *client = ctx;
	struct far *far = client->far;
	bool is_cut;	/* the program gets an error: its new handle did not arrive */
	int fd;
	long n = bridge_receive(client->fd, far->buffer, sizeof(far->buffer), &fd, &is_cut);

	(void)events;
	if (n == -EAGAIN)
		return;
	if (n >= (long)sizeof(struct attach_reply)) {
		put_reply(far, client, (size_t)n, fd);
		return;
	}
	if (fd >= 0)
		close(fd);
	hang_up(far, client->id);
}

/* ---- from the near end ---- */

static void add_client(struct far *far, uint32_t id)
{
	struct far_client *client;
	int fd = server_connect(far);

	/* To the program it looks as if the server had hung up. */
	if (fd < 0) {
		fprintf(stderr, "umadrig bridge: %s: %s\n", far->server.sun_path,
			g_strerror(-fd));
		hang_up(far, id);
		return;
	}
	client = g_new0(struct far_client, 1);
	client->id = id;
	client->far = far;
	client->fd = fd;
	client->hears = loop_add_descriptor(far->loop, fd, EPOLLIN, AT_CLIENTS, serve_client,
					    client);
	client->operations = g_queue_new();
	g_hash_table_replace(far->clients, &client->id, client);
	if (!client->hears)
		hang_up(far, id);
}

static void send_call(struct far *far, const struct bridge_frame *frame)
{
	struct far_client *client = g_hash_table_lookup(far->clients, &frame->id);
	struct attach_call call;
	struct far_handle *handle;
	struct iovec parts[] = {
		{ .iov_base = &call, .iov_len = sizeof(call) },
		{ .iov_base = (void *)(frame->payload + sizeof(call)),
		  .iov_len = frame->size - sizeof(call) },
	};
	bool is_large = frame->kind == BRIDGE_CALL_LARGE;
	uint32_t id;
	int memfd = -1, ret;

	if (!client)
		return;
	memcpy(&call, frame->payload, sizeof(call));
	id = (uint32_t)call.handle;
	handle = g_hash_table_lookup(far->handles, &id);
	call.handle = handle ? handle->token : 0;
	if (is_large) {
		memfd = bridge_memfd(parts[1].iov_base, parts[1].iov_len);
		call.argument = (uint32_t)parts[1].iov_len;
	}
	ret = is_large && memfd < 0 ? memfd :
				      bridge_send(client->fd, parts, is_large ? 1 : 2, memfd);
	if (memfd >= 0)
		close(memfd);
	g_queue_push_tail(client->operations, GUINT_TO_POINTER(call.op));
	if (ret < 0)
		hang_up(far, client->id);
}

static int take_frame(struct far *far, const struct bridge_frame *frame)
{
	if (!far->greeted) {
		const char *objection = bridge_greeting_check(frame);

		if (objection)
			command_error("umadrig bridge", COMMAND_REFUSED,
				      "cannot talk to the other end: %s", objection);
		far->greeted = !objection;
		return objection ? -EINVAL : 0;
	}
	switch (frame->kind) {
	case BRIDGE_CONNECT:
		add_client(far, frame->id);
		break;
	case BRIDGE_HANGUP:
		g_hash_table_remove(far->clients, &frame->id);
		break;
	case BRIDGE_CALL:
	case BRIDGE_CALL_LARGE:
		send_call(far, frame);
		break;
	case BRIDGE_CLOSE:
		g_hash_table_remove(far->handles, &frame->id);
		break;
	case BRIDGE_ISSM:
		issm_set(far, frame->id, frame->payload[0] != 0);
		break;
	case BRIDGE_GREETING:
	case BRIDGE_REPLY:
	case BRIDGE_REPLY_LARGE:
	case BRIDGE_REPLY_HANDLE:
	case BRIDGE_REPLY_ISSM:
	case BRIDGE_MAD:
	case BRIDGE_MAD_LARGE:
	case BRIDGE_END:
		return -EPROTO;
	}
	return 0;
}

/* Returns 0, -EPIPE if the stream has ended, or -EPROTO. */
static int serve_stream(struct far *far)
{
	struct bridge_frame frame;
	long n = bridge_stream_read(&far->stream);
	int ret;

	if (n == 0)
		return -EPIPE;
	if (n < 0)
		return n == -EAGAIN ? 0 : (int)n;
	while ((ret = bridge_stream_next(&far->stream, &frame)) > 0) {
		ret = take_frame(far, &frame);
		if (ret < 0)
			break;
	}
	return ret;
}

/* ---- the loop ---- */

/* Waits until the stream has taken everything. */
static int flush(struct far *far)
{
	struct pollfd out = { .fd = far->stream.out, .events = POLLOUT };
	int ret = bridge_stream_flush(&far->stream);

	while (ret == 0 && far->stream.unsent->len > 0) {
		if (poll(&out, 1, -1) < 0 && errno != EINTR)
			return -errno;
		ret = bridge_stream_flush(&far->stream);
	}
	return ret;
}

static void hear_stream(void *ctx, int events)
{
	struct far *far = ctx;

	(void)events;
	far->result = serve_stream(far);
}

static int run(struct far *far)
{
	far->loop = loop_new();
	if (!far->loop || !loop_add_descriptor(far->loop, far->stream.in, EPOLLIN, AT_STREAM,
					       hear_stream, far))
		return -errno;
	bridge_stream_greet(&far->stream);
	far->result = flush(far);
	while (far->result == 0) {
		int ret = loop_step(far->loop, INT64_MAX);

		if (ret >= 0 && far->result == 0)
			ret = flush(far);
		if (ret < 0 && ret != -EINTR)
			far->result = ret;
	}
	return far->result;
}

int bridge_far_run(const char *name, const char *path, int in, int out)
{
	struct far *far = g_new0(struct far, 1);
	int fd = -ENAMETOOLONG, ret;

	far->server.sun_family = AF_UNIX;
	if (g_strlcpy(far->server.sun_path, path, sizeof(far->server.sun_path)) <
	    sizeof(far->server.sun_path))
		fd = server_connect(far);
	if (fd < 0) {
		g_autofree char *reason = attach_client_reason(fd);

		fprintf(stderr, "%s: %s: %s\n", name, path, reason);
		g_free(far);
		return fd;
	}
	/* It was only necessary to know that there is a server. */
	close(fd);
	bridge_stream_init(&far->stream, in, out, BRIDGE_NEAR);
	far->clients = g_hash_table_new_full(g_int_hash, g_int_equal, NULL, client_free);
	far->handles = g_hash_table_new_full(g_int_hash, g_int_equal, NULL, handle_free);
	far->issm = g_ptr_array_new_with_free_func(issm_free);
	ret = run(far);
	if (ret == -EPROTO)
		fprintf(stderr, "%s: what came is no frame of a bridge: the connection ends\n",
			name);
	g_hash_table_unref(far->clients);
	g_hash_table_unref(far->handles);
	g_ptr_array_unref(far->issm);
	loop_free(far->loop);
	bridge_stream_clear(&far->stream);
	g_free(far);
	return ret == -EPIPE || ret == -ECONNRESET ? 0 : ret;
}
