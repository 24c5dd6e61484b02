/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A bridge: programs on this machine, a fabric server on another, and between them a stream of
 * bytes that another program carries (ssh, a pipe). Nothing listens on a network.
 *
 * 	programs -- sockets -- near end ==== stream ==== far end -- sockets -- server
 *
 * The near end (part of "umadrig exec") listens on a private socket as a server does. The far end
 * ("umadrig bridge") makes the same connections to the server and opens what programs open.
 * Messages are those of lib/attach/protocol.h, each in a frame; what cannot cross is replaced:
 * descriptors of handles by numbers, memfds by their contents, issm paths by paths of the near end,
 * which reports to the far end when they are opened and closed.
 *
 * The order is the one that the server and the programs would see without a bridge: the near end
 * sends closed handles and issm paths first, then calls; the far end sends MADs first, then
 * replies.
 *
 * The far end waits until the stream takes what it has written; the near end never does. So they
 * cannot deadlock, and what a program does not read waits at the near end in a queue of its handle.
 */
#ifndef UMADRIG_HARNESS_BRIDGE_BRIDGE_H
#define UMADRIG_HARNESS_BRIDGE_BRIDGE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "lib/attach/protocol.h"

#define BRIDGE_MAGIC UINT32_C(0x62726467)	/* another byte order gives another magic */
#define BRIDGE_VERSION 1

enum {
	BRIDGE_LARGE_MAX = 256 << 20,	/* largest RMPP message that the server takes */
};

/* What a frame contains. In brackets: what its number identifies, and its payload. */
enum bridge_kind {
	BRIDGE_GREETING = 1,	/* both, as the first [-; struct bridge_greeting] */
	BRIDGE_HANGUP,		/* both [client; -]: its connection has ended */
	/* From the near end. */
	BRIDGE_CONNECT,		/* [client; -]: a new one, with this number from now on */
	BRIDGE_CALL,		/* [client; a call, its handle by the far end's number] */
	BRIDGE_CALL_LARGE,	/* [client; a call, and the contents of its memfd] */
	BRIDGE_CLOSE,		/* [handle; -]: its last copy was closed */
	BRIDGE_ISSM,		/* [issm path; 1 byte]: 1 open, 0 closed */
	/* From the far end. */
	BRIDGE_REPLY,		/* [client; a reply] */
	BRIDGE_REPLY_LARGE,	/* [client; a reply, and the contents of its memfd] */
	BRIDGE_REPLY_HANDLE,	/* [client; the new handle's number as u32, a reply] */
	BRIDGE_REPLY_ISSM,	/* [client; the issm path's number as u32, a reply without path] */
	BRIDGE_MAD,		/* [handle; a umad message of at most ATTACH_HEAD_SIZE] */
	BRIDGE_MAD_LARGE,	/* [handle; a longer one] */
	BRIDGE_END,		/* [handle; -]: the device or the server has gone */
};

enum bridge_end {
	BRIDGE_NEAR,
	BRIDGE_FAR,
};

struct bridge_greeting {
	uint32_t magic, version, attach_version, reserved;
};

/* The head of a frame, in the machine's byte order. */
struct bridge_header {
	uint32_t size;		/* of the payload */
	uint32_t kind;
	uint32_t id;
};

struct bridge_frame {
	enum bridge_kind kind;
	uint32_t id;
	const uint8_t *payload;
	size_t size;
};

/* ---- harness/bridge/frame.c ---- */

/* One end of the stream. */
struct bridge_stream {
	int in, out;
	enum bridge_end peer;
	GByteArray *received;
	size_t taken;		/* of those */
	GByteArray *unsent;
};

void bridge_stream_init(struct bridge_stream *stream, int in, int out, enum bridge_end peer);
/* Closes both descriptors. */
void bridge_stream_clear(struct bridge_stream *stream);

/* Appends a frame, whose payload is in two parts (NULL: none), to what is to be sent. */
void bridge_stream_put(struct bridge_stream *stream, enum bridge_kind kind, uint32_t id,
		       const void *first, size_t first_size, const void *second,
		       size_t second_size);
/*
 * Writes as much as the descriptor takes. Returns 0, or -errno (never -EAGAIN) if the link has
 * gone.
 */
int bridge_stream_flush(struct bridge_stream *stream);
/*
 * Reads once. Returns the number of bytes, 0 at the end, -EAGAIN if there are none now, or another
 * -errno.
 */
long bridge_stream_read(struct bridge_stream *stream);
/* The next complete frame, valid until the next read. Returns 1, 0 if there is none, or -EPROTO. */
int bridge_stream_next(struct bridge_stream *stream, struct bridge_frame *ret);
void bridge_stream_greet(struct bridge_stream *stream);
/* Returns NULL, or what is wrong with the peer's first frame. */
const char *bridge_greeting_check(const struct bridge_frame *frame);

/* ---- harness/bridge/socket.c ---- */

/*
 * Receives one message and the descriptor that came with it (-1: none). Returns its size, 0 at the
 * end, or -errno; never waits. '*ret_is_cut': several descriptors came, or there was no room for
 * it, so none is returned.
 */
long bridge_receive(int socket, void *bytes, size_t size, int *ret_fd, bool *ret_is_cut);
/* Sends one message together with 'fd' (-1: none). Returns 0 or -errno; never waits. */
int bridge_send(int socket, const struct iovec *parts, size_t count, int fd);
/* Returns a memfd with these bytes, or -errno. */
int bridge_memfd(const void *bytes, size_t size);
/*
 * 'size' bytes of a regular file, to be freed with g_free(); NULL: the file does not have that
 * many.
 */
uint8_t *bridge_memfd_read(int fd, size_t size);
/* Does the peer run as this user or as root? With 'or_we', also true if we are root. */
bool bridge_peer_is_trusted(int socket, bool or_we);
/* The number of the peer's process; 0: it is in a PID namespace that is not seen from here. */
uint32_t bridge_peer_process(int socket);

/* ---- harness/bridge/far.c ---- */

/*
 * Carries messages between a stream and the server at 'path' until the stream ends. Returns 0 or
 * -errno, after printing the error.
 */
int bridge_far_run(const char *name, const char *path, int in, int out);

/* ---- harness/bridge/near.c ---- */

struct bridge_near;

/*
 * Listens on a socket in a directory of its own, on behalf of the far end at the other end of
 * 'link', which it takes over and whose greeting it waits for. NULL with COMMAND_REFUSED.
 */
struct bridge_near *bridge_near_new(int link, GError **error);
const char *bridge_near_socket(const struct bridge_near *near);
/* Runs until the link ends (-EIO, -EPROTO) or 'control' becomes readable (0). */
int bridge_near_run(struct bridge_near *near, int control);
/* 'files': removes its files too, which belong to one process only. */
void bridge_near_free(struct bridge_near *near, bool files);

#endif
