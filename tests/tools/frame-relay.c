/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * frame-relay: passes what the far end of a bridge writes (harness/bridge/bridge.h), and has
 * replies of different programs overtake each other. Nothing says in which order they come: an end
 * that finds several connections ready takes them as they are in its table.
 *
 * A reply with bytes after its result comes 2 ms after the next frame of another program, or after
 * 20 ms if there is none.
 */
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/bridge/bridge.h"

enum { HOLD_MS = 20, PAUSE_US = 2000 };

struct frame {
	struct bridge_header header;
	uint8_t *bytes;		/* NULL: there is none */
};

static bool read_all(void *to, size_t size)
{
	uint8_t *at = to;

	while (size > 0) {
		ssize_t n = read(STDIN_FILENO, at, size);

		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

static void write_all(const void *from, size_t size)
{
	const uint8_t *at = from;

	while (size > 0) {
		ssize_t n = write(STDOUT_FILENO, at, size);

		if (n <= 0)
			exit(1);
		at += n;
		size -= (size_t)n;
	}
}

static bool read_frame(struct frame *frame)
{
	if (!read_all(&frame->header, sizeof(frame->header)) ||
	    frame->header.size > BRIDGE_LARGE_MAX)
		return false;
	frame->bytes = malloc(frame->header.size + 1);
	return frame->bytes && read_all(frame->bytes, frame->header.size);
}

static void pass(struct frame *frame)
{
	if (!frame->bytes)
		return;
	write_all(&frame->header, sizeof(frame->header));
	write_all(frame->bytes, frame->header.size);
	free(frame->bytes);
	frame->bytes = NULL;
}

static bool may_wait(const struct frame *frame)
{
	return frame->header.kind == BRIDGE_REPLY &&
	       frame->header.size > sizeof(struct attach_reply);
}

int main(void)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	struct frame held = { .bytes = NULL }, next;

	for (;;) {
		if (held.bytes && poll(&in, 1, HOLD_MS) == 0) {
			pass(&held);
			continue;
		}
		if (!read_frame(&next))
			break;
		if (held.bytes && held.header.id == next.header.id)
			pass(&held);
		if (!held.bytes && may_wait(&next)) {
			held = next;
			continue;
		}
		pass(&next);
		if (held.bytes)
			usleep(PAUSE_US);
		pass(&held);
	}
	pass(&held);
	return 0;
}
