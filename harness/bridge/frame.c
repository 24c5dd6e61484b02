/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Frames of a bridge, and the stream that carries them: see harness/bridge/bridge.h.
 *
 * Nothing in a frame is trusted: its kind, its sender and its size are checked here, so that the
 * receiver can rely on them. Its number may identify something that no longer exists.
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/bridge/bridge.h"

enum { READ_SIZE = 65536 };

/* Which end may send each kind, and its payload's size. */
struct kind_row {
	bool near, far;
	size_t min, max;
};

static const struct kind_row kinds[] = {
	[BRIDGE_GREETING] = { true, true, sizeof(struct bridge_greeting),
			      sizeof(struct bridge_greeting) },
	[BRIDGE_HANGUP] = { true, true, 0, 0 },
	[BRIDGE_CONNECT] = { true, false, 0, 0 },
	[BRIDGE_CALL] = { true, false, sizeof(struct attach_call), ATTACH_REPLY_MAX },
	[BRIDGE_CALL_LARGE] = { true, false, sizeof(struct attach_call),
				sizeof(struct attach_call) + BRIDGE_LARGE_MAX },
	[BRIDGE_CLOSE] = { true, false, 0, 0 },
	[BRIDGE_ISSM] = { true, false, 1, 1 },
	[BRIDGE_REPLY] = { false, true, sizeof(struct attach_reply), ATTACH_REPLY_MAX },
	[BRIDGE_REPLY_LARGE] = { false, true, sizeof(struct attach_reply),
				 sizeof(struct attach_reply) + BRIDGE_LARGE_MAX },
	[BRIDGE_REPLY_HANDLE] = { false, true, sizeof(uint32_t) + sizeof(struct attach_reply),
				  ATTACH_REPLY_MAX },
	[BRIDGE_REPLY_ISSM] = { false, true, sizeof(uint32_t) + sizeof(struct attach_reply),
				sizeof(uint32_t) + sizeof(struct attach_reply) },
	[BRIDGE_MAD] = { false, true, 1, ATTACH_HEAD_SIZE },
	[BRIDGE_MAD_LARGE] = { false, true, ATTACH_HEAD_SIZE, BRIDGE_LARGE_MAX },
	[BRIDGE_END] = { false, true, 0, 0 },
};

/*
 * Reads the frame that 'bytes' begin with, sent by 'from'. Returns the number of bytes it takes,
 * and the frame, whose payload stays where it is; 0: more bytes are needed; -EPROTO: it is no
 * frame, its size does not match its kind, or its sender may not send that kind.
 */
static long frame_parse(const uint8_t *bytes, size_t size, enum bridge_end from,
			struct bridge_frame *ret)
{
	struct bridge_header header;
	const struct kind_row *row;

	if (size < sizeof(header))
		return 0;
	memcpy(&header, bytes, sizeof(header));
	if (header.kind == 0 || header.kind >= G_N_ELEMENTS(kinds))
		return -EPROTO;
	row = &kinds[header.kind];
	if (!(from == BRIDGE_NEAR ? row->near : row->far) || header.size < row->min ||
	    header.size > row->max)
		return -EPROTO;
	if (size - sizeof(header) < header.size)
		return 0;
	*ret = (struct bridge_frame) {
		.kind = (enum bridge_kind)header.kind,
		.id = header.id,
		.payload = bytes + sizeof(header),
		.size = header.size,
	};
	return (long)(sizeof(header) + header.size);
}

void bridge_stream_init(struct bridge_stream *stream, int in, int out, enum bridge_end peer)
{
	/*
	 * Reserves room for what is received, so that the buffer has an address before the first
	 * byte.
	 */
	*stream = (struct bridge_stream) {
		.in = in,
		.out = out,
		.peer = peer,
		.received = g_byte_array_sized_new(READ_SIZE),
		.unsent = g_byte_array_new(),
	};
}

void bridge_stream_clear(struct bridge_stream *stream)
{
	g_clear_pointer(&stream->received, g_byte_array_unref);
	g_clear_pointer(&stream->unsent, g_byte_array_unref);
	close(stream->in);
	if (stream->out != stream->in)
		close(stream->out);
}

void bridge_stream_put(struct bridge_stream *stream, enum bridge_kind kind, uint32_t id,
		       const void *first, size_t first_size, const void *second,
		       size_t second_size)
{
	struct bridge_header header = {
		.size = (uint32_t)(first_size + second_size),
		.kind = (uint32_t)kind,
		.id = id,
	};

	g_byte_array_append(stream->unsent, (const guint8 *)&header, sizeof(header));
	if (first_size)
		g_byte_array_append(stream->unsent, first, (guint)first_size);
	if (second_size)
		g_byte_array_append(stream->unsent, second, (guint)second_size);
}

/*
 * Writes to a socket or a pipe. If the peer has gone there is an error, and for a socket no signal.
 */
static ssize_t write_some(int fd, const guint8 *bytes, size_t size)
{
	ssize_t n = send(fd, bytes, size, MSG_NOSIGNAL);

	return n < 0 && errno == ENOTSOCK ? write(fd, bytes, size) : n;
}

int bridge_stream_flush(struct bridge_stream *stream)
{
	size_t done = 0;
	int ret = 0;

	while (ret == 0 && done < stream->unsent->len) {
		ssize_t n = write_some(stream->out, stream->unsent->data + done,
				       stream->unsent->len - done);

		if (n > 0)
			done += (size_t)n;
		else if (errno == EAGAIN)
			break;
		else if (errno != EINTR)
			ret = -errno;
	}
	if (done > 0)
		g_byte_array_remove_range(stream->unsent, 0, (guint)done);
	return ret;
}

long bridge_stream_read(struct bridge_stream *stream)
{
	guint8 bytes[READ_SIZE];
	ssize_t n = read(stream->in, bytes, sizeof(bytes));

	if (n < 0)
		return errno == EINTR ? -EAGAIN : -errno;
	if (stream->taken > 0)
		g_byte_array_remove_range(stream->received, 0, (guint)stream->taken);
	stream->taken = 0;
	g_byte_array_append(stream->received, bytes, (guint)n);
	return n;
}

int bridge_stream_next(struct bridge_stream *stream, struct bridge_frame *ret)
{
	long n = frame_parse(stream->received->data + stream->taken,
			     stream->received->len - stream->taken, stream->peer, ret);

	if (n < 0)
		return (int)n;
	stream->taken += (size_t)n;
	return n > 0;
}

void bridge_stream_greet(struct bridge_stream *stream)
{
	struct bridge_greeting greeting = {
		.magic = BRIDGE_MAGIC,
		.version = BRIDGE_VERSION,
		.attach_version = ATTACH_VERSION,
	};

	bridge_stream_put(stream, BRIDGE_GREETING, 0, &greeting, sizeof(greeting), NULL, 0);
}

const char *bridge_greeting_check(const struct bridge_frame *frame)
{
	struct bridge_greeting greeting;

	if (frame->kind != BRIDGE_GREETING)
		return "it does not begin with a greeting";
	memcpy(&greeting, frame->payload, sizeof(greeting));
	if (greeting.magic != BRIDGE_MAGIC)
		return "the machines are of different byte order";
	if (greeting.version != BRIDGE_VERSION || greeting.attach_version != ATTACH_VERSION)
		return "the umadrig there is of another version: install the same on both machines";
	return NULL;
}
