/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A client's program in a guest: ATTACH_GUEST_STREAM, _RUN and _SIGNAL. Lock held.
 *
 * What it reads and writes are the client's own descriptors. A client in virtual time that waits
 * for one of them goes on when the guest has written there.
 */
#ifndef UMADRIG_SIM_SERVER_GUEST_CALL_H
#define UMADRIG_SIM_SERVER_GUEST_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "sim/server/reply.h"

struct guest_call;
struct server_lockstep;
struct umadrig_host;

/*
 * All three: 0, with the result in 'ret_reply'; or -EPROTO.
 *
 * The client's program is '*call'; NULL: it has none so far. 'fd' stays the caller's.
 */
int guest_call_stream(struct guest_call **call, const struct umadrig_host *host, uint32_t stream,
		      int fd, struct server_reply *ret_reply);
/* The payload of ATTACH_GUEST_RUN, however it came. The reply may have text. */
int guest_call_run(struct guest_call *call, const struct umadrig_host *host,
		   struct server_lockstep *lockstep, const uint8_t *bytes, size_t size,
		   struct server_reply *ret_reply);
int guest_call_signal(const struct guest_call *call, uint32_t sig, struct server_reply *ret_reply);

/* The connection ends: so does the program. NULL is allowed. */
void guest_call_end(struct guest_call *call);

#endif
