/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One message of a client, and its reply.
 */
#ifndef UMADRIG_SIM_SERVER_EXCHANGE_H
#define UMADRIG_SIM_SERVER_EXCHANGE_H

#include "sim/server/client.h"

/* Reads one message, does what it says, and replies; or ends the client. Lock held. */
void server_exchange(struct server_clients *clients, struct server_client *client);

#endif
