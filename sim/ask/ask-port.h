/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The port that captured MADs are sent from again, simulated or real.
 */
#ifndef UMADRIG_SIM_ASK_ASK_PORT_H
#define UMADRIG_SIM_ASK_ASK_PORT_H

#include "sim/ask/ask-device.h"
#include "sim/capture/conversation.h"

struct ask_port;

/* Takes over the device. Never NULL. */
struct ask_port *ask_port_new(struct ask_device *device);
/* NULL is allowed. */
void ask_port_close(struct ask_port *port);
/* "mlx5_0/1", the port's. */
const char *ask_port_name(const struct ask_port *port);

/*
 * Sends the request and waits for its answer. 'first_port': the port with which directed routes of
 * the capture begin (0: they keep theirs). 1: 'ret' is the answer as the captured requester would
 * have seen it on its wire, good until the next call; 0: none came within 'timeout_ms'; or -errno.
 */
int ask_port_ask(struct ask_port *port, const struct conversation_message *request,
		 uint8_t first_port, int timeout_ms, struct conversation_message *ret);

/*
 * Sends a MAD (MAD_SIZE bytes) as it is to the destination in 'addr', and awaits no answer. A real
 * kernel replaces the upper half of a request's TID. 0, or -errno.
 */
int ask_port_send(struct ask_port *port, const struct packet_addr *addr, const uint8_t *mad);
/* How many sends have come back as failed, since the last call. */
unsigned int ask_port_failed(struct ask_port *port);

#endif
