/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Clients that keep a copy of their host's view of /sys/class: they ask for what has changed, and
 * wait for the answer until something has.
 */
#ifndef UMADRIG_SIM_SERVER_VIEW_READER_H
#define UMADRIG_SIM_SERVER_VIEW_READER_H

#include "sim/server/client.h"
#include "sim/server/reply.h"

/*
 * The client asks for what has changed after number 'since'. 0 and a reply; or 1:
 * view_readers_tell() will send one. Lock held.
 */
int view_reader_ask(struct server_clients *clients, struct server_client *client, uint64_t since,
		    struct server_reply *reply);
/* Replies to all clients ('clients': struct server_clients *) that something has changed for. */
void view_readers_tell(void *clients);

#endif
