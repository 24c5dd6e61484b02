/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A bridge: programs on this machine, a fabric server on another, and between them a stream of
 * bytes that somebody else carries (ssh, a pipe). Nothing listens on a network.
 *
 *	programs -- sockets -- near end ==== stream ==== far end -- sockets -- server
 *
 * The near end (part of "umadrig exec") listens on a private socket as a server does. The far end
 * ("umadrig bridge") makes the same connections to the server and opens what programs open.
 * Messages are those of lib/attach/protocol.h, each in a frame; what cannot cross is replaced:
 * descriptors of handles by numbers, memfds by their contents, issm paths by
 * paths of the near end's, whose being open the far end is told.
 *
 * Order is kept as the server and the programs would have it without a bridge: of the near end's
 * events closed handles and issm paths go first, then calls; of the far end's MADs, then replies.
 *
 * The far end waits until the stream takes what it has written, the near end never does: so they
 * cannot wait for each other, and what a program does not read waits here in a queue of its handle.
 */
#ifndef UMADRIG_HARNESS_BRIDGE_BRIDGE_H
#define UMADRIG_HARNESS_BRIDGE_BRIDGE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "lib/attach/protocol.h"

#define BRIDGE_MAGIC UINT32_C(0x62726467)	/* another byte order is another magic */
#define BRIDGE_VERSION 1

enum {
	BRIDGE_LARGE_MAX = 256 << 20,	/* bytes of an RMPP message, as the server takes them */
};

/* What is in a frame; in brackets: what its number names, and its payload. */
enum bridge_kind {
	BRIDGE_GREETING = 1,	/* both, first [-; struct bridge_greeting] */
	BRIDGE_HANGUP,		/* both [client; -]: its connection has ended */
	/* From the near end. */
	BRIDGE_CONNECT,		/* [client; -]: a new one, with the number from now on */
	BRIDGE_CALL,		/* [client; a call, its handle by the far end's number] */
	BRIDGE_CALL_LARGE,	/* [client; a call, and the contents of the memfd with it] */
	BRIDGE_CLOSE,		/* [handle; -]: its last copy was closed */
	BRIDGE_ISSM,		/* [issm path; 1 byte]: 1 open, 0 closed */
	/* From the far end. */
	BRIDGE_REPLY,		/* [client; a reply] */
	BRIDGE_REPLY_LARGE,	/* [client; a reply, and the contents of the memfd with it] */
	BRIDGE_REPLY_HANDLE,	/* [client; the new handle's number as u32, a reply] */
	BRIDGE_REPLY_ISSM,	/* [client; the issm path's number as u32, a reply without path] */
	BRIDGE_MAD,		/* [handle; a umad message of at most ATTACH_HEAD_SIZE] */
	BRIDGE_MAD_LARGE,	/* [handle; a longer one] */
	BRIDGE_END,		/* [handle; -]: the device is gone, or the server */
};

enum bridge_end {
	BRIDGE_NEAR,
	BRIDGE_FAR,
};

struct bridge_greeting {
	uint32_t magic, version, attach_version, reserved;
};

/* A frame begins so; the machine's own numbers. */
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

/*
 * The frame that 'bytes' begin with, sent by 'from': the number of bytes it takes, and the frame,
 * whose payload stays where it is; 0: more must come; -EPROTO: it is none, or of no size that its
 * kind has, or not the sender's to send.
 */
long bridge_frame_parse(const uint8_t *bytes, size_t size, enum bridge_end from,
			struct bridge_frame *ret);

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

/* Puts a frame, its payload in two parts (NULL: none), behind what is to be sent. */
void bridge_stream_put(struct bridge_stream *stream, enum bridge_kind kind, uint32_t id,
		       const void *first, size_t first_size, const void *second,
		       size_t second_size);
/* Writes as much as the descriptor takes. 0, or -errno but for -EAGAIN: the link is gone. */
int bridge_stream_flush(struct bridge_stream *stream);
/* Reads once: bytes, 0 at the end, -EAGAIN: none now; other -errno. */
long bridge_stream_read(struct bridge_stream *stream);
/* The next whole frame; valid until the next read. 1, 0: there is none, -EPROTO. */
int bridge_stream_next(struct bridge_stream *stream, struct bridge_frame *ret);
void bridge_stream_greet(struct bridge_stream *stream);
/* NULL, or what is wrong with the peer's first frame. */
const char *bridge_greeting_check(const struct bridge_frame *frame);

/* ---- harness/bridge/socket.c ---- */

/*
 * One message in, with the descriptor that came along (-1: none): its size, 0 at the end, -errno;
 * never waits. '*ret_is_cut': more than one came, or there was no room for it, so there is none.
 */
long bridge_receive(int socket, void *bytes, size_t size, int *ret_fd, bool *ret_is_cut);
/* One message out, with 'fd' along (-1: none). 0 or -errno; never waits. */
int bridge_send(int socket, const struct iovec *parts, size_t count, int fd);
/* A memfd with these bytes, or -errno. */
int bridge_memfd(const void *bytes, size_t size);
/* 'size' bytes of a regular file, g_free() them; NULL: they are not there. */
uint8_t *bridge_memfd_read(int fd, size_t size);
int bridge_cookie(int socket, uint64_t *ret_cookie);
/* Is the peer of this user, or root; 'or_we': or are we root? */
bool bridge_peer_is_trusted(int socket, bool or_we);

/* ---- harness/bridge/far.c ---- */

/* Carries between a stream and the server at 'path' until the stream ends. 0 or -errno, said. */
int bridge_far_run(const char *name, const char *path, int in, int out);

/* ---- harness/bridge/near.c ---- */

struct bridge_near;

/*
 * Listens on a socket in a directory of its own, for the far end at the other end of 'link' (taken
 * over), whose greeting it waits for. NULL with COMMAND_REFUSED.
 */
struct bridge_near *bridge_near_new(int link, GError **error);
const char *bridge_near_socket(const struct bridge_near *near);
/* Until the link ends (-EIO, -EPROTO), or 'control' says anything (0). */
int bridge_near_run(struct bridge_near *near, int control);
/* 'files': with what it has in the file system, which belongs to one process only. */
void bridge_near_free(struct bridge_near *near, bool files);

#endif
