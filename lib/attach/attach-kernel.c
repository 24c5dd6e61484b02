/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * attach-kernel.c: what the kernel of the calling thread's host says by itself: messages and
 * uevents.
 *
 * The programs' descriptors are sockets with a byte in them while there is something to read
 * (lib/attach/protocol.h).
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/attach/attach-handle.h"
#include "lib/attach/attach-kernel.h"
#include "lib/attach/call.h"
#include "lib/base/kernel-ring.h"

/* A server of ours sends as much as it says. */
static bool has(const struct attach_exchange *exchange, size_t size)
{
	return exchange->reply_size >= size;
}

/* ---- messages ---- */

/*
 * Nobody puts a byte in meanwhile: time stands still. (The call itself: it is no look of the
 * program, during which time may pass.)
 */
static void empty_socket(int fd)
{
	char bytes[16];

	syscall(SYS_recvfrom, fd, bytes, sizeof(bytes), MSG_DONTWAIT, NULL, NULL);
}

static long log_of_file(enum umad_backend_log action, int fd, void *text, size_t size)
{
	uint64_t room = size < KERNEL_RECORD_MAX ? size : KERNEL_RECORD_MAX;
	struct {
		struct attach_log_reply head;
		char text[KERNEL_RECORD_MAX];
	} reply = { .head.is_at_end = 0 };
	struct attach_exchange exchange = {
		.call = { .op = ATTACH_KERNEL_LOG, .argument = action }, .fd = -1,
		.data = &room, .size = sizeof(room), .reply = &reply, .reply_room = sizeof(reply),
	};
	long r = attach_handle_token(fd, &exchange.call.handle);

	if (r == 0)
		r = attach_call(&exchange);
	if (reply.head.is_at_end)
		empty_socket(fd);
	if (r > (long)room || (r > 0 && !has(&exchange, sizeof(reply.head) + (size_t)r)))
		return -EIO;
	if (r > 0)
		memcpy(text, reply.text, (size_t)r);
	return r;
}

long attach_kernel_log(enum umad_backend_log action, int fd, void *text, size_t size)
{
	uint64_t room = size;
	struct attach_exchange exchange = {
		.call = { .op = ATTACH_KERNEL_LOG, .argument = action }, .fd = -1,
		.data = &room, .size = sizeof(room), .reply = text, .reply_room = size,
	};
	long r;

	if (UMAD_BACKEND_LOG_IS_OF_FILE(action))
		return log_of_file(action, fd, text, size);
	r = attach_call(&exchange);
	if (action == UMAD_BACKEND_LOG_LIST && r > 0 && !has(&exchange, (size_t)r))
		return -EIO;
	if (action != UMAD_BACKEND_LOG_OPEN || r < 0)
		return r;
	/* Otherwise the kernel had no descriptor for us. */
	return exchange.reply_fd < 0 ? -EMFILE : exchange.reply_fd;
}

/* ---- uevents ---- */

/* A call with a value behind it; to be freed. NULL: no memory for it. */
static uint8_t *pack(const struct umad_backend_uevent *call, const void *value)
{
	uint8_t *bytes = malloc(sizeof(*call) + call->size);

	if (bytes) {
		memcpy(bytes, call, sizeof(*call));
		memcpy(bytes + sizeof(*call), value, call->size);
	}
	return bytes;
}

static long call_with(struct attach_exchange *exchange, const struct umad_backend_uevent *call,
		      const void *value)
{
	uint8_t *packed = NULL;
	long r;

	exchange->data = call;
	exchange->size = sizeof(*call) + call->size;
	if (call->size > UMAD_BACKEND_UEVENT_VALUE_MAX)
		return -ENOMEM;
	if (call->size > 0) {
		packed = pack(call, value);
		if (!packed)
			return -ENOMEM;
		exchange->data = packed;
	}
	r = attach_call(exchange);
	free(packed);
	return r;
}

long attach_uevent(const struct umad_backend_uevent *call, int fd, const void *value, void *reply,
		   size_t room)
{
	struct {
		struct umad_backend_uevent_message head;
		uint8_t bytes[UMAD_BACKEND_UEVENT_MAX];
	} got = { .head.is_at_end = 0 };
	struct attach_exchange exchange = {
		.call = { .op = ATTACH_UEVENT }, .fd = -1,
		.reply = &got, .reply_room = sizeof(got),
	};
	bool opens = call->action == UMAD_BACKEND_UEVENT_OPEN;
	size_t head = call->action == UMAD_BACKEND_UEVENT_RECEIVE ? sizeof(got.head) : 0;
	long r = opens ? 0 : attach_handle_token(fd, &exchange.call.handle);

	if (r == 0)
		r = call_with(&exchange, call, value);
	if (head > 0 && got.head.is_at_end)
		empty_socket(fd);
	if (r < 0)
		return r;
	if (opens)
		return exchange.reply_fd < 0 ? -EMFILE : exchange.reply_fd;
	if (!has(&exchange, head + (size_t)r))
		return -EIO;
	if (exchange.reply_size > 0)
		memcpy(reply, &got, exchange.reply_size < room ? exchange.reply_size : room);
	return r;
}
