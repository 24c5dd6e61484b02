/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What clients of a server call: see lib/attach/protocol.h.
 */
#ifndef UMADRIG_SIM_SERVER_SERVER_CALL_H
#define UMADRIG_SIM_SERVER_SERVER_CALL_H

#include "sim/server/client.h"
#include "sim/server/reply.h"

/*
 * Carries out a message of 'size' bytes; 'fd' came along (-1: none) and stays the caller's. 0 and
 * the reply; 1: there will be one later; or -EPROTO: it is not a message as in
 * lib/attach/protocol.h. Lock held.
 */
int server_call(struct server_clients *clients, struct server_client *client,
		const uint8_t *message, size_t size, int fd, struct server_reply *ret_reply);

#endif
