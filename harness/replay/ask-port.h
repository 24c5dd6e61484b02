/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The port that captured requests are sent from again, through libibumad: simulated or real.
 */
#ifndef UMADRIG_HARNESS_REPLAY_ASK_PORT_H
#define UMADRIG_HARNESS_REPLAY_ASK_PORT_H

#include <glib.h>

#include "sim/capture/conversation.h"

struct ask_port;

/*
 * Opens it: 'ca' NULL and 'port' 0 for the default, as umad_open_port() takes them. NULL with an
 * error.
 */
struct ask_port *ask_port_open(const char *ca, int port, GError **error);
/* NULL is allowed. */
void ask_port_close(struct ask_port *port);
/* "mlx5_0/1", to be freed. */
char *ask_port_name(const struct ask_port *port);

/*
 * Sends the request and waits for its answer. 'first_port': the port with which directed routes of
 * the capture begin (0: they keep theirs). 1: 'ret' is the answer as the captured requester would
 * have seen it on its wire, good until the next call; 0: none came within 'timeout_ms'; or -errno.
 */
int ask_port_ask(struct ask_port *port, const struct conversation_message *request,
		 uint8_t first_port, int timeout_ms, struct conversation_message *ret);

#endif
