/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A handle that a program has opened over a bridge: a socket pair at the near end, as in a server
 * (sim/server/letter-queue.h), and one of the real server's handles at the far end.
 */
#ifndef UMADRIG_HARNESS_BRIDGE_NEAR_HANDLE_H
#define UMADRIG_HARNESS_BRIDGE_NEAR_HANDLE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/attach/protocol.h"
#include "sim/server/letter-queue.h"

struct loop_source;

struct near_handle {
	void *near;		/* its bridge's */
	struct loop_source *hears;	/* of a loop of that, until it is freed; or NULL */
	uint32_t id;		/* the far end's number */
	uint32_t opener;	/* client */
	int fd;			/* our end of its sockets */
	uint64_t token;	/* identifies it to programs */
	struct letter_queue letters;	/* messages that the socket had no room for */
	bool is_ended;	/* the handle ends after these letters */
};

/*
 * '*ret_fd' is the program's end, which the caller closes. On failure returns NULL, and '*ret_fd'
 * is -errno.
 */
struct near_handle *near_handle_new(uint32_t id, uint32_t opener, int *ret_fd);
/* Frees a struct near_handle: closes our end and drops what was not read. */
void near_handle_free(void *handle);

/* Sends as much as the socket takes. */
void near_handle_flush(struct near_handle *handle);
/*
 * Delivers a received message of 'size' bytes; a large one goes in a memfd. Returns 0, or -errno if
 * the message is lost.
 */
int near_handle_deliver(struct near_handle *handle, const uint8_t *bytes, size_t size,
			bool is_large);
/*
 * Executes the call ATTACH_PUT_BACK with 'size' bytes, or with 'memfd' (-1: none), which stays the
 * caller's: the message will be the next one again. The message has already crossed the bridge, so
 * the far end is not involved. Returns 0, -EPROTO if it is no such call, or another -errno.
 */
int near_handle_put_back(struct near_handle *handle, const struct attach_call *call,
			 const uint8_t *bytes, size_t size, int memfd);
/* The device or its server has gone: readers find the end after what is still unread. */
void near_handle_end(struct near_handle *handle);

#endif
