/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the fabric wants to be run in a guest: the message RUN, which comes in pieces.
 */
#ifndef UMADRIG_LIB_GUEST_GUEST_ORDER_H
#define UMADRIG_LIB_GUEST_GUEST_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/guest/guest-channel.h"

/* Zeros: nothing of it has come. */
struct guest_order {
	char *bytes;		/* of the pieces so far */
	size_t size;
	bool is_whole;
	uint32_t program;	/* which one it is about; of the first piece on */
	int err;		/* negative: nothing comes of it */
	/* once it is whole; pointers into bytes */
	char *directory;
	char **arguments;	/* NULL-ended, at least one */
	char **environment;	/* NULL-ended */
	bool has_input;		/* STDIN will come */
};

/*
 * Adds a message RUN. 0: more pieces are to come, or it is whole (is_whole). Negative: nothing
 * comes of it, and the order is to be cleared: -EBADMSG (malformed), -E2BIG (more than
 * UMADRIG_GUEST_RUN_MAX bytes), -ENOMEM; said with its last piece.
 */
int guest_order_add(struct guest_order *order, const struct guest_message *piece);
/* It is as zeros again. */
void guest_order_clear(struct guest_order *order);

#endif
