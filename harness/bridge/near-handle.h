/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A handle that a program has opened over a bridge: at the near end a socket pair as in a server
 * (sim/server/letter-queue.h), at the far end one of the real server's.
 */
#ifndef UMADRIG_HARNESS_BRIDGE_NEAR_HANDLE_H
#define UMADRIG_HARNESS_BRIDGE_NEAR_HANDLE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/attach/protocol.h"
#include "sim/server/letter-queue.h"

struct near_handle {
	uint32_t id;		/* the far end's number */
	uint32_t opener;	/* client */
	int fd;			/* our end of its sockets */
	uint64_t cookie;	/* by which programs name it */
	struct letter_queue letters;	/* for which the socket has had no room */
	bool is_ended;	/* nothing follows the letters */
};

/* '*ret_fd': the program's end, the caller's to close. NULL: '*ret_fd' is -errno. */
struct near_handle *near_handle_new(uint32_t id, uint32_t opener, int *ret_fd);
/* Of a struct near_handle; closes our end and drops what nobody has read. */
void near_handle_free(void *handle);

/* As much as the socket takes. */
void near_handle_flush(struct near_handle *handle);
/* A received message of 'size' bytes; a large one goes in a memfd. 0, or -errno: it is lost. */
int near_handle_deliver(struct near_handle *handle, const uint8_t *bytes, size_t size,
			bool is_large);
/*
 * The call ATTACH_PUT_BACK with 'size' bytes, or with 'memfd' (-1: none), which stays the caller's:
 * the message comes next again. What the reader had is not over the bridge any more, so nobody
 * there is asked. 0, -EPROTO: it is no such call; or other -errno.
 */
int near_handle_put_back(struct near_handle *handle, const struct attach_call *call,
			 const uint8_t *bytes, size_t size, int memfd);
/* The device or its server is gone: readers find the end after what they have not read. */
void near_handle_end(struct near_handle *handle);

#endif
