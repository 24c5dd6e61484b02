/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a session's attendant calls: ATTACH_ERRAND and ATTACH_ERRAND_END of lib/attach/protocol.h,
 * for sim/server/errands.h. Both return 0 with a reply; -EPROTO: the message is malformed.
 */
#ifndef UMADRIG_SIM_SERVER_ERRAND_CALL_H
#define UMADRIG_SIM_SERVER_ERRAND_CALL_H

#include "sim/server/client.h"
#include "sim/server/reply.h"

int errand_call_next(struct server_clients *clients, const struct server_client *client,
		     struct server_reply *ret_reply);
/* 'size' bytes of 'data': a struct attach_errand_end and text. */
int errand_call_end(struct server_clients *clients, const struct server_client *client,
		    const uint8_t *data, size_t size, struct server_reply *ret_reply);

#endif
