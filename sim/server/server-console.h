/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The console of a server: lines that come over its socket, and what only a server can show or do.
 * See sim/console/console.h.
 */
#ifndef UMADRIG_SIM_SERVER_SERVER_CONSOLE_H
#define UMADRIG_SIM_SERVER_SERVER_CONSOLE_H

#include "sim/server/client.h"
#include "sim/server/reply.h"

/* Runs a line for a client: its result, and the text, in the reply. Lock held. */
void server_console(struct server_clients *clients, const struct server_client *client,
		    const char *line, struct server_reply *ret_reply);

#endif
